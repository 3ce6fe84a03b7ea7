"""The messages of a table: what their slots are called, what is known of them, where a hand must never be."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import slots as names
from bot.delivery.slots import (
    TABLE,
    Click,
    TableSlots,
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
from bot.tables.model import Table
from engine.game import Seat
from tests.bot.tables import started
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
