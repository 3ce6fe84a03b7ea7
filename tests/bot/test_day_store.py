"""The deal of the day in the store: one secret for each day, one attempt for each person, their results."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from bot.daily.choices import replay_daily_attempt
from bot.daily.days import day_end_ms, day_start_ms, next_day, previous_day
from bot.daily.results import DayResult, day_result
from bot.privacy import collect_personal_data, erase_from_store
from bot.store.counting import RecordCounter
from bot.store.daily import Board
from bot.store.store import Store
from bot.tables import leaving, lobby, start
from bot.tables.model import NO_SERVER, Ending, Player, Table, TableId
from bot.tables.preferences import Preferences
from engine.fair import commitment
from engine.record import ActionEntry
from engine.registry import GAMES
from engine.tallies import PLAYED
from engine.verify import verify
from tests.bot.processes import Process
from tests.bot.test_archive import Evening
from tests.bot.test_service import Clock
from tests.bot.upkeep import look_after
from tests.rows import SQLITE, count, query

DAILY = sorted(name for name, game in GAMES.items() if game.daily is not None)
every_game = pytest.mark.parametrize("game", DAILY)
GAME = DAILY[0]
DAY = "2026-11-28"
AT = day_start_ms(DAY) + 1
FINGERPRINT = "f" * 64
SERVER = 7
DAY_MS = 86_400_000


class Attempts:
    """People who play deals of the day at tables of a process."""

    def __init__(self, process: Process, game: str = GAME, day: str = DAY) -> None:
        self.process, self.game, self.day = process, game, day

    async def open(self, user: int, *, practice: bool = False) -> Table:
        """The lobby of *user* for the deal of the day."""
        secret = (await self.process.store.get_or_draw_day_secret(self.day, self.game, FINGERPRINT, AT)).secret
        table = await self.process.tables.open_table(
            guild=NO_SERVER, channel=1000 + user, game=self.game, host=Player(f"person {user}", user), locale="en"
        )
        return await self.process.tables.change(
            table.id, "test", user, lambda t: start.with_deal_of_day(t, self.day, secret, practice=practice)
        )

    async def claim(self, user: int, table: TableId, server: int = SERVER) -> TableId:
        return await self.process.store.claim_day_attempt(self.day, self.game, user, table, server, AT)

    async def begin(self, user: int, *, practice: bool = False) -> Evening:
        """*user* begins the deal of the day."""
        table = await self.open(user, practice=practice)
        if not practice:
            assert await self.claim(user, table.id) == table.id
        evening = Evening(self.process, table.id, seed=user)
        await evening.change(lambda t: start.start_daily_game(t, user, evening.now))
        return evening

    async def leave(self, user: int) -> None:
        """*user* begins, and leaves."""
        evening = await self.begin(user)
        await evening.change(lambda t: leaving.leave_game(t, user))


@pytest.fixture
async def other(store_url: str) -> AsyncIterator[Store]:
    """Another process's store on the same database."""
    store = await Store.open(store_url)
    yield store
    await store.close()


async def counted(process: Process) -> None:
    counting = RecordCounter(process.store, process.clock)
    await counting.finish()
    await counting.stop()


# Secrets


async def test_the_code_that_is_published_is_that_of_the_next_day(store: Store) -> None:
    today = await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT)
    tomorrow = await store.get_or_draw_day_secret(next_day(DAY), GAME, FINGERPRINT, day_end_ms(DAY))
    assert today.next_code == commitment(tomorrow.secret)
    assert (today.announced, tomorrow.announced) == (False, True), "nobody asked for the day before the first"
    assert await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT + 5) == today
    assert (
        len({today.secret, tomorrow.secret, (await store.get_or_draw_day_secret(DAY, "other", FINGERPRINT, AT)).secret})
        == 3
    )


async def test_processes_that_draw_at_once_get_the_same_secrets(store: Store, other: Store) -> None:
    asked = [one.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT) for one in (store, other) * 4]
    assert len(set(await asyncio.gather(*asked))) == 1


