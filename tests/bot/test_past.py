"""What has happened, told again: all that lies there, nothing about what is gone, nothing that is hidden."""

from collections.abc import Iterator
from random import Random

import pytest

from bot.i18n import LOCALES, words
from bot.tables import leaving, play, ticking
from bot.tables.history import PastAction, TableHistory, current_round_history
from bot.tables.model import Call, CallWindow, Handover, HeldMove, Player, SeatChange, Table
from bot.tables.scene import make_scene
from bot.ui.menu import MOST_LINES, history_sheet
from engine.game import Json, Seat
from engine.registry import GAMES
from local_discord.components import walk
from tests.bot.tables import NOW, dealt, on_turn, opened, started
from tests.games import CASES
from tests.games.tables import otherwise

PASTS = sorted(game for game, rules in GAMES.items() if rules.history is not None)
every_game_with_a_past = pytest.mark.parametrize("game", PASTS)


def stored(table: Table) -> list[Json]:
    """The entries of *table*, none of which were taken from it, as the store has them."""
    return [{**entry, "at": NOW} for entry in table.entries]


def text(table: Table, known: TableHistory | None = None, locale: str = "en") -> str:
    """What somebody reads who asks what has happened at *table*."""
    it = current_round_history(table, stored(table)) if known is None else known
    sheet = history_sheet(make_scene(table, None, 1), it, words(locale))
    return "\n".join(c["content"] for c in walk(sheet.payload) if "content" in c)


def games(game: str, count: int, people: int) -> Iterator[Table]:
    """Every moment of *count* random games of *people*; the entries stay at the table."""
    case = CASES[game]
    for seed in range(count):
        players, rng = started(game, people=people).players, Random(seed)
        table = dealt(opened(game)._replace(players=players, secret=f"{seed:064x}"))
        while on_turn_or_none(table) is not None:
            yield table
            legal = [action for seat in range(people) for action in case.rules.legal_actions(table.state, Seat(seat))]
            table = play.apply_action(table, case.choose(legal, rng), NOW)


def on_turn_or_none(table: Table) -> Seat | None:
    return table.rules.on_turn(table.state)


@every_game_with_a_past
def test_what_nobody_saw_makes_no_difference(game: str) -> None:
    """Dealt otherwise, shuffled otherwise, played face down otherwise: it reads the same (D2, T11)."""
    case, rng = CASES[game], Random(7)
    steps = []
    for number, table in enumerate(games(game, 2, 3)):
        steps = [] if table.state.ply == 0 else steps
        steps.append(table.recent)
        if number % 5:
            continue
        other = otherwise(table, None, rng)
        changed = [tuple(case.otherwise(event, None, rng) for event in events) for events in steps]
        told = [
            case.rules.history.readable_events([case.rules.events_as_seen(it, None) for it in these])
            for these in (steps, changed)
        ]
        assert told[0] == told[1]
        known = current_round_history(table, stored(table))
        assert text(table, known) == text(other, known)


@every_game_with_a_past
def test_a_call_that_nobody_may_know_of_and_a_held_move_are_not_told(game: str) -> None:
    for table in games(game, 1, 3):
        before = text(table)
        seat = on_turn(table)
        action = table.rules.encode_action(table.rules.legal_actions(table.state, seat)[0])
        assert text(table._replace(held=HeldMove(seat, action, NOW, NOW + 5))) == before
        callers = table.rules.callers(table.state)
        if callers:
            for closed in (False, True):
                window = CallWindow(tuple(Call(it, NOW) for it in callers), NOW + 5, closed=closed)
                assert text(table._replace(window=window)) == before


@every_game_with_a_past
def test_it_is_bounded_and_the_newest_stays(game: str) -> None:
    """One screen: the oldest lines are counted."""
    table = next(table for table in games(game, 1, 3) if current_round_history(table, stored(table)).happened)
    (one, *_) = current_round_history(table, stored(table)).happened
    handover = Handover(SeatChange.BACK, "Zoe")
    lines = text(table, TableHistory((*[one] * (MOST_LINES + 4), handover), whole=True)).splitlines()
    assert len(lines) == MOST_LINES + 2
    assert lines[1] == "-# Before that: 5 more moves"
    assert "Zoe" in lines[-1]


@every_game_with_a_past
def test_seats_that_changed_hands_are_told_where_it_happened(game: str) -> None:
    table = next(table for table in games(game, 1, 4) if len(current_round_history(table, stored(table)).happened) == 2)
    table = table.with_changed_player(Seat(1), user=None)
    changed = leaving.leave_game(table, table.players[0].user or 0)
    changed = leaving.come_back(changed, table.players[0].user or 0, NOW)
    changed = leaving.take_computer_seat(changed, Player("Nina", 999), Seat(1), NOW)
    known = current_round_history(changed, stored(changed))
    assert [it.change for it in known.happened if isinstance(it, Handover)] == [
        SeatChange.REPLACED,
        SeatChange.BACK,
        SeatChange.SAT_DOWN,
    ]
    *_, left, back, sat = text(changed, known).splitlines()
    assert "player 0" in left and "computer" in left
    assert "player 0" in back and "back" in back
    assert "Nina" in sat and "player 1" in sat


@every_game_with_a_past
def test_a_seat_is_named_as_it_was_called_then(game: str) -> None:
    table = next(table for table in games(game, 1, 3) if len(current_round_history(table, stored(table)).happened) == 2)
    seat = next(Seat(number) for number in range(3) if f"player {number}" in text(table))
    table = table.with_changed_player(seat, user=None, name="Ada")
    before = text(table)
    after = leaving.take_computer_seat(table, Player("Nina", 999), seat, NOW)
    assert "Ada" in before
    assert text(after).startswith(before)


@every_game_with_a_past
def test_a_turn_that_the_clock_has_played_says_so(game: str) -> None:
    table = started(game, people=2)
    assert "⏰" not in text(table)
    table = ticking._play_for_timed_out(table, NOW, {})
    assert "⏰" in text(table)


@every_game_with_a_past
def test_of_a_game_whose_moves_are_not_known_the_last_step_is_told(game: str) -> None:
    table = next(table for table in games(game, 1, 3) if len(current_round_history(table, stored(table)).happened) == 2)
    old = table._replace(entries=table.entries[1:])
    known = current_round_history(old, stored(old))
    assert [type(it) for it in known.happened] == [PastAction]
    assert not known.whole
    assert "not known any more" in text(old)
    assert text(old).splitlines()[-1] == text(table).splitlines()[-1]


@every_game_with_a_past
@pytest.mark.parametrize("locale", LOCALES)
def test_before_anything_has_happened_it_says_so(game: str, locale: str) -> None:
    said = text(started(game), locale=locale).splitlines()
    assert len(said) == 2
