"""Logs: one line per event, with ``key=value`` at the end. Never a hidden card, a token or a seed of a running game.

The level applies to this program. Libraries stay at INFO or above: at DEBUG they print request bodies and parameters,
which hold hidden cards and tokens.
"""

import logging
import re
import sys
from typing import Any, Final

OURS: Final = ("bot", "cogs")
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_TOKEN = re.compile(r"((?:webhooks/\d+|interactions/\d+)/)[\w.~-]+")


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
        return _TOKEN.sub(r"\1***", super().format(record))


def configure(level: str) -> None:
    """Log to standard error, our own program from *level* on (one of LEVELS), libraries from INFO or above."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    for name in OURS:
        logging.getLogger(name).setLevel(level)
