"""Every record is counted, once, whatever happens meanwhile: for totals, and for the ratings of those who want one."""

import asyncio
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.stats.ratings import START_RATING, Rating
from bot.store.counting import POLL_MS, RETRY_MS, RecordCounter
from bot.store.stats import NOT_RATED
from bot.store.store import Store
from bot.tables.model import Table, TableId
from bot.tables.preferences import DEFAULTS, Preferences
from engine.tallies import PLAYED, WON, totals_by_person
from tests.bot.logs import captured_log
from tests.bot.processes import Process
from tests.bot.test_archive import Evening
from tests.bot.test_locked_store import locked
from tests.bot.test_service import Clock
from tests.bot.upkeep import kept_of, look_after, record_of
from tests.games import CASES
from tests.rows import SQLITE, copy_rows, count, execute, query

GAME = sorted(CASES)[0]
RATED = Preferences(rated=True)
Totals = dict[tuple[int, str, str], int]


async def play(process: Process, game: str = GAME, *, rated: Collection[int] = (), seed: int = 1) -> Table:
    """A game of two people and a computer, to its end; those in *rated* want a rating."""
    evening = await Evening.begin(process, game)
    for user in rated:
        await process.store.save_preferences(user, RATED)
        await evening.change(lambda t, u=user: t.with_changed_player(t.seat_of(u), rated=True))
    evening.rng = Random(seed)
    return await evening.play()


async def counted(store: Store, clock: Any = None) -> None:
    """All that is over has been counted."""
    counting = RecordCounter(store, clock or Clock())
    await counting.finish()
    await counting.stop()


def totals(store_url: str) -> Totals:
    return {row[:3]: row[3] for row in query(store_url, "SELECT user_id, game, what, n FROM totals")}


async def expected(store: Store, *tables: TableId) -> Totals:
    """What the records of *tables* come to."""
    found: Counter[tuple[int, str, str]] = Counter()
    for table in tables:
        kept, done = await kept_of(store, table), totals_by_person(await record_of(store, table))
        for person in kept.people:
            found.update({(person.user, kept.game, what): n for what, n in done.get(person.id, {}).items()})
    return dict(found)


def copied(store_url: str, table: TableId, times: int) -> list[TableId]:
    """The record of *table* and so many others like it."""
    ids = [TableId(f"copy{number}") for number in range(times)]
    for name, column in (("tables", "id"), ("records", "table_id"), ("record_people", "table_id")):
        copy_rows(store_url, name, column, table, ids)
    return [table, *ids]


@pytest.mark.parametrize("game", sorted(CASES))
async def test_a_game_is_added_to_the_totals_of_its_people(process: Process, store_url: str, game: str) -> None:
    table = await play(process, game)
    await counted(process.store)
    found = totals(store_url)
    assert found == await expected(process.store, table.id)
    winners = {it.seat for it in table.rules.standings(table.state) if it.place == 1}
    for user in (100, 101):
        assert found[user, game, PLAYED] == 1
        assert found.get((user, game, WON), 0) == (table.seat_of(user) in winners)


async def test_two_who_count_at_the_same_time_count_once(process: Process, store_url: str) -> None:
    tables = copied(store_url, (await play(process)).id, 20)
    await asyncio.gather(*(counted(process.store) for _ in range(3)))
    assert totals(store_url) == await expected(process.store, *tables)
    assert count(store_url, "records WHERE counted_at IS NULL") == 0


async def test_whatever_ends_it_in_between_every_record_counts_once(process: Process, store_url: str) -> None:
    """It is ended at many moments, and goes on with the next start."""
    tables = copied(store_url, (await play(process, rated=(100, 101))).id, 30)
    for steps in range(1, 40):
        counting = RecordCounter(process.store, process.clock)
        counting.start_stats_update()
        for _ in range(steps):
            await asyncio.sleep(0)
        await counting.stop()
        await process.store._writer.finish()  # a transaction that has begun is still made
        done = [TableId(it[0]) for it in query(store_url, "SELECT table_id FROM records WHERE counted_at IS NOT NULL")]
        assert totals(store_url) == await expected(process.store, *done)
        assert count(store_url, "rating_steps") == 2 * len(done)
    await counted(process.store)
    assert totals(store_url) == await expected(process.store, *tables)
    assert query(store_url, "SELECT user_id, games FROM ratings ORDER BY user_id") == [(100, 31), (101, 31)]


async def test_of_several_processes_one_counts_what_the_others_leave(process: Process, store_url: str) -> None:
    counting, tables = RecordCounter(process.store, process.clock), []
    counting.start_periodic_stats_update()
    for _ in range(2):
        await process.clock.settle()
        tables.append((await play(process)).id)
        await process.clock.advance(POLL_MS)
        assert totals(store_url) == await expected(process.store, *tables)
    await counting.stop()


async def test_a_failure_in_the_middle_of_a_record_leaves_nothing_of_it(process: Process, store_url: str) -> None:
    table = await play(process)
    execute(store_url, "ALTER TABLE totals RENAME TO gone")
    with captured_log() as log:
        await counted(process.store)
    assert "records are not counted" in log.getvalue()
    assert count(store_url, "records WHERE counted_at IS NULL") == 1
    execute(store_url, "ALTER TABLE gone RENAME TO totals")
    await counted(process.store)
    assert totals(store_url) == await expected(process.store, table.id)


@SQLITE
async def test_while_the_database_is_locked_it_waits_and_tries_again(
    process: Process, store_url: str, tmp_path: Path
) -> None:
    table = await play(process)
    store = process.store
    store._writer._retry_seconds = 0.1
    counting = RecordCounter(store, process.clock)
    async with locked(tmp_path / "t.sqlite3"):
        await counting.finish()
    assert totals(store_url) == {}
    await process.clock.advance(RETRY_MS)
    await counting.finish()
    assert totals(store_url) == await expected(store, table.id)
    await counting.stop()


