"""Erasing a person: from the tables that run, from the database, from memory.

Whoever plays again is somebody new. What was erased comes back only with a backup from before (docs/privacy.md).
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

from bot.cli.streams import say
from bot.client import Bot
from bot.store.database import Damaged, Unavailable, called
from bot.store.files import AlreadyRunning, NoPlace, check_exists, create_private, file_of, only_process
from bot.store.people import Found
from bot.store.records import Kept
from bot.store.store import Store, StoreUnreachable
from bot.store.writer import why_not
from bot.tables.errors import Conflict
from bot.tables.leaving import erased
from bot.tables.model import Player, Table, TableId
from bot.tables.names import distinct
from engine import record
from engine.errors import BadRecord
from engine.game import Json

log = logging.getLogger(__name__)


async def erase(bot: Bot, user: int, name: str, username: str = "") -> None:
    """Erase *user*, whom Discord calls *name*, with *username*, while *bot* runs. If it fails half way, do
    it again."""
    names = {name, *([distinct(name, username)] if username else [])}
    done = False
    while not done:
        await bot.changes.erase(user, names)
        found = await bot.store.mentions(user, names)
        async with bot.people.erasing(user):
            done = await bot.store.erase(user, found)
    bot.changes.forget(user)
    log.info("a person is erased")


async def erase_stopped(store: Store, user: int, now: int) -> int | None:
    """Erase *user* at the time *now* (ms) from the *store*, on which no bot runs; return at how many live tables they
    sat; ``None``: nothing was known of them."""
    found = await store.mentions(user)
    rows = await store.rows_of(user)
    if not found.mentions and not any(rows.values()):
        return None
    live = [table for it in found.mentions if it.live and (table := it.read()) is not None]
    for table in live:
        await _change(store, table, erased(table, user), now)
    done = False
    while not done:
        done = await store.erase(user, await store.mentions(user, found.names))
    return len(live)


def run_erase(url: str, user: int, complain: Callable[[str], object], *, sure: bool) -> int:
    """Erase *user* from the database at *url*, on which no bot runs; only if *sure*. Return the exit code: 1 if nothing
    is known of them, or it is not *sure*, 2 if it failed, after one line to *complain*."""
    if not sure:
        complain(f"this erases {user} for good; if you are sure, add --yes\n")
        return 1
    logging.getLogger().addHandler(logging.NullHandler())  # or Python writes warnings beside the one line
    try:
        check_exists(url)
        with only_process(file_of(sa.make_url(url))):
            seats = asyncio.run(_erase_at(url, user))
    except AlreadyRunning as other:
        complain(f"{other} runs on this database: use /privacy, or stop the bot first\n")
    except NoPlace as error:
        complain(f"{error.strerror}\n")
    except StoreUnreachable as error:
        complain(f"{called(url)} cannot be opened: {error}\n")
    except (SQLAlchemyError, Damaged, Unavailable, Conflict) as error:
        complain(f"not erased: {why_not(error)}\n")
    except OSError as error:
        complain(f"not erased: {error.strerror or type(error).__name__}\n")
    else:
        if seats is None:
            complain(f"nothing is known of {user}\n")
            return 1
        say(f"erased; live tables they sat at: {seats}\n")
        return 0
    return 2


async def _erase_at(url: str, user: int) -> int | None:
    """Erase *user* from the database at *url*; as ``erase_stopped``. Raises AlreadyRunning if a process is alive."""
    store = await Store.open(url)
    try:
        if await store.living():
            raise AlreadyRunning("the bot")
        return await erase_stopped(store, user, time.time_ns() // 1_000_000)
    finally:
        await store.close()


async def _change(store: Store, before: Table, after: Table, now: int) -> None:
    """Store *after* as the version that follows *before*, at the time *now* (ms), as a running bot would."""
    entries: Sequence[dict[str, object]] = [{**entry, "at": now} for entry in after.entries]
    saved = after._replace(version=before.version + 1, changed_at=now, entries=())
    await store.change(saved, {"what": "erase", "by": None}, now, entries)


# Everything that the database holds about one person, as one JSON document. docs/privacy.md describes it.


FORMAT: Final = 1
RECORDS_A_SLICE: Final = 50
_CALLED: Final = {
    "people": "direct_messages",
    "dm_channel_id": "channel",
    "dms_closed_at": "closed_at",
    "guild_id": "server",
}
"""What tables and columns of the database are called in the file, where that is another name."""
_HIDDEN: Final = ("user", "before", "former")
"""Fields of a player that say nothing about the person."""


class Everything(NamedTuple):
    """What there is about somebody."""

    document: Json
    """All but the records of their games."""
    records: Sequence[Json]
    """Those, oldest first."""


class File(NamedTuple):
    """An export as a file."""

    name: str
    data: bytes
    left_out: int
    """How many records, the oldest ones, are not in it, because it would have been too large."""


async def gather(store: Store, user: int, at: int) -> Everything | None:
    """All that *store* holds about *user* at the time *at* (ms); ``None``: nothing."""
    rows, found = await store.rows_of(user), await store.mentions(user)
    if not found.mentions and not any(rows.values()):
        return None
    own = {TableId(row["table_id"]): row for row in rows.pop("record_people")}
    kept: list[Kept] = []
    for first in range(0, len(own), RECORDS_A_SLICE):
        kept += await store.records(list(own)[first : first + RECORDS_A_SLICE])
    tables = await asyncio.to_thread(_tables_of, found, user)
    seats = {table.id: seat for table in tables if (seat := table.seat_of(user)) is not None}
    sent = await store.own_messages(seats)
    document = {
        "format": FORMAT,
        "made_at": _time(at),
        "user": str(user),
        "names": sorted(found.names),
        **{_CALLED.get(name, name): [_readable(row) for row in its] for name, its in rows.items()},
        "tables": [_said_at(table, user, found.names) for table in sorted(tables, key=lambda it: it.created_at)],
        "messages": [
            {"table": table, "slot": slot, "channel": str(channel), "message": str(message)}
            for table, slot, channel, message in sent
        ],
    }
    kept.sort(key=lambda it: it.ended_at)
    records = await asyncio.to_thread(lambda: [_record(it, own[it.table]) for it in kept])
    return Everything(document, records)


def run_export(url: str, user: int, target: Path | None, complain: Callable[[str], object]) -> int:
    """Write all that the database at *url* holds about *user* to the new file *target*, which only its owner can read
    (``None``: to standard output). Return the exit code: 1 if that is nothing, 2 if it failed, after one line to
    *complain*."""
    try:
        found = asyncio.run(_gather_at(url, user))
        if found is None:
            complain(f"nothing is known of {user}\n")
            return 1
        data = packed(found).data + b"\n"
        if target is None:
            say(data.decode())
        else:
            _write(target, data)
    except StoreUnreachable as error:
        complain(f"{called(url)} cannot be read: {error}\n")
    except NoPlace as error:
        complain(f"{error.strerror}\n")
    except FileExistsError:
        complain(f"{target} exists already\n")
    except Unavailable as error:
        complain(f"{called(url)} cannot be read: {error}\n")
    except OSError as error:
        complain(f"{target or 'standard output'}: {error.strerror}\n")
    except (SQLAlchemyError, Damaged) as error:
        complain(f"{called(url)} cannot be read: {why_not(error)}\n")
    else:
        return 0
    return 2


async def _gather_at(url: str, user: int) -> Everything | None:
    """All that the database at *url* holds about *user* now."""
    check_exists(url)
    store = await Store.reading(url)
    try:
        return await gather(store, user, time.time_ns() // 1_000_000)
    finally:
        await store.close()


def _write(target: Path, data: bytes) -> None:
    """Write *data* to the new file *target*, which only its owner can read; if that fails, there is none.

    Raises:
        OSError: it exists already, or cannot be written.
    """
    create_private(target)
    try:
        target.write_bytes(data)
    except BaseException:
        target.unlink()
        raise


def packed(it: Everything, limit: int | None = None) -> File:
    """*it* as a file of at most *limit* bytes (``None``: of any size): compressed if it has to be, and without the
    oldest records if even that is too large."""
    data = _bytes(it, 0)
    if limit is None or len(data) <= limit:
        return File("my-data.json", data, 0)
    fewest, most = 0, len(it.records)
    while fewest < most:  # how many are left out: the fewest for which it fits
        middle = (fewest + most) // 2
        if len(_compressed(it, middle)) <= limit:
            most = middle
        else:
            fewest = middle + 1
    return File("my-data.json.gz", _compressed(it, fewest), fewest)


def _compressed(it: Everything, left_out: int) -> bytes:
    """*it* without its oldest records, compressed."""
    return gzip.compress(_bytes(it, left_out), mtime=0)


def _bytes(it: Everything, left_out: int) -> bytes:
    """*it* as JSON, without its oldest records."""
    whole = {**it.document, "records": it.records[left_out:], "records_left_out": left_out}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def _tables_of(found: Found, user: int) -> list[Table]:
    """The tables that were *found* and say something of *user*."""
    return [table for it in found.mentions if (table := it.read()) is not None]


def _said_at(table: Table, user: int, names: Collection[str]) -> Json:
    """What *table* says of *user*, who is called one of *names*; nothing of others."""
    seat = table.seat_of(user)
    return {
        "table": table.id,
        "server": str(table.guild),
        "channel": str(table.channel),
        "game": table.game,
        "phase": table.phase.value,
        "ending": table.ending.value if table.ending is not None else None,
        "opened_at": _time(table.created_at),
        "changed_at": _time(table.changed_at),
        "you_are_host": table.host == user,
        "you_opened_it": table.opened_by == user,
        "you_were_removed": table.has_removed(user),
        "you_opened_the_rematch": table.rematch_by == user,
        "you_play_the_rematch": user in (table.rematch_people or ()),
        "you_ended_it": table.ended_by in names,
        "your_seat": seat,
        "you": _player(table.players[seat]) if seat is not None else None,
    }


def _player(player: Player) -> Json:
    """What a table keeps of the person *player*."""
    said = {key: value for key, value in player._asdict().items() if key not in _HIDDEN}
    return {**said, "telling": player.telling.value, "active_at": _time(player.active_at)}


def _record(kept: Kept, own: Json) -> Json:
    """The record of a game, and who the person is in it; *own* is their row."""
    try:
        document = record.unpack_json(kept.data)
    except BadRecord:  # it was damaged
        document = None
    said = {key: value for key, value in own.items() if key not in ("table_id", "id", "name")}
    return {
        "table": kept.table,
        "server": str(kept.guild),
        "game": kept.game,
        "ended_at": _time(kept.ended_at),
        "you_are": own["id"],
        "your_name": own["name"],
        **_readable(said),
        "record": document,
    }


def _readable(row: Json) -> Json:
    """*row* of the database: times in words, ids as text, since many programs cannot read such large numbers."""
    return {_CALLED.get(key, key.removesuffix("_id")): _value(key, value) for key, value in row.items()}


def _value(key: str, value: Any) -> Any:
    """The *value* of the column *key*, as ``_readable`` says."""
    if value is not None and (key == "at" or key.endswith("_at")):
        return _time(value)
    return str(value) if value is not None and key.endswith("_id") else value


def _time(at: int) -> str:
    """The time *at* (ms) as ISO 8601, in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
