"""Who should serve what. Everything here is a value; ``membership`` does it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

SHARD: Final = "shard"
"""A shard of Discord's gateway."""
PARTITION: Final = "partition"
"""A part of the tables (``partitions``)."""
CHORES: Final = "chores"
"""What only one process does, such as counting records."""

Key = tuple[str, int]
"""Names a lease: its kind and number."""


class Member(NamedTuple):
    """A process that is alive, by the database's clock."""

    id: str
    address: str
    """HOST:PORT at which the others reach it."""
    leaving: bool
    """Whether it hands everything over, and then ends."""
    cut_off: bool
    """Whether one of its shards has no connection to Discord."""


class Lease(NamedTuple):
    """Something that exactly one process serves at a time."""

    kind: str
    """``shard``, ``partition`` or ``chores``."""
    number: int
    owner: str | None
    """The process that serves it, as long as it is alive; ``None``: nobody."""
    fence: int
    """How often it has changed hands: whoever knows an older number has lost it."""
    successor: str | None
    """The process that prepares to serve it; ``None``: nobody."""

    @property
    def key(self) -> Key:
        """What names it."""
        return self.kind, self.number


class Plan(NamedTuple):
    """What one process should do about the leases now."""

    take: tuple[Lease, ...] = ()
    """Leases that nobody has, to be taken at once."""
    follow: tuple[Lease, ...] = ()
    """Leases of others, of which it should become the successor."""
    give: tuple[Lease, ...] = ()
    """Its own leases that a living successor waits for."""


def plan(me: str, members: Sequence[Member], leases: Sequence[Lease], *, from_dead: bool = True) -> Plan:
    """What the process *me* should do now, so that in the end every member has a fair share of each kind of lease.

    All processes that see the same come to plans that fit together: no lease is in two of them. *members* are all who
    are alive; those that leave get nothing. Unless *from_dead*, nothing is taken from owners that are not alive:
    *me* has only just come, or come back, and they may be late for the same reason.
    """
    alive = {member.id for member in members}
    staying = {member.id for member in members if not member.leaving}
    give = tuple(
        it
        for it in leases
        if it.owner == me and it.successor is not None and it.successor != me and it.successor in staying
    )
    if me not in staying:
        return Plan(give=give)
    wanted = homes(members, leases)
    take, follow = [], []
    for it in leases:
        if wanted.get(it.key) != me or it.owner == me:
            continue
        if it.owner is None or (it.owner not in alive and from_dead):
            take.append(it)
        elif it.owner in alive and it.successor != me:
            follow.append(it)
    return Plan(tuple(take), tuple(follow), give)


def homes(members: Sequence[Member], leases: Sequence[Lease]) -> dict[Key, str]:
    """Who should have each of *leases* in the end: of each kind every member gets as many as any other, or one more,
    and as few as possible move. Those that leave get none; if all do, there is nothing in the result."""
    staying = sorted(member.id for member in members if not member.leaving)
    kinds = sorted({it.kind for it in leases})
    found: dict[Key, str] = {}
    for kind in kinds if staying else ():
        found.update(_homes_of(staying, sorted(it for it in leases if it.kind == kind)))
    return found


def _homes_of(staying: Sequence[str], leases: Sequence[Lease]) -> dict[Key, str]:
    """As ``homes``, for *leases* of one kind, by number, and members that stay, by id."""
    found: dict[Key, str] = {}
    settled: dict[str, list[Lease]] = {member: [] for member in staying}
    """What each member has and may give away, by member."""
    count = dict.fromkeys(staying, 0)
    free: list[Lease] = []
    for it in leases:
        on_its_way = it.successor in count
        home = it.successor if on_its_way else it.owner
        if home is None or home not in count:
            free.append(it)
            continue
        count[home] += 1
        found[it.key] = home
        if not on_its_way:  # one that moves already arrives first
            settled[home].append(it)
    most_first = sorted(staying, key=lambda member: (-count[member], member))
    least, more = divmod(len(leases), len(staying))
    quota = {member: least + (place < more) for place, member in enumerate(most_first)}
    for member in most_first:
        while count[member] > quota[member] and settled[member]:
            count[member] -= 1
            free.append(settled[member].pop())
    for member in most_first:
        while count[member] < quota[member] and free:
            count[member] += 1
            found[free.pop().key] = member
    for it in free:  # somebody has too much that moves already; for now the rest stays where it is, or goes anywhere
        home = it.owner if it.owner in count else staying[it.number % len(staying)]
        assert home is not None
        found[it.key] = home
    return found
