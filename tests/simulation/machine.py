"""The machine on which the bot runs: a process at a time, its database, its clocks."""

import asyncio
import logging
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
from sqlalchemy.exc import DBAPIError

from bot.client import Bot
from bot.store.database import Locked
from bot.store.store import Store, StoreUnreachable
from tests.simulation import virtual
from tests.simulation.wrong import Ended

log = logging.getLogger(__name__)

RESTART_SECONDS: Final = 3.0
GIVES_UP: Final = (aiohttp.ClientConnectionError, DBAPIError, Locked, StoreUnreachable, discord.HTTPException)
"""What ends the bot when it starts, with one line for its host."""


class Machine:
    """A machine in *sim*, with the database *store*."""

    def __init__(self, sim: virtual.World, store: Path) -> None:
        """Nothing runs there yet."""
        self.disk = virtual.Disk(store)
        self.steady = self.wall = 0.0
        """How far its clocks are ahead, s."""
        self.host: Any = None
        """Where the process runs, or ran last, in the network."""
        self.running = False
        self.started = 0.0
        """When the process was started."""
        self.kills: list[float] = []
        """When the process was killed."""
        self._sim = sim
        self._store = store
        self._token = ""
        self._starts = 0

    def start(self, token: str = "") -> None:
        """A new process of the bot, if none runs. *token* is the bot's; empty: as before."""
        if self.running:
            return
        self._token = token or self._token
        self._starts += 1
        log.info("process %d starts", self._starts)
        self.running, self.started = True, virtual.now()
        self.host = self._sim.host(f"bot-{self._starts}")
        self._serving = self.host.spawn(self._serve)

    async def _serve(self) -> None:
        """What ``bot.run`` does: a process, until it is killed or gives up."""
        virtual.new_process()
        store = await Store.open(f"sqlite+aiosqlite:///{self._store}")
        bot = Bot(store, clock=virtual.clock(lambda: self.steady, lambda: self.wall))
        await bot.start(self._token)

    async def look_after(self) -> None:
        """Start the bot again where it has given up, as whatever looks after a service does.

        Raises:
            Ended: it has ended for a reason that it does not know.
        """
        while True:
            await asyncio.sleep(RESTART_SECONDS)
            if self.running and self._serving.done():
                error = self._serving.exception()
                if not isinstance(error, GIVES_UP):
                    raise Ended(repr(error)) from error
                self.kill()
                self.start()

    def kill(self) -> None:
        """Kill the process at whatever it awaits; what it had not committed is lost."""
        log.info("process %d is killed", self._starts)
        self.kills.append(virtual.now())
        self.running = False
        self.disk.tear = None
        virtual.kill(self.host)
