"""Properties of every game there is, over random playthroughs."""

import json
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codec import build_decoder, build_encoder
from engine.errors import General, IllegalAction
from engine.fair import SeededChance
from engine.game import Seat
from engine.playthrough import playthrough_lines
from engine.policies import RANDOM, find_policy
from engine.simulate import SimulatedGame, simulate_games
from tests.games import CASES
from tests.games.case import Case, Options
from tests.playthroughs import FOLDER, computers, of_computers, written

CHANCE = SeededChance(bytes(32))

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_size = pytest.mark.parametrize(
    ("game", "seats"), [(game, n) for game in sorted(CASES) for n in CASES[game].rules.seats]
)


class Played(NamedTuple):
    """A random game: how many play, its seed, its options."""

    case: Case
    seats: int
    seed: int
    options: Options

    def steps(self) -> Any:
        """(state, action, step) of the whole game."""
        return self.case.steps(self.seats, self.seed, self.options)


def some_game(data: st.DataObject, game: str) -> Played:
    """A random game of *game*."""
    case = CASES[game]
    seats = data.draw(st.sampled_from(list(case.rules.seats)), label="seats")
    seed = data.draw(st.integers(0, 2**32), label="seed")
    return Played(case, seats, seed, data.draw(st.sampled_from(list(case.options)), label="options"))


@every_game
@given(st.data())
def test_whoever_is_on_turn_can_act_until_the_game_ends_and_every_card_is_there_always_d1_t1(
    game: str, data: st.DataObject
) -> None:
    played = some_game(data, game)
    case = played.case
    count = 0
    for number, (state, _, step) in enumerate(played.steps()):
        assert case.rules.legal_actions(state, case.rules.on_turn(state))
        assert (state.ply, step.state.ply) == (number, number + 1)
        assert case.everything(step.state) == case.pack(played.seats)
        count += 1
    assert 0 < count < 20_000
    assert {standing.place for standing in case.rules.standings(step.state)} >= {1}


@every_game
@given(st.data())
def test_legal_actions_and_apply_agree(game: str, data: st.DataObject) -> None:
    """Whatever is conceivable is tried for every seat that may do something, and for one seat after the other."""
    case, seats, seed, options = some_game(data, game)
    for number, (state, _, _) in enumerate(case.steps(seats, seed, options)):
        if number % 4:
            continue
        for seat in map(Seat, range(seats)):
            legal = case.rules.legal_actions(state, seat)
            assert len(set(legal)) == len(legal)
            if legal or seat == number // 4 % seats:
                for action in {*legal, *case.conceivable(state, seat)}:
                    agree(case, state, action, set(legal))


def agree(case: Case, state: Any, action: Any, legal: set[Any]) -> None:
    if action in legal:
        case.rules.apply(state, action, CHANCE)
    else:
        with pytest.raises(IllegalAction) as caught:
            case.rules.apply(state, action, CHANCE)
        assert isinstance(caught.value.reason, General | case.rules.refused)


@every_game
@given(st.data())
def test_json_round_trips_and_the_old_state_is_unchanged(game: str, data: st.DataObject) -> None:
    played = some_game(data, game)
    case = played.case
    rules = case.rules
    for state, action, step in played.steps():
        encoded = rules.encode_state(state)
        assert rules.decode_state(encoded) == state
        assert rules.decode_action(rules.encode_action(action)) == action
        assert [rules.decode_event(rules.encode_event(event)) for event in step.events] == list(step.events)
        rules.apply(state, action, CHANCE)
        assert rules.encode_state(state) == encoded


@every_game
def test_highlights_round_trip_and_nothing_of_them_is_ever_lost(game: str) -> None:
    """A game that has highlights has some at the end, of the same type all along."""
    rules = CASES[game].rules
    told, kinds = None, set()
    for before, _, step in CASES[game].steps(rules.seats[0], seed=1, options=CASES[game].quick):
        kept = told
        told = rules.add_highlights(told, before, step)
        kinds.add(type(told))
        if told is not None:
            kind = type(rules.highlights.NOTHING)
            assert build_decoder(kind)(json.loads(json.dumps(build_encoder(kind)(told)))) == told
            assert kept is None or all(new or not old for old, new in zip(kept, told, strict=True))
    assert len(kinds) == 1
    assert told is None or any(told)


