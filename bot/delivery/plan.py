"""Decides what each message of a table shows, which messages there must be, and who is notified of what. Pure."""

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
    dm_hand_slot,
    ephemeral_hand_slot,
    is_dm_hand_slot,
    is_ephemeral_hand_slot,
    is_superseded_slot,
    mention_slot,
    slot_seat,
)
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.i18n import words
from bot.store.store import Handle
from bot.tables.errors import UnusableTable
from bot.tables.model import Phase, Table, TurnNotice, cached_by_table
from bot.tables.passing import automatic_pass_time, has_auto_pass_enabled, will_pass_automatically
from bot.tables.scene import TablePlace, make_scene
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
from bot.ui.solo_message import solo_table_sheet
from bot.ui.table_message import table_sheet
from engine.game import Seat

INACTIVE_MS: Final = 120_000
"""A person who has not clicked for this long is notified of their turn by a new message, as edits do not notify."""


def render_slot(
    table: Table,
    slot: str,
    message: int | None,
    notice: str = "",
    picked: str = "",
    *,
    live: bool = False,
    rests: bool = False,
) -> Sheet:
    """Return the content of the message in *slot* (table message, hand or deal code), or raise UnusableTable; *message*
    is the table message's id, for links.

    In a hand *notice* stands above, *picked* is what its owner has picked on the way to a move, and *live* says that
    the hand follows every change of the table; if it *rests*, it only says that its owner has another one open. If the
    markup of the drawings is too long for Discord, text symbols are used instead.

    Raises:
        UnusableTable: it fails, and would do so again: nothing here depends on anything but the table.
    """
    try:
        sheet = _render_without_check(table, slot, message, notice, picked, live, rests)
        if sheet.cut:
            with symbols.text_symbols_only():
                return _render_without_check(table, slot, message, notice, picked, live, rests)
    except Exception as error:  # a bug or damage of any kind: the same table fails again, so it is told apart
        raise UnusableTable.from_error(table.id, error) from error
    return sheet


def _render_without_check(
    table: Table, slot: str, message: int | None, notice: str, picked: str, live: bool, rests: bool
) -> Sheet:
    """Return the content of the message in *slot*, even if it is too long for Discord; the parameters are those of
    ``render_slot``."""
    solo = slot == TABLE and table.solo
    seat = table.seat_of(table.host) if solo else slot_seat(slot)
    t = words(table.locale if seat is None else table.players[seat].locale)
    shown = replace_erased_names(make_scene(table, seat, message, picked, live=live or solo), t)
    if solo and seat is not None:
        return solo_table_sheet(shown, t, notice)
    if seat is not None:
        return hand_sheet(shown, t, notice, rests=rests)
    return deal_code_sheet(shown, t) if slot == DEAL else table_sheet(shown, t)


def expired_hand_sheet(table: Table, seat: Seat) -> Sheet:
    """Return the last content of an ephemeral hand of *seat*: a text that it is out of date, and a button that opens a
    new hand."""
    t = words(table.players[seat].locale)
    again = button(t("My hand"), Verb.HAND, table.id, style=ButtonStyle.primary)
    return Sheet(
        text_display(t("This hand is not up to date any more. Press **My hand** for the current one.")),
        action_row(again),
    )


def notification_text(table: Table, seat: Seat) -> str:
    """Return the plain text that notifies *seat*: the cards are dealt, it is their turn, or their time runs out; in the
    person's language."""
    player = table.players[seat]
    t = words(player.locale)
    game = t(PRESENTERS[table.game].title)
    if notification_occasion(table, seat) == 0:
        return t("{game}: the cards are dealt. Here is your hand.", game=game)
    if table.reminded == table.turn_began:
        return t("{game}: your time is running out. It is your turn!", game=game)
    return t("{game}: it is your turn.", game=game)


def your_turn_mention_text(table: Table, seat: Seat) -> str:
    """Return the text that mentions the person in *seat* in the channel: it is their turn; in the table's language."""
    t = words(table.locale)
    return t("<@{user}>, it is your turn: press **My hand** at the table.", user=table.players[seat].user)


def table_link_row(table: Table, message: int | None) -> list[Component]:
    """Return the components of a row with one link button, to the table message (id *message*; ``None``: to the
    channel)."""
    t = words(table.locale)
    return [action_row(link_button(t("To the table"), TablePlace(table.guild, table.channel, message).url))]


def mention_done_text(table: Table, seat: Seat) -> str:
    """Return the text that replaces the mention of *seat* when their turn is over; in the table's language."""
    t = words(table.locale)
    return t("{name} was asked to play. Done!", name=escaped_name(table.players[seat].name))


