"""The computer player of version 0.2, kept as a measured opponent.

It weighs tokens (``worth``), computes the exact odds of the queue for itself and for somebody who knows only what is
public, and compares calling with every way of playing:

- *Called?* The chance that somebody calls after a play grows with the total that the public expects.
- *Then what?* It knows its own face-down cards, so it bluffs where the public expects more than there is.
- *Not called?* The next player must build on the queue: pressure is worth something, and an x2 doubles it.
- Cards that add nothing are kept for a queue that is already high.

Near-equal choices are drawn by lot, so that nobody can predict it.
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.odds import (
    count_unseen_plain_backed_cards,
    estimate_17_and_traps_in_queue,
    hidden_sum_and_trap_odds,
)
from engine.games.diciassette.view import Seen, View

CALLED_STEEPNESS: Final = 9.0
"""How sharply the chance of being called rises around ``CALLED_MIDDLE``."""
CALLED_MIDDLE: Final = 0.52
"""If the public thinks 17 this likely, every second play is called."""
CALLED_AT_LEAST: Final = 0.2
"""The lowest chance of being called."""
PRESSURE: Final = 0.45
"""What a queue that surely holds 17 is worth while nobody calls: the next player must build on it."""
TRAP_LATER: Final = 0.6
"""The part of a trap's worth that is left if nobody calls now."""
KEEP_BLANK: Final = 0.07
"""What it is worth to keep a card that adds nothing."""
CALL_MARGIN: Final = 0.6
"""How much better than not calling a call must look."""
CLOSE_ENOUGH: Final = 0.015
"""Plays whose values differ by no more than this are drawn by lot."""


def worth(victory: int, penalty: int) -> float:
    """The worth of holding these tokens, where one victory token is worth about 1 and a won game 5."""
    if victory >= VICTORIES_TO_WIN:
        return 5.0
    at_risk = 0.55 if victory else 0.15
    return victory * (1.0 + 0.15 * victory) - at_risk * penalty


def _tokens_after_penalty(victory: int, penalty: int) -> tuple[int, int]:
    """The tokens after one more penalty token, as (victory, penalty) (D16)."""
    return (max(0, victory - 1), 0) if penalty == 1 else (victory, penalty + 1)


class _Stakes(NamedTuple):
    """By how much one more token would change a player's worth."""

    victory: float
    penalty: float
    """A negative number."""


def _stakes(view: View, seat: Seat) -> _Stakes:
    """How much one more victory token, or one more penalty token, would change the worth of the tokens of *seat*."""
    victory, penalty = view.victory[seat], view.penalty[seat]
    now = worth(victory, penalty)
    return _Stakes(worth(victory + 1, penalty) - now, worth(*_tokens_after_penalty(victory, penalty)) - now)


def _rivalry(view: View) -> float:
    """The weight of another player's gain against one's own: 1 with two players, less with more."""
    return 1.0 / (view.seats - 1)


def value_of_calling(view: View, me: Seat, last: Seat) -> float:
    """The gain that *me* may expect from calling 17 now, in victory tokens, if *last* has played the last card."""
    guess = estimate_17_and_traps_in_queue(view)
    mine, theirs, rival = _stakes(view, me), _stakes(view, last), _rivalry(view)
    right = mine.victory - rival * theirs.penalty
    wrong = mine.penalty - rival * theirs.victory
    others_traps = guess.traps * (mine.penalty - rival * mine.victory)
    own_traps = (mine.victory * (1 - guess.seventeen) + mine.penalty) if guess.own_traps else 0.0
    return guess.seventeen * right + (1 - guess.seventeen) * wrong + others_traps + own_traps


def _public_queue(queue: Sequence[Seen]) -> tuple[Seen, ...]:
    """Return *queue* as everybody sees it: plain-backed cards that lie face down are hidden."""
    return tuple(
        seen if seen.face is Face.UP or (seen.card is not None and seen.card.open_back) else seen._replace(card=None)
        for seen in queue
    )


def _queue_after(view: View, me: Seat, card: Card, face: Face) -> tuple[Seen, ...]:
    """The queue after *me* has played *card* with this *face*, as the player sees it."""
    if face is Face.UP and card is Card.TRASH:
        return view.queue[:-1]
    return (*view.queue, Seen(me, card, face))


def value_of_playing(view: View, me: Seat, card: Card, face: Face) -> float:
    """The gain that *me* may expect from playing *card* with this *face* now, in victory tokens."""
    held = list(view.hand)
    held.remove(card)
    after = view._replace(queue=_queue_after(view, me, card, face))
    # The viewer has seen *card* exactly once: in the queue, or, if a Trash has gone from there, still in the hand.
    known = after._replace(hand=tuple(held))
    if face is Face.UP and card is Card.TRASH:
        known = known._replace(hand=view.hand)
    guess = estimate_17_and_traps_in_queue(known)
    public = after._replace(queue=_public_queue(after.queue), hand=())
    believed = hidden_sum_and_trap_odds(count_unseen_plain_backed_cards(public), public.hidden_count).reaches[
        max(0, TARGET - public.visible_sum)
    ]

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
    """Choose the action of the computer player of version 0.2 in seat *me*; ``None``: it does not call (off turn only).

    The same *view* and state of *rng* give the same action.
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
