"""The whole program in one thread and in virtual time, on simloom, which only this module and ``standing`` know.

simloom's event loop gives the time, the network, the hosts and every choice between things that are ready at once
(https://pypi.org/project/simloom). Three things of the program are replaced, because they bring threads of their own:
the database's thread, discord.py's heartbeat, and the process's entropy, which simloom draws from the seed. Where there
are several processes, so is what runs a transaction on a PostgreSQL server (``shared``). Everything else is the program
as it is. simloom's connections are mended in one point (``_Transport``).
"""

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import simloom._net
import simloom._run
from aiohttp import web
from discord import gateway
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from simloom import Host, World
from simloom._context import current_host
from simloom._net import SimTransport

from bot.clock import SystemClock
from bot.store import sqlite
from bot.ui.pictures import drawings
from tests.simulation import standing

T = TypeVar("T")

Replaced = tuple[Any, str, Any]
"""(what has an attribute, the attribute's name, what it is in a run)."""
EPOCH: Final = 1_704_067_200.0
"""What time it is when a run begins, s since 1970."""

__all__ = ["EPOCH", "Disk", "Host", "Run", "World", "clock", "now", "run"]


class Run(NamedTuple):
    """How a run ended."""

    error: BaseException | None
    """What was wrong; ``None``: nothing."""
    digest: str
    """A hash of what happened, and, if nothing was wrong, of every step that the loop took."""
    seconds: float
    """How long it took, in virtual seconds."""


def run(
    main: Callable[[World], Coroutine[Any, Any, tuple[str, Exception | None]]],
    seed: int,
    *,
    orderly: bool = False,
    replaced: Sequence[Replaced] = (),
) -> Run:
    """Run *main*, which returns (a hash of what happened, what was wrong), in a new world that follows from *seed*.

    *orderly*: what is ready first runs first, and the network takes no time. *replaced*: what else is replaced.
    """
    how: dict[str, Any] = {
        "virtual_time": True,
        "wall_epoch": EPOCH,
        "seed_randomness": True,
        "raise_on_error": False,
        "on_unhandled": "record",
        "gc_interval": 20_000,
    }
    with _virtual(replaced):
        if orderly:
            policy = simloom.MisalignmentPolicy.FALLBACK
            result = simloom.replay(main, tape=(), policy=policy, fallback="zero", **how)
        else:
            result = simloom.run(main, seed=seed, **how)
    last = next((event["t"] for event in reversed(result.log.events) if "t" in event), 0.0)
    happened, wrong = result.value or ("", None)
    error = result.error or wrong
    steps = result.digest if error is None else ""
    return Run(error, hashlib.sha256(f"{happened} {steps} {error}".encode()).hexdigest(), last)


def now() -> float:
    """Virtual seconds since the run began."""
    return asyncio.get_running_loop().time()


def clock(steady: Callable[[], float], wall: Callable[[], float]) -> SystemClock:
    """A bot's clock on virtual time. *steady* and *wall* say how many seconds the machine's clocks are ahead."""
    return SystemClock(
        steady=lambda: time.monotonic_ns() // 1_000_000 + round(steady() * 1000),
        wall=lambda: time.time_ns() // 1_000_000 + round(wall() * 1000),
    )


def after(seconds: float, host: Host, do: Callable[..., object], *given: Any) -> None:
    """Have *host* do something with what is *given*, in so many *seconds*."""
    context = copy_context()
    context.run(current_host.set, host)
    asyncio.get_running_loop().call_later(seconds, do, *given, context=context)


class Disk:
    """The disk of the machine that the bot runs on: what it does to the database of a process that is killed."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.tear: Callable[[], None] | None = None
        """Kills the process; set: in the middle of a commit."""
        self.spared = 0
        """How many commits come through before that."""
        _InlineWorker.disk = self

    @property
    def _log(self) -> Path:
        """SQLite's write-ahead log. https://www.sqlite.org/walformat.html"""
        return self.database.with_name(self.database.name + "-wal")

    def written(self, before: bytes, share: float) -> None:
        """The process was killed while it wrote the log: of what is new since *before*, only *share* is there."""
        after = self._log.read_bytes()
        both = min(len(before), len(after))
        pairs = zip(before[:both], after[:both], strict=True)
        start = next((at for at, (old, new) in enumerate(pairs) if old != new), len(before))
        cut = start + int(share * (len(after) - start))
        self._log.write_bytes(after[:cut] + before[cut:])

    def content(self) -> bytes:
        """What the log holds."""
        return self._log.read_bytes() if self._log.exists() else b""


