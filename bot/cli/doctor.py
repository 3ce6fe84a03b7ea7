"""``python -m bot doctor``: reports the state of database and backups. It changes nothing, and may run beside the
bot."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.delivery.errors import FLAGGED
from bot.delivery.quarantine import check_table_usable as check_table
from bot.delivery.slots import is_valid_slot_name
from bot.store import messages, migrations, postgresql, tables
from bot.store.backup import BackupPlan, BadBackup, backup_time_ms, check_backup, list_complete_backups
from bot.store.database import Damaged, Refused, has_unescaped_password
from bot.store.files import COMPANIONS, LOCK_SUFFIX, UnusablePath, check_database_path, sqlite_file
from bot.store.messages import DmsPause
from bot.store.tables import QuarantinedTable
from bot.store.writer import connect_database, failure_reason
from bot.tables.errors import UnusableTable
from bot.tables.model import Table

# Checks that a bot can write to a SQLite database and make its backups: rights and disk space. They change nothing.


MIB: Final = 1 << 20
MIN_FREE_BYTES: Final = 64 * MIB
"""With less free space on its disk a database is about to fail. A move takes some KiB, but what SQLite keeps beside it
may grow to some MiB, and a backup is as large as the database."""


def database_write_problems(path: Path) -> list[str]:
    """Return, one text each, what keeps this user from writing to the SQLite database *path* and the files beside it;
    empty if nothing does.

    The folder of *path* exists.
    """
    real = path.resolve()
    found = [] if _is_writable_folder(real.parent) else [_not_writable_text(real.parent)]
    for file in (real.with_name(real.name + end) for end in ("", *COMPANIONS, LOCK_SUFFIX)):
        if file.exists() and not os.access(file, os.R_OK | os.W_OK):
            found.append(f"this user may not write to {file.name}, which belongs to {file_owner_name(file)}")
        elif _is_super_user() and file.exists() and file.stat().st_uid != real.parent.stat().st_uid:
            whose = f"{file.name} belongs to {file_owner_name(file)}, its folder to {file_owner_name(real.parent)}"
            found.append(f"{whose}: give both to the bot's user")
    return found


def disk_space_report(path: Path, free: int | None = None) -> tuple[str, bool]:
    """Return (the free space on the disk of *path* in words, whether it is at least 64 MiB); *free*, in bytes, replaces
    the measured space.

    The folder of *path* exists.
    """
    free = shutil.disk_usage(path.resolve().parent).free if free is None else free
    written = f"{free // MIB} MiB" if free < 1024 * MIB else f"{free // (1024 * MIB)} GiB"
    said = f"{written} of its disk are free"
    return (said, True) if free >= MIN_FREE_BYTES else (f"{said}: make room", False)


def backup_report(plan: BackupPlan | None) -> tuple[str, bool]:
    """Return (a text about the scheduled backups of *plan*, whether they can be made and the newest one is sound); with
    ``None`` none are made, and that is fine.
    """
    if plan is None:
        return "none are made, as BACKUP_FOLDER is not set", True
    folder = plan.folder
    there = next(it for it in (folder, *folder.parents) if it.exists())
    if not there.is_dir():
        return f"{there} is no folder", False
    if not _is_writable_folder(there):
        return _not_writable_text(there), False
    files = list_complete_backups(folder)
    if not files:
        said = f"none yet; the folder {folder} {'is there' if there == folder else 'will be made'}"
        free, enough = disk_space_report(there / folder.name)
        return (said, True) if enough else (f"{said}; {free}", False)
    newest = datetime.fromtimestamp((backup_time_ms(files[-1]) or 0) / 1000, UTC).isoformat(timespec="seconds")
    said = f"{len(files)} in {folder}, the newest of {newest}"
    try:
        check_backup(files[-1])
    except BadBackup as error:
        return f"{said}; {error}", False
    free, enough = disk_space_report(files[-1])
    return (said, True) if enough else (f"{said}; {free}", False)


def file_owner_name(file: Path) -> str:
    """Return the user name of the owner of *file*, or the number of a user without a name."""
    try:
        return file.owner()
    except (KeyError, NotImplementedError):
        return str(file.stat().st_uid)


def _is_writable_folder(folder: Path) -> bool:
    """Whether this user may create files in *folder*."""
    return os.access(folder, os.W_OK | os.X_OK)


def _not_writable_text(folder: Path) -> str:
    """Return the text that says that this user may not write to *folder*."""
    return f"this user may not write to the folder {folder}"


def _is_super_user() -> bool:
    """Whether this process runs as root, who may do everything, so that the bot's own user may be allowed less."""
    return os.name == "posix" and os.geteuid() == 0


