"""A player of 17 that sees only its view.

It weighs tokens (``worth``), computes the exact odds of the queue for itself and for somebody who knows only
what is public, and compares calling with every way of playing:

- *Called?* The chance that somebody calls after a play grows with what the public believes of the queue.
- *Then what?* It knows its own face-down cards, so it bluffs where the public believes more than is true.
- *Not called?* The next player must build on what lies there: pressure is worth something, and an x2 doubles it.
- Cards that add nothing are kept for a queue that is already high.

Near-equal choices are drawn by lot, so that it cannot be read like a book.
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.odds import Pool, estimate, odds, unseen
from engine.games.diciassette.view import Seen, View

CALLED_STEEPNESS: Final = 9.0
CALLED_MIDDLE: Final = 0.52
PRESSURE: Final = 0.45
KEEP_BLANK: Final = 0.07
CLOSE_ENOUGH: Final = 0.015
CALL_MARGIN: Final = 0.6
TRAP_LATER: Final = 0.6
CALLED_AT_LEAST: Final = 0.2


def worth(victory: int, penalty: int) -> float:
    """How far along a player with these tokens is; 1 is about a victory token."""
    if victory >= VICTORIES_TO_WIN:
        return 5.0
    at_risk = 0.55 if victory else 0.15
    return victory * (1.0 + 0.15 * victory) - at_risk * penalty


def _after_penalty(victory: int, penalty: int) -> tuple[int, int]:
    """The tokens after one more penalty (D16)."""
    return (max(0, victory - 1), 0) if penalty == 1 else (victory, penalty + 1)


class _Stakes(NamedTuple):
    """What a token more does to a player's worth."""

    victory: float
    penalty: float
    """A negative number."""


def _stakes(view: View, seat: Seat) -> _Stakes:
    victory, penalty = view.victory[seat], view.penalty[seat]
    now = worth(victory, penalty)
    return _Stakes(worth(victory + 1, penalty) - now, worth(*_after_penalty(victory, penalty)) - now)


def _rivalry(view: View) -> float:
    """How much another player's gain hurts: all of it between two, less among many."""
    return 1.0 / (view.seats - 1)


def value_of_calling(view: View, me: Seat, last: Seat) -> float:
    """What *me* may expect from calling 17 against *last* now, in tokens' worth."""
    guess = estimate(view)
    mine, theirs, rival = _stakes(view, me), _stakes(view, last), _rivalry(view)
    right = mine.victory - rival * theirs.penalty
    wrong = mine.penalty - rival * theirs.victory
    others_traps = guess.traps * (mine.penalty - rival * mine.victory)
    own_traps = (mine.victory * (1 - guess.seventeen) + mine.penalty) if guess.own_traps else 0.0
    return guess.seventeen * right + (1 - guess.seventeen) * wrong + others_traps + own_traps


def _public_pool(view: View) -> Pool:
    """What somebody who sees only the public part has not seen."""
    return unseen(view._replace(hand=(), queue=_public_queue(view.queue)))


def _public_queue(queue: Sequence[Seen]) -> tuple[Seen, ...]:
    return tuple(
        seen if seen.face is Face.UP or (seen.card is not None and seen.card.open_back) else seen._replace(card=None)
        for seen in queue
    )


def _queue_after(view: View, me: Seat, card: Card, face: Face) -> tuple[Seen, ...]:
    if face is Face.UP and card is Card.TRASH:
        return view.queue[:-1]
    return (*view.queue, Seen(me, card, face))


def value_of_playing(view: View, me: Seat, card: Card, face: Face) -> float:
    """What *me* may expect from laying *card* that way now, in tokens' worth."""
    held = list(view.hand)
    held.remove(card)
    after = view._replace(queue=_queue_after(view, me, card, face))
    # *card* stays in the viewer's hand here where the queue does not show it, so that it is counted as seen once.
    known = after._replace(hand=tuple(held))
    if face is Face.UP and card is Card.TRASH:
        known = known._replace(hand=view.hand)
    guess = estimate(known)
    public = after._replace(queue=_public_queue(after.queue), hand=())
    believed = odds(_public_pool(after), public.hidden_count).reaches[max(0, TARGET - public.visible_sum)]

    mine, rival = _stakes(view, me), _rivalry(view)
    caller = max((_stakes(view, Seat(s)) for s in range(view.seats) if s != me), key=lambda s: s.victory)
    called = max(CALLED_AT_LEAST, 1 / (1 + exp(-CALLED_STEEPNESS * (believed - CALLED_MIDDLE))))
    right = mine.penalty - rival * caller.victory
    wrong = mine.victory - rival * caller.penalty
    if_called = guess.seventeen * right + (1 - guess.seventeen) * wrong
    traps = guess.own_traps
    if traps:
        # A trap pays whoever laid it, once (D15), and costs the caller each time.
        if_called += guess.seventeen * mine.victory - traps * rival * caller.penalty
    doubled = view.doubled or (card is Card.X2 and face is Face.UP)
    pressure = PRESSURE * believed * (1.6 if doubled else 1.0)
    if traps:
        pressure += TRAP_LATER * (mine.victory - rival * caller.penalty)
    keep = KEEP_BLANK * sum(c.number == 0 for c in held)
    return called * if_called + (1 - called) * pressure + keep


def decide(view: View, me: Seat, rng: Random) -> Action | None:
    """The action of the computer player *me*; ``None``: it does not call.

    Deterministic given *view* and *rng*.
    """
    calling: float | None = None
    if me in view.may_call and view.last is not None:
        calling = value_of_calling(view, me, view.last)
    if view.turn != me:
        return Call((me,)) if calling is not None and calling > CALL_MARGIN else None
    if not view.hand:
        return Call((me,))
    options: list[tuple[float, Action]] = [
        (value_of_playing(view, me, card, face), Play(me, card, face))
        for card in dict.fromkeys(view.hand)
        for face in (Face.UP, Face.DOWN)
    ]
    best = max(value for value, _ in options)
    if calling is not None and calling > best + CALL_MARGIN:
        return Call((me,))
    return rng.choice([action for value, action in options if value >= best - CLOSE_ENOUGH])
