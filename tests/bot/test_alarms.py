"""One alarm per table: when it rings, and when it does not any more."""

from bot.tables.alarms import Alarms
from bot.tables.leaving import close
from bot.tables.model import Ending, Table, TableId
from tests.bot.tables import opened
from tests.clocks import SteppedClock

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
        with self.alarms.failing_goes_on(TableId(name)):
            raise OSError("no database")


async def test_it_rings_once_for_the_first_timer_of_each_table() -> None:
    rung = Rung()
    rung.alarms.arm(rung.table("a"))
    rung.alarms.arm(rung.table("b")._replace(changed_at=rung.start + 5))
    await rung.clock.advance(3 * DAY)
    assert rung.at == [("a", DAY), ("b", DAY + 5)]


async def test_a_new_alarm_takes_the_place_of_the_old_one_and_a_table_that_is_over_has_none() -> None:
    rung = Rung()
    for name in ("a", "b"):
        rung.alarms.arm(rung.table(name))
    rung.alarms.arm(rung.table("a")._replace(changed_at=rung.start + 60_000))
    rung.alarms.arm(close(rung.table("b"), Ending.CANCELLED))
    await rung.clock.advance(3 * DAY)
    assert rung.at == [("a", DAY + 60_000)]


async def test_an_alarm_that_is_cancelled_does_not_ring() -> None:
    rung = Rung()
    for name in ("a", "b", "c"):
        rung.alarms.arm(rung.table(name))
    rung.alarms.cancel(TableId("a"))
    rung.alarms.cancel(TableId("nobody"))
    await rung.clock.advance(DAY)
    assert rung.at == [("b", DAY), ("c", DAY)]
    for name in ("b", "c"):
        rung.alarms.retry(TableId(name))
    rung.alarms.cancel_all()
    await rung.clock.advance(DAY)
    assert len(rung.at) == 2


async def test_what_could_not_be_served_rings_again_after_five_seconds_instead_of_then() -> None:
    rung = Rung()
    rung.alarms.arm(rung.table("a"))
    rung.alarms.retry(TableId("a"))
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
        lambda: rung.alarms.arm(close(rung.table("a"), Ending.IDLE)),
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
    with rung.alarms.failing_goes_on(TableId("a")):
        pass
