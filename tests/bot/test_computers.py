"""How computer players come to their decisions: at which level, from what they have witnessed, thought out before."""

from itertools import pairwise

import pytest

from bot.store.packing import decode, encode
from bot.tables.characters import MIDDLE_LEVEL
from bot.tables.leaving import come_back, leave
from bot.tables.model import Table
from bot.tables.possible import check_possible
from bot.tables.ticking import NO_THOUGHTS, Thoughts, must_think, thoughts_of, tick
from bot.tables.timers import Timer, next_due
from engine.fair import Fair
from engine.game import Seat
from tests.bot.tables import on_turn, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))


def course(game: str, *, computers: int, most: int = 120) -> list[Table]:
    """A game of one person and *computers*, tick by tick. The person's time is up on every turn, which is forgiven."""
    tables = [started(game, people=1, computers=computers)]
    while len(tables) < most and tables[-1].live and (due := next_due(tables[-1])) is not None:
        after = tick(tables[-1], due.at).with_player(Seat(0), timeouts=0)
        tables.append(after._replace(version=tables[-1].version + 1))
    return tables


@every_game
def test_thoughts_beforehand_lead_to_what_would_have_been_done_without_them(game: str) -> None:
    thought = set()
    for table in course(game, computers=2):
        due = next_due(table)
        if due is None or not must_think(table):
            continue
        thoughts = thoughts_of(table)
        assert thoughts.actions
        assert tick(table, due.at, thoughts) == tick(table, due.at)
        thought.add(due.timer)
    calls = {Timer.COMPUTERS_CALL} if CASES[game].rules.has_calls else set()
    assert thought == {Timer.COMPUTER, Timer.TURN, *calls}


@every_game
def test_thoughts_of_another_version_do_not_count(game: str) -> None:
    table = next(it for it in course(game, computers=2) if must_think(it) and it.rules.ply(it.state))
    due = next_due(table)
    assert due is not None
    wrong = Thoughts(table.version - 1, dict.fromkeys(range(3), None))
    assert tick(table, due.at, wrong) == tick(table, due.at, NO_THOUGHTS) == tick(table, due.at)


@every_game
def test_where_no_computer_decides_nobody_thinks(game: str) -> None:
    table = started(game)
    assert next_due(table) is not None
    assert must_think(table) == (next_due(table).timer is Timer.TURN)  # type: ignore[union-attr]
    assert not must_think(table._replace(options=table.options._replace(turn_seconds=0)))


@every_game
def test_every_computer_remembers_what_its_own_seat_has_witnessed(game: str) -> None:
    """What it remembers follows from the deal and the actions, whoever sits at the other seats."""
    rules, tables = CASES[game].rules, course(game, computers=2)
    dealt = rules.new(3, rules.check_options({}), Fair(bytes.fromhex(tables[0].seed)))
    seats = [Seat(1), Seat(2)]
    known = {seat: rules.remember(None, dealt.events, seat) for seat in seats}
    for before, after in pairwise(tables):
        if rules.ply(after.state) != rules.ply(before.state):
            known = {seat: rules.remember(known[seat], after.recent, seat) for seat in seats}
        assert [after.memories[seat] if after.memories else None for seat in seats] == list(known.values())
        if after.memories and not after.players[0].away:
            assert after.memories[0] is None
        assert decode(encode(after)) == after


@every_game
def test_whoever_takes_a_seat_over_has_witnessed_nothing_before(game: str) -> None:
    before = next(it for it in course(game, computers=1) if it.rules.ply(it.state) == 2)
    rules, seat = before.rules, Seat(0)
    person = before.players[seat].user
    assert person is not None
    left = leave(before.with_player(Seat(1), user=7, name="somebody"), person)
    due = next_due(left)
    assert due is not None
    after = tick(left, due.at)
    if rules.ply(after.state) != rules.ply(left.state) and rules.remember(None, (), seat) is not None:
        assert after.memories[seat] == rules.remember(None, after.recent, seat)
    back = come_back(after, person, due.at)
    assert back.players[seat].away is False


@every_game
def test_a_computer_plays_at_the_middle_level_and_by_what_it_remembers(game: str) -> None:
    rules = CASES[game].rules
    assert MIDDLE_LEVEL >= 1
    for table in course(game, computers=2):
        due = next_due(table)
        if due is not None and due.timer is Timer.COMPUTER:
            seat = on_turn(table)
            (action,) = thoughts_of(table).actions.values()
            assert action in rules.legal_actions(table.state, seat)


@every_game
def test_memories_of_more_or_fewer_players_are_damage(game: str) -> None:
    table = started(game)
    check_possible(table._replace(memories=(None, None)))
    for memories in ((None,), (None, None, None)):
        with pytest.raises(ValueError, match="memories"):
            check_possible(table._replace(memories=memories))
