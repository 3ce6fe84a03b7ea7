"""What goes wrong: the process is killed, Discord refuses, delays, loses, limits; connections break; clocks jump;
people delete messages and close their direct messages."""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

from bot.ui.custom_ids import Verb
from tests.simulation import virtual
from tests.simulation.machine import Machine

if TYPE_CHECKING:
    from tests.simulation.universe import Universe

CORRECTED_SECONDS: Final = 5.0
"""How soon a clock that jumped shows Discord's time again: each response tells it."""
ROLL_SECONDS: Final = 2.0
"""How long a process that was started has until the next one is told to end."""
WRITTEN_SECONDS: Final = 1.0
"""How soon everything is written that waited for the database."""

log = logging.getLogger(__name__)


class Troubles:
    """What can go wrong in *universe*. A plan names these methods, and says what they are given. Each returns when it
    is over."""

    def __init__(self, universe: "Universe") -> None:
        self._universe = universe

    async def crash(self, down: float, process: int = 0) -> None:
        """The process is killed, and started again *down* seconds later."""
        machine = self._universe.machines[process]
        if machine.running:
            with self._shaken():
                machine.kill()
                await asyncio.sleep(down)
        machine.start()

    async def torn_commit(self, down: float, spared: int = 0, process: int = 0) -> None:
        """The process is killed in the middle of its next commit, *spared* not counted: half of that is on the disk."""
        machine, torn = self._universe.machines[process], asyncio.Event()

        def kill() -> None:
            machine.kill()
            torn.set()

        machine.tear(kill, spared)
        await torn.wait()
        with self._shaken():
            await asyncio.sleep(down)
        machine.start()

    async def refuse(self, status: int, code: int = 0, **match: Any) -> None:
        """Some of the bot's next requests are refused."""
        await self._fault(match, status=status, **({"code": code} if code else {}))

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
        self._universe.noted.deaf.append(virtual.now())
        await self._universe.discord.call("POST", "/local/faults", {"gateway": how})

    async def cut(self, seconds: float, process: int = 0) -> None:
        """Nothing gets through between the process and Discord."""
        machine, there, net = self._universe.machines[process], self._universe.there, self._universe.sim.net
        here = machine.host
        net.partition([here], [there])
        machine.cut_off = True
        began = virtual.now()
        try:
            with self._shaken():
                await asyncio.sleep(seconds)
        finally:
            self._universe.noted.downs.append((began, virtual.now()))
            self._universe.noted.held_up.append((began, virtual.now()))
            machine.cut_off = False
            if len(self._universe.machines) == 1:
                net.heal()
            else:
                net.unblock(here, there)
                net.unblock(there, here)

    async def clock(self, steady: float, wall: float, process: int = 0) -> None:
        """The clocks of the process's machine jump."""
        self._universe.noted.downs.append((virtual.now(), virtual.now() + CORRECTED_SECONDS))
        self._universe.machines[process].steady += steady
        self._universe.machines[process].wall += wall

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

    # Several processes

    async def freeze(self, process: int, seconds: float, writing: bool = False) -> None:
        """The process stands still for *seconds*, if *writing* in the middle of a change; its connections stay open."""
        machine = self._universe.member(process)
        if not machine.running or machine.frozen:
            return
        if writing:
            frozen = asyncio.Event()
            machine.freeze_in_a_commit(frozen)
            await frozen.wait()
        else:
            machine.freeze()
        here, began = machine.host, virtual.now()
        with self._shaken():
            await asyncio.sleep(seconds)
            if machine.host is here and machine.frozen:
                machine.thaw()
        self._universe.noted.held_up.append((began, virtual.now()))

    async def leave(self, process: int, down: float) -> None:
        """The process is told to end, hands everything over, and is started again *down* seconds after it has ended."""
        machine = self._universe.member(process)
        if not self._ready(machine) or machine.leaving:
            return
        others = [it for it in self._universe.machines if it is not machine and self._ready(it) and not it.leaving]
        with nullcontext() if others else self._shaken():
            await machine.leave()
            await asyncio.sleep(down)
            machine.start()

    @staticmethod
    def _ready(machine: Machine) -> bool:
        """Whether the process of *machine* can take over what another one has."""
        return machine.running and not machine.frozen and machine.bot is not None and machine.bot.is_ready()

    async def roll(self, down: float) -> None:
        """All processes are started anew, one after the other."""
        for process in range(len(self._universe.machines)):
            await self.leave(process, down)
            await asyncio.sleep(ROLL_SECONDS)

    async def away(self, seconds: float, how: str, process: int | None) -> None:
        """The database is not there, or does not answer, for one process (``None``: for all)."""
        server, noted = self._universe.shared, self._universe.noted
        assert server is not None
        name = None if process is None else self._universe.machines[process].name
        began = virtual.now()
        server.is_away(how, name)
        try:
            with self._shaken():
                await asyncio.sleep(seconds)
        finally:
            server.is_away("", name)
            noted.held_up.append((began, virtual.now() + WRITTEN_SECONDS))
            noted.downs.append((began, virtual.now() + WRITTEN_SECONDS))

    async def apart(self, process: int, other: int, way: str, seconds: float) -> None:
        """Nothing gets through between two processes, or nothing *way* ("there": from the one to the other, "back":
        the other way, "both")."""
        here, there = self._universe.machines[process].host, self._universe.machines[other].host
        net, began = self._universe.sim.net, virtual.now()
        if here is there:
            return
        ways = [(here, there)] * (way != "back") + [(there, here)] * (way != "there")
        for one, another in ways:
            net.block(one, another)
        try:
            with self._shaken():  # who waits for a lease finds out by itself
                await asyncio.sleep(seconds)
        finally:
            for one, another in ways:
                net.unblock(one, another)
            self._universe.noted.downs.append((began, virtual.now()))

    @contextmanager
    def _shaken(self) -> Iterator[None]:
        """Note that tables may have no home in the block, and a little after it."""
        span = [virtual.now(), float("inf")]
        self._universe.noted.shaken.append(span)
        try:
            yield
        finally:
            span[1] = virtual.now()

    async def _fault(self, match: dict[str, Any], **what: Any) -> None:
        """The next ``times`` of the bot's requests that *match* go wrong."""
        found = {"method": match["method"], "path": match["path"]}
        body = {"match": found, "times": match["times"], **what}
        status, answer = await self._universe.discord.call("POST", "/local/faults", body)
        assert status == 204, answer
