"""A new SQLite database that has its schema already: a copy of one that is made once, as migrating takes longer than
most tests."""

import asyncio
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from bot.store.store import Store


def database(path: Path) -> None:
    """Put a new database at *path*, unless there is a file."""
    if not path.exists():
        shutil.copy(_template(), path)


@cache
def _template() -> Path:
    """A database in which nothing is yet, made by the program itself; it stays for as long as this process."""
    folder = tempfile.TemporaryDirectory(prefix="fresh-")
    _kept.append(folder)
    path = Path(folder.name) / "t.sqlite3"

    async def make() -> None:
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        await store.close()

    with ThreadPoolExecutor(1) as pool:  # an event loop may be running here
        pool.submit(asyncio.run, make()).result()
    return path


_kept: list[tempfile.TemporaryDirectory[str]] = []
