"""What a hostile client sends: clicks on real controls with something in them changed, and things made up altogether.
For every game: what is changed is what its messages really offer."""

import re
import string
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.tables.model import Phase, Table, TableId
from bot.ui.custom_ids import Press, Verb, custom_id, parse_custom_id
from engine.game import Seat
from local_discord.components import walk
from tests.controls import BUTTON, SELECT
from tests.games import CASES

OLD: Final = ("0-up", "1-down", "9-up", "0-side", "pass", "cards", "play0", "play7", "length")
"""What stood in the custom_ids of version 0.1, and nearly so."""
JUNK: Final = ("", "0", "-1", "12", "x", "normal", "off", "120", "1", "9" * 300, "💥", "0.0000", "99.abcd", "list1")
NO_VALUES: Final = (None, "x", 7, [1, 2], [[]], [None])


def controls(table: Table) -> Iterator[dict[str, Any]]:
    """Every control on the messages of *table*, also after every pick; greyed out or not."""
    slots = [TABLE, *(dm_hand_slot(Seat(seat)) for seat in range(len(table.players)) if table.phase is not Phase.LOBBY)]
    for slot in slots:
        for picked in ("", *_groups(table, slot)):
            for component in walk(render_slot(table, slot, 1, picked=picked).payload):
                if "custom_id" in component:
                    yield component


def _groups(table: Table, slot: str) -> Iterator[str]:
    """What can be picked in *slot* on the way to a move."""
    for component in walk(render_slot(table, slot, 1).payload):
        press = parse_custom_id(str(component.get("custom_id", "")))
        if press is not None and press.verb is Verb.PICK:
            yield from (option["value"] for option in component["options"])


def click(rng: Random, tables: Sequence[Table], there: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The data of a click. One of four is honest: on one of the components that are *there*. In the others a control
    of any message is taken, and one thing is forged, or everything."""
    table = rng.choice([it for it in tables if not it.starting])
    mine = [component for component in there if "custom_id" in component]
    honest = bool(mine) and not rng.randrange(4)
    component = rng.choice(mine if honest else list(controls(table)))
    chosen = rng.choices([option["value"] for option in component.get("options", [])] or [""], k=rng.choice([1, 1, 2]))
    data: dict[str, Any] = {"custom_id": component["custom_id"], "component_type": component["type"]}
    if component["type"] == SELECT:
        data["values"] = chosen[: component["max_values"]] if honest else chosen
    press = parse_custom_id(component["custom_id"])
    if honest or press is None:
        return data
    match rng.randrange(8):
        case 0 | 1:
            data["values"] = _values(rng, table, chosen)
        case 2:
            data["custom_id"] = _made_up(rng, component["custom_id"])
        case 3:
            data["component_type"] = BUTTON + SELECT - data["component_type"]
        case _:
            data["custom_id"] = custom_id(*_changed(rng, press, tables))
    return data


def _values(rng: Random, table: Table, chosen: list[str]) -> Any:
    """Anything in place of what was *chosen* in a select."""
    match rng.randrange(5):
        case 0:
            return [_mutated(rng, value) for value in chosen]
        case 1 if CASES[table.game].forgeries():
            return list(rng.choice(CASES[table.game].forgeries()))
        case 2:
            return rng.choice(NO_VALUES)
        case _:
            return rng.choices([*JUNK, *OLD, *chosen], k=rng.randrange(5))


def _changed(rng: Random, press: Press, tables: Sequence[Table]) -> Press:
    """*press* with another verb, table, ply or argument."""
    match rng.randrange(5):
        case 0:
            return press._replace(verb=rng.choice(list(Verb)))
        case 1:
            others = [TableId("zzzzzzzz"), TableId("a"), *(table.id for table in tables)]
            return press._replace(table=rng.choice(others))
        case 2:
            return press._replace(ply=rng.choice([0, 1, 999_999, press.ply + 1, max(0, press.ply - 1)]))
        case 3:
            return press._replace(arg=_mutated(rng, press.arg))
        case _:
            return press._replace(arg=rng.choice([*OLD, *JUNK]))


def _mutated(rng: Random, text: str) -> str:
    """*text* with another number, another character, or a piece of itself."""
    match rng.randrange(4):
        case 0:
            return re.sub(r"\d+", lambda _: str(rng.randrange(70)), text, count=1)
        case 1 if text:
            at = rng.randrange(len(text))
            return text[:at] + rng.choice("0123456789abcdef") + text[at + 1 :]
        case 2:
            return text[: rng.randrange(len(text) + 1)]
        case _:
            return text * 2


def _made_up(rng: Random, text: str) -> str:
    """No custom_id of ours: junk, or *text* with its frame damaged."""
    if rng.randrange(2):
        return "".join(rng.choices(string.printable + "äß🎲\u202e\x00", k=rng.randrange(120)))
    return text.replace("/", rng.choice(["//", "\\", "/../", "%2f"]), 1)


def command(rng: Random) -> dict[str, Any]:
    """A command that somebody made up."""
    name = rng.choice(["play", "table", "rules", "help", "nonsense", "tablе"])
    sub = rng.choice(["show", "hand", "leave", "return", "end", "nonsense"])
    value = rng.choice([*CASES, "chess", "", "x" * 500])
    options: list[dict[str, Any]] = [{"name": rng.choice(["game", "other"]), "type": 3, "value": value}]
    if name == "table":
        options = [{"name": sub, "type": 1, "options": []}]
    if not rng.randrange(5):
        options = []
    return {"id": "1", "name": name, "type": 1, "options": options}
