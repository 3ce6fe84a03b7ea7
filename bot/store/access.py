"""Whether a bot can write to a SQLite database and make its backups: rights and room. It changes nothing."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.store.backup import BadBackup, Plan, check, complete, made
from bot.store.files import COMPANIONS, LOCK

MIB: Final = 1 << 20
LEAST_FREE: Final = 64 * MIB
"""bytes: with less on its disk a database is about to fail. A move takes some KiB, but what SQLite keeps beside it may
grow to some MiB, and a backup is as large as the database."""


def obstacles(path: Path) -> list[str]:
    """What keeps this user from writing to the SQLite database *path*, whose folder exists; empty: nothing."""
    real = path.resolve()
    found = [] if _writable(real.parent) else [_not_to(real.parent)]
    for file in (real.with_name(real.name + end) for end in ("", *COMPANIONS, LOCK)):
        if file.exists() and not os.access(file, os.R_OK | os.W_OK):
            found.append(f"this user may not write to {file.name}, which belongs to {owner(file)}")
        elif _is_super_user() and file.exists() and file.stat().st_uid != real.parent.stat().st_uid:
            whose = f"{file.name} belongs to {owner(file)}, its folder to {owner(real.parent)}"
            found.append(f"{whose}: give both to the bot's user")
    return found


def room(path: Path, free: int | None = None) -> tuple[str, bool]:
    """How much of the disk of *path*, whose folder exists, is free, and whether that is enough; *free*, in bytes, is
    what the disk says."""
    free = shutil.disk_usage(path.resolve().parent).free if free is None else free
    written = f"{free // MIB} MiB" if free < 1024 * MIB else f"{free // (1024 * MIB)} GiB"
    said = f"{written} of its disk are free"
    return (said, True) if free >= LEAST_FREE else (f"{said}: make room", False)


def backups(plan: Plan | None) -> tuple[str, bool]:
    """Which backups there are, whether *plan* (``None``: none are made) can be followed, and the newest be restored."""
    if plan is None:
        return "none are made, as BACKUP_FOLDER is not set", True
    folder = plan.folder
    there = next(it for it in (folder, *folder.parents) if it.exists())
    if not there.is_dir():
        return f"{there} is no folder", False
    if not _writable(there):
        return _not_to(there), False
    files = complete(folder)
    if not files:
        said = f"none yet; the folder {folder} {'is there' if there == folder else 'will be made'}"
        free, enough = room(there / folder.name)
        return (said, True) if enough else (f"{said}; {free}", False)
    newest = datetime.fromtimestamp((made(files[-1]) or 0) / 1000, UTC).isoformat(timespec="seconds")
    said = f"{len(files)} in {folder}, the newest of {newest}"
    try:
        check(files[-1])
    except BadBackup as error:
        return f"{said}; {error}", False
    free, enough = room(files[-1])
    return (said, True) if enough else (f"{said}; {free}", False)


def owner(file: Path) -> str:
    """Whose *file* is: their name, or their number if it has none."""
    try:
        return file.owner()
    except (KeyError, NotImplementedError):
        return str(file.stat().st_uid)


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)


def _not_to(folder: Path) -> str:
    return f"this user may not write to the folder {folder}"


def _is_super_user() -> bool:
    """Whether nothing is forbidden to this user, so that the bot's own may be forbidden more."""
    return os.name == "posix" and os.geteuid() == 0
