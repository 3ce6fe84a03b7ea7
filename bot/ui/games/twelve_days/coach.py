"""What the coach says about a game of 12 Days: what was done, and why another choice was better."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Final

from bot.i18n import Words
from bot.ui.components import bold_name, escaped_name
from bot.ui.games.twelve_days import cards
from bot.ui.games.twelve_days.trick import DaysScene
from bot.ui.presenter import SeatName
from engine.decision import Decision
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Card, Cards, without_cards
from engine.games.twelve_days.coach import chance_if_hand_won_now, chance_if_lowest_play_wins_hand
from engine.games.twelve_days.combinations import Kind, combination_kind
from engine.games.twelve_days.events import Played, TrickWon
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.prospects import gifts_after_hand
from engine.games.twelve_days.view import View


def action_review_line(scene: DaysScene, words: Words) -> str:
    """One line on how the trick ended, or on a play that is the lowest so far; empty for other actions."""
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None:
        lowest = scene.view.lowest
        for event in scene.recent:
            if isinstance(event, Played) and lowest is not None and lowest.seat == event.seat:
                name, shown = bold_name(scene.name(event.seat)), cards.cards_text(event.cards)
                if event.leads:
                    return words("{name} leads {cards}.", name=name, cards=shown)
                return words("{name} plays {cards}: the lowest so far.", name=name, cards=shown)
        return ""
    *earlier, last = won.trick
    low_first = sorted((it for it in reversed(earlier) if isinstance(it, Play)), key=lambda it: it.cards[0])
    beaten = low_first[0]  # of equal ones the later (T7); the lead at least was played
    name, winner = bold_name(scene.name(last.seat)), escaped_name(scene.name(won.seat))
    taken = cards.cards_text(beaten.cards)
    if not isinstance(last, Play):
        return words("{name} passes, {winner} takes the trick with {taken}.", name=name, winner=winner, taken=taken)
    shown = cards.cards_text(last.cards)
    if last.seat == won.seat:
        return words("{name} beats {taken} with {cards} and takes the trick.", name=name, taken=taken, cards=shown)
    return words(
        "{name} plays {cards}, {winner} takes the trick with {taken}.",
        name=name,
        cards=shown,
        winner=winner,
        taken=taken,
    )


def omitted_last_action_line(scene: DaysScene, words: Words) -> str:
    """A line on the play or pass just made, if it ended a trick; empty if it did not, or if it won the hand.

    Then the lines below it tell that.
    """
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None or (scene.just_ended and won.trick[-1].seat == won.seat):
        return ""
    last = won.trick[-1]
    name = bold_name(scene.name(last.seat))
    if isinstance(last, Play):
        return words("{name} plays {cards}.", name=name, cards=cards.cards_text(last.cards))
    return words("{name} passes.", name=name)


# Reasons why another choice was better in a game of 12 Days: what was certain first, then what the choice broke up,
# then what the better choice does differently.


SHARED_WIN_CHANCE: Final = 0.5
"""A greater chance than this is more than a shared win."""


def hand_win_value_reason(made: Action, best: Action, seat: Seat, view: View, words: Words) -> str:
    """A sentence on what winning the last hand was worth for the game: nothing, a share, less than a pass; or empty.

    It is empty if none of that is so, and in all hands of the game but the last one.
    """
    lowest, lie = view.lowest, lowest_play_emptied_hand(view)
    if view.hand_number < view.hands_total:
        return ""
    if lie and not isinstance(best, Play) and isinstance(made, Play):
        assert lowest is not None
        if chance_if_lowest_play_wins_hand(view, seat) > SHARED_WIN_CHANCE:
            return words("If nobody beats the last cards that lie there, passing wins the game by the gifts.")
    if isinstance(made, Play) and len(made.cards) == len(view.hand) and would_be_lowest(made, view):
        chance = chance_if_hand_won_now(view, seat)
        if chance == 0:
            return words(
                "Winning the hand with {made} would not win the game: the gifts are against it.",
                made=action_cards_text(made),
            )
        if chance <= SHARED_WIN_CHANCE:
            return words("Winning the hand with {made} would only share the game.", made=action_cards_text(made))
    return ""


def avoid_giving_gift_reason(seat: Seat, view: View, words: Words) -> str:
    """A sentence that says that *seat* had only to avoid giving a gift in the last hand to win the game; or empty."""
    others, share = _possible_givers(seat, view), _make_game_share_function(seat, view)
    if not others or not all(
        share(winner, givers) == 1
        for winner in others
        for givers in _nonempty_subsets([it for it in others if it != winner])
    ):
        return ""
    return words("With the gifts as they stood, it was enough not to hold the most cards at the end.")


def winning_hand_not_enough_reason(seat: Seat, view: View, words: Words, seat_name: SeatName) -> str:
    """A sentence: winning the last hand was not enough for *seat*, and who had to give a gift; or empty."""
    others, share = _possible_givers(seat, view), _make_game_share_function(seat, view)
    shares = {givers: share(seat, givers) for givers in _nonempty_subsets(others)}
    if len(set(shares.values())) < 2:
        return ""
    most = max(shares.values())
    needed = [it for it in others if all(it in givers for givers, part in shares.items() if part == most)]
    names = words.list_and([seat_name(it) for it in needed])
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


def _possible_givers(seat: Seat, view: View) -> list[Seat]:
    """The other players in the last hand, any of whom may have to give a gift; empty in other hands or for two players.

    Of two players, whoever does not win the hand gives.
    """
    if view.hand_number < view.hands_total or view.seats == 2:
        return []
    return [Seat(it) for it in range(view.seats) if it != seat]


def _make_game_share_function(seat: Seat, view: View) -> Callable[[Seat, tuple[Seat, ...]], float]:
    """Return a function (winner, givers of the last hand) -> the share of the game that *seat* then wins, 0 to 1."""

    def share(winner: Seat, givers: tuple[Seat, ...]) -> float:
        gifts = gifts_after_hand(view.gifts, winner, givers)
        return 1 / gifts.count(max(gifts)) if gifts[seat] == max(gifts) else 0

    return share


def _nonempty_subsets(seats: Sequence[Seat]) -> Iterator[tuple[Seat, ...]]:
    """Yield every group of one or more of *seats*."""
    return chain.from_iterable(combinations(seats, many) for many in range(1, len(seats) + 1))


def would_be_lowest(play: Play, view: View) -> bool:
    """Whether *play* would win the trick as it is now: nobody has played a lower card; of equal ones the later wins
    (T7)."""
    return view.lowest is None or play.cards[0] <= view.lowest.cards[0]


def lowest_play_emptied_hand(view: View) -> bool:
    """Whether the lowest play of the trick so far used up its player's cards: unless it is beaten, that player wins the
    hand."""
    return view.lowest is not None and not view.hand_sizes[view.lowest.seat]


def action_cards_text(action: Action) -> str:
    """Return the cards of *action* as symbols; empty if it is a pass."""
    return cards.cards_text(action.cards) if isinstance(action, Play) else ""


SHORTEST_KEPT_STRAIGHT: Final = 3
"""Straights shorter than this are hardly worth keeping."""
HIGHEST_LOW_CARD: Final = 6
"""Cards up to this rank are low: worth keeping for later."""
MANY_MORE_CARDS: Final = 3
"""A play of this many more cards is better for that alone."""
CARDS_TORN_OFF: Final = 2
"""A straight is worth a word if it is longer by this many cards than the other one."""


def better_choice_reason(decision: Decision, view: View, seat_name: SeatName, words: Words) -> str:
    """Why the best choice was better, by the player's *view* and all that was played; empty if nothing explains it.

    First comes what was certain, then which cards the choice kept. *seat_name* gives the names of other players.
    """
    made, best, seat = decision.made, decision.best, decision.seat
    foresight = Foresight(view, seat)
    certain = (
        hand_win_value_reason(made, best, seat, view, words)
        or _certainty_reason(made, best, seat, view, foresight, words)
        or _last_cards_reason(made, best, view, foresight, words)
    )
    if certain or foresight.certain_hand_end(best) is not None:
        return certain or _cards_used_difference_reason(made, best, view, foresight, words)
    by_gifts = avoid_giving_gift_reason(seat, view, words) or winning_hand_not_enough_reason(
        seat, view, words, seat_name
    )
    return " ".join(filter(None, [by_gifts, _cards_used_difference_reason(made, best, view, foresight, words)]))


def certain_consequence_sentence(action: Action | None, view: View, words: Words) -> str:
    """A sentence that says that the viewer's *action* surely wins the trick or hand, or cannot win; empty if unsure."""
    if not isinstance(action, Play):
        return ""
    assert view.seat is not None
    play, whole = cards.cards_text(action.cards), len(action.cards) == len(view.hand)
    if Foresight(view, view.seat).surely_wins_trick(action):
        if whole:
            return words("{play} wins the hand for certain.", play=play)
        return words("{play} wins the trick for certain.", play=play)
    if whole and not would_be_lowest(action, view):
        return words("{play} cannot win the trick, and last cards come back.", play=play)
    return ""