class Facts(NamedTuple):
    """What the doctor has found in the database: schema, damage, tables, processes, paused direct messages."""

    schema: str
    """The version of the database's schema; empty: it has none."""
    newest: str
    """The version that this program writes."""
    other: str
    """Why another version must be used with the database first, and what to do; empty if it need not."""
    damage: list[str]
    """The complaints of SQLite's own check; empty if there are none."""
    live: int
    """How many tables are not over."""
    aside: list[QuarantinedTable]
    unusable: list[UnusableTable]
    """Live tables that will be set aside."""
    odd: list[str]
    """Other damage, in words: the bot leaves it out or repairs it."""
    holders: dict[str, list[int]] | None = None
    """The processes that use the database, by the names of their sessions, with the shards that each holds; ``None``:
    it is SQLite."""
    pause: DmsPause | None = None
    """The last period in which Discord let the bot open no conversations."""


async def run_doctor_command(url: str, say: Callable[[str], object], plan: BackupPlan | None = None) -> int:
    """Serve ``doctor``: print with *say* a report on the database at *url* and the backups of *plan*; return the exit
    code: 0 if nothing needs to be done, else 1.
    """
    code = await _report_database(url, say)
    said, well = backup_report(plan)
    say(f"backups: {said}\n")
    return code if well else 1


async def _report_database(url: str, say: Callable[[str], object]) -> int:
    """Print with *say* a report on the database at *url*; return 0 if it is healthy and this user can write to it, else
    1.
    """
    parsed = sa.make_url(url)
    path = sqlite_file(parsed)
    shown = parsed.drivername if has_unescaped_password(parsed) else parsed.render_as_string(hide_password=True)
    say(f"database: {path or shown}\n")
    if path is not None:
        try:
            check_database_path(path)
        except UnusablePath as error:
            say(f"it cannot be opened: {error.strerror}\n")
            return 1
    usable = path is None or _report_database_file_access(path, say)
    if path is not None and not path.exists():
        say("there is none: the first start creates it\n")
        return 1
    try:
        database = await connect_database(url, read_only=True)
        try:
            facts = await database.read(examine_database)
        finally:
            await database.close()
    except (SQLAlchemyError, sqlite3.Error, OSError, ImportError, Refused, Damaged, CommandError) as error:
        say(f"it cannot be read: {failure_reason(error)}\n")
        return 1
    except Exception as error:  # noqa: BLE001 - a database may hold anything; what an error quotes may be secret
        say(f"it cannot be read: {type(error).__name__}\n")
        return 1
    for line in report_lines(facts):
        say(line + "\n")
    return 0 if is_database_healthy(facts) and usable else 1


def _report_database_file_access(path: Path, say: Callable[[str], object]) -> bool:
    """Print with *say* whether this user can write to the SQLite database *path* and has disk space; return whether
    both are so.

    The folder of *path* exists.
    """
    found = database_write_problems(path)
    free, enough = disk_space_report(path)
    for line in found or ["ok"]:
        say(f"files: {line}\n")
    say(f"room: {free}\n")
    return enough and not found


def examine_database(connection: Connection) -> Facts:
    """Collect everything that the doctor reports about the database: schema, integrity, every live table, processes. It
    runs in the caller's transaction, and changes nothing.

    Tables of a schema that is not this program's are not read.
    """
    schema, newest = migrations.schema_versions(connection)
    sqlite = connection.dialect.name == "sqlite"
    checked = connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars().all() if sqlite else ["ok"]
    damage = [line for line in checked if line != "ok"]
    other = migrations.why_other_version(connection)
    refused = migrations.why_upgrade_fails(connection) if sqlite and not other else ""
    damage += [f"the bot does not start on it: {refused}"] if refused else []
    if refused or schema != newest:
        return Facts(schema, newest, other, damage, 0, [], [], [])
    unusable, odd = [], []
    live = tables.live_table_ids(connection)
    for table in live:
        try:
            found = tables.read_table_even_if_quarantined(connection, table)
            if found is not None:
                check_table(found)
                odd += _damaged_rows(connection, found)
        except UnusableTable as error:
            unusable.append(error)
    return Facts(
        schema,
        newest,
        other,
        damage,
        len(live),
        tables.quarantined_tables(connection),
        unusable,
        odd + messages.invalid_row_lines(connection),
        None if sqlite else postgresql.shards_by_process(connection),
        messages.read_bot_dms_pause(connection),
    )


