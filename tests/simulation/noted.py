"""What went wrong in a run, and when: the checks excuse what nobody could have done better."""

import asyncio
import logging

from local_discord.faults import Fault
from local_discord.server import Server
from tests.simulation import virtual
from tests.simulation.homes import ALL_SECONDS, Homes
from tests.simulation.machine import Machine

log = logging.getLogger(__name__)


class Noted:
    """What is noted of a run. All times are in virtual seconds."""

    def __init__(self) -> None:
        """Nothing has gone wrong yet."""
        self.downs: list[tuple[float, float]] = []
        """From when to when nothing could be answered: the bot was not there, or was cut off."""
        self.held_up: list[tuple[float, float]] = []
        """From when to when responses did not get through, or nothing could be recorded."""
        self.faulty: list[tuple[float, str]] = []
        """(when, path) of the requests with which something went wrong."""
        self.unheard: list[float] = []
        """When something was sent whose response was lost, so that nobody knows where it is."""
        self.doubtful: dict[str, float] = {}
        """When the response to the first response to an interaction was lost, by the interaction's token."""
        self.absent: list[tuple[float, float]] = []
        """From when to when the bot had no process."""
        self.shaken: list[list[float]] = []
        """From when to when (the last one: still) something went wrong after which tables may have no home."""
        self.deaf: list[float] = []
        """When Discord has ended the bot's sessions: each has to wait for its turn to begin anew."""
        self.deleted: list[tuple[float, int]] = []
        """(when, message) of those that somebody deleted."""

    async def downs_of(self, machine: Machine, server: Server) -> None:
        """Note from now on when the bot on *machine* is not connected."""
        while True:
            await asyncio.sleep(0.05)
            if not machine.running or not server.gateway.bot_connected:
                self.downs.append((virtual.now() - 0.05, virtual.now()))
            if not machine.running:
                self.absent.append((virtual.now() - 0.05, virtual.now()))

    async def homes_of(self, homes: Homes) -> None:
        """Note from now on which tables have no home, and when nobody could answer for that reason. Where processes
        only hand over to each other, everything has to be answered."""
        while True:
            await asyncio.sleep(0.05)
            homes.look()
            now = virtual.now()
            if not any(homes.well(it) for it in homes.members):
                self.shaken.append([now - 0.05, now])
            homes.note(0.05)
            ends = [(at, at) for machine in homes.members for at in machine.kills]
            ends += [(at, at) for at in self.deaf]
            shaken = any(begin <= now <= end + ALL_SECONDS for begin, end in (*self.shaken, *ends))
            if shaken and not (homes.all_at_home and homes.all_open):
                self.downs.append((now - 0.05, now))
            if not any(it.running for it in homes.members):
                self.absent.append((now - 0.05, now))

    def faults_of(self, server: Server) -> None:
        """Note from now on with which requests something goes wrong."""
        take = server.faults.take_fault

        def noting(method: str, path: str) -> Fault | None:
            fault = take(method, path)
            if fault is not None:
                self.faulty.append((virtual.now(), path))
                log.info("%s %s goes wrong: %s", method, path, _said(fault))
                self._note_unheard(fault, method, path)
            return fault

        server.faults.take_fault = noting  # type: ignore[method-assign]

    def _note_unheard(self, fault: Fault, method: str, path: str) -> None:
        """Note what was sent with a *fault* of its response. If that is the first response to an interaction, the bot
        can find what it has sent by the interaction's token: unless something goes wrong with that too."""
        now, token = virtual.now(), path.split("/")[3] if path.startswith(("/interactions/", "/webhooks/")) else ""
        if token in self.doubtful:
            self.unheard.append(self.doubtful[token])
        if fault.drop and method == "POST":
            if path.startswith("/interactions/"):
                self.doubtful.setdefault(token, now)
            else:
                self.unheard.append(now)


def _said(fault: Fault) -> str:
    """What *fault* does to a request."""
    if fault.drop:
        return "it has its effect, but the response is lost"
    return f"answered with {fault.status}" if fault.status else f"delayed by {fault.delay_ms} ms"
