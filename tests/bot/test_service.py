"""The tables of a process over time: timers that fail, connections that are lost, clicks on tables that are over."""

import asyncio
import gc
import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import Connection

from bot.store.store import Store
from bot.tables.errors import Refusal, Why
from bot.tables.leaving import close_table
from bot.tables.live import Alarms
from bot.tables.model import Ending, Phase, Table, TableId
from bot.tables.options import Options
from bot.tables.outages import Outage
from bot.tables.play import ClickEffect
from bot.tables.service import Tables
from tests.bot.logs import captured_log
from tests.bot.tables import NORMAL, on_turn, opened, resume, started
from tests.clocks import SteppedClock
from tests.games import CASES

GAME = sorted(CASES)[0]
WHAT = {"what": "test", "by": 1}
HOUR = 3_600_000


class Clock(SteppedClock):
    """A stepped clock that waits until everything that an alarm has started is done, and that may be ahead."""

    def __init__(self) -> None:
        super().__init__()
        self._was_ahead = lambda: None

    def set_backward_step_callback(self, callback: Callable[[], None]) -> None:
        self._was_ahead = callback

    def turn(self, ms: int) -> None:
        """It is *ms* later at once, and no alarm has rung yet; or, if negative, it was that far ahead all the time."""
        self._own += ms
        if ms < 0:
            self._was_ahead()

    async def settle(self) -> None:
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)


def at(table: Table, now: int) -> Table:
    """*table*, just dealt at the time *now*."""
    return table._replace(created_at=now, changed_at=now, turn_began=now, beat_ends=now)


async def serving(store: Store, options: Options = NORMAL) -> tuple[Clock, Table, Tables]:
    """A table in *store* that was just dealt, with *options*, and what serves it."""
    clock = Clock()
    table = at(started(GAME, options), clock.now())
    await store.create_table(table, WHAT, clock.now())
    tables = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    return clock, table, tables


async def refuse(store: Store, refused: bool) -> None:
    """From now on the database refuses every new version of a table, or takes them again."""

    def work(connection: Connection) -> None:
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS refuse{'' if sqlite else ' ON tables'}")
        if not refused:
            return
        how = "BEGIN SELECT RAISE(ABORT, 'no'); END"
        if not sqlite:
            function = "CREATE OR REPLACE FUNCTION no() RETURNS trigger LANGUAGE plpgsql"
            connection.exec_driver_sql(f"{function} AS $$ BEGIN RAISE EXCEPTION 'no'; END $$")
            how = "FOR EACH ROW EXECUTE FUNCTION no()"
        connection.exec_driver_sql(f"CREATE TRIGGER refuse BEFORE UPDATE OF version ON tables {how}")

    await store._database.write(work)


# Timers that fail


async def test_a_timer_that_fails_is_tried_again_ever_later_and_hardly_fills_the_log(store: Store) -> None:
    """A traceback for the first failure, and one an hour; a line for each other one, and for the recovery."""
    clock, table, tables = await serving(store)
    await refuse(store, True)
    with captured_log() as log:
        await clock.advance(2 * HOUR)
        said = log.getvalue()
        assert said.count("Traceback") <= 3, "one error, with those it came from"
        waits = [int(wait) for wait in re.findall(r"timer failed .*again_in_s=(\d+)", said)]
        assert waits[:7] == [5, 10, 20, 40, 80, 160, 300]
        assert set(waits[7:]) == {300}
        assert len(said) < 20_000
        await refuse(store, False)
        await clock.advance(301_000)
    assert log.getvalue().count("timer works again") == 1
    assert (await tables.get(table.id)).version > 1
    await tables.stop()


async def test_after_a_recovery_the_next_failure_is_a_first_one(store: Store) -> None:
    clock, _, tables = await serving(store)
    for _ in range(2):
        await refuse(store, True)
        with captured_log() as log:
            await clock.advance(200_000)
            await refuse(store, False)
            await clock.advance(200_000)
        assert "again_in_s=5" in log.getvalue()
    await tables.stop()


async def test_a_click_that_works_meanwhile_brings_the_timers_back_at_once(store: Store) -> None:
    clock, table, tables = await serving(store)
    await refuse(store, True)
    await clock.advance(HOUR)
    await refuse(store, False)
    await tables.change(table.id, "test", 100, lambda t: t._replace(host=101))
    before = (await tables.get(table.id)).version
    await clock.advance(10)
    assert (await tables.get(table.id)).version > before
    await tables.stop()


