"""/privacy: shows what is kept of a person, exports and erases it, and sets what others may know."""

import asyncio
from typing import Any

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.i18n import N_
from bot.privacy import collect_personal_data, pack_export
from bot.privacy import erase_person as erase_person
from bot.ui import privacy as present
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from cogs.context import Visit
from cogs.errors import serve_interaction


@app_commands.command(name="privacy", description=N_("What I keep about you: see it, export it, erase it"))
@offered_in(Context.GUILD, Context.BOT_DM)
async def privacy_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person privately what is kept of them, with controls to export, hide or erase it. Serves /privacy."""
    async with serve_interaction(interaction, "/privacy") as visit:
        await visit.answer_privately(_load_privacy_sheet(visit))


def _load_privacy_sheet(visit: Visit) -> Sheet:
    """Return the message about what is kept of the person, with buttons to export, hide or erase it."""
    return present.privacy_sheet(visit.bot.people.preferences(visit.user), visit.bot.records_days, visit.words)


async def show_privacy(visit: Visit, press: Press) -> None:
    """Show what is kept of the person, in the clicked message."""
    await visit.edit_clicked(_load_privacy_sheet(visit))


async def save_sharing_choice(visit: Visit, press: Press) -> None:
    """Store whether others may see the person on leaderboards, or their replays, as the clicked button says, and show
    the privacy message again."""
    change = present.parse_privacy_change(press.arg)
    await visit.bot.people.change(visit.user, lambda it: it._replace(**change))
    await visit.edit_clicked(_load_privacy_sheet(visit))


async def export_data(visit: Visit, press: Press) -> None:
    """Send the person a private message with a file of everything that is stored about them; if nothing is, say so."""
    with visit.bot.people.refusing_parallel_tasks(visit.user):
        found = await collect_personal_data(visit.bot.store, visit.user, visit.bot.clock.now())
        if found is None:
            await visit.answer_privately(present.nothing_stored_sheet(visit.words))
            return
        file = await asyncio.to_thread(pack_export, found, visit.interaction.filesize_limit)
        await visit.answer_privately(present.data_export_sheet(file.name, file.data, file.left_out, visit.words))


async def ask_to_confirm_erase_data(visit: Visit, press: Press) -> None:
    """Ask the person whether they really want all data about them erased; nothing changes yet."""
    # Of several processes none has the tables of the others: then the person is told so in any case.
    here = any(table.seat_of(visit.user) is not None for table in await visit.bot.tables.all_live_tables())
    plays = here or visit.bot.shards_held.living > 1
    banned = await visit.bot.store.has_stored_ban_anywhere(visit.user)
    await visit.edit_clicked(present.confirm_erase_sheet(visit.words, plays=plays, banned=banned))


async def erase_data(visit: Visit, press: Press) -> None:
    """Erase the person for good from tables, database and memory, and say so in the clicked message."""
    words = visit.words  # in the language that they have chosen, which is erased as well
    with visit.bot.people.refusing_parallel_tasks(visit.user):
        banned = await visit.bot.store.has_stored_ban_anywhere(visit.user)
        await erase_person(visit.bot, visit.user, visit.name, visit.username)
        await visit.edit_clicked(present.data_erased_sheet(words, banned=banned))
