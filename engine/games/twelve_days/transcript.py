"""The audit format of 12 Days of Christmas (a contract: docs/architecture.md)."""

from typing import Any

from engine.game import Json, Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import RANKS
from engine.games.twelve_days.state import State


def encode_audit_state(state: State) -> Json:
    """Encode *state* as JSON in the audit format, including hidden cards."""
    return {
        "hand": state.hand_number,
        "hands_total": state.hands_total,
        "leader": state.leader,
        "turn": state.turn,
        "trick": [encode_action(action) for action in state.trick],
        "hands": [list(hand) for hand in state.hands],
        "gifts": list(state.gifts),
        "supply": state.supply,
        "over": bool(state.winners),
        "winners": list(state.winners),
    }


def encode_action(action: Action) -> Json:
    """Encode *action* as ``{"seat", "play"}``, with the cards as a list, or ``{"seat", "pass": true}``."""
    match action:
        case Play(seat, cards):
            return {"seat": seat, "play": list(cards)}
        case Pass(seat):
            return {"seat": seat, "pass": True}


def decode_action(data: Any) -> Action:
    """Decode *data*, which ``encode_action`` wrote, to a play or a pass; or raise ValueError for cards that are
    unsorted or of no rank from 1 to 12.

    Other data raises also the other errors that ``engine.game`` allows.
    """
    seat = Seat(data["seat"])
    if "play" not in data:
        return Pass(seat)
    cards = tuple(data["play"])
    if any(card not in RANKS for card in cards) or list(cards) != sorted(cards):
        raise ValueError(f"no cards: {data['play']!r}")
    return Play(seat, cards)
