"""The controls of the menu: leave, come back, replace, end, move the table message; and the rematch."""

import asyncio

from bot.delivery.slots import TABLE
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.history import current_round_history
from bot.tables.model import Phase, Table
from bot.tables.scene import make_scene
from bot.ui import menu, replies
from bot.ui.custom_ids import Press
from bot.ui.menu import history_sheet
from cogs import play
from cogs.context import Visit
from cogs.table import (
    check_may_move_table_message,
    find_or_adopt_clicked_hand_slot,
    make_table_moved_sheet_builder,
    take_seat_back,
)
from engine.game import Seat


async def open_menu(visit: Visit, press: Press, table: Table) -> None:
    """Show the person the menu of *table* privately, or, with an argument of the button, go back to it or say that the
    game goes on; or raise Refusal if the game is over.

    "Back" shows the menu in the clicked message. A person who was asked whether they are sure, and is not, reads that
    nothing has changed.
    """
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    if press.arg == menu.STAY:
        await visit.edit_into_note(replies.private_note_sheet(visit.words("The game goes on.")))
        return
    host = visit.user == table.host
    sheet = menu.menu_sheet(await visit.scene(table), visit.words, host=host, moderator=visit.is_moderator)
    await (visit.edit_clicked(sheet) if press.arg == menu.BACK else visit.answer_privately(sheet))


async def show_round_history(visit: Visit, press: Press, table: Table) -> None:
    """Show what has happened in this round or trick, in place of the clicked private message; or raise Refusal if no
    game is running or it keeps no history."""
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    if table.rules.history is None:
        raise Refusal(Why.BUTTON_DEAD)
    entries = await visit.bot.store.load_actions_and_seat_changes(table)
    known = await asyncio.to_thread(current_round_history, table, entries)
    public = make_scene(table, None, await visit.bot.reconciler.table_message_id(table))
    await visit.edit_clicked(history_sheet(public, known, visit.words))


async def remove_person(visit: Visit, press: Press, table: Table) -> None:
    """Remove the person chosen in the select from the lobby for good, and say so; or raise Refusal if who clicked is
    not the host."""
    person = _parse_chosen_number(visit.chosen_value)
    await visit.change_table(table.id, "remove", lambda t: lobby.remove_person(t, visit.user, person))
    await visit.edit_into_note(replies.private_note_sheet(visit.words("Done: that person is no longer at the table.")))


async def take_chosen_computer_seat(visit: Visit, press: Press, table: Table) -> None:
    """Give the person the chosen computer player's seat in the running game, and say so; or raise Refusal if they are
    banned or that seat is not free for them."""
    await visit.check_may_sit_down(table.guild)
    seat, now = Seat(_parse_chosen_number(visit.chosen_value)), visit.bot.clock.now()
    await visit.change_table(table.id, "sit", lambda t: leaving.take_computer_seat(t, visit.build_player(), seat, now))
    await visit.edit_into_note(
        replies.private_note_sheet(visit.words("You have taken the seat, with its cards and what it has won."))
    )


def _parse_chosen_number(chosen: str) -> int:
    """Return *chosen* as a number; raise Refusal if it is not one, as in a forged click."""
    if not (chosen.isascii() and chosen.isdecimal() and len(chosen) < 20):
        raise Refusal(Why.BUTTON_DEAD)
    return int(chosen)


async def ask_to_confirm_leave_game(visit: Visit, press: Press, table: Table) -> None:
    """Ask the person whether they really want to leave; if they have left already, show how to come back. Nothing
    changes yet."""
    shown, seat = await visit.scene(table), table.seat_of(visit.user)
    if seat is not None and table.players[seat].automatic:
        await visit.edit_into_note(menu.left_game_sheet(shown, visit.words))
        return
    await visit.edit_clicked(menu.confirm_leave_sheet(shown, visit.words))


