"""What to do about one message of a table. Pure: it follows from the table and from what is known of the message."""

from enum import Enum
from typing import NamedTuple

from bot.delivery.content import must_notify, sheet_for, wanted
from bot.delivery.slots import TABLE, Slot, TableSlots, is_gone, ping_slot, seat_of
from bot.present.sheet import Sheet
from bot.store.store import Handle
from bot.tables.model import Table


class Do(Enum):
    """What to do about a message."""

    NOTHING = "nothing"
    """It is as it should be, or will be soon."""
    CREATE = "create"
    EDIT = "edit"
    SEND_AGAIN = "send_again"
    """Send a new message that replaces the old one, because edits do not notify."""
    PING = "ping"
    """Send, replace or delete a mention: ``Messages.ping`` knows which."""
    DELETE = "delete"


class Known(NamedTuple):
    """What is known of the message in a slot."""

    handle: Handle | None
    """Where it is; ``None``: there is none."""
    shown: bytes | None
    """The fingerprint of what it shows; ``None``: unknown."""
    notice_at: int
    """The table's version at which a notice was shown in it."""
    picked: str
    """What its owner has picked on the way to a move."""
    table_message: int | None
    """The id of the table message, for links."""


class Decision(NamedTuple):
    """What to do, and with which content."""

    do: Do
    sheet: Sheet | None = None
    """For CREATE, EDIT and SEND_AGAIN."""
    fingerprint: bytes | None = None
    """Of the sheet; also with NOTHING, if the sheet was drawn and the message shows it already."""


def known(slots: TableSlots, slot: Slot) -> Known:
    """What is known of the message in *slot* now."""
    return Known(slot.handle, slot.shown, slot.notice_at, slots.picked(slot), slots.message)


def decide(table: Table, name: str, it: Known, now: int) -> Decision:
    """What to do about the message in the slot *name* of *table*, of which *it* is known, at *now* (ms)."""
    if is_gone(name):
        return Decision(Do.DELETE)
    seat = seat_of(name)
    if seat is not None and name == ping_slot(seat):
        return Decision(Do.PING)
    if it.handle is None:
        # The messages of a table that is over are forgotten once all show that: they stay as they are.
        return Decision(Do.CREATE if table.live and name in wanted(table) else Do.NOTHING)
    if it.notice_at == table.version:
        return Decision(Do.NOTHING)
    if name == TABLE and table.window is not None and it.shown is not None:
        # The reveal is shown within a second; the answer to the click has shown the call to whoever made it.
        return Decision(Do.NOTHING)
    sheet = sheet_for(table, name, it.table_message, picked=it.picked)
    fingerprint = sheet.fingerprint()
    if seat is not None and name in wanted(table) and must_notify(table, seat, it.handle.told, now):
        return Decision(Do.SEND_AGAIN, sheet, fingerprint)
    if fingerprint != it.shown:
        return Decision(Do.EDIT, sheet, fingerprint)
    return Decision(Do.NOTHING, None, fingerprint)
