"""Logs: one line per event, as text with ``key=value`` at the end, or as JSON. Never a hidden card, a token or a seed
of a running game.

Tracebacks show lines of code, but not the text of errors that quote what they met, as ``KeyError`` does. The same one
is written once an hour: what fails again and again, like everything while there is no database, fills no disk.

The level applies to this program. Libraries say only what is wrong, with DEBUG also what they do (INFO): at their own
DEBUG they print request bodies and parameters, which hold hidden cards and tokens.
"""

import json
import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

OURS: Final = ("bot", "cogs")
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS: Final = ("text", "json")

_QUOTING: Final = (KeyError, ValueError, AssertionError)
"""Errors whose text may quote a value."""
_DETAIL: Final = re.compile(r"^DETAIL:.*", re.MULTILINE)
"""PostgreSQL quotes the whole row that it refuses there. https://www.postgresql.org/docs/current/error-style-guide.html"""
_ARGUMENT: Final = re.compile(r"(invalid input for query argument \$\d+: ).*")
"""asyncpg quotes the value that it refuses there, and SQLAlchemy what asyncpg says."""
_TOKEN: Final = re.compile(r"((?:webhooks/\d+|interactions/\d+)/)[\w.~-]+")


_TIME: Final = "%Y-%m-%dT%H:%M:%S"
REPEAT_SECONDS: Final = 3600
"""How long a traceback that was written is not written again, only referred to."""
REMEMBERED: Final = 1000
"""How many different tracebacks are remembered at most."""
RECONNECT_MESSAGES: Final = ("Failed to connect for shard_id", "Attempting a reconnect")
"""The beginnings of discord.py's messages, with a traceback, each time that Discord's gateway cannot be reached."""
RECONNECT_LOG_SECONDS: Final = 300
"""How often such a message is logged."""


def fields(**values: Any) -> dict[str, Any]:
    """Return *values* as the ``extra=`` argument of a log call: they are written at the end of the line as
    ``key=value``, or in JSON as an object.
    """
    return {"fields": values}


def new_error_reference() -> str:
    """Return a new random code of eight hex digits, which a person can quote and an operator can find in the log."""
    return secrets.token_hex(4)


def error_location(error: BaseException) -> str:
    """Return the line of code that raised *error*, as file and number; empty if it was never raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


class _Formatter(logging.Formatter):
    """The common part of both log formats: the traceback of a record's error, without secrets and without
    repetitions."""

    def __init__(self, line: str | None = None) -> None:
        super().__init__(line, _TIME)
        self._written: dict[str, float] = {}
        """Tracebacks, and when they were written, seconds since 1970; the one that was written last comes last."""

    def traceback_unless_repeated(self, record: logging.LogRecord) -> tuple[str, str]:
        """Return (the traceback of the error of *record*, ""); or ("", when it was written) if the same one was written
        within the last hour; or ("", "") without an error.

        The traceback leaves out what errors may quote. One that is returned counts as written.
        """
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return "", ""
        text = "\n".join("".join(_redacted_traceback_lines(each)).rstrip() for each in _error_chain(error))
        before = self._written.get(text)
        if before is not None and record.created - before < REPEAT_SECONDS:
            return "", time.strftime(_TIME, time.localtime(before))
        self._written.pop(text, None)
        self._written[text] = record.created
        if len(self._written) > REMEMBERED:
            del self._written[next(iter(self._written))]
        return text, ""


class LineFormatter(_Formatter):
    """Formats records as ``2026-01-31T12:00:00 INFO bot.tables.service: table changed table=abc version=7``."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return *record* as a line of text with its fields, and its traceback below, with interaction tokens
        masked.
        """
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, self.datefmt)
        values: dict[str, Any] = getattr(record, "fields", {})
        said = " ".join([self.formatMessage(record), *(f"{key}={value}" for key, value in values.items())])
        text, before = self.traceback_unless_repeated(record)
        said += f" traceback_at={before}" if before else ""
        return _TOKEN.sub(r"\1***", f"{said}\n{text}" if text else said)


class JsonFormatter(_Formatter):
    """Formats records as objects of JSON, each on a line: ``ts`` (UTC), ``level``, ``logger``, ``message``, and, if
    there are any, ``fields`` and ``exception`` (a traceback; or, in ``traceback_at``, when that was written)."""

    def format(self, record: logging.LogRecord) -> str:
        """Return *record* as one line of JSON, traceback included, with interaction tokens masked."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said: dict[str, Any] = {
            "ts": at.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        values: dict[str, Any] = getattr(record, "fields", {})
        if values:
            said["fields"] = values
        text, before = self.traceback_unless_repeated(record)
        said |= {"exception": text} if text else {"traceback_at": before} if before else {}
        return _TOKEN.sub(r"\1***", json.dumps(said, default=str, ensure_ascii=False))


