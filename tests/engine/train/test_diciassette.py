"""Training makes players of 17 better, and measures them by an exploiter that reads them."""

from random import Random
from statistics import fmean

import numpy as np
import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.features import features
from engine.games.diciassette.remembered import ME, OTHER
from engine.games.diciassette.tables import FULL, DecisionRows, Ints, SimulatedTables
from engine.policies import find_policy
from engine.registry import GAMES
from engine.simulate import SimulatedGame, game_seed
from engine.train.diciassette.clone import clone
from engine.train.diciassette.learn import Learner, learn
from engine.train.diciassette.matches import Player, share
from engine.train.diciassette.more_time import TODAY, Thinker, greedy, luck_of_choice
from engine.train.diciassette.program import main
from engine.train.diciassette.search import Exploiter

pytestmark = pytest.mark.one_in(4)

GAME = GAMES["diciassette"]


def test_a_little_training_makes_a_better_player_and_critic() -> None:
    beginner = Learner(seed=1, count=96)
    start = beginner.policy.averaged
    losses = [beginner.improve(0.0)[1] for _ in range(30)]
    assert sum(losses[-5:]) < sum(losses[:5])
    won, error = share(Player(beginner.policy.network), Player(start), games=400, seed=1)
    assert won - 3 * error > 0.5


def test_an_exploiter_knows_what_its_opponent_sees_in_every_world() -> None:
    """In each of its worlds it knows what it knows, all cards of the deck are somewhere, and its opponent, in each of
    the worlds that it may think of there, sees what it sees in that world."""
    count = 8
    agreeing: list[float] = []
    for number in range(2):
        exploiters: list[Exploiter] = []

        def sits(seat: Seat, rng: Random, exploiters: list[Exploiter] = exploiters) -> Exploiter:
            exploiters.append(Exploiter(seat, rng, count))
            return exploiters[-1]

        match = SimulatedGame(
            GAME, [sits, find_policy(GAME, "computer:4")], {}, SeededChance(game_seed("minds", number)), Random(number)
        )
        memory = None
        while not match.over:
            seen = GAME.views.view(match.state, Seat(0))
            action = match.next_action()
            reader = exploiters[0].reader
            if seen.turn == 0 and reader is not None:
                everywhere = np.arange(count)
                mine = reader.features(DecisionRows(everywhere, np.full(count, ME)))
                same = np.isclose(mine, features(seen, memory), atol=1e-5).all(axis=1)
                agreeing.append((same & (cards_of(reader) == FULL).all(axis=1)).mean())
                theirs = reader.features(DecisionRows(everywhere, np.full(count, OTHER)))
                minds = reader.minds
                thought = minds.features(DecisionRows(np.arange(minds.count), np.full(minds.count, ME)))
                possible = minds.weights > 0
                same = np.isclose(thought, np.repeat(theirs, minds.each, axis=0), atol=1e-5).all(axis=1)
                whole = (cards_of(minds) == FULL).all(axis=1)
                agreeing.append((same & whole)[possible].mean())
            step = match.apply(action)
            memory = GAME.remember(memory, step.events, Seat(0))
        assert match.state.winners
    assert len(agreeing) > 25
    # With so few worlds, now and then none of them is left that agrees, and one that does not has to do.
    assert fmean(agreeing) > 0.98


def cards_of(tables: SimulatedTables) -> Ints:
    """By table, how many cards of each kind there are in all places together."""
    found: Ints = tables.hands.sum(axis=1) + tables.draw + tables.discard + tables.seen + tables.secret.sum(axis=1)
    some = np.flatnonzero(tables.top >= 0)
    found[some, tables.top[some]] += 1
    return found


def test_a_clone_chooses_as_the_player_that_it_is_cloned_from() -> None:
    """More often than whoever plays any card that is held; there are at least three."""
    _, alike = clone(games=40, seed=1, passes=12)
    assert alike > 0.4


def test_training_is_repeatable() -> None:
    learners = [Learner(seed=3, count=16) for _ in range(2)]
    for learner in learners:
        learn(learner, steps=2, report=print)
    first, again = (learner.policy.averaged.layers for learner in learners)
    for layer, same in zip(first, again, strict=True):
        assert np.array_equal(layer.weights, same.weights)


def test_a_thinker_of_the_style_of_level_6_plays_as_level_6() -> None:
    """The same actions in the same game; it says the chances of its choices, and by these its luck is nothing on
    average."""
    chance = SeededChance(game_seed("thinker", 0))
    thinkers: list[Thinker] = []

    def sit(seat: Seat, rng: Random) -> Thinker:
        thinkers.append(Thinker(seat, rng, TODAY))
        return thinkers[-1]

    level = find_policy(GAME, "computer:6")
    one, other = (SimulatedGame(GAME, [it, it], {}, chance, Random(1)) for it in (sit, level))
    while not one.over:
        before, action = one.state, one.next_action()
        assert action == other.next_action()
        weighed = thinkers[before.turn].weighed
        assert sum(share for _, share in weighed) == pytest.approx(1)
        lucky = [share * luck_of_choice(before, weighed, it, Seat(0), chance) for it, share in weighed if share]
        assert sum(lucky) == pytest.approx(0, abs=1e-6)
        one.apply(action)
        other.apply(action)
    assert other.over


def test_a_greedy_style_only_chooses_otherwise() -> None:
    assert greedy(TODAY).worlds == TODAY.worlds
    assert greedy(TODAY).looseness < TODAY.looseness


@pytest.mark.parametrize("what", ["--ten-times", "--gains"])
def test_more_time_is_measured_by_the_command_line(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([what, "2", "--worlds", "4", "--actions", "3", "--greedy"])
    assert capsys.readouterr().out.startswith("level 6 with 4 worlds of 3 actions, greedy,")
