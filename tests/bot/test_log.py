"""The log: a line per event, tracebacks of bugs, no secrets in either."""

import logging
from collections.abc import Callable
from typing import NoReturn, assert_never

import pytest
from sqlalchemy.exc import IntegrityError

from bot.log import LineFormatter, fields
from tests.bot.logs import written

log = logging.getLogger("bot.test")
NOON = 1_800_014_400
CARD = "the queen of nowhere"


def unknown_key() -> None:
    assert {}[CARD]


def unknown_value() -> NoReturn:
    raise ValueError(f"{CARD!r} is not a card")


def unknown_kind() -> NoReturn:
    assert_never(CARD)  # type: ignore[arg-type]


def led_to_another() -> NoReturn:
    try:
        unknown_value()
    except ValueError as error:
        raise RuntimeError("something") from error


def while_handling_another() -> NoReturn:
    try:
        unknown_value()
    except ValueError:
        raise RuntimeError("something")  # noqa: B904 - that is the case


def postgresql() -> NoReturn:
    """https://www.postgresql.org/docs/current/error-message-reporting.html: DETAIL holds the row."""
    said = f'null value in column "event" violates not-null constraint\nDETAIL:  Failing row contains (1, {CARD}).'
    raise IntegrityError("INSERT", None, Exception(said), hide_parameters=True)


@pytest.mark.parametrize(
    "bug", [unknown_key, unknown_value, unknown_kind, led_to_another, while_handling_another, postgresql]
)
def test_a_traceback_shows_where_but_quotes_no_value(bug: Callable[[], None]) -> None:
    with written() as out:
        try:
            bug()
        except Exception:
            log.exception("bug", extra=fields(table="abc"))
    said = out.getvalue()
    assert CARD not in said
    assert "ERROR bot.test: bug table=abc\n" in said
    assert f"in {bug.__name__}" in said
    if "another" in bug.__name__:
        assert "in unknown_value" in said
        assert said.index("in unknown_value") < said.index("RuntimeError: something")


def test_the_same_traceback_is_written_once_an_hour() -> None:
    """A line for each time, which says when it was. Another one is written at once."""
    formatter = LineFormatter()

    def fail(bug: Callable[[], None], at: int) -> str:
        with pytest.raises((KeyError, RuntimeError)) as error:
            bug()
        given = {"name": "bot.test", "levelname": "ERROR", "msg": "bug", "created": at, "exc_info": (None, error.value)}
        return formatter.format(logging.makeLogRecord(given))

    first = fail(unknown_key, NOON)
    assert "Traceback" in first
    again = fail(unknown_key, NOON + 3599)
    assert again.endswith(f"ERROR bot.test: bug traceback_at={first.split()[0]}")
    assert "\n" not in again
    assert "Traceback" in fail(led_to_another, NOON + 3599)
    assert "Traceback" in fail(unknown_key, NOON + 3600)


def test_other_errors_say_what_is_wrong() -> None:
    with written() as out:
        try:
            raise ConnectionRefusedError(111, "Connection refused")
        except OSError:
            log.exception("bug")
    assert out.getvalue().endswith("ConnectionRefusedError: [Errno 111] Connection refused\n")
