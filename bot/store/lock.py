"""One process for each SQLite database: a lock of the operating system, which ends with the process that holds it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.store.files import LOCK, PRIVATE, check_place

FAR: Final = 1 << 20
"""The byte that is locked on Windows: one that nobody reads."""


class AlreadyRunning(Exception):
    """Another process runs on the database; the text names its number, if that is known."""


@contextmanager
def only_process(database: Path | None) -> Iterator[None]:
    """In the block, this is the only process that runs on the SQLite file *database* (``None``: nothing to lock).

    The lock is on a file beside it, which stays: deleting it would let two processes in. The store
    notices that (``files.Watch``), and refuses every change from then on. It does not depend on the
    process number in it, so it is free at once when its holder is killed.

    Raises:
        AlreadyRunning: another process is in such a block.
        NoPlace: there can be no database file.
        OSError: the lock file cannot be created, or the file system has no locks.
    """
    if database is None:
        yield
        return
    check_place(database)
    real = database.resolve()
    handle = os.open(real.with_name(real.name + LOCK), os.O_CREAT | os.O_RDWR, PRIVATE)
    try:
        if not _locked(handle):
            holder = os.read(handle, 20).decode("ascii", "replace").strip()
            raise AlreadyRunning(f"process {holder}" if holder else "another process")
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode("ascii"))
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _locked(handle: int) -> bool:
        """Lock the open file *handle* until it is closed; ``False``: another process has locked it."""
        os.lseek(handle, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _locked(handle: int) -> bool:
        """Lock the open file *handle* until it is closed; ``False``: another process has locked it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
