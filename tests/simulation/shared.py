"""One database for several processes: ``bot.store.postgresql`` as it is, on a server that is simulated; and the
sessions by which they hold shards.

The server keeps one SQLite file, and runs one transaction after the other, each as a whole when its COMMIT arrives.
That is stricter than PostgreSQL, where two transactions that are under way see each other's commits between their
statements, wait for each other's rows, or fail when both insert the same. What is left of it: in which order the
transactions of all processes come, how long after its COMMIT a process learns of it, that it may never learn of it, and
that a COMMIT which is on its way is carried out even if its process stands still, is killed, or waits no longer.

What a process says to the server takes some ms each way. A server that is *away* refuses connections, and those that
were open end; one that is *silent* does not answer until that is over.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection, event
from sqlalchemy.pool import StaticPool

from bot.cluster.session import ANSWER_SECONDS, IDLE_SECONDS, SESSION_NAME, ClusterState, Lock, LockKind, Process
from bot.store import changes, postgresql
from bot.store.changes import Announcement
from bot.store.database import CommitUncertain, Unavailable
from bot.store.postgresql import STATEMENT_SECONDS, PostgreSQL, StaleConnection
from bot.store.store import Store
from tests.simulation import virtual

T = TypeVar("T")

EPOCH_DAY: Final = 2_440_587.5
"""1 January 1970, as SQLite counts days."""
DAY_SECONDS: Final = 86_400.0
HELD_SECONDS: Final = 12.0
"""How long the server waits for a COMMIT before it gives a transaction up (``idle_in_transaction_session_timeout``)."""
PATIENCE_SECONDS: Final = 10.0
"""As long as ``Store.open`` has writes wait."""
SHARED: Final = "shared"
"""An option of the server's engine, which no other engine has."""
SLOW_PERCENT: Final = 3
"""How many percent of what is sent takes long."""


