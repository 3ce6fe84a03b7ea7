"""What may be told again while a hand is played: the trick that lies there (T11)."""

import pytest

from engine.fair import SeededChance
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.events import Passed
from engine.games.twelve_days.history import CardsPlayed, readable_events
from engine.games.twelve_days.state import lowest_play
from engine.registry import GAMES
from tests.games import CASES

GAME = GAMES["twelve_days"]


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_trick_on_the_table_and_nothing_else_t11(seed: int) -> None:
    steps = [GAME.new(4, CASES["twelve_days"].quick, SeededChance(seed.to_bytes(32, "big"))).events]
    longest = 0
    for _, _, step in CASES["twelve_days"].steps(4, seed, CASES["twelve_days"].quick):
        steps.append(step.events)
        told = [it for events in readable_events(steps) for it in events]
        trick = tuple(Play(it.seat, it.cards) if isinstance(it, CardsPlayed) else Pass(it.seat) for it in told)
        assert trick == step.state.trick
        for number, it in enumerate(told, start=1):
            if isinstance(it, CardsPlayed):
                assert it.leads == (number == 1)
                best = lowest_play(trick[:number])
                assert it.lowest == (best is not None and (best.seat, best.cards) == (it.seat, it.cards))
            else:
                assert isinstance(it, Passed)
        longest = max(longest, len(told))
    assert longest == 3, "the fourth play ends the trick"
