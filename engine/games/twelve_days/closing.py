"""The chances to win the game where the winner of the hand is certain, with all cards open, but others may still choose
how many cards they keep.

A player who holds the most cards gives a gift (T9), so all play for that. They are assumed to see all cards: the last
player knows how many cards everybody holds then, which is public. If a player gains nothing by any choice, each of
their choices is equally likely.
"""

from functools import cache

from engine.game import Seat
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.combinations import playable_combinations
from engine.games.twelve_days.prospects import chances_after_hand
from engine.games.twelve_days.state import State

_EQUAL = 1e-6
"""Chances that differ by less count as equal."""


def chances_with_certain_winner(state: State, winner: Seat) -> tuple[float, ...]:
    """Every seat's chance to win the game, where *winner* surely wins this hand and only who gives gifts is open, if
    all play for that.

    No play in the rest of the trick changes the winner, and nobody else could play in a later trick.
    """
    seats, lead = len(state.hands), state.lead
    lying = {action.seat: len(action.cards) for action in state.trick if isinstance(action, Play)}
    around = [Seat((state.turn + step) % seats) for step in range(seats - len(state.trick))]
    to_act = [seat for seat in around if seat != winner]
    sizes = [
        0 if seat == winner else len(hand) or lying[Seat(seat)]  # ruling T8
        for seat, hand in enumerate(state.hands)
    ]
    left = {}
    for seat in to_act:
        after = [sizes[seat] - len(cards) or sizes[seat] for cards in playable_combinations(state.hands[seat], lead)]
        left[seat] = [*after, sizes[seat]]

    @cache
    def ends(acted: int, most: int, givers: tuple[Seat, ...]) -> tuple[float, ...]:
        """Every seat's chance to win after the first *acted* of *to_act* have acted. *givers* hold the most cards so
        far, *most*."""
        if acted == len(to_act):
            return chances_after_hand(state.gifts, winner, givers, state.hands_total - state.hand_number)
        seat = to_act[acted]
        ways = [ends(acted + 1, *_update_most_cards_and_holders(most, givers, seat, size)) for size in left[seat]]
        best = max(way[seat] for way in ways)
        alike = [way for way in ways if way[seat] > best - _EQUAL]
        return tuple(sum(each) / len(alike) for each in zip(*alike, strict=True))

    most, givers = 0, tuple[Seat, ...]()
    for seat in map(Seat, range(seats)):
        if seat != winner and seat not in left:
            most, givers = _update_most_cards_and_holders(most, givers, seat, sizes[seat])
    return ends(0, most, givers)


def _update_most_cards_and_holders(
    most: int, givers: tuple[Seat, ...], seat: Seat, size: int
) -> tuple[int, tuple[Seat, ...]]:
    """Return the greatest number of cards (*most*) and the seats that hold so many (*givers*), after counting *seat*,
    which holds *size*."""
    if size == most:
        return most, tuple(sorted((*givers, seat)))
    return (size, (seat,)) if size > most else (most, givers)
