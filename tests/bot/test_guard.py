"""What one person and one server may take up, to the edge of every limit."""

from collections.abc import Callable

import pytest

from bot.refusals import Refusal, Why
from bot.tables.limits import Guard, Limits
from bot.tables.model import Table, TableId
from tests.bot.tables import NOW, opened

ANNA, BRUNO = 100, 200
FEW = Limits(tables_per_person=2, tables_per_server=3, opened_per_person=2)
ANY = Limits(0, 0, 0)
TABLE = TableId("abc")


def refused(ask: Callable[[], None]) -> tuple[Why, dict[str, object]]:
    """Why *ask* is refused, and what is told of it."""
    with pytest.raises(Refusal) as no:
        ask()
    return no.value.why, no.value.facts


def live(*opened_by: int, guild: int = 1) -> list[Table]:
    """Tables in *guild* that these people have opened; somebody else is their host now."""
    return [opened("diciassette")._replace(guild=guild, opened_by=person, host=999) for person in opened_by]


def test_a_person_opens_only_so_many_tables_wherever_they_are() -> None:
    guard = Guard(FEW)
    guard.check_open(ANNA, 1, live(ANNA, BRUNO), NOW)
    two = live(ANNA) + live(ANNA, guild=7)
    assert refused(lambda: guard.check_open(ANNA, 1, two, NOW)) == (Why.TOO_MANY_TABLES, {"n": 2})
    guard.check_open(BRUNO, 1, two, NOW)


def test_where_it_was_not_recorded_who_opened_a_table_it_counts_for_its_host() -> None:
    old = [table._replace(host=ANNA) for table in live(0, 0)]
    assert refused(lambda: Guard(FEW).check_open(ANNA, 1, old, NOW))[0] is Why.TOO_MANY_TABLES
    Guard(FEW).check_open(BRUNO, 1, old, NOW)


def test_a_server_has_only_so_many_tables() -> None:
    guard = Guard(FEW)
    three = live(1, 2, 3)
    assert refused(lambda: guard.check_open(ANNA, 1, three, NOW)) == (Why.SERVER_FULL, {"n": 3})
    guard.check_open(ANNA, 1, three[:2], NOW)
    guard.check_open(ANNA, 2, three, NOW)


def test_a_person_opens_only_so_many_in_ten_minutes_then_more() -> None:
    guard = Guard(FEW)
    guard.opened(ANNA, NOW)
    guard.check_open(ANNA, 1, [], NOW + 1)
    guard.opened(ANNA, NOW + 60_000)
    when = f"<t:{(NOW + 600_000) // 1000}:R>"
    assert refused(lambda: guard.check_open(ANNA, 1, [], NOW + 599_999)) == (Why.TOO_OFTEN, {"when": when})
    guard.check_open(BRUNO, 1, [], NOW + 599_999)
    guard.check_open(ANNA, 1, [], NOW + 600_000)
    guard.opened(ANNA, NOW + 600_000)
    assert refused(lambda: guard.check_open(ANNA, 1, [], NOW + 659_999))[0] is Why.TOO_OFTEN


def test_the_moment_is_rounded_up_so_nobody_comes_too_early() -> None:
    guard = Guard(FEW)
    guard.opened(ANNA, NOW + 1)
    guard.opened(ANNA, NOW + 2)
    when = f"<t:{NOW // 1000 + 601}:R>"
    assert refused(lambda: guard.check_open(ANNA, 1, [], NOW + 3)) == (Why.TOO_OFTEN, {"when": when})


def test_with_0_anything_goes() -> None:
    guard = Guard(ANY)
    for _ in range(20):
        guard.opened(ANNA, NOW)
    guard.check_open(ANNA, 1, live(*[ANNA] * 60), NOW)


def test_of_many_people_only_those_of_the_last_ten_minutes_are_remembered() -> None:
    guard = Guard(FEW)
    for person in range(1000):
        guard.opened(person, NOW)
    for _ in range(2):
        guard.opened(1000, NOW + 600_000)
    guard.opened(1001, NOW + 600_000)
    assert set(guard._opened) == {1000, 1001}
    assert refused(lambda: guard.check_open(1000, 1, [], NOW + 600_000))[0] is Why.TOO_OFTEN


def test_a_table_is_sent_anew_only_every_thirty_seconds() -> None:
    guard = Guard(FEW)
    guard.check_move(TABLE, NOW)
    guard.check_move(TableId("other"), NOW + 1)
    when = f"<t:{(NOW + 30_000) // 1000}:R>"
    assert refused(lambda: guard.check_move(TABLE, NOW + 29_999)) == (Why.JUST_MOVED, {"when": when})
    guard.check_move(TABLE, NOW + 30_000)
    assert refused(lambda: guard.check_move(TABLE, NOW + 30_001))[0] is Why.JUST_MOVED
    assert refused(lambda: guard.check_move(TableId("other"), NOW + 30_000))[0] is Why.JUST_MOVED
    guard.check_move(TABLE, NOW + 60_000)
    assert set(guard._moved) == {TABLE}
