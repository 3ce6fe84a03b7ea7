"""What each message of a table should show, which messages there must be, and who must be notified of what. Pure."""

from collections.abc import Callable
from typing import Final

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.delivery.slots import DEAL, TABLE, hand_slot, ping_slot, seat_of
from bot.i18n import words
from bot.pictures import symbols
from bot.present.dealing import deal_sheet
from bot.present.former import named
from bot.present.hand_message import hand_sheet
from bot.present.registry import PRESENTERS
from bot.present.sheet import Item, Sheet, button, escaped, link, row, text
from bot.present.table_message import table_sheet
from bot.tables.errors import Unusable
from bot.tables.model import Phase, Table, Telling, once
from bot.tables.passing import pass_lands_at, passes_alike, will_pass
from bot.tables.scene import Place, scene
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
            with symbols.as_text():
                return _sheet(table, slot, message, notice, picked, live, rests)
    except Exception as error:  # a bug or damage of any kind: the same table fails again, so it is told apart
        raise Unusable.because_of(table.id, error) from error
    return sheet


def _sheet(table: Table, slot: str, message: int | None, notice: str, picked: str, live: bool, rests: bool) -> Sheet:
    """As ``sheet_for``, however long it gets."""
    seat = seat_of(slot)
    t = words(table.locale if seat is None else table.players[seat].locale)
    shown = named(scene(table, seat, message, picked, live=live), t)
    if seat is not None:
        return hand_sheet(shown, t, notice, rests=rests)
    return deal_sheet(shown, t) if slot == DEAL else table_sheet(shown, t)


def last_word_sheet(table: Table, seat: Seat) -> Sheet:
    """What an ephemeral hand of *seat* says when it cannot be kept up to date any longer, with a button for a new
    one."""
    t = words(table.players[seat].locale)
    again = button(t("My hand"), Verb.HAND, table.id, style=ButtonStyle.primary)
    return Sheet(text(t("This hand is not up to date any more. Press **My hand** for the current one.")), row(again))


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


def to_table(table: Table, message: int | None) -> list[Item]:
    """A row with a link to the table message, whose id is *message*."""
    t = words(table.locale)
    return [row(link(t("To the table"), Place(table.guild, table.channel, message).url))]


def mention_done(table: Table, seat: Seat) -> str:
    """What becomes of that line when the turn is over."""
    t = words(table.locale)
    return t("{name} was asked to play. Done!", name=escaped(table.players[seat].name))


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
