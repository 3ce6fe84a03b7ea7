"""Who wins a hand whatever the others do."""

from functools import cache
from random import Random

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.events import HandWon
from engine.games.twelve_days.forced import MAX_CARDS_OF_TWO, MAX_HAND_OF_MANY, forced_hand_winner, wins_hand_by_force
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import actions, view
from tests.games.twelve_days import CASE, state


@cache
def wins(before: State, me: Seat) -> bool:
    """Whether *me* wins the hand of *before* by force: by the rules alone, every game looked at."""
    found = []
    for action in actions(view(before, before.turn), before.turn):
        step = rules.apply(before, action, SeededChance(bytes(32)))
        ended = [it.seat for it in step.events if isinstance(it, HandWon)]
        found.append(ended == [me] if ended else wins(step.state, me))
    return any(found) if before.turn == me else all(found)


@pytest.mark.parametrize(("seats", "most", "deals"), [(2, 4, 40), (3, 2, 40), (3, 3, 8), (4, 2, 12)])
def test_it_finds_what_the_rules_lead_to_t7_t8(seats: int, most: int, deals: int) -> None:
    rng, found = Random(seats), []
    for _ in range(deals):
        hands = [" ".join(str(rng.randint(3, 12)) for _ in range(rng.randint(1, most))) for _ in range(seats)]
        try:
            before = state(hands, hand=5, supply=8, gifts=(1,) * seats)
        except ValueError:
            continue  # more cards of a rank than there are
        for _ in range(rng.randint(0, seats - 1)):
            then = rules.apply(
                before, rng.choice(actions(view(before, before.turn), before.turn)), SeededChance(bytes(32))
            )
            before = then.state if then.state.hand_number == 5 else before
        for me in map(Seat, range(seats)):
            found.append(wins_hand_by_force(me, before.hands, before.trick, before.turn))
            assert found[-1] is wins(before, me)
    assert 0.1 < sum(found) / len(found) < 0.9


def test_with_many_cards_it_says_nothing() -> None:
    many = " ".join(map(str, range(12 - MAX_HAND_OF_MANY - 1, 13)))
    first = next(CASE.steps(2, 1))[0]
    assert forced_hand_winner(first) is None
    assert wins_hand_by_force(Seat(0), first.hands, (), Seat(0), budget=50) is None
    assert MAX_CARDS_OF_TWO < 24
    assert forced_hand_winner(state([many, many, many])) is None
