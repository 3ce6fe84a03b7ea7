"""17 as audit transcripts write it (the format is a contract: docs/architecture.md)."""

from collections.abc import Iterable
from typing import Any

from engine.diciassette.actions import Action, Call, Play
from engine.diciassette.cards import Card, Face
from engine.diciassette.events import Event, PileShuffled
from engine.diciassette.state import State
from engine.game import Json, Seat


def audit_state(state: State) -> Json:
    """The whole *state*, hidden cards included."""
    return {
        "round": state.round,
        "starter": state.starter,
        "direction": state.direction,
        "turn": state.turn,
        "owed": state.owed,
        "last": state.last,
        "draw": [card.value for card in state.draw],
        "discard": [card.value for card in state.discard],
        "queue": [{"seat": laid.seat, "card": laid.card.value, "face": laid.face.value} for laid in state.queue],
        "hands": [[card.value for card in hand] for hand in state.hands],
        "victory": list(state.victory),
        "penalty": list(state.penalty),
        "may_call": [seat for seat in range(len(state.hands)) if state.may_call(Seat(seat))],
        "over": bool(state.winners),
        "winners": list(state.winners),
    }


def encode_action(action: Action) -> Json:
    """``{"seat", "play", "face"}`` or ``{"call": [seats in click order]}``."""
    match action:
        case Play(seat, card, face):
            return {"seat": seat, "play": card.value, "face": face.value}
        case Call(seats):
            return {"call": list(seats)}


def decode_action(data: Json) -> Action:
    """The action that ``encode_action`` wrote.

    Raises:
        KeyError, ValueError, TypeError: *data* is none.
    """
    if "call" in data:
        return Call(tuple(Seat(seat) for seat in data["call"]))
    return Play(Seat(data["seat"]), Card(data["play"]), Face(data["face"]))


def shuffles(events: Iterable[Event]) -> list[list[Any]]:
    """Every new draw pile in *events*, top first."""
    return [
        [card.value for card in event.order]
        for event in events
        if isinstance(event, PileShuffled) and event.order is not None
    ]