def slot_change_predicate(old: Table, new: Table) -> Callable[[str], bool]:
    """Return a function that tells, for a slot's name, whether its message may differ between the versions *old* and
    *new* of a table.

    It does not render the messages. It is cheap, because unchanged parts of a table are the same objects.
    """
    if _strip_unshown_fields(old) != _strip_unshown_fields(new):
        return lambda slot: True
    movers = {held.seat for held in (old.held, new.held) if held is not None} if old.held != new.held else set()
    return lambda slot: slot_seat(slot) in movers or (bool(movers) and new.solo)


def differs_only_by_ordinary_move(old: Table, new: Table) -> bool:
    """Return whether nothing has changed between the versions *old* and *new* of a running game but what moves within a
    round change.

    Everything else is more than that: the end of a round or of the game, the first card on which somebody may call, a
    call that everybody sees, a pause, a seat that changes hands, a turn whose time ran out, a new name.
    """
    return (
        old.phase is new.phase is Phase.PLAYING
        and new.outcome is old.outcome  # a round that ends replaces it, perhaps by the same events
        and bool(new.may_call) <= bool(old.may_call)  # the call button must be there to be pressed
        and new.overdue is None
        and set(new.handovers) <= set(old.handovers)
        and _strip_fields_changed_by_moves(old) == _strip_fields_changed_by_moves(new)
    )


@cached_by_table
def _strip_fields_changed_by_moves(table: Table) -> Table:
    """Return *table* without everything that an ordinary move changes."""
    return _strip_unshown_fields(table)._replace(
        state=None,
        recent=(),
        outcome=(),
        highlights=None,
        memories=(),
        turn_began=0,
        beat_ends=0,
        next_pressed=None,
        reminded=0,
        overdue=None,
        handovers=(),
        entries=(),
    )


@cached_by_table
def _strip_unshown_fields(table: Table) -> Table:
    """Return *table* without what no message shows (version, open call window, times of activity), and without the held
    move.

    Only the player of a held move sees it. So if two versions are equal here, their messages are equal but for that
    player's.
    """
    window = table.window if table.window is not None and table.window.closed else None
    players = tuple(player._replace(active_at=0, timeouts=0) for player in table.players)
    return table._replace(version=0, changed_at=0, calls_decided=0, held=None, players=players, window=window)


def notification_occasion(table: Table, seat: Seat) -> int:
    """Return a number for what *seat* must be notified of now: when its turn began (ms), plus 1 once time is short; 0
    if it is not on turn."""
    if table.phase is not Phase.PLAYING or table.rules.on_turn(table.state) != seat:
        return 0
    return table.turn_began + (table.reminded == table.turn_began)


def must_notify(
    table: Table, seat: Seat, notified: int, clicked_at: int, now: int, *, public: bool, unreached: bool = False
) -> bool:
    """Whether the player of *seat* needs a new message about their turn at *now* (ms): not if notified already, active
    lately, played automatically, or unwanted.

    That is a *public* mention in the channel, or a new direct message. *notified* is the ``notification_occasion`` of
    which they were notified last. *clicked_at* is when they last clicked on a hand of theirs, which need not change the
    table (ms). *unreached*: Discord does not take their hand, so their being here does not help them.
    """
    due, player = notification_occasion(table, seat), table.players[seat]
    if due == 0 or due == notified or player.automatic or player.telling is TurnNotice.NEVER:
        return False
    if will_pass_automatically(table) or table.held is not None:
        return False
    if due != table.turn_began:
        return True
    if unreached:
        return player.telling is TurnNotice.EVERY_TURN
    # Everybody sees a mention, so it must not tell whether somebody clicked a pass or the table made it.
    unseen = public and has_auto_pass_enabled(table, seat)
    active_at = player.active_at if unseen else max(clicked_at, player.active_at)
    return player.telling is TurnNotice.EVERY_TURN and now - active_at > INACTIVE_MS


def earliest_mention_ms(table: Table) -> int:
    """Return the time (ms) from which the player on turn may be mentioned: in games with passes when an automatic pass
    would land, else 0.

    In a game with passes it is the moment at which the table passes for those who want that and cannot play. So nobody
    is mentioned for a turn that passes, and the mention comes as late for everybody and tells nothing more.
    """
    return automatic_pass_time(table) if table.rules.passes is not None and table.options.beat_ms else 0


