"""What a seat knows, as numbers for the networks.

A seat's *features* follow from its view and its memory alone. Seats are relative to the viewer, in the direction of
play, so that every seat decides alike. ``open_features`` shows all cards. ``engine.games.diciassette.tables`` makes the
same numbers for many tables at once; a test compares them.
"""

from typing import Final

import numpy as np

from engine.game import Seat
from engine.games.diciassette.cards import HAND_SIZE, KINDS, TARGET, Card, Face, copies_in_deck
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.view import Seen, View
from engine.network import Floats

MOST_SEATS: Final = 6
PLAINS: Final = tuple(card.index for card in KINDS if not card.open_back)
"""The kinds with a plain back: 1-5, then Reverse, Trash, x2, Trap."""
COPIES: Final = np.array([copies_in_deck(KINDS[kind]) for kind in PLAINS], np.float32)
NUMBERS: Final = np.array([card.number for card in KINDS], np.float32)
PLAIN_NUMBERS: Final = NUMBERS[list(PLAINS)]
CONTEXTS: Final = (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6)
"""The context of a card laid face down, by the public sum below it at that moment (17: or more). People do not lay a
trap or a 5 face down at just any sum."""
CONTEXT_COUNT: Final = 7
EACH_OTHER: Final = 14
"""The count of numbers for each of the other seats."""
QUEUED: Final = 12
"""The number of cards of the queue that are described one by one, from the top."""
EACH_QUEUED: Final = 3 + len(KINDS)
"""The count of numbers for each of these cards."""

# Where each group of numbers begins.
SEATS: Final = 0
HAND: Final = SEATS + 5
SUM: Final = HAND + 14
PUBLIC_SUM: Final = SUM + 18
HIDDEN: Final = PUBLIC_SUM + 18
OWN_HIDDEN: Final = HIDDEN + 6
OWN_TRAPS: Final = OWN_HIDDEN + 5
OWN_CONTEXTS: Final = OWN_TRAPS + 3
CONTEXTS_OF_OTHERS: Final = OWN_CONTEXTS + CONTEXT_COUNT
CONTEXTS_OF_LAST: Final = CONTEXTS_OF_OTHERS + CONTEXT_COUNT
TOP: Final = CONTEXTS_OF_LAST + CONTEXT_COUNT
TURN: Final = TOP + 6
DRAW_TOP: Final = TURN + 4
POOL: Final = DRAW_TOP + 7
PILES: Final = POOL + 11
GUESS: Final = PILES + 4
ME: Final = GUESS + 4
OTHERS: Final = ME + 3
QUEUE: Final = OTHERS + EACH_OTHER * (MOST_SEATS - 1)
SIZE: Final = QUEUE + EACH_QUEUED * QUEUED
"""The number of features of a seat."""


def features(view: View, memory: Memory | None) -> Floats:
    """What the viewer's seat knows, as numbers for the networks, of shape (``SIZE``,); or raise ValueError for a
    spectator's *view*.

    They tell its hand, the queue, the piles, the unseen cards, the turn and everybody's tokens.

    Raises:
        ValueError: *view* is a spectator's.
    """
    me = view.seat
    if me is None:
        raise ValueError("a spectator has no features")
    x = [0.0] * SIZE
    seats = view.seats
    x[SEATS + seats - 2] = 1.0
    pool = unseen_plain_backed_counts(view, memory)
    for card in view.hand:
        x[HAND + card.index] += 1.0
    mine = public = hidden = own_hidden = own_traps = 0
    by_seat = [0] * seats
    for seen in view.queue:
        card_ = seen.card
        if seen.face is Face.UP or (card_ is not None and card_.open_back):
            assert card_ is not None
            public += card_.number
            mine += card_.number
            continue
        context = CONTEXTS[min(TARGET, public)]
        by_seat[seen.seat] += 1
        if card_ is None:
            hidden += 1
            x[CONTEXTS_OF_OTHERS + context] += 1.0
            if seen.seat == view.last:
                x[CONTEXTS_OF_LAST + context] += 1.0
        else:
            own_hidden += 1
            own_traps += card_ is Card.TRAP
            mine += card_.number
            x[OWN_CONTEXTS + context] += 1.0
    x[SUM + min(TARGET, mine)] = 1.0
    x[PUBLIC_SUM + min(TARGET, public)] = 1.0
    x[HIDDEN + min(5, hidden)] = 1.0
    x[OWN_HIDDEN + min(4, own_hidden)] = 1.0
    x[OWN_TRAPS + min(2, own_traps)] = 1.0
    _write_top_card_features(x, view.queue)
    _write_queue_card_features(x, view.queue, me)
    x[TURN] = float(view.turn == me)
    x[TURN + 1] = float(view.duty == 2)
    x[TURN + 2] = float(view.owed == 2)
    x[TURN + 3] = float(view.doubled)
    x[DRAW_TOP + (0 if view.draw_size == 0 else 1 if view.draw_top is None else 1 + view.draw_top)] = 1.0
    size = sum(pool)
    mean = sum(PLAIN_LIST[i] * pool[i] for i in range(5)) / max(1, size)
    square = sum(PLAIN_LIST[i] ** 2 * pool[i] for i in range(5)) / max(1, size)
    for i, left in enumerate(pool):
        x[POOL + i] = left / COPIES_LIST[i]
    x[POOL + 9] = mean / 3
    x[POOL + 10] = pool[8] / max(1, size)
    x[PILES] = float(view.direction)
    x[PILES + 1] = len(view.queue) / 16
    x[PILES + 2] = view.draw_size / 70
    x[PILES + 3] = view.discard_size / 70
    variance = max(0.0, square - mean * mean)
    x[GUESS] = min(1.5, max(-1.5, (mine + hidden * mean - 16.5) / 10))
    x[GUESS + 1] = _chance_that_positive(mine + hidden * mean - 16.5, hidden * variance)
    x[GUESS + 2] = _chance_that_positive(public + (hidden + own_hidden) * mean - 16.5, (hidden + own_hidden) * variance)
    x[GUESS + 3] = float(mine + max_hidden_sum(pool, hidden) < TARGET)
    x[ME] = float(view.victory[me] >= 1)
    x[ME + 1] = float(view.victory[me] >= 2)
    x[ME + 2] = float(view.penalty[me])
    for step in range(1, seats):
        seat = (me + view.direction * step) % seats
        at = OTHERS + EACH_OTHER * (step - 1)
        x[at] = 1.0
        x[at + 1] = float(view.last == seat)
        x[at + 2] = float(view.turn == seat)
        x[at + 3] = float(view.victory[seat] >= 1)
        x[at + 4] = float(view.victory[seat] >= 2)
        x[at + 5] = float(view.penalty[seat])
        x[at + 6] = by_seat[seat] / 3
        x[at + 7] = (HAND_SIZE - view.hand_sizes[seat]) / 3
        for number in view.open_backs[seat]:
            x[at + 8] += number / 10
            x[at + 8 + number] += 1.0
    return np.array(x, np.float32)


