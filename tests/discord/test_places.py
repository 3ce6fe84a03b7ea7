"""Where a table may be, and what it speaks there."""

import discord
import pytest

from bot.i18n import words
from bot.present.answers import REFUSALS
from bot.refusals import Why
from tests.discord.messages import said, text_of
from tests.discord.play import Club
from tests.discord.world import EN


@pytest.mark.parametrize("community", [False, True])
async def test_only_a_community_server_has_a_language_of_its_own_r5(club: Club, community: bool) -> None:
    """Of all other servers Discord says en-US (https://docs.discord.com/developers/resources/guild#guild-object): a
    small German server would get English tables. There the table speaks its host's language."""
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    guild.features = ["COMMUNITY"] if community else []
    guild.preferred_locale = discord.Locale.italian
    await club.anna.slash(club.channel, "play", game=club.case.game)
    assert words("it" if community else "en")("Start") in text_of(club.table_message())


async def test_a_server_that_has_the_commands_but_not_the_bot_is_told_what_is_missing_s3(club: Club) -> None:
    """Installed with the scope applications.commands alone: https://docs.discord.com/developers/topics/oauth2."""
    guild = club.bot._connection._guilds.pop(club.guild.id)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    club.bot._connection._guilds[club.guild.id] = guild
    assert EN(REFUSALS[Why.NO_BOT_HERE]) in said(answer)
    assert not club.running
