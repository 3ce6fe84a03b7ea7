"""What the controls of a message do, for people in tests: which of them are moves, picks and calls."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.tables.model import Table
from bot.ui.custom_ids import Press, Verb, parse_custom_id
from bot.ui.presenter import decode_move_click
from bot.ui.registry import PRESENTERS
from engine.game import Seat

BUTTON = 2
SELECT = 3
LABEL = 18
RADIO_GROUP = 21


class Offer(NamedTuple):
    """A click that somebody can make."""

    custom_id: str
    kind: int
    """The component's type."""
    values: list[str] | None
    """What is chosen in a select."""


def components(message: Any) -> Iterator[dict[str, Any]]:
    """Every component of *message*, nested ones too, as raw data."""

    def walk(items: Any) -> Iterator[dict[str, Any]]:
        for item in items:
            yield item
            yield from walk(item.get("components") or [])
            if item.get("accessory"):
                yield from walk([item["accessory"]])

    raw = [c if isinstance(c, dict) else c.to_dict() for c in message.components]
    yield from walk(raw)


def controls(message: Any) -> Iterator[tuple[dict[str, Any], Press]]:
    """(component, what its custom_id carries) of every enabled control of *message*."""
    for component in components(message):
        press = parse_custom_id(str(component.get("custom_id", "")))
        if press is not None and not component.get("disabled"):
            yield component, press


def picks_cards(component: dict[str, Any]) -> bool:
    """Whether cards are picked in it one by one."""
    return bool(component["type"] == SELECT and component.get("max_values", 1) > 1)


def moves(message: Any) -> list[Offer]:
    """Every move that *message* offers by one click. Cards to be picked one by one are no offer."""
    found: list[Offer] = []
    for component, press in controls(message):
        if press.verb is Verb.MOVE and not picks_cards(component):
            found += _clicks(component)
    return found


def picks(message: Any) -> list[Offer]:
    """What can be picked in *message* on the way to a move."""
    return [offer for component, press in controls(message) if press.verb is Verb.PICK for offer in _clicks(component)]


def _clicks(component: dict[str, Any]) -> Iterator[Offer]:
    custom_id, kind = component["custom_id"], component["type"]
    if kind != SELECT:
        yield Offer(custom_id, kind, None)
        return
    for option in component["options"]:
        yield Offer(custom_id, kind, [option["value"]])


def meant(table: Table, seat: Seat, offer: Offer) -> Any:
    """The action that *offer* stands for, on the hand of *seat*."""
    press = parse_custom_id(offer.custom_id)
    assert press is not None
    play_of = PRESENTERS[table.game].hand.play_from_cards
    return decode_move_click(
        table.game, table.rules.views.view(table.state, seat), press.arg, offer.values or (), play_of
    )


def filled(modal: Any, **chosen: Any) -> dict[str, Any]:
    """What is in the form *modal* once somebody has *chosen* something in it: by field a text, or a list of texts. What
    they leave alone is as the form shows it. A field's name may hold "_" for "-"."""
    fields = {it["component"]["custom_id"]: it["component"] for it in modal["components"]}
    chosen = {name.replace("_", "-"): value for name, value in chosen.items()}
    assert chosen.keys() <= fields.keys(), f"the form has {', '.join(fields)}"
    one = {name: [value] for name, value in chosen.items() if fields[name]["type"] == SELECT}
    return {name: _shown(field) for name, field in fields.items()} | chosen | one


def _shown(field: dict[str, Any]) -> Any:
    """What the *field* of a form shows before anything is chosen there."""
    if "options" not in field:
        return field.get("value", "")
    defaults = [option["value"] for option in field["options"] if option.get("default")]
    return defaults[0] if field["type"] == RADIO_GROUP and defaults else defaults


def submission(modal: Any, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The components with which a client submits the form *modal* in which *values* stand."""
    fields = [it["component"] for it in modal["components"]]
    return [
        {
            "type": LABEL,
            "component": {
                "type": field["type"],
                "custom_id": field["custom_id"],
                "values" if isinstance(values[field["custom_id"]], list) else "value": values[field["custom_id"]],
            },
        }
        for field in fields
    ]
