"""/language: the language of a server's tables, if that is not to be the server's own."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import LOCALES, N_, words
from bot.present import answers
from bot.refusals import Refusal, Why
from bot.tables import lobby
from cogs.boundary import boundary

OWN: Final = "server"
CHOICES: Final = [
    app_commands.Choice(name=app_commands.locale_str(N_("Server default")), value=OWN),
    *(app_commands.Choice(name=words(locale).own_name, value=locale) for locale in LOCALES),
]


class Language(commands.Cog):
    """The command /language, for the texts that everybody reads; what one person reads alone is in their own
    language."""

    @app_commands.command(name="language", description=N_("Language of the tables on this server"))
    @app_commands.describe(language=N_("Which language"))
    @app_commands.choices(language=CHOICES)
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def language(self, interaction: discord.Interaction[Any], language: app_commands.Choice[str]) -> None:
        """Set the language of this server's tables, running ones included. Serves /language."""
        async with boundary(interaction, "/language") as visit:
            if interaction.guild_id is None:
                raise Refusal(Why.NOT_A_SERVER)
            # Discord asks for the same, but a server's settings can give any command to anybody.
            if not visit.manager:
                raise Refusal(Why.MANAGERS_ONLY)
            chosen = None if language.value == OWN else language.value
            await visit.bot.store.set_guild_locale(interaction.guild_id, chosen)
            locale = await visit.public_locale()
            for table in visit.bot.tables.live_of(guild=interaction.guild_id):
                await visit.bot.tables.change(table.id, "language", visit.user, lambda t: lobby.with_locale(t, locale))
            name = words(locale).own_name
            await visit.tell(answers.note(visit.words("Tables on this server now use {language}.", language=name)))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Language())