def required_slots(table: Table, unreached: Callable[[Seat], bool] = lambda seat: False) -> list[str]:
    """Return the names of the slots that must have a message now: table message, deal code before the deal, in a game
    hands by direct message and mentions.

    A player without a hand by direct message has a mention on their turn; a player who is *unreached* by direct
    messages has both. The table message of a solo table is the hand as well.
    """
    slots = [TABLE, DEAL] if table.starting else [TABLE]
    if table.phase is Phase.PLAYING and not table.solo:
        for index, player in enumerate(table.players):
            seat = Seat(index)
            if player.user is None:
                continue
            by_dm = player.by_dm and not player.away
            if by_dm:
                slots.append(dm_hand_slot(seat))
            if (
                (not by_dm or unreached(seat))
                and notification_occasion(table, seat)
                and player.telling is not TurnNotice.NEVER
            ):
                slots.append(mention_slot(seat))
    return slots


# The decision about one message of a table. Pure: it follows from the table and the state of the message.


OLD_MS: Final = 55 * 60_000
"""A message older than this is replaced when it changes often: Discord takes only few edits of messages that are more
than an hour old (error 30046)."""
FREQUENT_EDIT_MS: Final = 10_000
"""Two edits within this time count as frequent."""
LAST_EDIT_MS: Final = 13 * 60_000 + 30_000
"""An ephemeral message with a token older than this gets its last edit, which says how to open a new one."""


class MessageAction(Enum):
    """What to do with one message: nothing, create, edit, replace, delete, forget, look for it, or deal the cards."""

    NOTHING = "nothing"
    """It is as it should be, or will be soon."""
    CREATE = "create"
    EDIT = "edit"
    RENEW = "renew"
    """Send a new message that replaces the old one, which takes hardly any more edits."""
    SEND_AGAIN = "send_again"
    """Send a new message that replaces the old one, because edits do not notify."""
    PING = "ping"
    """Send a mention, replace it, or mark it as done: ``Messages.update_mention`` knows which."""
    DELETE = "delete"
    LAST_EDIT = "last_edit"
    """Edit it, and forget it."""
    FORGET = "forget"
    """Leave it as it is."""
    WITHDRAW = "withdraw"
    """Delete it in a moment, and forget it."""
    LOOK = "look"
    """Check that it still exists."""
    FIND = "find"
    """Find the table message that was sent as the answer to an interaction."""
    DEAL = "deal"
    """Deal the cards: the table message for the game has been sent."""
    WAIT = "wait"
    """Leave it behind for now: one edit will cover several moves."""


class MessageState(NamedTuple):
    """What this process knows about the message in a slot: place, content, last edit and click, and what runs beside
    it."""

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
    """When the person of the hand last clicked on one of their hands, ms; 0: not since the table was loaded."""
    elsewhere: bool = False
    """Whether its owner has a live hand in the channel; for hands that are direct messages."""
    moving: bool = False
    """Whether a new message is to replace it."""
    declined: bool = False
    """Whether its owner has chosen the hand in the channel, and has not clicked on this one since."""
    unseen: bool = False
    """Whether what it shows is known from an earlier process alone."""
    reply: bool = False
    """Whether an earlier process may have sent a table message that is not known yet."""
    deal_message: int | None = None
    """The id of the message that publishes the deal."""
    notice: str = ""
    """The text of the notice shown at ``notice_at``."""
    behind_since: int = 0
    """When the first move was made that it does not show, ms; 0: it shows all moves, or something else has changed."""
    followed: bool = False
    """Whether every person at the table has a live hand, which Discord takes."""


class Decision(NamedTuple):
    """What to do with a message (``do``), and the content to send for that, or until when to wait (ms)."""

    do: MessageAction
    sheet: Sheet | None = None
    """For all that send or edit, except CREATE and PING."""
    fingerprint: bytes | None = None
    """The fingerprint of the sheet; also with NOTHING, if the sheet was drawn and the message shows it already."""
    until: int = 0
    """For WAIT alone."""


def message_state(slots: TableSlots, slot: Slot, now: int) -> MessageState:
    """Return what this process knows about the message in *slot* at *now* (ms): place, content, edits, clicks, and
    whether another hand is live."""
    seat = slot_seat(slot.name)
    here = slots.slots.get(ephemeral_hand_slot(seat)) if seat is not None and is_dm_hand_slot(slot.name) else None
    elsewhere = (
        here is not None
        and here.handle is not None
        and is_editable_hand(here.name, here.handle, now)
        and here.retry is None  # Discord takes its edits
    )
    return MessageState(
        slot.handle,
        slot.shown,
        slot.notice_at,
        slot.edited_at,
        slots.unfinished_choice(slot),
        slots.table_message,
        0 if seat is None else slots.clicked_at(seat),
        elsewhere,
        slot.moving,
        slot.declined,
        slot.unseen,
        REPLY in slots.slots,
        _deal_message_id(slots),
        slot.notice,
        0 if slot.urgent else slot.behind_since,
        slot.name == TABLE and _everybody_has_live_hand(slots, now),
    )


