"""Discord's deadline: an interaction is answered within three seconds, or its person reads that it failed.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback
"""

import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any, Final

import discord

from bot.clock import Clock, snowflake_time
from bot.delivery.courier import Courier
from bot.delivery.faults import Fault
from bot.log import fields

log = logging.getLogger(__name__)

DEADLINE_MS: Final = 3000
ACKNOWLEDGED_MS: Final = 1800
"""An interaction that has not been answered at this age is acknowledged; its answer then goes by its token."""
AT_LEAST_MS: Final = 200
"""How long an interaction has to be answered by itself, however late it has arrived."""


class Deadlines:
    """Sees to it that every interaction is answered in time, or has no effect. *spawn* runs a coroutine in the
    background."""

    def __init__(self, clock: Clock, courier: Courier, spawn: Callable[[Coroutine[Any, Any, None]], Any]) -> None:
        self._clock = clock
        self._courier = courier
        self._spawn = spawn

    def has_passed(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether it is too late for *interaction*: Discord has told its person that it failed, so it must have no
        effect. This happens after the connection was lost, when Discord replays events, and after this process stood
        still."""
        at = snowflake_time(interaction.id)
        self._clock.heard(at, math.inf, -math.inf, self._clock.reading())
        late = self._clock.now() - at > DEADLINE_MS
        if late:
            log.warning("interaction too old", extra=fields(age_ms=self._clock.now() - at))
        return late

    def watch(self, interaction: discord.Interaction[Any], *, private: bool) -> None:
        """Have *interaction* acknowledged when its deadline draws near; the answer to a command is then *private*."""
        due = max(snowflake_time(interaction.id) + ACKNOWLEDGED_MS, self._clock.now() + AT_LEAST_MS)

        def check() -> None:
            if not interaction.response.is_done():
                self._spawn(self._acknowledge(interaction, private))

        self._clock.call_at(due, check)

    async def _acknowledge(self, interaction: discord.Interaction[Any], private: bool) -> None:
        """Acknowledge *interaction*; if Discord does not take that, it is only logged."""
        try:
            await self._courier.acknowledge(interaction, private=private)
        except Fault as fault:
            log.warning("not acknowledged in time", extra=fields(fault=type(fault).__name__))
