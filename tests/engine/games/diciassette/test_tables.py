"""Many tables of 17 at once play by the rules, and show seats what they may know."""

from collections import Counter

import numpy as np
import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import KINDS, Card, Face
from engine.games.diciassette.choices import CALL, PASS, PLAYS
from engine.games.diciassette.features import GUESS, features
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.open_features import open_cards_features
from engine.games.diciassette.state import Laid, State
from engine.games.diciassette.tables import SimulatedTables
from engine.registry import GAMES

GAME = GAMES["diciassette"]
FAIR = SeededChance(bytes(32))


def counted(counts: np.ndarray[tuple[int], np.dtype[np.int16]]) -> tuple[Card, ...]:
    return tuple(card for card, count in zip(KINDS, counts, strict=True) for _ in range(count))


def state_at(tables: SimulatedTables, t: int) -> State:
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


@pytest.mark.one_in(5)
@pytest.mark.parametrize("seats", range(2, 7))
def test_tables_of_arrays_play_by_the_rules(seats: int) -> None:
    """Every action at random tables leads where the rules lead; everybody may do and know the same."""
    rng = np.random.default_rng(seats)
    tables = SimulatedTables(np.full(4, seats), rng)
    memories: list[list[Memory | None]] = [[None] * seats for _ in range(4)]
    ended = called = shuffled = 0
    for _ in range(250):
        before = [state_at(tables, t) for t in range(4)]
        rows = tables.pending_decisions()
        x = tables.features(rows)
        opened = tables.features_with_open_cards()
        allowed = tables.legal_choices(rows, x[:, GUESS + 3] > 0)
        for t, state in enumerate(before):
            np.testing.assert_allclose(opened[t], open_cards_features(state), atol=1e-6)
        callers = np.full(4, -1)
        for row, (t, seat) in enumerate(zip(rows.tables, rows.seats, strict=True)):
            view = GAME.views.view(before[t], Seat(int(seat)))
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
        over = tables.apply_actions(plays_chosen, callers)
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
            shuffled += len(GAME.shuffle_orders(step.events))
            for seat in range(seats):
                memories[t][seat] = remember(
                    memories[t][seat], GAME.events_as_seen(step.events, Seat(seat)), Seat(seat)
                )
    assert called > 20
    assert ended > 0
    assert shuffled > 0
