"""Daily work on the store beside the games: counting records, deleting what is too old, giving back disk space.

Everything is done in slices, each a short transaction or two. After each slice the task pauses for as long as the slice
took: so a move waits for one slice at most, and the games have most of the machine. If the process ends before the work
is done, the next start continues it.
"""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Final, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.daily.days import utc_day
from bot.log import fields
from bot.store.counting import RecordCounter
from bot.store.database import Damaged, error_reason
from bot.store.records import DAY_MS, LEFTOVERS_MS
from bot.store.store import Store
from bot.tables.model import TableId

log = logging.getLogger(__name__)

T = TypeVar("T")

_BEFORE_FIRST_ID: Final = TableId("")
"""Before every id."""


class StoreMaintenance:
    """Once a day: counts records, deletes old records, bans and tables, and gives disk space back.

    Records are kept for *days* (0: for ever). *counting* counts them first.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        days: int,
        counting: RecordCounter,
    ) -> None:
        self._store = store
        self._clock = clock
        self._days = days
        self._counting = counting
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the daily work in a background task now, and set the alarm to start it again in 24 hours."""
        self._task = asyncio.get_running_loop().create_task(self._do_all_work(), name="upkeep of the store")
        self._alarm = self._clock.call_at(self._clock.now() + DAY_MS, self._start_next_day)

    async def stop(self) -> None:
        """Stop the daily work and the counting of records for good; a transaction that has begun is still committed."""
        await self.pause()
        await self._counting.stop()

    async def pause(self) -> None:
        """Stop the daily work until the next ``start``, because another process does it now; the counting of records
        goes on.
        """
        if self._alarm is not None:
            self._alarm.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _start_next_day(self) -> None:
        """Start the daily work again and set its next alarm; if yesterday's work still runs, only set the alarm."""
        if self._task is not None and self._task.done():
            self.start()
        else:
            self._alarm = self._clock.call_at(self._clock.now() + DAY_MS, self._start_next_day)

    async def _do_all_work(self) -> None:
        """Count records, delete old records, bans, tables and days, and free disk space; if anything fails, log that
        and stop until tomorrow.
        """
        try:
            await self._counting.finish()
            await self._delete_old_records()
            await self._delete_old_records_of_servers()
            await self._run_slice(self._store.delete_expired_bans(self._clock.now()))
            await self._delete_tables_without_record()
            await self._delete_old_day_rows()
            while await self._run_slice(self._store.release_free_pages()):
                pass
        except (SQLAlchemyError, OSError, Damaged) as error:
            log.warning("the upkeep of the database stops until tomorrow: %s", error_reason(error))
        except Exception:  # the boundary of the upkeep: the games go on without it
            log.exception("the upkeep of the database stops until tomorrow")

    async def _run_slice(self, work: Awaitable[T]) -> T:
        """Wait for *work*, a short piece of the daily work, sleep for as long as it took, so that games come first, and
        return its result.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        done = await work
        await asyncio.sleep(loop.time() - began)
        return done

    async def _delete_old_records(self) -> None:
        """Delete all records older than the setting ``RECORDS_DAYS``, and log how many; none if that is 0."""
        count, before = 0, self._clock.now() - self._days * DAY_MS
        needed = await self._store.tables_with_unfinished_rematch() if self._days else ()
        while self._days and (gone := await self._run_slice(self._store.delete_old_records(before, needed))):
            count += gone
        if count:
            log.info("records deleted: they are older than RECORDS_DAYS", extra=fields(records=count))

    async def _delete_old_records_of_servers(self) -> None:
        """Delete all records that are older than the number of days that their server has chosen, and log how many."""
        count, needed = 0, await self._store.tables_with_unfinished_rematch()
        for guild, days in (await self._store.record_retention_days_by_guild()).items():
            before = self._clock.now() - days * DAY_MS
            while gone := await self._run_slice(self._store.delete_old_records(before, needed, guild)):
                count += gone
        if count:
            log.info("records deleted: they are older than their servers want", extra=fields(records=count))

    async def _delete_tables_without_record(self) -> None:
        """Delete all finished tables without a record that have not changed for a week and whose rematch is not
        live.
        """
        last: TableId | None = _BEFORE_FIRST_ID
        before, needed = self._clock.now() - LEFTOVERS_MS, await self._store.tables_with_unfinished_rematch()
        while last is not None:
            last = await self._run_slice(self._store.delete_tables_without_record(last, before, needed))

    async def _delete_old_day_rows(self) -> None:
        """Delete old rows of the deal of the day: secrets and attempts older than ``RECORDS_DAYS`` (0: none), and
        records of messages with results older than a week.
        """
        now = self._clock.now()
        await self._run_slice(self._store.delete_old_day_board_message_ids(utc_day(now - LEFTOVERS_MS)))
        if not self._days:
            return
        if count := await self._run_slice(self._store.delete_old_days(utc_day(now - self._days * DAY_MS))):
            log.info("deals of the day deleted: they are older than RECORDS_DAYS", extra=fields(rows=count))
