"""Channels that Discord says it does not know: whether they are deleted.

A game ends for good when its channel is deleted, so one answer is not enough: during an outage Discord says the same of
channels that are there (https://github.com/discord/discord-api-docs/issues/1304). The bot's own cache is looked at
first. If the channel is not in it, Discord is asked once more, a minute later. Mostly none of this is needed, as the
gateway tells of deleted channels.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot.background import Background
from bot.clock import Alarm, Clock
from bot.delivery.courier import Courier
from bot.delivery.faults import Fault, NoChannel
from bot.log import fields

log = logging.getLogger(__name__)

ASKED_AGAIN_MS: Final = 60_000
"""How long after the first answer Discord is asked once more."""


class MissingChannels:
    """Finds out whether a channel is deleted. ``is_there`` tells what the bot's cache knows: whether the channel is
    there, or may be, as its server has an outage. ``deleted`` is called with each that is deleted."""

    def __init__(
        self,
        courier: Courier,
        clock: Clock,
        is_there: Callable[[int], bool],
        deleted: Callable[[int], Coroutine[Any, Any, None]],
    ) -> None:
        self._courier = courier
        self._clock = clock
        self._is_there = is_there
        self._deleted = deleted
        self._alarms: dict[int, Alarm] = {}
        self._background = Background(log, "looking for a channel failed")

    async def suspect(self, channel: int) -> None:
        """Look into it that Discord says it does not know *channel*."""
        if channel in self._alarms or self._is_there(channel):
            return
        self._alarms[channel] = self._clock.call_at(self._clock.now() + ASKED_AGAIN_MS, lambda: self._ring(channel))

    def _ring(self, channel: int) -> None:
        """Ask again about *channel* in a task of its own."""
        del self._alarms[channel]
        self._background.spawn(self._ask_again(channel))

    async def _ask_again(self, channel: int) -> None:
        """Ask Discord whether *channel* is there. If it says no once more, the channel is deleted. If it does not say,
        nothing follows: the next refused message asks anew."""
        if self._is_there(channel):
            return
        try:
            await self._courier.look_at_channel(channel)
        except NoChannel:
            log.warning("channel deleted", extra=fields(channel=channel))
            await self._deleted(channel)
        except Fault as fault:
            log.info("channel not found out about", extra=fields(channel=channel, fault=type(fault).__name__))

    async def stop(self) -> None:
        """Ask nothing more, and wait for what has begun."""
        for alarm in self._alarms.values():
            alarm.cancel()
        await self._background.done()
