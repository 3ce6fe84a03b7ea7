"""One process among others on the same database: it joins, renews its leases every second, takes what it should have,
gives what others should have, and leaves.

By the database's clock a process is alive for 3 s after it has renewed that; what it has can be taken over afterwards.
A process that could not renew for so long takes nothing from others until it has renewed for 3 s without a gap: when
the database was away everybody is late, and nobody dead.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock, steady_ms
from bot.cluster.duties import Duties, Serving
from bot.cluster.held import MARGIN_MS, Held, Holding
from bot.cluster.joining import Refused, join
from bot.cluster.leases import CHORES, PARTITION, SHARD, Key, Lease, Member, plan
from bot.cluster.news import Hearing, News
from bot.cluster.partitions import partition_of
from bot.log import fields, level_of
from bot.store import cluster
from bot.store.cluster import LEASE_MS, Now, Process, Seen, database_now
from bot.store.database import reason
from bot.store.store import Store
from bot.tables.ownership import Fence

__all__ = ["Membership", "Refused", "Serving"]

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 1.0
"""How often a process renews its leases, and reads what the others say."""
PATIENCE_SECONDS: Final = 2.0
"""How long the database is waited for, then it is asked anew."""
TIDY_BEATS: Final = 60
"""Every so many beats whoever has the chores deletes what is too old."""
LEAVING_SECONDS: Final = 60.0
"""How long a process waits that others take over what it has, when it leaves."""
POLL_SECONDS: Final = 0.1


class Membership:
    """This *process* among others on *store*; *serving* is told what to do. Also an ``Ownership``: it knows which
    tables are served here.

    *clock* is the program's, for what is said to others about outages; ``cut_off`` tells whether a shard of this
    process has no connection; *now* and *steady* are for tests: the clock that all processes share, and this one's own.
    """

    def __init__(
        self,
        store: Store,
        process: Process,
        serving: Serving,
        clock: Clock,
        *,
        cut_off: Callable[[], bool] = lambda: False,
        now: Now = database_now,
        steady: Callable[[], int] = steady_ms,
    ) -> None:
        self.process = process
        self.nudge: Callable[[Member], Awaitable[None]] = _nobody
        """Has another process look at once."""
        self.shards = 0
        """Into how many shards all servers are divided; known once this process has joined."""
        self.first = False
        """Whether nobody else was alive when this process joined."""
        self._store = store
        self._serving = serving
        self._clock = clock
        self._cut_off = cut_off
        self._now = now
        self._steady = steady
        self._holding = Holding(process.id, steady)
        self._seen = Seen(0, (), (), {}, {}, (), ())
        self._home: dict[int, str | None] = {}
        self._hearing = Hearing(process.id, serving.hear)
        self._duties = Duties(
            self._holding, serving, self._give, self._claim, self._taken_from_dead, self._hearing.again
        )
        self._looking = asyncio.Lock()
        """Held while this process reads or changes what the database says of leases: one at a time."""
        self._next: asyncio.Future[None] | None = None
        """The beat that has not begun yet, if one waits."""
        self._beats = 0
        self._renewed: int | None = None
        """When the last renewal that went well was begun."""
        self._since = 0
        """Since when they all did."""
        self._leaving = False
        self._left = False
        """Whether this process is none of them any more."""
        self._trouble: Exception | None = None
        self._loop: asyncio.Task[None] | None = None
        self._told: set[asyncio.Task[None]] = set()

    # Looking

    @property
    def members(self) -> tuple[Member, ...]:
        """All processes that are alive, this one included, as last read."""
        return self._seen.members

    @property
    def anybody_cut_off(self) -> bool:
        """Whether some clicks can reach nobody now, as last read: a process has no connection, or a shard is nobody's,
        or is not open yet."""
        lost = self.unserved(SHARD) > 0
        opening = any(not it.ready for it in self._holding.of_kind(SHARD))
        return lost or opening or self._cut_off() or any(member.cut_off for member in self.members)

    def is_me(self, member: Member) -> bool:
        """Whether *member* is this process."""
        return member.id == self.process.id

    def home(self, channel: int) -> Member | None:
        """Who serves the table in *channel*, as last read; ``None``: nobody who is alive."""
        owner = self._home.get(partition_of(channel))
        return next((member for member in self.members if member.id == owner), None)

    shared = True

    def owns(self, channel: int) -> bool:
        """As ``Ownership.owns``."""
        return self._holding.owns(channel)

    def holds(self, channel: int) -> bool:
        """As ``Ownership.holds``."""
        return self._holding.holds(channel)

    def fence_of(self, channel: int) -> Fence | None:
        """As ``Ownership.fence_of``."""
        return self._holding.fence_of(channel)

    @property
    def has_chores(self) -> bool:
        """Whether this process does what only one does."""
        return (CHORES, 0) in self._holding.held and self._holding.valid

    def held(self, kind: str) -> list[int]:
        """The numbers of the leases of *kind* that this process has."""
        return sorted(it.lease.number for it in self._holding.of_kind(kind))

    @property
    def seconds_left(self) -> float:
        """For how long nobody else can take over what this process has; not positive: somebody may have."""
        return (self._holding.valid_until - self._steady()) / 1000

    def unserved(self, kind: str) -> int:
        """How many leases of *kind* nobody has who is alive, as last read."""
        alive = {member.id for member in self.members}
        return sum(it.kind == kind and it.owner not in alive for it in self._seen.leases)

    # Joining and leaving

    async def join(self, shards: int) -> None:
        """Become one of the processes. If none is alive, there are *shards* shards from now on, else as many as before.

        Raises:
            Refused: it does not go with those that are alive.
            SQLAlchemyError, OSError: the database refuses.
        """
        began = self._steady()
        joined = await self._store.in_cluster(lambda connection: join(connection, self.process, shards, self._now))
        self.shards, self.first = joined.shards, joined.first
        self._renewed, self._hearing.until = began, joined.at
        self._since = began - LEASE_MS if joined.alone else began
        self._seen = self._seen._replace(at=joined.at)

    async def start(self) -> None:
        """Take what there is to take, and renew every second from now on."""
        await self.beat()
        self._loop = asyncio.get_running_loop().create_task(self._beat_on(), name="membership")

    async def leave(self, seconds: float = LEAVING_SECONDS) -> None:
        """Hand everything over to the others, if there are any, and be none of the processes any more. What nobody has
        taken after *seconds* is free then."""
        self._leaving = True
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        await self.beat()
        while self._holding.held and self._others() and loop.time() < until:
            self._nudge(self._others())
            await asyncio.sleep(POLL_SECONDS)
            await self.beat()
        await self._duties.finish()
        await self._duties.end_all()
        await self._hearing.finish()
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.wait({self._loop})
        async with self._looking:
            self._left = True
            self._holding.held.clear()
            try:
                await self._store.in_cluster(lambda connection: cluster.remove(connection, self.process.id))
            except (SQLAlchemyError, OSError) as error:  # the others find out by themselves
                log.warning("not signed off: %s", reason(error))
        self._nudge(self._others())
        while self._told:
            await asyncio.wait(set(self._told))

    def _others(self) -> list[Member]:
        """The other processes that stay."""
        return [member for member in self.members if not member.leaving and not self.is_me(member)]

    # News

    async def tell(self, kind: str, **data: Any) -> News:
        """Have every other process know that something has happened; *data* is written as JSON.

        Raises:
            SQLAlchemyError, OSError: the database refuses.
        """
        me = self.process.id
        news = await self._store.in_cluster(lambda it: cluster.tell(it, self._now(it), me, kind, data))
        self._hearing.note(news)
        return news

    async def heard_by_all(self, seconds: float) -> bool:
        """Wait until every process that is alive has applied all news that there are now, for up to *seconds*; return
        whether they have."""
        until = asyncio.get_running_loop().time() + seconds
        await self.refresh()
        written = self._seen.at
        while True:
            late = [it for it in self.members if not self.is_me(it) and self._seen.heard.get(it.id, 0) < written]
            if not late or asyncio.get_running_loop().time() > until:
                return not late
            self._nudge(late)
            await asyncio.sleep(POLL_SECONDS)
            await self.refresh()

    # The beat

    async def _beat_on(self) -> None:
        """Renew every second."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            due = max(due + BEAT_SECONDS, loop.time())
            await asyncio.sleep(due - loop.time())
            try:
                await self.beat()
            except Exception:  # the boundary of this task: without it everything would be lost
                log.exception("the beat failed")

    async def beat(self) -> None:
        """Renew the leases, read what the others say, and do what follows from it. If the database fails, that is
        logged once. Beats do not overlap: whoever asks for one while another waits gets that."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._beat())
        await asyncio.shield(self._next)

    async def _beat(self) -> None:
        """As ``beat``."""
        async with self._looking:
            self._next = None
            if self._renewed is None:  # it has not joined: the nudge was for whoever had its address before
                return
            await self._look(renew=True)

    async def refresh(self) -> bool:
        """Read again who serves what; return whether it could be read. If the database fails, that is logged once."""
        async with self._looking:
            await self._look(renew=False)
            return self._trouble is None

    async def _look(self, *, renew: bool) -> None:
        """Read what the others say, after having renewed the leases if *renew* says so, and do what follows from it."""
        began, heard_at = self._steady(), self._hearing.until
        renew = renew and not self._left  # somebody may still nudge it

        def work(connection: Connection) -> Seen:
            now, me = self._now(connection), self.process
            if renew:
                leaving, cut_off = self._leaving, self._cut_off()
                if not cluster.renew(connection, me.id, now, leaving=leaving, cut_off=cut_off, heard_at=heard_at):
                    cluster.add(connection, me, now)
            return cluster.see(connection, now, self._seen.at)

        try:
            seen = await self._ask(work)
            if seen is None:
                return
            if renew:
                gap = self._renewed is not None and began - self._renewed >= LEASE_MS
                self._since = began if gap else self._since
                self._renewed, self._holding.valid_until = began, began + LEASE_MS - MARGIN_MS
            died = sorted(seen.dead.keys() - self._seen.dead.keys())
            self._take_note(seen)
            await self._do(began)
        finally:
            self._duties.look()
        self._serving.share(max(1, len(seen.members)))
        self._hearing.look(seen.news, seen.at, died)
        self._beats += renew
        if renew and self.has_chores and self._beats % TIDY_BEATS == 0:
            await self._ask(lambda connection: cluster.tidy(connection, self._now(connection)))

    async def _ask(self, work: Callable[[Connection], Any]) -> Any:
        """Run *work* in a transaction and return its result; ``None``: the database does not answer, which is logged
        once, and once more when it does."""
        try:
            result = await self._store.in_cluster(work, within=PATIENCE_SECONDS)
        except (SQLAlchemyError, OSError) as error:
            if self._trouble is None:
                log.error("leases cannot be renewed: %s", reason(error))
            self._trouble = error
            return None
        if self._trouble is not None:
            log.log(level_of(self._trouble, logging.INFO), "leases can be renewed again")
            self._trouble = None
        return result

    def _take_note(self, seen: Seen) -> None:
        """Note who serves what; of what this process has that others have now, or that it has been given."""
        known = {it.key: it for it in seen.leases}
        held = self._holding.held
        lost = []
        for key, it in list(held.items()):
            now = known.get(key)
            if now is None or (now.owner, now.fence) != (self.process.id, it.lease.fence):
                lost.append(held.pop(key))
            else:
                it.lease = now
        if lost:
            log.info("leases lost", extra=fields(n=len(lost)))
            self._duties.lose(lost)
        for mine in seen.leases:
            if mine.owner == self.process.id and mine.key not in held:
                held[mine.key] = Held(mine)
        self._see(seen)

    def _see(self, seen: Seen) -> None:
        """Know what is *seen* from now on."""
        self._seen = seen
        self._home = {it.number: it.owner for it in seen.leases if it.kind == PARTITION}

    async def _do(self, began: int) -> None:
        """Do what follows from what is seen, by a look that *began* then."""
        seen, me = self._seen, self.process.id
        for held in self._holding.held.values():
            waits = any(member.id == held.lease.successor and not member.leaving for member in seen.members)
            if held.going and not held.busy and not waits:  # whoever waited for it is gone: serve it again
                held.going = held.left = held.ready = False
        what = plan(me, seen.members, seen.leases, from_dead=began - self._since >= LEASE_MS)
        if what.take or what.follow:
            taken, followed = await self._ask(
                lambda it: (cluster.take(it, me, what.take, self._now(it)), cluster.follow(it, me, what.follow))
            ) or ([], [])
            before = {it.key: it.owner for it in what.take}
            for it in taken:
                self._holding.held[it.key] = Held(it, seen.dead.get(before[it.key] or ""))
            if taken:
                log.info("leases taken", extra=fields(n=len(taken)))
            owners = {it.owner for it in followed}
            self._nudge([member for member in seen.members if member.id in owners])
            self._changed([*taken, *followed])
        for it in self._seen.leases:
            if it.kind == SHARD and it.successor == me and it.owner != me and not self._leaving:
                self._duties.overtake(it)
        asked = [mine for it in what.give if (mine := self._holding.held.get(it.key)) is not None and not mine.busy]
        if done := [mine for mine in asked if mine.left]:
            await self._give_now(done)
        self._duties.hand_over([mine for mine in asked if not mine.left])

    def _changed(self, leases: Sequence[Lease]) -> None:
        """Know that *leases* are as they are here."""
        known: dict[Key, Lease] = {it.key: it for it in (*self._seen.leases, *leases)}
        self._see(self._seen._replace(leases=tuple(known.values())))

    # What the duties need

    async def _give(self, which: Sequence[Held]) -> None:
        """Hand *which* over to those who wait for it."""
        async with self._looking:
            await self._give_now([it for it in which if self._holding.has(it)])

    async def _give_now(self, which: Sequence[Held]) -> None:
        """As ``_give``, while nobody looks."""
        me = self.process.id
        given = await self._ask(lambda it: cluster.give(it, me, [held.lease for held in which])) or []
        for it in given:
            self._holding.held.pop(it.key, None)
        self._changed(given)
        owners = {it.owner for it in given}
        self._nudge([member for member in self.members if member.id in owners])

    async def _claim(self, lease: Lease) -> Held | None:
        """Take *lease* from its owner; ``None``: that is not possible any more."""
        async with self._looking:
            me = self.process.id
            known = next((it for it in self._seen.leases if it.key == lease.key), lease)
            if known.owner == me:  # it was free meanwhile
                return self._holding.held.get(lease.key)
            claimed = await self._ask(lambda it: cluster.claim(it, me, known))
            if claimed is None:
                return None
            held = self._holding.held[lease.key] = Held(claimed, self._seen.dead.get(known.owner or ""))
            self._changed([claimed])
            self._nudge([member for member in self.members if member.id == known.owner])
            return held

    async def _taken_from_dead(self, which: Sequence[Held]) -> None:
        """Say that nobody served *which* since its owners died."""
        if not which:
            return
        died = min(it.died for it in which if it.died is not None)
        until = self._clock.now()
        kind = "outage" if any(it.lease.kind == SHARD for it in which) else "unserved"
        news = await self.tell(kind, began=until - max(0, self._seen.at - died), ended=until)
        await self._serving.hear([news])

    def _nudge(self, members: Sequence[Member]) -> None:
        """Have *members* look at once. If that fails, they look within a second."""
        for member in members:
            if not self.is_me(member):
                task = asyncio.get_running_loop().create_task(_quietly(self.nudge(member)))
                self._told.add(task)
                task.add_done_callback(self._told.discard)


async def _quietly(nudge: Awaitable[None]) -> None:
    """Do *nudge*; if it fails, that is only logged."""
    try:
        await nudge
    except Exception as error:  # noqa: BLE001 - a process that does not answer looks by itself
        log.debug("not nudged", extra=fields(fault=type(error).__name__))


async def _nobody(member: Member) -> None:
    """There is no way to the others yet."""
