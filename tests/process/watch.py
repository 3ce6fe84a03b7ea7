"""What a real bot's store holds, what people see of it, and whether the one shows the other. For every game."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.custom_ids import Verb, parse
from bot.tables.model import Table, decode
from tests.controls import components
from tests.process.world import Person, Seen, World, eventually

Offer = tuple[str, int, list[str] | None]
"""(custom_id, component type, values) of a click."""


def tables(store: Path) -> dict[str, Table]:
    """The newest version of every table in the file, by id."""
    query = "SELECT snapshot FROM events e JOIN tables t ON e.table_id = t.id AND e.version = t.version"
    with closing(sqlite3.connect(store)) as database:
        found = [decode(json.loads(row[0])) for row in database.execute(query)]
    return {table.id: table for table in found}


def history(store: Path) -> dict[str, list[tuple[dict[str, Any], Table]]]:
    """(event, table after it) of every table, oldest first; versions without a gap."""
    found: dict[str, list[tuple[dict[str, Any], Table]]] = {}
    with closing(sqlite3.connect(store)) as database:
        rows = database.execute("SELECT table_id, version, event, snapshot FROM events ORDER BY table_id, version")
        for table, version, event, snapshot in rows:
            steps = found.setdefault(table, [])
            steps.append((json.loads(event), decode(json.loads(snapshot))))
            assert version == len(steps), "every version is there"
    return found


def plies(store: Path) -> int:
    """How many actions the file holds, of all games."""
    return sum(t.rules.ply(t.state) for t in tables(store).values() if t.state is not None)


def moves(message: Seen) -> list[Offer]:
    """(custom_id, component type, values) of every move that *message* offers."""
    found: list[Offer] = []
    for component in components(message):
        press = parse(str(component.get("custom_id", "")))
        if press is None or component.get("disabled") or press.verb not in (Verb.MOVE, Verb.CALL):
            continue
        if component["type"] == 2:
            found.append((component["custom_id"], 2, None))
        elif press.arg != "cards":
            found += [(component["custom_id"], 3, [option["value"]]) for option in component["options"]]
    return found


def hands(message: Seen) -> list[Offer]:
    """The moves among what *message* offers that are no interruption."""
    return [offer for offer in moves(message) if "/move/" in offer[0]]


def stale(people: Iterable[Person], table: Table, world: World) -> str:
    """What does not show the newest state of *table* to *people*, or shows it twice; empty when all is well."""
    people = list(people)
    ply, on_turn = table.rules.ply(table.state), table.rules.on_turn(table.state)
    boards = [m for m in people[0].messages.values() if m.press(Verb.MENU) and m.about(table.id)]
    if len(boards) != 1:
        return f"{len(boards)} table messages of {table.game}"
    shout = boards[0].press(Verb.CALL)
    if shout is not None and shout[1].ply != ply:
        return f"the table message of {table.game} is at {shout[1].ply}, not {ply}"
    for person in people:
        mine = [m for m in person.messages.values() if m.direct(world) and m.about(table.id)]
        offered = {press.ply for m in mine for custom_id, _, _ in moves(m) if (press := parse(custom_id))}
        offered |= {pick[1].ply for m in mine if (pick := m.press(Verb.PICK))}
        on = table.seat_of(person.id) == on_turn and not table.players[on_turn].automatic
        if offered != ({ply} if on else set()):
            return f"the hand of {person.name} in {table.game} offers {offered} at {ply}, on turn: {on}"
    return ""


async def click(person: Person, message: Seen, offer: Offer) -> str:
    """*person* uses a control of *message*; the nonce. Nobody waits for an answer."""
    custom_id, kind, values = offer
    data: dict[str, Any] = {"component_type": kind, "custom_id": custom_id}
    if values is not None:
        data["values"] = values
    body = {"type": 3, "channel_id": str(message.channel), "message_id": str(message.id), "data": data}
    return await person.interact(body, wait=False)


def picks(message: Seen) -> list[Offer]:
    """What can be picked in *message* on the way to a move."""
    pick = message.press(Verb.PICK)
    if pick is None:
        return []
    options = next(c["options"] for c in components(message) if c.get("custom_id") == pick[0])
    return [(pick[0], 3, [option["value"]]) for option in options]


async def offered(person: Person, message: Seen) -> Offer:
    """The first move in the hand *message*, picked on the way to it where there are many."""
    if not hands(message):
        await click(person, message, picks(message)[0])
        await eventually(lambda: hands(person.messages[message.id]), "plays on offer")
    return hands(person.messages[message.id])[0]
