"""Zebra for its testers, and a builder: a state from lines of text, "3 5 12" being cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.zebra.actions import Play
from engine.games.zebra.cards import DECK
from engine.games.zebra.events import Event, Shuffled
from engine.games.zebra.state import State
from tests.games.case import Case
from tests.games.dealing import dealt

FAIR = SeededChance(bytes(32))


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(map(int, text.split())))


def state(hands: Sequence[str], *, lies: Sequence[int] = (), turn: int = 0, tricks: Sequence[int] = ()) -> State:
    """*lies* are the cards on the table; whatever lies nowhere else is set aside."""
    held = tuple(map(cards, hands))
    seats = len(held)
    used = {card for hand in held for card in hand} | set(lies)
    trick = tuple(Play(Seat((turn - len(lies) + at) % seats), card) for at, card in enumerate(lies))
    return State(
        ply=5,
        turn=Seat(turn),
        trick=trick,
        hands=held,
        aside=tuple(card for card in DECK if card not in used),
        tricks=tuple(tricks) or (0,) * seats,
        winners=(),
    )


class ZebraCase(Case):
    """Zebra for the suites over all games."""

    options = ({}, {"cards": "2"})
    computer_wins = {2: 0.52, 4: 0.26}
    playthroughs = ((2, {}), (4, {"cards": "2"}))
    quiet_actions = 3

    def pack(self, seats: int) -> Counter[int]:
        return Counter(DECK)

    def everything(self, state: State) -> Counter[int]:
        held = [card for hand in state.hands for card in hand]
        return Counter([*held, *state.aside, *(play.card for play in state.trick)])

    def redealt(self, state: State, seat: Seat | None, rng: Random) -> State:
        """The other hands and what lies aside may be anything."""
        hands, aside = dealt(state.hands, state.aside, {} if seat is None else {seat: state.hands[seat]}, rng)
        return state._replace(hands=hands, aside=aside)

    def otherwise(self, event: Event, seat: Seat | None, rng: Random) -> Event:
        if isinstance(event, Shuffled) and event.order is not None:
            return Shuffled(tuple(rng.sample(event.order, len(event.order))))
        return event

    def deal(self, state: State, seat: Seat, cards: str) -> State:
        """All hands are filled up with the lowest of what is left."""
        hands, aside = dealt(state.hands, state.aside, {seat: tuple(map(int, cards.split()))})
        return state._replace(hands=hands, aside=aside)

    def conceivable(self, state: State, seat: Seat) -> Iterator[Play]:
        yield from (Play(seat, card) for card in (0, *DECK, 13))

    def quiet_deal(self, state: State, watcher: Seat | None, rng: Random) -> State:
        """The watcher leads with a 12, which nobody can beat. Everybody else's lowest card is the same in all deals:
        they play it in the first trick. The rest is dealt anew."""
        leader = state.turn if watcher is None else watcher
        others = [seat for seat in range(len(state.hands)) if seat != leader]
        held = {leader: (10, 11, 12), **{seat: (lowest,) for lowest, seat in enumerate(others, start=1)}}
        hands, aside = dealt(state.hands, state.aside, held, rng)
        return state._replace(turn=leader, hands=hands, aside=aside)

    def quiet_action(self, state: State, watcher: Seat | None) -> Play:
        hand = state.hands[state.turn]
        return Play(state.turn, hand[-1] if not state.trick else hand[0])

    def longest(self) -> Iterator[tuple[State, Sequence[Event], Play | None]]:
        """Four players and the end of a trick; the end of the game."""
        four = state(["1 2 3", "4 5 6", "7 8 9", "10 11 12"])
        yield four, (), Play(Seat(0), 3)
        for before in (state(["1", "2 6", "3 7", "5 8"], lies=(4,), turn=1), state(["12", "", "", ""], lies=(4, 5, 6))):
            step = self.rules.apply(before, Play(before.turn, before.hands[before.turn][-1]), FAIR)
            yield step.state, step.events, None


CASE = ZebraCase()
