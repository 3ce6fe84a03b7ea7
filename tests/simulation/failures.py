"""Bugs that the program itself has noticed: it logs them, apologises and goes on, so nobody else may see them."""

import asyncio
import logging
import traceback
from typing import Any, Final

from sqlalchemy.exc import DBAPIError

from bot.delivery.errors import Fault
from bot.log import OURS

EXPECTED: Final = (Fault, DBAPIError, OSError, asyncio.CancelledError)
"""What Discord, the network and the database do by themselves."""


class Failures(logging.Handler):
    """Collects the errors that the program logs with a traceback, and those that nobody catches, unless they come from
    outside."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def begin(self) -> None:
        """Collect from now on, on the running event loop."""
        for name in OURS:
            log = logging.getLogger(name)
            if not log.isEnabledFor(logging.ERROR):
                log.setLevel(logging.ERROR)
            log.addHandler(self)
        asyncio.get_running_loop().set_exception_handler(self._uncaught)

    def stop(self) -> None:
        """Collect no more."""
        for name in OURS:
            logging.getLogger(name).removeHandler(self)
            logging.getLogger(name).setLevel(logging.NOTSET)

    def emit(self, record: logging.LogRecord) -> None:
        """Note *record*, if it has a traceback."""
        if record.exc_info and record.exc_info[1] is not None:
            self._note(record.getMessage(), record.exc_info[1])

    def _uncaught(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Note what the event loop reports."""
        if isinstance(error := context.get("exception"), BaseException):
            self._note("nobody caught", error)

    def _note(self, what: str, error: BaseException) -> None:
        """Note *error*, of which *what* was said."""
        last = traceback.extract_tb(error.__traceback__)[-1:]
        # aiohttp's server, where a request arrives just when it is stopped. Nobody gets an answer, as if it had been.
        stopped = isinstance(error, TypeError) and any(it.filename.endswith("web_protocol.py") for it in last)
        if not isinstance(error, EXPECTED) and not stopped:
            where = "".join(f" in {it.name}" for it in last)
            self.found.append(f"{what}: {type(error).__name__}: {error}{where}")
