"""Games from before there were records: of the versions of their tables that were all kept then come records, or the
moves of those that still run. What cannot be rebuilt is left out; the old rows go in any case.

Reading is quick, and so is writing; what lies between needs no database, so no move waits for it.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.cluster.partitions import PARTITIONS
from bot.store import archive
from bot.store.archive import Kept
from bot.store.packing import compact, unpack
from bot.store.schema import moves, old_events, tables
from bot.tables.model import Table, TableId
from bot.tables.play import chance
from bot.tables.possible import END_OF_TIME
from bot.tables.recording import record_name
from engine.errors import IllegalAction
from engine.game import Json, Seat
from engine.registry import AnyGame

MOST_CALLERS: Final = 3
"""So many who have called at the same time are found where the call window was not stored."""

_LIVE: Final = sa.select(tables.c.id).where(
    sa.or_(tables.c.live_channel_id.is_not(None), tables.c.due_at.is_not(None)),
    sa.exists().where(old_events.c.table_id == tables.c.id),
)
_NEXT: Final = sa.select(sa.func.min(old_events.c.table_id)).where(old_events.c.table_id > sa.bindparam("after"))


class Version(NamedTuple):
    """One version of a table, as it was kept."""

    number: int
    at: int
    """When it was made, ms."""
    table: Json


class Old(NamedTuple):
    """What is stored of a table from before there were records."""

    id: TableId
    snapshot: bytes | None
    """Of its newest version; ``None``: there is no such table."""
    rows: list[tuple[Any, Any, Any]]
    """(version, time, table as JSON), oldest first; anything may stand there."""


class Made(NamedTuple):
    """What becomes of it."""

    id: TableId
    kept: Kept | None = None
    moves: Sequence[Json] = ()
    """Rows."""


# Inside a transaction of the caller


def live(connection: Connection, partitions: Collection[int] | None = None) -> list[TableId]:
    """The tables of *partitions* (``None``: of all) that still have old rows and are not over."""
    query = _LIVE if partitions is None else _LIVE.where((tables.c.channel_id % PARTITIONS).in_(partitions))
    return [TableId(row[0]) for row in connection.execute(query).all()]


def next_after(connection: Connection, table: TableId) -> TableId | None:
    """The first table after *table*, in the order of ids, that still has old rows; ``None``: there is none."""
    found = connection.execute(_NEXT, {"after": table}).scalar()
    return None if found is None else TableId(found)


def read(connection: Connection, table: TableId) -> Old:
    """All that is stored of *table*."""
    old = old_events.c
    # Damage is met later, in one row: as text, SQLite's driver would refuse all of them.
    said: sa.ColumnElement[Any] = old.snapshot
    if connection.dialect.name == "sqlite":
        said = sa.cast(old.snapshot, sa.LargeBinary)
    query = sa.select(old.version, old.at, said).where(old.table_id == table).order_by(old.version)
    rows = [(row[0], row[1], row[2]) for row in connection.execute(query).all()]
    return Old(table, connection.execute(sa.select(tables.c.snapshot).where(tables.c.id == table)).scalar(), rows)


def put(connection: Connection, made: Made) -> None:
    """Write what was *made* of a table's old rows, and delete those; nothing if they are gone already."""
    gone = connection.execute(old_events.delete().where(old_events.c.table_id == made.id)).rowcount == 0
    if gone:
        return
    if made.kept is not None:
        archive.put(connection, made.kept)
    if made.moves:
        connection.execute(moves.insert(), list(made.moves))


# Without a database


def made_of(old: Old) -> Made:
    """What becomes of *old*: of a game that is over its record; of one that runs its moves, if all can be found; of
    anything else nothing."""
    try:
        table = unpack(old.snapshot or b"")
        if table.state is None:
            return Made(old.id)
    except Exception:  # noqa: BLE001 - a row may hold anything; without it nobody knows what was played
        return Made(old.id)
    try:
        history = [_version(row) for row in old.rows]
        found = rebuilt(table, history)
    except Exception:  # noqa: BLE001 - as above; the game has a record all the same, if without its actions
        history, found = [], None
    if table.live:
        rows = [{"table_id": old.id, "version": number, "entries": compact(it)} for number, it in found or ()]
        return Made(old.id, moves=rows)
    ended_at = next((it.at for it in history if it.table["phase"] == "over"), table.changed_at)
    entries = None if found is None else [entry for _, added in found for entry in added]
    return Made(old.id, kept=archive.kept_of(table, entries, ended_at))


