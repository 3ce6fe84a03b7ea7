"""What would have gone better in a game that is over, all cards open."""

import pytest

from engine.decision import EQUAL_WITHIN, NOTABLE_POINTS
from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.twelve_days.actions import Play
from engine.hindsight import MIN_GAIN, chances_after_action, find_better_action_in_hindsight, require_coach
from engine.registry import GAMES
from engine.replay import Moment, SeatOccupant
from tests.bot.judged import COACHED, judged
from tests.games import diciassette, twelve_days

SEATS = (SeatOccupant("computer", "c", ""),) * 3


def moment(game: str, before: object, action: object) -> tuple[Moment, tuple[float, ...]]:
    """The moment at which *action* was made in *before*, and every seat's chance that it left."""
    step = GAMES[game].apply(before, action, SeededChance(bytes(32)))
    coach = require_coach(GAMES[game])
    known = coach.chances_before_deal(step)
    left = coach.chances(step.state) if known is None else known
    return Moment(1, None, action, before, step.state, step.events, SEATS), tuple(left)


@pytest.mark.about("twelve_days")
def test_a_lead_that_would_have_won_the_game_is_named() -> None:
    """Nobody can answer the pair; one 8 is beaten by the 4, and then the straight cannot be answered."""
    before = twelve_days.state(["8 8", "4 9 10 11", "7 9 12"], gifts=(2, 2, 2), hand=3, hands_total=3)
    made, left = moment("twelve_days", before, Play(Seat(0), (8,)))
    found = find_better_action_in_hindsight(GAMES["twelve_days"], made, left)
    assert found is not None
    assert (found.number, found.seat, found.action) == (1, 0, Play(Seat(0), (8, 8)))
    assert found.chances[0] > left[0] + MIN_GAIN
    best, left = moment("twelve_days", before, Play(Seat(0), (8, 8)))
    assert find_better_action_in_hindsight(GAMES["twelve_days"], best, left) is None


@pytest.mark.about("diciassette")
def test_a_call_that_would_have_been_right_is_named_and_of_several_callers_nothing() -> None:
    lies = "0:5 1:5? 0:5? 2:5?"
    before = diciassette.state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies=lies, victory=(2, 1, 0))
    play = GAMES["diciassette"].legal_actions(before, Seat(0))[0]
    made, _ = moment("diciassette", before, play)
    found = find_better_action_in_hindsight(GAMES["diciassette"], made, (0.1, 0.5, 0.4))
    assert found is not None
    assert found.action == Call((Seat(0),))
    assert found.chances[0] == 1
    assert find_better_action_in_hindsight(GAMES["diciassette"], made, (0.7, 0.2, 0.1)) is not None
    assert find_better_action_in_hindsight(GAMES["diciassette"], made, (0.8, 0.1, 0.1)) is None, (
        "it is not clearly better"
    )
    both, _ = moment("diciassette", before, Call((Seat(0), Seat(1))))
    assert find_better_action_in_hindsight(GAMES["diciassette"], both, (0.0, 0.5, 0.5)) is None


@pytest.mark.about("diciassette")
def test_what_would_have_led_to_a_shuffle_is_not_known() -> None:
    empty = diciassette.state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:1 1:2", draw="", discard="1 1 2 2")
    plays = [it for it in GAMES["diciassette"].legal_actions(empty, Seat(0)) if not isinstance(it, Call)]
    made, _ = moment("diciassette", empty, Call((Seat(0),)))
    assert plays
    assert find_better_action_in_hindsight(GAMES["diciassette"], made, (-1.0, 2.0)) is None


@pytest.mark.about("twelve_days")
def test_a_hand_that_would_have_ended_is_worth_what_the_gifts_are_whatever_is_dealt_next() -> None:
    before = twelve_days.state(["5 5", "8 8 9", "7 9 9"], gifts=(0, 1, 1), hand=1, hands_total=3)
    made, _ = moment("twelve_days", before, Play(Seat(0), (5,)))
    found = find_better_action_in_hindsight(GAMES["twelve_days"], made, (0.0, 0.5, 0.5))
    assert found is not None
    assert found.action == Play(Seat(0), (5, 5))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("game", COACHED)
def test_it_is_told_of_moments_that_decided_the_game_and_could_have_been_done(game: str) -> None:
    found = 0
    for seed in range(100, 110):
        course, said = judged(game, seed)
        for it in said.hindsight:
            there = course.moments[it.number]
            assert it.number in [swing.number for swing in said.decisive]
            assert it.action in course.rules.legal_actions(there.before, it.seat)
            assert it.action != there.action
            assert it.chances[it.seat] >= said.undealt[it.number][it.seat] + MIN_GAIN
            assert sum(it.chances) == pytest.approx(1)
            found += 1
    assert found


@pytest.mark.parametrize("game", COACHED)
def test_what_was_named_is_known_as_the_cards_lay_where_it_is_told_how_it_turned_out(game: str) -> None:
    known = 0
    for seed in range(4):
        course, said = judged(game, seed)
        told = {it.number for it in said.decisive}
        for it in said.decisions:
            if it.as_it_lay is None:
                continue
            known += 1
            assert it.points >= NOTABLE_POINTS
            assert it.number in told or said.chance_change_by_action(it.number)[it.seat] > 0
            left, otherwise = it.as_it_lay
            assert left == said.undealt[it.number][it.seat]
            if it.best is None:
                assert otherwise == said.courses[it.number - 1][it.seat]
            else:
                after = chances_after_action(GAMES[game], course.moments[it.number].before, it.best)
                assert after is not None
                assert otherwise == after[it.seat]
            assert it.best_would_not_have_helped is (otherwise <= left + EQUAL_WITHIN)
            assert it.turned_out_well is it.best_would_not_have_helped
    assert known
