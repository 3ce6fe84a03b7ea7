"""12 Days of Christmas for its testers, and builders: a state from lines of text, "3 3 5" being cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.game import Seat
from engine.twelve_days.actions import Action, Pass, Play
from engine.twelve_days.cards import DECK, RANKS, Hand
from engine.twelve_days.events import DeckShuffled
from engine.twelve_days.state import State
from tests.games.case import Case


def cards(text: str) -> Hand:
    return tuple(sorted(int(word) for word in text.split()))


def trick(text: str) -> tuple[Action, ...]:
    """ "0:8 8, 1:-, 2:3 3": seat 0 played two 8s, seat 1 passed ..."""
    actions: list[Action] = []
    for part in text.split(",") if text else ():
        seat, _, rest = part.strip().partition(":")
        actions.append(Pass(Seat(int(seat))) if rest == "-" else Play(Seat(int(seat)), cards(rest)))
    return tuple(actions)


def state(
    hands: Sequence[str],
    *,
    lies: str = "",
    leader: int = 0,
    hand: int = 1,
    hands_total: int = 12,
    gifts: Sequence[int] = (),
    supply: int = 12,
    gone: str = "",
) -> State:
    """A state in which *lies* has been played so far in the trick; whatever lies nowhere else is set aside."""
    held = tuple(cards(text) for text in hands)
    table = trick(lies)
    rest = Counter(DECK)
    rest.subtract([card for h in held for card in h])
    rest.subtract([card for action in table if isinstance(action, Play) for card in action.cards])
    rest.subtract(cards(gone))
    first = table[0].seat if table else leader
    return State(
        ply=5,
        hand=hand,
        hands_total=hands_total,
        leader=Seat(first),
        turn=Seat((first + len(table)) % len(held)),
        trick=table,
        hands=held,
        aside=tuple(sorted(rest.elements())),
        gone=cards(gone),
        gifts=tuple(gifts) or (0,) * len(held),
        supply=supply,
        shuffles=1,
        winners=(),
    )


class TwelveDaysCase(Case):
    """12 Days of Christmas for the suites over all games."""

    game = "twelve_days"
    deck = Counter(DECK)
    options = ({"length": "full"}, {"length": "short"})
    quick = (("length", "short"),)
    computer_wins = {2: 0.80, 4: 0.55}

    def everything(self, state: State) -> Counter[int]:
        lying = [card for action in state.trick if isinstance(action, Play) for card in action.cards]
        return Counter([*(card for hand in state.hands for card in hand), *lying, *state.aside, *state.gone])

    def redealt(self, state: State, seat: Seat | None, rng: Random) -> State:
        """The other hands and the rest that was set aside may be anything (T11)."""
        pool = [*state.aside, *(card for other, hand in enumerate(state.hands) if other != seat for card in hand)]
        rng.shuffle(pool)
        hands = []
        for other, hand in enumerate(state.hands):
            if other == seat:
                hands.append(hand)
            else:
                hands.append(tuple(sorted(pool[: len(hand)])))
                del pool[: len(hand)]
        return state._replace(hands=tuple(hands), aside=tuple(sorted(pool)))

    def otherwise(self, event: Any, seat: Seat | None, rng: Random) -> Any:
        match event:
            case DeckShuffled(order) if order is not None:
                return DeckShuffled(tuple(rng.sample(order, len(order))))
            case _:
                return event

    def conceivable(self, state: State, seat: Seat) -> Iterator[Any]:
        yield Pass(seat)
        for rank in RANKS:
            yield from (Play(seat, (rank,) * size) for size in range(5))
            yield from (Play(seat, tuple(range(rank, stop))) for stop in range(rank + 2, RANKS[-1] + 2))
        yield Play(seat, (1, 3))
        yield Play(seat, (2, 2, 3))


CASE = TwelveDaysCase()
