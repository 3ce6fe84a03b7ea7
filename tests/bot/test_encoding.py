"""Tables in the store: they come back as they were."""

import json

import pytest

from bot.store.packing import decode, encode
from bot.tables.leaving import leave
from bot.tables.model import Ending, Table
from engine.game import Json
from tests.bot.calling import FOUR, THREE, call, lay, table
from tests.bot.tables import NOW, opened, pass_time, started
from tests.games import CASES


def stored(t: Table) -> Json:
    """*t* as the store keeps it."""
    row: Json = json.loads(json.dumps(encode(t)))
    return row


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_table_of_every_game_round_trips_through_json(game: str) -> None:
    fresh = started(game)
    played = pass_time(leave(fresh, 100), NOW + 600_000)
    assert played.rules.ply(played.state) > 1
    for each in (opened(game), fresh, played._replace(entries=())):
        assert decode(stored(each)) == each


@pytest.mark.about("diciassette")
def test_moves_and_calls_that_have_not_taken_effect_round_trip_through_json() -> None:
    held = lay(table(THREE), 1, at=NOW).table
    called = call(table(FOUR), 2, at=NOW).table
    over = pass_time(call(table(THREE._replace(victory=(2, 0, 0))), 2, at=NOW).table, NOW + 9000)
    assert (held.held is None, called.window is None, over.ending) == (False, False, Ending.FINISHED)
    for each in (held, called, over._replace(entries=())):
        assert decode(stored(each)) == each
