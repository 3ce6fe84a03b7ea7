"""A computer player's judgement of its choices: its situation as input for the network, and the network's expectation
after each choice."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import Seat
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.cards import DECK, rank_counts
from engine.games.twelve_days.choices import KINDS, NUMBER, PASS
from engine.games.twelve_days.features import Floats, Situations, choice_features, situation_features
from engine.games.twelve_days.knowledge import load_knowledge, seat_group_of
from engine.games.twelve_days.memory import NOTHING, Memory
from engine.games.twelve_days.prospects import Prospect, chances_by_single_giver
from engine.games.twelve_days.styles import Style, choice_fondness, recalled_situations
from engine.games.twelve_days.view import View


def single_giver_prospect(view: View, me: Seat) -> Prospect:
    """The chance of *me* to win the game by how the hand ends for it (won, gave a gift, neither), if exactly one player
    gives.

    All others are equally likely to win the hand, and to give. The networks were trained with the stake of this
    prospect.
    """
    chances = chances_by_single_giver(view.gifts, view.hands_total - view.hand_number)[:, :, me]
    others = [seat for seat in range(view.seats) if seat != me]
    elsewhere = [chances[winner, giver] for winner in others for giver in others if winner != giver]
    gave = float(np.mean(chances[others, me]))
    return Prospect(float(np.mean(chances[me, others])), gave, float(np.mean(elsewhere)) if elsewhere else gave)


def network_situation_from_view(view: View, me: Seat, memory: Memory | None, stake: float) -> Situations:
    """Convert what *me* knows, from its *view* and *memory*, to a single row of the network's input (``Situations``).

    *stake* is the cost of giving a gift.
    """
    known_of = NOTHING if memory is None else memory
    around = [(me + offset) % view.seats for offset in range(view.seats)]
    sizes = [view.hand_sizes[seat] for seat in around]
    known = np.zeros((view.seats, 12), np.int8)
    for offset, seat in enumerate(around[1:], start=1):
        if len(known_of.known[seat]) == sizes[offset]:
            known[offset] = rank_counts(known_of.known[seat])
    lying = [card for action in view.trick if isinstance(action, Play) for card in action.cards]
    lead, lowest = view.lead, view.lowest
    passed = {action.seat for action in view.trick if isinstance(action, Pass)}
    seen = rank_counts((*view.hand, *view.gone, *lying))
    pool = np.array(rank_counts(DECK), np.int8) - np.array(seen, np.int8) - known.sum(axis=0, dtype=np.int8)
    return Situations(
        hand=_single_row(rank_counts(view.hand)),
        pool=pool[None],
        sizes=_single_row(sizes),
        kind=np.array([0 if lead is None else KINDS.index(lead.kind)], np.int8),
        low=np.array([0 if lead is None else lead.low], np.int8),
        lowest=np.array([0 if lowest is None else lowest.cards[0]], np.int8),
        best=np.array([0 if lowest is None else (lowest.seat - me) % view.seats], np.int8),
        acted=np.array([len(view.trick)], np.int8),
        passes=np.array([[seat in passed for seat in around]], np.bool_),
        declined=_single_row([known_of.declined[seat] for seat in around]),
        known=known[None],
        played=_single_row([rank_counts(known_of.played[seat]) for seat in around]),
        stake=np.array([stake], np.float32),
    )


def _single_row(values: object) -> NDArray[np.int8]:
    """Return *values* as the only row of an array of small integers."""
    return np.array([values], np.int8)


class Judgement(NamedTuple):
    """What a player expects of each of its choices: the outcomes of the hand, and how much it likes the choice."""

    numbers: NDArray[np.intp]
    outcomes: Floats
    """(choices, 3): the chances to win the hand, to give a gift, and to do neither."""
    liking: Floats
    """(choices): how much the player likes each choice besides that."""


def judge_choices(view: View, me: Seat, memory: Memory | None, stake: float, style: Style) -> Judgement:
    """What a player of *style* in the seat *me*, on turn, expects of each legal choice (win, gift, neither), and how
    much it likes each."""
    numbers = np.array([NUMBER[cards] for cards in view.plays] + ([PASS] if view.trick else []), np.intp)
    now = recalled_situations(network_situation_from_view(view, me, memory, stake), style)
    room = seat_group_of(view.seats)
    told = situation_features(now, room.opponents, room.fewest, room.tables)
    rows = np.zeros(len(numbers), np.intp)
    left = choice_features(now, rows, numbers)
    outcomes = load_knowledge().players[room].outcomes(told, rows, numbers, left)
    return Judgement(numbers, outcomes, choice_fondness(now, rows, numbers, style))
