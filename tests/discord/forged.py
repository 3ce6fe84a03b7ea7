"""Clicks that no honest client makes: on what a message showed before, on greyed-out controls, with any custom_id."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.tables.model import Table
from bot.ui.custom_ids import Verb, custom_id, parse_custom_id
from bot.ui.presenter import action_hash
from tests.controls import BUTTON, SELECT, Offer, components, moves, picks
from tests.discord.play import Club


def a_move(table: Table, at: int = 0) -> str:
    """What a button for move number *at* (from 0) of whoever is on turn carries."""
    action = table.rules.actions(table.rules.views.view(table.state, table.rules.on_turn(table.state)))[at]
    return custom_id(Verb.MOVE, table.id, table.state.ply, f"{at}.{action_hash(table.game, action)}.1")


@contextmanager
def on_screen(club: Club, message: discord.Message, rows: list[Any]) -> Iterator[None]:
    """*message* has the components *rows* for as long as a click takes, unless the bot changes it meanwhile."""
    stored = club.env.backend.get_message(message.channel.id, message.id)
    before, stored.components = stored.components, rows
    try:
        yield
    finally:
        if stored.components is rows:
            stored.components = before


def _as_seen(club: Club, seen: discord.Message) -> Any:
    return on_screen(club, seen, [component.to_dict() for component in seen.components])


async def click_old(club: Club, person: MemberActor, seen: discord.Message, verb: Verb) -> InteractionResult:
    """*person* clicks what they still see on their screen, *seen*, though the message has changed since."""
    with _as_seen(club, seen):
        return await club.press(person, seen, verb)


async def act_old(club: Club, person: MemberActor, seen: discord.Message) -> InteractionResult:
    """*person* clicks the first move (or the first group of moves) on their screen, *seen*, though the message has
    changed since."""
    with _as_seen(club, seen):
        return await club.use(person, seen, (moves(seen) or picks(seen))[0])


async def click_disabled(club: Club, person: MemberActor, message: discord.Message, verb: Verb) -> InteractionResult:
    """*person* gets a click through on a control that is greyed out, as a slow client does."""
    for component in components(message):
        press = parse_custom_id(str(component.get("custom_id", "")))
        if press is not None and press.verb is verb:
            return await forge(club, person, component["custom_id"], message)
    raise AssertionError(f"no control for {verb}")


async def forge(
    club: Club, person: MemberActor, custom_id: str, message: discord.Message, values: Sequence[str] | None = None
) -> InteractionResult:
    """*person*'s client clicks a button with any *custom_id* on *message*; with *values* it claims to have chosen
    these in a select."""
    control: dict[str, Any] = {"type": BUTTON, "style": 2, "label": "?", "custom_id": custom_id}
    if values is not None:
        options = [{"label": "?", "value": value} for value in values]
        control = {"type": SELECT, "custom_id": custom_id, "options": options, "max_values": len(values)}
    chosen = None if values is None else list(values)
    with on_screen(club, message, [{"type": 1, "components": [control]}]):
        return await club.use(person, message, Offer(custom_id, control["type"], chosen))
