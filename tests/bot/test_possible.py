"""What a table can be, to the edge: a row of the store may hold anything; tables as JSON."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.store.tables import table_from_json, table_to_json
from bot.tables.leaving import leave_game
from bot.tables.model import Call, CallWindow, Ending, HeldMove, Phase, Player, Table, check_table_values
from engine.game import Json, Seat
from tests.bot.calling import FOUR, THREE, call, lay, table
from tests.bot.tables import NOW, opened, pass_time, started
from tests.games import CASES

YEAR_2100 = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp() * 1000)
Set = Callable[[Table, Any], Table]


@pytest.fixture(params=sorted(CASES))
def fresh(request: pytest.FixtureRequest) -> Table:
    """A game of every kind that was dealt at NOW."""
    return started(request.param)


def field(name: str) -> Set:
    """Sets the field *name* of a table."""
    return lambda table, value: table._replace(**{name: value})


def option(name: str) -> Set:
    """Sets the option *name* of a table."""
    return lambda table, value: table._replace(options=table.options._replace(**{name: value}))


def held(table: Table, **values: Any) -> Table:
    return table._replace(held=HeldMove(Seat(0), {}, NOW, NOW)._replace(**values))


def window(table: Table, calls: tuple[Call, ...] = (Call(Seat(0), NOW),), **values: Any) -> Table:
    return table._replace(window=CallWindow(calls, NOW)._replace(**values))


TIMES: dict[str, Set] = {
    **{
        name: field(name)
        for name in (
            "created_at",
            "changed_at",
            "turn_began",
            "beat_ends",
            "reminded",
            "turn_credit",
            "offered_at",
            "reserved_until",
        )
    },
    "active_at": lambda table, value: table.with_changed_player(Seat(1), active_at=value),
    "lands_at": lambda table, value: held(table, lands_at=value),
    "held_due": lambda table, value: held(table, due=value),
    "window_due": lambda table, value: window(table, due=value),
    "call": lambda table, value: window(table, (Call(Seat(0), NOW), Call(Seat(1), value))),
}
IDS: dict[str, Set] = {
    **{name: field(name) for name in ("guild", "channel", "host", "opened_by")},
    "user": lambda table, value: table.with_changed_player(Seat(1), user=value),
}
SEATS: dict[str, Set] = {
    "held": lambda table, value: held(table, seat=value),
    "barred": lambda table, value: window(table, barred=(Seat(0), value)),
    "call": lambda table, value: window(table, (Call(Seat(0), NOW), Call(value, NOW))),
    "overdue": field("overdue"),
}
EDGES = [
    *((name, put, YEAR_2100 - 1) for name, put in TIMES.items()),
    *((name, put, 2**63 - 1) for name, put in IDS.items()),
    *((f"seat_{name}", put, None) for name, put in SEATS.items()),
    ("window_ms", option("window_ms"), 60_000),
    ("hold_ms", option("hold_ms"), 60_000),
]


@pytest.mark.parametrize(("put", "most"), [pytest.param(put, most, id=name) for name, put, most in EDGES])
def test_the_largest_value_is_possible_and_the_next_is_not(fresh: Table, put: Set, most: int | None) -> None:
    """Of seats (``None``) the largest is the last one."""
    last = len(fresh.players) - 1 if most is None else most
    check_table_values(put(fresh, 0))
    check_table_values(put(fresh, last))
    for wrong in (last + 1, -1):
        with pytest.raises(ValueError, match="impossible"):
            check_table_values(put(fresh, wrong))


def test_the_host_need_not_choose_a_limit_and_none_is_longer_than_a_day(fresh: Table) -> None:
    limit = option("turn_seconds")
    for possible in (None, 0, 86_400):
        check_table_values(limit(fresh, possible))
    for wrong in (86_401, -1):
        with pytest.raises(ValueError, match="impossible turn limit"):
            check_table_values(limit(fresh, wrong))


def test_a_person_sits_there_once_and_computers_as_often_as_they_like(fresh: Table) -> None:
    players = (Player("a"), Player("b"))
    check_table_values(fresh._replace(players=players))
    with pytest.raises(ValueError, match="twice"):
        check_table_values(fresh._replace(players=(Player("a", 7), Player("b", 7))))


def test_a_call_window_has_a_call(fresh: Table) -> None:
    check_table_values(window(fresh))
    with pytest.raises(ValueError, match="without a call"):
        check_table_values(window(fresh, ()))


def test_a_lobby_has_room_and_no_cards(fresh: Table) -> None:
    lobby, most = opened(fresh.game), fresh.rules.seats[-1]
    check_table_values(lobby._replace(players=tuple(Player(str(number)) for number in range(most))))
    for wrong in (
        lobby._replace(players=tuple(Player(str(number)) for number in range(most + 1))),
        lobby._replace(state=fresh.state, seed=fresh.seed),
    ):
        with pytest.raises(ValueError, match="lobby"):
            check_table_values(wrong)


def test_a_game_has_its_seed_and_its_players_and_is_not_over_while_it_runs(fresh: Table) -> None:
    check_table_values(fresh)
    over = fresh._replace(state=fresh.state._replace(winners=(Seat(0),)))
    check_table_values(over._replace(phase=Phase.OVER))
    for wrong in (
        fresh._replace(seed="no number"),
        fresh._replace(seed="00"),
        over,
        fresh._replace(players=fresh.players[:1]),
        fresh._replace(state=None),
    ):
        with pytest.raises((ValueError, AttributeError)):
            check_table_values(wrong)


def test_a_deal_is_that_of_its_table(fresh: Table) -> None:
    dealt = fresh._replace(state=None, phase=Phase.OVER)
    check_table_values(dealt)
    for wrong in (
        dealt._replace(secret=dealt.secret[2:]),
        dealt._replace(players=(*dealt.players, Player("one more"))),
        dealt._replace(game=next(game for game in CASES if game != dealt.game)),
    ):
        with pytest.raises(ValueError, match="another table's deal"):
            check_table_values(wrong)


# Tables in the store: they come back as they were.


def stored(t: Table) -> Json:
    """*t* as the store keeps it."""
    row: Json = json.loads(json.dumps(table_to_json(t)))
    return row


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_table_of_every_game_round_trips_through_json(game: str) -> None:
    fresh = started(game)
    played = pass_time(leave_game(fresh, 100), NOW + 600_000)
    assert played.state.ply > 1
    for each in (opened(game), fresh, played._replace(entries=())):
        assert table_from_json(stored(each)) == each


@pytest.mark.about("diciassette")
def test_moves_and_calls_that_have_not_taken_effect_round_trip_through_json() -> None:
    held = lay(table(THREE), 1, at=NOW).table
    called = call(table(FOUR), 2, at=NOW).table
    over = pass_time(call(table(THREE._replace(victory=(2, 0, 0))), 2, at=NOW).table, NOW + 9000)
    assert (held.held is None, called.window is None, over.ending) == (False, False, Ending.FINISHED)
    for each in (held, called, over._replace(entries=())):
        assert table_from_json(stored(each)) == each
