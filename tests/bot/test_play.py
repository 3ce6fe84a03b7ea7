"""A table while the game runs, decided by Discord's clock: the beat, late arrivals, the call window, the turn
limit, computer players. No Discord here: a table, a click, a time."""

from typing import Any

import pytest

from bot.refusals import Refusal, Why
from bot.tables import lobby, play
from bot.tables.model import Ending, Options, Pace, Phase, Player, Table, TableId, decode, encode
from bot.tables.play import Clicked, Effect
from bot.tables.scene import scene
from bot.tables.timers import Timer, next_due
from engine.errors import General, IllegalAction, Reason
from engine.game import Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.errors import Refused
from engine.games.diciassette.state import State
from tests.games.diciassette import state

NOW = 1_800_000_000_000
NORMAL = Options(turn_seconds=120)


def table(before: State, options: Options = NORMAL, computers: tuple[int, ...] = ()) -> Table:
    """A running table in that state; seat s is user 100 + s."""
    players = tuple(
        Player(f"computer {seat}") if seat in computers else Player(f"player {seat}", 100 + seat, active_at=NOW)
        for seat in range(len(before.hands))
    )
    return Table(
        id=TableId("abc"),
        version=3,
        guild=1,
        channel=2,
        game="diciassette",
        phase=Phase.PLAYING,
        host=100,
        locale="en",
        options=options,
        players=players,
        created_at=NOW,
        changed_at=NOW,
        seed="00" * 32,
        state=before,
        turn_began=NOW,
        beat_ends=NOW,
    )


def beat(before: Table, ends: int) -> Table:
    return before._replace(beat_ends=ends)


def lay(t: Table, seat: int, *, at: int, now: int | None = None, ply: int | None = None, slot: int = 0) -> Clicked:
    def choose(mine: Seat) -> Any:
        return Play(mine, t.state.hands[mine][slot], Face.UP)

    current = t.state.ply if ply is None else ply
    return play.move(t, 100 + seat, current, choose, at, at if now is None else now)


def call(t: Table, seat: int, *, at: int, now: int | None = None, ply: int | None = None) -> Clicked:
    return play.call(t, 100 + seat, t.state.ply if ply is None else ply, at, at if now is None else now)


def pass_time(t: Table, until: int) -> Table:
    """Everything that is due by *until*, at its time."""
    while (due := next_due(t)) is not None and due.at <= until:
        t = play.tick(t, due.at)
    return t


THREE = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:5")
FOUR = state(["1 2 3", "4 5 1", "2 3 4", "5 5 5"], turn=1, last=0, lies="0:5")


# The beat and the held play


def test_a_play_lands_after_the_hold() -> None:
    clicked = lay(table(THREE), 1, at=NOW)
    assert clicked.effect is Effect.HELD
    assert clicked.table.state == THREE
    assert pass_time(clicked.table, NOW + 249).state == THREE
    assert pass_time(clicked.table, NOW + 250).state.queue[-1].card is Card.FOUR


def test_a_card_clicked_during_the_beat_is_kept_and_played_when_the_beat_ends() -> None:
    clicked = lay(beat(table(THREE), NOW + 2000), 1, at=NOW + 100)
    assert pass_time(clicked.table, NOW + 2249).state == THREE
    assert pass_time(clicked.table, NOW + 2250).state.last == 1


def test_a_new_beat_begins_when_a_turn_ends() -> None:
    after = pass_time(lay(table(THREE), 1, at=NOW).table, NOW + 250)
    assert after.beat_ends == NOW + 250 + 2000
    assert after.turn_began == NOW + 250


def test_the_beat_is_a_table_option_and_0_switches_it_off() -> None:
    quick = Options(pace=Pace.OFF, window_ms=0, hold_ms=0)
    clicked = lay(table(THREE, quick), 1, at=NOW)
    assert clicked.effect is Effect.LANDED
    assert clicked.table.beat_ends == NOW


