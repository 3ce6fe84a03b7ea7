"""Backups that the running bot makes by itself, beside the games; the oldest go."""

import asyncio
import logging
import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import sqlalchemy as sa

from bot.clock import Alarm, Clock
from bot.log import fields
from bot.store.backup import PART, BadBackup, backup
from bot.store.database import reason

if TYPE_CHECKING:
    from bot.settings import Settings

log = logging.getLogger(__name__)

HOUR_MS: Final = 3_600_000
FIRST_MS: Final = 60_000
"""How long after the start the first backup is made, if one is due: a start has enough to do."""
NAME: Final = "diciassette-"
SUFFIX: Final = ".sqlite3"
_TIME: Final = "%Y%m%dT%H%M%SZ"


class Plan(NamedTuple):
    """The address of the store, where backups of it go, how many hours lie between two, and how many are kept."""

    url: str
    folder: Path
    hours: int
    keep: int


def plan_of(config: "Settings") -> Plan | None:
    """The plan that *config* makes; ``None``: no backups."""
    if config.backup_folder is None:
        return None
    return Plan(config.store_url, config.backup_folder.absolute(), config.backup_hours, config.backup_keep)


def prepare(folder: Path) -> None:
    """Make *folder*, which only its owner may enter, if it is not there.

    Raises:
        OSError: it cannot be made, or nothing can be written there.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(13, os.strerror(13))


class Backups:
    """Makes backups as *plan* says (``None``: none), from ``start`` to ``stop``; both may come again.

    The next one is due when the newest in the folder is old enough, so a restart neither adds one nor puts one off. If
    one fails, that is one line in the log, and it is tried again an hour later.
    """

    def __init__(self, plan: Plan | None, clock: Clock) -> None:
        self._plan = plan
        self._clock = clock
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to make backups, in the background."""
        if self._plan is None or self._alarm is not None or self._task is not None:
            return
        newest = max((when for file in complete(self._plan.folder) if (when := made(file)) is not None), default=0)
        due = max(newest + self._plan.hours * HOUR_MS, self._clock.now() + FIRST_MS)
        at = datetime.fromtimestamp(due / 1000, UTC).isoformat(timespec="seconds")
        log.info("backups are made", extra=fields(folder=self._plan.folder, next=at))
        self._wait(self._plan, due)

    async def stop(self) -> None:
        """Make no more. One that has begun is finished by its thread, for which the program waits before it ends."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    def _wait(self, plan: Plan, until: int) -> None:
        """Make the next backup at the time *until*."""
        self._alarm = self._clock.call_at(until, lambda: self._begin(plan))

    def _begin(self, plan: Plan) -> None:
        """Make a backup, in the background."""
        self._alarm = None
        self._task = asyncio.get_running_loop().create_task(self._make(plan), name="backup")

    async def _make(self, plan: Plan) -> None:
        """Make a backup, and have the next one made."""
        now, hours = self._clock.now(), plan.hours
        try:
            made = await asyncio.to_thread(make, plan, now)
            log.info("backup made", extra=fields(file=made.name, bytes=made.stat().st_size))
        except (OSError, sqlite3.Error, sa.exc.SQLAlchemyError, BadBackup) as error:
            hours = 1
            log.warning("no backup was made; the next try is in an hour: %s", reason(error))
        except Exception:  # the boundary of the backups: the games go on without them
            hours = 1
            log.exception("no backup was made; the next try is in an hour")
        self._task = None
        self._wait(plan, now + hours * HOUR_MS)


def make(plan: Plan, now: int) -> Path:
    """Make one backup and check it; then delete the oldest. Return its file.

    It blocks: call it in a thread.

    Raises:
        OSError, sqlite3.Error, SQLAlchemyError, BadBackup: there is no new backup; all older ones are still there.
    """
    prepare(plan.folder)
    _clear(plan.folder)  # what a process has left that was killed
    moment = datetime.fromtimestamp(now / 1000, UTC)
    file = plan.folder / f"{NAME}{moment.strftime(_TIME)}{SUFFIX}"
    backup(plan.url, file)
    _sync(plan.folder)
    for old in complete(plan.folder)[: -plan.keep]:
        old.unlink(missing_ok=True)
    return file


def _clear(folder: Path) -> None:
    """Delete what is not complete in *folder*, and what SQLite has put beside it."""
    for left in folder.glob(f"{NAME}*{PART}*"):
        left.unlink(missing_ok=True)


def complete(folder: Path) -> list[Path]:
    """The backups in *folder* that were made by themselves, the oldest first."""
    return sorted(file for file in folder.glob(f"{NAME}*{SUFFIX}") if made(file) is not None)


def made(file: Path) -> int | None:
    """When the backup *file* was made by its name, ms since 1970; ``None``: its name is not ours."""
    try:
        moment = datetime.strptime(file.name, f"{NAME}{_TIME}{SUFFIX}").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(moment.timestamp() * 1000)


def _sync(folder: Path) -> None:
    """Have the names in *folder* on the disk, before an older backup goes."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