@pytest.mark.parametrize("damage", [b"", b"text", bytes(100), None], ids=["empty", "text", "zeros", "cut off"])
async def test_a_record_that_cannot_be_read_is_said_once_and_keeps_no_other_from_being_counted(
    process: Process, store_url: str, damage: bytes | None
) -> None:
    bad, good = (await play(process)).id, (await play(process)).id
    shorter = (await kept_of(process.store, bad)).data[:40]
    query(store_url, "UPDATE records SET data = ? WHERE table_id = ?", shorter if damage is None else damage, bad)
    with captured_log() as log:
        await counted(process.store)
        await counted(process.store)
    assert log.getvalue().count("a record cannot be counted") == 1
    assert totals(store_url) == await expected(process.store, good)
    assert count(store_url, "records WHERE counted_at IS NULL") == 0


async def test_who_was_erased_meanwhile_is_left_out(process: Process, store_url: str) -> None:
    await play(process, rated=(100, 101))
    execute(store_url, "DELETE FROM record_people WHERE user_id = 100")
    await counted(process.store)
    assert {user for user, _, _ in totals(store_url)} == {101}
    assert count(store_url, "ratings") == 0, "one alone is not rated"


async def test_no_record_is_deleted_before_it_is_counted(process: Process, store_url: str) -> None:
    table = await play(process)
    process.clock.turn(10 * 86_400_000)
    assert await process.store.delete_old_records(process.clock.now(), ()) == 0
    wanted = await expected(process.store, table.id)
    await look_after(process.store, process.clock, days=3)
    assert count(store_url, "records") == 0
    assert totals(store_url) == wanted


async def test_the_oldest_record_comes_first(process: Process, store_url: str) -> None:
    first, second, third = [(await play(process)).id for _ in range(3)]
    for number, table in enumerate((second, third, first), start=1):
        execute(store_url, f"UPDATE records SET ended_at = {number} WHERE table_id = '{table}'")
    for wanted in (second, third, first, None):
        assert (found := await process.store.next_record_not_in_stats()) == wanted
        assert found is None or await process.store.add_record_to_stats(found, None, NOT_RATED, 1)


# Ratings


async def test_a_rated_game_makes_ratings_and_says_what_it_has_made(process: Process, store_url: str) -> None:
    table = await play(process, rated=(100, 101), seed=3)
    standings = {table.players[it.seat].user: it.place for it in table.rules.standings(table.state)}
    kept = await kept_of(process.store, table.id)
    wanted = {
        user: 1 + sum(other < standings[user] for other in (standings[100], standings[101])) for user in (100, 101)
    }
    assert {it.user: it.place for it in kept.people} == wanted
    await counted(process.store)
    steps = query(store_url, "SELECT user_id, table_id, guild_id, game, at, place, mu, sigma FROM rating_steps")
    assert {it[0]: it[1:6] for it in steps} == {
        user: (table.id, 1, GAME, kept.ended_at, place) for user, place in wanted.items()
    }
    ahead = min(wanted, key=lambda user: wanted[user])
    found = (await process.store.load_profiles(ahead))[GAME]
    assert found.rating == Rating(*next(it[6:] for it in steps if it[0] == ahead), 1)
    assert (found.rating.mu > START_RATING.mu) is (wanted[201 - ahead] == 2)
    assert [it.mu for it in found.ratings] == [found.rating.mu]


async def test_nobody_is_rated_who_does_not_want_it_any_more_when_it_is_counted(
    process: Process, store_url: str
) -> None:
    await play(process, rated=(100, 101))
    await process.store.save_preferences(100, Preferences(rated=False))
    await counted(process.store)
    assert count(store_url, "ratings") == count(store_url, "rating_steps") == 0
    assert totals(store_url)


async def test_to_want_none_any_more_deletes_the_rating_and_all_its_steps(process: Process, store_url: str) -> None:
    for _ in range(2):
        await play(process, rated=(100, 101))
    await counted(process.store)
    await process.store.save_preferences(100, Preferences(rated=True, locale="de"))
    assert count(store_url, "ratings") == 2
    for none in (Preferences(rated=False), DEFAULTS):
        await process.store.save_preferences(100, none)
        assert query(store_url, "SELECT DISTINCT user_id FROM ratings") == [(101,)]
        assert query(store_url, "SELECT DISTINCT user_id, mu <> 0 FROM rating_steps ORDER BY 1") == [(0, 0), (101, 1)]
    assert (await process.store.load_profiles(100))[GAME].rating is None


@SQLITE
@pytest.mark.parametrize("damage", ["mu = 'x'", "mu = 9e999", "sigma = -1.0", "games = 'x'", "sigma = 0.0"])
async def test_a_rating_that_cannot_be_counts_as_none(process: Process, store_url: str, damage: str) -> None:
    await play(process, rated=(100, 101))
    await counted(process.store)
    execute(store_url, f"UPDATE ratings SET {damage} WHERE user_id = 100")
    assert (await process.store.load_profiles(100))[GAME].rating is None
    await play(process, rated=(100, 101))
    await counted(process.store)
    rating = (await process.store.load_profiles(100))[GAME].rating
    assert rating is not None
    assert rating.games == 1


async def test_who_is_hidden_is_nobodys_partner(process: Process, store_url: str) -> None:
    copied(store_url, (await play(process)).id, 3)
    await counted(process.store)
    await process.store.save_preferences(101, Preferences(hidden=True))
    assert (await process.store.load_profiles(100))[GAME].partners == []
    assert (await process.store.load_profiles(101))[GAME].partners != []