def test_another_card_replaces_the_kept_one() -> None:
    kept = lay(beat(table(THREE), NOW + 2000), 1, at=NOW + 100).table
    changed = lay(kept, 1, at=NOW + 900, slot=1)
    assert changed.effect is Effect.HELD
    assert pass_time(changed.table, NOW + 3000).state.queue[-1].card is Card.FIVE


def test_a_double_click_on_a_card_does_one_thing() -> None:
    kept = lay(table(THREE), 1, at=NOW).table
    again = lay(kept, 1, at=NOW + 40)
    assert again.effect is Effect.REPEATED
    assert again.table == kept


def test_within_a_double_turn_nobody_may_call_so_nothing_is_held() -> None:
    before = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:X", owed=2)
    after = pass_time(lay(table(before), 1, at=NOW).table, NOW + 250)
    assert (after.state.owed, after.state.duty) == (1, 2)
    assert lay(after, 1, at=NOW + 300).effect is Effect.LANDED


# Calls


def test_a_call_stands_for_the_window_and_then_counts() -> None:
    called = call(table(THREE), 2, at=NOW)
    assert called.effect is Effect.CALLED
    assert pass_time(called.table, NOW + 749).state == THREE
    after = pass_time(called.table, NOW + 5000)
    assert after.state.round == 2


@pytest.mark.parametrize("order", [(2, 3, 1), (1, 2, 3), (3, 1, 2), (3, 2, 1)])
def test_simultaneous_calls_count_by_turn_order_in_every_order_of_arrival_d9(order: tuple[int, ...]) -> None:
    stamps = {1: NOW + 700, 2: NOW + 300, 3: NOW}
    called = table(FOUR)
    for arrival, seat in enumerate(order):
        called = call(called, seat, at=stamps[seat], now=NOW + 720 + arrival).table
    after = pass_time(called, NOW + 5000)
    assert after.state.penalty == (0, 1, 0, 0)


def test_a_call_stamped_after_the_window_is_too_late_d9() -> None:
    called = call(table(FOUR), 3, at=NOW).table
    with pytest.raises(Refusal) as no:
        call(called, 1, at=NOW + 751)
    assert (no.value.why, no.value.facts["name"]) == (Why.CALLED_TOO_LATE, "player 3")


def test_an_earlier_call_that_arrives_later_moves_the_window_d9() -> None:
    """First 900, then 100 arrives: 900 is no longer within 750 ms of the first."""
    called = call(table(FOUR), 1, at=NOW + 900).table
    called = call(called, 2, at=NOW + 100, now=NOW + 1000).table
    assert pass_time(called, NOW + 5000).state.penalty == (0, 0, 1, 0)


def test_a_double_click_on_17_does_one_thing() -> None:
    called = call(table(THREE), 2, at=NOW).table
    again = call(called, 2, at=NOW + 80)
    assert again.effect is Effect.REPEATED
    assert again.table.window == called.window


def test_no_card_can_be_laid_between_the_first_call_and_its_resolution_d9() -> None:
    called = call(table(THREE), 2, at=NOW).table
    with pytest.raises(Refusal) as no:
        lay(called, 1, at=NOW + 100)
    assert (no.value.why, no.value.facts["names"]) == (Why.CALL_STANDS, ["player 2"])


def test_a_call_in_the_beat_beats_the_kept_card() -> None:
    kept = lay(beat(table(THREE), NOW + 2000), 1, at=NOW + 100).table
    after = pass_time(call(kept, 2, at=NOW + 1500).table, NOW + 9000)
    assert after.state.round == 2
    assert after.held is None


# Late arrivals: Discord's clock is the referee


def test_a_call_stamped_before_the_play_wins_although_it_arrives_later() -> None:
    held = lay(table(THREE), 1, at=NOW + 100).table
    called = call(held, 2, at=NOW + 90, now=NOW + 300)
    assert called.effect is Effect.CALLED
    assert called.table.held is None
    assert pass_time(called.table, NOW + 9000).state.round == 2


