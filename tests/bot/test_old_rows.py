"""Tables in the store: they come back as they were, also those that version 0.1 stored under other names.

``old_rows.json`` was written by version 0.1 itself: moves and calls that have not taken effect yet, a finished game,
the end of a hand.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.tables.encoding import decode, encode
from bot.tables.leaving import leave
from bot.tables.model import Ending, Table
from engine.game import Json
from tests.bot.calling import FOUR, THREE, call, lay, table
from tests.bot.tables import NOW, opened, pass_time, started
from tests.games import CASES

ROWS: Final[list[Json]] = json.loads(Path(__file__).with_name("old_rows.json").read_text("utf-8"))
NEW: Final = {
    "invited": False,
    "timed_out": False,
    "reserved_until": 0,
    "overdue": None,
    "opened_by": 0,
    "late": True,
    "removed": [],
    "refuses_dms": False,
    "telling": "turn",
    "passes": False,
    "closed": False,
    "barred": [],
    "highlights": None,
    "since": 0,
    "before": "",
    "breath": True,
    "hints": False,
    "level": None,
    "handovers": [],
    "rematch_by": 0,
    "rematch_people": None,
    "rematch_of": None,
    "record": "",
    "cut": "",
    "secret": "",
    "memories": [],
    "deal": None,
    "entries": [],
    "by_clock": False,
    "failed_start": 0,
    "start_refused": False,
    "offered_at": 0,
    "rated": False,
    "replaced": False,
    "replaced_by": None,
    "ended_from": None,
    "former": False,
    "counted": True,
    "own_thread": False,
    "display": "",
    "username": "",
}
"""Fields that came later, and what they are in a table from before."""
RENAMED: Final = {"shouts": "calls", "shouted": "calls_decided", "hand": "hand_number"}


def stored(t: Table) -> Json:
    """*t* as the store keeps it."""
    row: Json = json.loads(json.dumps(encode(t)))
    return row


def renamed(value: Any) -> Any:
    """*value*, from an old row, with today's names for its fields."""
    if isinstance(value, dict):
        return {RENAMED.get(key, key): renamed(item) for key, item in value.items()}
    return [renamed(item) for item in value] if isinstance(value, list) else value


def without_new(value: Any) -> Any:
    """*value*, from a row of today, without the fields of ``NEW``; each must hold what it is in a table from before."""
    if isinstance(value, dict):
        assert all(value[key] == NEW[key] for key in value.keys() & NEW.keys())
        return {key: without_new(item) for key, item in value.items() if key not in NEW}
    return [without_new(item) for item in value] if isinstance(value, list) else value


def keys(value: Any) -> set[str]:
    """The names of all fields in *value*."""
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


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


def test_the_old_rows_hold_every_old_name() -> None:
    assert set(RENAMED) <= set().union(*map(keys, ROWS))
    assert not set(RENAMED.values()) & set().union(*map(keys, ROWS))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['game']}-{row['state']['ply']}")
def test_a_table_that_version_0_1_stored_is_read_and_written_under_todays_names(row: Json) -> None:
    t = decode(row)
    assert without_new(stored(t)) == renamed(row)
    assert decode(stored(t)) == t


@pytest.mark.parametrize("row", [row for row in ROWS if row["held"] or row["window"]], ids=lambda row: row["game"])
def test_what_version_0_1_left_undone_takes_effect(row: Json) -> None:
    """A held move lands, a call window closes and its call counts."""
    t = decode(row)
    due = t.held.due if t.held is not None else t.window.due if t.window is not None else 0
    after = pass_time(t, due + t.options.breath_ms)
    assert after.rules.ply(after.state) == t.rules.ply(t.state) + 1
    assert (after.held, after.window) == (None, None)
