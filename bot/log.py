"""Logs: one line per event, with ``key=value`` at the end. Never a hidden card, a token or a seed of a running game.

Tracebacks show lines of code, but not the text of errors that quote what they met, as ``KeyError`` does. The same one
is written once an hour: what fails again and again, like everything while there is no database, fills no disk.

The level applies to this program. Libraries stay at INFO or above: at DEBUG they print request bodies and parameters,
which hold hidden cards and tokens.
"""

import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any, Final

OURS: Final = ("bot", "cogs")
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_QUOTING: Final = (KeyError, ValueError, AssertionError)
"""Errors whose text may quote a value."""
_DETAIL: Final = re.compile(r"^DETAIL:.*", re.MULTILINE)
"""PostgreSQL quotes the whole row that it refuses there. https://www.postgresql.org/docs/current/error-style-guide.html"""
_TOKEN: Final = re.compile(r"((?:webhooks/\d+|interactions/\d+)/)[\w.~-]+")


_TIME: Final = "%Y-%m-%dT%H:%M:%S"
REPEAT_SECONDS: Final = 3600
"""How long a traceback that was written is only referred to."""
REMEMBERED: Final = 1000
"""How many different tracebacks are known by heart at most."""


def fields(**values: Any) -> dict[str, Any]:
    """*values* in the form that ``extra=`` of a log call takes: the line then ends with them as ``key=value``."""
    return {"fields": values}


def fresh_reference() -> str:
    """A new random number (hex) for a person to name and for an operator to find in the log."""
    return secrets.token_hex(4)


class LineFormatter(logging.Formatter):
    """Formats records as ``2026-01-31T12:00:00 INFO bot.tables.service: table changed table=abc version=7``."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", _TIME)
        self._written: dict[str, float] = {}
        """Tracebacks, and when they were written, seconds since 1970; the one that was written last comes last."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line of *record*, with ``key=value`` for each of its ``fields`` at the end."""
        line = super().formatMessage(record)
        values: dict[str, Any] = getattr(record, "fields", {})
        return " ".join([line, *(f"{key}={value}" for key, value in values.items())])

    def format(self, record: logging.LogRecord) -> str:
        """All lines of *record*, the traceback included, with interaction tokens masked."""
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, self.datefmt)
        error = record.exc_info[1] if record.exc_info else None
        said = self.formatMessage(record) + (self._traceback(error, record.created) if error is not None else "")
        return _TOKEN.sub(r"\1***", said)

    def _traceback(self, error: BaseException, at: float) -> str:
        """What follows a line that is written at the time *at* (seconds since 1970) about *error*.

        It is the traceback of *error* and of those that led to it, without what they may quote; or, if that was written
        a while ago, when that was.
        """
        text = "\n".join("".join(_described(each)).rstrip() for each in _chain(error))
        before = self._written.get(text)
        if before is not None and at - before < REPEAT_SECONDS:
            return f" traceback_at={time.strftime(_TIME, time.localtime(before))}"
        self._written.pop(text, None)
        self._written[text] = at
        if len(self._written) > REMEMBERED:
            del self._written[next(iter(self._written))]
        return f"\n{text}"


def _chain(error: BaseException | None) -> list[BaseException]:
    """*error* and the errors that led to it, the first one first."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.insert(0, error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def _described(error: BaseException) -> Iterator[str]:
    """The traceback of *error* alone, as lines."""
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    if isinstance(error, _QUOTING):
        yield f"{type(error).__qualname__}: (what it says is left out: it may quote hidden cards)"
    else:
        yield _DETAIL.sub("DETAIL: ***", "".join(traceback.format_exception_only(error)))


def configure(level: str) -> None:
    """Log to standard error, our own program from *level* on (one of LEVELS), libraries from INFO or above."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    for name in OURS:
        logging.getLogger(name).setLevel(level)
