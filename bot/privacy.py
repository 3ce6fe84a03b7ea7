"""Erases a person from running tables, database and memory, and exports what is kept of them.

A person who plays again later is somebody new. What was erased comes back only with an older backup (docs/privacy.md).
"""

import asyncio
import gzip
import json
import logging
import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.cli.streams import write_stdout
from bot.client import Bot
from bot.daily.choices import decode_choices
from bot.store.database import Damaged, Unavailable, database_label
from bot.store.files import (
    AlreadyRunning,
    UnusablePath,
    check_database_exists,
    create_private_file,
    hold_process_lock,
    sqlite_file,
)
from bot.store.people import PersonMentions
from bot.store.records import StoredRecord
from bot.store.store import Store, StoreUnreachable
from bot.store.writer import failure_reason
from bot.tables.errors import Conflict
from bot.tables.leaving import without_person
from bot.tables.model import Player, Table, TableId
from bot.tables.names import name_with_username
from engine import record
from engine.errors import BadRecord
from engine.game import Json

log = logging.getLogger(__name__)


async def erase_person(bot: Bot, user: int, name: str, username: str = "") -> None:
    """Erase *user*, whom Discord calls *name* and *username*, from tables, database and memory while *bot* runs; if it
    fails half way, do it again.
    """
    names = {name, *([name_with_username(name, username)] if username else [])}
    done = False
    while not done:
        await bot.changes.erase_from_tables(user, names)
        found = await bot.store.find_mentions(user, names)
        async with bot.people.erasing(user):
            done = await bot.store.erase_person(user, found)
    bot.changes.forget_person_and_delete_notes(user)
    log.info("a person is erased")


async def erase_from_store(store: Store, user: int, now: int) -> int | None:
    """Erase *user* from *store*, on which no bot runs, at the time *now* (ms since 1970); return how many live tables
    mentioned them, ``None`` if nothing was known of them.
    """
    found = await store.find_mentions(user)
    rows = await store.rows_about_person(user)
    if not found.mentions and not any(rows.values()):
        return None
    live = [table for it in found.mentions if it.live and (table := it.unpack()) is not None]
    for table in live:
        await _save_next_version(store, table, without_person(table, user), now)
    done = False
    while not done:
        done = await store.erase_person(user, await store.find_mentions(user, found.names))
    return len(live)


def run_erase_command(url: str, user: int, complain: Callable[[str], object], *, sure: bool) -> int:
    """Serve ``erase``: erase *user* from the database at *url* if *sure*; return the exit code: 0 done, 1 nothing known
    or not sure, 2 failed or a bot runs; *complain* gets the reason.
    """
    if not sure:
        complain(f"this erases {user} for good; if you are sure, add --yes\n")
        return 1
    logging.getLogger().addHandler(logging.NullHandler())  # or Python writes warnings beside the one line
    try:
        check_database_exists(url)
        with hold_process_lock(sqlite_file(sa.make_url(url))):
            seats = asyncio.run(_erase_from_database(url, user))
    except AlreadyRunning as other:
        complain(f"{other} runs on this database: use /privacy, or stop the bot first\n")
    except UnusablePath as error:
        complain(f"{error.strerror}\n")
    except StoreUnreachable as error:
        complain(f"{database_label(url)} cannot be opened: {error}\n")
    except (SQLAlchemyError, Damaged, Unavailable, Conflict) as error:
        complain(f"not erased: {failure_reason(error)}\n")
    except OSError as error:
        complain(f"not erased: {error.strerror or type(error).__name__}\n")
    else:
        if seats is None:
            complain(f"nothing is known of {user}\n")
            return 1
        write_stdout(f"erased; live tables they sat at: {seats}\n")
        return 0
    return 2


