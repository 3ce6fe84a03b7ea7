"""Properties of every game there is, over random playthroughs."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import General, IllegalAction
from engine.fair import Fair
from engine.game import Seat
from engine.simulate import play
from tests.games import CASES
from tests.games.case import Case

CHANCE = Fair(bytes(32))


@st.composite
def playthroughs(draw: st.DrawFn) -> tuple[Case, int, int, dict[str, str]]:
    """(game, players, seed, options)."""
    case = CASES[draw(st.sampled_from(sorted(CASES)))]
    seats = draw(st.sampled_from(list(case.rules.seats)))
    return case, seats, draw(st.integers(0, 2**32)), draw(st.sampled_from(list(case.options)))


Playthrough = tuple[Case, int, int, dict[str, str]]


@settings(max_examples=80, deadline=None)
@given(playthroughs())
def test_every_card_always_d1_t1(playthrough: Playthrough) -> None:
    case, *game = playthrough
    for _, _, step in case.steps(*game):
        assert case.everything(step.state) == case.deck


@settings(max_examples=80, deadline=None)
@given(playthroughs())
def test_never_stuck_whoever_is_on_turn_can_act_and_the_game_ends(playthrough: Playthrough) -> None:
    case, *game = playthrough
    count = 0
    for number, (state, _, step) in enumerate(case.steps(*game)):
        assert case.rules.legal_actions(state, case.rules.on_turn(state))
        assert (case.rules.ply(state), case.rules.ply(step.state)) == (number, number + 1)
        count += 1
    assert 0 < count < 20_000
    assert {standing.place for standing in case.rules.standings(step.state)} >= {1}


@settings(max_examples=30, deadline=None)
@given(playthroughs())
def test_legal_actions_and_apply_agree(playthrough: Playthrough) -> None:
    case, seats, seed, options = playthrough
    for number, (state, _, _) in enumerate(case.steps(seats, seed, options)):
        if number % 4:
            continue
        for seat in map(Seat, range(seats)):
            legal = case.rules.legal_actions(state, seat)
            assert len(set(legal)) == len(legal)
            for action in {*legal, *case.conceivable(state, seat)}:
                agree(case, state, action, set(legal))


def agree(case: Case, state: Any, action: Any, legal: set[Any]) -> None:
    if action in legal:
        case.rules.apply(state, action, CHANCE)
    else:
        with pytest.raises(IllegalAction) as caught:
            case.rules.apply(state, action, CHANCE)
        assert isinstance(caught.value.reason, General | case.rules.reasons)


@settings(max_examples=30, deadline=None)
@given(playthroughs())
def test_json_round_trips_and_the_old_state_is_unchanged(playthrough: Playthrough) -> None:
    case, *game = playthrough
    rules = case.rules
    for state, action, step in case.steps(*game):
        encoded = rules.encode_state(state)
        assert rules.decode_state(encoded) == state
        assert rules.decode_action(rules.encode_action(action)) == action
        assert [rules.decode_event(rules.encode_event(event)) for event in step.events] == list(step.events)
        rules.apply(state, action, CHANCE)
        assert rules.encode_state(state) == encoded


@settings(max_examples=20, deadline=None)
@given(playthroughs())
def test_a_replay_from_seed_and_actions_is_the_same_game(playthrough: Playthrough) -> None:
    case, seats, seed, options = playthrough
    chance = Fair(seed.to_bytes(32, "big"))
    state = case.rules.new(seats, options, chance).state
    for before, action, step in case.steps(seats, seed, options):
        assert state == before
        state = case.rules.apply(state, action, chance).state
        assert state == step.state


@settings(max_examples=60, deadline=None)
@given(playthroughs(), st.integers(0, 2**32))
def test_dealing_anew_what_a_seat_cannot_see_leaves_view_and_events_equal_d2_t11(
    playthrough: Playthrough, deal: int
) -> None:
    case, *game = playthrough
    rng = Random(deal)
    changed = 0
    for number, (_, _, step) in enumerate(case.steps(*game)):
        if number % 3:
            continue
        for seat in (None, *map(Seat, range(game[0]))):
            other = case.redealt(step.state, seat, rng)
            assert case.everything(other) == case.deck
            assert case.rules.view(other, seat) == case.rules.view(step.state, seat)
            changed += other != step.state
            events = [case.otherwise(event, seat, rng) for event in step.events]
            assert case.rules.witnessed(events, seat) == case.rules.witnessed(step.events, seat)
    assert changed


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_computer_player_decides_alike_when_what_it_cannot_see_is_dealt_anew(game: str) -> None:
    case, rng = CASES[game], Random(7)
    rules = case.rules
    now = rules.new(4, {}, CHANCE).state
    for number in range(60):
        if rules.on_turn(now) is None:
            break
        for seat in map(Seat, range(4)):
            mine, theirs = rules.view(now, seat), rules.view(case.redealt(now, seat, rng), seat)
            assert rules.decide(mine, Random(number)) == rules.decide(theirs, Random(number))
        now = rules.apply(now, rules.decide(rules.view(now, rules.on_turn(now)), Random(number)), CHANCE).state


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_spectator_decides_nothing(game: str) -> None:
    rules = CASES[game].rules
    with pytest.raises(ValueError, match="spectator"):
        rules.decide(rules.view(rules.new(2, {}, CHANCE).state, None), Random(0))


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_computer_player_beats_random_ones(game: str) -> None:
    """300 games, seats rotated; longer runs and their figures are in docs/architecture.md."""
    case = CASES[game]
    for players, least in case.computer_wins.items():
        policies = ["computer", *["random"] * (players - 1)]
        tally = play(case.rules, players, 300, "strength", policies, {})
        assert tally.policy_wins["computer"] / tally.games >= least


@pytest.mark.parametrize("game", sorted(CASES))
def test_computers_among_themselves_finish(game: str) -> None:
    rules = CASES[game].rules
    tally = play(rules, rules.seats[-1], 5, "peers", ["computer"] * rules.seats[-1], {})
    assert tally.games == 5
    assert sum(tally.wins) >= 5


@pytest.mark.parametrize(("game", "seats"), [(game, n) for game in sorted(CASES) for n in CASES[game].rules.seats])
def test_long_random_games_end(game: str, seats: int) -> None:
    case = CASES[game]
    for options in case.options:
        for seed in range(60):
            *_, (_, _, last) = case.steps(seats, seed, options)
            assert case.rules.on_turn(last.state) is None
            assert case.rules.standings(last.state)[0].place == 1