def test_a_call_stamped_after_the_play_is_for_the_next_queue() -> None:
    held = lay(table(THREE), 1, at=NOW + 100).table
    with pytest.raises(Refusal) as no:
        call(held, 2, at=NOW + 110)
    assert no.value.why is Why.CARD_WAS_FIRST


def test_a_play_stamped_before_the_call_wins_although_it_arrives_later() -> None:
    called = call(table(THREE), 2, at=NOW + 100).table
    held = lay(called, 1, at=NOW + 90, now=NOW + 200)
    assert held.effect is Effect.HELD
    assert held.table.window is None
    assert pass_time(held.table, NOW + 450).state.last == 1


def test_a_play_clicked_in_the_beat_counts_from_its_end() -> None:
    called = call(beat(table(THREE), NOW + 2000), 2, at=NOW + 1000).table
    with pytest.raises(Refusal) as no:
        lay(called, 1, at=NOW + 500, now=NOW + 1100)
    assert no.value.why is Why.CALL_STANDS


def test_a_stamp_far_from_our_clock_is_a_wrong_clock() -> None:
    held = lay(table(THREE), 1, at=NOW + 60_000, now=NOW).table
    assert held.held is not None
    assert held.held.lands_at == NOW


# Must call


def test_the_bot_calls_for_an_empty_hand_when_its_time_to_play_comes_d10() -> None:
    before = state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5", draw="", discard="")
    waiting = beat(table(before), NOW + 2000)
    assert next_due(waiting).timer is Timer.FORCED
    assert pass_time(waiting, NOW + 2000).state.round == 1
    assert pass_time(waiting, NOW + 2250).state.round == 2


def test_others_may_call_before_the_empty_hand_does_d10() -> None:
    before = state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5", draw="", discard="")
    called = call(beat(table(before), NOW + 2000), 2, at=NOW + 1900).table
    assert pass_time(called, NOW + 9000).state.penalty == (0, 0, 1)


# Refusals: nothing changes


@pytest.mark.parametrize(("seat", "reason"), [(0, General.NOT_YOUR_TURN), (2, General.NOT_YOUR_TURN)])
def test_a_play_out_of_turn_is_refused(seat: int, reason: Reason) -> None:
    with pytest.raises(IllegalAction) as no:
        lay(table(THREE), seat, at=NOW)
    assert no.value.reason is reason


def test_a_play_from_an_old_message_is_refused_on_turn_and_off_turn() -> None:
    with pytest.raises(Refusal) as no:
        lay(table(THREE), 1, at=NOW, ply=THREE.ply - 1)
    assert no.value.why is Why.HAND_CHANGED
    with pytest.raises(IllegalAction) as illegal:
        lay(table(THREE), 2, at=NOW, ply=THREE.ply - 1)
    assert illegal.value.reason is General.NOT_YOUR_TURN


def test_a_version_from_the_future_is_a_dead_button() -> None:
    for click in (lay, call):
        with pytest.raises(Refusal) as no:
            click(table(THREE), 1, at=NOW, ply=THREE.ply + 1)
        assert no.value.why is Why.BUTTON_DEAD


def test_a_call_from_an_old_message_is_refused_by_what_is_the_case_now() -> None:
    with pytest.raises(Refusal) as no:
        call(table(THREE), 2, at=NOW, ply=THREE.ply - 1)
    assert no.value.why is Why.MOVED_ON
    fresh_round = state(["1 2 3", "4 5 1", "2 3 4"], turn=1)
    with pytest.raises(Refusal) as no:
        call(table(fresh_round), 2, at=NOW, ply=fresh_round.ply - 1)
    assert no.value.why is Why.ROUND_OVER
    with pytest.raises(IllegalAction) as illegal:
        call(table(THREE), 0, at=NOW, ply=THREE.ply - 1)
    assert illegal.value.reason is Refused.OWN_TURN_JUST_ENDED


