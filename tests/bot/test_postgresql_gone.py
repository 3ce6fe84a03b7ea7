"""The PostgreSQL server goes away and comes back: what is written waits, is written once, and two lines are logged."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy.exc import InternalError

from bot.store import postgresql
from bot.store.database import CommitUncertain, Unavailable
from bot.store.postgresql import exception_for_database_error
from bot.store.store import Handle, Store
from bot.tables.errors import Conflict
from bot.tables.model import Table
from tests import postgres
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, started
from tests.games import ANY
from tests.postgres_server import Server

pytestmark = pytest.mark.about(ANY)

T = started(ANY)
WHAT = {"what": "test", "by": 1}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of one's own, which may be stopped."""
    with Server.started() as it:
        yield it


@pytest.fixture
def url(server: Server, request: pytest.FixtureRequest) -> str:
    """The address of an empty database there."""
    name = f"t{abs(hash(request.node.name))}"
    postgres.query(server.url("postgres"), f"CREATE DATABASE {name}")
    return server.url(name)


def later(before: Table, **changes: object) -> Table:
    return before._replace(version=before.version + 1, **changes)


class Wire:
    """The network between the bot and the server at *port*: it can be cut when the bot sends some bytes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cut_at: Callable[[bytes], bool] = lambda data: False
        self.cut_after: Callable[[bytes], bool] = lambda data: False
        self.port = 0

    @asynccontextmanager
    async def laid(self) -> AsyncIterator["Wire"]:
        """In the block, it is there, at ``port``."""
        async with await asyncio.start_server(self._serve, "127.0.0.1", 0) as here:
            self.port = here.sockets[0].getsockname()[1]
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what a connection of the bot sends, until it is cut."""
        there, onwards = await asyncio.open_connection("127.0.0.1", self._port)
        back = asyncio.ensure_future(_pass_on(there, writer))
        try:
            while data := await reader.read(65_536):
                if self.cut_at(data):
                    break
                if self.cut_after(data):
                    back.cancel()  # what the server answers gets lost
                    onwards.write(data)
                    await there.read(65_536)
                    break
                onwards.write(data)
        except ConnectionError:
            pass
        finally:
            back.cancel()
            for end in (writer, onwards):
                end.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
    writer.close()


def once(word: bytes) -> Callable[[bytes], bool]:
    """Whether *word* is in what is sent, the first time."""
    left = [True]

    def found(data: bytes) -> bool:
        if left and word in data:
            left.clear()
            return True
        return False

    return found


async def opened(url: str, retry_seconds: float = 10) -> Store:
    store = await Store.open(url, retry_seconds=retry_seconds)
    await store.create_table(T, WHAT, NOW)
    return store


async def test_a_server_that_was_started_anew_is_not_noticed(server: Server, url: str) -> None:
    store = await opened(url)
    await asyncio.gather(*(store.table_version(T.id) for _ in range(8)))
    for how in (signal.SIGINT, signal.SIGQUIT):
        server.stop(how)
        server.start()
        await asyncio.gather(*(store.table_version(T.id) for _ in range(8)))
        await store.save_handle(T.id, Handle("table", 1, 2))
    await store.close()


async def test_while_it_is_away_writes_wait_and_reads_say_try_again(
    server: Server, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "READ_RETRY_SECONDS", 0.1)
    store = await opened(url)
    with captured_log() as log:
        server.stop(signal.SIGQUIT)
        writes = [asyncio.ensure_future(store.save_change(later(T, host=7), WHAT, NOW))]
        writes += [asyncio.ensure_future(store.save_handle(T.id, Handle(f"hand:{n}", 1, n + 1))) for n in range(5)]
        for _ in range(3):
            with pytest.raises(Unavailable):
                await store.table_version(T.id)
        assert not any(it.done() for it in writes)
        server.start()
        await asyncio.gather(*writes)
        assert await store.table_version(T.id) == 2
    lines = [line for line in log.getvalue().splitlines() if "database" in line]
    assert [line.split(" ", 2)[-1].partition("database ")[2][:11] for line in lines] == ["does not an", "answers aga"]
    assert len(await store.load_handles(T.id)) == 5
    await store.close()


