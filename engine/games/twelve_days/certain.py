"""Certain actions and certain winners of a hand, with all cards open.

Every legal answer to a lead beats it, since it must be as low (T6) and an equally low card that is played later wins
(T7). So a player wins the trick with a lead that nobody can answer, and leads again.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import RANKS, Card, Cards, without_cards
from engine.games.twelve_days.combinations import Kind, Lead, combination_kind, playable_combinations
from engine.games.twelve_days.state import State, lowest_play
from engine.games.twelve_days.view import view

T = TypeVar("T")

NO_CARD: Final = RANKS[-1] + 1
"""Stands for the lowest card where a player has no combination of a kind: every real card is lower."""


MAX_LEADS: Final = 2
"""A hand counts as certainly won if at most this many more leads win it. Players who do not see the others' cards do
win it then: in games of two and four, levels 3 to 6, after 1128 of 1162 such choices (97 %), where the network said 40
to 80 %. With more leads they more often play differently; ``forced`` looks at those near the end of a hand."""


class _NoShuffle:
    """A source of chance that leaves every pile in order. Hands that it deals must be ignored."""

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in the order they have."""
        return tuple(items)

    def pick(self, name: str, n: int) -> int:
        """Always return 0."""
        return 0


_NO_SHUFFLE: Final = _NoShuffle()


class LowestCards(NamedTuple):
    """For each kind of combination, its lowest card that some players could play: set, straight, singleton."""

    set: Card
    straight: Card
    singleton: Card

    def of_kind(self, kind: Kind) -> Card:
        """The lowest card of combinations of *kind*; ``NO_CARD``: there is none."""
        return {Kind.SET: self.set, Kind.STRAIGHT: self.straight, Kind.SINGLETON: self.singleton}[kind]


def apply_certain_actions(state: State) -> State:
    """The state after all actions that are certain to come before the hand of *state* ends; *state* itself if none is.

    *state* is not over. A player with one legal action takes it. A player who can win the hand soon, whatever the
    others do, plays on so.

    A player does not do so if it loses them the game. If the hand ends, the gifts are given and the game may be over.
    If it is not over, ``hand_number`` shows it, and the cards of the next hand mean nothing: they were not shuffled.
    """
    hand_number = state.hand_number
    while not state.winners and state.hand_number == hand_number:
        action = only_sensible_action(state)
        if action is None:
            action = hand_winning_play(state)
            if action is None or _loses_game_despite_winning_hand(state, action):
                break
        state = rules.apply(state, action, _NO_SHUFFLE).state
    return state


def is_outcome_certain(state: State) -> bool:
    """Whether the game is decided: nobody has a choice until its end, or only one player can still win by the gifts."""
    while not state.winners and (action := only_sensible_action(state)) is not None:
        hand_number = state.hand_number
        state = rules.apply(state, action, _NO_SHUFFLE).state
        if state.hand_number > hand_number:
            return len(view(state, None).possible_winners) == 1
    return bool(state.winners)


def _loses_game_despite_winning_hand(state: State, play: Play) -> bool:
    """Whether *play*, which surely wins its player the last hand, still loses them the game, by the gifts; False before
    the last hand."""
    hand_number = state.hand_number
    action: Action | None = play
    while action is not None and not state.winners and state.hand_number == hand_number:
        state = rules.apply(state, action, _NO_SHUFFLE).state
        if not state.winners and state.hand_number == hand_number:
            action = only_sensible_action(state) or hand_winning_play(state)
    return bool(state.winners) and play.seat not in state.winners


def only_sensible_action(state: State) -> Action | None:
    """The only legal action of the player on turn, or a pass if a play would change nothing; ``None`` if there is a
    choice.

    A play changes nothing if it is last cards that somebody has beaten already: they go back (T8).
    """
    lead, lowest, hand = state.lead, lowest_play(state.trick), state.hands[state.turn]
    possible = playable_combinations(hand, lead)
    if lead is not None:
        assert lowest is not None
        return None if any(len(it) < len(hand) or it[0] <= lowest.cards[0] for it in possible) else Pass(state.turn)
    return Play(state.turn, possible[0]) if len(possible) == 1 else None


