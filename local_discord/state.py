"""A file in which one world outlives its process: a SQLite database that its owner alone can read: tokens are in it.

What has changed is written soon after the request that changed it, and at the end. So a process that is killed loses
the last moment at most.
"""

import asyncio
import logging
import os
import sqlite3
from pathlib import Path
from typing import Any, Final

from local_discord import records
from local_discord.records import Key, Row
from local_discord.world import World

log = logging.getLogger(__name__)

VERSION: Final = 1
"""Of the rows. Another version's file is refused."""
SOON_SECONDS: Final = 0.2
_PRIVATE: Final = 0o600


RIGHTS: Final = "check its rights"
AWAY: Final = "move it away to start from scratch"
_REMEDIES: Final = {
    sqlite3.SQLITE_BUSY: "stop the bot or local Discord that uses it",
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN), RIGHTS),
    **dict.fromkeys((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR), "look whether its disk is full"),
}
"""What to do about an error of SQLite's; about any other: ``AWAY``. https://www.sqlite.org/rescode.html"""


class StateUnusable(Exception):
    """The file cannot be used; the text says why, and what to do."""


class State:
    """A SQLite file at *path* in which one world survives a restart, locked for this process; it is made if there is
    none."""

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            StateUnusable: it cannot be opened, another process uses it, or it holds something else.
        """
        self._rows: dict[Key, Any] = {}
        """What is written already: the object itself where it never changes, else the body."""
        self._files: set[int] = set()
        self._writing: asyncio.TimerHandle | None = None
        self._world: World | None = None
        self._db = _open_database(path)

    def load(self, world: World) -> None:
        """Fill *world* with what the file holds, if anything, and save that world here from now on; or raise
        StateUnusable if it cannot be read."""
        try:
            rows = [Row(*it) for it in self._db.execute("SELECT kind, number, body FROM row")]
            data = dict(self._db.execute("SELECT number, data FROM file"))
            if rows:
                records.load_world(world, rows, data)
        except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
            raise StateUnusable(f"it cannot be read: {error!r}; {AWAY}") from None
        self._world = world
        self._files = set(data)
        written = {(row.kind, row.number): row.body for row in rows}
        there = dict(records.all_entities(world))
        self._rows = {
            key: there[key] if key in there and key[0] in records.UNCHANGING else body for key, body in written.items()
        }

    def save_soon(self) -> None:
        """Save the world within 0.2 seconds, once for all calls until then; needs a running event loop."""
        if self._writing is None:
            self._writing = asyncio.get_running_loop().call_later(SOON_SECONDS, self.save)

    def save(self) -> None:
        """Write what has changed since the last save now. A failure is only logged, and the next change tries again."""
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        if self._world is None:
            return
        try:
            self._save(self._world)
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            log.warning("the state is not written: %s", error)

    def _save(self, world: World) -> None:
        """Write the rows and files of *world* that differ from what the database has, in one transaction; or raise
        sqlite3.Error."""
        there = dict(records.all_entities(world))
        fresh: dict[Key, Any] = {}
        rows: list[Row] = []
        for key, thing in there.items():
            lasting = key[0] in records.UNCHANGING
            if lasting and self._rows.get(key) is thing:
                continue
            body = records.to_json(thing, world.base)
            if lasting or self._rows.get(key) != body:
                rows.append(Row(*key, body))
                fresh[key] = thing if lasting else body
        gone = self._rows.keys() - there.keys()
        files = records.files(world)
        new_files, gone_files = files.keys() - self._files, self._files - files.keys()
        if not (rows or gone or new_files or gone_files):
            return
        db = self._db
        db.execute("BEGIN")
        db.executemany("INSERT OR REPLACE INTO row VALUES (?, ?, ?)", rows)
        db.executemany("DELETE FROM row WHERE kind = ? AND number = ?", list(gone))
        db.executemany("INSERT OR REPLACE INTO file VALUES (?, ?)", [(it, files[it]) for it in new_files])
        db.executemany("DELETE FROM file WHERE number = ?", [(it,) for it in gone_files])
        db.execute("COMMIT")
        self._rows = {key: body for key, body in self._rows.items() if key not in gone} | fresh
        self._files = set(files)

    def close(self) -> None:
        """Save what is not saved yet, and close the file."""
        self.save()
        self._db.close()


def _open_database(path: Path) -> sqlite3.Connection:
    """Open the SQLite database at *path* for this process alone, and return it; make it if there is none; or raise
    StateUnusable.

    Raises:
        StateUnusable: it cannot be opened, another process uses it, or it holds something else.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, _PRIVATE))
        path.chmod(_PRIVATE)
        db = sqlite3.connect(path, isolation_level=None)
    except OSError as error:
        raise StateUnusable(f"{error.strerror}; {RIGHTS}") from None
    try:
        _lock_and_create_tables(db)
    except sqlite3.Error as error:
        db.close()
        remedy = _REMEDIES.get((error.sqlite_errorcode or 0) & 0xFF, AWAY)
        raise StateUnusable(f"{error}; {remedy}") from None
    except StateUnusable:
        db.close()
        raise
    return db


def _lock_and_create_tables(db: sqlite3.Connection) -> None:
    """Lock *db*, and create its SQL tables if it has none; StateUnusable if another version or program wrote it,
    sqlite3.Error if it is locked or broken."""
    db.execute("PRAGMA locking_mode=EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version != VERSION and tables:
        raise StateUnusable(f"another version or another program wrote it; {AWAY}")
    if not tables:
        db.execute("CREATE TABLE row (kind TEXT, number INTEGER, body TEXT, PRIMARY KEY (kind, number))")
        db.execute("CREATE TABLE file (number INTEGER PRIMARY KEY, data BLOB)")
        db.execute(f"PRAGMA user_version={VERSION}")
    db.execute("COMMIT")
    # A commit then waits for no disk, and outlives the process all the same.
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
