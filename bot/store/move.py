"""``python -m bot move FROM TO``: all rows of one database into another, of either kind, while no bot runs on them.

It is one transaction on the target: if it is interrupted, nothing is there.
"""

import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from bot.store import migrations
from bot.store.address import DRIVER, normal
from bot.store.copying import NotCopied, Side, copy, prepare, side
from bot.store.database import Damaged, Refused
from bot.store.files import COMPANIONS, LOCK, file_of
from bot.store.lock import AlreadyRunning, only_process
from bot.store.locks import living
from bot.store.migrations import OtherVersion
from bot.store.opening import why_not
from bot.store.sqlite import plain

_KINDS: Final = ("sqlite+aiosqlite", DRIVER)


class CannotMove(Exception):
    """It was not done; the text is one line that says why, without a password."""


def named(text: str) -> sa.URL:
    """What *text* names: an address, or the path of a SQLite file.

    Raises:
        CannotMove: it is neither.
    """
    if "://" not in text:
        return sa.URL.create("sqlite+aiosqlite", database=text)
    try:
        url = normal(sa.make_url(text))
    except (ArgumentError, ValueError):
        raise CannotMove("this is no database address") from None
    if url.drivername not in _KINDS or (url.drivername != DRIVER and file_of(url) is None):
        raise CannotMove(f"{url.drivername}: give the path of a SQLite file, or an address with postgresql://")
    return url


async def move(source: sa.URL, target: sa.URL, say: Callable[[str], object]) -> None:
    """Copy everything from *source* to *target*, which is empty, and compare both; *say* is told what was copied.

    Raises:
        CannotMove: it was not done; the target is as it was.
    """
    if source == target or _same_file(source, target):
        raise CannotMove("these are the same database; name the new one in STORE_URL, or behind the old one")
    try:
        with ExitStack() as held:
            for url in (source, target):
                if (file := file_of(url)) is not None and (url is target or file.exists()):
                    held.enter_context(only_process(file))
            with _new_or_as_it_was(file_of(target)):
                async with (
                    _readable(source) as readable,
                    side(readable, writes=False) as from_there,
                    side(target, writes=True) as to_here,
                ):
                    await _check_nobody(from_there, source)
                    await to_here.do(prepare)
                    await _check_nobody(to_here, target)
                    await copy(from_there, to_here, say)
    except BaseException as error:
        if (why := _why(error)) is not None:
            raise CannotMove(why) from error
        raise


def _same_file(source: sa.URL, target: sa.URL) -> bool:
    """Whether both are one file of SQLite's."""
    paths = [path.resolve() for url in (source, target) if (path := file_of(url)) is not None]
    return len(paths) == 2 and paths[0] == paths[1]


@contextmanager
def _new_or_as_it_was(path: Path | None) -> Iterator[None]:
    """If what is made at *path* in the block, under its lock, is not finished, it is deleted, the lock last."""
    new = path is not None and not path.exists()
    try:
        yield
    except BaseException:
        if path is not None and new:
            for name in (path.name, *(path.name + end for end in (*COMPANIONS, LOCK))):
                path.with_name(name).unlink(missing_ok=True)
        raise


def _why(error: BaseException) -> str | None:
    """Why it was not done, in one line; ``None``: *error* is a bug, or not for us."""
    if isinstance(error, AlreadyRunning):
        return f"{error} runs on it; stop it first"
    if isinstance(error, (CannotMove, OtherVersion)):
        return str(error)
    known = (NotCopied, Refused, Damaged, SQLAlchemyError, sqlite3.Error, OSError, ImportError, CommandError)
    return why_not(error) if isinstance(error, known) else None


@asynccontextmanager
async def _readable(source: sa.URL) -> AsyncIterator[sa.URL]:
    """Where the rows of *source* are with the newest schema: there, or, if it is an older SQLite file, in a copy that
    was brought up to date.

    Raises:
        CannotMove: it is not there, or is of another version.
    """
    path = file_of(source)
    if path is None:
        async with side(source, writes=False) as there:
            why = await there.do(migrations.unread)
        if why:
            raise CannotMove(f"what is to be moved cannot be read: {why}")
        yield source
        return
    if not path.is_file():
        raise CannotMove(f"there is no database at {path}")
    with plain(source, writes=False) as connection:
        schema, newest = migrations.versions(connection)
    if not schema:
        raise CannotMove(f"{path} is no database of this program")
    if schema == newest:
        yield source
        return
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "newest.sqlite3"
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(copied)) as new:
            old.backup(new)
        url = sa.URL.create("sqlite+aiosqlite", database=str(copied))
        with plain(url, writes=True) as connection:
            migrations.upgrade(connection)
        yield url


async def _check_nobody(there: Side, url: sa.URL) -> None:
    """Raise CannotMove if a process runs on the PostgreSQL database at *url*. On the target, none can join until the
    transaction ends."""
    if file_of(url) is None and (count := await there.do(_alive)):
        raise CannotMove(f"{count} of the bot's processes run on {url.host or 'it'}; stop them first")


def _alive(connection: Connection) -> int:
    """How many processes are alive; none can join before the caller's transaction ends."""
    connection.execute(sa.text("SET LOCAL lock_timeout = '10s'"))
    return living(connection)
