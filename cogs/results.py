"""/profile and /leaderboard: what somebody has done in their games, and who is best in a server."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.commands import PUBLIC
from bot.i18n import N_, words
from bot.present import answers
from bot.present.leaderboard import leaderboard_sheet, switch_sheet
from bot.present.profile import NOT_COUNTED, profile_sheet
from bot.present.registry import PRESENTERS
from bot.refusals import Refusal, Why
from cogs.boundary import boundary
from cogs.play import GAMES


class Results(commands.Cog):
    """The commands /profile and /leaderboard."""

    @app_commands.command(name="profile", description=N_("My games in numbers, and my rating: only I see this"))
    async def profile(self, interaction: discord.Interaction[Any]) -> None:
        """Show the person what they have done, in the game of the table here if they have played it. Serves
        /profile."""
        async with boundary(interaction, "/profile") as visit:
            table = await visit.bot.tables.find_in(visit.channel)
            found = await visit.bot.store.profiles(visit.user)
            rated = visit.bot.people.preferences(visit.user).rated
            guild = interaction.guild_id
            counted = guild is None or (await visit.bot.servers.settings(guild)).counted
            game = table.game if table else None
            await visit.tell(profile_sheet(found, game, rated, await visit.words_here(), counted=counted))

    @app_commands.command(
        name="leaderboard", description=N_("The best of this server, for everyone to see"), extras={PUBLIC: True}
    )
    @app_commands.describe(game=N_("Which game"))
    @app_commands.choices(game=GAMES)
    @app_commands.guild_only()
    async def leaderboard(
        self, interaction: discord.Interaction[Any], game: app_commands.Choice[str] | None = None
    ) -> None:
        """Show everybody the leaderboard of *game* (default: of the table here, else of the first game) if the server
        has leaderboards, but only the person if one was shown here a moment ago; whoever manages the server can switch
        that. Serves /leaderboard."""
        async with boundary(interaction, "/leaderboard", private=False) as visit:
            guild = interaction.guild_id
            if guild is None:
                raise Refusal(Why.NOT_A_SERVER)
            settings = await visit.bot.servers.settings(guild)
            if not settings.counted:
                await visit.tell(answers.note(visit.words(NOT_COUNTED)))
                return
            if not settings.boards:
                await visit.tell(switch_sheet(False, await visit.words_here(), manager=visit.manager))
                return
            table = await visit.bot.tables.find_in(visit.channel)
            name = game.value if game else table.game if table else next(iter(PRESENTERS))
            board = await visit.bot.store.leaderboard(guild, name, visit.user)
            if visit.bot.tables.may_show(visit.channel):
                public = words(await visit.public_locale())
                await visit.bot.courier.reply(interaction, leaderboard_sheet(name, board, public), private=False)
            else:
                await visit.tell(leaderboard_sheet(name, board, await visit.words_here()))
            if visit.manager:
                await visit.tell(switch_sheet(True, await visit.words_here(), manager=True))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Results())
