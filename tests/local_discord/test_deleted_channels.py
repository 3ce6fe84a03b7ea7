"""Channels and threads that are deleted."""

from tests.local_discord.client import Discord, row
from tests.local_discord.test_threads import started, thread_of


async def test_threads_go_with_their_channel_without_a_word(discord: Discord) -> None:
    """No THREAD_DELETE comes then: https://github.com/discordjs/discord.js/pull/10883. discord.py deduces it."""
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    thread, other = thread_of(discord), discord.session["guilds"][0]["channels"][1]["id"]
    hidden = await started(discord)
    _, select = await discord.sends({"components": [row({"type": 8, "custom_id": "s"})]}, channel=other)
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.anna))[0] == 200
    assert (await bot.event("CHANNEL_DELETE"))["id"] == discord.channel
    for gone in (thread, hidden, discord.channel):
        await discord.refused("GET", f"/channels/{gone}", discord.anna, None, 10003)
    late = await discord.connect(discord.bot)
    assert (await late.event("GUILD_CREATE"))["threads"] == []
    assert (await discord.call("GET", "/local/session"))[1]["guilds"][0]["channels"][0]["id"] == other
    click = {"type": 3, "channel_id": other, "message_id": select["id"], "data": {"component_type": 8}}
    for where, status in ((other, 204), (thread, 400)):
        chosen = {**click, "data": {**click["data"], "custom_id": "s", "values": [where]}}
        assert await discord.begin(discord.anna, chosen) == status
    assert (await bot.event("INTERACTION_CREATE"))["data"]["values"] == [other]
    assert not bot.named("THREAD_DELETE")


async def test_a_deleted_thread_is_named_with_its_channel(discord: Discord) -> None:
    """https://discord.com/developers/docs/events/gateway-events#thread-delete. Private ones too are moderators'."""
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    await discord.call("POST", f"/local/users/{discord.bruno_id}", body={"permissions": ["manage_threads"]})
    for kind in (11, 12):
        thread = await started(discord, kind)
        await discord.call("PUT", f"/channels/{thread}/thread-members/{discord.bruno_id}", discord.anna)
        assert (await discord.call("DELETE", f"/channels/{thread}", discord.bruno))[0] == 200
        if kind == 11:  # the bot sees no other
            where = {"id": thread, "guild_id": discord.guild, "parent_id": discord.channel, "type": kind}
            assert await bot.event("THREAD_DELETE") == where
