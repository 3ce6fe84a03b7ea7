"""What is an action, in every game: what the view allows, what is malformed, what a transcript may hold."""

import json
from typing import Any

import pytest

from engine.errors import IllegalAction
from engine.fair import SeededChance
from engine.game import Seat
from tests.games import CASES

CHANCE = SeededChance(bytes(32))

every_game = pytest.mark.parametrize("game", sorted(CASES))


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
def test_a_game_without_calls_has_none(game: str) -> None:
    case = CASES[game]
    called = False
    for state, _, _ in case.steps(2, 8):
        called |= bool(case.rules.callers(state))
    assert called is (case.rules.calls is not None)
    if not called:
        with pytest.raises(LookupError, match="no calls"):
            case.rules.call([Seat(0)])
