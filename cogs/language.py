"""/language: the language of a server's tables, if that is not to be the server's own."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import LOCALES, N_, words
from bot.present import answers
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
            chosen = None if language.value == OWN else language.value
            guild = visit.managed
            await visit.bot.servers.choose(guild, locale=chosen)
            await visit.bot.changes.server(guild)
            locale = await visit.public_locale()
            await visit.bot.changes.language(guild, locale, visit.user)
            name = words(locale).own_name
            await visit.tell(answers.note(visit.words("Tables on this server now use {language}.", language=name)))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Language())