async def test_after_the_patience_people_are_told_to_try_again(server: Server, url: str) -> None:
    store = await opened(url, retry_seconds=0.3)
    server.stop(signal.SIGQUIT)
    with pytest.raises(OSError):
        await store.save_change(later(T), WHAT, NOW)
    server.start()
    await store.save_change(later(T), WHAT, NOW)
    await store.close()


async def test_a_frozen_server_counts_as_away(server: Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "STATEMENT_SECONDS", 1.5)
    monkeypatch.setattr(postgresql, "CONNECT_SECONDS", 0.5)
    store = await opened(url, retry_seconds=0.2)
    server.freeze()
    try:
        with pytest.raises(Unavailable):
            await store.save_change(later(T), WHAT, NOW)
    finally:
        server.resume()
    await store.save_change(later(T), WHAT, NOW)
    assert await store.table_version(T.id) == 2
    await store.close()


async def test_a_store_closes_although_its_server_is_frozen(server: Server, url: str) -> None:
    store = await opened(url)
    server.freeze()
    try:
        async with asyncio.timeout(postgresql.CLOSE_SECONDS + 2):
            await store.close()
    finally:
        server.resume()


CUTS: dict[str, Callable[[Wire], None]] = {
    "before COMMIT arrives": lambda wire: setattr(wire, "cut_at", once(b"COMMIT;")),
    "after COMMIT, before its answer": lambda wire: setattr(wire, "cut_after", once(b"COMMIT;")),
    "in the middle": lambda wire: setattr(wire, "cut_at", once(b"UPDATE tables")),
}


@pytest.mark.parametrize("when", CUTS)
async def test_a_connection_that_is_cut_makes_no_move_count_twice_and_loses_none(
    server: Server, url: str, when: str
) -> None:
    async with Wire(server.port).laid() as wire:
        store = await opened(url.replace(f":{server.port}/", f":{wire.port}/"))
        CUTS[when](wire)
        entries = [{"seat": 0}]
        await store.save_change(later(T, host=7), WHAT, NOW, entries)
        assert await store.table_version(T.id) == 2
        assert postgres.query(url, "SELECT version, entries FROM moves") == [(2, '[{"seat":0}]')]
        CUTS[when](wire)
        await store.create_table(T._replace(id="other", channel=99), WHAT, NOW)
        assert await store.live_table_in_channel(99) == "other"
        await store.close()


async def test_somebody_else_may_have_been_first_after_all(server: Server, url: str) -> None:
    """The commit was cut off and not made, and another process changes the table before it is tried again."""
    async with Wire(server.port).laid() as wire:
        store = await opened(url.replace(f":{server.port}/", f":{wire.port}/"))
        other = await Store.open(url)

        def cut(data: bytes) -> bool:
            if b"COMMIT;" not in data:
                return False
            wire.cut_at = lambda data: False
            return True

        wire.cut_at = cut
        losing = asyncio.ensure_future(_write_once(store, lambda: store.save_change(later(T, host=7), WHAT, NOW)))
        assert isinstance(await losing, CommitUncertain)
        await other.save_change(later(T, host=8), WHAT, NOW)
        with pytest.raises(Conflict):
            await store.save_change(later(T, host=7), WHAT, NOW)
        await store.close()
        await other.close()


async def _write_once(store: Store, write: Callable[[], Awaitable[None]]) -> Exception | None:
    """How *write* ends if nothing is tried again."""
    retry_seconds, store._writer._retry_seconds = store._writer._retry_seconds, 0
    try:
        await write()
    except Exception as error:  # noqa: BLE001 - it is what the test looks at
        return error
    finally:
        store._writer._retry_seconds = retry_seconds
    return None


def test_a_driver_that_is_confused_as_its_connection_ends_has_lost_it() -> None:
    said = RuntimeError("cannot switch to state 15; another operation (2) is in progress")
    assert isinstance(exception_for_database_error(InternalError("COMMIT", None, said)), Unavailable)
    assert exception_for_database_error(InternalError("COMMIT", None, RuntimeError("something else"))) is None