class _InlineWorker(sqlite._Worker):
    """aiosqlite's connection without its thread: what it is asked runs at once, between two moments at which the
    process can be killed, before the transaction and after its commit."""

    living: ClassVar[list["_InlineWorker"]] = []
    """Those that are open."""
    disk: ClassVar[Disk | None] = None

    async def open(self) -> None:
        """Open the file."""
        self._connection = self._connector()
        # A killed process does not tidy up, and nobody else can wait for a lock while this one does.
        self._connection.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
        self._connection.execute("PRAGMA busy_timeout=0")
        self.living.append(self)

    async def run(self, work: Callable[[], T]) -> T:
        """Run *work* and return its result."""
        await asyncio.sleep(0)
        disk = self.disk
        before = disk.content() if disk is not None and disk.tear is not None else b""
        result = work()
        if disk is not None and disk.tear is not None and disk.content() != before:
            if disk.spared == 0:
                kill, disk.tear = disk.tear, None
                kill()
                disk.written(before, 0.5)
                await asyncio.Event().wait()
            disk.spared -= 1
        await asyncio.sleep(0)
        return result

    async def close(self) -> None:
        """Close the file."""
        self.cut()

    def cut(self) -> None:
        """Close the file without anything that a killed process does not do."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self.living.remove(self)


def new_process() -> None:
    """From now on the running task, and those that it begins, are a process of their own: without what others have
    kept for later."""
    async_context.set(AsyncWebhookAdapter())
    drawings._files.clear()


def here() -> str:
    """The name of the host whose code runs; empty: none's."""
    host = current_host.get()
    return "" if host is None else str(host.name)


def other_side(socket: web.WebSocketResponse) -> Host | None:
    """The host of the client that *socket* is connected to."""
    transport: Any = socket._req.transport if socket._req is not None else None
    return None if transport is None or transport._peer is None else transport._peer.owner


def tell_of_sent(told: Callable[[Host, bytes], None]) -> None:
    """From now on *told* is called with all that a host sends."""
    _Transport.sent = staticmethod(told)


def let_go() -> None:
    """What was killed stays dead when the run ends: by itself simloom would then cancel it, and wait for tasks that
    take no cancellation, such as one of discord.py that connects again. Nor is a context manager ended that was killed
    in the middle: it would wait for a connection that is not there."""
    loop: Any = asyncio.get_running_loop()
    loop._revive_crashed = list
    loop._asyncgens.clear()


def stand_still(host: Host) -> None:
    """Nothing of *host* runs any more; its connections stay open, and its clocks go on."""
    loop: Any = asyncio.get_running_loop()
    loop.stand_still(host)


def go_on(host: Host) -> None:
    """*host*, which stands still, goes on."""
    loop: Any = asyncio.get_running_loop()
    loop.go_on(host)


def kill(host: Host) -> None:
    """Kill the process on *host* at whatever it awaits; what it had not committed is lost."""
    host.crash()
    go_on(host)  # what is left of it is dropped
    for worker in list(_InlineWorker.living):
        worker.cut()


class _Heartbeat(gateway.KeepAliveHandler):
    """discord.py's heartbeat as a task."""

    _beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Send heartbeats from now on."""
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    async def _beat(self) -> None:
        """As ``KeepAliveHandler.run``."""
        assert self.interval is not None
        while True:
            await asyncio.sleep(self.interval)
            if self._last_recv + self.heartbeat_timeout < time.perf_counter():
                await self.ws.close(4000)
                return
            await self.ws.send_heartbeat(self.get_payload())
            self._last_send = time.perf_counter()

    def stop(self) -> None:
        """Send no more."""
        if self._beating is not None:
            self._beating.cancel()

    def is_alive(self) -> bool:
        """Whether it is sending."""
        return self._beating is not None and not self._beating.done()


class _Transport(SimTransport):
    """simloom's connection, but what a closed one has sent, and its end, arrive even if the network was cut: TCP sends
    them again. By itself simloom forgets the connection, and the other side waits for ever."""

    _lingers = False
    sent: ClassVar[Callable[[Host, bytes], None] | None] = None
    """Told of what a host sends, when it does."""

    def write(self, data: Any) -> None:
        if self.sent is not None and self.owner is not None:
            self.sent(self.owner, bytes(data))
        super().write(data)

    def _finalize(self) -> None:
        if not self._held or self._closed:
            super()._finalize()
            return
        protocol, self._protocol = self._protocol, asyncio.Protocol()
        self._lingers = True
        if protocol is not None:
            protocol.connection_lost(None)

    def _flush_held(self) -> None:
        super()._flush_held()
        if self._lingers and not self._held:
            super()._finalize()


@contextmanager
def _virtual(also: Sequence[Replaced]) -> Iterator[None]:
    """In the block everything runs in one thread; *also*: what else is replaced."""
    replaced: list[Replaced] = [
        *also,
        (sqlite, "_Worker", _InlineWorker),
        (gateway, "KeepAliveHandler", _Heartbeat),
        (simloom._net, "SimTransport", _Transport),
        (simloom._run, "SimLoop", standing.Loop),
        (time, "clock_gettime_ns", lambda _which: round(now() * 1e9)),
        # Where discord.py finds its servers: a run says that itself.
        (Route, "BASE", Route.BASE),
        (gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway.DiscordWebSocket.DEFAULT_GATEWAY),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    for owner, name, value in replaced:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)
