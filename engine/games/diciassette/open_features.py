"""A whole state with all cards open as numbers for the coach's network.

Seats are relative to the player on turn, in the direction of play.
"""

from collections import Counter
from typing import Final

import numpy as np

from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.features import MOST_SEATS
from engine.games.diciassette.state import State
from engine.network import Floats

OPEN_EACH: Final = 22
"""The count of numbers for each seat."""
# Where each group of numbers begins.
OPEN_SEATS: Final = 0
OPEN_TOTALS: Final = OPEN_SEATS + OPEN_EACH * MOST_SEATS
OPEN_TURN: Final = OPEN_TOTALS + 2 * (TARGET + 1)
OPEN_TOP: Final = slice(OPEN_TURN + 11, OPEN_TURN + 25)
"""The kind of card on top of the draw pile."""
OPEN_QUEUE: Final = OPEN_TURN + 25
OPEN_SIZE: Final = OPEN_QUEUE + 15
"""The count of numbers for a state."""


def open_cards_features(state: State) -> Floats:
    """The whole *state* with all cards open, as numbers for the coach's network, of shape (``OPEN_SIZE``,)."""
    x = [0.0] * OPEN_SIZE
    seats = len(state.hands)
    counts, sums, traps = [0] * seats, [0] * seats, [0] * seats
    public = total = 0
    for seat, card, face in state.queue:
        total += card.number
        if face is Face.UP or card.open_back:
            public += card.number
            continue
        counts[seat] += 1
        sums[seat] += card.number
        traps[seat] += card is Card.TRAP
    for step in range(seats):
        at = (state.turn + state.direction * step) % seats
        first = OPEN_SEATS + OPEN_EACH * step
        x[first : first + 8] = [
            1.0,
            float(state.victory[at] >= 1),
            float(state.victory[at] >= 2),
            float(state.penalty[at]),
            float(state.last == at),
            counts[at] / 3,
            sums[at] / 10,
            float(traps[at]),
        ]
        for card in state.hands[at]:
            x[first + 8 + card.index] += 1.0
    x[OPEN_TOTALS + min(TARGET, total)] = 1.0
    x[OPEN_TOTALS + TARGET + 1 + min(TARGET, public)] = 1.0
    x[OPEN_TURN + seats - 2] = 1.0
    x[OPEN_TURN + 5 : OPEN_TURN + 11] = [
        float(state.duty == 2),
        float(state.owed == 2),
        float(state.doubled),
        float(state.direction),
        len(state.draw) / 70,
        len(state.discard) / 70,
    ]
    if state.draw:
        x[OPEN_TOP.start + state.draw[0].index] = 1.0
    if state.queue:
        top = state.queue[-1]
        x[OPEN_QUEUE + top.card.index] = 1.0
        x[OPEN_QUEUE + 14] = float(top.face is Face.DOWN and not top.card.open_back)
    return np.array(x, np.float32)


def features_by_top_card(state: State) -> tuple[Floats, list[int]]:
    """The open features of *state* for each kind of card that may top the draw pile (a row each), and how many cards
    are of each kind.

    The shape is (kinds, ``OPEN_SIZE``). Of the order of the pile nobody knows anything except the back on top (D2).
    Without a pile, or if the back shows the kind, there is one row.
    """
    kinds = Counter(card.index for card in state.draw if not card.open_back)
    if not state.draw or state.draw[0].open_back:
        return open_cards_features(state)[None], [1]
    rows = np.repeat(open_cards_features(state)[None], len(kinds), axis=0)
    for row, kind in zip(rows, kinds, strict=True):
        row[OPEN_TOP] = 0
        row[OPEN_TOP.start + kind] = 1
    return rows, list(kinds.values())
