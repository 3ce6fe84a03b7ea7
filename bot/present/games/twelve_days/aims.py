"""What somebody needs in the last hand of a game of 12 Days, by the gifts, in words: to win it may not be enough."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Final

from bot.i18n import Words
from bot.present.commentary import Named
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


def enough(seat: Seat, view: View, words: Words) -> str:
    """That in the last hand it was enough for *seat*, by the gifts, not to give one; empty: it was not."""
    others, share = _others(seat, view), _share(seat, view)
    if not others or not all(
        share(winner, givers) == 1 for winner in others for givers in _some_of([it for it in others if it != winner])
    ):
        return ""
    return words("With the gifts as they stood, it was enough not to hold the most cards at the end.")


def not_enough(seat: Seat, view: View, words: Words, named: Named) -> str:
    """That in the last hand it was not enough for *seat*, by the gifts, to win it, and who had to give one; empty: it
    was, or nothing was."""
    others, share = _others(seat, view), _share(seat, view)
    shares = {givers: share(seat, givers) for givers in _some_of(others)}
    if len(set(shares.values())) < 2:
        return ""
    most = max(shares.values())
    needed = [it for it in others if all(it in givers for givers, part in shares.items() if part == most)]
    names = words.all_of([named(it) for it in needed])
    if not needed:
        return words("With the gifts as they stood, winning the hand was not enough: it depended on who gave.")
    if most < 1:
        return words(
            "With the gifts as they stood, winning the hand was not enough: {names} had to give, and even then the"
            " game would only have been shared.",
            names=names,
        )
    if any(0 < part < most for part in shares.values()):
        return words(
            "With the gifts as they stood, winning the hand was not enough to win alone: {names} had to give.",
            names=names,
        )
    return words("With the gifts as they stood, winning the hand was not enough: {names} had to give.", names=names)


def _others(seat: Seat, view: View) -> list[Seat]:
    """The others in the last hand of three or more, of whom any may give; empty: it is another hand, or of two players
    whoever does not win it gives."""
    if view.hand_number < view.hands_total or view.seats == 2:
        return []
    return [Seat(it) for it in range(view.seats) if it != seat]


def _share(seat: Seat, view: View) -> Callable[[Seat, tuple[Seat, ...]], float]:
    """What *seat* gets of the game, by who wins the last hand and who gives."""

    def share(winner: Seat, givers: tuple[Seat, ...]) -> float:
        gifts = gifts_after(view.gifts, winner, givers)
        return 1 / gifts.count(max(gifts)) if gifts[seat] == max(gifts) else 0

    return share


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