class Wire:
    """The connections of one process to *server*: what SQLAlchemy's engine is for ``PostgreSQL``."""

    def __init__(self, server: "Server", name: str) -> None:
        self.server = server
        self.name = name
        self.trouble = ""
        """"away" or "silent": what is wrong between this process and the server, or with the server."""
        self.stale = False
        """Whether connections have ended that the process takes for open."""
        self.tear: Callable[[], None] | None = None
        """Kills the process; set: at its next COMMIT that changes a table."""
        self.spared = 0
        """How many come through before that."""
        self.stop: Callable[[], None] | None = None
        """Has the process stand still; set: just before it sends its next COMMIT about tables or their messages."""

    @property
    def torn(self) -> bool:
        """Whether the process is to be killed at this COMMIT."""
        return self.tear is not None and self.spared == 0

    def execution_options(self, **_: Any) -> "Wire":
        """Transactions that only read run in the same way."""
        return self

    async def dispose(self) -> None:
        """Nothing is left open."""

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath."""
        return self.server.engine

    def store(self) -> Store:
        """A store on these connections."""
        engine: Any = self
        return Store(PostgreSQL(engine), PATIENCE_SECONDS, lambda table: None)

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """As ``bot.store.postgresql._run_transaction``."""
        loop = asyncio.get_running_loop()
        until = loop.time() + STATEMENT_SECONDS
        if self.stale:
            self.stale = False
            raise StaleConnection("the connection ended")
        while self.trouble == "silent" and loop.time() < until:  # noqa: ASYNC110 - as PostgreSQL's client sends it again
            await asyncio.sleep(0.05)
        if self.trouble:
            raise Unavailable("nobody listens there" if self.trouble == "away" else "it does not answer in time")
        if self.stop is not None and "Writer" in getattr(work, "__qualname__", ""):
            stop, self.stop = self.stop, None
            stop()
        await asyncio.sleep(self.server.takes())  # its statements
        if self.stale:
            self.stale = False
            raise StaleConnection("the connection ended")
        done: asyncio.Future[T] = loop.create_future()
        self.server.commit(self, work, done)
        try:
            async with asyncio.timeout(STATEMENT_SECONDS):
                return await done
        except TimeoutError:
            raise CommitUncertain("it does not answer in time") from None


async def _transaction(wire: Wire, work: Callable[[Connection], T]) -> T:
    return await wire.transaction(work)


def _announce(connection: Connection, change: Announcement) -> None:
    if connection.get_execution_options().get(SHARED):  # not a process alone, with a file of its own
        connection.exec_driver_sql("SELECT pg_notify(?)", (change.text,))


REPLACED: Final[Sequence[virtual.Replaced]] = (
    (postgresql, "_run_transaction", _transaction),
    (changes, "announce_change", _announce),
)
"""What has ``PostgreSQL`` run its transactions here, and stores announce their changes."""


class HeldSession:
    """A session of the process on *host* with *server*, over its connections *wire*: what ``Session`` is."""

    def __init__(
        self, server: "Server", wire: Wire, host: Any, heard: Callable[[str], None], ended: Callable[[], None]
    ) -> None:
        self.wire = wire
        self.id = next(server.ids)
        self.name = ""
        self.over = False
        """Whether the server has ended it."""
        self.asked_at = virtual.now()
        self._server = server
        self._host = host
        self._heard = heard
        self._ended = ended

    async def _ask(self, do: Callable[[], T]) -> T:
        """What *do* returns at the server."""
        if self.over or self.wire.trouble == "away":
            raise Unavailable("the connection ended")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._server.ask(self, do, done)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await done
        except TimeoutError:
            raise Unavailable("it does not answer in time") from None

    async def read_cluster_state(self) -> ClusterState:
        return await self._ask(self._server.seen)

    async def try_lock(self, lock: Lock) -> bool:
        lock = Lock(int(lock.kind), lock.number)
        return await self._ask(lambda: self._server.locks.setdefault(lock, self) is self)

    async def unlock(self, lock: Lock) -> None:
        lock = Lock(int(lock.kind), lock.number)
        await self._ask(lambda: self._server.free([lock]) if self._server.locks.get(lock) is self else None)

    async def set_name(self, name: str) -> None:
        await self._ask(lambda: setattr(self, "name", name))

    async def announce(self, text: str) -> None:
        await self._ask(lambda: self._server.tell(text))

    async def close(self) -> None:
        self._server.end(self)

    def hear(self, text: str) -> None:
        """The server sends an announcement."""
        virtual.after(self._server.takes(), self._host, self._server.deliver, self.wire, self._heard, text)

    def end(self) -> None:
        """The server has ended it."""
        self.over = True
        virtual.after(self._server.takes(), self._host, self._server.deliver, self.wire, self._ended)


class _Sent(NamedTuple):
    """A COMMIT on its way to the server."""

    wire: Wire
    work: Callable[[Connection], Any]
    done: asyncio.Future[Any]
    at: float


class Server:
    """The server, in *sim*, with its database in the SQLite file *path*; how long everything takes follows from *seed*,
    unless it takes no time because the run is *orderly*.

    ``committing`` is called in every transaction before it ends, with the name of the process.
    """

    def __init__(self, sim: virtual.World, path: Path, seed: int, *, orderly: bool = False) -> None:
        self.engine = sa.create_engine(
            "sqlite://", creator=lambda: self._opened(path), poolclass=StaticPool, execution_options={SHARED: True}
        )
        event.listen(self.engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        self.committing: Callable[[str, Connection], None] = lambda name, connection: None
        self._host = sim.host("database")
        self._wires: dict[str, Wire] = {}
        self._rng = Random(f"database {seed}")
        self._orderly = orderly
        self._held: list[tuple[Wire, Callable[..., None], tuple[Any, ...]]] = []
        """What is kept from being heard, by whoever it is for."""
        self._connection: Connection | None = None
        self._announced: list[str] = []
        self.ids = count(1)
        self.sessions: list[HeldSession] = []
        self.locks: dict[Lock, HeldSession] = {}
        self.freed: Callable[[int, str], None] = lambda shard, name: None
        """Called with each shard that is free now, and the process that held it."""

    def _opened(self, path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")  # the server's machine does not end
        connection.execute("PRAGMA foreign_keys=ON")
        # The database's clock is the virtual one.
        day = lambda _: EPOCH_DAY + (virtual.EPOCH + virtual.now()) / DAY_SECONDS + 1e-9  # noqa: E731
        connection.create_function("julianday", 1, day)
        connection.create_function("pg_notify", 1, self._announced.append)
        return connection

    def wire(self, name: str) -> Wire:
        """The connections of a new process of that *name*."""
        wire = self._wires[name] = Wire(self, name)
        return wire

    def takes(self) -> float:
        """How long something takes that is sent, s."""
        if self._orderly:
            return 0.0
        slow = self._rng.random() * 100 < SLOW_PERCENT
        return self._rng.uniform(0.02, 0.2) if slow else self._rng.uniform(0.0005, 0.006)

    def is_away(self, trouble: str, name: str | None = None) -> None:
        """From now on there is this *trouble* for the process of that *name*, or for all ("": none any more)."""
        for wire in self._wires.values():
            if name in (None, wire.name):
                wire.trouble = trouble
                wire.stale = wire.stale or trouble == "away"
        for session in [it for it in self.sessions if it.wire.trouble == "away"]:
            self.end(session)
        if not trouble:
            held, self._held = self._held, []
            for wire, do, given in held:
                self.deliver(wire, do, *given)

    # Sessions

    async def session(
        self, wire: Wire, host: Any, heard: Callable[[str], None], ended: Callable[[], None]
    ) -> HeldSession:
        """A new session of the process on *host*."""
        await asyncio.sleep(self.takes())
        if wire.trouble:
            await asyncio.sleep(ANSWER_SECONDS if wire.trouble == "silent" else 0)
            raise Unavailable("nobody listens there")
        session = HeldSession(self, wire, host, heard, ended)
        self.sessions.append(session)
        self._watch(session)
        return session

    def ask(self, session: HeldSession, do: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        """Send what *session* asks to the server; *done* is told the answer."""
        virtual.after(self.takes(), self._host, self.deliver, session.wire, self._asked, session, do, done)

    def _asked(self, session: HeldSession, do: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        session.asked_at = virtual.now()
        result, error = (None, CommitUncertain("the connection ended")) if session.over else (do(), None)
        virtual.after(
            self.takes(), self._host, self.deliver, session.wire, self._answer, session.wire, done, result, error
        )

    def _watch(self, session: HeldSession) -> None:
        """End *session* once nothing has come for too long, unless the server stands still itself."""
        if session.over:
            return
        still = all(wire.trouble == "silent" for wire in self._wires.values())
        left = session.asked_at + IDLE_SECONDS - virtual.now()
        if left <= 0 and not still:
            self.end(session)
            return
        virtual.after(max(left, 0.1), self._host, self._watch, session)

    def end(self, session: HeldSession) -> None:
        """End *session*: its locks are free."""
        if session in self.sessions:
            self.sessions.remove(session)
            session.end()
            self.free([lock for lock, holder in self.locks.items() if holder is session])

    def end_all_of(self, wire: Wire) -> None:
        """The process of *wire* has died."""
        for session in [it for it in self.sessions if it.wire is wire]:
            self.end(session)

    def free(self, locks: Sequence[Lock]) -> None:
        """*locks* are free now."""
        for lock in locks:
            holder = self.locks.pop(lock)
            if lock.kind == LockKind.SHARD:
                self.freed(lock.number, holder.wire.name)

    def holder(self, shard: int) -> str | None:
        """The process that holds *shard*; ``None``: none."""
        found = self.locks.get(Lock(int(LockKind.SHARD), shard))
        return None if found is None else found.wire.name

    def seen(self) -> ClusterState:
        """Who is there and holds what."""
        processes = []
        for it in self.sessions:
            if (named := SESSION_NAME.fullmatch(it.name)) is not None:
                application, shards, state, called = named.groups()
                processes.append(Process(it.id, int(application), int(shards), state == "leaves", called))
        return ClusterState(tuple(processes), {lock: it.id for lock, it in self.locks.items()})

    def tell(self, text: str) -> None:
        """Send an announcement to all."""
        for session in self.sessions:
            session.hear(text)

    def commit(self, wire: Wire, work: Callable[[Connection], Any], done: asyncio.Future[Any]) -> None:
        """Send a transaction of *wire* to the server; *done* is told what became of it."""
        virtual.after(self.takes(), self._host, self.deliver, wire, self._run, _Sent(wire, work, done, virtual.now()))

    def deliver(self, wire: Wire, do: Callable[..., None], *given: Any) -> None:
        """*do* something with what is *given*, now that it has arrived, unless it has not."""
        if wire.trouble == "silent":
            self._held.append((wire, do, given))
        else:
            do(*given)

    def _run(self, sent: _Sent) -> None:
        """Run a transaction."""
        wire, work, done, at = sent
        if wire.trouble == "away" or virtual.now() - at > HELD_SECONDS:
            self._answer(wire, done, None, CommitUncertain("the connection ended"))
            return
        result, error, changed = None, None, False
        self._announced.clear()
        before = self._changes()
        try:
            with self._connected().begin():
                result = work(self._connected())
                changed = self._changes() != before
                if changed and wire.torn and self._rng.random() < 0.5:
                    raise _Torn
                self.committing(wire.name, self._connected())
        except _Torn:
            pass
        except Exception as found:  # noqa: BLE001 - the process is told
            error = found
        if changed and wire.torn:
            kill, wire.tear = wire.tear, None
            assert kill is not None
            kill()
            return
        wire.spared -= changed and wire.tear is not None
        for text in self._announced if error is None else ():
            self.tell(text)
        virtual.after(self.takes(), self._host, self.deliver, wire, self._answer, wire, done, result, error)

    def _connected(self) -> Connection:
        """SQLAlchemy's connection."""
        if self._connection is None:
            self._connection = self.engine.connect()
        return self._connection

    def _changes(self) -> int:
        """How many changes of tables there were so far."""
        raw: Any = self._connected().connection.dbapi_connection
        return int(raw.execute("SELECT coalesce(max(rowid), 0) FROM versions").fetchone()[0])

    def _answer(self, wire: Wire, done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
        """Tell the process what became of its transaction."""
        if wire.trouble == "away":
            error = CommitUncertain("the connection ended")
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)


class _Torn(Exception):
    """The process was killed before its COMMIT arrived."""
