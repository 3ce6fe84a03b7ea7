"""The files of a SQLite database: where they are, that nobody else can read them, whether they are still the ones that
were opened."""

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
"""What SQLite puts beside a database, with the same rights. https://www.sqlite.org/tempfiles.html"""
LOCK: Final = ".lock"
"""What the file is called that one process holds (``lock``): the database's name and this."""
PRIVATE: Final = 0o600
OTHERS: Final = 0o077
"""The rights of everybody but the owner."""


class DatabaseGone(OSError):
    """The database file, or its lock, was deleted, moved or replaced while it was open: what is written to it is lost,
    or another process may write to it as well."""

    logged = True
    """``Watch`` has said so: what fails by that is no news (``log.LoggedErrorFilter``)."""


def file_of(url: sa.URL) -> Path | None:
    """The file that *url* names; ``None``: it is not SQLite's, or the database is in memory."""
    if url.drivername.partition("+")[0] != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(url.database).absolute()


class NoPlace(OSError):
    """A database cannot be where it should be: ``strerror`` says why."""


def check_place(path: Path) -> None:
    """Check that *path* is a database file, or a place for one.

    Raises:
        NoPlace: its folder is missing, something else is there, or there cannot be such a path.
    """
    try:
        real = path.resolve()
        folder, exists, regular = real.parent.is_dir(), real.exists(), real.is_file()
        loop = real.is_symlink()  # how Python 3.13 leaves symbolic links that lead to each other
    except OSError as error:
        raise NoPlace(error.errno, error.strerror or "there can be no such path") from None
    except RuntimeError:  # how Python 3.11 and 3.12 report them
        loop = True
    if loop:
        raise NoPlace(errno.ELOOP, os.strerror(errno.ELOOP))
    if not folder:
        raise NoPlace(errno.ENOENT, f"there is no folder {real.parent}")
    if exists and not regular:  # opening a named pipe would wait for ever
        raise NoPlace(errno.EINVAL, f"{real} is {'a folder' if real.is_dir() else 'not a regular file'}")


def check_exists(url: str) -> None:
    """Check that the SQLite file that *url* names, if it names one, is there.

    Raises:
        NoPlace: it is not.
    """
    path = file_of(sa.make_url(url))
    if path is not None and not path.is_file():
        raise NoPlace(errno.ENOENT, f"there is no database at {path}")


def create_private(path: Path) -> None:
    """Create the empty file *path*, which only its owner can read and write.

    Raises:
        FileExistsError: it exists already.
        OSError: it cannot be created.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))


def make_private(path: Path) -> None:
    """Create the database *path* if it is not there, and take the rights of others to it and its companions away.

    Call it before the database is opened: SQLite would create the file with rights for everybody.

    Raises:
        OSError: it cannot be created.
    """
    real = path.resolve()
    try:
        create_private(real)
    except FileExistsError:  # it must not be opened here: closing it would drop SQLite's locks of this process
        for name in (real.name, *(real.name + companion for companion in COMPANIONS)):
            _narrow(real.with_name(name))


def _narrow(file: Path) -> None:
    """Take the rights of others to *file* away, if it exists and they have any; that is logged."""
    try:
        status = file.stat()
        if os.name != "posix" or not stat.S_ISREG(status.st_mode) or not status.st_mode & OTHERS:
            return
        rights = stat.S_IMODE(status.st_mode)
        file.chmod(rights & ~OTHERS)
    except FileNotFoundError:  # SQLite deletes its companions whenever it likes
        return
    except PermissionError:
        log.warning("others can read the database: its file is not ours", extra=fields(file=file.name))
    else:
        log.warning("others could read the database: not any more", extra=fields(file=file.name, was=f"{rights:o}"))


LOOK_EVERY: Final = 64
"""After so many transactions the size of the write-ahead log is looked at."""
LARGE_LOG: Final = 256 * 1024 * 1024
"""From this size on, in bytes, the host is told: something keeps SQLite from taking it over into the database."""


class Watch:
    """Tells whether the files of an open database are still the ones that were opened, and its lock the one that is
    held.

    SQLite itself does not notice that they were deleted: it goes on writing to what nobody can open any more.
    https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
    """

    def __init__(self, path: Path) -> None:
        self._name = path.name
        real = path.resolve()
        self._files = {
            str(path): "put the file back or restore a backup",
            str(real.with_name(real.name + "-wal")): "put the file back or restore a backup",
            str(real.with_name(real.name + LOCK)): "make sure that no other bot runs on this database",
        }
        """Each with what its loss calls for."""
        self._known: dict[str, tuple[int, int] | None] = {}
        self._gone = False
        self._log = real.with_name(real.name + "-wal")
        self._looks = 0
        self._large = False
        """Whether the write-ahead log was too large at the last look."""

    def _look_at_log(self) -> None:
        """Say so once if the write-ahead log has become very large."""
        try:
            size = self._log.stat().st_size
        except OSError:  # ``check`` says it
            return
        if size >= LARGE_LOG and not self._large:
            log.warning(
                "the database's write-ahead log is very large: a program that reads the database for long keeps it so",
                extra=fields(file=self._log.name, mib=size // 1024**2),
            )
        self._large = size >= LARGE_LOG

    def check(self) -> None:
        """Compare the files with those of the first call, which must come once the database is open and has been read.

        Raises:
            DatabaseGone: they are not the same. The first time, that is logged.
        """
        self._looks += 1
        if self._looks % LOOK_EVERY == 0:
            self._look_at_log()
        found = {file: _identity(file) for file in self._files}
        if found == self._known and not self._gone:
            return
        self._known = self._known or found
        gone = next((file for file in found if found[file] != self._known[file]), None)
        if gone is not None:
            what = "lock of the database" if gone.endswith(LOCK) else "database file"
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


def _identity(file: str) -> tuple[int, int] | None:
    """What tells *file* from every other one, as SQLite tells them apart; ``None``: there is none."""
    try:
        status = os.stat(file)  # noqa: PTH116 - twice for every transaction; a path would be taken apart each time
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


# One process for each SQLite database: a lock of the operating system, which ends with the process that holds it.


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
