"""Voice and stage channels have a text chat, for which a bot needs the permission *Connect*.

https://github.com/discord/discord-api-docs/pull/5111: without it everything there is answered with 50001.
"""

import pytest

from tests.local_discord.client import Discord, Socket

WITHOUT_CONNECT = ["view_channel", "send_messages", "read_message_history", "embed_links", "attach_files"]
VOICE, STAGE = 2, 13


async def made(discord: Discord, kind: int) -> str:
    """The id of a new channel."""
    body = {"guild": discord.guild, "name": "Lounge", "type": kind}
    status, answer = await discord.call("POST", "/local/channels", body=body)
    assert (status, answer["type"]) == (200, kind)
    found: str = answer["id"]
    return found


async def bot_and(discord: Discord) -> Socket:
    """A session of the bot that hears of channels and messages."""
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9)
    await bot.event("GUILD_CREATE")
    return bot


@pytest.mark.parametrize("kind", [VOICE, STAGE])
async def test_a_bot_without_connect_sees_the_channel_and_gets_50001_for_everything(
    discord: Discord, kind: int
) -> None:
    await discord.ping_command()
    bot = await bot_and(discord)
    channel = await made(discord, kind)
    created = await bot.event("CHANNEL_CREATE")
    assert (created["id"], created["type"], created["name"]) == (channel, kind, "Lounge")
    assert (await discord.sends({"content": "hello"}, channel=channel))[0] == 200
    _, message = await discord.sends({"content": "x"}, discord.anna, channel)
    await discord.call("POST", f"/local/channels/{channel}", body={"bot_permissions": WITHOUT_CONNECT})
    assert (await bot.event("CHANNEL_UPDATE"))["permission_overwrites"]
    bot.events.clear()
    messages = f"/channels/{channel}/messages"
    for method, path, body in (
        ("POST", messages, {"content": "x"}),
        ("GET", messages, None),
        ("GET", f"{messages}/{message['id']}", None),
        ("GET", f"/channels/{channel}", None),
    ):
        await discord.refused(method, path, discord.bot, body, 50001)
    await discord.sends({"content": "unheard"}, discord.anna, channel)
    payload = await discord.pinged(bot, discord.anna, channel_id=channel)
    assert not int(payload["app_permissions"]) & 1 << 20
    assert (await discord.answer(payload, {"type": 4, "data": {"content": "by its token"}}))[0] == 204
    assert not bot.named("MESSAGE_CREATE")
    assert (await discord.call("DELETE", f"/channels/{channel}", discord.anna))[0] == 200
    assert (await bot.event("CHANNEL_DELETE"))["id"] == channel


async def test_a_text_channel_needs_no_connect(discord: Discord) -> None:
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": WITHOUT_CONNECT})
    assert (await discord.sends({"content": "x"}))[0] == 200


async def test_threads_do_not_begin_in_voice_channels(discord: Discord) -> None:
    channel = await made(discord, VOICE)
    body = {"name": "t", "type": 11, "auto_archive_duration": 60}
    await discord.refused("POST", f"/channels/{channel}/threads", discord.anna, body, 50024)


async def test_a_new_channel_is_there_like_the_others(discord: Discord) -> None:
    channel = await made(discord, 0)
    assert (await discord.sends({"content": "x"}, discord.bruno, channel))[0] == 200
    bot = await discord.connect(discord.bot)
    assert channel in [it["id"] for it in (await bot.event("GUILD_CREATE"))["channels"]]