async def test_a_day_is_closed_if_its_computers_change(store: Store) -> None:
    await store.get_or_draw_day_secret(previous_day(DAY), GAME, "old", AT - DAY_MS)
    assert (await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT)).open, "they changed before anybody asked"
    assert not (await store.get_or_draw_day_secret(DAY, GAME, "new", AT)).open
    assert (await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT)).open
    assert (await store.get_or_draw_day_secret(next_day(DAY), GAME, "new", AT + DAY_MS)).open


@SQLITE
@pytest.mark.parametrize("damage", ["'x'", "''", "x'00'", "7"])
async def test_a_damaged_secret_is_drawn_anew(store: Store, store_url: str, damage: str) -> None:
    first = await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT)
    query(store_url, f"UPDATE daily_days SET secret = {damage}")
    again = await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT)
    assert len(again.secret) == 32
    assert again.secret != first.secret
    assert await store.get_or_draw_day_secret(DAY, GAME, FINGERPRINT, AT) == again


# One attempt


async def test_of_two_starts_at_once_one_counts(store: Store, other: Store, store_url: str) -> None:
    process = Process(store, Clock())
    await process.tables.start_tracking_uptime_and_outages()
    await process.tables.take_over_shards()
    tables = [await process.open(host, host=Player("host", host)) for host in range(10, 14)]
    claims = [
        one.claim_day_attempt(DAY, GAME, 100, table.id, 0, AT)
        for one, table in zip((store, other) * 2, tables, strict=True)
    ]
    held = set(await asyncio.gather(*claims))
    assert len(held) == 1
    assert held < {it.id for it in tables}
    assert count(store_url, "daily_attempts") == 1
    assert await other.claim_day_attempt(DAY, GAME, 101, tables[0].id, 0, AT) == tables[0].id, "somebody else"
    assert await other.claim_day_attempt(next_day(DAY), GAME, 100, tables[1].id, 0, AT) == tables[1].id, "another day"
    await process.tables.stop()


async def test_whoever_has_begun_goes_on_at_the_same_table(process: Process) -> None:
    attempts = Attempts(process)
    evening = await attempts.begin(100)
    elsewhere = await process.open(channel=5)
    assert await attempts.claim(100, elsewhere.id, server=8) == evening.id
    found = await process.store.load_day_attempt(DAY, GAME, 100)
    assert found is not None
    assert (found.table, found.guild, found.started_at, found.ended_at) == (evening.id, SERVER, AT, None)
    assert (found.result, found.rounds) == (None, None)
    await evening.change(lambda t: leaving.leave_game(t, 100))
    assert await attempts.claim(100, elsewhere.id) == evening.id, "there is no second attempt"


async def test_a_lobby_that_was_closed_was_no_attempt(process: Process, store_url: str) -> None:
    attempts = Attempts(process)
    first = await attempts.open(100)
    await attempts.claim(100, first.id)
    await process.tables.change(first.id, "test", 100, lambda t: lobby.cancel_table(t, 100, "person", False))
    assert await process.store.load_day_attempt(DAY, GAME, 100) is None
    second = await process.open(channel=6)
    assert await attempts.claim(100, second.id) == second.id
    query(store_url, f"DELETE FROM tables WHERE id = '{second.id}'")
    third = await process.open(channel=7)
    assert await attempts.claim(100, third.id) == third.id, "the second one is gone"


@SQLITE
async def test_a_table_in_quarantine_keeps_its_attempt(process: Process, store_url: str) -> None:
    attempts = Attempts(process)
    evening = await attempts.begin(100)
    query(store_url, "INSERT INTO set_aside (table_id, at, error) VALUES (?, 1, 'x')", evening.id)
    query(store_url, "UPDATE tables SET live_channel_id = NULL, due_at = NULL WHERE id = ?", evening.id)
    elsewhere = await process.open(channel=5)
    assert await attempts.claim(100, elsewhere.id) == evening.id


# Results