async def _erase_from_database(url: str, user: int) -> int | None:
    """Open the database at *url*, and erase *user*; return how many live tables mentioned them, ``None`` if nothing was
    known; raise AlreadyRunning if a bot uses it.
    """
    store = await Store.open(url)
    try:
        if await store.count_processes():
            raise AlreadyRunning("the bot")
        return await erase_from_store(store, user, time.time_ns() // 1_000_000)
    finally:
        await store.close()


async def _save_next_version(store: Store, before: Table, after: Table, now: int) -> None:
    """Save *after* in *store* as the next version of the table *before*, changed at *now* (ms since 1970), with what it
    adds to the record, as a running bot would.
    """
    entries: Sequence[dict[str, object]] = [{**entry, "at": now} for entry in after.entries]
    saved = after._replace(version=before.version + 1, changed_at=now, entries=())
    await store.save_change(saved, {"what": "erase", "by": None}, now, entries)


# Everything that the database holds about one person, as one JSON document. docs/privacy.md describes it.


FORMAT: Final = 1
RECORDS_A_SLICE: Final = 50
_FILE_KEYS: Final = {
    "people": "direct_messages",
    "dm_channel_id": "channel",
    "dms_closed_at": "closed_at",
    "guild_id": "server",
    "daily_attempts": "days",
}
"""The names of tables and columns of the database in the exported file, where they differ."""
_OMITTED_FIELDS: Final = ("user", "before", "former")
"""Fields of a player that say nothing about the person."""


class PersonalData(NamedTuple):
    """Everything that is stored about a person: one document, and the records of their games."""

    document: Json
    """Everything except the records of their games."""
    records: Sequence[Json]
    """The records of their games, oldest first."""


class ExportFile(NamedTuple):
    """The personal data as a file: its name, its content, and how many records did not fit."""

    name: str
    data: bytes
    left_out: int
    """How many records, the oldest ones, are not in it, because it would have been too large."""


async def collect_personal_data(store: Store, user: int, at: int) -> PersonalData | None:
    """Read everything that *store* holds about *user*, with the records of their games; ``None`` if it holds nothing;
    *at* (ms since 1970) is stated as the time of the export.
    """
    rows, found = await store.rows_about_person(user), await store.find_mentions(user)
    if not found.mentions and not any(rows.values()):
        return None
    own = {TableId(row["table_id"]): row for row in rows.pop("record_people")}
    kept: list[StoredRecord] = []
    for first in range(0, len(own), RECORDS_A_SLICE):
        kept += await store.load_game_records(list(own)[first : first + RECORDS_A_SLICE])
    tables = await asyncio.to_thread(_readable_tables, found)
    seats = {table.id: seat for table in tables if (seat := table.seat_of(user)) is not None}
    sent = await store.private_messages_of_seats(seats)
    document = {
        "format": FORMAT,
        "made_at": _iso_time(at),
        "user": str(user),
        "names": sorted(found.names),
        **{_FILE_KEYS.get(name, name): [_row_json(row) for row in its] for name, its in rows.items()},
        "tables": [_table_json(table, user, found.names) for table in sorted(tables, key=lambda it: it.created_at)],
        "messages": [
            {"table": table, "slot": slot, "channel": str(channel), "message": str(message)}
            for table, slot, channel, message in sent
        ],
    }
    kept.sort(key=lambda it: it.ended_at)
    records = await asyncio.to_thread(lambda: [_record_json(it, own[it.table]) for it in kept])
    return PersonalData(document, records)


def run_export_command(url: str, user: int, target: Path | None, complain: Callable[[str], object]) -> int:
    """Serve ``export``: write everything that the database at *url* holds about *user* as JSON to the new file *target*
    (``None``: standard output); return the exit code: 0, 1 (nothing known) or 2 (failed).

    Only its owner can read the file. *complain* gets one line if the exit code is not 0.
    """
    try:
        found = asyncio.run(_collect_from_database(url, user))
        if found is None:
            complain(f"nothing is known of {user}\n")
            return 1
        data = pack_export(found).data + b"\n"
        if target is None:
            write_stdout(data.decode())
        else:
            _write_private_file(target, data)
    except StoreUnreachable as error:
        complain(f"{database_label(url)} cannot be read: {error}\n")
    except UnusablePath as error:
        complain(f"{error.strerror}\n")
    except FileExistsError:
        complain(f"{target} exists already\n")
    except Unavailable as error:
        complain(f"{database_label(url)} cannot be read: {error}\n")
    except OSError as error:
        complain(f"{target or 'standard output'}: {error.strerror}\n")
    except (SQLAlchemyError, Damaged) as error:
        complain(f"{database_label(url)} cannot be read: {failure_reason(error)}\n")
    else:
        return 0
    return 2


async def _collect_from_database(url: str, user: int) -> PersonalData | None:
    """Open the database at *url* only for reading, and return everything that it holds about *user*; ``None`` if it
    holds nothing.
    """
    check_database_exists(url)
    store = await Store.open_read_only(url)
    try:
        return await collect_personal_data(store, user, time.time_ns() // 1_000_000)
    finally:
        await store.close()


def _write_private_file(target: Path, data: bytes) -> None:
    """Write *data* to the new file *target*, which only its owner can read; raise OSError if it exists or cannot be
    written, and then leave no new file.
    """
    create_private_file(target)
    try:
        target.write_bytes(data)
    except BaseException:
        target.unlink()
        raise


def pack_export(export: PersonalData, limit: int | None = None) -> ExportFile:
    """Return *export* as a JSON file of at most *limit* bytes (``None``: any size): compressed if it would be larger,
    and then without as many of the oldest records as needed.
    """
    data = _export_bytes(export, 0)
    if limit is None or len(data) <= limit:
        return ExportFile("my-data.json", data, 0)
    fewest, most = 0, len(export.records)
    while fewest < most:  # how many are left out: the fewest for which it fits
        middle = (fewest + most) // 2
        if len(_gzip_export(export, middle)) <= limit:
            most = middle
        else:
            fewest = middle + 1
    return ExportFile("my-data.json.gz", _gzip_export(export, fewest), fewest)


def _gzip_export(export: PersonalData, left_out: int) -> bytes:
    """Return *export* as JSON compressed with gzip, without its *left_out* oldest records."""
    return gzip.compress(_export_bytes(export, left_out), mtime=0)


def _export_bytes(export: PersonalData, left_out: int) -> bytes:
    """Return *export* as indented JSON in UTF-8, without its *left_out* oldest records."""
    whole = {**export.document, "records": export.records[left_out:], "records_left_out": left_out}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def _readable_tables(found: PersonMentions) -> list[Table]:
    """Decode the tables in *found*; those that cannot be read are left out."""
    return [table for it in found.mentions if (table := it.unpack()) is not None]


def _table_json(table: Table, user: int, names: Collection[str]) -> Json:
    """Return what *table* holds about *user*, also known by *names*, as JSON: place, phase, their roles and their seat;
    nothing about others.
    """
    seat = table.seat_of(user)
    return {
        "table": table.id,
        "server": str(table.guild) if table.guild else None,
        "channel": str(table.channel),
        "game": table.game,
        "phase": table.phase.value,
        "ending": table.ending.value if table.ending is not None else None,
        "opened_at": _iso_time(table.created_at),
        "changed_at": _iso_time(table.changed_at),
        "you_are_host": table.host == user,
        "you_opened_it": table.opened_by == user,
        "you_were_removed": table.has_removed(user),
        "you_opened_the_rematch": table.rematch_by == user,
        "you_play_the_rematch": user in (table.rematch_people or ()),
        "you_ended_it": table.ended_by in names,
        "your_seat": seat,
        "you": _player_json(table.players[seat]) if seat is not None else None,
    }


def _player_json(player: Player) -> Json:
    """Return the fields of *player*, a person at a table, as JSON, without those that say nothing about the person."""
    said = {key: value for key, value in player._asdict().items() if key not in _OMITTED_FIELDS}
    return {**said, "telling": player.telling.value, "active_at": _iso_time(player.active_at)}


def _record_json(kept: StoredRecord, own: Json) -> Json:
    """Return the stored record of a game as JSON, with *own*, the row about the person's part in it; "record" is
    ``None`` if it is damaged.
    """
    try:
        document = record.decompress_json(kept.data)
    except BadRecord:  # it was damaged
        document = None
    said = {key: value for key, value in own.items() if key not in ("table_id", "id", "name")}
    return {
        "table": kept.table,
        "server": str(kept.guild) if kept.guild else None,
        "game": kept.game,
        "ended_at": _iso_time(kept.ended_at),
        "you_are": own["id"],
        "your_name": own["name"],
        **_row_json(said),
        "record": document,
    }


def _row_json(row: Json) -> Json:
    """Return *row* of an SQL table as JSON: times as ISO 8601, ids as text, because many programs cannot read such
    large numbers; columns have the names of the export.
    """
    return {_FILE_KEYS.get(key, key.removesuffix("_id")): _value_json(key, value) for key, value in row.items()}


def _value_json(key: str, value: Any) -> Any:
    """Return *value* of the database column *key* as JSON: a time as ISO 8601, an id as text, choices decoded, anything
    else as it is.
    """
    if value is not None and (key == "at" or key.endswith("_at")):
        return _iso_time(value)
    if key == "choices" and value is not None:
        return _choices_json(value)
    return str(value) if value is not None and key.endswith("_id") else value


def _choices_json(packed: bytes) -> list[Json] | None:
    """Decode *packed*, what somebody chose in an attempt at the deal of the day, as JSON objects; ``None`` if it is
    damaged.
    """
    try:
        return [it._asdict() for it in decode_choices(packed)]
    except ValueError:
        return None


def _iso_time(at: int) -> str:
    """Return the time *at* (ms since 1970) as ISO 8601 with milliseconds, in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
