"""What several processes say to each other through the database: who is alive, who serves what, the news.

Everything here runs inside a transaction of the caller. All times are the database's, in ms since 1970: the clocks of
the processes' machines may be wrong.
"""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.cluster.leases import Key, Lease, Member
from bot.cluster.news import KEPT_MS, OVERLAP_MS, News
from bot.store import locks
from bot.store.schema import cluster, identifies, interactions, leases, news, processes

LEASE_MS: Final = 3_000
"""How long a process counts as alive after it has renewed that."""
COUNTED_MS: Final = 20 * 60_000
"""How long an interaction is remembered: its token is valid for 15 minutes."""
DEAD_MS: Final = 600_000
"""How long the rows of dead processes are kept."""
OPENINGS: Final = -1
"""The bucket of those turns in which the bot opens direct messages with somebody; the others are for IDENTIFYs."""
Now = Callable[[Connection], int]
"""Asks a clock that all processes share."""

_CLOCKS: Final = {
    "postgresql": sa.text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"),
    "sqlite": sa.text("SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"),
}
_RENEW: Final = processes.update().where(processes.c.id == sa.bindparam("which"))
_PROCESSES: Final = sa.select(processes).order_by(processes.c.id)
_LEASES: Final = sa.select(leases)
_NEWS: Final = sa.select(news).where(news.c.at >= sa.bindparam("since")).order_by(news.c.id)


class Process(NamedTuple):
    """What a process says of itself when it joins."""

    id: str
    """Random, and never used again."""
    address: str
    """HOST:PORT at which the others reach it."""
    host: str
    """The name of its machine."""
    application: int
    """The bot that it is."""
    local: bool = False
    """Whether it plays on a local Discord, which is its own."""


class Seen(NamedTuple):
    """What a process sees of the others."""

    at: int
    members: tuple[Member, ...]
    """Those that are alive, by id."""
    hosts: tuple[tuple[str, str], ...]
    """(host, address) of each of them."""
    dead: dict[str, int]
    """When each of the others was alive for the last time, as far as is known, by id."""
    heard: dict[str, int]
    """By when each of those that are alive has applied all news, by id."""
    leases: tuple[Lease, ...]
    news: tuple[News, ...]
    """Those of the last seconds."""


def database_now(connection: Connection) -> int:
    """The time on the database's clock."""
    return int(connection.execute(_CLOCKS[connection.dialect.name]).scalar_one())


# Being there


def see(connection: Connection, now: int, since: int) -> Seen:
    """What is there at *now*; news from *since* on, and a little before."""
    alive, dead = [], {}
    for row in connection.execute(_PROCESSES):
        if row.expires_at > now:
            alive.append(row)
        else:
            dead[row.id] = row.expires_at - LEASE_MS
    found = connection.execute(_NEWS, {"since": since - OVERLAP_MS})
    return Seen(
        now,
        tuple(Member(row.id, row.address, row.leaving, row.cut_off) for row in alive),
        tuple((row.host, row.address) for row in alive),
        dead,
        {row.id: row.heard_at for row in alive},
        tuple(Lease(*row) for row in connection.execute(_LEASES)),
        tuple(News(row.id, row.at, row.sender, row.kind, json.loads(row.data)) for row in found),
    )


def renew(connection: Connection, me: str, now: int, *, leaving: bool, cut_off: bool, heard_at: int) -> bool:
    """Have the process *me* count as alive for ``LEASE_MS`` from *now* on; return whether it is known at all."""
    row = {"expires_at": now + LEASE_MS, "leaving": leaving, "cut_off": cut_off, "heard_at": heard_at}
    return connection.execute(_RENEW, {"which": me, **row}).rowcount == 1


def add(connection: Connection, me: Process, now: int) -> None:
    """Add the process *me*, which is alive."""
    row = {"id": me.id, "address": me.address, "host": me.host, "started_at": now, "expires_at": now + LEASE_MS}
    connection.execute(processes.insert(), {**row, "leaving": False, "cut_off": False, "heard_at": now})


def remove(connection: Connection, me: str) -> None:
    """Remove the process *me*; what it still has is free from now on."""
    mine = leases.update().where(leases.c.owner == me)
    connection.execute(mine.values(owner=None, fence=leases.c.fence + 1, successor=None))
    connection.execute(processes.delete().where(processes.c.id == me))


def living(connection: Connection) -> int:
    """How many processes are alive; on PostgreSQL none can join before the caller's transaction ends."""
    locks.hold(connection, [locks.JOINING])
    alive = sa.select(sa.func.count()).select_from(processes).where(processes.c.expires_at > database_now(connection))
    return int(connection.execute(alive).scalar_one())


def common(connection: Connection) -> tuple[int, int] | None:
    """(application, number of shards) of all processes; ``None``: there was never one."""
    row = connection.execute(sa.select(cluster)).first()
    return None if row is None else (row.application_id, row.shards)


def set_common(connection: Connection, application: int, shards: int) -> None:
    """Record the *application* and the number of *shards* of all processes."""
    connection.execute(cluster.delete())
    connection.execute(cluster.insert(), {"id": 1, "application_id": application, "shards": shards})