async def test_an_alarm_that_rings_too_early_rings_again_in_time(store: Store) -> None:
    clock, table, tables = await serving(store)
    tables._alarms.set_alarm_in_five_seconds(table.id)  # in 5 s, long before the reminder
    await clock.advance(300_000)
    assert (await tables.get(table.id)).state != table.state
    await tables.stop()


async def test_pulses_that_fail_hardly_fill_the_log(store: Store) -> None:
    clock = Clock()
    tables = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    await store._database.write(lambda connection: connection.exec_driver_sql("ALTER TABLE pulse RENAME TO hidden"))
    with captured_log() as log:
        await clock.advance(2 * HOUR)
        assert log.getvalue().count("Traceback") <= 3
        assert len(log.getvalue()) < 20_000
        await store._database.write(lambda connection: connection.exec_driver_sql("ALTER TABLE hidden RENAME TO pulse"))
        await clock.advance(20_000)
    assert log.getvalue().count("pulse again") == 1
    await tables.stop()


async def test_it_ends_cleanly_when_the_last_pulse_cannot_be_recorded(store: Store) -> None:
    tables = Tables(store, Clock(), lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    await store._database.write(lambda connection: connection.exec_driver_sql("DROP TABLE pulse"))
    with captured_log() as log:
        await tables.stop()
    assert "no pulse" in log.getvalue()


# The connection to Discord


async def test_an_outage_counts_against_nobody_also_beside_a_change_in_flight_l1(store: Store) -> None:
    clock, table, tables = await serving(store, Options(turn_seconds=3600))
    await clock.advance(100_000)
    change = asyncio.create_task(tables.change(table.id, "test", 100, lambda t: t._replace(host=101)))
    await asyncio.sleep(0)
    assert not change.done()
    tables.add_outage(Outage(clock.now() - 60_000, clock.now()))  # while the change is being committed
    await change
    after = await tables.get(table.id)
    assert (after.host, after.turn_credit) == (101, 60_000)
    await tables.stop()


# Tables that are over


@pytest.mark.parametrize("waits", [300, 900], ids=["briefly", "stored"])
@pytest.mark.parametrize("replaced", [True, False])
async def test_a_move_that_waits_when_the_clock_is_set_back_waits_no_longer_than_it_should(
    store: Store, waits: int, replaced: bool
) -> None:
    """Also if its player goes on replacing it, and if it waits so shortly that the store does not know of it."""
    clock, table, tables = await serving(store)
    seat = on_turn(table)
    user, ply = table.players[seat].user, table.state.ply
    assert user is not None
    clock.turn(20_000)
    await tables.change(table.id, "test", user, lambda t: t._replace(beat_ends=clock.now() + waits))
    actions = iter(table.rules.legal_actions(table.state, seat))
    held = await tables.make_move(table.id, user, ply, lambda t, seat: next(actions), clock.now())
    assert held.effect is ClickEffect.HELD
    clock.turn(-20_000)
    if replaced:
        held = await tables.make_move(table.id, user, ply, lambda t, seat: next(actions), clock.now())
        assert held.effect is ClickEffect.HELD
    await clock.advance(max(NORMAL.beat_ms, NORMAL.round_result_display_ms) + NORMAL.hold_ms)
    after = await tables.get(table.id)
    assert after.state.ply > ply
    await tables.stop()


async def test_a_change_in_flight_while_the_clock_is_set_back_is_timely_too(store: Store) -> None:
    clock, table, tables = await serving(store)
    clock.turn(20_000)
    applied = asyncio.Event()

    def rest(t: Table) -> Table:
        applied.set()
        return t._replace(beat_ends=clock.now() + 900)

    change = asyncio.ensure_future(tables.change(table.id, "test", 100, rest))
    await applied.wait()
    assert not change.done()
    clock.turn(-20_000)
    assert (await change).beat_ends <= clock.now() + 900
    assert (await tables.get(table.id)).beat_ends <= clock.now() + 900
    await tables.stop()


async def test_clicks_on_tables_that_are_over_leave_nothing_behind(store: Store) -> None:
    clock = Clock()
    over = [
        opened(GAME)._replace(id=TableId(f"t{n}"), channel=n, phase=Phase.OVER, ending=Ending.ENDED) for n in range(50)
    ]
    for table in over:
        await store.create_table(table, WHAT, clock.now())
    tables = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()

    def refused(_: Table) -> Table:
        raise Refusal(Why.GAME_FINISHED)

    async def click_all() -> int:
        for table in over:
            with suppress(Refusal):
                await tables.change(table.id, "test", 1, refused)
        gc.collect()
        return sum(isinstance(it, asyncio.Lock) for it in gc.get_objects())

    before = sum(isinstance(it, asyncio.Lock) for it in gc.get_objects())
    assert await click_all() <= before
    await tables.stop()


async def test_changes_of_a_table_that_is_over_come_one_after_the_other(store: Store) -> None:
    """The lock of a table that has ended is still the one that others wait for."""
    clock = Clock()
    table = at(started(GAME), clock.now())
    await store.create_table(table, WHAT, clock.now())
    tables = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()

    def end(t: Table) -> Table:
        return t._replace(phase=Phase.OVER, ending=Ending.ENDED)

    names = [f"somebody {number}" for number in range(20)]
    await asyncio.gather(
        tables.change(table.id, "end", 1, end),
        *(tables.change(table.id, "test", 1, lambda t, n=n: t._replace(ended_by=t.ended_by + n)) for n in names),
    )
    assert (await tables.get(table.id)).ended_by == "".join(names)
    await tables.stop()


# One alarm per table: when it rings, and when it does not any more.

DAY = 86_400_000


class Rung:
    """The alarms of a clock that stands still, and which table they rang for when, in ms since the start."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.start = self.clock.now()
        self.at: list[tuple[str, int]] = []
        self.alarms = Alarms(self.clock, lambda table: self.at.append((table, self.clock.now() - self.start)))

    def table(self, name: str) -> Table:
        """A lobby that closes in a day."""
        return opened("diciassette")._replace(id=TableId(name), changed_at=self.start)

    def fail(self, name: str) -> None:
        """A timer of the table *name* rings and cannot be served."""
        with self.alarms.retry_on_error(TableId(name)):
            raise OSError("no database")


async def test_it_rings_once_for_the_first_timer_of_each_table() -> None:
    rung = Rung()
    rung.alarms.set_alarm(rung.table("a"))
    rung.alarms.set_alarm(rung.table("b")._replace(changed_at=rung.start + 5))
    await rung.clock.advance(3 * DAY)
    assert rung.at == [("a", DAY), ("b", DAY + 5)]


async def test_a_new_alarm_takes_the_place_of_the_old_one_and_a_table_that_is_over_has_none() -> None:
    rung = Rung()
    for name in ("a", "b"):
        rung.alarms.set_alarm(rung.table(name))
    rung.alarms.set_alarm(rung.table("a")._replace(changed_at=rung.start + 60_000))
    rung.alarms.set_alarm(close_table(rung.table("b"), Ending.CANCELLED))
    await rung.clock.advance(3 * DAY)
    assert rung.at == [("a", DAY + 60_000)]


async def test_an_alarm_that_is_cancelled_does_not_ring() -> None:
    rung = Rung()
    for name in ("a", "b", "c"):
        rung.alarms.set_alarm(rung.table(name))
    rung.alarms.cancel(TableId("a"))
    rung.alarms.cancel(TableId("nobody"))
    await rung.clock.advance(DAY)
    assert rung.at == [("b", DAY), ("c", DAY)]
    for name in ("b", "c"):
        rung.alarms.set_alarm_in_five_seconds(TableId(name))
    rung.alarms.cancel_all()
    await rung.clock.advance(DAY)
    assert len(rung.at) == 2


async def test_what_could_not_be_served_rings_again_after_five_seconds_instead_of_then() -> None:
    rung = Rung()
    rung.alarms.set_alarm(rung.table("a"))
    rung.alarms.set_alarm_in_five_seconds(TableId("a"))
    await rung.clock.advance(3 * DAY)
    assert rung.at == [("a", 5000)]


async def test_a_timer_that_fails_rings_twice_as_late_each_time_up_to_five_minutes() -> None:
    rung = Rung()
    waits = []
    for _ in range(9):
        before = rung.clock.now()
        rung.fail("a")
        await rung.clock.advance(DAY)
        waits.append(rung.start + rung.at[-1][1] - before)
    assert waits == [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]


async def test_one_that_works_again_begins_anew() -> None:
    rung = Rung()
    for forget in (
        lambda: rung.alarms.cancel(TableId("a")),
        lambda: rung.alarms.set_alarm(close_table(rung.table("a"), Ending.IDLE)),
        lambda: works(rung),
    ):
        for _ in range(3):
            rung.fail("a")
        forget()
        before = rung.clock.now()
        rung.fail("a")
        await rung.clock.advance(DAY)
        assert rung.start + rung.at[-1][1] - before == 5_000


def works(rung: Rung) -> None:
    """A timer of the table "a" is served."""
    with rung.alarms.retry_on_error(TableId("a")):
        pass
