"""Many tables of 17 at once play by the rules, and show seats what they may know; training makes players better."""

from collections import Counter
from random import Random
from statistics import fmean

import numpy as np
import pytest

from engine.fair import Fair
from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import KINDS, Card, Face
from engine.games.diciassette.choices import CALL, PASS, PLAYS
from engine.games.diciassette.course import ME, OTHER
from engine.games.diciassette.features import GUESS, features
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.open_features import open_features
from engine.games.diciassette.state import Laid, State
from engine.games.diciassette.tables import FULL, Ints, Rows, Tables
from engine.policies import policy
from engine.registry import GAMES
from engine.simulate import Match, seed_of
from engine.train.diciassette.clone import clone
from engine.train.diciassette.learn import Learner, learn
from engine.train.diciassette.matches import Player, share
from engine.train.diciassette.search import Exploiter

GAME = GAMES["diciassette"]
FAIR = Fair(bytes(32))


def counted(counts: np.ndarray[tuple[int], np.dtype[np.int16]]) -> tuple[Card, ...]:
    return tuple(card for card, count in zip(KINDS, counts, strict=True) for _ in range(count))


def state_at(tables: Tables, t: int) -> State:
    """Table *t* as the rules would have it; below the top card the draw pile is in the order of the deck."""
    seats = int(tables.sizes[t])
    queue = []
    for at in range(tables.length[t]):
        card = KINDS[tables.kinds[t, at]]
        queue.append(Laid(Seat(int(tables.owners[t, at])), card, Face.DOWN if tables.hidden[t, at] else Face.UP))
    top = (KINDS[tables.top[t]],) if tables.top[t] >= 0 else ()
    return State(
        ply=0,
        round=1,
        starter=Seat(0),
        direction=int(tables.direction[t]),
        turn=Seat(int(tables.turn[t])),
        owed=int(tables.owed[t]),
        duty=int(tables.duty[t]),
        doubled=bool(tables.doubled[t]),
        last=None if tables.last[t] < 0 else Seat(int(tables.last[t])),
        draw=top + counted(tables.draw[t]),
        discard=counted(tables.discard[t]),
        queue=tuple(queue),
        hands=tuple(counted(hand) for hand in tables.hands[t, :seats]),
        victory=tuple(tables.victory[t, :seats].tolist()),
        penalty=tuple(tables.penalty[t, :seats].tolist()),
        shuffles=1,
        winners=(),
    )


def alike(state: State) -> tuple[object, ...]:
    """*state* without what a table of arrays leaves out, or draws by another lot: the names of cards drawn, piles."""
    return (
        state._replace(
            ply=0, round=0, starter=Seat(0), shuffles=0, draw=(), discard=(), hands=tuple(map(len, state.hands))
        ),
        len(state.draw),
        len(state.discard),
    )  # type: ignore[return-value]


