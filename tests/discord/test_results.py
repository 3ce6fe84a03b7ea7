"""/profile and /leaderboard: what is counted, who is rated, who sees it."""

import discord
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from tests.discord.messages import reply, text_of
from tests.discord.play import Club


async def counted(club: Club) -> None:
    """Everything that is over has been counted."""
    await club.bot._counting.finish()


async def profile(club: Club, person: MemberActor) -> discord.Message:
    """What *person* gets who types /profile."""
    return reply(await person.slash(club.channel, "profile"))


async def test_a_finished_game_stands_in_the_profile(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()
    await counted(club)
    message = await profile(club, club.anna)
    assert message.flags.ephemeral
    print(text_of(message))
    assert "1 game" in text_of(message)
    for person in (club.anna, club.bruno):
        answer = await club.press(person, await profile(club, person), Verb.RATE, "yes")
        print(text_of(reply(answer)))
    for _ in range(4):
        await club.open(club.anna, club.bruno)
        await club.finish()
    await counted(club)
    print(text_of(await profile(club, club.anna)))
