"""The chances in the last hand of a game, with all cards open, by a complete search. It is used where few cards are
left.

Every player does what is best for them and assumes the same of the others. A player who gains nothing by any choice
takes any legal action, all equally likely. The winner of the hand need not win the game: the gifts decide (T9, T10).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import Cards, without_cards
from engine.games.twelve_days.combinations import playable_combinations
from engine.games.twelve_days.memory import Memory
from engine.games.twelve_days.prospects import chances_after_hand
from engine.games.twelve_days.state import State, lead_of_trick, lowest_play
from engine.games.twelve_days.view import View

MAX_CARDS: Final = 14
"""With more cards in all hands together, there is no search."""
MAX_SITUATIONS: Final = 10_000
"""The most situations that a search looks at."""
_EQUAL: Final = 1e-6

Hands = tuple[Cards, ...]
Chances = tuple[float, ...]


class _BudgetSpent(Exception):
    """The search would have to look at more situations than the budget allows."""


class _LastHandSearch:
    """A complete search of the last hand of a game with these *gifts*, until its budget is spent."""

    def __init__(self, gifts: tuple[int, ...], budget: int) -> None:
        self._gifts = gifts
        self._left = budget
        self._found: dict[tuple[Hands, tuple[Action, ...], Seat], Chances] = {}

    def chances(self, hands: Hands, trick: tuple[Action, ...], turn: Seat) -> Chances:
        """Every seat's chance to win the game where *turn* is to act in *trick*, if all play best; or raise
        _BudgetSpent. Stores its results.

        Raises:
            _BudgetSpent: the budget is spent.
        """
        key = hands, trick, turn
        if key not in self._found:
            self._left -= 1
            if self._left < 0:
                raise _BudgetSpent
            self._found[key] = (
                self._chances_after_trick(hands, trick) if len(trick) == len(hands) else self._best_play_chances(*key)
            )
        return self._found[key]

    def _best_play_chances(self, hands: Hands, trick: tuple[Action, ...], turn: Seat) -> Chances:
        """Every seat's chance to win the game if *turn* takes its best action; the mean of equally good ones."""
        ways = []
        for way in self._chances_by_action(hands, trick, turn):
            if way[turn] > 1 - _EQUAL:  # the maximum; every equally good action leaves the others no chance either
                return way
            ways.append(way)
        most = max(way[turn] for way in ways)
        alike = [way for way in ways if way[turn] > most - _EQUAL]
        return tuple(sum(each) / len(alike) for each in zip(*alike, strict=True))

    def _chances_by_action(self, hands: Hands, trick: tuple[Action, ...], turn: Seat) -> Iterator[Chances]:
        """Yield every seat's chance to win the game after each legal action of *turn*, one action after the other."""
        lead, after = lead_of_trick(trick), Seat((turn + 1) % len(hands))
        for cards in playable_combinations(hands[turn], lead):
            left = (*hands[:turn], without_cards(hands[turn], cards), *hands[turn + 1 :])
            yield self.chances(left, (*trick, Play(turn, cards)), after)
        if lead is not None:
            yield self.chances(hands, (*trick, Pass(turn)), after)

    def _chances_after_trick(self, hands: Hands, trick: tuple[Action, ...]) -> Chances:
        """Every seat's chance to win the game after the complete *trick*, which may end the hand (T7 to T9)."""
        lowest = lowest_play(trick)
        assert lowest is not None
        lying = {it.seat: it.cards for it in trick if isinstance(it, Play)}
        if hands[lowest.seat]:
            back = tuple(held or lying[Seat(seat)] for seat, held in enumerate(hands))
            return self.chances(back, (), lowest.seat)
        sizes = [len(held or lying.get(Seat(seat), ())) for seat, held in enumerate(hands)]
        sizes[lowest.seat] = 0
        givers = tuple(Seat(seat) for seat, size in enumerate(sizes) if size == max(sizes))
        return tuple(chances_after_hand(self._gifts, lowest.seat, givers, 0))


def last_hands_if_all_known(view: View, me: Seat, memory: Memory | None) -> tuple[Cards, ...] | None:
    """The cards of every player in the last hand of a game, if *me* knows them all; otherwise, and before the last
    hand, ``None``.

    It knows them if everybody else has taken theirs back (T8), or has none.
    """
    if memory is None or view.hand_number < view.hands_total:
        return None
    others = memory.known[: view.seats]
    hands = tuple(view.hand if seat == me else others[seat] for seat in range(view.seats))
    return hands if tuple(map(len, hands)) == view.hand_sizes else None


def win_chances_by_action(
    gifts: tuple[int, ...], hands: Hands, trick: tuple[Action, ...], actions: Sequence[Action]
) -> list[Chances]:
    """Every seat's chance to win the game after each of *actions* in the last hand, in that order; empty if there is
    too much to search.

    The actions are of the player on turn, and the game has these *gifts*.
    """
    if sum(map(len, hands)) > MAX_CARDS:
        return []
    search, found = _LastHandSearch(gifts, MAX_SITUATIONS), []
    try:
        for action in actions:
            turn = action.seat
            played = without_cards(hands[turn], action.cards) if isinstance(action, Play) else hands[turn]
            left = (*hands[:turn], played, *hands[turn + 1 :])
            found.append(search.chances(left, (*trick, action), Seat((turn + 1) % len(hands))))
    except _BudgetSpent:
        return []
    return found


def endgame_chances(state: State) -> Chances | None:
    """Every seat's chance to win the game, by complete search; ``None`` before the last hand, or with too much to
    search."""
    if state.hand_number < state.hands_total or sum(map(len, state.hands)) > MAX_CARDS:
        return None
    try:
        return _LastHandSearch(state.gifts, MAX_SITUATIONS).chances(state.hands, state.trick, state.turn)
    except _BudgetSpent:
        return None
