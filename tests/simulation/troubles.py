"""What goes wrong: the process is killed, Discord refuses, delays, loses, limits; connections break; clocks jump;
people delete messages and close their direct messages."""

import asyncio
import logging
import sqlite3
from typing import TYPE_CHECKING, Any, Final

from bot.custom_ids import Verb
from tests.simulation import virtual

if TYPE_CHECKING:
    from tests.simulation.universe import Universe

CORRECTED_SECONDS: Final = 5.0
"""How soon a clock that jumped shows Discord's time again: each response tells it."""


log = logging.getLogger(__name__)


class Troubles:
    """What can go wrong in *universe*. A plan names these methods, and says what they are given. Each returns when it
    is over."""

    def __init__(self, universe: "Universe") -> None:
        self._universe = universe

    async def crash(self, down: float) -> None:
        """The process is killed, and started again *down* seconds later."""
        self._universe.machine.kill()
        await asyncio.sleep(down)
        self._universe.machine.start()

    async def torn_commit(self, down: float, spared: int = 0) -> None:
        """The process is killed in the middle of its next commit, *spared* not counted: half of that is on the disk."""
        torn = asyncio.Event()

        def kill() -> None:
            self._universe.machine.kill()
            torn.set()

        self._universe.machine.disk.tear, self._universe.machine.disk.spared = kill, spared
        await torn.wait()
        await asyncio.sleep(down)
        self._universe.machine.start()

    async def refuse(self, status: int, **match: Any) -> None:
        """Some of the bot's next requests are refused."""
        await self._fault(match, status=status)

    async def slow(self, seconds: float, **match: Any) -> None:
        """Some of the bot's next requests take long."""
        await self._fault(match, delay_ms=round(seconds * 1000))

    async def lose_response(self, **match: Any) -> None:
        """Some of the bot's next requests have their effect, but their response is lost."""
        await self._fault(match, drop=True)

    async def limit(self, seconds: float, scope: str, **match: Any) -> None:
        """Some of the bot's next requests are too many, for *seconds*."""
        await self._fault(match, status=429, retry_after=seconds, scope=scope)

    async def gateway(self, how: str) -> None:
        """Discord ends the bot's sessions."""
        await self._universe.discord.call("POST", "/local/faults", {"gateway": how})

    async def cut(self, seconds: float) -> None:
        """Nothing gets through between the bot and Discord."""
        here, there = self._universe.machine.host, self._universe.there
        self._universe.sim.net.partition([here], [there])
        began = virtual.now()
        try:
            await asyncio.sleep(seconds)
        finally:
            self._universe.noted.downs.append((began, virtual.now()))
            self._universe.noted.held_up.append((began, virtual.now()))
            self._universe.sim.net.heal()

    async def clock(self, steady: float, wall: float) -> None:
        """The clocks of the bot's machine jump."""
        self._universe.noted.downs.append((virtual.now(), virtual.now() + CORRECTED_SECONDS))
        self._universe.machine.steady += steady
        self._universe.machine.wall += wall

    async def locked(self, seconds: float) -> None:
        """Another program has locked the database."""
        other = sqlite3.connect(self._universe.store, timeout=0, isolation_level=None)
        began = virtual.now()
        try:
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(seconds)
        except sqlite3.OperationalError:  # the bot is writing just now, or a third one has locked it
            return
        finally:
            self._universe.noted.held_up.append((began, virtual.now()))
            other.close()

    async def delete(self) -> None:
        """A moderator deletes a table message."""
        world = self._universe.discord
        moderator = world.people[-1]
        message = moderator.newest(Verb.MENU)
        if message is None:
            return
        await world.call("POST", f"/local/users/{moderator.id}", {"moderator": True})
        log.info("a moderator deletes the table message %d", message.id)
        self._universe.noted.deleted.append((virtual.now(), message.id))
        path = f"/channels/{message.channel}/messages/{message.id}"
        status, answer = await world.call("DELETE", path, token=moderator.token)
        assert status in (204, 404), answer

    async def close_dms(self, guest: int) -> None:
        """Somebody closes their direct messages."""
        people = self._universe.people
        path = f"/local/users/{people[guest % len(people)].id}"
        await self._universe.discord.call("POST", path, {"dms_open": False})

    async def _fault(self, match: dict[str, Any], **what: Any) -> None:
        """The next ``times`` of the bot's requests that *match* go wrong."""
        found = {"method": match["method"], "path": match["path"]}
        body = {"match": found, "times": match["times"], **what}
        status, answer = await self._universe.discord.call("POST", "/local/faults", body)
        assert status == 204, answer