def make_leases(connection: Connection, wanted: Collection[Key]) -> None:
    """Have exactly the leases *wanted*; those that were there stay as they are."""
    there = {(row.kind, row.number) for row in connection.execute(sa.select(leases.c.kind, leases.c.number))}
    for kind, number in there - set(wanted):
        connection.execute(leases.delete().where(leases.c.kind == kind, leases.c.number == number))
    new = [{"kind": kind, "number": number, "fence": 0} for kind, number in sorted(set(wanted) - there)]
    if new:
        connection.execute(leases.insert(), new)


# Who serves what


def take(connection: Connection, me: str, wanted: Iterable[Lease], now: int) -> list[Lease]:
    """Make *me* the owner of those leases *wanted* that nobody alive has; return them as they are now.

    An owner that renews at the same moment keeps them: its row is locked, so that it either has renewed before, or
    finds them lost. What somebody locks is left out, for another time: it may be a process that stands still in the
    middle of a commit.
    """
    all_of_them = list(wanted)
    owners = {it.owner for it in all_of_them if it.owner is not None}
    known = sa.select(processes.c.id, processes.c.expires_at).where(processes.c.id.in_(owners))
    there = {row.id for row in connection.execute(known)} if owners else set()
    locked = connection.execute(known.with_for_update(skip_locked=True)) if owners else ()
    dead = (owners - there) | {row.id for row in locked if row.expires_at <= now}
    return _hand(connection, me, [it for it in all_of_them if it.owner is None or it.owner in dead])


def claim(connection: Connection, me: str, lease: Lease) -> Lease | None:
    """Make *me*, its successor, the owner of *lease*, whoever has it; return it as it is then; ``None``: it is not to
    have it any more."""
    row = connection.execute(sa.select(leases).where(*_is(lease)).with_for_update()).first()
    if row is None or row.fence != lease.fence or row.successor != me:
        return None
    return next(iter(_hand(connection, me, [lease])), None)


def _hand(connection: Connection, owner: str, which: Sequence[Lease]) -> list[Lease]:
    """Make *owner* the owner of those of *which* that have not changed hands and that nobody locks; return them as they
    are then."""
    if not which:
        return []
    this = sa.tuple_(leases.c.kind, leases.c.number, leases.c.fence)
    unchanged = this.in_([(it.kind, it.number, it.fence) for it in which])
    query = sa.select(leases.c.kind, leases.c.number, leases.c.fence).where(unchanged)
    locked = [tuple(row) for row in connection.execute(query.with_for_update(skip_locked=True))]
    if locked:
        change = leases.update().where(this.in_(locked))
        connection.execute(change.values(owner=owner, fence=leases.c.fence + 1, successor=None))
    return [Lease(kind, number, owner, fence + 1, None) for kind, number, fence in locked]


def give(connection: Connection, me: str, which: Sequence[Lease]) -> list[Lease]:
    """Hand those of *which* that *me* has to the successors that are known; return them as they are then. Nothing of
    *me* is being committed under them."""
    given = []
    for owner in sorted({it.successor for it in which if it.successor is not None}):
        given += _hand(connection, owner, [it for it in which if it.successor == owner and it.owner == me])
    return given


def follow(connection: Connection, me: str, which: Iterable[Lease]) -> list[Lease]:
    """Make *me* the successor of those of *which* that have not changed hands and got no other successor; return them
    as they are then."""
    followed = []
    for it in sorted(which, key=lambda it: it.key):  # in one order, or two processes might wait for each other
        same = leases.c.successor.is_(None) if it.successor is None else leases.c.successor == it.successor
        this = leases.update().where(*_is(it), leases.c.fence == it.fence, same)
        if connection.execute(this.values(successor=me)).rowcount == 1:
            followed.append(it._replace(successor=me))
    return followed


def _is(lease: Lease) -> tuple[sa.ColumnElement[bool], ...]:
    """What finds the row of *lease*."""
    return leases.c.kind == lease.kind, leases.c.number == lease.number


# What else they share


def tell(connection: Connection, now: int, sender: str, kind: str, data: dict[str, Any]) -> News:
    """Write news."""
    row = {"at": now, "sender": sender, "kind": kind, "data": json.dumps(data)}
    number = connection.execute(news.insert().returning(news.c.id), row).scalar_one()
    return News(number, now, sender, kind, data)


def take_turn(connection: Connection, bucket: int, now: int, apart_ms: int, at_once: int = 1) -> int:
    """Take the next turn in *bucket*; return in how many ms that is. Turns are *apart_ms* apart; after a pause up to
    *at_once* of them come at the same time."""
    this = identifies.c.bucket == bucket
    locks.hold(connection, [locks.JOINING])
    row = connection.execute(sa.select(identifies.c.next_at).where(this)).first()
    first = now - (at_once - 1) * apart_ms
    at = max(first, row.next_at) if row is not None else first
    if row is None:
        connection.execute(identifies.insert(), {"bucket": bucket, "next_at": at + apart_ms})
    else:
        connection.execute(identifies.update().where(this), {"next_at": at + apart_ms})
    return max(0, at - now)


def tidy(connection: Connection, now: int) -> None:
    """Delete what is too old to matter: news, interactions, dead processes."""
    connection.execute(news.delete().where(news.c.at < now - KEPT_MS))
    connection.execute(interactions.delete().where(interactions.c.at < now - COUNTED_MS))
    connection.execute(processes.delete().where(processes.c.expires_at < now - DEAD_MS))
