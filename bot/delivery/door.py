"""The door that every request about a table goes through: whether its shard is held by this process at this moment.

What two processes do to a table the database puts in order; what they do to a message nobody does. So no request is
made once another process may hold the shard, as after this one stood still.
"""

from contextvars import ContextVar
from typing import Final

from bot.delivery.faults import Busy
from bot.tables.shards import Shards

_about: Final[ContextVar[int | None]] = ContextVar("about", default=None)
"""The server of the table that the task is about; ``None``: it is about none."""


class ShardLost(Exception):
    """Another process holds the table's shard, and looks after its messages."""


def enter(guild: int | None) -> None:
    """Note that all requests of the running task, from now on, are about a table in *guild* (``None``: none)."""
    _about.set(guild)


def check(shards: Shards) -> None:
    """Check that the table that the running task is about is of a shard that is held here.

    Raises:
        ShardLost: another process holds it.
        Busy: nobody knows, as the database does not answer.
    """
    guild = _about.get()
    if guild is not None and not shards.holds(guild):
        if not shards.has(guild):
            raise ShardLost
        raise Busy
