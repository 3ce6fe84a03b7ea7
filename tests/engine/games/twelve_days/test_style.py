"""The levels of 12 Days of Christmas: what each keeps in mind, what it is fond of, and that they get stronger."""

import numpy as np
import pytest

from engine.game import Seat
from engine.games.twelve_days.choices import NUMBER, PASS
from engine.games.twelve_days.computers import LEVELS
from engine.games.twelve_days.judgement import network_situation_from_view
from engine.games.twelve_days.knowledge import load_knowledge, seat_group_of
from engine.games.twelve_days.memory import NOTHING
from engine.games.twelve_days.styles import STYLES, Style, choice_fondness, judgement_errors, recalled_situations
from engine.games.twelve_days.view import view
from engine.train.twelve_days.hands import Hands, dealt
from engine.train.twelve_days.learn import random_stakes
from engine.train.twelve_days.play import Player, play
from tests.games.twelve_days import cards, state

LYING = state(["2 9", "3 12 12", "5"], lies="1:12, 2:11", gone="1 4 4 10")
MEMORY = NOTHING._replace(known=((), cards("3 12 12"), *NOTHING.known[2:]), played=(cards("1"), *NOTHING.played[1:]))


def test_who_forgets_takes_cards_that_were_played_for_cards_that_may_come() -> None:
    now = network_situation_from_view(view(LYING, Seat(0)), Seat(0), MEMORY, 0.0)
    assert now.pool[0].tolist() == [0, 1, 2, 2, 5, 6, 7, 8, 8, 9, 10, 9]
    low = recalled_situations(now, Style(recalls=4))
    assert low.pool[0].tolist() == [0, 1, 2, 2, 5, 6, 7, 8, 8, 10, 11, 12]
    assert recalled_situations(now, Style()) == now


def test_who_does_not_watch_people_knows_nobodys_hand() -> None:
    now = recalled_situations(
        network_situation_from_view(view(LYING, Seat(0)), Seat(0), MEMORY, 0.0), Style(attentive=False)
    )
    assert not now.known.any()
    assert not now.played.any()
    assert now.pool[0].tolist() == [0, 1, 3, 2, 5, 6, 7, 8, 8, 9, 10, 11]


def test_the_stingy_spare_low_cards_and_the_proud_take_tricks() -> None:
    now = network_situation_from_view(view(LYING, Seat(0)), Seat(0), None, 0.0)
    numbers = np.array([PASS, NUMBER[(2,)], NUMBER[(9,)]])
    rows = np.zeros(3, np.intp)
    assert choice_fondness(now, rows, numbers, Style(thrift=0.5)).tolist() == [0, -0.5, 0]
    assert choice_fondness(now, rows, numbers, Style(pride=0.5)).tolist() == [0, 0.5, 0.5]
    assert choice_fondness(now, rows, numbers, Style(haste=0.5)).tolist() == [0, 0.5, 0.5]


def test_nobody_misjudges_what_is_sure() -> None:
    drawn = np.ones(3, np.float32)
    assert judgement_errors(np.array([0.0, 0.5, 1.0], np.float32), drawn, Style(doubt=0.25)).tolist() == [0, 0.25, 0]


def test_each_level_keeps_in_mind_what_the_guide_says() -> None:
    """docs/computer-players.md."""
    assert [style.recalls for style in STYLES] == [0, 0, 2, 4, 12, 12]
    assert [style.attentive for style in STYLES] == [False, False, False, False, False, True]


@pytest.mark.parametrize(("seats", "least"), [(2, 0.6), (4, 0.3)])
def test_the_strongest_level_beats_the_weakest(seats: int, least: float) -> None:
    """Of some hundred hands, each played once from every seat; figures of full games: docs/computer-players.md."""
    room, rng = seat_group_of(seats), np.random.default_rng(1)
    assert len(STYLES) == LEVELS
    players = [Player(load_knowledge().players[room], style) for style in (STYLES[-1], STYLES[0])]
    deals, won = dealt(150, seats, rng), []
    for mine in range(seats):
        hands = Hands(deals.copy(), np.arange(150) % seats)
        kinds = np.ones((150, seats), np.intp)
        kinds[:, mine] = 0
        play(hands, players, kinds, random_stakes(150, seats, rng), room, rng)
        won.append(np.mean(hands.winner == mine))
    assert np.mean(won) > least
