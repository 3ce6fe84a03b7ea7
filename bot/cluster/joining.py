"""Whether a process may join the others, and what it finds."""

from ipaddress import ip_address
from typing import NamedTuple

from sqlalchemy import Connection

from bot.cluster.leases import CHORES, PARTITION, SHARD, Key
from bot.cluster.partitions import PARTITIONS
from bot.store import cluster, locks
from bot.store.cluster import LEASE_MS, Now, Process, Seen


class Refused(Exception):
    """The process does not go with those that are alive. ``setting`` is the one to be changed; the text says why, and
    what to do."""

    def __init__(self, setting: str, text: str) -> None:
        super().__init__(text)
        self.setting = setting


class Joined(NamedTuple):
    """What a process finds that has joined."""

    at: int
    """When, by the database's clock, ms."""
    shards: int
    """Into how many shards all servers are divided."""
    first: bool
    """Whether no other process is alive."""
    alone: bool
    """Whether none has been for so long that none can be late: what they had may be taken at once."""


def join(connection: Connection, me: Process, shards: int, now: Now) -> Joined:
    """Add *me* to the processes; if it is the first, there are *shards* shards from now on.

    Raises:
        Refused: it does not go with those that are alive.
    """
    locks.hold(connection, [locks.JOINING])
    at = now(connection)
    seen, common = cluster.see(connection, at, at), cluster.common(connection)
    _check(me, seen, common[0] if common is not None else me.application)
    if common is not None and seen.members:
        shards = common[1]
    cluster.set_common(connection, me.application, shards)
    keys: list[Key] = [(SHARD, number) for number in range(shards)]
    keys += [(PARTITION, number) for number in range(PARTITIONS)]
    cluster.make_leases(connection, [*keys, (CHORES, 0)])
    cluster.add(connection, me, at)
    alone = not seen.members and all(died <= at - 2 * LEASE_MS for died in seen.dead.values())
    return Joined(at, shards, not seen.members, alone)


def _check(me: Process, seen: Seen, application: int) -> None:
    """Check that *me* goes with the processes that are *seen* to be alive, which are the bot *application*.

    Raises:
        Refused: it does not.
    """
    if not seen.members:
        return
    if me.local:
        raise Refused(
            "DISCORD_TOKEN", "it is not set: each process has a local Discord of its own, and one uses this database"
        )
    if application != me.application:
        raise Refused(
            "DISCORD_TOKEN",
            f"processes of another bot ({application}) use this database; use their token, or another database",
        )
    for host, address in seen.hosts:
        if host == me.host:
            continue
        if is_loopback(me.address):
            raise Refused("CLUSTER_ADDRESS", f"another process runs on {host}, which cannot reach {me.address}")
        if is_loopback(address):
            raise Refused(
                "CLUSTER_ADDRESS", f"the process on {host} can only be reached there ({address}): set its own"
            )


def is_loopback(address: str) -> bool:
    """Whether *address*, HOST:PORT, can only be reached on the machine itself."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost")
