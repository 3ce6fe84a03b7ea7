"""/table: shows the table or a hand, leaves, returns, ends."""

from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.commands import PUBLIC, Context, offered_in
from bot.delivery.slots import TABLE, dm_hand_slot, ephemeral_hand_slot
from bot.i18n import N_, words
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, Table
from bot.tables.scene import make_scene
from bot.ui import menu, replies
from bot.ui.table_message import table_moved_sheet
from cogs.context import Visit
from cogs.errors import serve_interaction


def make_table_moved_sheet_builder(table: Table) -> Any:
    """Return a function that takes the id of the new table message, and returns the content that the old one gets."""
    return lambda message: table_moved_sheet(make_scene(table, None, message), words(table.locale))


def check_may_move_table_message(visit: Visit, table: Table) -> None:
    """Raise Refusal if the person neither has a seat at *table* nor moderates, or its message was sent again a moment
    ago.

    Raises:
        Refusal: they neither sit there nor moderate, or it was sent a moment ago.
    """
    if table.seat_of(visit.user) is None and not visit.is_moderator:
        raise Refusal(Why.PLAYERS_ONLY)
    visit.bot.tables.check_and_record_resend(table.id)


async def take_seat_back(visit: Visit, table: Table) -> Table:
    """Give the person their seat at *table* back from the computer player, and return the new version; or raise
    Refusal.

    Raises:
        Refusal: they are banned from tables, or no computer player sits there for them.
    """
    await visit.check_may_sit_down(table.guild)
    now = visit.bot.clock.now()
    return await visit.change_table(table.id, "back", lambda t: leaving.come_back(t, visit.user, now))


async def show_hand(visit: Visit, table: Table) -> None:
    """Answer with the person's hand at *table* as a new private message, kept up to date for 15 minutes; or raise
    Refusal if they have none or the game has not started.

    Raises:
        Refusal: the game has not started, or they do not sit at the table.
    """
    visit.table = table
    if table.solo:  # its message is the hand
        raise Refusal(Why.BUTTON_DEAD)
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    seat = table.seat_of(visit.user)
    if seat is None:
        raise Refusal(Why.NOT_AT_TABLE)
    await visit.bot.reconciler.answers.answer_with_new_message(
        table, ephemeral_hand_slot(seat), visit.interaction, private=True
    )


async def find_or_adopt_clicked_hand_slot(visit: Visit, table: Table) -> str:
    """Return the name of the slot of the clicked hand. If no slot has that message any more, it becomes the message of
    the person's hand again."""
    answering, message = visit.bot.reconciler.answers, visit.interaction.message
    seat = table.seat_of(visit.user)
    assert seat is not None and message is not None
    name = await answering.clicked_slot_name(table, visit.interaction)
    if name is None and table.solo and table.live:  # another message has taken its place a moment ago
        raise Refusal(Why.BUTTON_DEAD)
    if name is None:
        name = ephemeral_hand_slot(seat) if message.flags.ephemeral else dm_hand_slot(seat)
        name = TABLE if table.solo else name
        await answering.adopt_clicked_message(table, name, visit.interaction)
        visit.bot.reconciler.notes.untrack_note(table.id, visit.user, message.id)
    return name


table_commands = offered_in(Context.GUILD)(
    app_commands.Group(name="table", description=N_("The table in this channel"))
)
"""The commands /table show, hand, leave, return and end: they act on the table in this channel."""


@table_commands.command(
    name="show", description=N_("Move the table to the bottom of the channel"), extras={PUBLIC: True}
)
async def table_show_command(interaction: discord.Interaction[Any]) -> None:
    """Send the table message again at the bottom of the channel, for everybody, as the answer to the command. Serves
    /table show."""
    async with serve_interaction(interaction, "/table show", private=False) as visit:
        table = await visit.load_table_here()
        check_may_move_table_message(visit, table)
        await visit.bot.reconciler.answers.resend_table_message_at_bottom(
            table, interaction, make_table_moved_sheet_builder(table)
        )


@table_commands.command(name="hand", description=N_("Show my hand (only I can see it)"))
async def table_hand_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person's hand in a message that only they see. Serves /table hand."""
    async with serve_interaction(interaction, "/table hand") as visit:
        await show_hand(visit, await visit.load_table_here())


@table_commands.command(name="leave", description=N_("Leave the game; a computer player takes my seat"))
async def table_leave_command(interaction: discord.Interaction[Any]) -> None:
    """Leave the lobby of this channel's table at once; in a running game ask whether the person is sure. Serves /table
    leave."""
    async with serve_interaction(interaction, "/table leave") as visit:
        table = await visit.load_table_here()
        if table.phase is Phase.LOBBY:
            await visit.change_table(table.id, "quit", lambda t: lobby.leave_lobby(t, visit.user))
            await visit.answer_with_note(replies.private_note_sheet(visit.words("You have left the table.")))
            return
        if table.seat_of(visit.user) is None:
            raise Refusal(Why.NOT_AT_TABLE)
        await visit.answer_privately(menu.confirm_leave_sheet(await visit.scene(table), visit.words))


@table_commands.command(name="return", description=N_("Take my seat back from the computer player"))
async def table_return_command(interaction: discord.Interaction[Any]) -> None:
    """Give the person their seat back from the computer player, and show them their hand. Serves /table return."""
    async with serve_interaction(interaction, "/table return") as visit:
        table = await visit.load_table_here()
        await show_hand(visit, await take_seat_back(visit, table))


@table_commands.command(name="end", description=N_("End the game for everyone (host or moderator)"))
async def table_end_command(interaction: discord.Interaction[Any]) -> None:
    """Close this channel's lobby at once; in a running game ask whether they are sure. Only for the host or a
    moderator. Serves /table end."""
    async with serve_interaction(interaction, "/table end") as visit:
        table = await visit.load_table_here()
        if table.phase is Phase.LOBBY:
            cancelled = partial(
                lobby.cancel_table,
                user=visit.user,
                name=visit.name,
                moderator=visit.is_moderator,
                username=visit.username,
            )
            await visit.change_table(table.id, "cancel", cancelled)
            await visit.answer_with_note(replies.private_note_sheet(visit.words("The table is closed.")))
            return
        if visit.user != table.host and not visit.is_moderator:
            raise Refusal(Why.HOST_ONLY)
        await visit.answer_privately(menu.confirm_end_game_sheet(await visit.scene(table), visit.words))
