"""The log as the program writes it at DEBUG, for tests of what stands in it and what must not."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.log import OURS, LineFormatter, LoggedErrorFilter


@contextmanager
def captured_log() -> Iterator[io.StringIO]:
    """What is logged in the block: of this program everything, of libraries from INFO on, as ``bot.log`` sets it up."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    handler.setFormatter(LineFormatter())
    handler.addFilter(LoggedErrorFilter())
    levels = {logging.getLogger(): logging.INFO, **dict.fromkeys(map(logging.getLogger, OURS), logging.DEBUG)}
    before = {logger: logger.level for logger in levels}
    logging.getLogger().addHandler(handler)
    for logger, level in levels.items():
        logger.setLevel(level)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, level in before.items():
            logger.setLevel(level)
