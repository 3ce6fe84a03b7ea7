"""What stands in a message: its text, its controls, its pictures."""

import json
from collections.abc import Iterator
from typing import Any

import discord
from simcord.results import InteractionResult

from bot.delivery.plan import render_slot
from bot.tables.model import Table
from bot.ui.custom_ids import Press, Verb, parse_custom_id
from tests.controls import components, controls

GALLERY = 12
CONTAINER = 17


def presses(message: Any) -> Iterator[tuple[str, Press]]:
    """(custom_id, what it carries) of every enabled control of *message*."""
    for component, press in controls(message):
        yield component["custom_id"], press


def verbs(message: Any) -> set[Verb]:
    """What the enabled controls of *message* ask for."""
    return {press.verb for _, press in presses(message)}


def last_row(message: Any) -> list[tuple[Verb, bool]]:
    """The verbs of the last row of *message*, and whether each can be pressed."""
    last = message.components[-1].to_dict()
    presses = [(parse_custom_id(item["custom_id"]), item) for item in last["components"]]
    return [(press.verb, not item.get("disabled")) for press, item in presses if press is not None]


def ends_with_buttons(message: Any) -> bool:
    """Whether what stands last in *message*, at the bottom of the screen, can be pressed."""
    last = [it for it in components(message) if it["type"] != CONTAINER][-1]
    return "custom_id" in last or "url" in last


def plies(message: Any) -> set[int]:
    """From which moment of the game the moves on *message* are, and the steps on the way to one."""
    return {press.ply for _, press in presses(message) if press.verb in (Verb.MOVE, Verb.PICK)}


def text_of(message: Any) -> str:
    """Everything that *message* says, labels of controls too."""
    parts = [message.content] if message.content else []
    for component in components(message):
        parts += [str(component[key]) for key in ("content", "label", "placeholder") if component.get(key)]
        parts += [option["label"] for option in component.get("options") or []]
    return "\n".join(parts)


def reply(answer: InteractionResult) -> discord.Message:
    """The message that the bot answered with. After a click that was acknowledged, so that its token edits the message
    with the button, it is the one that follows up."""
    message = answer.followups[-1] if answer.deferred and answer.followups else answer.response
    assert message is not None
    return message.message


def private_text(answer: InteractionResult) -> str:
    """What a private answer says: an ephemeral message, or a notice in the hand message itself."""
    assert answer.acknowledged
    # What follows an acknowledged click is the newest that the bot says.
    message = answer.followups[-1] if answer.followups else reply(answer)
    assert message.flags.ephemeral or message.guild is None, "it is private"
    return text_of(message)


def gallery(message: Any) -> list[dict[str, Any]]:
    """The pictures that *message* shows."""
    return [item for c in components(message) if c["type"] == GALLERY for item in c["items"]]


def components_json(message: Any) -> str:
    """The components of a message as received, without the numbers that Discord gives them."""

    def bare(item: Any) -> Any:
        if isinstance(item, dict) and "media" in item:  # where the file is; its name is in the address
            return {"description": item["description"], "file": item["media"]["url"].rpartition("/")[2].split("?")[0]}
        if isinstance(item, dict):
            return {key: bare(value) for key, value in item.items() if key != "id" and value not in (None, False)}
        return [bare(each) for each in item] if isinstance(item, list) else item

    raw = [c if isinstance(c, dict) else c.to_dict() for c in message.components]
    return json.dumps(bare(raw), sort_keys=True, ensure_ascii=False)


def expected_components_json(table: Table, slot: str, message: int, *, live: bool = False, picked: str = "") -> str:
    """What ``components_json`` should return for the message *slot* of *table*.

    *message* is the table message's id, *live* says whether a hand follows the game, *picked* what its owner has picked
    on the way to a move.
    """

    class Drawn:
        components = render_slot(table, slot, message, picked=picked, live=live).payload

    return components_json(Drawn)
