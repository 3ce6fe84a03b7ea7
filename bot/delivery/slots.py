"""The messages a table has - its slots - and what each should look like now."""

from collections.abc import Callable
from typing import Final

from bot.i18n import words
from bot.present.hand import hand_sheet
from bot.present.sheet import Sheet, text
from bot.present.table import table_sheet
from bot.tables.model import Phase, Table
from bot.tables.scene import scene
from engine.game import Seat

TABLE: Final = "table"
"""In the channel, for everybody."""

INACTIVE_MS: Final = 120_000
"""Who has not clicked for this long is told of their turn by a new message: edits do not notify."""


def hand_slot(seat: Seat) -> str:
    """The hand as a direct message."""
    return f"hand:{seat}"


def here_slot(seat: Seat) -> str:
    """The hand as an ephemeral message in the channel."""
    return f"here:{seat}"


def ping_slot(seat: Seat) -> str:
    """The mention in the channel for somebody on turn who gets no direct messages."""
    return f"ping:{seat}"


def gone_slot(message: int) -> str:
    """A message that has been replaced and must go."""
    return f"gone:{message}"


def is_gone(slot: str) -> bool:
    """Whether *slot* is only to be deleted."""
    return slot.startswith("gone:")


def seat_of(slot: str) -> Seat | None:
    """Whose slot it is; ``None``: everybody's."""
    _, colon, seat = slot.partition(":")
    return Seat(int(seat)) if colon else None


def sheet_for(table: Table, slot: str, message: int | None, notice: str = "", picked: str = "") -> Sheet:
    """What *slot* should show; *message* is the table message's id, for links. In a hand *notice* stands above, and
    *picked* is what its owner has picked on the way to a move."""
    seat = seat_of(slot)
    if seat is None:
        return table_sheet(scene(table, None, message), words(table.locale))
    player = table.players[seat]
    if slot == ping_slot(seat):
        t = words(table.locale)
        return Sheet(text(t("<@{user}>, it is your turn: press **My hand** at the table.", user=player.user)))
    return hand_sheet(scene(table, seat, message, picked), words(player.locale), notice)


def may_differ(old: Table, new: Table) -> Callable[[str], bool]:
    """Which slots may show something else after *new* has taken the place of *old*, as far as that can be said without
    drawing them: cheap, because what has not changed is the very same object."""
    if _shared(old) != _shared(new):
        return lambda slot: True
    movers = {held.seat for held in (old.held, new.held) if held is not None} if old.held != new.held else set()
    return lambda slot: seat_of(slot) in movers


def _shared(table: Table) -> Table:
    """What others than the player of a held move can tell from each other."""
    players = tuple(player._replace(active_at=0, timeouts=0) for player in table.players)
    return table._replace(version=0, changed_at=0, shouted=0, held=None, players=players)


def news_of(table: Table, seat: Seat) -> int:
    """What the player of *seat* should be told of, as a number that changes when there is something new:
    the beginning of their turn, one more after the reminder, 0 for nothing."""
    if table.phase is not Phase.PLAYING or table.rules.on_turn(table.state) != seat:
        return 0
    return table.turn_began + (table.reminded == table.turn_began)


def must_be_told(table: Table, seat: Seat, told: int, now: int) -> bool:
    """Whether the player of *seat*, last told of *told*, needs a message that notifies."""
    news = news_of(table, seat)
    if news == 0 or news == told or table.players[seat].automatic:
        return False
    return news != table.turn_began or now - table.players[seat].active_at > INACTIVE_MS


def wanted(table: Table) -> list[str]:
    """The slots that must exist, hands only while the game runs."""
    slots = [TABLE]
    if table.phase is Phase.PLAYING:
        for index, player in enumerate(table.players):
            seat = Seat(index)
            if player.user is None:
                continue
            if player.by_dm and not player.away:
                slots.append(hand_slot(seat))
            elif news_of(table, seat):
                slots.append(ping_slot(seat))
    return slots
