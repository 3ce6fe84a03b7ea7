"""Why something would have been better in a game of 12 Days, in words: what is certain first, then what it broke up,
then what the better choice does differently."""

from typing import Final

from bot.i18n import Words
from bot.present.games.twelve_days import cards
from engine.coaching import Decision
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Card, Cards
from engine.games.twelve_days.combinations import Kind, kind_of
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.view import View

LONG: Final = 3
"""Shorter straights are hardly worth keeping."""
LOW: Final = 6
"""Cards up to this one are worth keeping for later."""
MORE: Final = 2
"""A play of so many cards more is better for that alone."""


def reason(decision: Decision, view: View, words: Words) -> str:
    """Why the best choice was better, by the player's *view* and all that had been played; empty: neither what is
    certain nor what it kept says so."""
    made, best, seat = decision.made, decision.best, decision.seat
    foresight = Foresight(view, seat)
    return (
        _certain(made, best, seat, view, foresight, words)
        or _last_cards(made, best, view, foresight, words)
        or _different(made, best, view, foresight, words)
    )


def consequence(action: Action | None, view: View, words: Words) -> str:
    """What *action* of the viewer is certain to bring, in a sentence; empty: nothing is."""
    if not isinstance(action, Play):
        return ""
    assert view.seat is not None
    play, whole = cards.each(action.cards), len(action.cards) == len(view.hand)
    if Foresight(view, view.seat).takes_trick(action):
        if whole:
            return words("{play} wins the hand for certain.", play=play)
        return words("{play} wins the trick for certain.", play=play)
    if whole and not _leads(action, view):
        return words("{play} cannot win the trick, and last cards come back.", play=play)
    return ""


def _certain(made: Action, best: Action, seat: Seat, view: View, foresight: Foresight, words: Words) -> str:
    """What *best* was sure of, and *made* was not, or got for more."""
    better = _shown(best)
    if _saves_a_gift(best, made, view, foresight):
        return words("{best} would have saved a gift: somebody else would have held more cards.", best=better)
    if _wins_hand(best, seat, foresight) and not _wins_hand(made, seat, foresight):
        return words("{best} would have won the hand for certain.", best=better)
    if not isinstance(best, Play) or not foresight.takes_trick(best):
        return ""
    if not isinstance(made, Play) or not foresight.takes_trick(made):
        return words("{best} would have won the trick for certain.", best=better)
    if best.cards[0] > made.cards[0]:
        low = cards.card(made.cards[0])
        return words("{best} would have won the trick for certain too, and kept {low} for later.", best=better, low=low)
    if len(best.cards) > len(made.cards):
        return words("{best} would have won the trick for certain too, and got rid of more cards.", best=better)
    return ""


def _last_cards(made: Action, best: Action, view: View, foresight: Foresight, words: Words) -> str:
    """What has to do with last cards, which come back if they are beaten (T8)."""
    size = len(view.hand)
    if isinstance(best, Play) and len(best.cards) == size and _leads(best, view):
        return words("{best} would have won the hand, unless somebody had beaten it.", best=_shown(best))
    if not isinstance(made, Play) or len(made.cards) < size or foresight.takes_trick(made):
        return ""
    if not _leads(made, view):
        return words("{made} could not win the trick, and last cards come back.", made=_shown(made))
    if isinstance(best, Play):
        return words("Last cards come back if they are beaten; {best} would be gone for good.", best=_shown(best))
    return words("Last cards come back if they are beaten.")


def _different(made: Action, best: Action, view: View, foresight: Foresight, words: Words) -> str:
    """What *made* broke up, or what *best* does differently."""
    if not isinstance(made, Play):
        return _instead_of_passing(best, view, words)
    alike = isinstance(best, Play) and kind_of(made.cards) == kind_of(best.cards)
    if isinstance(best, Play) and alike and best.cards[0] == made.cards[0] and len(best.cards) > len(made.cards):
        return words("{best} is just as low and gets rid of more cards.", best=_shown(best))
    if foresight.fate(made) is not None:  # the hand ends, and what is left of it counts no more
        return ""
    if (broken := _broken(made, best, view.hand, words)) or not isinstance(best, Play):
        return broken or _kept(made, best, words)
    if len(best.cards) >= len(made.cards) + MORE:
        return words("{best} would have got rid of more cards.", best=_shown(best))
    if view.lead is None and kind_of(made.cards) is Kind.SINGLETON and not alike and _one_left(view):
        return words("Somebody held only one card, and could not have answered {best}.", best=_shown(best))
    if alike and best.cards[0] < made.cards[0] and _leads(best, view) and not foresight.takes_trick(made):
        return words("{best} is lower, and so harder to beat.", best=_shown(best))
    return _kept(made, best, words)


def _instead_of_passing(best: Action, view: View, words: Words) -> str:
    """What *best* would have done that passing does not; empty: nothing, as last cards come back."""
    if not isinstance(best, Play) or len(best.cards) == len(view.hand):
        return ""
    if _leads(best, view):
        return words("{best} would have been the lowest so far.", best=_shown(best))
    return words("{best} could not win the trick, but would have left fewer cards in hand.", best=_shown(best))


def _kept(made: Play, best: Action, words: Words) -> str:
    """The low cards that *made* spent and *best* does not; empty: there are none."""
    spent = made.cards if kind_of(made.cards) is Kind.SET else made.cards[:1]
    if spent[0] > LOW or (isinstance(best, Play) and best.cards[0] <= spent[0]):
        return ""
    low = cards.each(spent)
    if not isinstance(best, Play):
        return words("Passing would have kept {low} for later.", low=low)
    return words("{best} would have kept {low} for later.", best=_shown(best), low=low)


def _broken(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """What *made* broke up of *hand*, more than *best* would have; empty: nothing."""
    broken, otherwise = broken_up(made, hand), broken_up(best, hand)
    if len(broken) > len(otherwise):
        alike = [card for card in dict.fromkeys(hand) if card in broken and card not in otherwise]
        named = [_together(card, hand.count(card), words) for card in alike]
        return words("It broke up {sets}.", sets=words.all_of(named))
    torn = [run for run in straights(hand) if _tears(made, run, hand) and not _tears(best, run, hand)]
    if torn and not otherwise:
        return words("It broke up the straight {cards}.", cards=cards.each(torn[0]))
    return ""


def _shown(action: Action) -> str:
    """The cards of *action*; empty: it is a pass."""
    return cards.each(action.cards) if isinstance(action, Play) else ""


def _leads(play: Play, view: View) -> bool:
    """Whether *play* would win the trick as it lies (T7)."""
    return view.lowest is None or play.cards[0] <= view.lowest.cards[0]


def _one_left(view: View) -> bool:
    """Whether somebody else holds just one card."""
    return any(size == 1 for seat, size in enumerate(view.hand_sizes) if seat != view.seat)


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
            return words("the set {cards}", cards=cards.each((card,) * count))


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
    """Whether *action* breaks up *run*, a straight in *hand*: it takes cards out of it, other than as a long straight
    itself, and what is left of it is short, or shorter by more than the card that was taken from its end."""
    played = action.cards if isinstance(action, Play) else ()
    left = [card for card in run if hand.count(card) > played.count(card)]
    if len(left) == len(run) or (kind_of(played) is Kind.STRAIGHT and len(played) >= LONG):
        return False
    longest = max(map(len, straights(tuple(left))), default=0)
    return longest < max(LONG, len(run) - 1)
