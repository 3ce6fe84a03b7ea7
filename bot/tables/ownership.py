"""Which tables this process serves. With several processes on one database each serves those of its partitions."""

from typing import NamedTuple, Protocol

from bot.refusals import Refusal, Why


class Fence(NamedTuple):
    """What the lease of a partition must say when something about one of its tables is committed."""

    partition: int
    owner: str
    """The process that serves it."""
    fence: int
    """How often the lease has changed hands."""


class Elsewhere(Refusal):
    """The table in ``channel`` is not served here, at least not now. Whoever serves it can be asked; nothing has
    changed."""

    def __init__(self, channel: int) -> None:
        super().__init__(Why.TRY_AGAIN)
        self.channel = channel


class Ownership(Protocol):
    """Knows which tables this process serves, by their channel. Nothing here waits for anything."""

    @property
    def shared(self) -> bool:
        """Whether other processes may serve tables of the same database."""
        ...

    def owns(self, channel: int) -> bool:
        """Whether the table in *channel* is served here: its tables are loaded, and what is clicked there counts."""
        ...

    def holds(self, channel: int) -> bool:
        """Whether nobody else can serve the table in *channel* at this moment: what has begun may be committed, and
        requests about it sent. It stays so for a while after ``owns`` has ended, when it is handed over."""
        ...

    def fence_of(self, channel: int) -> Fence | None:
        """What a commit about the table in *channel* has to check; ``None``: nothing, as there is no other process.

        Raises:
            LeaseLost: it is not served here.
        """
        ...


class Alone:
    """The only process on its database serves every table."""

    shared = False

    def owns(self, channel: int) -> bool:
        """Yes."""
        return True

    def holds(self, channel: int) -> bool:
        """Yes."""
        return True

    def fence_of(self, channel: int) -> Fence | None:
        """Nothing is to be checked."""
        return None