def hand_winning_play(state: State, me: Seat | None = None) -> Play | None:
    """A play with which *me* (``None``: the player on turn) surely wins the trick and soon the hand, whatever the
    others do; ``None`` if there is none.

    Soon is with at most ``MAX_LEADS`` more leads. *me* has yet to act in the trick.
    """
    to_act, lowest = _seats_to_act(state), lowest_play(state.trick)
    me = state.turn if me is None else me
    earlier, later = to_act[: to_act.index(me)], to_act[to_act.index(me) + 1 :]
    lows: LowestCards | None = None
    for cards in playable_combinations(state.hands[me], state.lead):
        low = cards[0]
        if lowest is not None and low > lowest.cards[0]:
            continue
        kind = combination_kind(cards)
        assert kind is not None
        if _can_any_answer_lead(state, earlier, Lead(kind, low - 1)) or _can_any_answer_lead(
            state, later, Lead(kind, low)
        ):
            continue
        lows = lows or _lowest_cards_of_others(state, me)
        if can_keep_lead(without_cards(state.hands[me], cards), lows, MAX_LEADS):
            return Play(me, cards)
    return None


def certain_hand_winner(state: State) -> Seat | None:
    """The seat that surely wins the hand with at most ``MAX_LEADS`` more leads, all cards open; ``None`` if none is
    found, or no lead lies on the table."""
    lowest = lowest_play(state.trick)
    if lowest is None:
        return None
    kind = combination_kind(lowest.cards)
    assert kind is not None
    to_act = _seats_to_act(state)
    if _can_any_answer_lead(state, to_act, Lead(kind, lowest.cards[0])):
        return next((seat for seat in to_act if hand_winning_play(state, seat)), None)
    rest = state.hands[lowest.seat]
    return lowest.seat if can_keep_lead(rest, _lowest_cards_of_others(state, lowest.seat), MAX_LEADS) else None


def _can_any_answer_lead(state: State, seats: Sequence[Seat], lead: Lead) -> bool:
    """Whether any of *seats* can answer *lead*."""
    return any(playable_combinations(state.hands[seat], lead) for seat in seats)


@lru_cache(maxsize=4096)
def can_keep_lead(hand: Cards, lows: LowestCards, leads: int) -> bool:
    """Whether the leader can get rid of *hand* with at most *leads* leads that nobody can answer. Cached.

    *lows* are the lowest cards of all others together: each lead must be lower.

    >>> lows = LowestCards(set=13, straight=10, singleton=10)
    >>> can_keep_lead((6, 12, 12), lows, 2), can_keep_lead((6, 12, 12), lows, 1), can_keep_lead((6, 12), lows, 2)
    (True, False, False)
    """
    if not hand or not leads:
        return not hand
    for cards in playable_combinations(hand):
        kind = combination_kind(cards)
        assert kind is not None
        # every way to split the hand has just one combination with the highest card
        wins = cards[-1] == hand[-1] and cards[0] < lows.of_kind(kind)
        if wins and can_keep_lead(without_cards(hand, cards), lows, leads - 1):
            return True
    return False


def _seats_to_act(state: State) -> list[Seat]:
    """The seats that have yet to act in the trick, the player on turn first."""
    seats = len(state.hands)
    return [Seat((state.turn + step) % seats) for step in range(seats - len(state.trick))]


def _lowest_cards_of_others(state: State, me: Seat) -> LowestCards:
    """For each kind of combination, the lowest card that others than *me* may still lead or answer with after this
    trick.

    Their hands only shrink. Players of their last cards may take them back (T8).
    """
    lying = {action.seat: action.cards for action in state.trick if isinstance(action, Play)}
    return lowest_cards([hand or lying.get(Seat(seat), ()) for seat, hand in enumerate(state.hands) if seat != me])


def lowest_cards(hands: Sequence[Cards]) -> LowestCards:
    """For each kind of combination, the lowest card of the combinations in any of *hands*; ``NO_CARD``: there is
    none."""
    each = [_lowest_cards_in(hand) for hand in hands]
    return LowestCards(min(it.set for it in each), min(it.straight for it in each), min(it.singleton for it in each))


@lru_cache(maxsize=4096)
def _lowest_cards_in(hand: Cards) -> LowestCards:
    """For each kind of combination, the lowest card of the combinations in *hand*; ``NO_CARD``: there is none.
    Cached."""
    found = dict.fromkeys(Kind, NO_CARD)
    for cards in playable_combinations(hand):
        kind = combination_kind(cards)
        assert kind is not None
        found[kind] = min(found[kind], cards[0])
    return LowestCards(found[Kind.SET], found[Kind.STRAIGHT], found[Kind.SINGLETON])