def _certainty_reason(made: Action, best: Action, seat: Seat, view: View, foresight: Foresight, words: Words) -> str:
    """A sentence on what was certain after *best* and not after *made*, or cost more there; empty if nothing was."""
    better = action_cards_text(best)
    if _best_avoids_giving_gift(best, made, view, foresight):
        return words("{best} would have saved a gift: somebody else would have held more cards.", best=better)
    if _surely_wins_hand(best, seat, foresight) and not _surely_wins_hand(made, seat, foresight):
        return words("{best} would have won the hand for certain.", best=better)
    beats, beat = (isinstance(it, Play) and would_be_lowest(it, view) for it in (best, made))
    if lowest_play_emptied_hand(view) and beats and not beat:
        return words("Somebody’s last cards lay there: {best} would have beaten them.", best=better)
    if not isinstance(best, Play) or not foresight.surely_wins_trick(best):
        return ""
    if not isinstance(made, Play) or not foresight.surely_wins_trick(made):
        return words("{best} would have won the trick for certain.", best=better)
    if best.cards[0] > made.cards[0]:
        low = _needlessly_spent_cards_text(made, best)
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


def _last_cards_reason(made: Action, best: Action, view: View, foresight: Foresight, words: Words) -> str:
    """A sentence on playing one's last cards, which come back if they are beaten (T8); empty if that was no matter."""
    size = len(view.hand)
    counts = view.hand_number < view.hands_total or chance_if_hand_won_now(view, best.seat) > SHARED_WIN_CHANCE
    if isinstance(best, Play) and len(best.cards) == size and would_be_lowest(best, view) and counts:
        return words("{best} would have won the hand, unless somebody had beaten it.", best=action_cards_text(best))
    if not isinstance(made, Play) or len(made.cards) < size or foresight.surely_wins_trick(made):
        return ""
    if not would_be_lowest(made, view):
        return words(
            "{made} could not win the trick; last cards come back, and everybody has seen them.",
            made=action_cards_text(made),
        )
    if isinstance(best, Play):
        return words(
            "Last cards come back if they are beaten; {best} would be gone for good.", best=action_cards_text(best)
        )
    return words("Last cards come back if they are beaten.")


