"""Which shards a process should take: so that all have as many, or one more. Everything here is a value."""

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from bot.cluster.session import Kind, Seen


class Plan(NamedTuple):
    """What a process should do now."""

    take: tuple[int, ...] = ()
    """Shards that nobody holds, to be taken at once."""
    want: tuple[int, ...] = ()
    """Shards of others, to be taken over once a session of this process is READY."""


def plan(me: int, seen: Seen, shards: int, *, only: Collection[int] | None = None) -> Plan:
    """What the process *me* should do after what it has *seen*, with so many *shards* in all. Of those that nobody
    holds it takes none but *only* these (``None``: any)."""
    staying = sorted(it.id for it in seen.processes if not it.leaving)
    if me not in staying:
        return Plan()
    alive = {it.id for it in seen.processes}
    holders = {n: it for n, it in seen.of_kind(Kind.SHARD).items() if n < shards and it in alive}
    wanted = {n: it for n, it in seen.of_kind(Kind.WANTED).items() if n < shards and it in staying}
    count = Counter(dict.fromkeys(staying, 0))
    """How many each has, once all have what they want."""
    for number in range(shards):
        soon = wanted.get(number, holders.get(number))
        if soon is not None and soon in count:
            count[soon] += 1
    least, more = divmod(shards, len(staying))
    most = least + (more > 0)
    take = []
    for number in range(shards):
        if number in holders or wanted.get(number, me) != me or (only is not None and number not in only):
            continue
        if number in wanted:
            take.append(number)
        elif count[me] < most:
            take.append(number)
            count[me] += 1
    if take:
        return Plan(tuple(take))
    want: list[int] = []
    for number in sorted(holders, reverse=True):
        holder = holders[number]
        if holder == me or number in wanted or count[me] >= most:
            continue
        if holder not in count:  # it leaves
            want.append(number)
        elif count[holder] > count[me] + 1:
            want.append(number)
            count[holder] -= 1
        else:
            continue
        count[me] += 1
    return Plan(want=tuple(want))
