"""The messages of a table: what their slots are called, what is known of them, where a hand must never be."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import slots as names
from bot.delivery.slots import (
    TABLE,
    Click,
    TableSlots,
    check_hand_click_is_private,
    check_hand_not_in_table_channel,
    check_not_table_message,
    dm_hand_slot,
    ephemeral_hand_slot,
    is_valid_slot_name,
    mention_slot,
    slot_seat,
    superseded_hand_slot,
    superseded_table_slot,
)
from bot.store.store import Handle
from bot.tables.model import NO_SERVER, Table
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
        (dm_hand_slot(MINE), {"dm", "hand"}, MINE),
        (ephemeral_hand_slot(MINE), {"ephemeral", "hand"}, MINE),
        (mention_slot(MINE), set(), MINE),
        (superseded_hand_slot(77, MINE), {"superseded hand", "hand", "superseded"}, MINE),
        (superseded_table_slot(77), {"superseded table", "superseded"}, None),
    ],
)
def test_each_slot_is_what_its_name_says(slot: str, kinds: set[str], seat: Any) -> None:
    kinds_of = {
        "dm": names.is_dm_hand_slot,
        "ephemeral": names.is_ephemeral_hand_slot,
        "superseded table": names.is_superseded_table_slot,
        "hand": names.is_hand_slot,
        "superseded hand": names.is_superseded_hand_slot,
        "superseded": names.is_superseded_slot,
    }
    assert {kind for kind, is_kind in kinds_of.items() if is_kind(slot)} == kinds
    assert is_valid_slot_name(slot, seats=2)
    assert slot_seat(slot) == seat


def test_a_table_has_no_slots_of_seats_that_it_does_not_have() -> None:
    for slot in (
        dm_hand_slot(Seat(2)),
        ephemeral_hand_slot(Seat(2)),
        mention_slot(Seat(2)),
        superseded_hand_slot(5, Seat(2)),
    ):
        assert not is_valid_slot_name(slot, seats=2)
        assert is_valid_slot_name(slot, seats=3)
    assert not is_valid_slot_name("hand:x", seats=2)
    assert not is_valid_slot_name("table:0", seats=2)
    assert is_valid_slot_name(TABLE, seats=1)


# Where a hand must never be


def test_no_hand_is_sent_to_the_channel_of_its_table() -> None:
    table = started(GAME)
    check_hand_not_in_table_channel(TABLE, table.channel, table)
    check_hand_not_in_table_channel(dm_hand_slot(MINE), table.channel + 1, table)
    with pytest.raises(ValueError, match="others"):
        check_hand_not_in_table_channel(dm_hand_slot(MINE), table.channel, table)


def test_no_hand_takes_the_place_of_the_table_message() -> None:
    it = slots()
    it.slot(TABLE).handle = Handle(TABLE, 1, 77)
    check_not_table_message(Handle(TABLE, 1, 77), it)
    check_not_table_message(Handle(ephemeral_hand_slot(MINE), 1, 78), it)
    for name in (ephemeral_hand_slot(MINE), dm_hand_slot(MINE), superseded_hand_slot(77, MINE)):
        with pytest.raises(ValueError, match="place"):
            check_not_table_message(Handle(name, 1, 77), it)


def test_a_hand_is_shown_only_where_nobody_else_reads_it() -> None:
    table = started(GAME)
    check_hand_click_is_private(TABLE, table, click())
    check_hand_click_is_private(dm_hand_slot(MINE), table, click(guild=None))
    check_hand_click_is_private(ephemeral_hand_slot(MINE), table, click(ephemeral=True))
    for name in (dm_hand_slot(MINE), ephemeral_hand_slot(MINE)):
        with pytest.raises(ValueError, match="public"):
            check_hand_click_is_private(name, table, click())
    alone = table._replace(guild=NO_SERVER)
    check_hand_click_is_private(TABLE, alone, click(guild=None))
    with pytest.raises(ValueError, match="public"):  # the message of a solo table is a hand as well
        check_hand_click_is_private(TABLE, alone, click())
