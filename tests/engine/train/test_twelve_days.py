"""Training for 12 Days of Christmas: the fast hands follow the rules, and a little training makes stronger."""

from random import Random

import numpy as np
import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.cards import rank_counts
from engine.games.twelve_days.choices import COMBINATIONS, FULL, NUMBER, PASS, legal_combinations
from engine.games.twelve_days.events import HandWon
from engine.games.twelve_days.judgement import network_situation_from_view
from engine.games.twelve_days.knowledge import SEAT_GROUPS, load_knowledge
from engine.games.twelve_days.memory import Memory, remember
from engine.games.twelve_days.view import actions, view
from engine.train.twelve_days.exploit import ROOM, Search, choose_by_search, game_win_chance
from engine.train.twelve_days.hands import Hands, dealt
from engine.train.twelve_days.learn import Pupil, fresh, random_stakes, teach_by_self_play
from engine.train.twelve_days.play import Player, play
from engine.train.twelve_days.program import main, trained

pytestmark = pytest.mark.one_in(4)

ONE = np.zeros(1, np.intp)


@pytest.mark.parametrize("seats", range(2, 9))
def test_fast_hands_follow_the_rules_and_tell_a_seat_what_it_remembers(seats: int) -> None:
    """The same hands, played at random by both; before each action both say the same of what is known and legal."""
    rng = Random(seats)
    for number in range(8):
        chance = SeededChance(bytes([number]) * 32)
        step = rules.deal(seats, {"length": "full"}, chance)
        fast = Hands(
            np.array([[rank_counts(hand) for hand in step.state.hands]], np.int8), np.array([step.state.leader])
        )
        memory: Memory | None = None
        while not any(isinstance(event, HandWon) for event in step.events):
            now = step.state
            memory = remember(memory, step.events, now.turn)
            seen = view(now, now.turn)
            one = network_situation_from_view(seen, now.turn, memory, 0.5)
            other = fast.situations(ONE, np.array([0.5], np.float32), np.zeros(1, np.bool_))
            assert [np.array_equal(a, b) for a, b in zip(one[:-1], other[:-1], strict=True)] == [True] * 12
            legal_now = actions(seen, now.turn)
            numbers = [NUMBER[it.cards] if isinstance(it, Play) else PASS for it in legal_now]
            assert np.flatnonzero(legal_combinations(other.hand, other.kind, other.low)[0]).tolist() == sorted(numbers)
            choice = rng.randrange(len(legal_now))
            fast.play_combinations(ONE, np.array([numbers[choice]]))
            step = rules.apply(now, legal_now[choice], chance)
        won = next(event for event in step.events if isinstance(event, HandWon))
        assert fast.winner.tolist() == [won.seat]
        assert fast.held[0].sum(axis=1).tolist() == list(won.unplayed)


def test_every_combination_has_its_number() -> None:
    assert len(COMBINATIONS) == 1 + 12 + 66 + 66
    assert [NUMBER[cards] for cards in COMBINATIONS] == list(range(len(COMBINATIONS)))


def test_a_little_training_makes_a_stronger_player() -> None:
    """Some seconds of it win far more than half of the hands against a player that has learnt nothing."""
    room, rng = SEAT_GROUPS[0], np.random.default_rng(1)
    start = fresh(room, (32, 16), rng)
    pupil = Pupil(type(start)(*[weights.copy() for weights in start]))
    surprises = [teach_by_self_play(pupil, room, 6_000, 3e-3, rng, doubt=0.02) for _ in range(25)]
    assert np.mean(surprises[-3:]) < np.mean(surprises[:3])
    won = []
    for seat in (0, 1):
        hands = Hands(dealt(400, 2, np.random.default_rng(2)), np.arange(400) % 2)
        seats = np.full((400, 2), 1)
        seats[:, seat] = 0
        play(hands, [Player(pupil.network), Player(start)], seats, random_stakes(400, 2, rng), room, rng)
        won.append(np.mean(hands.winner == seat))
    assert np.mean(won) > 0.7


def test_the_same_seed_makes_the_same_file() -> None:
    files = [trained(seed, (1, 1, 1), 1, lambda line: None, 200, 16) for seed in (1, 1, 2)]
    one, same, other = ({name: array.tobytes() for name, array in file.items()} for file in files)
    assert one == same
    assert all(one[f"player{room.most}.situation"] != other[f"player{room.most}.situation"] for room in SEAT_GROUPS)


def test_the_chance_of_a_game_follows_from_that_of_a_hand() -> None:
    assert game_win_chance(1.0) == 1.0
    assert game_win_chance(0.3) + game_win_chance(0.7) == pytest.approx(1)


def test_at_the_table_a_seat_is_told_of_its_own_cards_first() -> None:
    hands = Hands(dealt(3, 4, np.random.default_rng(1)), np.array([0, 1, 3]))
    told = hands.situations(np.arange(3), np.zeros(3, np.float32), np.zeros(3, np.bool_))
    assert [told.hand[n].tolist() for n in range(3)] == [
        hands.held[n, Seat(s)].tolist() for n, s in ((0, 0), (1, 1), (2, 3))
    ]


def test_who_searches_does_not_look_at_hidden_cards() -> None:
    """Redealing what it cannot see leaves its choice equal."""
    rng = np.random.default_rng(5)
    model = Player(load_knowledge().players[ROOM])
    for reads in (True, False):
        how = Search(12, 40, 4, reads)
        deal = dealt(1, 2, rng)
        unseen = np.repeat(np.arange(12), FULL - deal[0, 0])
        choices = set()
        for _ in range(3):
            other = deal.copy()
            drawn = rng.choice(unseen, deal[0, 1].sum(), replace=False)
            other[0, 1] = np.bincount(drawn, minlength=12)
            choices.add(
                choose_by_search(Hands(other, np.zeros(1, np.intp)), 0, [], model, np.random.default_rng(7), how)
            )
        assert len(choices) == 1


def test_more_time_is_measured_by_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--ten-times", "50", "--worlds", "2"])
    assert capsys.readouterr().err.startswith("50 hands: won ")
