"""What the coach of 12 Days of Christmas says: how a game stands, and what each choice is worth."""

from random import Random

import pytest

from engine.fair import Fair
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.coach import chances, options
from engine.games.twelve_days.computer import decide
from engine.games.twelve_days.prospects import after_hand, gifts_after, prospects
from engine.games.twelve_days.view import actions, view
from tests.games.twelve_days import CASE, state


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_chances_add_up_to_one_and_are_exact_at_the_end_t10(seats: int) -> None:
    chance, rng = Fair(bytes([seats]) * 32), Random(seats)
    now = rules.deal(seats, {"length": "short"}, chance).state
    while not now.winners:
        found = chances(now)
        assert sum(found) == pytest.approx(1)
        assert min(found) >= 0
        action = decide(view(now, now.turn), now.turn, rng)
        assert action is not None
        now = rules.apply(now, action, chance).state
    assert chances(now) == tuple(1 / len(now.winners) if seat in now.winners else 0 for seat in range(seats))


def test_who_is_about_to_go_out_in_the_last_hand_wins() -> None:
    before = state(["1", "5 6 9 9"], hand=12, gifts=(3, 3), supply=1)
    assert chances(before)[0] > 0.9
    behind = state(["1", "5 6 9 9"], hand=12, gifts=(1, 5), supply=1)
    assert chances(behind)[0] < 0.1


def test_more_gifts_are_better_and_with_fewer_hands_to_go_more_so() -> None:
    early, late = prospects((4, 2, 2), Seat(0), 8), prospects((4, 2, 2), Seat(0), 1)
    assert prospects((2, 2, 2), Seat(0), 8)[0] < early[0] < late[0]
    assert prospects((4, 2, 4), Seat(0), 0) == (0.5, 0, 0.5)


def test_only_who_has_a_gift_gives_one_t9() -> None:
    assert gifts_after((0, 1, 2), 2, (0, 1)) == (0, 0, 4)
    after = after_hand((5, 0, 0), 0)
    assert after[1, 2].tolist() == [1, 0, 0]
    assert after_hand((2, 0, 0), 0)[1, 0].tolist() == [0, 1, 0]


def test_the_options_are_everything_that_is_legal_the_best_first() -> None:
    before = state(["4 4", "5 6"], lies="1:9 9", hand=12, gifts=(3, 3), supply=1)
    found = options(view(before, Seat(0)), Seat(0), None)
    assert {option.action for option in found} == set(actions(view(before, Seat(0)), Seat(0)))
    assert found[0].action == Play(Seat(0), (4, 4))
    assert found[0].chance > 0.95
    assert [option.chance for option in found] == sorted((option.chance for option in found), reverse=True)
    assert options(view(before, Seat(1)), Seat(1), None) == ()


def test_options_know_nothing_of_what_is_hidden() -> None:
    before = state(["4 4 9 12", "5 6 7", "2 2 3"], lies="1:9 9", gifts=(1, 2, 0), supply=9)
    before = before._replace(trick=before.trick, turn=Seat(2))
    for seed in range(5):
        other = CASE.redealt(before, Seat(2), Random(seed))
        assert options(view(before, Seat(2)), Seat(2), None) == options(view(other, Seat(2)), Seat(2), None)


@pytest.mark.parametrize(("seats", "said"), [(2, [0.47, 0.36, 0.12]), (3, [0.25, 0.22, 0.23]), (5, [0.14, 0.14, 0.17])])
def test_what_it_says_of_a_game_is_what_it_has_learnt(seats: int, said: list[float]) -> None:
    """Whoever trains it anew looks at what it says now."""
    states = [step.state for _, _, step in CASE.steps(seats, 0, CASE.quick)]
    assert [chances(states[number])[0] for number in (3, 11, 20)] == pytest.approx(said, abs=0.006)