def _damaged_rows(connection: Connection, table: Table) -> list[str]:
    """Return, one text each, what is damaged in the SQL rows about *table*, apart from its own snapshot; empty if
    nothing is.
    """
    lines = []
    if not tables.live_channel_column_matches(connection, table):
        lines.append(f"{table.id} is recorded as live where it is not; the bot repairs that")
    bad = messages.read_valid_message_rows(
        connection, table.id, lambda slot: is_valid_slot_name(slot, len(table.players))
    ).bad
    if bad:
        lines.append(f"{table.id} has {bad} messages whose rows are damaged; the bot sends them again")
    return lines


def report_lines(facts: Facts) -> list[str]:
    """Return the doctor's report on what was found in the database, *facts*, line by line."""
    known = "this program's" if facts.schema == facts.newest else f"this program's is {facts.newest}"
    damage = "; ".join([*facts.damage, "restore a backup"]) if facts.damage else "ok"
    lines = [f"schema: {facts.schema or 'none'} ({known})", f"integrity: {damage}"]
    if facts.other:
        lines.append(f"the bot does not start on it: {facts.other}")
    if not facts.schema:
        lines.append(
            "there is nothing in it: the next start makes a new database of it; if there were games, restore a backup"
        )
    if facts.schema != facts.newest:
        return lines
    lines += _bot_process_lines(facts.holders) if facts.holders is not None else []
    lines.append(f"live tables: {facts.live}")
    lines += [f"  {it.table} cannot go on: {it.error}; the bot sets it aside" for it in facts.unusable]
    lines.append(f"tables set aside: {len(facts.aside)}")
    for it in facts.aside:
        at = datetime.fromtimestamp(it.at / 1000, UTC).isoformat(timespec="seconds") if it.at is not None else "unknown"
        lines.append(f"  {it.table} in channel {it.channel} since {at}: {it.error}")
    if are_dms_paused(facts):
        assert facts.pause is not None
        until = datetime.fromtimestamp(facts.pause.until / 1000, UTC).isoformat(timespec="seconds")
        why = "Discord has flagged the app as spam; ask Discord's support to lift it"
        why = why if facts.pause.code == FLAGGED else "Discord says that too many were opened"
        lines.append(f"direct messages: none are opened with new people until {until}: {why}")
    if facts.odd:
        lines += ["damaged rows:", *(f"  {line}" for line in facts.odd)]
    return lines


def _bot_process_lines(holders: dict[str, list[int]]) -> list[str]:
    """Return lines of text about the bot processes on the database and the shards that each holds; *holders* is session
    name -> shards.
    """
    lines, free = [f"processes: {len(holders)}"], set[int]()
    for name, shards in holders.items():
        _, _, of, state, called = name.split(":", 4)
        leaves = ", and hands them over" if state == "leaves" else ""
        held = f"shards {', '.join(map(str, shards))} of {of}" if shards else "no shard: it stands by"
        lines.append(f"  {called} holds {held}{leaves}")
        free = free or set(range(int(of)))
    if free := free - {shard for shards in holders.values() for shard in shards}:
        lines.append(f"  nobody holds {', '.join(map(str, sorted(free)))}")
    return lines


def are_dms_paused(facts: Facts) -> bool:
    """Whether the bot opens no direct message channels now, because Discord has flagged it as spam or said that there
    were too many.
    """
    return facts.pause is not None and facts.pause.until > datetime.now(UTC).timestamp() * 1000


def is_database_healthy(facts: Facts) -> bool:
    """Whether nothing in *facts* needs the host's attention; an older schema does not, as the next start migrates it,
    but a database without a schema does.
    """
    wrong = facts.damage or facts.aside or facts.unusable or facts.odd
    return not wrong and not are_dms_paused(facts) and facts.schema != "" and not facts.other
