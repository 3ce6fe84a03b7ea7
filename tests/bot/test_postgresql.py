"""A PostgreSQL server that does not let us in, or that nobody can use: one line says why, and never a password."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store.database import postgresql_server_address
from bot.store.store import Handle, Store, StoreUnreachable
from tests import postgres
from tests.bot.tables import NOW, started
from tests.games import ANY
from tests.program import bot, free_port
from tests.rows import POSTGRESQL, query

pytestmark = pytest.mark.about(ANY)

T = started(ANY)
WHAT = {"what": "test", "by": 1}
SECRET = "open-sesame"
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.nobody-here"


@asynccontextmanager
async def somebody(answer: bytes) -> AsyncIterator[int]:
    """At a port, somebody gives this *answer* to everything, and is no PostgreSQL; empty: none at all."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4)
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def refused(url: str) -> str:
    """What is said of the database at *url*, which cannot be opened."""
    with pytest.raises(StoreUnreachable) as error:
        await (await Store.open(url)).close()
    assert SECRET not in f"{error.value}"
    assert "127.0.0.1" not in f"{error.value}"
    return str(error.value)


def role(url: str, name: str) -> str:
    """The address *url* for a new user, who may only connect."""
    name = f"{name}_{sa.make_url(url).database}"
    query(url, f"CREATE ROLE {name} LOGIN PASSWORD '{SECRET}'")
    return sa.make_url(url).set(username=name, password=SECRET).render_as_string(hide_password=False)


def changed(**parts: object) -> Callable[[str], str]:
    """Makes another address of one."""
    return lambda url: sa.make_url(url).set(**parts).render_as_string(hide_password=False)


WRONG: dict[str, tuple[Callable[[str], str], str]] = {
    "password": (changed(password=SECRET), "user or password are wrong"),
    "user": (changed(username="nobody", password=SECRET), "user or password are wrong"),
    "database": (changed(database="no_such"), "no such database"),
    "tls": (changed(query={"sslmode": "require"}), "no TLS"),
    "setting": (changed(query={"nonsense": "1"}), "does not know one of its settings"),
}


@POSTGRESQL
@pytest.mark.parametrize("what", WRONG)
async def test_an_address_that_is_wrong_is_said_with_a_remedy(store_url: str, what: str) -> None:
    wrong, said = WRONG[what]
    assert said in await refused(wrong(store_url))


@POSTGRESQL
async def test_nobody_there_is_an_error_of_the_network_which_may_pass(store_url: str) -> None:
    for url in (changed(port=1)(store_url), changed(host="no.such.invalid")(store_url)):
        with pytest.raises(StoreUnreachable) as error:
            await Store.open(url)
        assert isinstance(error.value.__cause__, OSError)


