"""A real PostgreSQL for the tests: one server per test session, which all workers share, and a database per test.

``server()`` is started by whoever needs it first. A process of its own keeps it, until the last worker has ended in
whatever way: every worker holds a lock that the operating system releases. ``fresh()`` copies a migrated database,
which takes some 10 ms. A test that stops or freezes the server has one of its own (``Server.started``).
"""

import asyncio
import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import asyncpg
import sqlalchemy as sa
from alembic import command
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store import migrations
from tests.postgres_server import Server

T = TypeVar("T")

ROOT: Final = Path(__file__).parents[1]
TEMPLATE: Final = "migrated"
_numbers: Final = count(1)


# One server per session


@cache
def server() -> Server:
    """The server of this test session."""
    session = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}-{secrets.token_hex(4)}")
    folder = Path(tempfile.gettempdir()) / f"bot-tests-{session[:16]}"
    with _locked(folder):
        running = folder / "running"
        if not running.exists():
            subprocess.run([sys.executable, "-m", "tests.postgres", folder], check=True, cwd=ROOT)
        found = json.loads(running.read_text())
        it = Server(folder / "server", found["port"], found["password"])
        if not found["template"]:
            query(it.url("postgres"), f"CREATE DATABASE {TEMPLATE}")
            migrate(it.url(TEMPLATE))
            running.write_text(json.dumps({**found, "template": True}))
    return it


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """In the block no other worker starts the server in *folder*. From then on until this process ends, it is used."""
    while True:
        folder.mkdir(mode=0o755, exist_ok=True)
        with (folder / "starting").open("w") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            used = os.open(folder / "used", os.O_CREAT | os.O_RDWR)
            fcntl.flock(used, fcntl.LOCK_SH)  # a server that is just being stopped is waited for
            if os.fstat(used).st_nlink:
                yield
                return
            os.close(used)


def migrate(url: str, revision: str = "head") -> None:
    """Bring the database at *url* to the schema *revision*."""
    config = migrations.alembic_configuration()

    def upgrade(connection: sa.Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    async def run() -> None:
        engine = create_async_engine(url)
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
        await engine.dispose()

    _apart(run())


def _keep(folder: Path) -> None:
    """Start a server in *folder*, and end once it runs; a child of ours stays until nobody uses it any more."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        began = os.read(reading, 1)
        sys.stderr.write("" if began else (folder / "keeper").read_text())
        os._exit(0 if began else 1)
    os.setsid()  # Ctrl-C is for the tests
    said = os.open(folder / "keeper", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    for stream in (0, 1, 2):
        os.dup2(said, stream)
    (folder / "server").mkdir()
    with Server.started(folder / "server") as it:
        running = folder / "running"
        running.write_text(json.dumps({"port": it.port, "password": it.password, "template": False}))
        os.write(writing, b"!")
        os.close(writing)
        fcntl.flock(os.open(folder / "used", os.O_RDWR), fcntl.LOCK_EX)
        running.unlink()
        it.stop(signal.SIGQUIT)
    shutil.rmtree(folder, ignore_errors=True)  # somebody may just have come again: they wait in ``_locked``


# Databases


def fresh(*, migrated: bool = True) -> str:
    """The address of a new database, with the newest schema and nothing in it, or with no schema at all."""
    name = f"t{os.getpid()}_{next(_numbers)}"
    template = f" TEMPLATE {TEMPLATE} STRATEGY file_copy" if migrated else ""
    query(server().url("postgres"), f"CREATE DATABASE {name}{template}")
    return server().url(name)


def drop(url: str) -> None:
    """Delete the database at *url*, whoever is connected to it."""
    query(server().url("postgres"), f"DROP DATABASE {sa.make_url(url).database} WITH (FORCE)")


def query(url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of *statement* on the database at *url*; its parameters are $1, $2 ..."""
    return _apart(_asked(url, statement, values))


@asynccontextmanager
async def alive(url: str, name: str = "diciassette:1:8:serves:somewhere/1") -> AsyncIterator[None]:
    """In the block a process of that *name* seems to use the database at *url*."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""), server_settings={"application_name": name})
    try:
        yield
    finally:
        await connection.close()


async def _asked(url: str, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return [tuple(row) for row in await connection.fetch(statement, *values)]
    finally:
        await connection.close()


def insert(url: str, statement: str, rows: list[tuple[Any, ...]]) -> None:
    """Run *statement* once for each of *rows*."""
    _apart(_insert(url, statement, rows))


async def _insert(url: str, statement: str, rows: list[tuple[Any, ...]]) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        await connection.executemany(statement, rows)
    finally:
        await connection.close()


def _apart(work: Coroutine[Any, Any, T]) -> T:
    """The result of *work* in an event loop of its own, also where one runs already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
