"""The log: a line per event, tracebacks of bugs, no secrets in either."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, assert_never

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.log import JsonFormatter, LineFormatter, LoggedErrorFilter, ReconnectFilter, fields
from bot.store.database import Unavailable
from tests.bot.logs import captured_log

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


def asyncpg() -> NoReturn:
    """What SQLAlchemy makes of asyncpg's DataError, with the value that does not fit."""
    said = f"<class 'asyncpg.exceptions.DataError'>: invalid input for query argument $1: '{CARD}' (expected int)"
    raise DBAPIError("INSERT", None, Exception(said), hide_parameters=True)


@pytest.mark.parametrize(
    "bug", [unknown_key, unknown_value, unknown_kind, led_to_another, while_handling_another, postgresql, asyncpg]
)
def test_a_traceback_shows_where_but_quotes_no_value(bug: Callable[[], None]) -> None:
    with captured_log() as out:
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


def record(message: str, at: float = NOON, error: Exception | None = None, **values: object) -> logging.LogRecord:
    info = (type(error), error, None) if error is not None else None
    given = {"name": "bot.test", "levelname": "ERROR", "msg": message, "created": at, "exc_info": info}
    return logging.makeLogRecord({**given, **fields(**values)})


def test_as_json_each_record_is_an_object_on_a_line() -> None:
    said = JsonFormatter().format(record("two\nlines", table="abc", version=7, why=Path("x")))
    assert "\n" not in said
    assert json.loads(said) == {
        "ts": "2027-01-15T12:00:00.000Z",
        "level": "ERROR",
        "logger": "bot.test",
        "message": "two\nlines",
        "fields": {"table": "abc", "version": 7, "why": "x"},
    }


def test_as_json_tokens_are_masked_and_tracebacks_quote_nothing() -> None:
    formatter = JsonFormatter()
    for path in ("webhooks/12/aW50-ZXI_x.y", "interactions/12/aW50-ZXI_x.y/callback"):
        said = formatter.format(record(f"POST https://discord.test/{path}\n", path=path))
        assert "aW50" not in said
        assert json.loads(said)["message"].startswith("POST")
    try:
        unknown_value()
    except ValueError as error:
        first, again = (json.loads(formatter.format(record("bug", error=error))) for _ in range(2))
    assert CARD not in str(first)
    assert "in unknown_value" in first["exception"]
    assert "exception" not in again
    assert again["traceback_at"]


def test_that_the_gateway_is_tried_again_is_said_every_five_minutes_without_a_traceback() -> None:
    """Whatever else discord.py says comes through as it is."""
    calm, refused = ReconnectFilter(), ConnectionRefusedError(111, "Connection refused")
    said = []
    for at in range(0, 600, 5):
        tried = record("Failed to connect for shard_id: %s. Retrying...", NOON + at, refused)
        if calm.filter(tried):
            said.append(LineFormatter().format(tried))
    assert len(said) == 2
    assert all(line.endswith("trying again error=ConnectionRefusedError") for line in said)
    other = record("Ignoring exception", NOON, refused)
    assert calm.filter(other)
    assert other.exc_info


def test_what_follows_from_an_error_that_was_logged_is_no_news() -> None:
    """As of a database that does not answer: it has said so, and everything that needs it fails."""
    known, fresh = Unavailable("nobody listens there"), Unavailable("nobody listens there")
    known.logged = True

    def level(error: Exception, **said: str) -> str | None:
        record = logging.LogRecord("bot.some", logging.WARNING, "", 0, "not recorded", (), None)
        record.__dict__.update(fields(**said))
        try:
            raise error
        except Unavailable:
            return record.levelname if LoggedErrorFilter().filter(record) else None

    logging.getLogger("bot.some").setLevel(logging.INFO)
    assert level(known) is None
    assert level(fresh) == "WARNING"
    assert level(known, reference="1a2b3c4d") == "WARNING", "somebody was told it"
    logging.getLogger("bot.some").setLevel(logging.DEBUG)
    assert level(known) == "DEBUG"
