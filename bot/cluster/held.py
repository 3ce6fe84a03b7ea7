"""What this process serves, and for how long nobody else can.

The time is that of a clock which nobody sets and which counts while the machine sleeps: a process that stood still must
know at once that others may have taken over.
"""

from collections.abc import Callable
from typing import Final

from bot.clock import steady_ms
from bot.cluster.leases import PARTITION, Key, Lease
from bot.cluster.partitions import partition_of
from bot.tables.ownership import Fence
from bot.tables.storage import LeaseLost

MARGIN_MS: Final = 500
"""How long before its leases expire a process stops to use them: requests take time, and clocks drift."""


class Held:
    """A lease that this process has."""

    def __init__(self, lease: Lease, died: int | None = None) -> None:
        self.lease = lease
        self.died = died
        """When the owner that it was taken from was last alive, by the database's clock; ``None``: that one gave it, or
        there was none."""
        self.ready = False
        """Whether what it is about is served."""
        self.going = False
        """Whether it is being handed over."""
        self.left = False
        """Whether all is done for that but to hand it over."""
        self.busy = False
        """Whether a task works on one of these."""


class Holding:
    """The leases of this process, the *me* of all fences. An ``Ownership``."""

    def __init__(self, me: str, steady: Callable[[], int] = steady_ms) -> None:
        self._me = me
        self._steady = steady
        self.valid_until = 0
        """Until when they are valid, on the clock *steady*."""
        self.held: dict[Key, Held] = {}

    @property
    def valid(self) -> bool:
        """Whether nobody else can have taken any of them over."""
        return self._steady() < self.valid_until

    def has(self, held: Held) -> bool:
        """Whether *held* is still one of them."""
        return self.held.get(held.lease.key) is held

    def of_kind(self, kind: str) -> list[Held]:
        """Those of one *kind*, in a new list."""
        return [it for it in self.held.values() if it.lease.kind == kind]

    def owns(self, channel: int) -> bool:
        """As ``Ownership.owns``."""
        held = self._of(channel)
        return held is not None and held.ready and not held.going and self.valid

    def holds(self, channel: int) -> bool:
        """As ``Ownership.holds``."""
        return self._of(channel) is not None and self.valid

    def fence_of(self, channel: int) -> Fence:
        """As ``Ownership.fence_of``."""
        held = self._of(channel)
        if held is None:
            raise LeaseLost
        return Fence(held.lease.number, self._me, held.lease.fence)

    def _of(self, channel: int) -> Held | None:
        """The lease of the partition of *channel*; ``None``: it is somebody else's."""
        return self.held.get((PARTITION, partition_of(channel)))
