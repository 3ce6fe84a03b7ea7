"""What a table of two may be, as a seat knows it: every world agrees with what the seat sees, and nothing hidden is in
it."""

from random import Random

import numpy as np
import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.choices import CALL, PLACES, Choice
from engine.games.diciassette.computers import LEVELS
from engine.games.diciassette.events import RoundStarted
from engine.games.diciassette.features import features
from engine.games.diciassette.game import GAME as RULES
from engine.games.diciassette.learnt import networks_for
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.remembered import ME, OTHER, reconstruct_round
from engine.games.diciassette.search import search_choice_values
from engine.games.diciassette.state import State
from engine.games.diciassette.tables import FULL, DecisionRows
from engine.games.diciassette.view import view
from engine.games.diciassette.worlds import sample_consistent_worlds
from engine.policies import find_policy
from engine.registry import GAMES
from engine.simulate import SimulatedGame, game_seed
from tests.games.diciassette import state

GAME = GAMES[RULES.name]
COUNT = 12


@pytest.mark.parametrize("who", ["random", f"computer:{LEVELS - 1}"])
@pytest.mark.parametrize("number", range(4))
def test_in_every_world_the_seat_sees_what_it_sees(who: str, number: int) -> None:
    match = SimulatedGame(
        GAME, [find_policy(GAME, who)] * 2, {}, SeededChance(game_seed("worlds", number)), Random(number)
    )
    memories: list[Memory | None] = [None, None]
    looked = 0
    while not match.over:
        state = match.state
        seat = state.turn
        memory = memories[seat]
        worlds = memory and sample_consistent_worlds(
            view(state, seat), seat, memory, networks_for(2).master_logits, COUNT, np.random.default_rng(number)
        )
        if worlds is not None:
            looked += 1
            seen = worlds.features(DecisionRows(np.arange(COUNT), np.full(COUNT, ME)))
            np.testing.assert_allclose(seen, np.tile(features(view(state, seat), memory), (COUNT, 1)), atol=1e-5)
            total = worlds.hands.sum(axis=1) + worlds.draw + worlds.discard + worlds.seen + worlds.secret.sum(axis=1)
            total[worlds.top >= 0, worlds.top[worlds.top >= 0]] += 1
            assert (total == FULL).all()
            assert (worlds.hands[:, OTHER].sum(axis=1) == len(state.hands[1 - seat])).all()
            assert (worlds.hands >= 0).all() and (worlds.draw >= 0).all()
        step = match.apply(match.next_action())
        memories = [GAME.remember(memories[it], step.events, Seat(it)) for it in (0, 1)]
    assert looked > 5


def test_where_no_world_agrees_it_cannot_tell_what_the_table_may_be() -> None:
    """A single world holds now and then what the seat sees that it cannot hold."""
    number = 3
    match = SimulatedGame(
        GAME, [find_policy(GAME, "computer:3")] * 2, {}, SeededChance(game_seed("one world", number)), Random(number)
    )
    memories: list[Memory | None] = [None, None]
    agreed = none = 0
    while not match.over:
        state = match.state
        seen, memory = view(state, state.turn), memories[state.turn]
        if memory is not None and reconstruct_round(seen, state.turn, memory) is not None:
            worlds = sample_consistent_worlds(
                seen, state.turn, memory, networks_for(2).master_logits, 1, np.random.default_rng(number)
            )
            none += worlds is None
            if worlds is not None:
                agreed += 1
                own = worlds.features(DecisionRows(np.zeros(1, np.int64), np.full(1, ME)))
                np.testing.assert_allclose(own[0], features(seen, memory), atol=1e-5)
        step = match.apply(match.next_action())
        memories = [GAME.remember(memories[it], step.events, Seat(it)) for it in (0, 1)]
    assert agreed > 0
    assert none > 0


def after(before: State, plays: list[Play], memory: Memory | None) -> tuple[State, Memory | None]:
    """The state that *plays* lead to from *before*, and what seat 0, who remembered *memory*, remembers then."""
    for play in plays:
        step = GAME.apply(before, play, SeededChance(bytes(32)))
        before, memory = step.state, GAME.remember(memory, step.events, Seat(0))
    return before, memory


def up(seat: int, card: Card) -> Play:
    return Play(Seat(seat), card, Face.UP)


ROUND_STARTED = remember(None, [RoundStarted(1, Seat(0))], Seat(0))


def test_the_call_that_is_sure_to_win_is_worth_the_game_and_waiting_next_to_nothing() -> None:
    """Both have two victory tokens, and 17 lies open (D14, D17)."""
    begun = state(["5 5 1", "5 4 2"], victory=(2, 2))
    plays = [up(0, Card.FIVE), up(1, Card.FIVE), up(0, Card.FIVE), up(1, Card.FOUR)]
    now, memory = after(begun, plays, ROUND_STARTED)
    assert memory is not None
    options = [CALL, PLACES[Choice(Card.ONE, hidden=False)]]
    networks = (networks_for(2).master_logits, networks_for(2).critic)
    worth = search_choice_values(view(now, Seat(0)), Seat(0), memory, options, networks, 32, Random(1))
    assert worth is not None
    call, wait = worth
    assert call == 1.0
    assert wait < 0.1


def test_where_the_game_goes_on_the_choices_are_worth_what_the_tokens_are() -> None:
    options = [PLACES[Choice(Card.ONE, hidden=False)], PLACES[Choice(Card.THREE, hidden=True)]]
    networks = (networks_for(2).master_logits, networks_for(2).critic)
    found = []
    for victory in ((0, 2), (0, 0), (2, 0)):
        now, memory = after(
            state(["5 3 1", "5 4 2"], victory=victory), [up(0, Card.FIVE), up(1, Card.FIVE)], ROUND_STARTED
        )
        assert memory is not None
        worth = search_choice_values(view(now, Seat(0)), Seat(0), memory, options, networks, 32, Random(1))
        assert worth is not None
        found.append(worth)
    behind, level, ahead = found
    assert (level > 0.25).all() and (level < 0.75).all()
    assert (behind > 0).all() and (behind + 0.1 < level).all() and (level + 0.1 < ahead).all()


def test_who_has_not_witnessed_the_whole_round_cannot_tell_what_the_table_may_be() -> None:
    begun = state(["5 5 1", "5 4 2"])
    now, early = after(begun, [up(0, Card.FIVE)], ROUND_STARTED)
    now, early, late = *after(now, [up(1, Card.FIVE)], early), after(now, [up(1, Card.FIVE)], None)[1]
    assert early is not None
    assert late is not None
    assert reconstruct_round(view(now, Seat(0)), Seat(0), early) is not None
    assert reconstruct_round(view(now, Seat(0)), Seat(0), late) is None


def test_after_a_shuffle_it_cannot_tell_what_the_table_may_be() -> None:
    """It could, but it would have to deal the discard pile anew; and there is hardly ever a shuffle in a round."""
    begun = state(["5 5 1", "5 4 2"], draw="3", discard="1 1 1 2 2 2 3 3")
    memory = remember(ROUND_STARTED, [], Seat(0))
    now, witnessed_all = after(begun, [up(0, Card.FIVE), up(1, Card.FIVE)], memory)
    assert now.shuffles > begun.shuffles
    assert witnessed_all is not None
    assert reconstruct_round(view(now, Seat(0)), Seat(0), witnessed_all) is None
