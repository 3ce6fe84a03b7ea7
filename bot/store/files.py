"""The files of a SQLite database: where they are, their rights, whether they are still there, and its process lock."""

import errno
import logging
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from bot.log import fields

log = logging.getLogger(__name__)

COMPANIONS: Final = ("-wal", "-shm", "-journal")
"""The suffixes of files that SQLite puts beside a database. https://www.sqlite.org/tempfiles.html"""
LOCK_SUFFIX: Final = ".lock"
"""The suffix of the lock file, which one process holds (``hold_process_lock``)."""
PRIVATE_MODE: Final = 0o600
OTHERS_RIGHTS: Final = 0o077
"""The mode bits of everybody but the owner."""


class DatabaseGone(OSError):
    """The database file, or its lock, was deleted, moved or replaced while it was open.

    Writes to it are lost, or another process may write to it as well.
    """

    logged = True
    """``FileWatch`` has logged it: later failures need no more log lines (``log.LoggedErrorFilter``)."""


def sqlite_file(url: sa.URL) -> Path | None:
    """Return the absolute path of the SQLite file in *url*; ``None`` if it is another database, or one in memory."""
    if url.drivername.partition("+")[0] != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(url.database).absolute()


class UnusablePath(OSError):
    """A database cannot be at this path: ``strerror`` says why."""


def check_database_path(path: Path) -> None:
    """Raise UnusablePath if no SQLite file can be at *path*: its folder is missing, or something other than a regular
    file is there.
    """
    try:
        real = path.resolve()
        folder, exists, regular = real.parent.is_dir(), real.exists(), real.is_file()
        loop = real.is_symlink()  # how Python 3.13 leaves symbolic links that lead to each other
    except OSError as error:
        raise UnusablePath(error.errno, error.strerror or "there can be no such path") from None
    except RuntimeError:  # how Python 3.11 and 3.12 report them
        loop = True
    if loop:
        raise UnusablePath(errno.ELOOP, os.strerror(errno.ELOOP))
    if not folder:
        raise UnusablePath(errno.ENOENT, f"there is no folder {real.parent}")
    if exists and not regular:  # opening a named pipe would wait for ever
        raise UnusablePath(errno.EINVAL, f"{real} is {'a folder' if real.is_dir() else 'not a regular file'}")


def check_database_exists(url: str) -> None:
    """Raise UnusablePath if *url* names a SQLite file that does not exist; other databases are not checked."""
    path = sqlite_file(sa.make_url(url))
    if path is not None and not path.is_file():
        raise UnusablePath(errno.ENOENT, f"there is no database at {path}")


