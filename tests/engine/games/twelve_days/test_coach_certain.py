"""Which chances in the last hand of 12 Days are certain: those that no choice can change."""

from random import Random

import pytest

from engine.fair import Fair
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.coach import chances, options
from engine.games.twelve_days.computer import decide
from engine.games.twelve_days.view import view
from tests.games.twelve_days import CASE, state


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_with_all_cards_open_only_what_no_choice_can_change_is_certain(seats: int) -> None:
    """Who is as good as lost has still won, by an error: 0 % is nobody who wins in the end."""
    sure = 0
    for seed in range(12):
        chance, rng = Fair(bytes([seed]) * 32), Random(seed)
        now, lost = rules.deal(seats, {"length": "short"}, chance).state, set[int]()
        while not now.winners:
            found = chances(now)
            assert sum(found) == pytest.approx(1)
            lost |= {seat for seat, it in enumerate(found) if not it}
            sure += bool(lost)
            options_now = CASE.rules.actions(view(now, now.turn))
            action = rng.choice(options_now) if rng.random() < 0.5 else decide(view(now, now.turn), now.turn, rng)
            assert action is not None
            now = rules.apply(now, action, chance).state
        assert not lost & {*now.winners}
    assert sure


@pytest.mark.parametrize(
    ("hands", "gifts"),
    [
        (("3 4 6 7 8 9 9 9", "5 6 7 8 9 10 11 11 11 12", "1 4 6 7 7 8 8 8 10"), (0, 4, 1)),
        (("3 9 9", "11 11", "1 4 7"), (0, 4, 1)),
        (("3 4 9 9", "11 11", "1 4 7"), (0, 5, 1)),
        (("3 4 9 9", "11 11", "1 4 7"), (5, 0, 1)),
    ],
)
def test_the_game_is_lost_only_for_whom_nobody_says_that_they_can_still_win_t9_t10(
    hands: tuple[str, ...], gifts: tuple[int, ...]
) -> None:
    """With 0 gifts against 4 and 1 whoever goes out can share the win: if both others hold equally many cards."""
    before = state(hands, hand=3, hands_total=3, gifts=gifts, supply=6)
    seen = view(before, Seat(0))
    chances = [it.chance for it in options(seen, Seat(0), None)]
    assert (max(chances) == 0) == (0 not in seen.contenders)
    assert (min(chances) == 1) == (seen.contenders == (0,))
    assert max(chances) == 0 or min(chances) > 0


def test_whoever_can_still_win_is_never_told_that_all_is_lost() -> None:
    """Whatever a sample of the hands to go says, and the network, for which one player at most gives a gift."""
    told = 0
    for seed in range(12):
        seats = 3 + seed % 3
        chance, rng = Fair(bytes([seed]) * 32), Random(seed)
        now = rules.deal(seats, {"length": "short"}, chance).state
        memories = [CASE.rules.remember(None, (), Seat(seat)) for seat in range(seats)]
        while not now.winners:
            seen = view(now, now.turn)
            found = [it.chance for it in options(seen, now.turn, memories[now.turn])]
            able = not seen.contenders or now.turn in seen.contenders
            assert able == bool(found[0])
            told += now.hand_number == 3 and found[0] < 0.005
            action = decide(seen, now.turn, rng)
            assert action is not None
            step = rules.apply(now, action, chance)
            memories = [CASE.rules.remember(memories[seat], step.events, Seat(seat)) for seat in range(seats)]
            now = step.state
    assert told


@pytest.mark.parametrize(("gifts", "sure"), [((0, 0, 4), True), ((0, 0, 1), False), ((4, 0, 3), False)])
def test_a_hand_before_the_last_settles_the_game_where_nobody_can_catch_up_by_the_gifts_t9(
    gifts: tuple[int, ...], sure: bool
) -> None:
    """Seat 2 plays its last cards, and nobody is left to answer: both others hold two cards then."""
    before = state(["", "9 9", "6 7 8"], lies="0:10 11, 1:-", hand=2, hands_total=3, gifts=gifts, supply=8)
    best = options(view(before, Seat(2)), Seat(2), None)[0]
    assert best.action == Play(Seat(2), (6, 7, 8))
    assert (best.chance == 1) is sure