PLAIN_LIST: Final[list[float]] = PLAIN_NUMBERS.tolist()
COPIES_LIST: Final[list[float]] = COPIES.tolist()
"""As lists, since single items of arrays are slow."""


def _write_top_card_features(x: list[float], queue: tuple[Seen, ...]) -> None:
    """Write to the features *x*, in place, what the viewer sees of the top card of *queue*, which a Trash would
    take."""
    if not queue:
        x[TOP] = 1.0
        return
    card, face = queue[-1].card, queue[-1].face
    if card is None:
        x[TOP + 1] = 1.0
    elif face is Face.UP or card.open_back:
        x[TOP + 2] = card.number / 5
        x[TOP + 3] = float(card.number == 0)
    else:
        x[TOP + 4] = card.number / 5
        x[TOP + 5] = float(card is Card.TRAP)


def _write_queue_card_features(x: list[float], queue: tuple[Seen, ...], me: Seat) -> None:
    """Write to the features *x*, in place, what *me* sees of the top cards of *queue*: the owner and the kind of
    each."""
    for place, seen in enumerate(reversed(queue[-QUEUED:])):
        at = QUEUE + EACH_QUEUED * place
        card = seen.card
        x[at + (seen.seat != me)] = 1.0
        x[at + 2] = float(card is None or (seen.face is Face.DOWN and not card.open_back))
        if card is not None:
            x[at + 3 + card.index] = 1.0


def _chance_that_positive(mean: float, variance: float) -> float:
    """Roughly the chance that a quantity with this *mean* and *variance* is above 0 (a logistic curve)."""
    steep = min(30.0, max(-30.0, 1.7 * mean / (variance + 0.06) ** 0.5))
    return float(1 / (1 + np.exp(-steep)))


def unseen_plain_backed_counts(view: View, memory: Memory | None) -> list[int]:
    """How many cards of each plain-backed kind the viewer has not seen in hand, queue or, with *memory*, discard pile;
    in the order of ``PLAINS``."""
    left = [3, 3, 3, 3, 3, 5, 5, 5, 5]
    if memory is not None:
        for i, kind in enumerate(PLAINS):
            left[i] -= memory.discarded.seen[kind] + memory.discarded.own[kind]
    for card in view.hand:
        if not card.open_back:
            left[PLAIN_INDEX[card.index]] -= 1
    for seen in view.queue:
        if seen.card is not None and not seen.card.open_back:
            left[PLAIN_INDEX[seen.card.index]] -= 1
    return [max(0, count) for count in left]


PLAIN_INDEX: Final = {kind: i for i, kind in enumerate(PLAINS)}


def max_hidden_sum(pool: list[int], hidden: int) -> int:
    """The greatest possible sum of the numbers on *hidden* cards out of *pool* (counts by kind, as ``PLAINS``)."""
    most = 0
    for number in range(5, 0, -1):
        taken = min(hidden, pool[number - 1])
        most += number * taken
        hidden -= taken
    return most
