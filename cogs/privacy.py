"""/privacy: what is kept of somebody, what others may know of it, exporting and erasing it."""

import asyncio
from typing import Any

import discord
from discord import app_commands

from bot.i18n import N_
from bot.privacy import erase as erase_person
from bot.privacy import gather, packed
from bot.ui import privacy as present
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from cogs.context import Visit
from cogs.errors import boundary


@app_commands.command(name="privacy", description=N_("What I keep about you: see it, export it, erase it"))
async def privacy_command(interaction: discord.Interaction[Any]) -> None:
    """Say what is kept of the person, with what they can do about it. Serves /privacy."""
    async with boundary(interaction, "/privacy") as visit:
        await visit.tell(_sheet(visit))


def _sheet(visit: Visit) -> Sheet:
    """What is kept of the person."""
    return present.privacy_sheet(visit.bot.people.preferences(visit.user), visit.bot.records_days, visit.words)


async def privacy(visit: Visit, press: Press) -> None:
    """Show what is kept of the person, in the message that was clicked."""
    await visit.turn_into(_sheet(visit))


async def share(visit: Visit, press: Press) -> None:
    """Record what others may know of the person, and show it."""
    change = present.privacy_change(press.arg)
    await visit.bot.people.change(visit.user, lambda it: it._replace(**change))
    await visit.turn_into(_sheet(visit))


async def export(visit: Visit, press: Press) -> None:
    """Send the person a file with all that is kept of them."""
    with visit.bot.people.alone(visit.user):
        found = await gather(visit.bot.store, visit.user, visit.bot.clock.now())
        if found is None:
            await visit.tell(present.nothing_stored_sheet(visit.words))
            return
        file = await asyncio.to_thread(packed, found, visit.interaction.filesize_limit)
        await visit.tell(present.data_export_sheet(file.name, file.data, file.left_out, visit.words))


async def erase(visit: Visit, press: Press) -> None:
    """Ask the person whether they really want to be erased; nothing changes yet."""
    # Of several processes none has the tables of the others: then it is said in any case.
    here = any(table.seat_of(visit.user) is not None for table in await visit.bot.tables.all_of())
    plays = here or visit.bot.shards_held.living > 1
    banned = await visit.bot.store.is_banned(visit.user)
    await visit.turn_into(present.confirm_erase_sheet(visit.words, plays=plays, banned=banned))


async def erase_for_sure(visit: Visit, press: Press) -> None:
    """Erase the person, and say so."""
    words = visit.words  # in the language that they have chosen, which is erased as well
    with visit.bot.people.alone(visit.user):
        banned = await visit.bot.store.is_banned(visit.user)
        await erase_person(visit.bot, visit.user, visit.name, visit.username)
        await visit.turn_into(present.data_erased_sheet(words, banned=banned))
