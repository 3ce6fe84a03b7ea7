"""Reopens and archives threads with tables, and finds out whether a channel is deleted.

A live table's thread is reopened when it is archived: people's clients cannot click in an archived thread
(https://github.com/discord/discord-api-docs/issues/8474), and neither clicks nor edits keep it open. A thread that was
made for a table is archived some time after the game is over, unless another table is there.

Discord archives threads by itself after a week without a message, so nothing is lost if this process ends meanwhile.
"""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from bot.background import Background
from bot.clock import Alarm, Clock
from bot.delivery.discord_api import DiscordApi
from bot.delivery.errors import Busy, Fault, NoChannel
from bot.log import fields
from bot.tables.model import Table, TableId

log = logging.getLogger(__name__)

ARCHIVE_AFTER_MS: Final = 600_000
"""How long people can talk about a finished game, and open a rematch, before the thread is archived."""


REOPEN_PERIOD_MS: Final = 3_600_000
MAX_REOPENED: Final = 3
"""How often a thread is reopened in an hour at most."""


class TableThreads:
    """Reopens archived threads with a live table, and archives the threads of finished tables after ten minutes.

    *live_in* finds the live table in a channel, whichever process serves it.
    """

    def __init__(self, api: DiscordApi, clock: Clock, live_in: Callable[[int], Awaitable[TableId | None]]) -> None:
        self._api = api
        self._clock = clock
        self._live_in = live_in
        self._alarms: dict[int, Alarm] = {}
        self._reopened: dict[int, list[int]] = {}
        """Thread -> when it was reopened lately, ms."""
        self._background = Background(log, "a thread could not be looked after")

    def reopen(self, thread: int) -> None:
        """Reopen (unarchive) *thread* in the background if a live table is in it; at most three times an hour.

        A moderator who archives it again and again is right in the end.
        """
        now = self._clock.now()
        lately = [at for at in self._reopened.get(thread, ()) if now - at < REOPEN_PERIOD_MS]
        if len(lately) < MAX_REOPENED:
            self._reopened = {one: at for one, at in self._reopened.items() if now - at[-1] < REOPEN_PERIOD_MS}
            self._reopened[thread] = [*lately, now]
            self._background.spawn(self._reopen(thread))

    async def _reopen(self, thread: int) -> None:
        """Reopen (unarchive) *thread* if a live table is in it; a failure is only logged, as the table's next message
        reopens it."""
        try:
            if await self._live_in(thread) is not None:
                await self._api.unarchive(thread)
        except (Fault, SQLAlchemyError, OSError) as fault:
            log.warning("thread not reopened", extra=fields(channel=thread, fault=type(fault).__name__))

    def archive_later(self, table: Table) -> None:
        """Archive the thread of the finished *table* in ten minutes, unless another live table is there; do nothing if
        it was not made for *table*."""
        if not table.own_thread:
            return
        if (earlier := self._alarms.pop(table.channel, None)) is not None:
            earlier.cancel()
        self._schedule_archiving(table.channel)

    def _schedule_archiving(self, thread: int) -> None:
        """Set an alarm that archives *thread* in ten minutes."""
        self._alarms[thread] = self._clock.call_at(
            self._clock.now() + ARCHIVE_AFTER_MS, lambda: self._start_archiving(thread)
        )

    def _start_archiving(self, thread: int) -> None:
        """Start a task that archives *thread*, unless a live table is in it."""
        del self._alarms[thread]
        self._background.spawn(self._try_to_archive(thread))

    async def _try_to_archive(self, thread: int) -> None:
        """Archive *thread*, unless a live table is in it; if Discord or the store does not answer, try again in ten
        minutes; a refusal is only logged."""
        try:
            if await self._live_in(thread) is None:
                await self._api.archive(thread)
        except (Fault, SQLAlchemyError, OSError) as fault:
            log.info("thread not archived", extra=fields(channel=thread, fault=type(fault).__name__))
            if not isinstance(fault, Fault) or isinstance(fault, Busy):
                self._schedule_archiving(thread)

    async def stop(self) -> None:
        """Cancel all planned archiving, and wait for requests that have begun."""
        for alarm in self._alarms.values():
            alarm.cancel()
        await self._background.wait_until_done()


# Channels that Discord says it does not know: they may be deleted.
#
# A game ends for good when its channel is deleted, so one answer is not enough: during an outage Discord says the
# same of channels that are there (https://github.com/discord/discord-api-docs/issues/1304). A minute later the bot's
# own cache is looked at, and if the channel is not in it, Discord is asked once more. Mostly none of this is needed, as
# the gateway tells of deleted channels.


SECOND_CHECK_MS: Final = 60_000
"""How long after the first answer Discord is asked once more."""


class MissingChannels:
    """Finds out whether channels that Discord does not know are really deleted, by asking once more a minute later.

    ``is_there`` says what the bot's cache knows: whether the channel is there, or may be, as its server has an outage.
    ``deleted`` is called with each channel that is deleted.
    """

    def __init__(
        self,
        api: DiscordApi,
        clock: Clock,
        is_there: Callable[[int], bool],
        deleted: Callable[[int], Coroutine[Any, Any, None]],
    ) -> None:
        self._api = api
        self._clock = clock
        self._is_there = is_there
        self._deleted = deleted
        self._alarms: dict[int, Alarm] = {}
        self._background = Background(log, "looking for a channel failed")

    async def check_later(self, channel: int) -> None:
        """Ask Discord in a minute whether *channel* exists, unless the bot's cache may have it then, and report it as
        deleted if not."""
        if channel in self._alarms:
            return
        self._alarms[channel] = self._clock.call_at(
            self._clock.now() + SECOND_CHECK_MS, lambda: self._start_check(channel)
        )

    def _start_check(self, channel: int) -> None:
        """Start a task that asks Discord whether *channel* exists."""
        del self._alarms[channel]
        self._background.spawn(self._report_channel_if_deleted(channel))

    async def _report_channel_if_deleted(self, channel: int) -> None:
        """Ask Discord whether *channel* exists, and call ``deleted`` with it if not; if Discord does not say, do
        nothing.

        The next refused message asks anew.
        """
        if self._is_there(channel):
            return
        try:
            await self._api.check_channel_exists(channel)
        except NoChannel:
            log.warning("channel deleted", extra=fields(channel=channel))
            await self._deleted(channel)
        except Fault as fault:
            log.info("channel not found out about", extra=fields(channel=channel, fault=type(fault).__name__))

    async def stop(self) -> None:
        """Cancel all planned checks, and wait for those that have begun."""
        for alarm in self._alarms.values():
            alarm.cancel()
        await self._background.wait_until_done()
