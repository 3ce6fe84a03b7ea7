"""The messages of a table: what their slots are called, what is known of them, where a hand must never be."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import slots as names
from bot.delivery.slots import (
    TABLE,
    Click,
    TableSlots,
    Waiting,
    check_channel,
    check_place,
    check_readers,
    gone_slot,
    hand_slot,
    here_slot,
    is_slot,
    old_slot,
    ping_slot,
    seat_of,
)
from bot.store.store import Handle
from bot.tables.model import Phase, Table
from engine.game import Seat
from tests.bot.tables import opened, started
from tests.games import CASES

GAME = sorted(CASES)[0]
MINE, OTHER = Seat(1), Seat(0)


def click(message: int = 2, *, guild: int | None = 5, ephemeral: bool = False) -> Click:
    """A click on *message*, in the direct messages if *guild* is ``None``."""
    on = SimpleNamespace(id=message, flags=SimpleNamespace(ephemeral=ephemeral))
    it: Any = SimpleNamespace(message=on, guild_id=guild)
    return it


def slots(table: Table | None = None) -> TableSlots:
    return TableSlots(table or started(GAME), inherited=False)


@pytest.mark.parametrize(
    ("slot", "kinds", "seat"),
    [
        (TABLE, set(), None),
        (hand_slot(MINE), {"direct", "hand"}, MINE),
        (here_slot(MINE), {"ephemeral", "hand"}, MINE),
        (ping_slot(MINE), set(), MINE),
        (old_slot(77, MINE), {"old", "hand", "superseded"}, MINE),
        (gone_slot(77), {"gone", "superseded"}, ...),
    ],
)
def test_each_slot_is_what_its_name_says(slot: str, kinds: set[str], seat: Any) -> None:
    assert {kind for kind in ("direct", "ephemeral", "gone", "hand", "old", "superseded")
            if getattr(names, f"is_{kind}")(slot)} == kinds  # fmt: skip
    assert is_slot(slot, seats=2)
    if seat is not ...:
        assert seat_of(slot) == seat


def test_a_table_has_no_slots_of_seats_that_it_does_not_have() -> None:
    for slot in (hand_slot(Seat(2)), here_slot(Seat(2)), ping_slot(Seat(2)), old_slot(5, Seat(2))):
        assert not is_slot(slot, seats=2)
        assert is_slot(slot, seats=3)
    assert not is_slot("hand:x", seats=2)
    assert not is_slot("table:0", seats=2)
    assert is_slot(TABLE, seats=1)


def test_the_hand_in_the_channel_knows_the_one_by_direct_message() -> None:
    it = slots()
    direct = it.slot(hand_slot(MINE))
    it.slot(hand_slot(OTHER))
    assert it.direct_of(it.slot(here_slot(MINE))) is direct
    for name in (TABLE, hand_slot(MINE), ping_slot(MINE), old_slot(5, MINE)):
        assert it.direct_of(it.slot(name)) is None


def test_who_clicked_last_on_which_of_their_hands() -> None:
    it = slots()
    assert it.clicked_at(MINE) == 0
    it.slot(here_slot(MINE))
    assert it.clicked_at(MINE) == 0, "there is no message"
    for name, at in ((hand_slot(MINE), 500), (here_slot(MINE), 700), (hand_slot(OTHER), 900), (TABLE, 950)):
        it.slot(name).handle = Handle(name, 1, 2, "token", at)
    assert it.clicked_at(MINE) == 700
    it.slot(hand_slot(MINE)).handle = Handle(hand_slot(MINE), 1, 2, "token", 800)
    assert it.clicked_at(MINE) == 800


def test_what_was_picked_holds_until_the_game_moves_on() -> None:
    it = slots()
    slot = it.slot(hand_slot(MINE))
    assert it.picked(slot) == ""
    ply = it.table.rules.ply(it.table.state)
    slot.picked = (ply, "set")
    assert it.picked(slot) == "set"
    slot.picked = (ply + 1, "set")
    assert it.picked(slot) == ""


def test_a_lobby_has_nothing_picked() -> None:
    """There is no game yet of which it could be asked."""
    it = slots(opened(GAME))
    assert it.picked(it.slot(hand_slot(MINE))) == ""


def test_the_table_message_is_that_of_its_slot() -> None:
    it = slots()
    assert it.message is None
    it.slot(TABLE).handle = Handle(TABLE, 1, 77)
    assert it.message == 77


class Alarm:
    cancelled = 0

    def cancel(self) -> None:
        self.cancelled += 1


def test_a_click_waits_until_the_game_has_moved_on() -> None:
    table, alarm = started(GAME), Alarm()
    ply = table.rules.ply(table.state)
    waiting = Waiting(click(), "")
    assert waiting.ready(table), "it need not wait"
    waiting.past, waiting.alarm = ply, alarm
    assert not waiting.ready(table)
    assert alarm.cancelled == 0
    assert waiting.ready(table._replace(phase=Phase.OVER)), "it does not move any more"
    assert (waiting.past, waiting.alarm, alarm.cancelled) == (None, None, 1)
    waiting.past = ply - 1
    assert waiting.ready(table)


def test_what_a_slot_waits_for_is_cancelled() -> None:
    slot, retry, last = slots().slot(TABLE), Alarm(), Alarm()
    slot.rest()
    slot.retry, slot.last_word = retry, last
    slot.rest()
    assert (slot.retry, slot.last_word) == (None, None)
    assert retry.cancelled == last.cancelled == 1


# Where a hand must never be


def test_no_hand_is_sent_to_the_channel_of_its_table() -> None:
    table = started(GAME)
    check_channel(TABLE, table.channel, table)
    check_channel(hand_slot(MINE), table.channel + 1, table)
    with pytest.raises(ValueError, match="others"):
        check_channel(hand_slot(MINE), table.channel, table)


def test_no_hand_takes_the_place_of_the_table_message() -> None:
    it = slots()
    it.slot(TABLE).handle = Handle(TABLE, 1, 77)
    check_place(Handle(TABLE, 1, 77), it)
    check_place(Handle(here_slot(MINE), 1, 78), it)
    for name in (here_slot(MINE), hand_slot(MINE), old_slot(77, MINE)):
        with pytest.raises(ValueError, match="place"):
            check_place(Handle(name, 1, 77), it)


def test_a_hand_is_shown_only_where_nobody_else_reads_it() -> None:
    check_readers(TABLE, click())
    check_readers(hand_slot(MINE), click(guild=None))
    check_readers(here_slot(MINE), click(ephemeral=True))
    for name in (hand_slot(MINE), here_slot(MINE)):
        with pytest.raises(ValueError, match="public"):
            check_readers(name, click())


@pytest.mark.parametrize("what", ["task", "answering", "dirty", "clicks"])
def test_a_slot_is_busy_as_long_as_anything_has_to_be_done(what: str) -> None:
    slot = slots().slot(TABLE)
    assert not slot.busy
    setattr(slot, what, [object()] if what == "clicks" else True)
    assert slot.busy
