"""The shards that this process holds: it takes them, hands them over, loses them.

To hold a shard is to hold a lock of PostgreSQL (``session``). A process reads all locks twice a second, and acts on
them (``choose_shards_to_take``). A shard of a process that is alive moves *by overlap*: the new process opens a session
with Discord, and takes a lock that says that it is READY; then the holder finishes what has begun, and releases the
shard. Every process keeps a session of shard 0 besides: the clicks in direct messages all come there.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection
from typing import Final, NamedTuple

from bot.background import Background
from bot.clock import Clock, monotonic_ms
from bot.cluster.session import IDLE_SECONDS, ClusterState, Lock, LockKind, Process, Session
from bot.log import fields
from bot.store.changes import LOCKS_CHANGED, Announcement
from bot.store.database import Unavailable
from bot.tables.shards import Serving

# Which shards a process should take: so that all have as many, or one more. Everything here is a value.


class ShardPlan(NamedTuple):
    """The shards that a process should take: free ones at once, others by overlap from the process that holds them."""

    take: tuple[int, ...] = ()
    """Shards that nobody holds, to be taken at once."""
    want: tuple[int, ...] = ()
    """Shards of other processes, to be taken over once a session of this process is READY."""


def choose_shards_to_take(
    me: int, cluster: ClusterState, shard_count: int, *, only: Collection[int] | None = None
) -> ShardPlan:
    """Decide which shards the process *me* should take, free ones first, so that in the end all have as many or one
    more; perhaps none. Pure.

    If none are free, it wants shards of a process that has too many or leaves. *cluster* are the processes and their
    locks. Of the free shards it takes only those in *only* (``None``: any).
    """
    staying = sorted(it.id for it in cluster.processes if not it.leaving)
    if me not in staying:
        return ShardPlan()
    alive = {it.id for it in cluster.processes}
    holders = {n: it for n, it in cluster.locks_of_kind(LockKind.SHARD).items() if n < shard_count and it in alive}
    wanted = {n: it for n, it in cluster.locks_of_kind(LockKind.WANTED).items() if n < shard_count and it in staying}
    count = Counter(dict.fromkeys(staying, 0))
    """How many each has, once all have what they want."""
    for number in range(shard_count):
        soon = wanted.get(number, holders.get(number))
        if soon is not None and soon in count:
            count[soon] += 1
    least, more = divmod(shard_count, len(staying))
    most = least + (more > 0)
    take = []
    for number in range(shard_count):
        if number in holders or wanted.get(number, me) != me or (only is not None and number not in only):
            continue
        if number in wanted:
            take.append(number)
        elif count[me] < most:
            take.append(number)
            count[me] += 1
    if take:
        return ShardPlan(tuple(take))
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
    return ShardPlan(want=tuple(want))


log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""How often a process reads all locks."""
VALID_MS: Final = round(IDLE_SECONDS * 1000) - 1000
"""How long after an answer of PostgreSQL a process is sure of its locks; requests to Discord take time."""
RECONNECT_GRACE_MS: Final = round(IDLE_SECONDS * 1000)
"""How long a process whose session has ended takes only shards that it had: others may be late for the same reason."""
REDRAW_SECONDS: Final = 5.0
"""The wait before the messages of a taken shard are edited once more: its old holder may have sent a late edit."""
LEAVING_SECONDS: Final = 60.0
"""How long a process that leaves waits until others have taken over its shards."""
POLL_SECONDS: Final = 0.1
IDENTIFY_SECONDS: Final = 5.5
"""The pause between two IDENTIFYs of one bucket: Discord wants 5 s between their arrivals.
https://discord.com/developers/docs/events/gateway#rate-limiting
"""


Connect = Callable[[Callable[[str], None], Callable[[], None]], Awaitable[Session]]
"""Opens a session: ``Session.connect`` with the address of a database."""


class CannotJoin(Exception):
    """This process cannot run together with the others on the database.

    ``setting`` is the one to be changed; the text says why, and what to do.
    """

    def __init__(self, setting: str, text: str) -> None:
        super().__init__(text)
        self.setting = setting


class _HeldShard:
    """The state of a shard that this process holds: whether its tables are served, whether it is being handed over."""

    def __init__(self) -> None:
        self.clean = False
        """Whether what this process knew of its tables when it held it before is forgotten: until then it must send
        nothing about them, as another process may have served them in between."""
        self.ready = False
        """Whether its tables are served."""
        self.going = False
        """Whether it is being handed over."""


