"""Builders: a state of 17 from a line of text.

Cards: ``5`` one-sided, ``5=`` two-sided, ``R`` Reverse, ``T`` Trash, ``X`` x2, ``P`` Trap. In a queue a card is
headed by its seat and a trailing ``?`` lays it face down: ``"0:5 1:P? 2:3=?"``.
"""

from collections.abc import Sequence

from engine.diciassette.cards import DECK, Card, Face
from engine.diciassette.state import Laid, State
from engine.game import Seat

SHORT = {"R": Card.REVERSE, "T": Card.TRASH, "X": Card.X2, "P": Card.TRAP}
UP, DOWN = Face.UP, Face.DOWN


def card(text: str) -> Card:
    return SHORT.get(text) or Card(text)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(card(word) for word in text.split())


def queue(text: str) -> tuple[Laid, ...]:
    laid = []
    for word in text.split():
        seat, _, rest = word.partition(":")
        face = DOWN if rest.endswith("?") else UP
        laid.append(Laid(Seat(int(seat)), card(rest.rstrip("?")), face))
    return tuple(laid)


def state(
    hands: Sequence[str],
    *,
    turn: int = 0,
    last: int | None = None,
    lies: str = "",
    draw: str | None = None,
    discard: str = "",
    direction: int = 1,
    owed: int = 1,
    duty: int | None = None,
    doubled: bool = False,
    victory: Sequence[int] = (),
    penalty: Sequence[int] = (),
    round_: int = 1,
) -> State:
    """A state; the draw pile holds, unless said otherwise, every card that lies nowhere else."""
    held = tuple(cards(hand) for hand in hands)
    on_table = queue(lies)
    gone = cards(discard)
    if draw is None:
        rest = list(DECK)
        for used in (*(c for hand in held for c in hand), *(laid.card for laid in on_table), *gone):
            if used in rest:  # a scenario may hold more of a kind than the deck
                rest.remove(used)
        pile = tuple(rest)
    else:
        pile = cards(draw)
    seats = len(hands)
    return State(
        ply=5,
        round=round_,
        starter=Seat(0),
        direction=direction,
        turn=Seat(turn),
        owed=owed,
        duty=owed if duty is None else duty,
        doubled=doubled,
        last=None if last is None else Seat(last),
        draw=pile,
        discard=gone,
        queue=on_table,
        hands=held,
        victory=tuple(victory) or (0,) * seats,
        penalty=tuple(penalty) or (0,) * seats,
        shuffles=1,
        winners=(),
    )
