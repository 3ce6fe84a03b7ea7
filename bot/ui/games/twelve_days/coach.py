"""What was done in a game of 12 Days, in words, for its review."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Final

from bot.i18n import Words
from bot.ui.components import bold, escaped
from bot.ui.games.twelve_days import cards
from bot.ui.games.twelve_days.trick import DaysScene
from bot.ui.presenter import Named
from engine.decision import Decision
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Card, Cards, remove_cards
from engine.games.twelve_days.coach import chance_if_last_cards_win, chance_if_lowest_wins
from engine.games.twelve_days.combinations import Kind, combination_kind
from engine.games.twelve_days.events import Played, TrickWon
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.prospects import gifts_after
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


# Why something would have been better in a game of 12 Days, in words: what is certain first, then what it broke up,
# then what the better choice does differently.


ENOUGH: Final = 0.5
"""Whoever has a greater chance wins more than a share."""


def by_the_gifts(made: Action, best: Action, seat: Seat, view: View, words: Words) -> str:
    """In the last hand, what winning it means for the game: it may not be enough, or be somebody else's to win."""
    lowest, lie = view.lowest, last_cards_lie(view)
    if view.hand_number < view.hands_total:
        return ""
    if lie and not isinstance(best, Play) and isinstance(made, Play):
        assert lowest is not None
        if chance_if_lowest_wins(view, seat) > ENOUGH:
            return words("If nobody beats the last cards that lie there, passing wins the game by the gifts.")
    if isinstance(made, Play) and len(made.cards) == len(view.hand) and leads(made, view):
        chance = chance_if_last_cards_win(view, seat)
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
    names = words.list_and([named(it) for it in needed])
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


LONG: Final = 3
"""Shorter straights are hardly worth keeping."""
LOW: Final = 6
"""Cards up to this one are worth keeping for later."""
MANY: Final = 3
"""A play of so many cards more is better for that alone."""
TORN: Final = 2
"""A straight that is shorter by so many cards is torn."""


def reason(decision: Decision, view: View, named: Named, words: Words) -> str:
    """Why the best choice was better, by the player's *view* and all that had been played, the others called as they
    are *named*; empty: neither what is certain nor what it kept says so."""
    made, best, seat = decision.made, decision.best, decision.seat
    foresight = Foresight(view, seat)
    certain = (
        by_the_gifts(made, best, seat, view, words)
        or _certain(made, best, seat, view, foresight, words)
        or _last_cards(made, best, view, foresight, words)
    )
    if certain or foresight.certain_end(best) is not None:
        return certain or _different(made, best, view, foresight, words)
    by_gifts = enough(seat, view, words) or not_enough(seat, view, words, named)
    return " ".join(filter(None, [by_gifts, _different(made, best, view, foresight, words)]))


def consequence(action: Action | None, view: View, words: Words) -> str:
    """What *action* of the viewer is certain to bring, in a sentence; empty: nothing is."""
    if not isinstance(action, Play):
        return ""
    assert view.seat is not None
    play, whole = cards.each(action.cards), len(action.cards) == len(view.hand)
    if Foresight(view, view.seat).surely_wins_trick(action):
        if whole:
            return words("{play} wins the hand for certain.", play=play)
        return words("{play} wins the trick for certain.", play=play)
    if whole and not leads(action, view):
        return words("{play} cannot win the trick, and last cards come back.", play=play)
    return ""


def _certain(made: Action, best: Action, seat: Seat, view: View, foresight: Foresight, words: Words) -> str:
    """What *best* was sure of, and *made* was not, or got for more."""
    better = cards_of(best)
    if _saves_a_gift(best, made, view, foresight):
        return words("{best} would have saved a gift: somebody else would have held more cards.", best=better)
    if _wins_hand(best, seat, foresight) and not _wins_hand(made, seat, foresight):
        return words("{best} would have won the hand for certain.", best=better)
    beats, beat = (isinstance(it, Play) and leads(it, view) for it in (best, made))
    if last_cards_lie(view) and beats and not beat:
        return words("Somebody’s last cards lay there: {best} would have beaten them.", best=better)
    if not isinstance(best, Play) or not foresight.surely_wins_trick(best):
        return ""
    if not isinstance(made, Play) or not foresight.surely_wins_trick(made):
        return words("{best} would have won the trick for certain.", best=better)
    if best.cards[0] > made.cards[0]:
        low = _spent(made, best)
        return words(
            "{best} would also have been sure to win the trick, and would have kept {low} for later.",
            best=better,
            low=low,
        )
    if len(best.cards) > len(made.cards):
        return words(
            "{best} would also have been sure to win the trick, and would have got rid of more cards.", best=better
        )
    return ""


