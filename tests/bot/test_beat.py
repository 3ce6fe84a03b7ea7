"""The beat and the hold, in which a move that was made has not landed yet; and how long computer players wait. At
tables of 17, whose beat is there for the calls."""

import pytest

from bot.tables.names import QUICK, USUAL
from bot.tables.options import Options, Pace
from bot.tables.play import ClickEffect
from bot.tables.timers import HIDDEN_CALL_FACTOR, LATE_ARRIVAL_MS, next_due
from engine.games.diciassette.cards import Card
from tests.bot.calling import THREE, beat, call, lay, table
from tests.bot.tables import NORMAL, NOW, pass_time
from tests.games.diciassette import state

SPREAD = int(HIDDEN_CALL_FACTOR * (NORMAL.window_ms + LATE_ARRIVAL_MS))
"""By how much the time varies that a computer player takes, ms."""
LONGER = int((USUAL.least - QUICK.least) * NORMAL.beat_ms)
"""How much longer than the quickest an ordinary one takes at least, ms."""

pytestmark = pytest.mark.about("diciassette")


def test_a_play_lands_after_the_hold() -> None:
    clicked = lay(table(THREE), 1, at=NOW)
    assert clicked.effect is ClickEffect.HELD
    assert clicked.table.state == THREE
    assert pass_time(clicked.table, NOW + 249).state == THREE
    assert pass_time(clicked.table, NOW + 250).state.queue[-1].card is Card.FOUR


def test_a_card_clicked_during_the_beat_is_kept_and_played_when_the_beat_ends() -> None:
    clicked = lay(beat(table(THREE), NOW + 2000), 1, at=NOW + 100)
    assert pass_time(clicked.table, NOW + 2249).state == THREE
    assert pass_time(clicked.table, NOW + 2250).state.last == 1


@pytest.mark.parametrize(("ends", "soon"), [(450, True), (451, False)])
def test_a_card_that_is_played_within_700_ms_is_stored_then(ends: int, soon: bool) -> None:
    assert lay(beat(table(THREE), NOW + ends), 1, at=NOW).brief is soon


def test_a_card_waits_for_no_computer_where_nothing_is_held() -> None:
    quick = Options(pace=Pace.OFF, window_ms=0, hold_ms=0)
    assert lay(table(THREE, quick, computers=(2,)), 1, at=NOW).effect is ClickEffect.LANDED


def test_a_new_beat_begins_when_a_turn_ends() -> None:
    after = pass_time(lay(table(THREE), 1, at=NOW).table, NOW + 250)
    assert after.beat_ends == NOW + 250 + 2000
    assert after.turn_began == NOW + 250


def test_the_beat_is_a_table_option_and_0_switches_it_off() -> None:
    quick = Options(pace=Pace.OFF, window_ms=0, hold_ms=0)
    clicked = lay(table(THREE, quick), 1, at=NOW)
    assert clicked.effect is ClickEffect.LANDED
    assert clicked.table.beat_ends == NOW


def test_another_card_replaces_the_kept_one() -> None:
    kept = lay(beat(table(THREE), NOW + 2000), 1, at=NOW + 100).table
    changed = lay(kept, 1, at=NOW + 900, slot=1)
    assert changed.effect is ClickEffect.HELD
    assert pass_time(changed.table, NOW + 3000).state.queue[-1].card is Card.FIVE


def test_a_double_click_on_a_card_does_one_thing() -> None:
    kept = lay(table(THREE), 1, at=NOW).table
    again = lay(kept, 1, at=NOW + 40)
    assert again.effect is ClickEffect.REPEATED
    assert again.table == kept


def test_within_a_double_turn_nobody_may_call_so_nothing_is_held() -> None:
    before = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:X", owed=2)
    after = pass_time(lay(table(before), 1, at=NOW).table, NOW + 250)
    assert (after.state.owed, after.state.duty) == (1, 2)
    assert lay(after, 1, at=NOW + 300).effect is ClickEffect.LANDED


def test_a_stamp_far_from_our_clock_is_a_wrong_clock() -> None:
    held = lay(table(THREE), 1, at=NOW + 60_000, now=NOW).table
    assert held.held is not None
    assert held.held.lands_at == NOW


# Computer players


def test_a_computer_waits_for_the_beat_like_everybody() -> None:
    waiting = beat(table(THREE, computers=(1,)), NOW + 2000)
    assert pass_time(waiting, NOW + 2249).state == THREE
    assert pass_time(waiting, NOW + 2250 + LONGER + SPREAD).state.ply == THREE.ply + 1


def test_the_time_a_computer_takes_does_not_depend_on_its_cards() -> None:
    taken = set()
    for hand in ("1 2 3", "R T X", "P P 5="):
        before = state(["1 2 3", hand, "2 3 4"], turn=1, last=0, lies="0:1")
        waiting = beat(table(before, computers=(1,)), NOW + 2000)
        due = next_due(waiting)
        assert due is not None
        taken.add(due.at)
    assert len(taken) == 1


def test_the_time_a_computer_takes_varies_by_more_than_a_call_can_stay_hidden_d9() -> None:
    """So its silence does not tell that somebody has called. The seed draws it, at every pace."""
    for pace in Pace:
        taken = []
        for number in range(50):
            waiting = table(THREE, NORMAL._replace(pace=pace), computers=(1,))._replace(seed=f"{number:064x}")
            due = next_due(waiting)
            assert due is not None
            taken.append(due.at)
        assert max(taken) - min(taken) > NORMAL.window_ms + LATE_ARRIVAL_MS


def test_people_get_time_to_read_how_a_round_ended() -> None:
    called = call(table(THREE, computers=(0,)), 2, at=NOW).table
    after = pass_time(called, NOW + 2500)
    assert after.state.turn == 0
    assert after.turn_began == NOW + 1000 + 1500
    due = next_due(after)
    assert due is not None
    assert due.at >= after.turn_began + 5000


@pytest.mark.parametrize("pace", Pace)
def test_a_result_stays_for_five_seconds_unless_nobody_waits_at_all(pace: Pace) -> None:
    called = call(table(THREE, NORMAL._replace(pace=pace)), 2, at=NOW).table
    after = pass_time(called, NOW + 5000)
    assert after.state.round == 2
    card = lay(after, after.state.turn, at=after.turn_began + 10)
    if pace is Pace.OFF:
        assert card.effect is ClickEffect.LANDED
    else:
        assert card.table.held is not None
        assert card.table.held.lands_at >= after.turn_began + 5000
