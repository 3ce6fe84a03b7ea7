"""/me: what somebody chooses for themselves, for all servers; and its controls."""

from typing import Any

import discord
from discord import app_commands

from bot.i18n import N_
from bot.ui.custom_ids import Press
from bot.ui.preferences import preference_change, preferences_sheet
from cogs.context import Visit
from cogs.errors import boundary


@app_commands.command(name="me", description=N_("My language, my hand, when I am told of my turn"))
async def me_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person what they have chosen for themselves, and can choose. Serves /me."""
    async with boundary(interaction, "/me") as visit:
        await visit.tell(preferences_sheet(visit.bot.people.preferences(visit.user), await visit.words_here()))


async def me(visit: Visit, press: Press) -> None:
    """Show the person what they have chosen for themselves, in place of the menu."""
    await visit.turn_into(preferences_sheet(visit.bot.people.preferences(visit.user), await visit.words_here()))


async def prefer(visit: Visit, press: Press) -> None:
    """Record what the person has chosen, have it hold at every table where they sit, and show it."""
    change = preference_change(press.arg, visit.chosen)
    chosen = await visit.bot.people.change(visit.user, lambda it: it._replace(**change))
    now = {field: value for field, value in chosen.player(visit.discord_locale).items() if field in change}
    if "by_dm" in now:
        now["refuses_dms"] = False
        if now["by_dm"]:
            await visit.bot.reconciler.direct.wanted_again(visit.user)
    await visit.bot.changes.preferences(visit.user, **now)
    await visit.turn_into(preferences_sheet(chosen, await visit.words_here()))