def _last_cards(made: Action, best: Action, view: View, foresight: Foresight, words: Words) -> str:
    """What has to do with last cards, which come back if they are beaten (T8)."""
    size = len(view.hand)
    counts = view.hand_number < view.hands_total or chance_if_last_cards_win(view, best.seat) > ENOUGH
    if isinstance(best, Play) and len(best.cards) == size and leads(best, view) and counts:
        return words("{best} would have won the hand, unless somebody had beaten it.", best=cards_of(best))
    if not isinstance(made, Play) or len(made.cards) < size or foresight.surely_wins_trick(made):
        return ""
    if not leads(made, view):
        return words(
            "{made} could not win the trick; last cards come back, and everybody has seen them.", made=cards_of(made)
        )
    if isinstance(best, Play):
        return words("Last cards come back if they are beaten; {best} would be gone for good.", best=cards_of(best))
    return words("Last cards come back if they are beaten.")


def _different(made: Action, best: Action, view: View, foresight: Foresight, words: Words) -> str:
    """What *made* broke up, or what *best* does differently."""
    if not isinstance(made, Play):
        return _instead_of_passing(best, view, words)
    alike = isinstance(best, Play) and combination_kind(made.cards) == combination_kind(best.cards)
    if isinstance(best, Play) and alike and best.cards[0] == made.cards[0] and len(best.cards) > len(made.cards):
        return words("{best} is just as low and gets rid of more cards.", best=cards_of(best))
    if foresight.certain_end(made) is not None:  # the hand ends, and what is left of it counts no more
        return ""
    if isinstance(best, Play) and len(best.cards) >= len(made.cards) + MANY:
        if leads(made, view) and not leads(best, view):
            return words("{best} could not win the trick, but would have got rid of more cards.", best=cards_of(best))
        if _kept(made, best, foresight, words):
            low = _spent(made, best)
            return words(
                "{best} would have got rid of more cards, and kept {low} for later.", best=cards_of(best), low=low
            )
        return words("{best} would have got rid of more cards.", best=cards_of(best))
    if said := _together_left(made, best, view.hand, words) or _broken(made, best, view.hand, words):
        return said
    if said := _straight_left(made, best, view.hand, words):
        return said
    if not isinstance(best, Play):
        return "" if last_cards_lie(view) else _kept(made, best, foresight, words)
    if view.lead is None and combination_kind(made.cards) is Kind.SINGLETON and not alike and _one_left(view):
        return words("Somebody held only one card, and could not have answered {best}.", best=cards_of(best))
    if alike and best.cards[0] < made.cards[0] and leads(best, view) and not foresight.surely_wins_trick(made):
        return words("{best} is lower, and so harder to beat.", best=cards_of(best))
    if said := _kept(made, best, foresight, words):
        return said
    more = len(best.cards) > len(made.cards)
    return words("{best} would have got rid of more cards.", best=cards_of(best)) if more else ""