@POSTGRESQL
async def test_somebody_else_at_that_port(store_url: str) -> None:
    async with somebody(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
        assert "is no PostgreSQL" in await refused(changed(port=port)(store_url))


async def test_a_user_who_may_create_nothing(request: pytest.FixtureRequest) -> None:
    url = postgres.fresh(migrated=False)
    try:
        limited = role(url, "limited")
        assert "GRANT it CREATE and USAGE on the schema" in await refused(limited)
        query(url, f"GRANT CREATE, USAGE ON SCHEMA public TO {sa.make_url(limited).username}")
        await (await Store.open(limited)).close()
    finally:
        postgres.drop(url)


@POSTGRESQL
async def test_what_the_server_refuses_is_not_in_the_error(store: Store, store_url: str) -> None:
    """The text of an error goes to the log: it holds no token, and no hidden card of a snapshot."""
    for table in ("messages", "tables"):
        query(store_url, f"ALTER TABLE {table} ADD CHECK (false) NOT VALID")
    for write in (
        store.save_handle(T.id, Handle("table", 1, 2, token="secret-token")),
        store.create_table(T, WHAT, NOW),
    ):
        with pytest.raises(Exception) as refused:  # whatever it is, it tells nothing
            await write
        said = f"{refused.value} {refused.value.__cause__}"
        assert "secret-token" not in said
        assert T.seed not in said


@pytest.mark.parametrize("password", [f"p@{SECRET}", f"{SECRET}@p", f"a@b/{SECRET}", f"a/{SECRET}@b"])
async def test_a_password_whose_signs_are_not_written_as_they_must_be(password: str) -> None:
    """Its rest would be looked up as a host, and waited for."""
    said = await refused(f"postgresql+asyncpg://me:{password}@127.0.0.1:9/cards")
    assert "%40" in said


async def test_every_command_says_of_such_a_password_how_to_write_it(tmp_path: Path) -> None:
    url = f"postgresql+asyncpg://me:p@{SECRET}@127.0.0.1:9/cards"
    for command in (("doctor",), ("backup", str(tmp_path / "copy")), ("export", "1"), ("run",)):
        code, out, err = bot(*command, STORE_URL=url, DISCORD_TOKEN=TOKEN)
        assert "%40" in out + err, command
        assert SECRET not in out + err
        assert code == (1 if command == ("doctor",) else 2)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://me:secret@db.example:5433/cards", "db.example:5433"),
        ("postgresql://me:p%40ss@db.example/cards", "db.example:5432"),
        ("postgresql://me@[::1]/cards", "[::1]:5432"),
        ("postgresql:///cards?host=/run/postgresql&port=5433", "/run/postgresql:5433"),
        ("postgresql:///cards", "this machine:5432"),
    ],
)
def test_where_a_server_is_is_said_without_user_and_password(
    url: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGHOST", "PGPORT"):
        monkeypatch.delenv(name, raising=False)
    assert postgresql_server_address(sa.make_url(url)) == expected


async def test_addresses_as_hosters_give_them(request: pytest.FixtureRequest) -> None:
    url = postgres.fresh()
    bare = url.partition("://")[2]
    try:
        for scheme in ("postgres", "postgresql", "postgresql+asyncpg"):
            for query in ("", "?sslmode=prefer&connect_timeout=10&channel_binding=prefer", "?ssl=prefer"):
                store = await Store.open(f"{scheme}://{bare}{query}")
                await store.close()
    finally:
        postgres.drop(url)


async def test_two_that_start_at_once_upgrade_it_once(request: pytest.FixtureRequest) -> None:
    url = postgres.fresh(migrated=False)
    try:
        for store in await asyncio.gather(*(Store.open(url) for _ in range(4))):
            await store.close()
        assert len(query(url, "SELECT * FROM alembic_version")) == 1
    finally:
        postgres.drop(url)


@POSTGRESQL
@pytest.mark.parametrize("what", ["password", "database", "newer"])
async def test_the_program_ends_with_one_line_and_exit_code_2(store_url: str, what: str) -> None:
    if what == "newer":
        query(store_url, "UPDATE alembic_version SET version_num = '9999'")
    url = store_url if what == "newer" else WRONG[what][0](store_url)
    code, out, err = bot("run", STORE_URL=url, DISCORD_TOKEN=TOKEN)
    assert (code, out) == (2, "")
    (line,) = [it for it in err.splitlines() if " INFO " not in it]
    assert line.startswith("STORE_URL")
    assert not {SECRET, str(sa.make_url(store_url).password)} & set(err.replace(":", " ").split())


@pytest.mark.parametrize(
    "command", [("backup", "copy.sqlite3"), ("export", "5"), ("erase", "5", "--yes")], ids=" ".join
)
def test_a_command_says_which_server_is_not_there(command: tuple[str, ...]) -> None:
    port = free_port()
    code, out, err = bot(*command, STORE_URL=f"postgresql+asyncpg://cards:{SECRET}@127.0.0.1:{port}/cards")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"the database at 127.0.0.1:{port} cannot be " in err
    assert err.endswith(": nobody listens there\n")
    assert SECRET not in err


@POSTGRESQL
async def test_the_doctor_looks_through_a_server_as_well(store: Store, store_url: str) -> None:
    await store.create_table(T, WHAT, NOW)
    code, out, err = bot("doctor", STORE_URL=store_url)
    assert (code, err) == (0, "")
    assert "live tables: 1\n" in out
    assert str(sa.make_url(store_url).password) not in out
    code, out, _ = bot("doctor", STORE_URL=changed(database="no_such")(store_url))
    assert (code, "there is no such database" in out) == (1, True)


@POSTGRESQL
async def test_nobody_is_erased_while_a_process_runs(store_url: str) -> None:
    async with postgres.alive(store_url):
        code, out, err = bot("erase", "5", "--yes", STORE_URL=store_url)
    assert (code, out) == (2, "")
    assert "use /privacy, or stop the bot first" in err
    assert bot("erase", "5", "--yes", STORE_URL=store_url) == (1, "", "nothing is known of 5\n")


@POSTGRESQL
async def test_what_is_read_is_of_one_moment(store: Store, store_url: str) -> None:
    await store.create_table(T, WHAT, NOW)
    count = sa.text("SELECT count(*) FROM tables")

    def work(connection: sa.Connection) -> tuple[int, int]:
        before = connection.execute(count).scalar_one()
        postgres.query(store_url, "DELETE FROM tables")
        return before, connection.execute(count).scalar_one()

    assert await store._database.read(work) == (1, 1)


@POSTGRESQL
async def test_a_row_that_somebody_has_locked_is_waited_for(store: Store, store_url: str) -> None:
    await store.create_table(T, WHAT, NOW)
    engine = create_async_engine(store_url)
    async with engine.begin() as other:
        await other.exec_driver_sql("SELECT * FROM tables FOR UPDATE")
        changing = asyncio.ensure_future(store.save_change(T._replace(version=2), WHAT, NOW))
        done, _ = await asyncio.wait({changing}, timeout=0.2)
        assert not done
    await changing
    assert await store.table_version(T.id) == 2
    await engine.dispose()