def debug_level_if_already_logged(error: BaseException | None, usual: int) -> int:
    """Return the log level for a message about what *error* has caused: DEBUG if *error* itself was logged already (its
    ``logged`` is true), else *usual*.
    """
    return logging.DEBUG if getattr(error, "logged", False) else usual


class LoggedErrorFilter(logging.Filter):
    """Lowers messages to DEBUG while an error is handled that was logged before, such as an unreachable database.

    An example is a database that does not answer: everything fails that needs it (``store.database.Unavailable``). A
    line with a reference keeps its level: somebody was told the reference.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Lower *record* to DEBUG if the error being handled was logged before and *record* has no reference for a
        person; return whether *record* is written.
        """
        level = debug_level_if_already_logged(sys.exc_info()[1], record.levelno)
        if level == record.levelno or "reference" in getattr(record, "fields", {}):
            return True
        record.levelno, record.levelname = level, logging.getLevelName(level)
        return logging.getLogger(record.name).isEnabledFor(level)


class ReconnectFilter(logging.Filter):
    """Turns discord.py's repeated tracebacks about an unreachable gateway into one warning every five minutes.

    discord.py tries again and again, and shows a traceback each time.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}
        """Message -> when it was written, seconds since 1970."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Turn a traceback about Discord's gateway being unreachable into one warning line; return whether *record* is
        written: of these one in five minutes for each kind of error, of others all.
        """
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, (OSError, TimeoutError)) or not str(record.msg).startswith(RECONNECT_MESSAGES):
            return True
        why = type(error).__name__
        if record.created - self._said.get(why, -RECONNECT_LOG_SECONDS) < RECONNECT_LOG_SECONDS:
            return False
        self._said[why] = record.created
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args, record.exc_info = "Discord's gateway cannot be reached; trying again", (), None
        record.__dict__.update(fields(error=why))
        return True


def _error_chain(error: BaseException | None) -> list[BaseException]:
    """Return *error* and the errors from which it followed, as Python prints them, the earliest first; empty for
    ``None``.
    """
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.insert(0, error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def _redacted_traceback_lines(error: BaseException) -> Iterator[str]:
    """Yield the traceback of *error* alone, not of its causes, piece by piece, without texts that may quote hidden
    cards or secrets.
    """
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(error.__traceback__)
    if isinstance(error, _QUOTING):
        yield f"{type(error).__qualname__}: (what it says is left out: it may quote hidden cards)"
    else:
        said = "".join(traceback.format_exception_only(error))
        yield _ARGUMENT.sub(r"\1***", _DETAIL.sub("DETAIL: ***", said))


def configure_logging(level: str, form: str = "text") -> None:
    """Write all logs to standard error, as "text" or "json" (*form*): those of our program from *level* on, those of
    libraries only from WARNING on, or from INFO on if *level* is DEBUG.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else LineFormatter())
    handler.addFilter(LoggedErrorFilter())
    handler.addFilter(ReconnectFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    number = logging.getLevelNamesMapping()[level]
    root.setLevel(logging.INFO if number < logging.INFO else max(logging.WARNING, number))
    for name in OURS:
        logging.getLogger(name).setLevel(level)