def _cards_used_difference_reason(made: Action, best: Action, view: View, foresight: Foresight, words: Words) -> str:
    """A sentence on which cards *made* broke up or spent, or what *best* does better; empty if no reason is found."""
    if not isinstance(made, Play):
        return _better_than_passing_reason(best, view, words)
    alike = isinstance(best, Play) and combination_kind(made.cards) == combination_kind(best.cards)
    if isinstance(best, Play) and alike and best.cards[0] == made.cards[0] and len(best.cards) > len(made.cards):
        return words("{best} is just as low and gets rid of more cards.", best=action_cards_text(best))
    if foresight.certain_hand_end(made) is not None:  # the hand ends, and what is left of it counts no more
        return ""
    if isinstance(best, Play) and len(best.cards) >= len(made.cards) + MANY_MORE_CARDS:
        if would_be_lowest(made, view) and not would_be_lowest(best, view):
            return words(
                "{best} could not win the trick, but would have got rid of more cards.", best=action_cards_text(best)
            )
        if _low_cards_kept_reason(made, best, foresight, words):
            low = _needlessly_spent_cards_text(made, best)
            return words(
                "{best} would have got rid of more cards, and kept {low} for later.",
                best=action_cards_text(best),
                low=low,
            )
        return words("{best} would have got rid of more cards.", best=action_cards_text(best))
    if said := _leaves_combination_reason(made, best, view.hand, words) or _broken_sets_reason(
        made, best, view.hand, words
    ):
        return said
    if said := _leaves_straight_reason(made, best, view.hand, words):
        return said
    if not isinstance(best, Play):
        return "" if lowest_play_emptied_hand(view) else _low_cards_kept_reason(made, best, foresight, words)
    if (
        view.lead is None
        and combination_kind(made.cards) is Kind.SINGLETON
        and not alike
        and _opponent_has_one_card(view)
    ):
        return words("Somebody held only one card, and could not have answered {best}.", best=action_cards_text(best))
    if (
        alike
        and best.cards[0] < made.cards[0]
        and would_be_lowest(best, view)
        and not foresight.surely_wins_trick(made)
    ):
        return words("{best} is lower, and so harder to beat.", best=action_cards_text(best))
    if said := _low_cards_kept_reason(made, best, foresight, words):
        return said
    more = len(best.cards) > len(made.cards)
    return words("{best} would have got rid of more cards.", best=action_cards_text(best)) if more else ""