def _together_left(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """That *best* would have left cards of *hand* that can be played at once, and *made* did not; empty: it is not
    so."""
    after, now = _rest(best, hand), _rest(made, hand)
    if len(after) < 2 or combination_kind(after) is None or combination_kind(now) is not None:
        return ""
    shown = cards.each(after)
    if not isinstance(best, Play):
        return words("Passing would have kept {cards}, which go together.", cards=shown)
    return words("{best} would have left {cards}, which go together.", best=cards_of(best), cards=shown)


def _straight_left(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """The straight that *best* would have left of *hand*, and *made* did not, other than by playing as long a one;
    empty: none."""
    longest, kept = (max(straights(_rest(it, hand)), key=len, default=()) for it in (best, made))
    played = len(made.cards) if combination_kind(made.cards) is Kind.STRAIGHT else 0
    if len(longest) < max(len(kept) + TORN, played + 1):
        return ""
    shown = cards.each(longest)
    if not isinstance(best, Play):
        return words("Passing would have kept the straight {cards}.", cards=shown)
    return words("{best} would have left the straight {cards}.", best=cards_of(best), cards=shown)


def _rest(action: Action, hand: Cards) -> Cards:
    """What *action* leaves of *hand*."""
    return remove_cards(hand, action.cards) if isinstance(action, Play) else hand


def _instead_of_passing(best: Action, view: View, words: Words) -> str:
    """What *best* would have done that passing does not; empty: nothing, as last cards come back."""
    if not isinstance(best, Play) or len(best.cards) == len(view.hand):
        return ""
    if view.lowest is not None and best.cards[0] == view.lowest.cards[0]:
        return words("{best} would have taken the lead: of equal cards the later ones win.", best=cards_of(best))
    if leads(best, view):
        return words("{best} would have been the lowest so far.", best=cards_of(best))
    return words("{best} could not win the trick, but would have left fewer cards in hand.", best=cards_of(best))


def _kept(made: Play, best: Action, foresight: Foresight, words: Words) -> str:
    """The low cards that *made* spent and *best* does not; empty: there are none."""
    low = made.cards[0]
    if low > LOW or (isinstance(best, Play) and best.cards[0] <= low):
        return ""
    spent, surest = _spent(made, best), foresight.is_unbeatable(low)
    if not isinstance(best, Play):
        if surest:
            return words("Passing would have kept {low} for later: nobody can beat it.", low=spent)
        return words("Passing would have kept {low} for later.", low=spent)
    if surest:
        return words("{best} would have kept {low} for later: nobody can beat it.", best=cards_of(best), low=spent)
    return words("{best} would have kept {low} for later.", best=cards_of(best), low=spent)


def _spent(made: Play, best: Action) -> str:
    """The cards of *made* that *best* keeps: all of them, where it takes none, else the lowest."""
    taken = best.cards if isinstance(best, Play) else ()
    return cards.each(made.cards) if not {*made.cards} & {*taken} else cards.card(made.cards[0])


def _broken(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """The cards of one rank in *hand* that *made* parted, more than *best* would have; empty: none. To leave a single
    card is worse than to leave a smaller set."""
    broken, otherwise = broken_up(made, hand), broken_up(best, hand)
    if _damage(broken, _rest(made, hand)) <= _damage(otherwise, _rest(best, hand)):
        return ""
    alike = [card for card in dict.fromkeys(hand) if card in broken and card not in otherwise]
    if not alike:  # both part the same ranks
        left = _rest(made, hand)
        single = next((card for card in dict.fromkeys(left) if card in broken and left.count(card) == 1), None)
        return words("{made} left a single {card}.", made=cards_of(made), card=cards.card(single)) if single else ""
    named = [_together(card, hand.count(card), words) for card in alike]
    return words("{made} broke up {sets}.", made=cards_of(made), sets=words.list_and(named))


def _damage(broken: set[Card], left: Cards) -> tuple[int, int]:
    """How bad it is that sets of the ranks *broken* were parted, if *left* is what is left of the hand."""
    return sum(left.count(card) == 1 for card in broken), len(broken)


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
    kept, gave = foresight.certain_end(best), foresight.certain_end(made)
    if kept is None or gave is None or not view.gifts[made.seat] or made.seat in (kept.winner, gave.winner):
        return False
    return kept.is_giver(made.seat) is False and gave.is_giver(made.seat) is True


def _wins_hand(action: Action, seat: Seat, foresight: Foresight) -> bool:
    """Whether *seat* is certain to win the hand after *action*, if it plays on well."""
    fate = foresight.certain_end(action)
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