def create_private_file(path: Path) -> None:
    """Create the empty file *path*, which only its owner can read and write; raise FileExistsError if it exists, or
    OSError if it cannot be created.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_MODE))


def make_database_private(path: Path) -> None:
    """Create the SQLite file *path* for its owner only; if it exists, remove the rights of others to it and to SQLite's
    files beside it, and log that.

    Call it before the database is opened: SQLite would create the file with rights for everybody.

    Raises:
        OSError: it cannot be created.
    """
    real = path.resolve()
    try:
        create_private_file(real)
    except FileExistsError:  # it must not be opened here: closing it would drop SQLite's locks of this process
        for name in (real.name, *(real.name + companion for companion in COMPANIONS)):
            _remove_rights_of_others(real.with_name(name))


def _remove_rights_of_others(file: Path) -> None:
    """Remove the rights of everybody but the owner from *file*, and log that, or that it is not allowed; do nothing if
    others have none, or it does not exist.
    """
    try:
        status = file.stat()
        if os.name != "posix" or not stat.S_ISREG(status.st_mode) or not status.st_mode & OTHERS_RIGHTS:
            return
        rights = stat.S_IMODE(status.st_mode)
        file.chmod(rights & ~OTHERS_RIGHTS)
    except FileNotFoundError:  # SQLite deletes its companions whenever it likes
        return
    except PermissionError:
        log.warning("others can read the database: its file is not ours", extra=fields(file=file.name))
    else:
        log.warning("others could read the database: not any more", extra=fields(file=file.name, was=f"{rights:o}"))


LOG_CHECK_INTERVAL: Final = 64
"""The size of the write-ahead log is checked once in so many transactions."""
LARGE_LOG_BYTES: Final = 256 * 1024 * 1024
"""A write-ahead log of this size is logged: something keeps SQLite from moving it into the database."""


class FileWatch:
    """Notices that the files of an open SQLite database, or its lock file, were deleted, moved or replaced.

    SQLite itself does not notice that they were deleted: it goes on writing to what nobody can open any more.
    https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
    """

    def __init__(self, path: Path) -> None:
        self._name = path.name
        real = path.resolve()
        self._files = {
            str(path): "put the file back or restore a backup",
            str(real.with_name(real.name + "-wal")): "put the file back or restore a backup",
            str(real.with_name(real.name + LOCK_SUFFIX)): "make sure that no other bot runs on this database",
        }
        """Each with what its loss calls for."""
        self._known: dict[str, tuple[int, int] | None] = {}
        self._gone = False
        self._log = real.with_name(real.name + "-wal")
        self._looks = 0
        self._large = False
        """Whether the write-ahead log was too large at the last look."""

    def _warn_if_wal_has_grown(self) -> None:
        """Log a warning if the file of SQLite's write-ahead log has grown to 256 MiB since the last look."""
        try:
            size = self._log.stat().st_size
        except OSError:  # ``check_files_not_replaced`` reports it
            return
        if size >= LARGE_LOG_BYTES and not self._large:
            log.warning(
                "the database's write-ahead log is very large: a program that reads the database for long keeps it so",
                extra=fields(file=self._log.name, mib=size // 1024**2),
            )
        self._large = size >= LARGE_LOG_BYTES

    def check_files_not_replaced(self) -> None:
        """Raise DatabaseGone if the database file, its write-ahead log or its lock file is not the one of the first
        call, and log that the first time.

        The first call must come once the database is open and has been read.
        """
        self._looks += 1
        if self._looks % LOG_CHECK_INTERVAL == 0:
            self._warn_if_wal_has_grown()
        found = {file: _file_identity(file) for file in self._files}
        if found == self._known and not self._gone:
            return
        self._known = self._known or found
        gone = next((file for file in found if found[file] != self._known[file]), None)
        if gone is not None:
            what = "lock of the database" if gone.endswith(LOCK_SUFFIX) else "database file"
            if not self._gone:
                log.error(
                    "the %s was deleted, moved or replaced: nothing can be saved. "
                    "Stop the bot, %s, and start the bot again",
                    what,
                    self._files[gone],
                    extra=fields(file=self._name),
                )
            self._gone = True
            raise DatabaseGone(f"the {what} was deleted, moved or replaced")
        if self._gone:
            log.info("the database file is back", extra=fields(file=self._name))
            self._gone = False


def _file_identity(file: str) -> tuple[int, int] | None:
    """Return (device, inode) of *file*; ``None`` if it does not exist."""
    try:
        status = os.stat(file)  # noqa: PTH116 - twice for every transaction; a path would be taken apart each time
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


# One process for each SQLite database: a lock of the operating system, which ends with the process that holds it.


LOCK_BYTE: Final = 1 << 20
"""The byte that is locked on Windows: one that nobody reads."""


class AlreadyRunning(Exception):
    """Another process runs on the database; the text names its process id, if that is known."""


@contextmanager
def hold_process_lock(database: Path | None) -> Iterator[None]:
    """Context manager: lock the file beside the SQLite file *database* for this process; raise AlreadyRunning if
    another process has locked it. ``None``: lock nothing.

    The lock file stays: deleting it would let two processes in. The store notices that (``FileWatch``), and refuses
    every change from then on. The lock does not depend on the process id in the file, so it is free at once when its
    holder is killed.

    Raises:
        AlreadyRunning: another process holds the lock.
        UnusablePath: there can be no database file.
        OSError: the lock file cannot be created, or the file system has no locks.
    """
    if database is None:
        yield
        return
    check_database_path(database)
    real = database.resolve()
    handle = os.open(real.with_name(real.name + LOCK_SUFFIX), os.O_CREAT | os.O_RDWR, PRIVATE_MODE)
    try:
        if not _try_lock(handle):
            holder = os.read(handle, 20).decode("ascii", "replace").strip()
            raise AlreadyRunning(f"process {holder}" if holder else "another process")
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode("ascii"))
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        """Lock the open file *handle* until it is closed, without waiting; return False if another process has locked
        it.
        """
        os.lseek(handle, LOCK_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        """Lock the open file *handle* until it is closed, without waiting; return False if another process has locked
        it.
        """
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
