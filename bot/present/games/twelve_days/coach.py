"""What the coach says of a game of 12 Days, in words: what was done, and why something else would have been better."""

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
        return ""
    if sure and len(best.cards) > len(made.cards):
        return words("{best} would have won the trick for certain too, and gets rid of more cards.", best=better)
    if isinstance(best, Play) and _longer(best.cards, made.cards):
        return words("{best} is just as low and gets rid of more cards.", best=better)
    if foresight.fate(made) is not None:  # the hand ends, and what is left of it counts no more
        return ""
    broken, otherwise = broken_up(made, view.hand), broken_up(best, view.hand)
    if len(broken) > len(otherwise):
        alike = [card for card in dict.fromkeys(view.hand) if card in broken and card not in otherwise]
        named = [_together(card, view.hand.count(card), words) for card in alike]
        return words("It broke up {sets}.", sets=words.all_of(named))
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
