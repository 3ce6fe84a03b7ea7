"""The current round of a two-player game as one seat remembers it: its start, and every play since.

The seat is seat 0 here, the other one seat 1.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from engine.game import Seat
from engine.games.diciassette import features as f
from engine.games.diciassette.cards import KINDS as CARDS
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.choices import PLACES, Choice
from engine.games.diciassette.events import CardPlayed, CardsDrawn, PileShuffled
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.styles import FACE_DOWN_CHOICES
from engine.games.diciassette.tables import FULL, KINDS, Ints
from engine.games.diciassette.view import View

ME: Final = 0
OTHER: Final = 1
"""The seats: the seat itself and its opponent."""
SOME_PLAIN: Final = f.PLAINS[0]
"""Stands for an unknown card with a plain back."""


class RememberedPlay(NamedTuple):
    """A played card of this round, as seat 0 saw it, with the cards that were drawn after it."""

    mover: int
    choice: int
    """The number of the choice. If the card was hidden, any of ``FACE_DOWN_CHOICES``."""
    drawn: tuple[int, ...]
    """The cards drawn after the play, as the seat saw them."""
    tops: tuple[int, ...]
    """For each of these cards, the next top card of the draw pile; -1: none."""


class RoundStart(NamedTuple):
    """A round at its start, as seat 0 knew it: hands, discarded cards, tokens and starter. Kinds are counted in the
    order of ``cards.KINDS``."""

    hand: Ints
    """The seat's own hand, of shape (14,), or (worlds, 14) if it differs between worlds."""
    open_backs: Sequence[int]
    """The opponent's two-sided cards."""
    plain_backs: int
    """The number of the opponent's other cards."""
    seen: Ints
    own: Ints
    lost: int
    """As in ``Discarded``, the arrays of a shape as ``hand``."""
    top: int
    victory: tuple[int, int]
    penalty: tuple[int, int]
    starter: int


def reconstruct_round(view: View, seat: Seat, memory: Memory) -> tuple[RoundStart, list[RememberedPlay]] | None:
    """The start of this round and the plays since, as *seat* knows them from *view* and *memory*; ``None`` after a
    shuffle, or if it missed a part."""
    events = memory.round
    if any(isinstance(event, PileShuffled) for event in events):
        return None
    drawn = [event for event in events if isinstance(event, CardsDrawn)]
    backs = [_kind_shown_by_back(card) for event in drawn for card in event.cards]
    top_now = -1 if not view.draw_size else _two_sided_kind(view.draw_top) if view.draw_top is not None else SOME_PLAIN
    tops = [*backs, top_now]
    hand, backs_now = _kind_counts(view.hand), [0] * KINDS
    for number in view.open_backs[1 - seat]:
        backs_now[_two_sided_kind(number)] += 1
    plain = view.hand_sizes[1 - seat] - sum(backs_now)
    played: list[RememberedPlay] = []
    at = 0
    for place, event in enumerate(events):
        if not isinstance(event, CardPlayed):
            continue
        mine, card = event.seat == seat, event.card
        follows = events[place + 1] if place + 1 < len(events) else None
        drawn_now, tops_now = [], []
        if isinstance(follows, CardsDrawn):
            for it in follows.cards:
                drawn_now.append(it.index if it is not None else SOME_PLAIN)
                tops_now.append(tops[at + 1])
                at += 1
                if mine:
                    hand[_require_known_card(it).index] -= 1
                elif it is not None:
                    backs_now[it.index] -= 1
                else:
                    plain -= 1
        if mine:
            hand[_require_known_card(card).index] += 1
        elif card is not None and card.open_back:
            backs_now[card.index] += 1
        else:
            plain += 1
        hidden = event.face is Face.DOWN and not (card is not None and card.open_back)
        choice = int(FACE_DOWN_CHOICES[0]) if card is None else PLACES[Choice(card, hidden)]
        played.append(RememberedPlay(ME if mine else OTHER, choice, tuple(drawn_now), tuple(tops_now)))
    starter = ME if view.starter == seat else OTHER
    before = memory.before
    # All cards that are not in hands and not known to be discarded must be in the draw pile. Otherwise the seat was
    # taken over later.
    if FULL.sum() - sum(hand) - sum(backs_now) - plain - sum(before.seen) - sum(before.own) - before.lost != (
        view.draw_size + len(backs)
    ):
        return None
    others = (view.victory[1 - seat], view.penalty[1 - seat])
    begun = RoundStart(
        np.array(hand), backs_now, plain, np.array(before.seen), np.array(before.own), before.lost, tops[0],
        (view.victory[seat], others[0]), (view.penalty[seat], others[1]), starter,
    )  # fmt: skip
    return begun, played


def _require_known_card(card: Card | None) -> Card:
    """Return *card*, which must not be ``None``: the seat knows it, because it is its own."""
    assert card is not None
    return card


def _kind_shown_by_back(card: Card | None) -> int:
    """The kind of *card* if its back shows it; otherwise ``SOME_PLAIN``."""
    return card.index if card is not None and card.open_back else SOME_PLAIN


def _two_sided_kind(number: int) -> int:
    """The index of the kind of the two-sided card with *number*."""
    return next(card.index for card in CARDS if card.open_back and card.number == number)


def _kind_counts(cards: Sequence[Card]) -> list[int]:
    """The number of *cards* of each kind, in the order of ``KINDS``."""
    counts = [0] * KINDS
    for card in cards:
        counts[card.index] += 1
    return counts
