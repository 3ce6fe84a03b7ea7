"""The audit format of 17 (a contract: docs/architecture.md)."""

from typing import Any

from engine.game import Json, Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.state import State


def encode_audit_state(state: State) -> Json:
    """Encode *state* as JSON in the audit format, including hidden cards."""
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
        "may_call": list(state.may_call),
        "over": bool(state.winners),
        "winners": list(state.winners),
    }


def encode_action(action: Action) -> Json:
    """Encode *action* as ``{"seat", "play", "face"}``, or ``{"call": [seats in click order]}``."""
    match action:
        case Play(seat, card, face):
            return {"seat": seat, "play": card.value, "face": face.value}
        case Call(seats):
            return {"call": list(seats)}


def decode_action(data: Any) -> Action:
    """Decode *data*, which ``encode_action`` wrote, to a play or a call; or raise one of the errors that
    ``engine.game`` allows for other data."""
    if "call" in data:
        return Call(tuple(Seat(seat) for seat in data["call"]))
    return Play(Seat(data["seat"]), Card(data["play"]), Face(data["face"]))
