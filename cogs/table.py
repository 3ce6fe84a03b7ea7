"""/table: show the table or my hand, leave, return, end."""

from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.commands import PUBLIC
from bot.delivery.slots import hand_slot, here_slot
from bot.i18n import N_, words
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, Table
from bot.tables.scene import scene
from bot.ui import menu, replies
from bot.ui.table_message import table_moved_sheet
from cogs.context import Visit
from cogs.errors import boundary


def moved(table: Table) -> Any:
    """The function that makes what an old table message shows, from the id of the new one."""
    return lambda message: table_moved_sheet(scene(table, None, message), words(table.locale))


def check_may_move(visit: Visit, table: Table) -> None:
    """Check that the person may have the message of *table* sent anew now.

    Raises:
        Refusal: they neither sit there nor moderate, or it was sent a moment ago.
    """
    if table.seat_of(visit.user) is None and not visit.moderator:
        raise Refusal(Why.PLAYERS_ONLY)
    visit.bot.tables.check_move(table.id)


async def back_at(visit: Visit, table: Table) -> Table:
    """*table*, at which the person has their seat back.

    Raises:
        Refusal: they are banned from tables, or no computer player sits there for them.
    """
    await visit.check_welcome(table.guild)
    now = visit.bot.clock.now()
    return await visit.change(table.id, "back", lambda t: leaving.come_back(t, visit.user, now))


async def show_hand(visit: Visit, table: Table) -> None:
    """Answer with the person's hand, which only they see.

    It is kept up to date for as long as Discord allows (15 minutes).

    Raises:
        Refusal: the game has not started, or they do not sit at the table.
    """
    visit.table = table
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    seat = table.seat_of(visit.user)
    if seat is None:
        raise Refusal(Why.NOT_AT_TABLE)
    await visit.bot.reconciler.answers.answer_with_new_message(table, here_slot(seat), visit.interaction, private=True)


async def clicked_hand_slot(visit: Visit, table: Table) -> str:
    """The slot of the clicked hand message. If no slot has that message any more, it becomes the slot's message
    again."""
    answering, message = visit.bot.reconciler.answers, visit.interaction.message
    seat = table.seat_of(visit.user)
    assert seat is not None and message is not None
    name = await answering.slot_of(table, visit.interaction)
    if name is None:
        name = here_slot(seat) if message.flags.ephemeral else hand_slot(seat)
        await answering.make_current(table, name, visit.interaction)
        visit.bot.reconciler.notes.release(table.id, visit.user, message.id)
    return name


table_commands = app_commands.guild_only(app_commands.Group(name="table", description=N_("The table in this channel")))
"""The commands /table show, hand, leave, return and end: they act on the table in this channel."""


@table_commands.command(
    name="show", description=N_("Move the table to the bottom of the channel"), extras={PUBLIC: True}
)
async def show(interaction: discord.Interaction[Any]) -> None:
    """Send the table message anew at the bottom of the channel. Serves /table show."""
    async with boundary(interaction, "/table show", private=False) as visit:
        table = await visit.table_here()
        check_may_move(visit, table)
        await visit.bot.reconciler.answers.move_table_message(table, interaction, moved(table))


@table_commands.command(name="hand", description=N_("Show my hand (only I can see it)"))
async def hand(interaction: discord.Interaction[Any]) -> None:
    """Show the person's hand, only to them. Serves /table hand."""
    async with boundary(interaction, "/table hand") as visit:
        await show_hand(visit, await visit.table_here())


@table_commands.command(name="leave", description=N_("Leave the game; a computer player takes my seat"))
async def leave(interaction: discord.Interaction[Any]) -> None:
    """Leave the lobby at once; in a running game ask first. Serves /table leave."""
    async with boundary(interaction, "/table leave") as visit:
        table = await visit.table_here()
        if table.phase is Phase.LOBBY:
            await visit.change(table.id, "quit", lambda t: lobby.leave(t, visit.user))
            await visit.tell_note(replies.note_sheet(visit.words("You have left the table.")))
            return
        if table.seat_of(visit.user) is None:
            raise Refusal(Why.NOT_AT_TABLE)
        await visit.tell(menu.confirm_leave_sheet(await visit.scene(table), visit.words))


@table_commands.command(name="return", description=N_("Take my seat back from the computer player"))
async def come_back(interaction: discord.Interaction[Any]) -> None:
    """Give the person their seat back, and show them their hand. Serves /table return."""
    async with boundary(interaction, "/table return") as visit:
        table = await visit.table_here()
        await show_hand(visit, await back_at(visit, table))


@table_commands.command(name="end", description=N_("End the game for everyone (host or moderator)"))
async def end(interaction: discord.Interaction[Any]) -> None:
    """Close a lobby at once; in a running game ask first. Only for the host or a moderator. Serves /table end."""
    async with boundary(interaction, "/table end") as visit:
        table = await visit.table_here()
        if table.phase is Phase.LOBBY:
            cancelled = partial(
                lobby.cancel, user=visit.user, name=visit.name, moderator=visit.moderator, username=visit.username
            )
            await visit.change(table.id, "cancel", cancelled)
            await visit.tell_note(replies.note_sheet(visit.words("The table is closed.")))
            return
        if visit.user != table.host and not visit.moderator:
            raise Refusal(Why.HOST_ONLY)
        await visit.tell(menu.confirm_end_sheet(await visit.scene(table), visit.words))
