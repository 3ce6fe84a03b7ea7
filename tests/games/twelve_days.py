"""12 Days of Christmas for its testers, and builders: a state from lines of text, "3 3 5" being cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import DECK, RANKS, Cards
from engine.games.twelve_days.events import DeckShuffled, Event
from engine.games.twelve_days.state import State
from tests.games.case import Case
from tests.games.dealing import dealt

FAIR = SeededChance(bytes(32))


def cards(text: str) -> Cards:
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
        hand_number=hand,
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

    options = ({"length": "full"}, {"length": "short"})
    quick = {"length": "short"}
    computer_wins = {2: 0.95, 4: 0.70}
    playthroughs = ((2, quick), (8, quick))
    audit_fields = frozenset(
        {"hand", "hands_total", "leader", "turn", "trick", "hands", "gifts", "supply", "over", "winners"}
    )

    def pack(self, seats: int) -> Counter[int]:
        return Counter(DECK)

    def everything(self, state: State) -> Counter[int]:
        lying = [card for action in state.trick if isinstance(action, Play) for card in action.cards]
        return Counter([*(card for hand in state.hands for card in hand), *lying, *state.aside, *state.gone])

    def redealt(self, state: State, seat: Seat | None, rng: Random) -> State:
        """The other hands and the rest that was set aside may be anything (T11)."""
        hands, aside = dealt(state.hands, state.aside, {} if seat is None else {seat: state.hands[seat]}, rng)
        return state._replace(hands=hands, aside=aside)

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
        yield Play(seat, (13,))

    def forgeries(self) -> Sequence[Sequence[str]]:
        return (["3.1", "3.2"], ["11.11"], ["set"], ["3..3"], ["3." * 60])

    def deal(self, state: State, seat: Seat, cards: str) -> State:
        """All hands are filled up with the lowest of what is left."""
        hands, aside = dealt(state.hands, state.aside, {seat: tuple(map(int, cards.split()))})
        return state._replace(hands=hands, aside=aside)

    def quiet_deal(self, state: State, watcher: Seat | None, rng: Random) -> State:
        """The watcher leads with low cards that nobody can beat; of the public nothing can be hidden but a pass."""
        leader = state.leader if watcher is None else watcher
        hands, aside = dealt(state.hands, state.aside, {leader: cards("1 2 2 3 3 3 4 4 4 4 5 5")}, rng)
        return state._replace(leader=leader, turn=leader, hands=hands, aside=aside)

    def quiet_action(self, state: State, watcher: Seat | None) -> Action:
        """Whoever leads plays the first thing there is; everybody else passes."""
        if state.trick:
            return Pass(state.turn)
        return self.rules.legal_actions(state, state.turn)[0]  # type: ignore[no-any-return] # Game[Any, ...]

    def longest(self) -> Iterator[tuple[State, Sequence[Event], Action | None]]:
        """Eight players; more plays than one list holds; the longest play; a hand in which seven take cards back."""
        days = state(["2 3 4 5 6 7 8 9 10 11 12 12", *["12"] * 7])
        yield days, (), Play(Seat(0), cards("2 3 4 5 6 7 8 9 10 11 12"))
        yield state(["2 2 3 3 4 4 5 5 6 6 7 7", "9 9"], lies="1:8 8"), (), None
        yield state(["2 3 4 5 6 7 8 9 10 11 12 12", "12 12"], lies="1:11 12"), (), None
        yield state(["12 12", "3"], lies="1:1"), (), None
        led = self.rules.apply(days, Play(Seat(0), days.hands[0][:11]), FAIR)
        yield led.state, led.events, None
        for gifts in ((3,) * 8, (0,) * 8):
            for last in (3, 4):
                lies = ", ".join(f"{seat}:12" for seat in range(7))
                before = state([*[""] * 7, "11"], lies=lies, gifts=gifts, hand=3, hands_total=last)
                step = self.rules.apply(before, Play(Seat(7), (11,)), FAIR)
                yield step.state, step.events, None


CASE = TwelveDaysCase()
