"""17 for its testers, and builders: a state from a line of text.

Cards: ``5`` one-sided, ``5=`` two-sided, ``R`` Reverse, ``T`` Trash, ``X`` x2, ``P`` Trap. In a queue a card is
headed by its seat and a trailing ``?`` lays it face down: ``"0:5 1:P? 2:3=?"``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import DECK, PLAIN_BACKED, Card, Face
from engine.games.diciassette.events import CardPlayed, CardsDrawn, CardTrashed, Event, PileShuffled
from engine.games.diciassette.state import Laid, State
from tests.games.case import Case

SHORT = {"R": Card.REVERSE, "T": Card.TRASH, "X": Card.X2, "P": Card.TRAP}
UP, DOWN = Face.UP, Face.DOWN
FAIR = SeededChance(bytes(32))


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

    computer_wins = {2: 0.85, 4: 0.60}
    playthroughs = ((2, {}), (6, {}))
    audit_fields = frozenset({
        "round", "starter", "direction", "turn", "owed", "last", "draw", "discard", "queue", "hands", "victory",
        "penalty", "may_call", "over", "winners",
    })  # fmt: skip

    def pack(self, seats: int) -> Counter[Card]:
        return Counter(DECK)

    def everything(self, state: State) -> Counter[Card]:
        held = [card for hand in state.hands for card in hand]
        return Counter([*held, *state.draw, *state.discard, *(laid.card for laid in state.queue)])

    def redealt(self, state: State, seat: Seat | None, rng: Random) -> State:
        return redealt(state, seat, rng)

    def otherwise(self, event: Any, seat: Seat | None, rng: Random) -> Any:
        """Plain backs of the others become any plain card, a shuffle another order."""

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
        yield from (Call(()), Call((seat, seat)), Call((Seat(7),)), Call((Seat(-1),)))

    def deal(self, state: State, seat: Seat, cards: str) -> State:
        """The cards are swapped with the first of the hand, from the draw pile or another hand."""
        hands = [list(hand) for hand in state.hands]
        piles = [list(state.draw), *(hand for other, hand in enumerate(hands) if other != seat)]
        for slot, wanted in enumerate(map(card, cards.split())):
            if wanted in hands[seat][slot:]:
                at = hands[seat].index(wanted, slot)
                hands[seat][slot], hands[seat][at] = wanted, hands[seat][slot]
                continue
            source = next(pile for pile in piles if wanted in pile)
            at = source.index(wanted)
            source[at], hands[seat][slot] = hands[seat][slot], wanted
        return state._replace(draw=tuple(piles[0]), hands=tuple(map(tuple, hands)))

    def quiet_deal(self, state: State, watcher: Seat | None, rng: Random) -> State:
        """Plain backs of the others are swapped with plain cards deep in the draw pile, where nobody gets soon."""
        draw, hands = list(state.draw), [list(hand) for hand in state.hands]
        deep = [index for index in range(len(draw) - 25, len(draw)) if not draw[index].open_back]
        for other, hand in enumerate(hands):
            for slot, held in enumerate(hand):
                if other != watcher and not held.open_back:
                    index = rng.choice(deep)
                    hand[slot], draw[index] = draw[index], held
        return state._replace(draw=tuple(draw), hands=tuple(map(tuple, hands)))

    def quiet_action(self, state: State, watcher: Seat | None) -> Play:
        """The watcher's first card face up; of the others a plain back face down, or else their first card, which
        everybody has known all along."""
        hand = state.hands[state.turn]
        if state.turn == watcher:
            return Play(state.turn, hand[0], UP)
        return Play(state.turn, next((it for it in hand if not it.open_back), hand[0]), DOWN)

    def longest(self) -> Iterator[tuple[State, Sequence[Event], Play | None]]:
        """Six players and a queue of thirty, with traps and a trash; double turns; an empty hand; a whole round's
        tokens; the end of the game."""
        long = " ".join(f"{i % 6}:{'P?' if i < 5 else 'T?' if i % 3 else '5='}" for i in range(30))
        six = state(["P R T"] * 6, turn=1, last=0, lies=long)
        yield six, (), None
        four = state(["1 2 3", "4 5 1", "2 3 4", "5 5 5"], turn=1, last=0, lies="0:5")
        yield four, (), Play(Seat(1), four.hands[1][0], UP)
        yield state(["1", "R T X", "P"], turn=1, last=0, lies="0:X", owed=2), (), None
        yield state(["1", "", "P"], turn=1, last=0, lies="0:X", draw=""), (), None
        trashed = state(["1 2 3", "T X T", "1 2 3"], turn=1, last=0, lies="0:X?", draw="", discard="1 2 3")
        for play in (Play(Seat(1), Card.TRASH, UP), Play(Seat(1), Card.X2, UP)):
            step = self.rules.apply(trashed, play, FAIR)
            yield step.state, step.events, None
        for before in (six, four._replace(victory=(2, 2, 2, 2)), six._replace(penalty=(1,) * 6, victory=(1,) * 6)):
            step = self.rules.apply(before, Call((Seat(2), Seat(3))), FAIR)
            yield step.state, step.events, None

    def calls_now(self, state: State) -> bool:
        return state.between_turns and sum(laid.card.number for laid in state.queue) >= 17

    def choose(self, actions: Sequence[Any], rng: Random) -> Any:
        """Calls are one chance in six, so that queues grow."""
        plays = [action for action in actions if isinstance(action, Play)]
        return rng.choice(plays if plays and rng.randrange(6) else actions)


CASE = DiciassetteCase()
