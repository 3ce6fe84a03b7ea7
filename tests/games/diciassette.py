"""17 for its testers, and builders: a state from a line of text.

Cards: ``5`` one-sided, ``5=`` two-sided, ``R`` Reverse, ``T`` Trash, ``X`` x2, ``P`` Trap. In a queue a card is
headed by its seat and a trailing ``?`` lays it face down: ``"0:5 1:P? 2:3=?"``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.diciassette.actions import Call, Play
from engine.diciassette.cards import DECK, PLAIN_BACKED, Card, Face
from engine.diciassette.events import CardPlayed, CardsDrawn, CardTrashed, PileShuffled
from engine.diciassette.state import Laid, State
from engine.game import Seat
from tests.games.case import Case

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


def redealt(state: State, seat: Seat | None, rng: Random) -> State:
    """*state* with everything that *seat* cannot see dealt anew (D2): plain backs stay plain, open backs stay;
    cards in the draw pile below its top and in the discard pile may be anything."""
    plain: list[Card] = []
    free: list[Card] = [*state.draw[1:], *state.discard]
    if state.draw and not state.draw[0].open_back:
        plain.append(state.draw[0])
    for other, hand in enumerate(state.hands):
        if other != seat:
            plain += [card for card in hand if not card.open_back]
    for laid in state.queue:
        if laid.face is Face.DOWN and laid.seat != seat and not laid.card.open_back:
            plain.append(laid.card)
    pool = plain + [card for card in free if not card.open_back]
    rng.shuffle(pool)
    hidden = iter(pool[: len(plain)])
    rest = pool[len(plain) :] + [card for card in free if card.open_back]
    rng.shuffle(rest)

    def other(card: Card) -> Card:
        return card if card.open_back else next(hidden)

    top = tuple(other(card) for card in state.draw[:1])
    hands = tuple(
        hand if owner == seat else tuple(rng.sample([other(card) for card in hand], len(hand)))
        for owner, hand in enumerate(state.hands)
    )
    queue = tuple(
        Laid(laid.seat, other(laid.card), laid.face) if laid.face is Face.DOWN and laid.seat != seat else laid
        for laid in state.queue
    )
    below = len(state.draw) - len(top)
    return state._replace(draw=(*top, *rest[:below]), discard=tuple(rest[below:]), hands=hands, queue=queue)


class DiciassetteCase(Case):
    """17 for the suites over all games."""

    game = "diciassette"
    deck = Counter(DECK)
    computer_wins = {2: 0.85, 4: 0.60}

    def everything(self, state: State) -> Counter[Card]:
        held = [card for hand in state.hands for card in hand]
        return Counter([*held, *state.draw, *state.discard, *(laid.card for laid in state.queue)])

    def redealt(self, state: State, seat: Seat | None, rng: Random) -> State:
        return redealt(state, seat, rng)

    def otherwise(self, event: Any, seat: Seat | None, rng: Random) -> Any:
        def other(card: Card | None, owner: int) -> Card | None:
            hidden = card is not None and owner != seat and not card.open_back
            return rng.choice(PLAIN_BACKED) if hidden else card

        match event:
            case CardPlayed(owner, card, Face.DOWN):
                return CardPlayed(owner, other(card, owner), Face.DOWN)
            case CardTrashed(owner, card, Face.DOWN):
                return CardTrashed(owner, other(card, owner), Face.DOWN)
            case CardsDrawn(owner, drawn):
                return CardsDrawn(owner, tuple(other(card, owner) for card in drawn))
            case PileShuffled(size, order) if order is not None:
                return PileShuffled(size, tuple(rng.sample(order, len(order))))
            case _:
                return event

    def conceivable(self, state: State, seat: Seat) -> Iterator[Any]:
        yield from (Play(seat, card, face) for card in Card for face in Face)
        yield Call((seat,))

    def should_shout(self, state: State) -> bool:
        return state.between_turns and sum(laid.card.number for laid in state.queue) >= 17

    def choose(self, actions: Sequence[Any], rng: Random) -> Any:
        """Calls are one chance in six, so that queues grow."""
        plays = [action for action in actions if isinstance(action, Play)]
        return rng.choice(plays if plays and rng.randrange(6) else actions)


CASE = DiciassetteCase()
