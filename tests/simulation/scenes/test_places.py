"""Places that are awkward on Discord: private threads, servers without the bot."""

from bot.custom_ids import Verb
from bot.present.answers import REFUSALS
from bot.refusals import Why
from tests.games import CASES
from tests.process.waiting import eventually
from tests.process.world import World
from tests.simulation.scenes.scene import simulated

ANY = sorted(CASES)[0]
"""Lobbies are alike."""


@simulated
async def test_a_private_thread_without_the_bot_asks_to_be_let_in_s2(world: World) -> None:
    """Answers work there, but edits with the bot's own token do not:
    https://docs.discord.com/developers/topics/threads#private-threads"""
    anna = world.people[0]
    status, thread = await world.call("POST", f"/channels/{world.channel}/threads", {"name": "secret"}, anna.token)
    assert status == 201, thread
    channel = int(thread["id"])
    world.channels[channel] = world.guild
    await anna.slash(channel, "play", game=ANY)
    await eventually(lambda: anna.newest_text(REFUSALS[Why.NOT_IN_THREAD][:30]), "the way in")
    bot = world.application
    assert (await world.call("POST", f"/channels/{channel}/messages", {"content": f"<@{bot}>"}, anna.token))[0] == 200
    await anna.slash(channel, "play", game=ANY)
    await eventually(lambda: anna.newest(Verb.OPTIONS, channel), "the lobby")


@simulated
async def test_a_server_with_the_commands_alone_is_told_what_is_missing_s3(world: World) -> None:
    anna = world.people[0]
    await world.call("POST", f"/local/guilds/{world.guild}", {"bot": False})
    await anna.slash(world.channel, "play", game=ANY)
    await eventually(lambda: anna.newest_text(REFUSALS[Why.NO_BOT_HERE][:30]), "what is missing")
    assert anna.newest(Verb.OPTIONS) is None
