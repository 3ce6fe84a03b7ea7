"""Adds every record to totals and ratings, once, beside the games: one at a time, the oldest first, and between two of
them nothing is done for as long as the first one took.

A record is played anew in a thread, and rated in one; then one short transaction marks it as counted and adds what was
found. So whatever ends the process, and however many processes count, every record counts once.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock, snowflake_time
from bot.log import fields
from bot.stats.ratings import computers, rate
from bot.store.database import Damaged, reason
from bot.store.records import Kept
from bot.store.stats import NOBODY, Counted, Rated
from bot.store.store import Store
from bot.tables.contest import FEWEST
from bot.tables.model import TableId
from engine import record
from engine.errors import BadRecord
from engine.registry import GAMES
from engine.tallies import count_totals

log = logging.getLogger(__name__)

AGAIN_MS: Final = 60_000
"""After a failure of the database the next attempt is made so much later."""
LOOK_MS: Final = 2_000
"""How often it is looked whether other processes have left something to count."""


class Counting:
    """Counts the records in *store* from ``wake`` on, until none is left; call that again when there may be more."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._more = False
        """Whether there may be more than the task has seen."""
        self._alarm: Alarm | None = None
        self._look: Alarm | None = None
        self._stopped = False

    def wake(self) -> None:
        """Count what there is, in the background."""
        self._more = True
        if not self._stopped and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._run(), name="counting of records")

    def watch(self) -> None:
        """Count what games of other processes leave as well, from now on."""
        self.wake()
        self._look = self._clock.call_at(self._clock.now() + LOOK_MS, self.watch)

    async def pause(self) -> None:
        """Count nothing until the next ``wake`` or ``watch``; a transaction that has begun is still made."""
        for alarm in (self._alarm, self._look):
            if alarm is not None:
                alarm.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def finish(self) -> None:
        """Count all there is."""
        self.wake()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def stop(self) -> None:
        """End; a transaction that has begun is still made."""
        self._stopped = True
        await self.pause()

    async def _run(self) -> None:
        """Count records until none is left."""
        loop = asyncio.get_running_loop()
        try:
            while self._more:
                self._more = False
                while (table := await self._store.next_uncounted()) is not None:
                    began = loop.time()
                    await self._count(table)
                    await asyncio.sleep(loop.time() - began)
        except (SQLAlchemyError, OSError, Damaged) as error:
            log.warning("records are not counted, trying again later: %s", reason(error))
            self._alarm = self._clock.call_at(self._clock.now() + AGAIN_MS, self.wake)

    async def _count(self, table: TableId) -> None:
        """Count the record of *table*. One that cannot be read is logged, and counts as counted."""
        settled = False
        while not settled:  # until nobody else has changed a rating meanwhile
            found, rated = None, NOBODY
            try:
                kept = await self._store.record(table)
                if kept is not None:
                    found = await asyncio.to_thread(counted, kept)
                    rated = await self._rated(found)
            except (BadRecord, Damaged) as error:
                log.error("a record cannot be counted: %s", error, extra=fields(table=table))
            except (SQLAlchemyError, OSError):
                raise
            except Exception:  # the boundary of the counting: a bug in one game must not stop it for all others
                log.exception("a record cannot be counted", extra=fields(table=table))
                found = None
            settled = await self._store.count(table, found, rated, self._clock.now())

    async def _rated(self, found: Counted) -> Rated:
        """What the game that was *found* makes of the ratings of its people. Every question to the database is a short
        one of its own."""
        kept = found.kept
        met = await self._store.met(kept.table)
        known = found.computers if len(met) == 1 else ()
        between = (*met, *known)
        if len(between) < FEWEST:
            return Rated(met, {})
        earlier = {it.user: await self._store.meetings(it.user, kept.game) for it in met}
        made = partial(rate, began=found.began, at=kept.ended_at, usual_minutes=found.usual_minutes, luck=found.luck)
        return Rated(met, await asyncio.to_thread(made, between, earlier.__getitem__), known)


def counted(kept: Kept) -> Counted:
    """What there is to be added of the record *kept*. Pure.

    Raises:
        BadRecord: it cannot be read, or not played anew.
    """
    found = record.unpack(kept.data)
    done: Mapping[str, Mapping[str, int]] = count_totals(found)
    game, seats, options = GAMES[kept.game], len(found.deal.seats), found.deal.options
    known = [it for one in kept.people if one.place is not None for it in computers(found, game, one.id, one.place)]
    began = min(snowflake_time(found.message), kept.ended_at)
    luck = 1.0 if game.ladder is None else game.ladder.luck(seats, options)
    return Counted(kept, began, game.usual_minutes(seats, options), luck, known, done)
