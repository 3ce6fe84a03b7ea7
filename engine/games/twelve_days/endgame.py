"""How the last hand of a game ends, all cards open, where everybody plays for the game: found by playing out what is
left of it, where that is little enough.

Everybody does what is best for them, and takes the others to do so; whoever does not care does anything legal, all of
it equally likely. Who wins the hand is not who wins the game: the gifts decide (T9, T10).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import Cards, without
from engine.games.twelve_days.combinations import plays
from engine.games.twelve_days.memory import Memory
from engine.games.twelve_days.prospects import after_end
from engine.games.twelve_days.state import State, lead_of, lowest_of
from engine.games.twelve_days.view import View

CARDS: Final = 14
"""With more cards in all hands nothing is looked at."""
BUDGET: Final = 10_000
"""So many situations are looked at, at most."""
_EQUAL: Final = 1e-6

Hands = tuple[Cards, ...]
Chances = tuple[float, ...]


class _TooMuch(Exception):
    """There is more to look at than the budget allows."""


class _Search:
    """What comes of situations in the last hand of a game with these *gifts*."""

    def __init__(self, gifts: tuple[int, ...], budget: int) -> None:
        self._gifts = gifts
        self._left = budget
        self._found: dict[tuple[Hands, tuple[Action, ...], Seat], Chances] = {}

    def chances(self, hands: Hands, trick: tuple[Action, ...], turn: Seat) -> Chances:
        """Every seat's chance to win where *turn* is to act in *trick*.

        Raises:
            _TooMuch: the budget is spent.
        """
        key = hands, trick, turn
        if key not in self._found:
            self._left -= 1
            if self._left < 0:
                raise _TooMuch
            self._found[key] = self._ended(hands, trick) if len(trick) == len(hands) else self._best(*key)
        return self._found[key]

    def _best(self, hands: Hands, trick: tuple[Action, ...], turn: Seat) -> Chances:
        """What comes of the best that *turn* can do."""
        ways = []
        for way in self._ways(hands, trick, turn):
            if way[turn] > 1 - _EQUAL:  # nothing is better, and nothing as good leaves the others anything else
                return way
            ways.append(way)
        most = max(way[turn] for way in ways)
        alike = [way for way in ways if way[turn] > most - _EQUAL]
        return tuple(sum(each) / len(alike) for each in zip(*alike, strict=True))

    def _ways(self, hands: Hands, trick: tuple[Action, ...], turn: Seat) -> Iterator[Chances]:
        """What comes of everything that *turn* can do."""
        lead, after = lead_of(trick), Seat((turn + 1) % len(hands))
        for cards in plays(hands[turn], lead):
            left = (*hands[:turn], without(hands[turn], cards), *hands[turn + 1 :])
            yield self.chances(left, (*trick, Play(turn, cards)), after)
        if lead is not None:
            yield self.chances(hands, (*trick, Pass(turn)), after)

    def _ended(self, hands: Hands, trick: tuple[Action, ...]) -> Chances:
        """What comes of the end of *trick* (T7 to T9)."""
        lowest = lowest_of(trick)
        assert lowest is not None
        lying = {it.seat: it.cards for it in trick if isinstance(it, Play)}
        if hands[lowest.seat]:
            back = tuple(held or lying[Seat(seat)] for seat, held in enumerate(hands))
            return self.chances(back, (), lowest.seat)
        sizes = [len(held or lying.get(Seat(seat), ())) for seat, held in enumerate(hands)]
        sizes[lowest.seat] = 0
        givers = tuple(Seat(seat) for seat, size in enumerate(sizes) if size == max(sizes))
        return tuple(after_end(self._gifts, lowest.seat, givers, 0))


def all_hands(view: View, me: Seat, memory: Memory | None) -> tuple[Cards, ...] | None:
    """Everybody's cards, if *me* knows them in the last hand of a game: everybody else has taken theirs back (T8), or
    has none; ``None``: it does not."""
    if memory is None or view.hand_number < view.hands_total:
        return None
    others = memory.known[: view.seats]
    hands = tuple(view.hand if seat == me else others[seat] for seat in range(view.seats))
    return hands if tuple(map(len, hands)) == view.hand_sizes else None


def worths(gifts: tuple[int, ...], hands: Hands, trick: tuple[Action, ...], actions: Sequence[Action]) -> list[Chances]:
    """Every seat's chance to win after each of *actions* of the player on turn, in the last hand of a game with these
    *gifts*; nothing: there is too much to look at."""
    if sum(map(len, hands)) > CARDS:
        return []
    search, found = _Search(gifts, BUDGET), []
    try:
        for action in actions:
            turn = action.seat
            played = without(hands[turn], action.cards) if isinstance(action, Play) else hands[turn]
            left = (*hands[:turn], played, *hands[turn + 1 :])
            found.append(search.chances(left, (*trick, action), Seat((turn + 1) % len(hands))))
    except _TooMuch:
        return []
    return found


def played_out(state: State) -> Chances | None:
    """Every seat's chance to win *state*, in the last hand of a game; ``None``: it is not the last one, or there is too
    much to look at."""
    if state.hand_number < state.hands_total or sum(map(len, state.hands)) > CARDS:
        return None
    try:
        return _Search(state.gifts, BUDGET).chances(state.hands, state.trick, state.turn)
    except _TooMuch:
        return None