@every_game
async def test_an_attempt_leaves_result_rounds_choices_and_totals(process: Process, store_url: str, game: str) -> None:
    evening = await Attempts(process, game).begin(100)
    table = await evening.play()
    found = await process.store.load_day_attempt(DAY, game, 100)
    assert found is not None
    assert found.result == day_result(table)
    assert found.result.finished
    assert await process.store.day_results(DAY, game) == [found.result]
    assert (found.ended_at, found.rounds) == (table.changed_at, None)
    record = await evening.record()
    verify(record)
    await counted(process)
    replayed = replay_daily_attempt(record)
    after = await process.store.load_day_attempt(DAY, game, 100)
    assert after is not None
    assert after.rounds == replayed.rounds
    assert await process.store.choices_of_counted_attempts(DAY, game) == [replayed.choices]
    assert query(store_url, f"SELECT n FROM totals WHERE user_id = 100 AND what = '{PLAYED}'") == [(1,)]
    assert count(store_url, "rating_steps") == 0


@every_game
async def test_whoever_does_the_same_gets_the_same_answers(process: Process, game: str) -> None:
    played = []
    for user in (100, 101):
        evening = await Attempts(process, game).begin(user)
        evening.rng = Random(1)
        await evening.play()
        record = await evening.record()
        played.append([it.action for it in record.entries if isinstance(it, ActionEntry)])
    assert played[0] == played[1]
    await counted(process)
    first, second = await process.store.choices_of_counted_attempts(DAY, game)
    assert first == second
    assert len(set(await process.store.day_results(DAY, game))) == 1


async def test_practice_leaves_nothing_but_its_record(process: Process, store_url: str) -> None:
    await Attempts(process).leave(100)
    before = await process.store.load_day_attempt(DAY, GAME, 100)
    evening = await Attempts(process).begin(100, practice=True)
    table = await evening.play()
    await counted(process)
    assert table.ending is Ending.FINISHED
    assert count(store_url, "records") == 2
    after = await process.store.load_day_attempt(DAY, GAME, 100)
    assert before is not None
    assert after is not None
    assert after._replace(rounds=None) == before
    assert (await process.store.load_game_record(table.id)).counts is False  # type: ignore[union-attr]


async def test_who_leaves_has_a_result_without_a_place(process: Process) -> None:
    await Attempts(process).leave(100)
    assert await process.store.day_results(DAY, GAME) == [DayResult(None)]


async def test_a_game_begun_before_midnight_counts_for_its_day(process: Process) -> None:
    evening = await Attempts(process).begin(100)
    process.clock.turn(day_end_ms(DAY) - process.clock.now() if process.clock.now() < day_end_ms(DAY) else DAY_MS)
    await evening.change(lambda t: leaving.leave_game(t, 100))
    assert len(await process.store.day_results(DAY, GAME)) == 1
    assert await process.store.day_results(next_day(DAY), GAME) == []


async def test_days_played_are_those_of_one_person_and_game(process: Process) -> None:
    for day in (next_day(DAY), previous_day(DAY), DAY):
        await Attempts(process, day=day).leave(100)
    await Attempts(process).leave(101)
    assert await process.store.days_played(100, GAME) == [previous_day(DAY), DAY, next_day(DAY)]
    assert await process.store.days_played(100, "other") == []
    assert await process.store.days_played(102, GAME) == []


async def test_a_server_reads_of_those_who_would_be_on_its_leaderboard(process: Process) -> None:
    wanted = {
        100: Preferences(rated=True),
        101: Preferences(rated=True, hidden=True),
        102: Preferences(rated=False),
        103: None,
        104: Preferences(rated=True),
    }
    attempts = Attempts(process)
    for user, chosen in wanted.items():
        if chosen is not None:
            await process.store.save_preferences(user, chosen)
        await attempts.leave(user)
    running = await attempts.begin(105)
    await process.store.save_preferences(105, Preferences(rated=True))
    found = await process.store.day_results_in_server(SERVER, DAY, GAME)
    assert [(it.user, it.name, it.result) for it in found] == [
        (100, "person 100", DayResult(None)),
        (104, "person 104", DayResult(None)),
    ]
    assert await process.store.day_results_in_server(8, DAY, GAME) == []
    assert (await running.table()).live
    assert len(await process.store.day_results(DAY, GAME)) == 5


