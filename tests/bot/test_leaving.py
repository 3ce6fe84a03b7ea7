"""Leaving a running game of every kind and coming back, and games that end before their time."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE
from bot.i18n import words
from bot.tables import leaving, play, start
from bot.tables.errors import Refusal, Why
from bot.tables.model import Ending, HeldMove, Phase, Player, Table
from bot.tables.scene import make_scene
from bot.tables.timers import Timer, next_due
from bot.ui.hand_message import hand_sheet
from engine.game import Seat
from tests.bot.tables import NORMAL, NOW, on_turn, opened, pass_time, started
from tests.games import CASES


@pytest.fixture(params=sorted(CASES))
def fresh(request: pytest.FixtureRequest) -> Table:
    """A game of every kind that was dealt at NOW."""
    return started(request.param)


def why(refused: Callable[[], object]) -> Why:
    """Why *refused* is refused."""
    with pytest.raises(Refusal) as no:
        refused()
    return no.value.why


def test_who_leaves_is_replaced_and_may_come_back_l1(fresh: Table) -> None:
    left = leaving.leave_game(fresh, 101)
    assert left == fresh.with_changed_player(Seat(1), away=True)._replace(
        handovers=left.handovers, entries=left.entries
    )
    assert why(lambda: play.record_pick(left, 101, 0, NOW)) is Why.AWAY
    assert why(lambda: leaving.leave_game(left, 101)) is Why.NOT_AT_TABLE
    back = leaving.come_back(left, 101, NOW + 5)
    assert back.players[1] == fresh.players[1]._replace(active_at=NOW + 5)
    assert why(lambda: leaving.come_back(back, 101, NOW)) is Why.NOT_AWAY


def test_whoever_leaves_and_comes_back_has_no_more_time_for_their_turn_l1(fresh: Table) -> None:
    """Else they could stall a game for ever: no computer plays between two clicks that come at once."""
    user, now = 100 + on_turn(fresh), NOW
    credited = table = fresh._replace(turn_credit=300)
    limit = next_due(table._replace(reminded=table.turn_began))
    for _ in range(5):
        now += 900
        table = leaving.come_back(leaving.leave_game(table, user), user, now)
        assert (table.turn_began, table.turn_credit) == (credited.turn_began, credited.turn_credit)
    assert next_due(table._replace(reminded=table.turn_began)) == limit


def test_whoever_comes_back_off_turn_gives_nobody_more_time_l1(fresh: Table) -> None:
    other = next(100 + seat for seat in range(len(fresh.players)) if seat != on_turn(fresh))
    assert leaving.come_back(leaving.leave_game(fresh, other), other, NOW + 900).turn_credit == 0


def test_the_computer_plays_for_who_has_left_l1(fresh: Table) -> None:
    left = leaving.leave_game(fresh, 100 + on_turn(fresh))
    due = next_due(left)
    assert due is not None
    assert due.timer is Timer.COMPUTER
    after = pass_time(left, due.at)
    assert after.state.ply == 1


def test_a_move_that_has_not_landed_goes_with_its_player_l1(fresh: Table) -> None:
    seat = on_turn(fresh)
    action = fresh.rules.encode_action(fresh.rules.legal_actions(fresh.state, seat)[0])
    held = fresh._replace(held=HeldMove(seat, action, NOW, NOW + 9))
    assert leaving.leave_game(held, 100 + seat).held is None
    other = next(100 + other for other in range(len(fresh.players)) if other != seat)
    assert leaving.leave_game(held, other).held == held.held


@pytest.mark.parametrize("game", sorted(CASES))
def test_without_any_human_the_game_is_abandoned_l2(game: str) -> None:
    alone = started(game, people=1, computers=CASES[game].rules.seats[0] - 1)
    gone = leaving.leave_game(alone, 100)
    assert (gone.phase, gone.ending) == (Phase.OVER, Ending.ABANDONED)
    assert next_due(gone) is None


def test_somebody_who_left_the_server_is_replaced_without_a_word(fresh: Table) -> None:
    gone = leaving.leave_game_if_playing(fresh, 101)
    assert gone == leaving.leave_game(fresh, 101)
    assert leaving.leave_game_if_playing(gone, 101) == gone
    assert leaving.leave_game_if_playing(fresh, 999) == fresh


def test_who_leaves_the_server_changes_nothing_where_no_game_runs(fresh: Table) -> None:
    for table in (opened(fresh.game), leaving.close_table(fresh, Ending.ENDED)):
        assert leaving.leave_game_if_playing(table, 100) == table


def test_who_leaves_the_server_leaves_the_lobby_and_a_game_to_a_computer(fresh: Table) -> None:
    host = Player("player 0", 100, active_at=NOW)
    two = opened(fresh.game)._replace(players=(host, Player("player 1", 101, active_at=NOW)))
    assert leaving.remove_departed_member(two, 101).players == (host,)
    assert leaving.remove_departed_member(two, 999) == two
    starting = start.start_game(opened(fresh.game)._replace(players=fresh.players), 100, NOW)
    assert leaving.remove_departed_member(starting, 101) == starting
    assert leaving.remove_departed_member(fresh, 101) == leaving.leave_game(fresh, 101)


def test_a_game_that_is_over_is_not_paused_l2(fresh: Table) -> None:
    waiting = fresh
    for seat in range(len(fresh.players)):
        waiting = leaving.give_seat_to_computer(waiting, Seat(seat), timed_out=True)
    assert waiting.paused
    assert not leaving.close_table(waiting, Ending.ENDED).paused


def test_the_host_or_a_moderator_replaces_and_ends(fresh: Table) -> None:
    assert leaving.replace_with_computer(fresh, 100, Seat(1), moderator=False).players[1].away
    assert leaving.replace_with_computer(fresh, 999, Seat(1), moderator=True).players[1].away
    ended = leaving.end_game_early(fresh, 999, "Mo", moderator=True)
    assert (ended.phase, ended.ending, ended.ended_by) == (Phase.OVER, Ending.ENDED, "Mo")
    assert leaving.end_game_early(fresh, 100, "host", moderator=False).ending is Ending.ENDED
    for seat in range(len(ended.players)):
        seen = make_scene(ended, Seat(seat), None)
        assert (seen.on_turn, seen.allowed, seen.may_call, seen.turn_ends) == (None, (), (), None)
        assert seen.standings == ()
    assert why(lambda: leaving.replace_with_computer(fresh, 101, Seat(1), moderator=False)) is Why.HOST_ONLY
    assert why(lambda: leaving.end_game_early(fresh, 101, "x", moderator=False)) is Why.HOST_ONLY


def test_the_person_in_the_first_seat_can_be_replaced_too(fresh: Table) -> None:
    assert leaving.replace_with_computer(fresh, 999, Seat(0), moderator=True).players[0].away


def test_only_a_person_who_sits_there_can_be_replaced(fresh: Table) -> None:
    for seat in (Seat(-1), Seat(len(fresh.players))):
        assert (
            why(lambda s=seat: leaving.replace_with_computer(fresh, 100, s, moderator=False)) is Why.NOBODY_TO_REPLACE
        )
    away = leaving.leave_game(fresh, 101)
    assert why(lambda: leaving.replace_with_computer(away, 100, Seat(1), moderator=False)) is Why.NOBODY_TO_REPLACE


def test_a_game_that_does_not_run_cannot_be_left_or_ended(fresh: Table) -> None:
    lobby = opened(fresh.game)
    assert why(lambda: leaving.leave_game(lobby, 100)) is Why.NOT_STARTED
    assert why(lambda: leaving.end_game_early(lobby, 100, "x", moderator=True)) is Why.NOT_STARTED
    over = leaving.close_table(fresh, Ending.REMOVED)
    assert (over.phase, over.ending) == (Phase.OVER, Ending.REMOVED)
    assert leaving.close_table(over, Ending.IDLE) == over
    assert why(lambda: leaving.leave_game(over, 100)) is Why.GAME_FINISHED
    assert why(lambda: leaving.end_game_early(over, 100, "x", moderator=True)) is Why.GAME_FINISHED


# What the table says of it


def said(table: Table) -> str:
    """What the table message says."""
    return str(render_slot(table, TABLE, 1).payload)


def test_the_table_says_who_came_and_went(fresh: Table) -> None:
    left = leaving.leave_game(fresh, 101)
    assert "**player 1** has left: a computer plays on." in said(left)
    back = leaving.come_back(left, 101, NOW)
    assert "has left: a computer plays on. **player 1** is back." in said(back)
    replaced = leaving.replace_with_computer(back, 100, Seat(1), moderator=False)
    assert "**player 1** is back. A computer plays for **player 1** now." in said(replaced)


def moved(table: Table, times: int) -> Table:
    """The table after so many actions, each one that is allowed."""
    for _ in range(times):
        step = table.rules.apply(table.state, legal(table), play.make_shuffle_random(table))
        table = play.apply_step(table, step, NOW)
    return table


def legal(table: Table) -> Any:
    """Something that whoever is on turn may do."""
    return table.rules.legal_actions(table.state, on_turn(table))[0]


def test_who_left_is_said_until_everybody_has_had_a_turn_in_the_hands_too(fresh: Table) -> None:
    """A computer may move at once for whoever has left, and nobody would have read it."""
    seats = len(fresh.players)
    left = leaving.leave_game(fresh, 101)
    line = "**player 1** has left: a computer plays on."
    for actions in range(seats):
        now = moved(left, actions)
        assert line in said(now)
        others = [seat for seat in range(seats) if seat != 1]
        for seat in others:
            assert line in str(hand_sheet(make_scene(now, Seat(seat), 1, live=True), words("en")).payload)
    assert line not in said(moved(left, seats))
    back = leaving.come_back(left, 101, NOW)
    assert "is back" not in str(hand_sheet(make_scene(back, Seat(1), 1, live=True), words("en")).payload), "they know"


def test_it_says_no_more_than_the_last_few(fresh: Table) -> None:
    for _ in range(5):
        fresh = leaving.come_back(leaving.leave_game(fresh, 101), 101, NOW)
    assert len(fresh.handovers) == 3
    assert "is back. **player 1** has left" in said(fresh)


def test_the_table_says_whose_seat_a_late_comer_takes_as_they_were_called_then(with_computer: Table) -> None:
    seat = Seat(len(with_computer.players) - 1)
    before = with_computer.players[seat].name
    sat = leaving.take_computer_seat(with_computer, Player("late", 555), seat, NOW)
    assert f"**late** takes **{before}**’s seat." in said(sat)
    renamed = sat.with_changed_player(seat, name="somebody else")
    assert f"**late** takes **{before}**’s seat." in said(renamed)


def test_somebody_who_left_the_server_has_left_the_game(fresh: Table) -> None:
    assert "**player 1** has left" in said(leaving.leave_game_if_playing(fresh, 101))


# Late-comers (L4)


@pytest.fixture(params=sorted(CASES))
def with_computer(request: pytest.FixtureRequest) -> Table:
    """A game in which a computer player sits last."""
    return started(request.param, people=CASES[request.param].rules.seats[0] - 1, computers=1)


def test_a_late_comer_takes_a_computers_seat_with_its_hand_and_what_it_has_won_l4(with_computer: Table) -> None:
    seat = Seat(len(with_computer.players) - 1)
    sat = leaving.take_computer_seat(with_computer, Player("late", 555), seat, NOW + 900)
    assert (sat.seat_of(555), sat.state) == (seat, with_computer.state)
    assert not sat.players[seat].automatic


@pytest.mark.parametrize("game", ["diciassette", "twelve_days"])
def test_a_result_from_before_a_late_comer_sat_down_is_not_about_them_l4(game: str) -> None:
    """In games of several rounds: the others are over then."""
    case, rng, table = CASES[game], Random(1), started(game, people=CASES[game].rules.seats[0] - 1, computers=1)
    while not table.outcome:
        actions = table.rules.legal_actions(table.state, on_turn(table))
        table = play.apply_action(table, case.choose(actions, rng), NOW)
    seat = Seat(len(table.players) - 1)
    sat = leaving.take_computer_seat(table, Player("late", 555), seat, NOW)
    seen = {it: make_scene(sat, it, None).witnessed for it in (None, Seat(0), seat)}
    assert [bool(it.outcome) for it in seen.values()] == [True, True, False]
    assert [it.just_ended for it in seen.values()] == [True, True, False]


@pytest.mark.parametrize(("seconds", "later"), [(60, 0), (None, 900)])
def test_with_a_late_comer_the_time_of_a_person_alone_begins_where_there_was_no_clock_l3(
    with_computer: Table, seconds: int | None, later: int
) -> None:
    alone = started(with_computer.game, NORMAL._replace(turn_seconds=seconds), people=1, computers=1)
    sat = leaving.take_computer_seat(alone._replace(turn_credit=7), Player("late", 555), Seat(1), NOW + 900)
    if on_turn(sat) == 1:
        assert (sat.turn_began, sat.clock_began, sat.turn_credit) == (NOW + 900, NOW + 900, 0)
    else:
        assert (sat.turn_began, sat.clock_began, sat.turn_credit) == (NOW, NOW + later, 7)


def test_a_computers_seat_can_be_taken_whichever_it_is_l4(with_computer: Table) -> None:
    turned = with_computer._replace(players=with_computer.players[::-1])
    assert leaving.take_computer_seat(turned, Player("late", 555), Seat(0), NOW).seat_of(555) == 0


def test_a_seat_that_is_no_computers_or_not_open_cannot_be_taken_l4(with_computer: Table) -> None:
    seat, late = Seat(len(with_computer.players) - 1), Player("late", 555)
    closed = with_computer._replace(options=with_computer.options._replace(late=False))
    away = leaving.leave_game(with_computer, 100) if with_computer.players[1].user else with_computer
    for table, where, who, expected in (
        (closed, seat, late, Why.NO_FREE_SEAT),
        (away, Seat(0), late, Why.NO_FREE_SEAT),
        (with_computer, Seat(99), late, Why.NO_FREE_SEAT),
        (with_computer, Seat(seat + 1), late, Why.NO_FREE_SEAT),
        (with_computer, Seat(-1), late, Why.NO_FREE_SEAT),
        (with_computer, seat, Player("player 0", 100), Why.ALREADY_JOINED),
        (with_computer._replace(removed=(555,)), seat, late, Why.REMOVED),
        (opened(with_computer.game), seat, late, Why.NOT_STARTED),
        (leaving.close_table(with_computer, Ending.REMOVED), seat, late, Why.GAME_FINISHED),
    ):
        assert why(lambda t=table, s=where, p=who: leaving.take_computer_seat(t, p, s, NOW)) is expected
