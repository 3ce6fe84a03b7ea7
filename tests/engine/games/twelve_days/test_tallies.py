"""What is counted of people in 12 Days: hands, tricks, gifts."""

from collections import Counter

import pytest

from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.game import GAME
from engine.games.twelve_days.state import State
from engine.games.twelve_days.tallies import count_increments as added_by
from tests.games import CASES
from tests.games.twelve_days import FAIR, cards, state


def counted(before: State, *moves: str) -> list[tuple[int, str]]:
    """What the moves add, one after the other, "-" being a pass."""
    found: list[tuple[int, str]] = []
    for move in moves:
        action = Pass(before.turn) if move == "-" else Play(before.turn, cards(move))
        step = GAME.apply(before, action, FAIR)
        found += added_by(before, step)
        before = step.state
    return found


def test_a_trick_counts_for_its_winner_t7() -> None:
    assert counted(state(["9 9 12", "8 8 12", "3 4"]), "9 9", "8 8", "-") == [(1, "tricks")]


def test_a_hand_counts_with_its_gifts_t9() -> None:
    """Seats 1 and 2 hold as many cards, so both give one."""
    won = counted(state(["5", "8 12", "7 4"], gifts=(0, 2, 1)), "5", "-", "-")
    assert won == [(0, "tricks"), (0, "hands"), (0, "gifts"), (0, "gifts"), (0, "gifts")]


def test_who_has_no_gift_gives_none_t9() -> None:
    assert counted(state(["5", "8 12", "7"], gifts=(0, 0, 1)), "5", "-", "-").count((0, "gifts")) == 1


@pytest.mark.parametrize("length", ["full", "short"])
def test_the_counts_of_a_whole_game_fit(length: str) -> None:
    """Everybody's gifts at the end are those of the start, those received, and less those given away."""
    counts: Counter[str] = Counter()
    for before, _, step in CASES["twelve_days"].steps(4, 1, {"length": length}):
        counts.update(what for _, what in added_by(before, step))
        last = step.state
    assert counts["hands"] == last.hands_total
    assert counts["tricks"] >= counts["hands"]
    assert counts["gifts"] >= counts["hands"]
