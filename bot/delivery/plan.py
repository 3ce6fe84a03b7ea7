"""What each message of a table should show, which messages there must be, and who must be notified of what. Pure."""

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from discord import ButtonStyle

from bot.clock import snowflake_time
from bot.delivery.slots import (
    DEAL,
    REPLY,
    TABLE,
    Slot,
    TableSlots,
    hand_slot,
    here_slot,
    is_direct,
    is_ephemeral,
    is_gone,
    is_superseded,
    ping_slot,
    seat_of,
)
from bot.i18n import words
from bot.store.store import Handle
from bot.tables.errors import Unusable
from bot.tables.model import Phase, Table, Telling, once
from bot.tables.passing import pass_lands_at, passes_alike, will_pass
from bot.tables.scene import Place, scene
from bot.ui.components import (
    Component,
    Sheet,
    action_row,
    button,
    escaped_name,
    link_button,
    replace_erased_names,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.dealing import deal_code_sheet
from bot.ui.hand_message import hand_sheet
from bot.ui.pictures import symbols
from bot.ui.registry import PRESENTERS
from bot.ui.table_message import table_sheet
from engine.game import Seat

INACTIVE_MS: Final = 120_000
"""Somebody who has not clicked for this long is notified of their turn by a new message: edits do not notify."""


def sheet_for(
    table: Table,
    slot: str,
    message: int | None,
    notice: str = "",
    picked: str = "",
    *,
    live: bool = False,
    rests: bool = False,
) -> Sheet:
    """What the message in *slot* should show; *message* is the table message's id, for links.

    In a hand *notice* stands above, *picked* is what its owner has picked on the way to a move, and *live* says that
    the hand follows every change of the table; if it *rests*, it only says that its owner has another one open. If the
    markup of the drawings is too long for Discord, text symbols are used instead.

    Raises:
        Unusable: it fails, and would do so again: nothing here depends on anything but the table.
    """
    try:
        sheet = _sheet(table, slot, message, notice, picked, live, rests)
        if sheet.cut:
            with symbols.text_symbols_only():
                return _sheet(table, slot, message, notice, picked, live, rests)
    except Exception as error:  # a bug or damage of any kind: the same table fails again, so it is told apart
        raise Unusable.because_of(table.id, error) from error
    return sheet


def _sheet(table: Table, slot: str, message: int | None, notice: str, picked: str, live: bool, rests: bool) -> Sheet:
    """As ``sheet_for``, however long it gets."""
    seat = seat_of(slot)
    t = words(table.locale if seat is None else table.players[seat].locale)
    shown = replace_erased_names(scene(table, seat, message, picked, live=live), t)
    if seat is not None:
        return hand_sheet(shown, t, notice, rests=rests)
    return deal_code_sheet(shown, t) if slot == DEAL else table_sheet(shown, t)


def last_word_sheet(table: Table, seat: Seat) -> Sheet:
    """What an ephemeral hand of *seat* says when it cannot be kept up to date any longer, with a button for a new
    one."""
    t = words(table.players[seat].locale)
    again = button(t("My hand"), Verb.HAND, table.id, style=ButtonStyle.primary)
    return Sheet(
        text_display(t("This hand is not up to date any more. Press **My hand** for the current one.")),
        action_row(again),
    )


def announcement(table: Table, seat: Seat) -> str:
    """What a notification of a new hand of *seat* says: plain words, in the person's language."""
    player = table.players[seat]
    t = words(player.locale)
    game = t(PRESENTERS[table.game].title)
    if due_notification(table, seat) == 0:
        return t("{game}: the cards are dealt. Here is your hand.", game=game)
    if table.reminded == table.turn_began:
        return t("{game}: your time is running out. It is your turn!", game=game)
    return t("{game}: it is your turn.", game=game)


def mention(table: Table, seat: Seat) -> str:
    """The line in the channel for the person in *seat*, who is on turn and gets no direct messages."""
    t = words(table.locale)
    return t("<@{user}>, it is your turn: press **My hand** at the table.", user=table.players[seat].user)


def to_table(table: Table, message: int | None) -> list[Component]:
    """A row with a link to the table message, whose id is *message*."""
    t = words(table.locale)
    return [action_row(link_button(t("To the table"), Place(table.guild, table.channel, message).url))]


def mention_done(table: Table, seat: Seat) -> str:
    """What becomes of that line when the turn is over."""
    t = words(table.locale)
    return t("{name} was asked to play. Done!", name=escaped_name(table.players[seat].name))


def may_differ(old: Table, new: Table) -> Callable[[str], bool]:
    """A function that tells from a slot's name whether its message may look different now that *new* has replaced
    *old*.

    It does not draw them. It is cheap, because what has not changed is the very same object.
    """
    if _public_content(old) != _public_content(new):
        return lambda slot: True
    movers = {held.seat for held in (old.held, new.held) if held is not None} if old.held != new.held else set()
    return lambda slot: seat_of(slot) in movers


@once
def _public_content(table: Table) -> Table:
    """*table* without what no message shows, such as an open call window, and without the held move, which only its own
    player sees."""
    window = table.window if table.window is not None and table.window.closed else None
    players = tuple(player._replace(active_at=0, timeouts=0) for player in table.players)
    return table._replace(version=0, changed_at=0, calls_decided=0, held=None, players=players, window=window)


def due_notification(table: Table, seat: Seat) -> int:
    """What the player of *seat* should be notified of, as a number that changes whenever there is something new.

    It is the time when their turn began (ms), one more after the reminder, 0 for nothing.
    """
    if table.phase is not Phase.PLAYING or table.rules.on_turn(table.state) != seat:
        return 0
    return table.turn_began + (table.reminded == table.turn_began)


def must_notify(
    table: Table, seat: Seat, told: int, clicked_at: int, now: int, *, public: bool, unreached: bool = False
) -> bool:
    """Whether the player of *seat* needs a message that notifies, at *now* (ms): a *public* one, which is a mention in
    the channel, or a new direct message.

    *told* is the ``due_notification`` of which they were notified last; *clicked_at* is when they last clicked on a
    hand of theirs, which need not change the table (ms). *unreached*: Discord does not take their hand, so that being
    here does not help them.
    """
    due, player = due_notification(table, seat), table.players[seat]
    if due == 0 or due == told or player.automatic or player.telling is Telling.NEVER:
        return False
    if will_pass(table) or (table.held is not None and table.held.seat == seat):
        return False
    if due != table.turn_began:
        return True
    if unreached:
        return player.telling is Telling.EVERY_TURN
    # Everybody sees a mention, so it must not tell whether somebody clicked a pass or the table made it.
    unseen = public and passes_alike(table, seat)
    active_at = player.active_at if unseen else max(clicked_at, player.active_at)
    return player.telling is Telling.EVERY_TURN and now - active_at > INACTIVE_MS


def mention_from(table: Table) -> int:
    """From when on (ms) the player on turn may be mentioned.

    In a game with passes it is the moment at which the table passes for those who want that and cannot play. So nobody
    is mentioned for a turn that passes, and the mention tells nothing that the time would not tell: it comes as late
    for everybody.
    """
    return pass_lands_at(table) if table.rules.passes is not None and table.options.beat_ms else 0


def wanted(table: Table, unreached: Callable[[Seat], bool] = lambda seat: False) -> list[str]:
    """The slots in which there must be a message: the table's, before the deal the one that fixes it, and while the
    game runs hands, or mentions instead. Whoever is *unreached* by direct messages has both."""
    slots = [TABLE, DEAL] if table.starting else [TABLE]
    if table.phase is Phase.PLAYING:
        for index, player in enumerate(table.players):
            seat = Seat(index)
            if player.user is None:
                continue
            by_dm = player.by_dm and not player.away
            if by_dm:
                slots.append(hand_slot(seat))
            if (not by_dm or unreached(seat)) and due_notification(table, seat) and player.telling is not Telling.NEVER:
                slots.append(ping_slot(seat))
    return slots


# What to do about one message of a table. Pure: it follows from the table and from what is known of the message.


OLD_MS: Final = 55 * 60_000
"""A message older than this is replaced when it changes often: Discord takes only few edits of messages that are more
than an hour old (error 30046)."""
OFTEN_MS: Final = 10_000
"""Two edits within this time are often."""
LAST_WORD_MS: Final = 13 * 60_000 + 30_000
"""An ephemeral message whose token is older than this gets its last edit: it says how to open a new one."""


class Do(Enum):
    """What to do about a message."""

    NOTHING = "nothing"
    """It is as it should be, or will be soon."""
    CREATE = "create"
    EDIT = "edit"
    RENEW = "renew"
    """Send a new message that replaces the old one, which takes hardly any more edits."""
    SEND_AGAIN = "send_again"
    """Send a new message that replaces the old one, because edits do not notify."""
    PING = "ping"
    """Send a mention, replace it, or mark it as done: ``Messages.ping`` knows which."""
    DELETE = "delete"
    LAST_EDIT = "last_edit"
    """Edit it, and forget it."""
    FORGET = "forget"
    """Leave it as it is."""
    WITHDRAW = "withdraw"
    """Have it deleted in a moment, and forget it."""
    LOOK = "look"
    """See whether it is still there."""
    FIND = "find"
    """Find the table message with which an interaction was answered."""
    DEAL = "deal"
    """Deal the cards: the message for the game is there."""


class Known(NamedTuple):
    """What is known of the message in a slot."""

    handle: Handle | None
    """Where it is; ``None``: there is none."""
    shown: bytes | None
    """The fingerprint of what it shows; ``None``: unknown."""
    notice_at: int
    """The table's version at which a notice was shown in it."""
    edited_at: int
    """When it was last edited with the bot's own token, ms."""
    picked: str
    """What its owner has picked on the way to a move."""
    table_message: int | None
    """The id of the table message, for links."""
    clicked_at: int = 0
    """When the person whose hand it is last clicked on a hand of theirs, ms; 0: not since the table was loaded."""
    elsewhere: bool = False
    """Whether its owner has a live hand in the channel; for hands that are direct messages."""
    moving: bool = False
    """Whether a new message is to replace it."""
    declined: bool = False
    """Whether its owner has chosen the hand in the channel, and not woken this one since."""
    unseen: bool = False
    """Whether what it shows is known from an earlier process alone."""
    reply: bool = False
    """Whether an earlier process may have sent a table message that is not known yet."""
    deal_message: int | None = None
    """The id of the message that fixes the deal."""
    notice: str = ""
    """What the notice says that was shown at ``notice_at``."""


class Decision(NamedTuple):
    """What to do, and with which content."""

    do: Do
    sheet: Sheet | None = None
    """For all that send or edit, except CREATE and PING."""
    fingerprint: bytes | None = None
    """Of the sheet; also with NOTHING, if the sheet was drawn and the message shows it already."""


def known(slots: TableSlots, slot: Slot, now: int) -> Known:
    """What is known of the message in *slot* at *now* (ms)."""
    seat = None if is_gone(slot.name) else seat_of(slot.name)
    here = slots.slots.get(here_slot(seat)) if seat is not None and is_direct(slot.name) else None
    elsewhere = (
        here is not None
        and here.handle is not None
        and is_live(here.name, here.handle, now)
        and here.retry is None  # Discord takes its edits
    )
    return Known(
        slot.handle,
        slot.shown,
        slot.notice_at,
        slot.edited_at,
        slots.picked(slot),
        slots.message,
        0 if seat is None else slots.clicked_at(seat),
        elsewhere,
        slot.moving,
        slot.declined,
        slot.unseen,
        REPLY in slots.slots,
        _deal_message(slots),
        slot.notice,
    )


def _deal_message(slots: TableSlots) -> int | None:
    """The id of the message that fixes the deal of a table that is starting; ``None``: there is none, or it is of an
    earlier *Start*."""
    slot = slots.slots.get(DEAL)
    if slot is None or slot.handle is None or slot.handle.told != slots.table.turn_began:
        return None
    return slot.handle.message


def offers_turn(slots: TableSlots, slot: Slot, now: int, *, current: bool) -> bool:
    """Whether the message of *slot* offers the running turn to its person: their hand, or a mention. Whoever has no
    hand, and was here a moment ago, sees it in the table message. *current*: the message shows what it should."""
    table = slots.table
    seat = table.rules.on_turn(table.state) if table.phase is Phase.PLAYING else None
    if seat is None or table.players[seat].automatic or slot.handle is None:
        return False
    direct, here, ping = (slots.slots.get(name(seat)) for name in (hand_slot, here_slot, ping_slot))
    if slot in (direct, ping) and slot.handle.told in (table.turn_began, table.turn_began + 1):
        return True
    if slot is direct:
        return current and slot.shown is not None and not known(slots, slot, now).elsewhere
    if slot is here:
        return current and slot.shown is not None
    if slot.name != TABLE or not current or slot.shown is None:
        return False
    if any(hand is not None and (hand.handle or hand.busy or hand.failing_since) for hand in (direct, here)):
        return False
    told = ping.handle.told if ping is not None and ping.handle is not None else 0
    return not must_notify(table, seat, told, slots.clicked_at(seat), now, public=True)


def is_live(name: str, handle: Handle, now: int) -> bool:
    """Whether the hand in the slot *name*, whose message is at *handle*, follows every change at *now* (ms).

    It does for as long as the token of a click on it is fresh, as edits by a token do not count.
    """
    return seat_of(name) is not None and handle.token is not None and handle.token_at > now - LAST_WORD_MS


def _rests(table: Table, name: str, it: Known, *, live: bool) -> bool:
    """Whether the message in the slot *name*, *live* or not, is a hand that only says that its person has another one
    open.

    Edits of it would count. Of a turn of which it has notified, it shows everything.
    """
    seat = seat_of(name)
    if live or not it.elsewhere or seat is None or it.handle is None or table.phase is not Phase.PLAYING:
        return False
    due = due_notification(table, seat)
    return not table.players[seat].automatic and (due == 0 or due != it.handle.told)


def _start(table: Table, it: Known) -> Decision:
    """What to do about the message of *table*, which is starting: once the deal is fixed in public a new one takes its
    place, and with its id the cards are dealt."""
    if it.deal_message is None:
        return Decision(Do.NOTHING)
    if it.handle is None:
        return Decision(Do.CREATE)
    if it.handle.message > it.deal_message:
        return Decision(Do.DEAL)
    sheet = sheet_for(table, TABLE, None)
    return Decision(Do.RENEW, sheet, sheet.fingerprint())


def decide(table: Table, name: str, it: Known, now: int) -> Decision:
    """What to do about the message in the slot *name* of *table*, of which *it* is known, at *now* (ms)."""
    if is_superseded(name):
        return Decision(Do.DELETE)
    seat = seat_of(name)
    if seat is not None and table.players[seat].former:  # it is in somebody's direct messages, or names them
        return Decision(Do.DELETE)
    if seat is not None and name == ping_slot(seat):
        return Decision(Do.PING)
    if name == REPLY:
        return Decision(Do.NOTHING if it.handle is None else Do.FIND)
    if name == TABLE and it.reply:
        return Decision(Do.NOTHING)  # it is perhaps there already
    if name == DEAL and it.handle is not None:
        if table.starting and it.handle.told == table.turn_began:
            return Decision(Do.NOTHING)
        # It must not be edited, and what it says of a Start that came to nothing is not true any more.
        return Decision(Do.WITHDRAW if table.phase is Phase.LOBBY else Do.FORGET)
    if name == TABLE and table.starting:
        return _start(table, it)
    if it.handle is None:
        # The messages of a table that is over are forgotten once all show that: they stay as they are.
        return Decision(Do.CREATE if table.live and name in wanted(table) else Do.NOTHING)
    if is_ephemeral(name) and table.live and it.handle.token_at <= now - LAST_WORD_MS:
        assert seat is not None
        return Decision(Do.LAST_EDIT, last_word_sheet(table, seat))
    live = is_live(name, it.handle, now)
    if it.notice_at == table.version:
        if it.shown is not None:
            return Decision(Do.NOTHING)
        sheet = sheet_for(table, name, it.table_message, it.notice, it.picked, live=live)
        return Decision(Do.EDIT, sheet, sheet.fingerprint())
    if is_direct(name):
        assert seat is not None
        player, waits = table.players[seat], due_notification(table, seat) == 0
        unwanted = table.phase is Phase.PLAYING and not player.by_dm and not player.automatic
        if unwanted and (not live or (it.declined and waits)):
            return Decision(Do.LAST_EDIT, sheet_for(table, name, it.table_message, rests=True))
    sheet = sheet_for(
        table, name, it.table_message, picked=it.picked, live=live, rests=_rests(table, name, it, live=live)
    )
    fingerprint = sheet.fingerprint()
    told, clicked_at = it.handle.told, it.clicked_at
    if seat is not None and name in wanted(table) and must_notify(table, seat, told, clicked_at, now, public=False):
        return Decision(Do.SEND_AGAIN, sheet, fingerprint)
    if it.moving:
        return Decision(Do.RENEW, sheet, fingerprint)
    if fingerprint != it.shown:
        old = table.live and not is_ephemeral(name) and snowflake_time(it.handle.message) < now - OLD_MS
        often = it.edited_at > now - OFTEN_MS
        return Decision(Do.RENEW if old and often else Do.EDIT, sheet, fingerprint)
    # Without the table message nobody could click; a hand that is gone is missed by its owner alone.
    return Decision(Do.LOOK if name == TABLE and it.unseen else Do.NOTHING, None, fingerprint)