def _everybody_has_live_hand(slots: TableSlots, now: int) -> bool:
    """Return whether every person at the table has a hand that follows every change at *now* (ms), and that Discord
    takes.

    Whether a person follows for whom the table passes is not asked: a hand becomes live by a click, and when the table
    message is edited must not tell whether they have clicked (T11).
    """

    def follows(seat: Seat) -> bool:
        hands = (slots.slots.get(name(seat)) for name in (dm_hand_slot, ephemeral_hand_slot))
        hidden = has_auto_pass_enabled(slots.table, seat)
        return any(
            hand is not None
            and hand.handle is not None
            and (hidden or is_editable_hand(hand.name, hand.handle, now))
            and not hand.failing_since
            for hand in hands
        )

    return all(player.automatic or follows(Seat(seat)) for seat, player in enumerate(slots.table.players))


def _deal_message_id(slots: TableSlots) -> int | None:
    """Return the id of the message that publishes the deal for the present *Start* of the table; ``None`` if there is
    none yet."""
    slot = slots.slots.get(DEAL)
    if slot is None or slot.handle is None or slot.handle.told != slots.table.turn_began:
        return None
    return slot.handle.message


def shows_turn_to_player(slots: TableSlots, slot: Slot, now: int, *, current: bool) -> bool:
    """Whether the message of *slot* lets the player on turn see that it is their turn: a hand or mention, or the table
    message if they need neither.

    A person without a hand who was here a moment ago sees the turn in the table message. *current*: the message shows
    what it should.
    """
    table = slots.table
    seat = table.rules.on_turn(table.state) if table.phase is Phase.PLAYING else None
    if seat is None or table.players[seat].automatic or slot.handle is None:
        return False
    direct, here, ping = (slots.slots.get(name(seat)) for name in (dm_hand_slot, ephemeral_hand_slot, mention_slot))
    if slot in (direct, ping) and slot.handle.told in (table.turn_began, table.turn_began + 1):
        return True
    if slot is direct:
        return current and slot.shown is not None and not message_state(slots, slot, now).elsewhere
    if slot is here:
        return current and slot.shown is not None
    if slot.name != TABLE or not current or slot.shown is None:
        return False
    if any(hand is not None and (hand.handle or hand.has_work or hand.failing_since) for hand in (direct, here)):
        return False
    told = ping.handle.told if ping is not None and ping.handle is not None else 0
    return not must_notify(table, seat, told, slots.clicked_at(seat), now, public=True)


def is_editable_hand(name: str, handle: Handle, now: int) -> bool:
    """Whether the slot *name* is a hand that follows every change of the game: the token in *handle* can still edit it
    at *now* (ms).

    It does for as long as the token of a click on it is fresh, as edits by a token do not count.
    """
    return slot_seat(name) is not None and handle.token is not None and handle.token_at > now - LAST_EDIT_MS


def _is_resting_hand(table: Table, name: str, state: MessageState, *, live: bool) -> bool:
    """Whether the hand by direct message in the slot *name* should only say that its person has another hand open, to
    save edits.

    *live*: it follows every change, so it does not rest. Edits of a resting hand would count. It shows everything on a
    turn of which it has notified.
    """
    seat = slot_seat(name)
    if live or not state.elsewhere or seat is None or state.handle is None or table.phase is not Phase.PLAYING:
        return False
    due = notification_occasion(table, seat)
    return not table.players[seat].automatic and (due == 0 or due != state.handle.told)


# The table message may follow a few moves behind: each of its edits without a token counts against Discord's limit.


SHORTEST_LAG_MS: Final = 20_000
"""How far the table message may be behind the game if somebody has clicked on it not long ago."""
LONGEST_LAG_MS: Final = 60_000
"""The same if nobody has clicked on it for long."""
LAG_SHARE: Final = 20
"""In between, the part (one in so many) of the time for which nobody has clicked on it."""


