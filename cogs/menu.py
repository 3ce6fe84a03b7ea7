"""The controls of the menu, and the rematch: leave and come back, replace, end, bring the table message down."""

import asyncio

from bot.delivery.slots import TABLE
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.history import past
from bot.tables.model import Phase, Table
from bot.tables.scene import scene
from bot.ui import menu, replies
from bot.ui.custom_ids import Press
from bot.ui.menu import history_sheet
from cogs import play
from cogs.context import Visit
from cogs.table import back_at, check_may_move, clicked_hand_slot, moved
from engine.game import Seat


async def open_menu(visit: Visit, press: Press, table: Table) -> None:
    """Show the menu, only to the person who clicked: in the message that was clicked, if they went back to it. Who has
    been asked whether they are sure, and is not, reads that nothing has changed."""
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    if press.arg == menu.STAY:
        await visit.turn_into_note(replies.note_sheet(visit.words("The game goes on.")))
        return
    host = visit.user == table.host
    sheet = menu.menu_sheet(await visit.scene(table), visit.words, host=host, moderator=visit.moderator)
    await (visit.turn_into(sheet) if press.arg == menu.BACK else visit.tell(sheet))


async def what_happened(visit: Visit, press: Press, table: Table) -> None:
    """Show what has happened in the round or trick that is being played, only to the person who clicked."""
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    if table.rules.history is None:
        raise Refusal(Why.BUTTON_DEAD)
    entries = await visit.bot.store.entries(table)
    known = await asyncio.to_thread(past, table, entries)
    public = scene(table, None, await visit.bot.reconciler.message_of(table))
    await visit.turn_into(history_sheet(public, known, visit.words))


async def remove(visit: Visit, press: Press, table: Table) -> None:
    """Take the chosen person out of the lobby, and say so."""
    person = _number(visit.chosen)
    await visit.change(table.id, "remove", lambda t: lobby.remove(t, visit.user, person))
    await visit.turn_into_note(replies.note_sheet(visit.words("Done: that person is no longer at the table.")))


async def sit_down(visit: Visit, press: Press, table: Table) -> None:
    """Give the person the chosen seat of a computer player; they get their hand as everybody does."""
    await visit.check_welcome(table.guild)
    seat, now = Seat(_number(visit.chosen)), visit.bot.clock.now()
    await visit.change(table.id, "sit", lambda t: leaving.sit_down(t, visit.player(), seat, now))
    await visit.turn_into_note(
        replies.note_sheet(visit.words("You have taken the seat, with its cards and what it has won."))
    )


def _number(chosen: str) -> int:
    """The number that was *chosen*; raises Refusal if it is none, as in a forged click."""
    if not (chosen.isascii() and chosen.isdecimal() and len(chosen) < 20):
        raise Refusal(Why.BUTTON_DEAD)
    return int(chosen)


async def leave(visit: Visit, press: Press, table: Table) -> None:
    """Ask the person whether they really want to leave; nothing changes yet. Who has left already is shown how to come
    back."""
    shown, seat = await visit.scene(table), table.seat_of(visit.user)
    if seat is not None and table.players[seat].automatic:
        await visit.turn_into_note(menu.left_game_sheet(shown, visit.words))
        return
    await visit.turn_into(menu.confirm_leave_sheet(shown, visit.words))


async def leave_for_sure(visit: Visit, press: Press, table: Table) -> None:
    """Let the person leave the game, and show them how to come back; a computer player takes over."""
    left = await visit.change(table.id, "leave", lambda t: leaving.leave(t, visit.user))
    await visit.turn_into_note(menu.left_game_sheet(await visit.scene(left), visit.words))


async def come_back(visit: Visit, press: Press, table: Table) -> None:
    """Give the person their seat back; answer with their hand if that is what they clicked, else with a sentence."""
    back = await back_at(visit, table)
    slot = await visit.bot.reconciler.answers.slot_of(back, visit.interaction)
    if slot is not None and slot != TABLE:
        visit.bot.reconciler.answers.answer(back, slot, visit.interaction)
    else:
        await visit.turn_into_note(replies.note_sheet(visit.words("Welcome back! You have your seat again.")))


async def replace(visit: Visit, press: Press, table: Table) -> None:
    """Give the chosen seat to a computer player, and say so."""
    seat = Seat(_number(visit.chosen))
    await visit.change(table.id, "replace", lambda t: leaving.replace(t, visit.user, seat, visit.moderator))
    await visit.turn_into_note(replies.note_sheet(visit.words("Done: a computer player has taken over.")))


async def end(visit: Visit, press: Press, table: Table) -> None:
    """Ask the person whether they really want to end the game; nothing changes yet."""
    await visit.turn_into(menu.confirm_end_sheet(await visit.scene(table), visit.words))


async def end_for_sure(visit: Visit, press: Press, table: Table) -> None:
    """End the game for everybody, and say so."""
    await visit.change(
        table.id, "end", lambda t: leaving.end(t, visit.user, visit.name, visit.moderator, visit.username)
    )
    await visit.turn_into_note(replies.note_sheet(visit.words("The game has been ended.")))


async def bring_down(visit: Visit, press: Press, table: Table) -> None:
    """Send the table message anew at the bottom of the channel, and say so."""
    if not table.live:
        raise Refusal(Why.GAME_FINISHED)
    check_may_move(visit, table)
    await visit.turn_into_note(replies.note_sheet(visit.words("The table is at the bottom now.")))
    await visit.bot.reconciler.answers.move_table_message(table, None, moved(table))


async def rematch(visit: Visit, press: Press, table: Table) -> None:
    """Open a lobby with the same people, and send its message. The rematch button is removed from the old message.

    From a hand the lobby opens in the table's channel, and the hand says so.
    """
    chosen, banned = await play.check_rematch(visit, table)
    fresh = await visit.bot.tables.rematch(table.id, visit.player(), chosen, banned)
    if visit.private:
        over = await visit.bot.tables.get(table.id)
        slot = await clicked_hand_slot(visit, over)
        visit.bot.reconciler.answers.answer(over, slot, visit.interaction)
        await visit.bot.reconciler.answers.move_table_message(fresh, None, moved(fresh))
        return
    await visit.bot.reconciler.answers.answer_with_new_message(fresh, TABLE, visit.interaction, private=False)
    if visit.control_is_on_message:
        await visit.bot.reconciler.retire(await visit.bot.tables.get(table.id), visit.interaction)
