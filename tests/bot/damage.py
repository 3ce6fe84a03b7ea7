"""What goes wrong with the row of a table: damage of every kind, and rows that can be read but not played on."""

import copy
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from bot.delivery.quarantine import check_table_usable
from bot.store.tables import MAX_JSON_BYTES, table_from_row, table_to_json, unpack_json_text
from bot.tables.errors import UnusableTable
from bot.tables.model import Table, TableId
from tests.bot.tables import pass_time, started
from tests.games import CASES

SECRET = "the queen of nowhere"
"""Something that stands in the row of a damaged table, like a hidden card."""


class Raw(NamedTuple):
    """Something that is written as it is, and not compressed."""

    value: str | bytes


def edited(change: Callable[[dict[str, object]], object]) -> Callable[[str], str]:
    """What *change* makes of a snapshot."""

    def edit(snapshot: str) -> str:
        data = json.loads(snapshot)
        change(data)
        return json.dumps(data)

    return edit


TIMES = ("created_at", "changed_at", "turn_began", "turn_credit", "beat_ends", "reminded", "reserved_until")
DAMAGE: dict[str, Callable[[str], str | bytes | Raw]] = {
    "empty": lambda _: "",
    "cut off": lambda snapshot: snapshot[: len(snapshot) // 2],
    "other JSON": lambda _: "[]",
    "too deep": lambda _: "[" * 100_000,
    "no text": lambda snapshot: snapshot.encode().replace(b'"players"', b'"play\xffrs"'),
    "no bytes": lambda _: Raw(b""),
    "other bytes": lambda _: Raw(b"\0" * 100),
    "text": lambda snapshot: Raw(snapshot),
    "cut off bytes": lambda snapshot: Raw(packed(snapshot)[:-10]),
    "more bytes": lambda snapshot: Raw(packed(snapshot) + b"x"),
    "far too many": lambda snapshot: Raw(zlib.compress(snapshot.encode() + b" " * MAX_JSON_BYTES)),
    "unknown game": edited(lambda data: data.update(game=SECRET)),
    "unknown phase": edited(lambda data: data.update(phase=SECRET)),
    "unknown state": edited(lambda data: data.update(state={"deck": SECRET})),
    "unknown event": edited(lambda data: data.update(recent=[{"is": SECRET}])),
    "another table": edited(lambda data: data.update(id="other")),
    "another version": edited(lambda data: data.update(version=9)),
    "wrong type": edited(lambda data: data.update(turn_began=SECRET)),
    "no seed": edited(lambda data: data.update(seed=SECRET)),
    "empty seed": edited(lambda data: data.update(seed="")),
    "lobby with a game": edited(lambda data: data.update(phase="lobby")),
    "twice the same person": edited(lambda data: data["players"][0].update(user=data["players"][1]["user"])),
    "no such person": edited(lambda data: data["players"][0].update(user=10**30)),
    "no such seat": edited(lambda data: data.update(overdue=99)),
    "window without a call": edited(lambda data: data.update(window={"calls": [], "due": 1_800_000_000_000})),
    "wait without an end": edited(lambda data: data["options"].update(hold_ms=10**30)),
    "negative turn limit": edited(lambda data: data["options"].update(turn_seconds=-1)),
    **{f"impossible {name}": edited(lambda data, name=name: data.update({name: 10**30})) for name in TIMES},
}
"""Ways in which what is stored of a table goes wrong: from its snapshot to what stands there then."""


def damage(path: Path, table: TableId, how: Callable[[str], str | bytes | Raw]) -> str:
    """Damage what the database has of *table*; what stood there before."""
    with closing(sqlite3.connect(path)) as database, database:
        (packed,) = database.execute("SELECT snapshot FROM tables WHERE id = ?", (table,)).fetchone()
        snapshot = unpack_json_text(packed)
        write(database, table, how(snapshot))
    return snapshot


def write(database: sqlite3.Connection, table: TableId, snapshot: str | bytes | Raw) -> None:
    """Write *snapshot* where that of *table* stands."""
    there = snapshot.value if isinstance(snapshot, Raw) else packed(snapshot)
    database.execute("UPDATE tables SET snapshot = ? WHERE id = ?", (there, table))


def packed(snapshot: str | bytes) -> bytes:
    """*snapshot* as the program writes it."""
    return zlib.compress(snapshot.encode() if isinstance(snapshot, str) else snapshot)


def _leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value inside *data* that holds no others, with its path."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    if inside is None:
        yield path, data
        return
    for key, value in inside:
        yield from _leaves(value, (*path, key))


def _put(path: tuple[Any, ...], value: Any) -> Callable[[dict[str, Any]], object]:
    """A change that puts *value* in the place *path* of a snapshot's state."""

    def change(data: dict[str, Any]) -> None:
        inside = data["state"]
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = value

    return change


def impossible(table: Table, fails: Callable[[Table], object]) -> Callable[[dict[str, Any]], object] | None:
    """A change of the snapshot of *table* that can still be read, but makes *fails* raise ``UnusableTable``.

    ``None``: there is none that changes one number.
    """
    snapshot = json.loads(json.dumps(table_to_json(table)))
    for path, value in _leaves(snapshot["state"]):
        if isinstance(value, int):
            changed = copy.deepcopy(snapshot)
            _put(path, 99)(changed)
            try:
                found = table_from_row(
                    SimpleNamespace(
                        **table._asdict() | {"channel_id": table.channel, "snapshot": packed(json.dumps(changed))}
                    )
                )
            except UnusableTable:
                continue
            try:
                fails(found)
            except UnusableTable:
                return _put(path, 99)
    return None


IMPOSSIBLE = {game: change for game in sorted(CASES) if (change := impossible(started(game), check_table_usable))}
"""The games in which a row can be readable and yet impossible, with such a change."""
UNPLAYABLE = {
    game: change
    for game in sorted(CASES)
    if (change := impossible(started(game), lambda table: pass_time(table, table.turn_began + 120_000)))
}
"""The same, where the next time-out fails."""