def edit_may_wait_until(table: Table, name: str, state: MessageState) -> int:
    """Return until when (ms) an edit of the message in the slot *name* may wait, so that it covers several moves; 0: it
    may not.

    Only the table message of a running game waits, for nothing but moves within a round, while an edit would count,
    and while everybody who plays has a hand that follows every move. The longer nobody has clicked on it, the longer.
    """
    handle = state.handle
    if name != TABLE or table.solo or handle is None or state.shown is None:
        return 0
    if not state.behind_since or not state.followed or table.phase is not Phase.PLAYING:
        return 0
    if handle.token is not None and state.behind_since - handle.token_at < TOKEN_LIFE_MS:
        return 0
    alone_ms = state.behind_since - max(handle.token_at, snowflake_time(handle.message))
    return state.behind_since + min(max(alone_ms // LAG_SHARE, SHORTEST_LAG_MS), LONGEST_LAG_MS)


def _decide_before_deal(table: Table, state: MessageState) -> Decision:
    """Decide what to do with the table message between *Start* and the deal: wait for the deal message, send a new
    table message after it, or deal.

    The cards are dealt with the id of that new message.
    """
    if state.deal_message is None:
        return Decision(MessageAction.NOTHING)
    if state.handle is None:
        return Decision(MessageAction.CREATE)
    if state.handle.message > state.deal_message:
        return Decision(MessageAction.DEAL)
    sheet = render_slot(table, TABLE, None)
    return Decision(MessageAction.RENEW, sheet, sheet.fingerprint())


def decide_action(table: Table, name: str, state: MessageState, now: int) -> Decision:
    """Decide what to do with the message in the slot *name* of *table* at *now* (ms), from its *state*; return the
    action and the content for it. Pure."""
    if is_superseded_slot(name):
        return Decision(MessageAction.DELETE)
    seat = slot_seat(name)
    if seat is not None and table.players[seat].former:  # it is in somebody's direct messages, or names them
        return Decision(MessageAction.DELETE)
    if seat is not None and name == mention_slot(seat):
        return Decision(MessageAction.PING)
    if name == REPLY:
        return Decision(MessageAction.NOTHING if state.handle is None else MessageAction.FIND)
    if name == TABLE and state.reply:
        return Decision(MessageAction.NOTHING)  # it is perhaps there already
    if name == DEAL and state.handle is not None:
        if table.starting and state.handle.told == table.turn_began:
            return Decision(MessageAction.NOTHING)
        # It must not be edited, and what it says of a Start that came to nothing is not true any more.
        return Decision(MessageAction.WITHDRAW if table.phase is Phase.LOBBY else MessageAction.FORGET)
    if name == TABLE and table.starting:
        return _decide_before_deal(table, state)
    if state.handle is None:
        # The messages of a table that is over are forgotten once all show that: they stay as they are.
        return Decision(MessageAction.CREATE if table.live and name in required_slots(table) else MessageAction.NOTHING)
    if is_ephemeral_hand_slot(name) and table.live and state.handle.token_at <= now - LAST_EDIT_MS:
        assert seat is not None
        return Decision(MessageAction.LAST_EDIT, expired_hand_sheet(table, seat))
    if (until := edit_may_wait_until(table, name, state)) > now:
        return Decision(MessageAction.WAIT, until=until)
    live = is_editable_hand(name, state.handle, now)
    if state.notice_at == table.version:
        if state.shown is not None:
            return Decision(MessageAction.NOTHING)
        sheet = render_slot(table, name, state.table_message, state.notice, state.picked, live=live)
        return Decision(MessageAction.EDIT, sheet, sheet.fingerprint())
    if is_dm_hand_slot(name):
        assert seat is not None
        player, waits = table.players[seat], notification_occasion(table, seat) == 0
        unwanted = table.phase is Phase.PLAYING and not player.by_dm and not player.automatic
        if unwanted and (not live or (state.declined and waits)):
            return Decision(MessageAction.LAST_EDIT, render_slot(table, name, state.table_message, rests=True))
    sheet = render_slot(
        table,
        name,
        state.table_message,
        picked=state.picked,
        live=live,
        rests=_is_resting_hand(table, name, state, live=live),
    )
    fingerprint = sheet.fingerprint()
    told, clicked_at = state.handle.told, state.clicked_at
    if (
        seat is not None
        and name in required_slots(table)
        and must_notify(table, seat, told, clicked_at, now, public=False)
    ):
        return Decision(MessageAction.SEND_AGAIN, sheet, fingerprint)
    if state.moving:
        return Decision(MessageAction.RENEW, sheet, fingerprint)
    if fingerprint != state.shown:
        old = table.live and not is_ephemeral_hand_slot(name) and snowflake_time(state.handle.message) < now - OLD_MS
        often = state.edited_at > now - FREQUENT_EDIT_MS
        return Decision(MessageAction.RENEW if old and often else MessageAction.EDIT, sheet, fingerprint)
    # Without the table message nobody could click; a hand that is gone is missed by its owner alone.
    return Decision(MessageAction.LOOK if name == TABLE and state.unseen else MessageAction.NOTHING, None, fingerprint)