def test_somebody_who_does_not_play_here_is_refused() -> None:
    for click in (lay, call):
        with pytest.raises(Refusal) as no:
            click(table(THREE), 77, at=NOW)
        assert no.value.why is Why.NOT_AT_TABLE


# Leaving, sleeping


def test_one_time_out_and_the_computer_plays_that_turn_l1() -> None:
    after = pass_time(table(THREE), NOW + 120_000)
    assert after.state.ply == THREE.ply + 1
    assert after.players[1].timeouts == 1
    assert not after.players[1].away


def test_a_second_time_out_in_a_row_and_the_computer_takes_over_l1() -> None:
    sleepy = table(THREE).with_player(Seat(1), timeouts=1)
    after = pass_time(sleepy, NOW + 120_000)
    assert after.players[1].away
    assert after.state.hands[1] != ()


def test_a_move_in_time_forgives_the_time_out_before_l1() -> None:
    sleepy = table(THREE).with_player(Seat(1), timeouts=1)
    assert lay(sleepy, 1, at=NOW).table.players[1].timeouts == 0


def test_the_player_is_reminded_before_the_clock_acts() -> None:
    waiting = table(THREE)
    due = next_due(waiting)
    assert (due.timer, due.at) == (Timer.REMINDER, NOW + 90_000)
    assert play.tick(waiting, due.at).reminded == waiting.turn_began


def test_no_clock_is_a_choice() -> None:
    due = next_due(table(THREE, NORMAL._replace(turn_seconds=0)))
    assert due is not None
    assert (due.timer, due.at) == (Timer.IDLE, NOW + 86_400_000)


def test_a_table_at_which_nothing_happens_for_a_day_is_closed() -> None:
    before = table(THREE, NORMAL._replace(turn_seconds=0))
    assert pass_time(before, NOW + 86_399_999) == before
    after = pass_time(before, NOW + 86_400_000)
    assert (after.phase, after.ending) == (Phase.OVER, Ending.IDLE)


def test_time_in_which_nobody_could_be_served_does_not_count() -> None:
    before = table(THREE, NORMAL._replace(turn_seconds=120))._replace(turn_credit=60_000)
    assert pass_time(before, NOW + 179_999).players[1].timeouts == 0
    assert pass_time(before, NOW + 180_000).players[1].timeouts == 1
    assert scene(before, None, None).turn_ends == NOW + 180_000
    landed = pass_time(before, NOW + 180_000)
    assert landed.turn_credit == 0


def test_who_leaves_is_replaced_and_may_come_back_l1() -> None:
    left = play.leave(table(THREE), 102)
    assert left.players[2].away
    assert left.state == THREE
    with pytest.raises(Refusal) as no:
        call(left, 2, at=NOW)
    assert no.value.why is Why.AWAY
    back = play.come_back(left, 102, NOW)
    assert not back.players[2].away


def test_the_computer_plays_for_who_has_left_l1() -> None:
    left = play.leave(beat(table(THREE), NOW + 2000), 101)
    assert next_due(left).timer is Timer.COMPUTERS_CALL or next_due(left).timer is Timer.COMPUTER
    assert pass_time(left, NOW + 2250).state.ply > THREE.ply


def test_without_any_human_the_game_is_abandoned_l2() -> None:
    alone = table(THREE, computers=(1, 2))
    gone = play.leave(alone, 100)
    assert (gone.phase, gone.ending) == (Phase.OVER, Ending.ABANDONED)
    assert next_due(gone) is None


def test_the_host_or_a_moderator_replaces_and_ends() -> None:
    running = table(THREE)
    assert play.replace(running, 100, Seat(2), moderator=False).players[2].away
    assert play.end(running, 999, "Mo", moderator=True).ending is Ending.ENDED
    for forbidden in (
        lambda: play.replace(running, 101, Seat(2), moderator=False),
        lambda: play.end(running, 101, "x", moderator=False),
    ):
        with pytest.raises(Refusal) as no:
            forbidden()
        assert no.value.why is Why.HOST_ONLY


# Computer players


