"""Properties of every game there is, over random playthroughs."""

import json
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import General, IllegalAction
from engine.fair import Fair
from engine.game import Seat
from engine.playthrough import playthrough
from engine.simulate import play
from engine.text import fields, text
from tests.games import CASES
from tests.games.case import Case, Options
from tests.playthroughs import written

CHANCE = Fair(bytes(32))

every_game = pytest.mark.parametrize("game", sorted(CASES))


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
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_card_always_d1_t1(game: str, data: st.DataObject) -> None:
    played = some_game(data, game)
    case = played.case
    for _, _, step in played.steps():
        assert case.everything(step.state) == case.pack(played.seats)


@every_game
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_never_stuck_whoever_is_on_turn_can_act_and_the_game_ends(game: str, data: st.DataObject) -> None:
    played = some_game(data, game)
    case = played.case
    count = 0
    for number, (state, _, step) in enumerate(played.steps()):
        assert case.rules.legal_actions(state, case.rules.on_turn(state))
        assert (case.rules.ply(state), case.rules.ply(step.state)) == (number, number + 1)
        count += 1
    assert 0 < count < 20_000
    assert {standing.place for standing in case.rules.standings(step.state)} >= {1}


@every_game
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_legal_actions_and_apply_agree(game: str, data: st.DataObject) -> None:
    case, seats, seed, options = some_game(data, game)
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
        assert isinstance(caught.value.reason, General | case.rules.refused)


@every_game
@settings(max_examples=15, deadline=None)
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
@settings(max_examples=10, deadline=None)
@given(st.data())
def test_a_replay_from_seed_and_actions_is_the_same_game(game: str, data: st.DataObject) -> None:
    case, seats, seed, options = some_game(data, game)
    chance = Fair(seed.to_bytes(32, "big"))
    state = case.rules.new(seats, options, chance).state
    for before, action, step in case.steps(seats, seed, options):
        assert state == before
        state = case.rules.apply(state, action, chance).state
        assert state == step.state


@every_game
@settings(max_examples=30, deadline=None)
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
            assert case.rules.view(other, seat) == case.rules.view(step.state, seat)
            changed += other != step.state
            events = [case.otherwise(event, seat, rng) for event in step.events]
            assert case.rules.witnessed(events, seat) == case.rules.witnessed(step.events, seat)
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
            mine, theirs = rules.view(now, seat), rules.view(case.redealt(now, seat, rng), seat)
            assert rules.decide(mine, Random(number)) == rules.decide(theirs, Random(number))
        now = rules.apply(now, rules.decide(rules.view(now, rules.on_turn(now)), Random(number)), CHANCE).state


@every_game
def test_a_spectator_decides_nothing(game: str) -> None:
    rules = CASES[game].rules
    with pytest.raises(ValueError, match="spectator"):
        rules.decide(rules.view(rules.new(2, {}, CHANCE).state, None), Random(0))


@every_game
def test_a_computer_player_beats_random_ones(game: str) -> None:
    """300 games, seats rotated; longer runs and their figures are in docs/architecture.md."""
    case = CASES[game]
    for players, least in case.computer_wins.items():
        policies = ["computer", *["random"] * (players - 1)]
        tally = play(case.rules, players, 300, "strength", policies, {})
        assert tally.policy_wins["computer"] / tally.games >= least


@every_game
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


# What is no action, and what reads as one


JUNK: tuple[Any, ...] = (None, True, 1, 1.0, "0", "", (), [], {}, (1,), ("x",), b"x", Seat(99), -1)


def twisted(action: Any) -> list[Any]:
    """*action* with every field in turn made something of another type, or a seat that nobody has."""
    return [
        action._replace(**{name: junk})
        for name, value in zip(action._fields, action, strict=True)
        for junk in (*JUNK, (value,), (True,), (1.0,), (99,), (-1,), (value, value))
        if not (type(junk) is type(value) and junk == value)
    ]


