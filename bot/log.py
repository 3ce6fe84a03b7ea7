"""Logs: one line per event, with ``key=value`` at the end. Never a hidden card, a token or a seed of a running game.

Tracebacks show lines of code, but not the text of errors that quote what they met, as ``KeyError`` does.

The level applies to this program. Libraries stay at INFO or above: at DEBUG they print request bodies and parameters,
which hold hidden cards and tokens.
"""

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

OURS: Final = ("bot", "cogs")
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_QUOTING: Final = (KeyError, ValueError, AssertionError)
"""Errors whose text may quote a value."""
_DETAIL: Final = re.compile(r"^DETAIL:.*", re.MULTILINE)
"""PostgreSQL quotes the whole row that it refuses there. https://www.postgresql.org/docs/current/error-style-guide.html"""
_TOKEN: Final = re.compile(r"((?:webhooks/\d+|interactions/\d+)/)[\w.~-]+")


def fields(**values: Any) -> dict[str, Any]:
    """*values* in the form that ``extra=`` of a log call takes: the line then ends with them as ``key=value``."""
    return {"fields": values}


class LineFormatter(logging.Formatter):
    """Formats records as ``2026-01-31T12:00:00 INFO bot.tables.service: table changed table=abc version=7``."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line of *record*, with ``key=value`` for each of its ``fields`` at the end."""
        line = super().formatMessage(record)
        values: dict[str, Any] = getattr(record, "fields", {})
        return " ".join([line, *(f"{key}={value}" for key, value in values.items())])

    def format(self, record: logging.LogRecord) -> str:
        """All lines of *record*, the traceback included, with interaction tokens masked."""
        record.exc_text = None  # another handler may have left its own there
        return _TOKEN.sub(r"\1***", super().format(record))

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """The traceback of the error in *ei*, and of those that led to it, without what they may quote."""
        return "\n".join("".join(_described(error)).rstrip() for error in _chain(ei[1]))


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