@every_game
@given(st.data())
def test_a_replay_from_seed_and_actions_is_the_same_game(game: str, data: st.DataObject) -> None:
    case, seats, seed, options = some_game(data, game)
    chance = SeededChance(seed.to_bytes(32, "big"))
    state = case.rules.new(seats, options, chance).state
    for before, action, step in case.steps(seats, seed, options):
        assert state == before
        state = case.rules.apply(state, action, chance).state
        assert state == step.state


@every_game
@given(st.data(), st.integers(0, 2**32))
def test_dealing_anew_what_a_seat_cannot_see_leaves_view_and_events_equal_d2_t11(
    game: str, data: st.DataObject, deal: int
) -> None:
    played = some_game(data, game)
    case = played.case
    rng = Random(deal)
    changed = 0
    for number, (_, _, step) in enumerate(played.steps()):
        if number % 3:
            continue
        for seat in (None, *map(Seat, range(played.seats))):
            other = case.redealt(step.state, seat, rng)
            assert case.everything(other) == case.pack(played.seats)
            assert case.rules.views.view(other, seat) == case.rules.views.view(step.state, seat)
            changed += other != step.state
            events = [case.otherwise(event, seat, rng) for event in step.events]
            assert case.rules.events_as_seen(events, seat) == case.rules.events_as_seen(step.events, seat)
    assert changed


@every_game
def test_a_computer_player_decides_alike_when_what_it_cannot_see_is_dealt_anew(game: str) -> None:
    case, rng = CASES[game], Random(7)
    rules = case.rules
    now = rules.new(rules.seats[-1], {}, CHANCE).state
    for number in range(60):
        if rules.on_turn(now) is None:
            break
        for seat in map(Seat, range(rules.seats[-1])):
            mine, theirs = rules.views.view(now, seat), rules.views.view(case.redealt(now, seat, rng), seat)
            assert rules.decide(mine, Random(number)) == rules.decide(theirs, Random(number))
        now = rules.apply(now, rules.decide(rules.views.view(now, rules.on_turn(now)), Random(number)), CHANCE).state


@every_game
def test_a_spectator_decides_nothing(game: str) -> None:
    rules = CASES[game].rules
    with pytest.raises(ValueError, match="spectator"):
        rules.decide(rules.views.view(rules.new(2, {}, CHANCE).state, None), Random(0))


@pytest.mark.one_in(5)
@every_game
def test_a_computer_player_beats_random_ones(game: str) -> None:
    """40 short games, seats rotated; ``make tournament`` says how strong they are."""
    case = CASES[game]
    for players, least in case.computer_wins.items():
        policies = ["computer", *["random"] * (players - 1)]
        tally = simulate_games(case.rules, players, 40, "strength", policies, case.quick)
        assert tally.policy_wins["computer"] / tally.games >= least


@every_game
def test_every_game_of_a_simulation_is_won_once(game: str) -> None:
    """A joint win is shared; by seat it counts for each winner."""
    case = CASES[game]
    seats = case.rules.seats[0]
    tally = simulate_games(case.rules, seats, 5, "totals", [RANDOM] * seats, case.quick)
    assert (tally.games, tally.policy_wins) == (5, {RANDOM: pytest.approx(5)})
    assert sum(tally.wins) >= tally.games <= tally.actions


class Witness:
    """A player that chooses at random, and notes all that it observes."""

    def __init__(self, game: str, seat: Seat, rng: Random) -> None:
        self._player = find_policy(CASES[game].rules, RANDOM)(seat, rng)
        self.observed: list[Any] = []

    def choose_action(self, state: Any) -> Any:
        """Choose at random."""
        return self._player.choose_action(state)

    def observe_events(self, events: Iterable[Any]) -> None:
        """Note *events*."""
        self.observed += events


