"""What somebody needs in the last hand of a game of 12 Days, by the gifts, in words: to win it may not be enough."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Final

from bot.i18n import Words
from bot.present.games.twelve_days import cards
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.coach import if_last_cards_win, if_nobody_answers
from engine.games.twelve_days.prospects import gifts_after
from engine.games.twelve_days.view import View

ENOUGH: Final = 0.5
"""Whoever has a greater chance wins more than a share."""


def by_the_gifts(made: Action, best: Action, seat: Seat, view: View, words: Words) -> str:
    """In the last hand, what winning it means for the game: it may not be enough, or be somebody else's to win."""
    lowest, lie = view.lowest, last_cards_lie(view)
    if view.hand_number < view.hands_total:
        return ""
    if lie and not isinstance(best, Play) and isinstance(made, Play):
        assert lowest is not None
        if if_last_cards_win(view, seat) > ENOUGH:
            return words("If nobody beats the last cards that lie there, passing wins the game by the gifts.")
    if isinstance(made, Play) and len(made.cards) == len(view.hand) and leads(made, view):
        chance = if_nobody_answers(view, seat)
        if chance == 0:
            return words(
                "Winning the hand with {made} would not win the game: the gifts are against it.", made=cards_of(made)
            )
        if chance <= ENOUGH:
            return words("Winning the hand with {made} would only share the game.", made=cards_of(made))
    return ""


def aim(seat: Seat, view: View, words: Words) -> str:
    """What *seat* needed in the last hand, by the gifts, other than to win it: not to give one, or that others give;
    empty: to win the hand was all that counted, or nothing is that simple."""
    if view.hand_number < view.hands_total or view.seats == 2:  # whoever of two does not win the hand gives
        return ""

    def share(winner: Seat, givers: tuple[Seat, ...]) -> float:
        gifts = gifts_after(view.gifts, winner, givers)
        return 1 / gifts.count(max(gifts)) if gifts[seat] == max(gifts) else 0

    others = [Seat(it) for it in range(view.seats) if it != seat]
    if all(
        share(winner, givers) == 1 for winner in others for givers in _some_of([it for it in others if it != winner])
    ):
        return words("By the gifts it was enough not to hold the most cards at the end.")
    if len({share(seat, givers) for givers in _some_of(others)}) > 1:
        return words("By the gifts it was not enough to win the hand: the right players had to give.")
    return ""


def _some_of(seats: Sequence[Seat]) -> Iterator[tuple[Seat, ...]]:
    """Every way in which one or more of *seats* may hold the most cards."""
    return chain.from_iterable(combinations(seats, many) for many in range(1, len(seats) + 1))


def leads(play: Play, view: View) -> bool:
    """Whether *play* would win the trick as it lies (T7)."""
    return view.lowest is None or play.cards[0] <= view.lowest.cards[0]


def last_cards_lie(view: View) -> bool:
    """Whether the lowest cards so far are somebody's last: unless they are beaten, the hand ends."""
    return view.lowest is not None and not view.hand_sizes[view.lowest.seat]


def cards_of(action: Action) -> str:
    """The cards of *action*; empty: it is a pass."""
    return cards.each(action.cards) if isinstance(action, Play) else ""