def test_a_computer_waits_for_the_beat_like_everybody() -> None:
    waiting = beat(table(THREE, computers=(1,)), NOW + 2000)
    assert pass_time(waiting, NOW + 2249).state == THREE
    assert pass_time(waiting, NOW + 2250).state.ply == THREE.ply + 1


def test_a_computer_calls_within_the_beat_and_people_may_join_the_window() -> None:
    certain = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:5 1:5 2:5 0:5")
    waiting = beat(table(certain, computers=(2,)), NOW + 2000)
    called = pass_time(waiting, NOW + 1200)
    assert called.window is not None
    assert [shout.seat for shout in called.window.calls] == [2]
    both = call(called, 1, at=NOW + 1300).table
    assert pass_time(both, NOW + 9000).state.victory == (0, 1, 0)


def test_the_time_a_computer_takes_does_not_depend_on_its_cards() -> None:
    for hand in ("1 2 3", "R T X", "P P 5="):
        before = state(["1 2 3", hand, "2 3 4"], turn=1, last=0, lies="0:1")
        waiting = beat(table(before, computers=(1,)), NOW + 2000)
        assert next_due(waiting).at == NOW + 2250


def test_people_get_time_to_read_how_a_round_ended() -> None:
    called = call(table(THREE, computers=(0,)), 2, at=NOW).table
    after = pass_time(called, NOW + 1000)
    assert after.state.turn == 0
    assert next_due(after).at == after.turn_began + 3 * 2000


# The lobby, and JSON


def fresh() -> Table:
    return table(THREE)._replace(phase=Phase.LOBBY, state=None, seed="", players=(Player("host", 100),))


def test_a_table_starts_with_two_to_six_and_the_seed_is_committed() -> None:
    with pytest.raises(Refusal) as no:
        lobby.start(fresh(), 100, bytes(32), NOW)
    assert (no.value.why, no.value.facts["least"]) == (Why.TOO_FEW, 2)
    full = fresh()
    for number in range(5):
        full = lobby.join(full, Player(f"p{number}", 200 + number))
    with pytest.raises(Refusal) as no:
        lobby.join(full, Player("late", 300))
    assert no.value.why is Why.TABLE_FULL
    started = lobby.start(full, 100, bytes(32), NOW)
    assert len(started.state.hands) == 6


def test_joining_twice_leaving_twice_and_late_are_refused() -> None:
    two = lobby.join(fresh(), Player("p", 200))
    for wrong, why in (
        (lambda: lobby.join(two, Player("p", 200)), Why.ALREADY_JOINED),
        (lambda: lobby.leave(two, 300), Why.NOT_JOINED),
        (lambda: lobby.remove_computer(two, 100), Why.NO_COMPUTER),
        (lambda: lobby.add_computer(two, 300), Why.PLAYERS_ONLY),
        (lambda: lobby.set_options(two, 200, pace=Pace.SLOW), Why.HOST_ONLY),
        (lambda: lobby.cancel(two, 200, "p", moderator=False), Why.HOST_ONLY),
        (lambda: lobby.join(table(THREE), Player("p", 200)), Why.ALREADY_STARTED),
        (lambda: lobby.join(table(THREE)._replace(phase=Phase.OVER), Player("p", 200)), Why.GAME_FINISHED),
    ):
        with pytest.raises(Refusal) as no:
            wrong()
        assert no.value.why is why


def test_the_host_passes_on_and_an_empty_lobby_closes() -> None:
    two = lobby.join(fresh(), Player("p", 200))
    assert lobby.leave(two, 100).host == 200
    assert lobby.leave(fresh(), 100).ending is Ending.CANCELLED


def test_a_table_round_trips_through_json() -> None:
    held = lay(table(THREE), 1, at=NOW).table
    called = call(table(THREE), 2, at=NOW).table
    over = pass_time(call(table(THREE._replace(victory=(2, 0, 0))), 2, at=NOW).table, NOW + 9000)
    for each in (fresh(), held, called, over):
        assert decode(encode(each)) == each
