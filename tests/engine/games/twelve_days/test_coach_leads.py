"""What a play is worth after which its player leads again."""

import pytest

from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.coach import options
from engine.games.twelve_days.events import TakenBack
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.memory import Memory, remember
from engine.games.twelve_days.view import view
from tests.games.twelve_days import CASE


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_play_that_ends_a_trick_and_takes_it_is_worth_what_the_best_lead_after_it_leaves(seats: int) -> None:
    """Nothing happens in between, and nothing is learnt: what is said of it and what is said next agree. Also where
    somebody takes last cards back (T8). What is certain to bring more, such as to win the hand, is worth that."""
    taken = returned = 0
    for number in range(4):
        memory: Memory | None = None
        for before, action, step in CASE.steps(seats, number):
            after, seat = step.state, before.turn
            remembered = remember(memory, step.events, seat)
            took = len(before.trick) + 1 == seats and isinstance(action, Play) and after.turn == seat
            seen = view(before, seat)
            if took and after.hand_number == before.hand_number and not after.winners:
                (worth,) = (it.chance for it in options(seen, seat, memory) if it.action == action)
                lead = options(view(after, seat), seat, remembered)[0].chance
                if Foresight(seen, seat, memory).fate(action) is None:
                    assert worth == pytest.approx(lead)
                    taken += 1
                    returned += any(isinstance(it, TakenBack) for it in step.events)
            memory = remembered
    assert taken > 20
    assert returned
