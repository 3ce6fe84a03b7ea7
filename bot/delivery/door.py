"""The door that every request about a table goes through: whether the table is served here at this moment.

What the database refuses to commit under a lost lease, Discord would still show. So a request is not made once the
lease may have been taken over, as after this process stood still.
"""

from contextvars import ContextVar
from typing import Final

from bot.delivery.faults import Busy
from bot.tables.ownership import Ownership

_about: Final[ContextVar[int | None]] = ContextVar("about", default=None)
"""The channel of the table that the task is about; ``None``: it is about none."""


def enter(channel: int | None) -> None:
    """Note that all requests of the running task, from now on, are about the table in *channel* (``None``: none)."""
    _about.set(channel)


def check(ownership: Ownership) -> None:
    """Check that the table that the running task is about is served here.

    Raises:
        LeaseLost: it is served elsewhere.
        Busy: nobody knows, as the lease could not be renewed in time.
    """
    channel = _about.get()
    if channel is not None and not ownership.holds(channel):
        ownership.fence_of(channel)
        raise Busy