async def leave_game(visit: Visit, press: Press, table: Table) -> None:
    """Let the person leave the running game: a computer player takes over. The answer shows how to come back. Or raise
    Refusal if they do not play."""
    left = await visit.change_table(table.id, "leave", lambda t: leaving.leave_game(t, visit.user))
    await visit.edit_into_note(menu.left_game_sheet(await visit.scene(left), visit.words))


async def come_back(visit: Visit, press: Press, table: Table) -> None:
    """Give the person their seat back from the computer player, and answer with their hand if they clicked on it, else
    with a sentence; or raise Refusal if they may not."""
    back = await take_seat_back(visit, table)
    slot = await visit.bot.reconciler.answers.clicked_slot_name(back, visit.interaction)
    if slot is not None and slot != TABLE:
        visit.bot.reconciler.answers.queue_answer(back, slot, visit.interaction)
    else:
        await visit.edit_into_note(replies.private_note_sheet(visit.words("Welcome back! You have your seat again.")))


async def replace_with_computer(visit: Visit, press: Press, table: Table) -> None:
    """Let a computer player take the chosen seat, and say so; or raise Refusal unless who clicked is the host or a
    moderator."""
    seat = Seat(_parse_chosen_number(visit.chosen_value))
    await visit.change_table(
        table.id, "replace", lambda t: leaving.replace_with_computer(t, visit.user, seat, visit.is_moderator)
    )
    await visit.edit_into_note(replies.private_note_sheet(visit.words("Done: a computer player has taken over.")))


async def ask_to_confirm_end_game(visit: Visit, press: Press, table: Table) -> None:
    """Ask the person whether they really want to end the game; nothing changes yet."""
    await visit.edit_clicked(menu.confirm_end_game_sheet(await visit.scene(table), visit.words))


async def end_game_early(visit: Visit, press: Press, table: Table) -> None:
    """End the running game for everybody without a winner, and say so; or raise Refusal unless who clicked is the host
    or a moderator."""
    await visit.change_table(
        table.id, "end", lambda t: leaving.end_game_early(t, visit.user, visit.name, visit.is_moderator, visit.username)
    )
    await visit.edit_into_note(replies.private_note_sheet(visit.words("The game has been ended.")))


async def resend_table_at_channel_bottom(visit: Visit, press: Press, table: Table) -> None:
    """Send the table message again at the bottom of the channel, and say so privately; or raise Refusal if the game is
    over, it was moved just now, or they neither play nor moderate."""
    if not table.live:
        raise Refusal(Why.GAME_FINISHED)
    check_may_move_table_message(visit, table)
    await visit.edit_into_note(replies.private_note_sheet(visit.words("The table moves to the bottom.")))
    await visit.bot.reconciler.answers.resend_table_message_at_bottom(
        table, None, make_table_moved_sheet_builder(table)
    )


async def open_rematch(visit: Visit, press: Press, table: Table) -> None:
    """Open a lobby for the same people and options after *table*, send its message, and remove the rematch button; or
    raise Refusal if they may not or there is a rematch already.

    From a hand the lobby opens in the table's channel, and the hand says so.
    """
    chosen, banned = await play.check_may_open_rematch(visit, table)
    fresh = await visit.bot.tables.open_rematch(table.id, visit.build_player(), chosen, banned)
    if visit.is_clicked_message_private:
        over = await visit.bot.tables.get(table.id)
        slot = await find_or_adopt_clicked_hand_slot(visit, over)
        visit.bot.reconciler.answers.queue_answer(over, slot, visit.interaction)
        await visit.bot.reconciler.answers.resend_table_message_at_bottom(
            fresh, None, make_table_moved_sheet_builder(fresh)
        )
        return
    await visit.bot.reconciler.answers.answer_with_new_message(fresh, TABLE, visit.interaction, private=False)
    if visit.control_is_on_message:
        await visit.bot.reconciler.update_finished_table(await visit.bot.tables.get(table.id), visit.interaction)