@SQLITE
@pytest.mark.parametrize(
    "damage",
    [
        "place = 'x'",
        "score = NULL",
        "score = '[1'",
        "score = '[\"a\"]'",
        "place = 0",
        "score = '{}'",
        "score = CAST(x'ff' AS TEXT)",
    ],
)
async def test_a_damaged_result_counts_as_none(process: Process, store_url: str, damage: str) -> None:
    await (await Attempts(process).begin(100)).play()
    await Attempts(process).leave(101)
    query(store_url, f"UPDATE daily_attempts SET {damage}, choices = x'00' WHERE user_id = 100")
    assert await process.store.day_results(DAY, GAME) == [DayResult(None)]
    assert await process.store.load_day_attempt(DAY, GAME, 100) is None
    assert await process.store.choices_of_counted_attempts(DAY, GAME) == []


# People, time, boards


async def test_whoever_is_erased_has_no_attempt_and_the_others_keep_theirs(process: Process, store_url: str) -> None:
    for user in (100, 101):
        await (await Attempts(process).begin(user)).play()
    await counted(process)
    kept = await process.store.load_day_attempt(DAY, GAME, 101)
    data = await collect_personal_data(process.store, 100, AT)
    assert data is not None
    (own,) = data.document["days"]
    assert (own["day"], own["game"], own["server"]) == (DAY, GAME, str(SERVER))
    assert own["choices"][0].keys() == {"moment", "chosen"}
    await process.tables.stop()
    await erase_from_store(process.store, 100, AT)
    assert await process.store.load_day_attempt(DAY, GAME, 100) is None
    assert await process.store.load_day_attempt(DAY, GAME, 101) == kept
    assert len(await process.store.day_results(DAY, GAME)) == 1
    assert count(store_url, "daily_attempts") == 1


async def test_whoever_is_erased_while_they_play_leaves_no_attempt(process: Process, store_url: str) -> None:
    evening = await Attempts(process).begin(100)
    await evening.play(2)
    await process.tables.stop()
    assert await erase_from_store(process.store, 100, AT) == 1
    assert count(store_url, "daily_attempts") == 0


async def test_days_are_kept_as_long_as_records(process: Process, store_url: str) -> None:
    await Attempts(process).leave(100)
    await process.store.save_day_board_message_ids(SERVER, DAY, Board(1, 2))
    process.clock.turn(day_end_ms(DAY) + 7 * DAY_MS - 1 - process.clock.now())
    await look_after(process.store, process.clock, days=7)
    assert [count(store_url, it) for it in ("daily_days", "daily_attempts", "daily_boards")] == [2, 1, 1]
    process.clock.turn(1)
    await look_after(process.store, process.clock)
    assert [count(store_url, it) for it in ("daily_days", "daily_attempts", "daily_boards")] == [2, 1, 0]
    await look_after(process.store, process.clock, days=7)
    assert [count(store_url, it) for it in ("daily_days", "daily_attempts")] == [1, 0]


async def test_a_server_has_one_board_a_day(store: Store) -> None:
    assert await store.load_day_board_message_ids(SERVER, DAY) is None
    await store.save_day_board_message_ids(SERVER, DAY, Board(1, 2))
    await store.save_day_board_message_ids(SERVER, DAY, Board(1, 3))
    await store.save_day_board_message_ids(8, DAY, Board(4, 5))
    assert await store.load_day_board_message_ids(SERVER, DAY) == Board(1, 3)
    assert await store.load_day_board_message_ids(8, DAY) == Board(4, 5)
    assert await store.load_day_board_message_ids(SERVER, next_day(DAY)) is None
