"""Forced wins of a hand, with all cards open, by a complete search of the rest of the hand.

One player plays against all others together. It wins by force if it has a winning answer to everything that they may
do. Every trick takes cards out of the hand, so the search ends. But only near the end of a hand is there little enough
to search.
"""

from collections.abc import Sequence
from typing import Final

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Cards, without_cards
from engine.games.twelve_days.certain import can_keep_lead, lowest_cards
from engine.games.twelve_days.combinations import Lead, lead_of_combination, playable_combinations
from engine.games.twelve_days.state import State, lead_of_trick, lowest_play

Hands = tuple[Cards, ...]

MAX_CARDS_OF_TWO: Final = 14
"""With two players, the most cards in both hands for a search. Players of level 6, who do not see the others' cards,
won 85 % of 1554 hands that they could win by force, as counted at every choice in 40 games, where the network said 65
%. With more cards that is as likely, but there is too much to search."""
MAX_CARDS_OF_MANY: Final = 24
"""With more players, the most cards in all hands for a search."""
MAX_HAND_OF_MANY: Final = 6
"""With more players, the most cards in the hand of a player for a search. Of 1326 such hands with three to eight
players they won 97 %, where the network said 48 %."""
MAX_CHOICES: Final = 2000
"""The most choices that the search looks at for each player."""


class BudgetSpent(Exception):
    """The search would have to look at more choices than the budget allows."""


class _ForcedWinSearch:
    """A complete search whether *me* can force the win of a hand, until its budget is spent; it stores its results."""

    def __init__(self, me: Seat, budget: int) -> None:
        self._me = me
        self._left = budget
        self._found: dict[tuple[Hands, Seat], bool] = {}

    def wins_from_lead(self, hands: Hands, leader: Seat) -> bool:
        """Whether *me* wins the hand by force where *leader* leads a new trick; or raise BudgetSpent. Stores its
        results.

        Raises:
            BudgetSpent: the budget is spent.
        """
        known = self._found.get((hands, leader))
        if known is None:
            known = self._found[hands, leader] = self._wins_from_lead_uncached(hands, leader)
        return known

    def _wins_from_lead_uncached(self, hands: Hands, leader: Seat) -> bool:
        """Whether *me* wins the hand by force where *leader* leads a new trick, without looking it up; or raise
        BudgetSpent."""
        mine, hand = leader == self._me, hands[leader]
        against = [held for seat, held in enumerate(hands) if (seat == self._me) is not mine]
        if can_keep_lead(hand, lowest_cards(against), len(hand)):
            return mine
        for cards in playable_combinations(hand):
            left = _replace_hand(hands, leader, without_cards(hand, cards))
            if (
                self.wins_from_answer(left, lead_of_combination(cards), Play(leader, cards), {leader: cards}, leader, 1)
                is mine
            ):
                return mine
        return not mine

    def wins_from_answer(
        self, hands: Hands, lead: Lead, lowest: Play, lying: dict[Seat, Cards], leader: Seat, acted: int
    ) -> bool:
        """Whether *me* wins the hand by force in a trick on *lead* after *acted* players have acted; or raise
        BudgetSpent.

        They acted in turn order, *leader* first. *lying* holds what they have played, and *lowest* the play that wins
        the trick so far.

        Raises:
            BudgetSpent: the budget is spent.
        """
        self._left -= 1
        if self._left < 0:
            raise BudgetSpent
        if acted == len(hands):
            if not hands[lowest.seat]:
                return lowest.seat == self._me
            back = [held or lying[Seat(seat)] for seat, held in enumerate(hands)]  # ruling T8
            return self.wins_from_lead(tuple(back), lowest.seat)
        seat = Seat((leader + acted) % len(hands))
        mine, hand = seat == self._me, hands[seat]
        for cards in playable_combinations(hand, lead):
            left = _replace_hand(hands, seat, without_cards(hand, cards))
            best = Play(seat, cards) if cards[0] <= lowest.cards[0] else lowest
            if self.wins_from_answer(left, lead, best, {**lying, seat: cards}, leader, acted + 1) is mine:
                return mine
        return self.wins_from_answer(hands, lead, lowest, lying, leader, acted + 1)


def wins_hand_by_force(
    me: Seat, hands: Hands, trick: Sequence[Action], turn: Seat, budget: int = MAX_CHOICES
) -> bool | None:
    """Whether *me* wins the hand whatever the others do, with all cards open; ``None`` with too much to search.

    *turn* is the next to act in *trick*, or to lead. *trick* may be complete: then *turn* is its leader.
    """
    lead, lowest = lead_of_trick(tuple(trick)), lowest_play(tuple(trick))
    search = _ForcedWinSearch(me, budget)
    try:
        if lead is None or lowest is None:
            return search.wins_from_lead(hands, turn)
        lying = {it.seat: it.cards for it in trick if isinstance(it, Play)}
        return search.wins_from_answer(hands, lead, lowest, lying, trick[0].seat, len(trick))
    except BudgetSpent:
        return None


def forced_hand_winner(state: State) -> Seat | None:
    """The seat that wins the current hand whatever the others do, all cards open; ``None`` if none is found, or with
    too much to search."""
    hands, seats = state.hands, len(state.hands)
    cards = sum(map(len, hands))
    if seats == 2 and cards <= MAX_CARDS_OF_TWO:
        first = wins_hand_by_force(Seat(0), hands, state.trick, state.turn)
        return None if first is None else Seat(0 if first else 1)
    if seats == 2 or cards > MAX_CARDS_OF_MANY:
        return None
    few = [
        Seat(seat)
        for seat in sorted(range(seats), key=lambda seat: len(hands[seat]))
        if len(hands[seat]) <= MAX_HAND_OF_MANY
    ]
    return next((seat for seat in few if wins_hand_by_force(seat, hands, state.trick, state.turn)), None)


def _replace_hand(hands: Hands, seat: Seat, hand: Cards) -> Hands:
    """Return *hands* with *hand* as the hand of *seat*."""
    return (*hands[:seat], hand, *hands[seat + 1 :])