class HeldShards:
    """The shards of this process, one of several on a PostgreSQL database: it takes, hands over and loses them.

    *connect* opens a session with the database. *called* is the name of the process for people, *sender* its name in
    announcements. *wanted* is the number of shards if no other process is alive (0: as many as Discord recommends). On
    a *local* Discord a process stays alone. *clock* is the program's; *steady* counts also while the machine sleeps.
    """

    def __init__(
        self,
        connect: Connect,
        sender: str,
        called: str,
        clock: Clock,
        wanted: int = 0,
        *,
        local: bool = False,
        steady: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._connect = connect
        self._sender = sender
        self._called = called
        self._clock = clock
        self._wanted = wanted
        self._local = local
        self._steady = steady
        self.first: list[int] | None = [0]
        """The shards of which every process has a session."""
        self.count: int = 1
        """Into how many shards all servers are divided."""
        self.concurrency = 1
        """How many shards may identify at the same time (``max_concurrency``)."""
        self.others = False
        """Whether another process was alive when this one joined."""
        self.living = 1
        """How many processes are alive."""
        self.unheld = 0
        """How many shards nobody holds, as last seen."""
        self.has_chores = False
        self._serving: Serving
        self._me: Process
        self._session: Session | None = None
        self._held: dict[int, _HeldShard] = {}
        self._valid_until = 0
        """Until when nobody else can hold them, on the clock *steady*."""
        self._only: set[int] | None = None
        """All that this process may take of what is free, after its session had ended; ``None``: anything."""
        self._free_until = 0
        """Until when, on the clock *steady*."""
        self._seen_held: dict[int, tuple[int, int]] = {}
        """Who was seen to hold each shard last, and when (ms)."""
        self._preparing: set[int] = set()
        """Shards that this process is taking over from others."""
        self._open: set[int] = set()
        """Shards with a session of this process that is READY."""
        self._connected = False
        self._leaving = False
        self._nudged = asyncio.Event()
        self._looking = asyncio.Lock()
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Bucket -> held while a shard of it identifies."""
        self._orders: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Shard -> held while it is taken or left: one after the other."""
        self._background = Background(log, "shards: something failed")  # what is missing is tried at the next look
        self._spawn = self._background.spawn
        self._loop: asyncio.Task[None] | None = None

    # What the rest of the program asks

    def shard_of(self, guild: int) -> int:
        """Return the shard of the server *guild* (0, for direct messages: shard 0).

        https://discord.com/developers/docs/events/gateway#sharding
        """
        return (guild >> 22) % self.count

    @property
    def has_valid_locks(self) -> bool:
        """Whether it is sure that no other process can hold this process's shards: the database answered less than 4 s
        ago."""
        return self._steady() < self._valid_until

    @property
    def seconds_until_takeover_possible(self) -> float:
        """For how many seconds no other process can take our shards; negative if that is in doubt."""
        return (self._valid_until - self._steady()) / 1000

    @property
    def held_shards(self) -> list[int]:
        """The numbers of the shards that this process holds as far as it knows, sorted."""
        return sorted(self._held)

    def serves(self, guild: int) -> bool:
        """Whether this process answers clicks in *guild* now: it holds the shard for sure, has its tables, and does not
        hand it over."""
        held = self._held.get(self.shard_of(guild))
        return held is not None and held.ready and not held.going and self.has_valid_locks

    def holds(self, guild: int) -> bool:
        """Whether this process holds the shard of *guild* for sure, and knows nothing old of its tables, also while it
        hands the shard over."""
        held = self._held.get(self.shard_of(guild))
        return held is not None and held.clean and self.has_valid_locks

    def has(self, guild: int) -> bool:
        """Whether this process holds the shard of *guild* as far as it knows, though its database session may have
        ended."""
        return self.shard_of(guild) in self._held

    async def wait_to_identify(self, shard: int) -> None:
        """Wait until *shard* may send IDENTIFY to Discord: one shard of a bucket every 5.5 s, over all processes."""
        bucket = shard % self.concurrency
        await self._turns[bucket].acquire()
        lock = Lock(LockKind.IDENTIFY, bucket)
        while not await self._try_lock(lock):  # noqa: ASYNC110 - PostgreSQL does not say when a lock is free
            await asyncio.sleep(POLL_SECONDS)

        async def over() -> None:
            await asyncio.sleep(IDENTIFY_SECONDS)
            self._turns[bucket].release()
            await self._unlock(lock)

        self._spawn(over())

    # Joining and leaving

    async def join_cluster(self, serving: Serving, application: int, recommended: int) -> None:
        """Become one of the bot's processes on the database, retrying until it answers; or raise CannotJoin if the
        others do not fit.

        Raises:
            CannotJoin: it cannot run together with those that are alive.
        """
        self._serving = serving
        while True:
            try:
                return await self._try_to_join_cluster(application, recommended)
            except Unavailable as error:
                log.info("not one of the processes yet: %s", error)
                await asyncio.sleep(LOOK_SECONDS)

    async def _try_to_join_cluster(self, application: int, recommended: int) -> None:
        """Try once to become one of the bot's processes, and set the number of shards to theirs; or raise CannotJoin or
        Unavailable."""
        session = await self._open_database_session()
        joining = Lock(LockKind.JOINING, 0)
        while not await session.try_lock(joining):  # noqa: ASYNC110 - as above
            await asyncio.sleep(POLL_SECONDS)
        seen = await session.read_cluster_state()
        try:
            self._check_same_bot(seen, application)
        except CannotJoin:
            await self.stop()
            raise
        self.others = bool(seen.processes)
        self.count = seen.processes[0].shards if self.others else self._wanted or recommended
        self._me = Process(session.id, application, self.count, leaving=False, called=self._called)
        await session.set_name(self._me.name)
        await session.unlock(joining)
        log.info("one of several processes", extra=fields(process=self._me.called, shards=self.count))

    def _check_same_bot(self, seen: ClusterState, application: int) -> None:
        """Raise CannotJoin if the processes in *seen* are of another bot than *application*, or this one has a Discord
        of its own."""
        for other in seen.processes:
            if self._local:
                raise CannotJoin(
                    "DISCORD_TOKEN",
                    "it is not set: each process has a local Discord of its own, and one uses this database",
                )
            if other.application != application:
                raise CannotJoin(
                    "DISCORD_TOKEN",
                    f"processes of another bot ({other.application}) use this database; use their token, or another "
                    "database",
                )

    async def start(self, serving: Serving) -> None:
        """Start the task that reads the locks twice a second and acts on them; it takes shards only after
        ``start_taking_shards``."""
        self._loop = asyncio.get_running_loop().create_task(self._read_locks_repeatedly(), name="shards")

    def start_taking_shards(self) -> None:
        """Begin to take shards, because shard 0 has its session with Discord now."""
        self._connected = True
        self._nudged.set()

    async def leave_cluster(self) -> None:
        """Hand all shards and chores over to the other processes, for up to a minute, then stop serving what nobody has
        taken."""
        if self._loop is None:
            return
        loop = asyncio.get_running_loop()
        until = loop.time() + LEAVING_SECONDS
        async with self._looking:
            self._leaving = True
            self._me = self._me._replace(leaving=True)
            if self._session is not None:
                await self._ignore_unavailable(self._session.set_name(self._me.name))
        if self.has_chores:
            await self._give_up_chores()
        await self._announce_lock_change()
        while self._held and loop.time() < until:
            await self._read_and_act_on_locks()
            if self._session is None or self.living == 0:
                break
            await asyncio.sleep(POLL_SECONDS)
        if self._held:
            for held in self._held.values():
                held.going = True
            await self._serving.release_shards(set(self._held))
            self._held.clear()

    async def stop(self) -> None:
        """Cancel all tasks and end the database session, which frees our locks; hands nothing over."""
        self._background.cancel()
        if self._loop is not None:
            self._loop.cancel()
        if self._session is not None:
            session, self._session = self._session, None
            await self._ignore_unavailable(session.announce(Announcement(self._sender, LOCKS_CHANGED).text))
            await self._ignore_unavailable(session.close())

    # The session

    async def _open_database_session(self) -> Session:
        """Open a session with the database and keep it as ours, or raise Unavailable; if it ends, our shards are in
        doubt at once."""

        def ended() -> None:
            if self._session is session:
                self._valid_until = 0
                self._nudged.set()

        session = await self._connect(self._handle_announcement, ended)
        self._session = session
        return session

    def _handle_announcement(self, text: str) -> None:
        """Act on the announcement *text*: if locks changed read them at once, else pass it to ``Serving``; ignore our
        own."""
        change = Announcement.parse(text)
        if change.sender == self._sender:
            return
        if change.kind == LOCKS_CHANGED:
            self._nudged.set()
        else:
            self._serving.handle_announcement(change)

    async def _announce_lock_change(self) -> None:
        """Tell the other processes to read the locks at once; nothing if the session has ended."""
        if self._session is not None:
            await self._ignore_unavailable(self._session.announce(Announcement(self._sender, LOCKS_CHANGED).text))

    async def _try_lock(self, lock: Lock) -> bool:
        """Take *lock* if it is free; return whether we hold it now; False also without a session."""
        try:
            return self._session is not None and await self._session.try_lock(lock)
        except Unavailable:
            return False

    async def _unlock(self, lock: Lock) -> None:
        """Release *lock*; do nothing if the session has ended, as that has freed it."""
        if self._session is not None:
            await self._ignore_unavailable(self._session.unlock(lock))

    @staticmethod
    async def _ignore_unavailable(asked: Awaitable[object]) -> None:
        """Await *asked*, a request to the database session, and ignore Unavailable: the next look at the locks notices
        it."""
        try:
            await asked
        except Unavailable as error:
            log.debug("not done", extra=fields(why=str(error)))

    # Looking

    async def _read_locks_repeatedly(self) -> None:
        """Read the locks and act on them twice a second, and at once when ``_nudged`` is set; log failures."""
        while True:
            self._nudged.clear()
            try:
                await self._read_and_act_on_locks()
            except Exception:  # the boundary of this task: without it everything would be lost
                log.exception("the look at the shards failed")
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._nudged.wait()
            except TimeoutError:
                pass

    async def _read_and_act_on_locks(self) -> None:
        """Read all locks once, and take or hand over shards accordingly; open a new session if ours has ended. Raises
        no Unavailable."""
        async with self._looking:
            try:
                session = self._session or await self._replace_database_session()
                began, was_valid = self._steady(), self.has_valid_locks
                seen = await session.read_cluster_state()
                self._valid_until = began + VALID_MS
                await self._take_and_hand_over_shards(session, seen)
                if not was_valid:
                    self._serving.answer_kept_clicks()
            except Unavailable as error:
                await self._note_session_lost(error)

    async def _replace_database_session(self) -> Session:
        """Open a new session after one has ended, lock our shards again, and stop serving those that others have now;
        or raise Unavailable."""
        session = await self._open_database_session()
        self._me = self._me._replace(id=session.id)
        await session.set_name(self._me.name)
        self._only = set(self._held)
        self._free_until = self._steady() + RECONNECT_GRACE_MS
        for number in self._only:
            if await session.try_lock(Lock(LockKind.SHARD, number)):
                self._start_serving_shard(number, self._clock.now() - round(IDLE_SECONDS * 1000))
            else:
                del self._held[number]
                self._spawn(self._stop_serving_shard(number))
        await self._serving.reload_settings_and_preferences()
        log.info("it is known again who holds what", extra=fields(shards=len(self._held)))
        return session

    async def _note_session_lost(self, error: Unavailable) -> None:
        """Close the session that has ended because of *error*: whether we hold our shards is in doubt from now on, and
        the chores stop."""
        self._valid_until = 0
        session, self._session = self._session, None
        if session is None:
            return
        log.info("nobody knows who holds what: %s", error, extra=fields(shards=len(self._held)))
        await session.close()
        self._preparing.clear()
        if self.has_chores:
            self.has_chores = False
            self._spawn(self._serving.start_or_stop_chores(False))

    async def _take_and_hand_over_shards(self, session: Session, seen: ClusterState) -> None:
        """Take free shards, prepare to take over others, hand over those that are wanted, and take free chores, as
        *seen* says.

        *seen* is what was just read. Raises Unavailable.
        """
        now, staying = self._clock.now(), [it.id for it in seen.processes if not it.leaving]
        holders = seen.locks_of_kind(LockKind.SHARD)
        self.living = len(staying)
        self.unheld = sum(number not in holders for number in range(self.count))
        self._serving.set_rate_limit_share(max(1, len(seen.processes)))
        if self._only is not None and self._steady() >= self._free_until:
            self._only = None
        for number, ready in seen.locks_of_kind(LockKind.READY).items():
            held = self._held.get(number)
            if held is not None and held.ready and not held.going and ready != session.id and ready in staying:
                held.going = True
                self._spawn(self._hand_over_shard(number))
        if self._connected and not self._leaving:
            todo = choose_shards_to_take(session.id, seen, self.count, only=self._only)
            for number in todo.take:
                if number not in self._held and await session.try_lock(Lock(LockKind.SHARD, number)):
                    self._start_serving_shard(number, self._unserved_since(number, seen))
            for number in todo.want if self._serving.may_begin_sessions else ():
                if number not in self._preparing and await session.try_lock(Lock(LockKind.WANTED, number)):
                    self._preparing.add(number)
                    self._spawn(self._prepare_takeover(number))
            if Lock(LockKind.CHORES, 0) not in seen.locks and await session.try_lock(Lock(LockKind.CHORES, 0)):
                self.has_chores = True
                self._spawn(self._serving.start_or_stop_chores(True))
        self._seen_held.update({number: (holder, now) for number, holder in holders.items()})
        self._close_unneeded_sessions()

    def _unserved_since(self, number: int, seen: ClusterState) -> int | None:
        """Return since when (ms) nobody has served the free shard *number*; ``None`` if its holder released it, or the
        holder is not known."""
        holder, at = self._seen_held.get(number, (0, 0))
        gone = holder and holder not in {it.id for it in seen.processes}
        return at - round(IDLE_SECONDS * 1000) if gone else None

    # Taking, handing over

    def _start_serving_shard(self, number: int, since: int | None) -> None:
        """Mark the shard *number*, whose lock we have, as held, and serve it in the background; nobody has served it
        since *since* (ms)."""
        held = self._held[number] = _HeldShard()
        self._spawn(self._serve_shard(number, held, since))
        if number in self._preparing:
            self._preparing.discard(number)
            for kind in (LockKind.READY, LockKind.WANTED):
                self._spawn(self._unlock(Lock(kind, number)))

    async def _serve_shard(self, number: int, held: _HeldShard, since: int | None) -> None:
        """Take over the tables of the shard *number*, and open its Discord session; if the tables cannot be read,
        release the shard and raise."""
        log.info("shard taken", extra=fields(shard=number))
        opening = asyncio.ensure_future(self._open_shard_session(number))
        try:
            async with self._orders[number]:
                await self._serving.release_shards({number})  # what is known of it from before is not true any more
                held.clean = True
                await self._serving.serve_shards({number}, since)
        except BaseException:
            if self._held.get(number) is held:
                del self._held[number]
            await self._unlock(Lock(LockKind.SHARD, number))
            opening.cancel()
            raise
        held.ready = True
        self._serving.answer_kept_clicks()
        await opening
        if since is not None:
            await asyncio.sleep(REDRAW_SECONDS)
            if self._held.get(number) is held:
                self._serving.edit_messages_again({number})

    async def _prepare_takeover(self, number: int) -> None:
        """Open a Discord session for the shard *number*, which another process holds, then take its READY lock, so that
        the holder lets go."""
        await self._open_shard_session(number)
        if number in self._preparing and self._session is not None:
            await self._session.try_lock(Lock(LockKind.READY, number))
            await self._announce_lock_change()

    async def _hand_over_shard(self, number: int) -> None:
        """Finish all work on the shard *number*, then release its lock and tell the other processes."""
        held = self._held[number]
        await self._stop_serving_shard(number)
        if self._held.get(number) is held:
            del self._held[number]
            await self._unlock(Lock(LockKind.SHARD, number))
            await self._announce_lock_change()
            log.info("shard handed over", extra=fields(shard=number))

    async def _stop_serving_shard(self, number: int) -> None:
        """Finish all work on the tables of the shard *number*, and remove them from memory; its lock stays."""
        async with self._orders[number]:
            await self._serving.release_shards({number})

    async def _give_up_chores(self) -> None:
        """Stop the work that only one process does for all, such as backups, and release its lock."""
        self.has_chores = False
        await self._serving.start_or_stop_chores(False)
        await self._unlock(Lock(LockKind.CHORES, 0))

    # Sessions with Discord

    async def _open_shard_session(self, number: int) -> None:
        """Open the Discord session of the shard *number*, if it is not open, and wait until it is READY."""
        await self._serving.open_shard(number)
        if number not in self._open:
            self._open.add(number)
            log.info("shard open", extra=fields(shard=number))

    def _close_unneeded_sessions(self) -> None:
        """Close the Discord sessions of shards that we neither hold nor prepare to take over; never that of shard 0."""
        for number in self._open - {0, *self._held, *self._preparing}:
            self._open.discard(number)
            self._spawn(self._serving.close_shard(number))