def _version(row: tuple[Any, Any, Any]) -> Version:
    """The version in *row*.

    Raises:
        ValueError, TypeError: it is damaged.
    """
    number, at, said = row
    if type(number) is not int or type(at) is not int or at not in range(END_OF_TIME):
        raise ValueError("no version of a table")
    return Version(number, at, json.loads(said))


def rebuilt(table: Table, history: Sequence[Version]) -> list[tuple[int, list[Json]]] | None:
    """What each version added to the record of *table*, whose *history* this is: (number of the version, entries).
    ``None``: it cannot be told what has been done.

    Raises:
        Exception: of any kind: *history* holds what no version of a table can be.
    """
    rules, before, added = table.rules, None, []
    options = rules.check_options(dict(table.options.game))
    state = rules.new(len(table.players), options, chance(table)).state
    for it in history:
        after = it.table
        if after["state"] is None:  # the lobby
            continue
        if before is None:
            if rules.decode_state(after["state"]) != state:
                return None
            before = after
            continue
        entries = _changes_of_seats(table, before, after)
        if after["state"] != before["state"]:
            found = _action(table, state, before, after)
            if found is None:
                return None
            action, state = found
            by_clock = {"by": "clock"} if after.get("overdue") is not None else {}
            entries.append({**rules.encode_action(action), **by_clock})
        if entries:
            added.append((it.number, [{**entry, "at": it.at} for entry in entries]))
        before = after
    return added if before is not None else None


def _changes_of_seats(table: Table, before: Json, after: Json) -> list[Json]:
    """The entries for those seats of *table* that have changed hands between two versions."""
    entries: list[Json] = []
    for seat, (was, now) in enumerate(zip(before["players"], after["players"], strict=True)):
        person = {"seat": seat, "sits": "person", "id": record_name(table, Seat(seat))}
        if was["user"] is None and now["user"] is not None:
            # Whoever sat down before the first action is in the record as if from the start.
            entries += [person] if now.get("since", 0) else []
        elif was["away"] != now["away"]:
            entries.append({"seat": seat, "sits": "computer"} if now["away"] else person)
    return entries


def _action(table: Table, state: Any, before: Json, after: Json) -> tuple[Any, Any] | None:
    """(the action that led from *state* to the state of the version *after*, that state); ``None``: none did.

    If several would have, the one whose events that version shows is taken, else the first.
    """
    rules, fair = table.rules, chance(table)
    wanted = rules.decode_state(after["state"])
    seen = _events(rules, after["recent"])
    found = None
    for action in _candidates(table, state, before):
        try:
            step = rules.apply(state, action, fair)
        except IllegalAction:
            continue
        if step.state == wanted:
            found = found or (action, wanted)
            if seen is None or step.events == seen:
                return action, wanted
    return found


def _events(rules: AnyGame, data: Sequence[Json]) -> tuple[Any, ...] | None:
    """The events in *data*; ``None``: they were stored in a form that is not known any more."""
    try:
        return tuple(rules.decode_event(event) for event in data)
    except (ValueError, LookupError, TypeError):
        return None


def _candidates(table: Table, state: Any, before: Json) -> Iterator[Any]:
    """The actions that can have been made in *state*, after the version *before*, the most likely ones first."""
    rules, turn = table.rules, table.rules.on_turn(state)
    if before["held"] is not None:
        yield rules.decode_action(before["held"]["action"])
    if before["window"] is not None:
        yield rules.call(_callers(table, before["window"]))
    if turn is not None:
        yield from rules.legal_actions(state, turn)
    if (forced := rules.forced(state)) is not None:
        yield forced
    may_call = rules.may_call(state)
    for count in range(1, min(MOST_CALLERS, len(may_call)) + 1):
        for seats in permutations(may_call, count):
            yield rules.call(seats)


def _callers(table: Table, window: Mapping[str, Any]) -> list[Seat]:
    """Those who called in *window*, as it was stored, in the order that counts (ruling D9)."""
    calls = sorted(window.get("calls") or window["shouts"], key=lambda call: call["at"])
    last = calls[0]["at"] + table.options.window_ms
    return [Seat(call["seat"]) for call in calls if call["at"] <= last]
