"""What the coach says of a game of 12 Days, in words: what was done, and why something else would have been better."""

from itertools import pairwise

from bot.i18n import Words
from bot.present.games.twelve_days import cards
from bot.present.games.twelve_days.results import DaysScene
from bot.present.sheet import bold, escaped
from engine.coaching import Decision
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import DECK, RANKS, Cards
from engine.games.twelve_days.combinations import Kind, kind_of
from engine.games.twelve_days.events import Played, TrickWon
from engine.games.twelve_days.view import View


def deed(scene: DaysScene, words: Words) -> str:
    """Who played which cards, and who took the trick with which if it has just ended; empty: it has not, and what was
    played is not the lowest."""
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None:
        lowest = scene.view.lowest
        for event in scene.recent:
            if isinstance(event, Played) and lowest is not None and lowest.seat == event.seat:
                name, shown = bold(scene.name(event.seat)), cards.each(event.cards)
                if event.leads:
                    return words("{name} leads {cards}.", name=name, cards=shown)
                return words("{name} plays {cards}: the lowest so far.", name=name, cards=shown)
        return ""
    *earlier, last = won.trick
    low_first = sorted((it for it in reversed(earlier) if isinstance(it, Play)), key=lambda it: it.cards[0])
    beaten = low_first[0]  # of equal ones the later (T7); the lead at least was played
    name, winner = bold(scene.name(last.seat)), escaped(scene.name(won.seat))
    taken = cards.each(beaten.cards)
    if not isinstance(last, Play):
        return words("{name} passes, {winner} takes the trick with {taken}.", name=name, winner=winner, taken=taken)
    shown = cards.each(last.cards)
    if last.seat == won.seat:
        return words("{name} beats {taken} with {cards} and takes the trick.", name=name, taken=taken, cards=shown)
    return words(
        "{name} plays {cards}, {winner} takes the trick with {taken}.",
        name=name,
        cards=shown,
        winner=winner,
        taken=taken,
    )


def reason(decision: Decision, view: View, words: Words) -> str:
    """What the best choice was sure of, or what it kept, by the player's *view* and all that had been played; empty:
    neither can be said for certain."""
    made, best = decision.made, decision.best
    sure = wins_for_certain(best, view)
    better = cards.each(best.cards) if isinstance(best, Play) else ""
    if sure and not wins_for_certain(made, view):
        if len(best.cards) == len(view.hand):
            return words("{best} would have won the hand for certain.", best=better)
        return words("{best} would have won the trick for certain.", best=better)
    if sure and best.cards[0] > made.cards[0]:
        low = cards.card(made.cards[0])
        return words("{best} would have won the trick for certain too, and kept {low} for later.", best=better, low=low)
    if not isinstance(made, Play):
        return ""
    if isinstance(best, Play) and _longer(best.cards, made.cards):
        return words("{best} is just as low and gets rid of more cards.", best=better)
    if len(made.cards) == 1 and not sure:
        alike = tuple(card for card in view.hand if card == made.cards[0])
        if len(alike) > 1 and not (isinstance(best, Play) and 0 < best.cards.count(alike[0]) < len(alike)):
            return words("It broke up {cards}.", cards=cards.each(alike))
    return ""


def _longer(one: Cards, other: Cards) -> bool:
    """Whether *one* is of the type of *other* and as low, with more cards."""
    return kind_of(one) == kind_of(other) and one[0] == other[0] and len(one) > len(other)


def wins_for_certain(action: Action, view: View) -> bool:
    """Whether *action* of whoever sees *view*, and is on turn, wins the trick whatever the others hold: nobody can play
    after it, or nothing that could beat it is left (T6, T7)."""
    if not isinstance(action, Play) or (view.lowest is not None and view.lowest.cards[0] < action.cards[0]):
        return False
    if len(view.trick) == view.seats - 1:
        return True
    return not _can_be_beaten(action.cards, view)


def _can_be_beaten(played: Cards, view: View) -> bool:
    """Whether cards that *view* does not show could make something as low as *played*."""
    shown = (*view.gone, *view.hand, *(card for it in view.trick if isinstance(it, Play) for card in it.cards))
    left = [DECK.count(rank) - shown.count(rank) for rank in RANKS]
    low = played[0]
    match kind_of(played):
        case Kind.SINGLETON:
            return any(left[:low])
        case Kind.SET:
            return any(many > 1 for many in left[:low])
        case _:
            return any(first and second for first, second in pairwise(left[: low + 1]))
