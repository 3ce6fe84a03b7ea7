"""Adds every record to totals and ratings, once, beside the games, the oldest first.

Records are counted one at a time; after each the task pauses for as long as that one took. A record is replayed in a
thread, and rated in one; then one short transaction marks it as counted and adds the result. So every record counts
once, whenever the process ends, and however many processes count.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.daily.choices import replay_daily_attempt
from bot.daily.days import day_of_deal, deal_time_ms
from bot.log import fields
from bot.stats.ratings import computer_opponents, new_ratings
from bot.store.database import Damaged, error_reason
from bot.store.records import StoredRecord
from bot.store.stats import NOT_RATED, CountedRecord, RatingChanges
from bot.store.store import Store
from bot.tables.contest import MIN_CONTESTANTS
from bot.tables.model import TableId
from engine import record
from engine.errors import BadRecord
from engine.registry import GAMES
from engine.tallies import totals_by_person

log = logging.getLogger(__name__)

RETRY_MS: Final = 60_000
"""The wait after a failure of the database before the next attempt."""
POLL_MS: Final = 2_000
"""How often to check whether other processes have left something to count."""


class RecordCounter:
    """Adds records of finished games to totals and ratings in the background, once ``start_stats_update`` is called.

    Call ``start_stats_update`` again when there may be more.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._more = False
        """Whether there may be more than the task has seen."""
        self._alarm: Alarm | None = None
        self._look: Alarm | None = None
        self._stopped = False

    def start_stats_update(self) -> None:
        """Start a background task that counts all uncounted records; if one runs, it looks for more before it ends; do
        nothing after ``stop``.
        """
        self._more = True
        if not self._stopped and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(
                self._add_all_records_to_stats(), name="counting of records"
            )

    def start_periodic_stats_update(self) -> None:
        """Start counting now and again every two seconds, to count also records that other processes have written."""
        self.start_stats_update()
        self._look = self._clock.call_at(self._clock.now() + POLL_MS, self.start_periodic_stats_update)

    async def pause(self) -> None:
        """Stop counting until the next ``start_stats_update`` or ``start_periodic_stats_update``; a transaction that
        has begun is still committed.
        """
        for alarm in (self._alarm, self._look):
            if alarm is not None:
                alarm.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def finish(self) -> None:
        """Start counting unless it runs, and wait until no record is left to count, or counting fails (that is logged,
        not raised).
        """
        self.start_stats_update()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def stop(self) -> None:
        """Stop counting for good; a transaction that has begun is still committed."""
        self._stopped = True
        await self.pause()

    async def _add_all_records_to_stats(self) -> None:
        """Count records one by one until none is left, with a pause after each as long as it took; if the database
        fails, log that and try again in a minute.
        """
        loop = asyncio.get_running_loop()
        try:
            while self._more:
                self._more = False
                while (table := await self._store.next_record_not_in_stats()) is not None:
                    began = loop.time()
                    await self._replay_and_add_to_stats(table)
                    await asyncio.sleep(loop.time() - began)
        except (SQLAlchemyError, OSError, Damaged) as error:
            log.warning("records are not counted, trying again later: %s", error_reason(error))
            self._alarm = self._clock.call_at(self._clock.now() + RETRY_MS, self.start_stats_update)

    async def _replay_and_add_to_stats(self, table: TableId) -> None:
        """Replay and rate the record of *table*, and add it to totals and ratings; log one that cannot be read, and
        mark it as counted with nothing added.
        """
        settled = False
        while not settled:  # until nobody else has changed a rating meanwhile
            found, rated = None, NOT_RATED
            try:
                kept = await self._store.load_game_record(table)
                if kept is not None:
                    found = await asyncio.to_thread(evaluate_record, kept)
                    rated = await self._compute_ratings_after_game(found)
            except (BadRecord, Damaged) as error:
                log.error("a record cannot be counted: %s", error, extra=fields(table=table))
            except (SQLAlchemyError, OSError):
                raise
            except Exception:  # the boundary of the counting: a bug in one game must not stop it for all others
                log.exception("a record cannot be counted", extra=fields(table=table))
                found = None
            settled = await self._store.add_record_to_stats(table, found, rated, self._clock.now())

    async def _compute_ratings_after_game(self, facts: CountedRecord) -> RatingChanges:
        """Compute new ratings for the people of the game in *facts* who want one; without new ratings if fewer than two
        players are compared.
        """
        kept = facts.kept
        met = await self._store.rated_players(kept.table)
        known = facts.computers if len(met) == 1 else ()
        between = (*met, *known)
        if len(between) < MIN_CONTESTANTS:
            return RatingChanges(met, {})
        earlier = {it.user: await self._store.earlier_meetings(it.user, kept.game) for it in met}
        made = partial(
            new_ratings, began=facts.began, ended=kept.ended_at, usual_minutes=facts.usual_minutes, luck=facts.luck
        )
        return RatingChanges(met, await asyncio.to_thread(made, between, earlier.__getitem__), known)


def evaluate_record(kept: StoredRecord) -> CountedRecord:
    """Replay the stored record *kept*, and return its totals and all facts for rating it; raise BadRecord if it cannot
    be read or replayed. Pure.

    Of an attempt at a day's deal also its rounds and choices.

    Raises:
        BadRecord: it cannot be read, or not replayed.
    """
    found = record.decompress_record(kept.data)
    done: Mapping[str, Mapping[str, int]] = totals_by_person(found)
    game, seats, options = GAMES[kept.game], len(found.deal.seats), found.deal.options
    known = [
        it for one in kept.people if one.place is not None for it in computer_opponents(found, game, one.id, one.place)
    ]
    began = min(deal_time_ms(found), kept.ended_at)
    luck = 1.0 if game.ladder is None else game.ladder.luck(seats, options)
    attempt = replay_daily_attempt(found) if day_of_deal(found.deal) is not None else None
    return CountedRecord(kept, began, game.usual_minutes(seats, options), luck, known, done, attempt)
