"""The rules of 12 Days of Christmas, as printed and as ruled (T1-T11): dealing, playing, passing."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from engine.errors import General, IllegalAction
from engine.game import Chance, Seat, Step, build_namedtuple
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import DECK, FULL_HANDS, GIFTS, SHORT_HANDS, Cards, hand_size, without_cards
from engine.games.twelve_days.combinations import combination_kind
from engine.games.twelve_days.errors import Refused
from engine.games.twelve_days.events import (
    DeckShuffled,
    Event,
    GameEnded,
    GiftClaimed,
    GiftGiven,
    HandDealt,
    HandWon,
    NoGiftToGive,
    Passed,
    Played,
    TakenBack,
    TrickWon,
)
from engine.games.twelve_days.state import NEXT, State, lead_of_trick, lowest_play

LENGTH: Final = "length"
"""The option for the number of hands."""
SHORT: Final = "short"


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
    """Deal a new game for 2-8 *seats*: gifts, a random leader, and the first hand. *options* must hold the length.

    In a short game everybody starts with a gift (T3). The dealer is drawn, and the next seat leads (T4).
    """
    short = options[LENGTH] == SHORT
    gifts = 1 if short else 0
    empty = State(
        ply=0,
        hand_number=0,
        hands_total=SHORT_HANDS if short else FULL_HANDS,
        leader=Seat(0),
        turn=Seat(0),
        trick=(),
        hands=((),) * seats,
        aside=(),
        gone=(),
        gifts=(gifts,) * seats,
        supply=GIFTS - gifts * seats,
        shuffles=0,
        winners=(),
    )
    dealer = chance.pick("dealer", seats)
    events: list[Event] = []
    return Step(_deal_hand(empty, Seat((dealer + 1) % seats), chance, events), tuple(events))


def _deal_hand(state: State, leader: Seat, chance: Chance, events: list[Event]) -> State:
    """Shuffle the whole deck and deal the next of the game's hands (T2): return the new state, and append what happened
    to *events*.

    Seat 0 gets the first cards, and so on.
    """
    seats = len(state.hands)
    size = hand_size(seats)
    deck = chance.shuffle(state.shuffles, DECK)
    events += [DeckShuffled(deck), HandDealt(state.hand_number + 1, size, leader)]
    return state._replace(
        hand_number=state.hand_number + 1,
        leader=leader,
        turn=leader,
        trick=(),
        hands=tuple(tuple(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(seats)),
        aside=tuple(sorted(deck[seats * size :])),
        gone=(),
        shuffles=state.shuffles + 1,
    )


def scores(state: State) -> Sequence[tuple[int, int]]:
    """The scores by seat as (gifts, 0): the most gifts win (T10)."""
    return [(gifts, 0) for gifts in state.gifts]


def apply(state: State, action: Action, chance: Chance) -> Step[State, Event]:
    """Apply a play or a pass to *state* and return the new state and the events, or raise IllegalAction; *state* does
    not change.

    They include the end of the trick, the end of the hand and the next deal where they are due.

    *chance* is used only to shuffle the deck for the next hand.

    Raises:
        IllegalAction: the rules forbid it; *state* still holds.
    """
    match action:
        case Play():
            return _play_combination(state, action, chance)
        case Pass():
            if not state.trick:
                raise IllegalAction(Refused.LEADER_PASSES)
            return _finish_action(state, state.hands, action, [build_namedtuple(Passed, action)], chance)
        case _:
            assert_never(action)


def _play_combination(state: State, action: Play, chance: Chance) -> Step[State, Event]:
    """Play a combination, if it is one, is in the hand and answers the lead (T5, T6): the new state and its events; or
    raise IllegalAction."""
    seat, cards = action
    if len(cards) > 1:
        cards = tuple(sorted(cards))
        action = build_namedtuple(Play, (seat, cards))
    hands, trick = list(state.hands), state.trick
    try:
        hands[seat] = without_cards(hands[seat], cards)
    except ValueError:
        raise IllegalAction(General.NOT_IN_HAND) from None
    kind = combination_kind(cards)
    if kind is None:
        raise IllegalAction(Refused.NO_COMBINATION)
    lead = lead_of_trick(trick)
    if lead is not None:
        if kind is not lead.kind:
            raise IllegalAction(Refused.OTHER_TYPE)
        if cards[0] > lead.low:
            raise IllegalAction(Refused.NOT_LOW_ENOUGH)
    return _finish_action(state, tuple(hands), action, [build_namedtuple(Played, (seat, cards, lead is None))], chance)


def _finish_action(
    state: State, hands: tuple[Cards, ...], action: Action, events: list[Event], chance: Chance
) -> Step[State, Event]:
    """Add the legal *action* to the trick and pass the turn on, or end the trick and perhaps the hand: the new state
    and all *events*.

    *hands* are everybody's cards after the action.

    When everybody has had their turn, end the trick (T6).
    """
    # By position, in the order of ``State``: by name a move is a fifth slower. A test checks the order.
    (ply, hand_number, hands_total, leader, turn, trick, _hands, aside, gone, gifts, supply, shuffles, winners) = state
    seats, trick = len(hands), (*trick, action)
    if len(trick) < seats:
        turn = NEXT[seats][turn]
    else:
        turn, hands, gone = _end_trick(trick, hands, gone, events)
        leader, trick = turn, ()
    after: State = build_namedtuple(State, (
        ply + 1, hand_number, hands_total, leader, turn, trick, hands, aside, gone, gifts, supply, shuffles, winners,
    ))  # fmt: skip
    if not trick and not hands[leader]:
        after = _end_hand(after, leader, chance, events)
    step: Step[State, Event] = build_namedtuple(Step, (after, tuple(events)))
    return step


def _end_trick(
    trick: tuple[Action, ...], hands: tuple[Cards, ...], gone: Cards, events: list[Event]
) -> tuple[Seat, tuple[Cards, ...], Cards]:
    """Let the lowest card win *trick*, and give beaten last cards back to their players (T7, T8): (winner, all hands,
    cards of past tricks).

    Appends what happened to *events*.
    """
    lowest = lowest_play(trick)
    assert lowest is not None
    winner = lowest.seat
    events.append(build_namedtuple(TrickWon, (winner, trick)))
    kept, played = list(hands), list(gone)
    for action in trick:
        if isinstance(action, Play):
            seat, cards = action
            if kept[seat] or seat == winner:
                played += cards
            else:  # ruling T8
                kept[seat] = cards
                events.append(TakenBack(seat, cards))
    return winner, tuple(kept), tuple(sorted(played))


def _end_hand(state: State, winner: Seat, chance: Chance, events: list[Event]) -> State:
    """End a hand: *winner* gets its gifts, then deal the next hand or end the game (T9); return the new state, and
    append to *events*.

    One gift is from the supply, and one from each player who holds the most unplayed cards and has a gift.
    """
    seats = len(state.hands)
    unplayed = tuple(map(len, state.hands))
    most = max(unplayed)
    gifts = list(state.gifts)
    supply = state.supply - 1
    gifts[winner] += 1
    events += [HandWon(state.hand_number, winner, unplayed), GiftClaimed(winner, supply)]
    for offset in range(1, seats):
        seat = Seat((winner + offset) % seats)
        if unplayed[seat] == most:
            if gifts[seat]:
                gifts[seat] -= 1
                gifts[winner] += 1
                events.append(GiftGiven(seat, winner))
            else:
                events.append(NoGiftToGive(seat))
    after = state._replace(gifts=tuple(gifts), supply=supply)
    if state.hand_number < state.hands_total:
        return _deal_hand(after, winner, chance, events)
    winners = tuple(Seat(seat) for seat in range(seats) if gifts[seat] == max(gifts))
    events.append(GameEnded(winners))
    return after._replace(winners=winners)
