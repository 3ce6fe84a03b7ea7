"""/settings and /language: what is chosen for a server; and its controls."""

from typing import Any, Final

import discord
from discord import app_commands

from bot.i18n import LOCALES, N_, words
from bot.tables.errors import Refusal, Why
from bot.ui import replies
from bot.ui import server_settings as present
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from cogs.context import Visit
from cogs.errors import boundary
from cogs.play import existing

OWN: Final = "server"
CHOICES: Final = [
    app_commands.Choice(name=app_commands.locale_str(N_("Server default")), value=OWN),
    *(app_commands.Choice(name=words(locale).own_name, value=locale) for locale in LOCALES),
]


@app_commands.command(
    name="settings", description=N_("Language, channels, pace and more for the tables of this server")
)
@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
async def settings_command(interaction: discord.Interaction[Any]) -> None:
    """Show what is chosen for this server, and can be. Serves /settings."""
    async with boundary(interaction, "/settings") as visit:
        await visit.tell(await sheet(visit, visit.managed))


@app_commands.command(name="language", description=N_("Language of the tables on this server"))
@app_commands.describe(language=N_("Which language"))
@app_commands.choices(language=CHOICES)
@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
async def language_command(interaction: discord.Interaction[Any], language: app_commands.Choice[str]) -> None:
    """Set the language of this server's tables, running ones included. Serves /language."""
    async with boundary(interaction, "/language") as visit:
        await _record(visit, visit.managed, locale=None if language.value == OWN else language.value)
        name = words(await visit.public_locale()).own_name
        await visit.tell(replies.note_sheet(visit.words("Tables on this server now use {language}.", language=name)))


async def sheet(visit: Visit, guild: int) -> Sheet:
    """The message with what is chosen for *guild*."""
    chosen = existing(visit.bot, guild, await visit.bot.servers.settings(guild))
    return present.server_settings_sheet(chosen, *_most(visit), visit.words)


def _most(visit: Visit) -> tuple[int, int]:
    """(how many tables the operator allows in a server, how many days records are kept); 0: without limit."""
    return visit.bot.limits.tables_per_server, visit.bot.records_days


async def choose(visit: Visit, press: Press) -> None:
    """Record what was chosen for the server, and show it."""
    guild = visit.managed
    if press.arg in present.PLACES:
        await _record(visit, guild, **{press.arg: _there(visit, press.arg)})
    else:
        await _record(visit, guild, **present.setting_change(press.arg, visit.chosen))
    await visit.turn_into(await sheet(visit, guild))


def _there(visit: Visit, what: str) -> tuple[int, ...]:
    """The channels or roles that were chosen, all of which Discord says are there.

    Raises:
        Refusal: some are not, as in a forged click.
    """
    data: Any = visit.interaction.data
    resolved = data.get("resolved")
    known = resolved.get(what) if isinstance(resolved, dict) else None
    chosen = visit.ids
    if chosen and not (isinstance(known, dict) and {str(it) for it in chosen} <= known.keys()):
        raise Refusal(Why.BUTTON_DEAD)
    return chosen


async def ask_for_numbers(visit: Visit, press: Press) -> None:
    """Show the form for numbers."""
    chosen = await visit.bot.servers.settings(visit.managed)
    await visit.ask(present.number_settings_form(chosen, *_most(visit), visit.words))


async def numbers(visit: Visit, press: Press) -> None:
    """Record the numbers that were written, and show them."""
    guild = visit.managed
    await _record(
        visit, guild, **present.changed_number_settings(press.arg, visit.written_in("tables", "days"), *_most(visit))
    )
    await visit.turn_into(await sheet(visit, guild))


async def _record(visit: Visit, guild: int, **changes: Any) -> None:
    """Record *changes* for *guild*, and have them hold at once."""
    await visit.bot.servers.choose(guild, **changes)
    await visit.bot.changes.server(guild)
    if "locale" in changes:
        locale = await visit.public_locale()
        await visit.bot.changes.language(guild, locale, visit.user)