@pytest.mark.parametrize("seats", range(2, 7))
def test_tables_of_arrays_play_by_the_rules(seats: int) -> None:
    """Every action at random tables leads where the rules lead; everybody may do and know the same."""
    rng = np.random.default_rng(seats)
    tables = Tables(np.full(4, seats), rng)
    memories: list[list[Memory | None]] = [[None] * seats for _ in range(4)]
    ended = called = shuffled = 0
    for _ in range(250):
        before = [state_at(tables, t) for t in range(4)]
        rows = tables.due()
        x = tables.features(rows)
        opened = tables.open_features()
        allowed = tables.legal(rows, x[:, GUESS + 3] > 0)
        for t, state in enumerate(before):
            np.testing.assert_allclose(opened[t], open_features(state), atol=1e-6)
        callers = np.full(4, -1)
        for row, (t, seat) in enumerate(zip(rows.tables, rows.seats, strict=True)):
            view = GAME.view(before[t], Seat(int(seat)))
            np.testing.assert_allclose(x[row], features(view, memories[t][seat]), atol=1e-5)
            legal = GAME.legal_actions(before[t], Seat(int(seat)))
            plays = {(it.card, it.face is Face.DOWN) for it in legal if isinstance(it, Play)}
            assert {PLAYS[i] for i in np.flatnonzero(allowed[row, :CALL])} == {
                (card, down) for card, down in plays if not (down and card.open_back)
            }
            may = any(isinstance(it, Call) for it in legal)
            assert allowed[row, CALL] == (
                may and (x[row, GUESS + 3] == 0 or not any(allowed[row, [*range(CALL), PASS]]))
            )
            if row >= 4 and allowed[row, CALL] and rng.random() < 0.05:
                callers[t] = seat
        lots = rng.random(allowed.shape) * allowed
        lots[:, CALL] *= 1.1
        plays_chosen = lots[:4].argmax(axis=1)
        callers = np.where((callers < 0) & (plays_chosen == CALL), tables.turn, callers)
        over = tables.act(plays_chosen, callers)
        for t, state in enumerate(before):
            if callers[t] >= 0:
                step = GAME.apply(state, Call((Seat(int(callers[t])),)), FAIR)
                called += 1
            else:
                card, down = PLAYS[plays_chosen[t]]
                step = GAME.apply(state, Play(state.turn, card, Face.DOWN if down else Face.UP), FAIR)
            if step.state.winners:
                ended += 1
                share = over.shares[over.tables == t][0]
                expected = [1 / len(step.state.winners) * (seat in step.state.winners) for seat in range(6)]
                assert share.tolist() == pytest.approx(expected)
                memories[t] = [None] * seats
                continue
            assert t not in over.tables
            after = state_at(tables, t)
            assert alike(after) == alike(step.state)
            assert sum(map(Counter, after.hands), Counter(after.draw + after.discard)) == sum(
                map(Counter, step.state.hands), Counter(step.state.draw + step.state.discard)
            )
            shuffled += len(GAME.shuffles(step.events))
            for seat in range(seats):
                memories[t][seat] = remember(memories[t][seat], GAME.witnessed(step.events, Seat(seat)), Seat(seat))
    assert called > 20
    assert ended > 0
    assert shuffled > 0


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
    count = 12
    agreeing: list[float] = []
    for number in range(3):
        exploiters: list[Exploiter] = []

        def sits(seat: Seat, rng: Random, exploiters: list[Exploiter] = exploiters) -> Exploiter:
            exploiters.append(Exploiter(seat, rng, count))
            return exploiters[-1]

        match = Match(GAME, [sits, policy(GAME, "computer:4")], {}, Fair(seed_of("minds", number)), Random(number))
        memory = None
        while not match.over:
            seen = GAME.view(match.state, Seat(0))
            action = match.next_action()
            reader = exploiters[0].reader
            if seen.turn == 0 and reader is not None:
                everywhere = np.arange(count)
                mine = reader.features(Rows(everywhere, np.full(count, ME)))
                same = np.isclose(mine, features(seen, memory), atol=1e-5).all(axis=1)
                agreeing.append((same & (cards_of(reader) == FULL).all(axis=1)).mean())
                theirs = reader.features(Rows(everywhere, np.full(count, OTHER)))
                minds = reader.minds
                thought = minds.features(Rows(np.arange(minds.count), np.full(minds.count, ME)))
                possible = minds.weights > 0
                same = np.isclose(thought, np.repeat(theirs, minds.each, axis=0), atol=1e-5).all(axis=1)
                whole = (cards_of(minds) == FULL).all(axis=1)
                agreeing.append((same & whole)[possible].mean())
            step = match.apply(action)
            memory = GAME.remember(memory, step.events, Seat(0))
        assert match.state.winners
    assert len(agreeing) > 40
    # With so few worlds, now and then none of them is left that agrees, and one that does not has to do.
    assert fmean(agreeing) > 0.98


def cards_of(tables: Tables) -> Ints:
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