@every_game
def test_a_malformed_action_is_refused_and_never_an_error(game: str) -> None:
    case = CASES[game]
    rules = case.rules
    kinds = set()
    for number, (state, action, _) in enumerate(case.steps(3, 5)):
        if number > 60:
            break
        kinds.add(type(action))
        legal = {action for seat in range(3) for action in rules.legal_actions(state, Seat(seat))}
        for wrong in (*JUNK, *(twisted(action) if number % 6 == 0 else ())):
            try:
                allowed = wrong in legal and all(map(same_type, wrong, next(it for it in legal if it == wrong)))
            except TypeError:  # it cannot be hashed, or has no fields
                allowed = False
            if not allowed:
                with pytest.raises(IllegalAction):
                    rules.apply(state, wrong, CHANCE)
    assert kinds


def same_type(one: Any, other: Any) -> bool:
    """Whether they are not only equal: ``True`` is 1, and no seat."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_type, one, other))
    return type(one) is type(other)


@every_game
def test_a_malformed_transcript_line_is_refused(game: str) -> None:
    """Whatever is not exactly what ``encode_action`` writes: another type, a field too many or too few."""
    case = CASES[game]
    for number, (_, action, _) in enumerate(case.steps(3, 6)):
        if number > 30:
            break
        data = case.rules.encode_action(action)
        assert case.rules.decode_action(data) == action
        wrong: list[Any] = [*JUNK, {**data, "more": 1}]
        for key, value in data.items():
            wrong.append({name: kept for name, kept in data.items() if name != key})
            junk = [*JUNK, [value], [True], [1.0], str(value), float(value) if isinstance(value, int) else 0.5]
            wrong += [{**data, key: it} for it in junk if not (type(it) is type(value) and it == value)]
        for it in wrong:
            try:
                decoded = case.rules.decode_action(it)
            except ValueError:
                continue
            assert json.dumps(case.rules.encode_action(decoded), sort_keys=True) == json.dumps(it, sort_keys=True)


@every_game
def test_what_the_view_allows_is_what_the_rules_allow(game: str) -> None:
    """Controls are made from the view: nothing that is offered is refused, and nothing legal is missing."""
    case = CASES[game]
    rules = case.rules
    for seats in rules.seats:
        for number, (state, _, _) in enumerate(case.steps(seats, 7)):
            if number > 80:
                break
            for seat in map(Seat, range(seats)):
                offered = rules.actions(rules.view(state, seat))
                assert len(set(offered)) == len(offered)
                calls = (rules.call((seat,)),) if seat in rules.may_call(state) else ()
                assert (*offered, *calls) == rules.legal_actions(state, seat)
                assert not (offered and rules.on_turn(state) != seat)
            assert rules.actions(rules.view(state, None)) == ()


@every_game
def test_a_game_without_calls_has_none(game: str) -> None:
    case = CASES[game]
    called = False
    for state, _, _ in case.steps(2, 8):
        called |= bool(case.rules.may_call(state))
    assert called is case.rules.has_calls
    if not called:
        with pytest.raises(LookupError, match="no calls"):
            case.rules.call([Seat(0)])


# As text


@every_game
def test_a_state_a_view_and_an_action_are_readable_text(game: str) -> None:
    case = CASES[game]
    for state, action, step in case.steps(2, 9):
        for said in (*fields(state).values(), *fields(case.rules.view(state, Seat(0))).values(), text(action)):
            assert "\n" not in said
            assert "<" not in said, "the repr of an object"
        assert all(text(event).startswith(type(event).__name__) for event in step.events)


@every_game
def test_the_playthroughs_are_as_written(game: str) -> None:
    """``make playthroughs`` writes them anew; read the diff: it is how a change of the rules is reviewed."""
    case = CASES[game]
    assert case.playthroughs
    for seats, options in case.playthroughs:
        path, seed = written(game, seats, options)
        assert path.exists(), "run make playthroughs"
        assert path.read_text("utf-8").splitlines() == list(playthrough(case.rules, seats, seed, options)), path.name


def test_no_playthrough_is_left_over() -> None:
    wanted = {written(game, *it)[0] for game, case in CASES.items() for it in case.playthroughs}
    found = set(next(iter(wanted)).parent.glob("*.txt"))
    assert found == wanted
