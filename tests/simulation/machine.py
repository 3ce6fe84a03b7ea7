"""The machines on which the bot runs: a process at a time on each, its database, its clocks."""

import asyncio
import logging
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
from sqlalchemy.exc import DBAPIError

from bot.cli import run
from bot.client import Bot
from bot.clock import SystemClock
from bot.cluster.shards import HeldShards
from bot.store.database import Unavailable
from bot.store.store import Store, StoreUnreachable
from tests.simulation import virtual
from tests.simulation.shared import Server, Wire
from tests.simulation.wrong import Ended

log = logging.getLogger(__name__)

RESTART_SECONDS: Final = 3.0
GIVES_UP: Final = (aiohttp.ClientConnectionError, DBAPIError, Unavailable, StoreUnreachable, discord.HTTPException)
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
        self.frozen = False
        """Whether the process stands still."""
        self.leaving = False
        """Whether the process hands everything over, and then ends."""
        self.started = 0.0
        """When the process was started."""
        self.kills: list[float] = []
        """When the process was killed."""
        self.bot: Bot | None = None
        """The process, as far as it has come."""
        self._sim = sim
        self._store = store
        self._token = ""
        self._starts = 0

    @property
    def name(self) -> str:
        """What the process is called that runs there, or ran last."""
        return f"bot-{self._starts}"

    def start(self, token: str = "") -> None:
        """A new process of the bot, if none runs. *token* is the bot's; empty: as before."""
        if self.running:
            return
        self._token = token or self._token
        self._starts += 1
        log.info("process %s starts", self.name.removeprefix("bot-"))
        self.running, self.started, self.bot = True, virtual.now(), None
        self.host = self._sim.host(self.name)
        self._serving = self.host.spawn(self._serve)

    async def _serve(self) -> None:
        """What ``bot.cli.run`` does: a process, until it is killed or gives up."""
        virtual.new_process()
        store = await self._opened()
        clock = virtual.clock(lambda: self.steady, lambda: self.wall)
        self.bot = Bot(store, clock=clock, shards=self._shards_held(store, clock))
        await self.bot.start(self._token)

    async def _opened(self) -> Store:
        return await Store.open(f"sqlite+aiosqlite:///{self._store}")

    def _shards_held(self, store: Store, clock: SystemClock) -> HeldShards | None:
        return None

    async def look_after(self) -> None:
        """Start the bot again where it has given up, as whatever looks after a service does.

        Raises:
            Ended: it has ended for a reason that it does not know.
        """
        while True:
            await asyncio.sleep(RESTART_SECONDS)
            if self.running and not self.leaving and self._serving.done():
                error = self._serving.exception()
                if not isinstance(error, GIVES_UP):
                    raise Ended(repr(error)) from error
                self.kill()
                self.start()

    def kill(self) -> None:
        """Kill the process at whatever it awaits; what it had not committed is lost."""
        log.info("process %s is killed", self.name.removeprefix("bot-"))
        self.kills.append(virtual.now())
        self._end()

    def _end(self) -> None:
        self.running = self.frozen = self.leaving = False
        self.disk.tear = None
        virtual.kill(self.host)

    def thaw(self) -> None:
        """The process goes on, if it stands still."""
        log.info("process %s goes on", self.name.removeprefix("bot-"))
        self.frozen = False
        virtual.go_on(self.host)

    def tear(self, kill: Any, spared: int) -> None:
        """Have *kill* called in the middle of the next commit, *spared* not counted."""
        self.disk.tear, self.disk.spared = kill, spared

    def be_well(self) -> None:
        """Nothing goes wrong with it any more: the process goes on, or is started."""
        self.disk.tear = None
        self.start()


class Member(Machine):
    """Machine number *number* (from 0) of several in *sim*, all on the same *server*; of all servers of Discord's there
    are to be *shards* shards."""

    def __init__(self, sim: virtual.World, server: Server, number: int, shards: int) -> None:
        super().__init__(sim, Path())
        self.cut_off = False
        """Whether nothing gets through between it and Discord."""
        self._server = server
        self._number = number
        self._shards = shards
        self._wire: Wire | None = None

    @property
    def name(self) -> str:
        return f"bot-{self._number + 1}.{self._starts}"

    @property
    def shards(self) -> HeldShards | None:
        """What the process holds, as it believes; ``None``: it is not there yet."""
        held = self.bot.shards_held if self.bot is not None else None
        return held if isinstance(held, HeldShards) else None

    def serves(self, guild: int) -> bool:
        """Whether the process believes that it serves the tables in *guild*."""
        return bool(self.running and self.shards and self.shards.serves(guild))

    async def _opened(self) -> Store:
        self._wire = self._server.wire(self.name)
        return self._wire.store()

    def _shards_held(self, store: Store, clock: SystemClock) -> HeldShards | None:
        wire, host = self._wire, self.host
        assert wire is not None
        connect = partial(self._server.session, wire, host)
        return HeldShards(connect, store.sender, self.name, clock, self._shards)

    def _end(self) -> None:
        if self._wire is not None:
            self._wire.tear = self._wire.stop = None
            self._server.end_all_of(self._wire)
        super()._end()

    def tear(self, kill: Any, spared: int) -> None:
        """Have *kill* called at the next commit that changes a table, *spared* not counted: it comes through or not."""
        if self._wire is not None:
            self._wire.tear, self._wire.spared = kill, spared

    def freeze_in_a_commit(self, frozen: asyncio.Event) -> None:
        """The process stands still as soon as it is about to commit something about a table; then *frozen* is set."""

        def freeze() -> None:
            self.freeze()
            frozen.set()

        if self._wire is not None:
            self._wire.stop = freeze

    def freeze(self) -> None:
        """The process stands still."""
        log.info("process %s stands still", self.name.removeprefix("bot-"))
        self.frozen = True
        virtual.stand_still(self.host)

    async def leave(self) -> None:
        """The process is told to end: it hands everything over, as ``bot.cli.run`` does."""
        log.info("process %s leaves", self.name.removeprefix("bot-"))
        self.leaving = True
        ended = asyncio.Event()

        async def leave() -> None:
            assert self.bot is not None
            stop: Any = SimpleNamespace(at_once=asyncio.Event())
            await run._hand_over_tables(self.bot, stop)
            try:
                async with asyncio.timeout(run.CLOSE_SECONDS):
                    await self.bot.close()
            except TimeoutError:
                log.info("not everything could be finished in time")
            log.info("process %s ends", self.name.removeprefix("bot-"))
            ended.set()
            self._end()

        self.host.spawn(leave)
        await ended.wait()

    def be_well(self) -> None:
        """Nothing goes wrong with it any more: the process goes on, or is started."""
        if self._wire is not None:
            self._wire.tear = self._wire.stop = None
        self.start()