def _leaves_combination_reason(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """A sentence that names the rest of *hand* after *best*, if only that is a combination; or empty."""
    after, now = _cards_left_after_action(best, hand), _cards_left_after_action(made, hand)
    if len(after) < 2 or combination_kind(after) is None or combination_kind(now) is not None:
        return ""
    shown = cards.cards_text(after)
    if not isinstance(best, Play):
        return words("Passing would have kept {cards}, which go together.", cards=shown)
    return words("{best} would have left {cards}, which go together.", best=action_cards_text(best), cards=shown)


def _leaves_straight_reason(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """A sentence that names the straight of *hand* that only *best* would have left; empty if there is none.

    It is also empty if *made* played as long a straight.
    """
    longest, kept = (
        max(longest_straights(_cards_left_after_action(it, hand)), key=len, default=()) for it in (best, made)
    )
    played = len(made.cards) if combination_kind(made.cards) is Kind.STRAIGHT else 0
    if len(longest) < max(len(kept) + CARDS_TORN_OFF, played + 1):
        return ""
    shown = cards.cards_text(longest)
    if not isinstance(best, Play):
        return words("Passing would have kept the straight {cards}.", cards=shown)
    return words("{best} would have left the straight {cards}.", best=action_cards_text(best), cards=shown)


def _cards_left_after_action(action: Action, hand: Cards) -> Cards:
    """Return the cards of *hand* that are left after *action*; all of them after a pass."""
    return without_cards(hand, action.cards) if isinstance(action, Play) else hand


def _better_than_passing_reason(best: Action, view: View, words: Words) -> str:
    """A sentence on what *best* would have done that passing does not; empty if nothing, as for last cards."""
    if not isinstance(best, Play) or len(best.cards) == len(view.hand):
        return ""
    if view.lowest is not None and best.cards[0] == view.lowest.cards[0]:
        return words(
            "{best} would have taken the lead: of equal cards the later ones win.", best=action_cards_text(best)
        )
    if would_be_lowest(best, view):
        return words("{best} would have been the lowest so far.", best=action_cards_text(best))
    return words(
        "{best} could not win the trick, but would have left fewer cards in hand.", best=action_cards_text(best)
    )


def _low_cards_kept_reason(made: Play, best: Action, foresight: Foresight, words: Words) -> str:
    """A sentence that names the low cards that *made* spent and *best* keeps; empty if there are none."""
    low = made.cards[0]
    if low > HIGHEST_LOW_CARD or (isinstance(best, Play) and best.cards[0] <= low):
        return ""
    spent, surest = _needlessly_spent_cards_text(made, best), foresight.is_unbeatable(low)
    if not isinstance(best, Play):
        if surest:
            return words("Passing would have kept {low} for later: nobody can beat it.", low=spent)
        return words("Passing would have kept {low} for later.", low=spent)
    if surest:
        return words(
            "{best} would have kept {low} for later: nobody can beat it.", best=action_cards_text(best), low=spent
        )
    return words("{best} would have kept {low} for later.", best=action_cards_text(best), low=spent)


def _needlessly_spent_cards_text(made: Play, best: Action) -> str:
    """The cards of *made* that *best* keeps, as text: all of them if *best* uses none of them, else the lowest."""
    taken = best.cards if isinstance(best, Play) else ()
    return cards.cards_text(made.cards) if not {*made.cards} & {*taken} else cards.card_text(made.cards[0])


def _broken_sets_reason(made: Play, best: Action, hand: Cards, words: Words) -> str:
    """A sentence that names the sets of *hand* that *made* broke up; empty if *best* breaks up as many.

    To leave a single card is worse than to leave a smaller set.
    """
    broken, otherwise = partly_played_ranks(made, hand), partly_played_ranks(best, hand)
    if _breakup_damage(broken, _cards_left_after_action(made, hand)) <= _breakup_damage(
        otherwise, _cards_left_after_action(best, hand)
    ):
        return ""
    alike = [card for card in dict.fromkeys(hand) if card in broken and card not in otherwise]
    if not alike:  # both break up the same ranks
        left = _cards_left_after_action(made, hand)
        single = next((card for card in dict.fromkeys(left) if card in broken and left.count(card) == 1), None)
        return (
            words("{made} left a single {card}.", made=action_cards_text(made), card=cards.card_text(single))
            if single
            else ""
        )
    named = [_equal_cards_text(card, hand.count(card), words) for card in alike]
    return words("{made} broke up {sets}.", made=action_cards_text(made), sets=words.list_and(named))


def _breakup_damage(broken: set[Card], left: Cards) -> tuple[int, int]:
    """How bad it is to break up the sets of the ranks *broken*, if the cards *left* remain; more is worse."""
    return sum(left.count(card) == 1 for card in broken), len(broken)


def _opponent_has_one_card(view: View) -> bool:
    """Whether a player other than the viewer holds exactly one card."""
    return any(size == 1 for seat, size in enumerate(view.hand_sizes) if seat != view.seat)


def _equal_cards_text(card: Card, count: int, words: Words) -> str:
    """The *count* equal cards of one rank that a player holds, as a set, for the middle of a sentence."""
    shown = cards.card_text(card)
    match count:
        case 2:
            return words("the pair of {card}", card=shown)
        case 3:
            return words("the set of three {card}", card=shown)
        case 4:
            return words("the set of four {card}", card=shown)
        case _:
            return words("the set {cards}", cards=cards.cards_text((card,) * count))


def _best_avoids_giving_gift(best: Action, made: Action, view: View, foresight: Foresight) -> bool:
    """Whether the hand was certainly lost, and only *made*, not *best*, cost the player a gift too (T9)."""
    kept, gave = foresight.certain_hand_end(best), foresight.certain_hand_end(made)
    if kept is None or gave is None or not view.gifts[made.seat] or made.seat in (kept.winner, gave.winner):
        return False
    return kept.is_giver(made.seat) is False and gave.is_giver(made.seat) is True


def _surely_wins_hand(action: Action, seat: Seat, foresight: Foresight) -> bool:
    """Whether *seat* is certain to win the hand after *action*, if it plays on well."""
    fate = foresight.certain_hand_end(action)
    return fate is not None and fate.winner == seat


def partly_played_ranks(action: Action, hand: Cards) -> set[Card]:
    """Return the ranks of which *action* plays some but not all cards that *hand* holds; empty for a pass.

    >>> sorted(partly_played_ranks(Play(Seat(0), (7, 8, 9)), (7, 7, 8, 8, 9)))
    [7, 8]
    """
    played = action.cards if isinstance(action, Play) else ()
    return {card for card in played if played.count(card) < hand.count(card)}


def longest_straights(hand: Cards) -> list[Cards]:
    """The longest straights in *hand*, of ``SHORTEST_KEPT_STRAIGHT`` cards or more (T5).

    >>> longest_straights((1, 2, 2, 3, 5, 7, 8, 9, 10))
    [(1, 2, 3), (7, 8, 9, 10)]
    """
    found: list[list[Card]] = []
    for card in dict.fromkeys(hand):
        if found and found[-1][-1] == card - 1:
            found[-1].append(card)
        else:
            found.append([card])
    return [tuple(run) for run in found if len(run) >= SHORTEST_KEPT_STRAIGHT]
