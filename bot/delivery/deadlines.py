"""Discord's deadline: an interaction is answered within three seconds, or its person reads that it failed.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback
"""

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any, Final

import discord

from bot.clock import Clock, snowflake_time
from bot.delivery.courier import Courier, answered
from bot.delivery.faults import AnsweredBefore, Fault
from bot.log import fields
from bot.store.store import Handle

log = logging.getLogger(__name__)

ACKNOWLEDGED_MS: Final = 1800
"""An interaction that has not been answered at this age is acknowledged; its answer then goes by its token."""

GIVEN_UP_MS: Final = 3000
"""Discord takes no answer to an interaction of this age that was not acknowledged."""


class Deadlines:
    """Sees to it that every interaction is answered in time, or has no effect. *spawn* runs a coroutine in the
    background."""

    def __init__(self, clock: Clock, courier: Courier, spawn: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
        self._clock = clock
        self._courier = courier
        self._spawn = spawn
        self._open: dict[int, list[discord.Interaction[Any]]] = {}
        """Message -> clicks on it that may not have been answered yet."""

    def awaits(self, message: int) -> bool:
        """Whether somebody has clicked on *message* and has no answer yet: Discord takes none once it is deleted."""
        return any(not answered(click) for click in self._open.get(message, ()))

    def edits_yet(self, handle: Handle) -> bool:
        """Whether the token of *handle* can edit its message: that of a click on it cannot before the click is answered
        or acknowledged."""
        clicks = self._open.get(handle.message, ())
        return all(click.token != handle.token or answered(click) for click in clicks)

    async def in_time(self, interaction: discord.Interaction[Any], *, private: bool) -> bool:
        """Whether *interaction* may have an effect: its person will not read that it failed.

        One that arrives late is acknowledged first, and has an effect if Discord takes that; the answer to a command is
        then *private*. Events are late after the connection was lost, when Discord replays them, and after this process
        stood still. Or our clock is wrong; then it is Discord's answer that corrects it.
        """
        at = snowflake_time(interaction.id)
        self._clock.heard(at, math.inf, -math.inf, self._clock.reading())
        return self._clock.now() - at <= ACKNOWLEDGED_MS or await self._acknowledge(interaction, private)

    def watch(self, interaction: discord.Interaction[Any], *, private: bool) -> None:
        """Have *interaction* acknowledged when its deadline draws near; the answer to a command is then *private*."""
        made, message = snowflake_time(interaction.id), interaction.message
        if message is not None:
            self._open.setdefault(message.id, []).append(interaction)

        def check() -> None:
            if not answered(interaction):
                self._spawn(self._acknowledge(interaction, private))

        def forget() -> None:
            if message is not None and message.id in self._open:
                self._open[message.id].remove(interaction)
                if not self._open[message.id]:
                    del self._open[message.id]

        self._clock.call_at(made + ACKNOWLEDGED_MS, check)
        self._clock.call_at(made + GIVEN_UP_MS, forget)

    async def finish(self) -> None:
        """Acknowledge those clicks that have no answer yet: the program ends, and nobody else will."""
        clicks = [click for message in self._open.values() for click in message]
        left = [it for it in clicks if not answered(it)]
        await asyncio.gather(*(self._acknowledge(it, private=True) for it in left))

    async def _acknowledge(self, interaction: discord.Interaction[Any], private: bool) -> bool:
        """Acknowledge *interaction*; return whether Discord has taken that."""
        try:
            await self._courier.acknowledge(interaction, private=private)
        except AnsweredBefore:
            return False
        except Fault as fault:
            log.warning("not acknowledged in time", extra=fields(fault=type(fault).__name__))
            return False
        return True
