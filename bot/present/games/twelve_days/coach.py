"""What the coach says of a game of 12 Days, in words: what was done, and why something else would have been better."""

from typing import Final

from bot.i18n import Words
from bot.present.games.twelve_days import cards
from bot.present.games.twelve_days.results import DaysScene
from bot.present.sheet import bold, escaped
from engine.coaching import Decision
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Card, Cards
from engine.games.twelve_days.combinations import kind_of
from engine.games.twelve_days.events import Played, TrickWon
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.view import View

LONG: Final = 3
"""Shorter straights are hardly worth keeping."""


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


def untold(scene: DaysScene, words: Words) -> str:
    """The play or pass that ended a trick; empty: none has ended, or what stands below says it, since it won the
    hand."""
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None or (scene.just_ended and won.trick[-1].seat == won.seat):
        return ""
    last = won.trick[-1]
    name = bold(scene.name(last.seat))
    if isinstance(last, Play):
        return words("{name} plays {cards}.", name=name, cards=cards.each(last.cards))
    return words("{name} passes.", name=name)


def reason(decision: Decision, view: View, words: Words) -> str:
    """What the best choice was sure of, or what it kept, by the player's *view* and all that had been played; empty:
    neither can be said for certain."""
    made, best, seat = decision.made, decision.best, decision.seat
    foresight = Foresight(view, seat)
    sure = foresight.takes_trick(best)
    better = cards.each(best.cards) if isinstance(best, Play) else ""
    if _saves_a_gift(best, made, view, foresight):
        return words("{best} would have saved a gift: somebody else would have held more cards.", best=better)
    if _wins_hand(best, seat, foresight) and not _wins_hand(made, seat, foresight):
        return words("{best} would have won the hand for certain.", best=better)
    if sure and not foresight.takes_trick(made):
        return words("{best} would have won the trick for certain.", best=better)
    if sure and best.cards[0] > made.cards[0]:
        low = cards.card(made.cards[0])
        return words("{best} would have won the trick for certain too, and kept {low} for later.", best=better, low=low)
    if not isinstance(made, Play):
        return words("{best} would have been the lowest so far.", best=better) if better else ""
    if sure and len(best.cards) > len(made.cards):
        return words("{best} would have won the trick for certain too, and gets rid of more cards.", best=better)
    if isinstance(best, Play) and _longer(best.cards, made.cards):
        return words("{best} is just as low and gets rid of more cards.", best=better)
    if foresight.fate(made) is not None:  # the hand ends, and what is left of it counts no more
        return ""
    return _broken(made, best, view.hand, words) or _kept(made, best, words)


def _broken(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """What *made* broke up of *hand*, more than *best* would have; empty: nothing."""
    broken, otherwise = broken_up(made, hand), broken_up(best, hand)
    if len(broken) > len(otherwise):
        alike = [card for card in dict.fromkeys(hand) if card in broken and card not in otherwise]
        named = [_together(card, hand.count(card), words) for card in alike]
        return words("It broke up {sets}.", sets=words.all_of(named))
    torn = [run for run in straights(hand) if _tears(made, run, hand) and not _tears(best, run, hand)]
    if torn:
        return words("It broke up the straight {cards}.", cards=cards.each(torn[0]))
    return ""


def _kept(made: Play, best: Action, words: Words) -> str:
    """What the lowest cards of *made* and *best* have to do with it; empty: both begin alike."""
    low = cards.card(made.cards[0])
    if not isinstance(best, Play):
        return words("Passing would have kept {low} for later.", low=low)
    shown = cards.each(best.cards)
    if best.cards[0] > made.cards[0]:
        return words("{best} would have kept {low} for later.", best=shown, low=low)
    if best.cards[0] < made.cards[0]:
        return words("{best} is lower, and so harder to beat.", best=shown)
    return ""


def _together(card: Card, count: int, words: Words) -> str:
    """All the *count* cards of one rank that somebody holds, for the middle of a sentence."""
    shown = cards.card(card)
    match count:
        case 2:
            return words("the pair of {card}", card=shown)
        case 3:
            return words("the set of three {card}", card=shown)
        case 4:
            return words("the set of four {card}", card=shown)
        case _:
            return words("the set of {n} {card}", n=count, card=shown)


def _saves_a_gift(best: Action, made: Action, view: View, foresight: Foresight) -> bool:
    """Whether the hand was lost for certain, and only after *made* a gift too (T9)."""
    kept, gave = foresight.fate(best), foresight.fate(made)
    if kept is None or gave is None or not view.gifts[made.seat] or made.seat in (kept.winner, gave.winner):
        return False
    return kept.gives(made.seat) is False and gave.gives(made.seat) is True


def _wins_hand(action: Action, seat: Seat, foresight: Foresight) -> bool:
    """Whether *seat* is certain to win the hand after *action*, if it plays on well."""
    fate = foresight.fate(action)
    return fate is not None and fate.winner == seat


def _longer(one: Cards, other: Cards) -> bool:
    """Whether *one* is of the type of *other* and as low, with more cards."""
    return kind_of(one) == kind_of(other) and one[0] == other[0] and len(one) > len(other)


def broken_up(action: Action, hand: Cards) -> set[Card]:
    """The ranks of which *action* plays some of the cards in *hand*, but not all.

    >>> sorted(broken_up(Play(Seat(0), (7, 8, 9)), (7, 7, 8, 8, 9)))
    [7, 8]
    """
    played = action.cards if isinstance(action, Play) else ()
    return {card for card in played if played.count(card) < hand.count(card)}


def straights(hand: Cards) -> list[Cards]:
    """The longest straights in *hand*, of ``LONG`` cards or more (T5).

    >>> straights((1, 2, 2, 3, 5, 7, 8, 9, 10))
    [(1, 2, 3), (7, 8, 9, 10)]
    """
    found: list[list[Card]] = []
    for card in dict.fromkeys(hand):
        if found and found[-1][-1] == card - 1:
            found[-1].append(card)
        else:
            found.append([card])
    return [tuple(run) for run in found if len(run) >= LONG]


def _tears(action: Action, run: Cards, hand: Cards) -> bool:
    """Whether *action* takes the last card of a rank out of *run*, a straight in *hand*, and leaves some of it on both
    sides, or too little of it."""
    played = action.cards if isinstance(action, Play) else ()
    left = [card for card in run if hand.count(card) > played.count(card)]
    if not left or len(left) == len(run):
        return False
    return max(map(len, straights(tuple(left))), default=0) < LONG
