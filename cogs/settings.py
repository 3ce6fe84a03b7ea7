"""/settings and /language: the settings of a server; and their controls."""

from typing import Any, Final

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.i18n import LOCALES, N_, words
from bot.permissions import NEEDS, required_permissions
from bot.tables.errors import Refusal, Why
from bot.ui import replies
from bot.ui import server_settings as present
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from cogs.context import Visit
from cogs.errors import serve_interaction
from cogs.play import without_deleted

SERVER_DEFAULT: Final = "server"
LANGUAGE_CHOICES: Final = [
    app_commands.Choice(name=app_commands.locale_str(N_("Server default")), value=SERVER_DEFAULT),
    *(app_commands.Choice(name=words(locale).native_language_name, value=locale) for locale in LOCALES),
]


@app_commands.command(
    name="settings", description=N_("Language, channels, pace and more for the tables of this server")
)
@offered_in(Context.GUILD)
@app_commands.default_permissions(manage_guild=True)
async def settings_command(interaction: discord.Interaction[Any]) -> None:
    """Show the settings of this server privately to a manager, with controls to change them. Serves /settings."""
    async with serve_interaction(interaction, "/settings") as visit:
        await visit.answer_privately(await server_settings_sheet(visit, visit.require_managed_guild()))


@app_commands.command(name="language", description=N_("Language of the tables on this server"))
@app_commands.describe(language=N_("Which language"))
@app_commands.choices(language=LANGUAGE_CHOICES)
@offered_in(Context.GUILD)
@app_commands.default_permissions(manage_guild=True)
async def language_command(interaction: discord.Interaction[Any], language: app_commands.Choice[str]) -> None:
    """Set the language of this server's tables, running ones included, or go back to the server's own language; for
    managers only. Serves /language."""
    async with serve_interaction(interaction, "/language") as visit:
        await _store_and_apply_settings(
            visit, visit.require_managed_guild(), locale=None if language.value == SERVER_DEFAULT else language.value
        )
        name = visit.words.translate_language_name(await visit.public_locale())
        await visit.answer_privately(
            replies.private_note_sheet(visit.words("Tables on this server now use {language}.", language=name))
        )


async def server_settings_sheet(visit: Visit, guild: int) -> Sheet:
    """Return the message with the settings of *guild* and controls to change them; deleted channels and roles are left
    out."""
    chosen = without_deleted(visit.bot, guild, await visit.bot.servers.settings(guild))
    return present.server_settings_sheet(chosen, *_operator_limits(visit), visit.words)


def _operator_limits(visit: Visit) -> tuple[int, int]:
    """Return (the most live tables in a server, the days for which records are kept) that whoever hosts the bot allows;
    0: without limit."""
    return visit.bot.limits.tables_per_server, visit.bot.records_days


async def save_chosen_setting(visit: Visit, press: Press) -> None:
    """Store the setting of this server that was chosen in a select, apply it, and show all settings again; or raise
    Refusal if the person may not manage the server."""
    guild = visit.require_managed_guild()
    if press.arg in present.PLACES:
        await _store_and_apply_settings(visit, guild, **{press.arg: _chosen_channel_or_role_ids(visit, press.arg)})
    elif press.arg == present.DAILY:
        chosen = _chosen_channel_or_role_ids(visit, "channels")
        if len(chosen) > 1:
            raise Refusal(Why.BUTTON_DEAD)
        _check_bot_may_write(visit, guild, *chosen)
        await _store_and_apply_settings(visit, guild, daily=chosen[0] if chosen else 0)
    else:
        await _store_and_apply_settings(
            visit, guild, **present.changed_settings_from_select(press.arg, visit.chosen_value)
        )
    await visit.edit_clicked(await server_settings_sheet(visit, guild))


def _chosen_channel_or_role_ids(visit: Visit, setting: str) -> tuple[int, ...]:
    """Return the ids of the channels or roles chosen in the select for *setting*; or raise Refusal if Discord does not
    list them, as in a forged click.

    Raises:
        Refusal: some are not, as in a forged click.
    """
    data: Any = visit.interaction.data
    resolved = data.get("resolved")
    known = resolved.get(setting) if isinstance(resolved, dict) else None
    chosen = visit.chosen_ids
    if chosen and not (isinstance(known, dict) and {str(it) for it in chosen} <= known.keys()):
        raise Refusal(Why.BUTTON_DEAD)
    return chosen


def _check_bot_may_write(visit: Visit, guild: int, *channels: int) -> None:
    """Raise Refusal if the bot cannot write in one of *channels* of *guild*, as far as it knows; it names what it
    lacks.
    """
    known = visit.bot.get_guild(guild)
    for channel in channels:
        found = known.get_channel(channel) if known is not None else None
        if known is None or found is None:
            continue
        granted = found.permissions_for(known.me)
        lacks = [it for it in required_permissions(found.type) if not getattr(granted, it)]
        if lacks:
            named = visit.words.list_and([f"**{visit.words(NEEDS[it].name)}**" for it in lacks])
            raise Refusal(Why.BOT_LACKS, permissions=named)


async def show_number_settings_form(visit: Visit, press: Press) -> None:
    """Show the form for the limits in numbers: tables in this server, days that records are kept."""
    chosen = await visit.bot.servers.settings(visit.require_managed_guild())
    await visit.show_form(present.number_settings_form(chosen, *_operator_limits(visit), visit.words))


async def save_number_settings(visit: Visit, press: Press) -> None:
    """Store the numbers from the form (tables in this server, days that records are kept), and show all settings
    again."""
    guild = visit.require_managed_guild()
    await _store_and_apply_settings(
        visit,
        guild,
        **present.changed_settings_from_form(press.arg, visit.form_texts("tables", "days"), *_operator_limits(visit)),
    )
    await visit.edit_clicked(await server_settings_sheet(visit, guild))


async def _store_and_apply_settings(visit: Visit, guild: int, **changes: Any) -> None:
    """Store *changes* of the settings of *guild*, and let them take effect; a new language also at its running
    tables."""
    await visit.bot.servers.change_settings(guild, **changes)
    await visit.bot.changes.apply_changed_settings_and_bans(guild)
    if "locale" in changes:
        locale = await visit.public_locale()
        await visit.bot.changes.set_language(guild, locale, visit.user)