@every_game
def test_players_observe_all_that_happens_from_the_deal_on(game: str) -> None:
    case, players = CASES[game], list[Witness]()

    def policy(seat: Seat, rng: Random) -> Witness:
        """A witness in *seat*."""
        players.append(Witness(game, seat, rng))
        return players[-1]

    match = SimulatedGame(case.rules, [policy] * case.rules.seats[0], case.quick, CHANCE, Random(0))
    happened = [*match.dealt]
    while not match.over:
        happened += match.apply(match.next_action()).events
    assert [it.observed for it in players] == [happened] * case.rules.seats[0]


@every_size
def test_long_random_games_end(game: str, seats: int) -> None:
    case = CASES[game]
    for options in case.options:
        for seed in range(20 // len(case.options)):
            *_, (_, _, last) = case.steps(seats, seed, options)
            assert case.rules.on_turn(last.state) is None
            assert case.rules.ends_round(last.events), "concludes_with names no event of the step that ends the game"
            assert case.rules.standings(last.state)[0].place == 1


# As text


@every_game
def test_only_a_pass_is_made_by_itself_and_only_where_nothing_else_is_possible(game: str) -> None:
    case = CASES[game]
    rules = case.rules
    for state, _, _ in case.steps(3, 1, case.quick):
        legal = rules.legal_actions(state, rules.on_turn(state))
        only = len(legal) == 1 and rules.is_pass(legal[0])
        assert rules.forced_pass(state) == (legal[0] if only else None)
        assert rules.passes is not None or not any(map(rules.is_pass, legal))
    over, events = [step for _, _, step in case.steps(3, 1, case.quick)][-1]
    assert rules.ends_round(events)
    assert rules.forced_pass(over) is None
    assert not any(rules.legal_actions(over, Seat(seat)) for seat in range(3)), "after the end nothing can be done"


@every_game
def test_the_playthroughs_are_as_written(game: str) -> None:
    """``make playthroughs`` writes them anew; read the diff: it is how a change of the rules is reviewed."""
    case = CASES[game]
    assert case.playthroughs
    for seats, options in case.playthroughs:
        path, seed = written(game, seats, options)
        assert path.exists(), "run make playthroughs"
        assert path.read_text("utf-8").splitlines() == list(playthrough_lines(case.rules, seats, seed, options)), (
            path.name
        )


@pytest.mark.one_in(3)
@every_size
def test_computer_players_move_as_written(game: str, seats: int) -> None:
    """Whoever changes how they play runs ``make playthroughs``, and looks at how strong they are now."""
    lines = of_computers(game).read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith(f"{seats} ")] == list(computers(CASES[game], seats))


@every_game
def test_no_playthrough_is_left_over(game: str) -> None:
    whole = {written(game, *it)[0] for it in CASES[game].playthroughs}
    assert set(FOLDER.glob(f"{game}-*.txt")) == {*whole, of_computers(game)}


def test_every_playthrough_is_one_of_a_game() -> None:
    assert {path.name.partition("-")[0] for path in FOLDER.glob("*.txt")} == set(CASES)


@every_game
def test_what_is_measured_of_levels_is_measured_in_games_of_two(game: str) -> None:
    """With more players luck decides no less, and whatever the options no less than with the usual ones."""
    rules = CASES[game].rules
    if rules.ladder is None:
        return
    assert len(rules.ladder.SHARES) == rules.computers.LEVELS - 1
    assert all(0.5 < share < 1 for share in rules.ladder.SHARES)
    assert rules.ladder.luck(2, rules.check_options({})) == 1
    for options in map(rules.check_options, CASES[game].options):
        lucks = [rules.ladder.luck(seats, options) for seats in rules.seats]
        assert lucks == sorted(lucks)
        assert lucks[0] >= 1
