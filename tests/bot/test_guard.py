"""What one person and one server may take up, to the edge of every limit."""

from collections.abc import Callable

import pytest

from bot.tables.errors import OpenTableCounts, Refusal, Why
from bot.tables.limits import LimitGuard, Limits
from bot.tables.model import TableId
from tests.bot.tables import NOW

ANNA, BRUNO = 100, 200
FEW = Limits(tables_per_person=2, tables_per_server=3, opened_per_person=2)
ANY = Limits(0, 0, 0)
TABLE = TableId("abc")


def refused(ask: Callable[[], None]) -> tuple[Why, dict[str, object]]:
    """Why *ask* is refused, and what is told of it."""
    with pytest.raises(Refusal) as no:
        ask()
    return no.value.why, no.value.facts


def test_a_person_opens_only_so_many_tables_wherever_they_are() -> None:
    LimitGuard(FEW).check_may_open_table(OpenTableCounts(1, 2, (NOW,)))
    assert refused(lambda: LimitGuard(FEW).check_may_open_table(OpenTableCounts(2, 2, ()))) == (
        Why.TOO_MANY_TABLES,
        {"n": 2, "places": ()},
    )


def test_a_server_has_only_so_many_tables() -> None:
    assert refused(lambda: LimitGuard(FEW).check_may_open_table(OpenTableCounts(0, 3, ()))) == (
        Why.SERVER_FULL,
        {"n": 3},
    )


def test_a_person_opens_only_so_many_in_ten_minutes_then_more() -> None:
    when = f"<t:{(NOW + 600_000) // 1000}:R>"
    two = OpenTableCounts(0, 0, (NOW, NOW + 60_000))
    assert refused(lambda: LimitGuard(FEW).check_may_open_table(two)) == (Why.TOO_OFTEN, {"when": when})


def test_the_moment_is_rounded_up_so_nobody_comes_too_early() -> None:
    when = f"<t:{NOW // 1000 + 601}:R>"
    two = OpenTableCounts(0, 0, (NOW + 1, NOW + 2))
    assert refused(lambda: LimitGuard(FEW).check_may_open_table(two)) == (Why.TOO_OFTEN, {"when": when})


def test_with_0_anything_goes() -> None:
    LimitGuard(ANY).check_may_open_table(OpenTableCounts(60, 60, (NOW,) * 60))


def test_a_table_is_sent_anew_only_every_thirty_seconds() -> None:
    guard = LimitGuard(FEW)
    guard.check_and_record_resend(TABLE, NOW)
    guard.check_and_record_resend(TableId("other"), NOW + 1)
    when = f"<t:{(NOW + 30_000) // 1000}:R>"
    assert refused(lambda: guard.check_and_record_resend(TABLE, NOW + 29_999)) == (Why.JUST_MOVED, {"when": when})
    guard.check_and_record_resend(TABLE, NOW + 30_000)
    assert refused(lambda: guard.check_and_record_resend(TABLE, NOW + 30_001))[0] is Why.JUST_MOVED
    assert refused(lambda: guard.check_and_record_resend(TableId("other"), NOW + 30_000))[0] is Why.JUST_MOVED
    guard.check_and_record_resend(TABLE, NOW + 60_000)
    assert set(guard._moved) == {TABLE}


def test_members_are_checked_once_a_minute_and_posts_made_every_half() -> None:
    guard = LimitGuard(FEW)
    asked = (0, 59_999, 60_000, 60_001)
    assert [guard.try_acquire_member_check(TABLE, NOW + ms) for ms in asked] == [True, False, True, False]
    assert guard.try_acquire_member_check(TableId("other"), NOW + 60_001)
    posted = (0, 29_999, 30_000, 30_001)
    assert [guard.try_acquire_public_answer(5, NOW + ms) for ms in posted] == [True, False, True, False]
    assert guard.try_acquire_public_answer(6, NOW + 30_001)
