"""/me: a person's own preferences, for all servers; and its controls."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.i18n import N_
from bot.ui.custom_ids import Press
from bot.ui.preferences import parse_preference_change, preferences_sheet
from cogs.context import Visit
from cogs.errors import serve_interaction


@app_commands.command(name="me", description=N_("My language, my hand, when I am told of my turn"))
@offered_in(Context.GUILD, Context.BOT_DM)
async def me_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person privately their preferences, with controls to change them. Serves /me."""
    async with serve_interaction(interaction, "/me") as visit:
        await visit.answer_privately(
            preferences_sheet(visit.bot.people.preferences(visit.user), await visit.words_with_public_labels_here())
        )


async def show_preferences(visit: Visit, press: Press) -> None:
    """Show the person their preferences, in place of the clicked menu."""
    await visit.edit_clicked(
        preferences_sheet(visit.bot.people.preferences(visit.user), await visit.words_with_public_labels_here())
    )


async def save_chosen_preference(visit: Visit, press: Press) -> None:
    """Store the preference that the person has chosen, apply it at all their tables, and show their preferences
    again."""
    change = parse_preference_change(press.arg, visit.chosen_value)
    chosen = await visit.bot.people.change(visit.user, lambda it: it._replace(**change))
    now = {field: value for field, value in chosen.player_fields(visit.discord_locale).items() if field in change}
    if "by_dm" in now:
        now["refuses_dms"] = False
        if now["by_dm"]:
            await visit.bot.reconciler.direct.record_dms_wanted(visit.user)
    await visit.bot.changes.apply_preferences(visit.user, **now)
    await visit.edit_clicked(preferences_sheet(chosen, await visit.words_with_public_labels_here()))
