"""What differs between servers: their language, and whether the bot is a member."""

from tests.local_discord.client import EPHEMERAL, Discord


async def guild(discord: Discord, **changes: object) -> None:
    """Change the server from outside."""
    status, answer = await discord.call("POST", f"/local/guilds/{discord.guild}", body=changes)
    assert status == 200, answer


async def test_only_community_servers_have_a_language_of_their_own(discord: Discord) -> None:
    """``preferred_locale`` is the locale of a Community guild; other guilds say en-US, also in interactions.

    https://discord.com/developers/docs/resources/guild#guild-object
    """
    bot = await discord.connect(discord.bot)
    assert (await bot.event("GUILD_CREATE"))["features"] == ["COMMUNITY"]
    await discord.ping_command()
    for features, expected in ((["COMMUNITY"], "de"), ([], "en-US"), (["COMMUNITY", "NEWS"], "de")):
        await guild(discord, locale="de", features=features)
        update = await bot.event("GUILD_UPDATE")
        assert (update["preferred_locale"], update["features"]) == (expected, features)
        assert not {"channels", "threads", "members"} & set(update)
        assert await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}}) == 204
        payload = await bot.event("INTERACTION_CREATE")
        assert payload["guild_locale"] == payload["guild"]["locale"] == expected
        assert payload["guild"]["features"] == features
        again = await discord.connect(discord.bot)
        assert (await again.event("GUILD_CREATE"))["preferred_locale"] == expected


async def test_a_server_may_have_the_commands_without_the_bot(discord: Discord) -> None:
    """With the scope ``applications.commands`` alone interactions come, and nothing else.

    https://discord.com/developers/docs/interactions/application-commands#authorizing-your-application. Other requests
    are refused with 50001: https://github.com/discord/discord-api-docs/issues/1716.
    """
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9)
    await bot.event("GUILD_CREATE")
    await discord.ping_command()
    await guild(discord, bot=False)
    assert (await bot.event("GUILD_DELETE"))["id"] == discord.guild
    late = await discord.connect(discord.bot)
    assert (await late.event("READY"))["guilds"] == []
    assert not late.named("GUILD_CREATE")
    assert await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}}) == 204
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["authorizing_integration_owners"] == {"0": discord.guild}
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    assert (await discord.call("POST", callback, body={"type": 4, "data": {"content": "pong"}}))[0] == 204
    token = f"/webhooks/{discord.session['application_id']}/{payload['token']}"
    assert (await discord.call("POST", token, body={"content": "more", "flags": EPHEMERAL}))[0] == 200
    assert (await discord.call("PATCH", f"{token}/messages/@original", body={"content": "pong!"}))[0] == 200
    path = f"/channels/{discord.channel}"
    _, (pong,) = await discord.call("GET", f"{path}/messages", discord.anna)
    for method, where, body in (
        ("PATCH", f"{path}/messages/{pong['id']}", {"content": "x"}),
        ("POST", f"{path}/messages", {"content": "x"}),
        ("GET", path, None),
        ("GET", f"/guilds/{discord.guild}/channels", None),
    ):
        status, answer = await discord.call(method, where, discord.bot, body)
        assert (status, answer["code"]) == (403, 50001), where
    assert not bot.named("MESSAGE_CREATE")
    await guild(discord, bot=True)
    assert (await bot.event("GUILD_CREATE"))["id"] == discord.guild
    assert (await discord.call("POST", f"{path}/messages", discord.bot, {"content": "x"}))[0] == 200


async def test_a_server_with_an_outage_is_away_without_having_removed_the_bot(discord: Discord) -> None:
    """https://discord.com/developers/docs/events/gateway-events#guild-delete, and what READY says of it comes no more.

    A bot that joins such a server gets it without its contents.
    """
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    await guild(discord, unavailable=True)
    gone = {"id": discord.guild, "unavailable": True}
    assert await bot.event("GUILD_DELETE") == gone
    late = await discord.connect(discord.bot)
    assert (await late.event("READY"))["guilds"] == [gone]
    await guild(discord, unavailable=True)  # it has one already
    await guild(discord, bot=False)
    assert await bot.event("GUILD_DELETE") == {"id": discord.guild}
    await guild(discord, bot=True)
    assert await bot.event("GUILD_CREATE") == gone
    await guild(discord, unavailable=False)
    assert len((await bot.event("GUILD_CREATE"))["channels"]) == 3
    assert [(await late.event("GUILD_CREATE"))["unavailable"] for _ in range(2)] == [True, False]
    assert not bot.named("GUILD_DELETE")  # the second beginning of the outage was none


async def test_whoever_shares_no_server_with_the_bot_gets_no_direct_message(discord: Discord) -> None:
    """50278: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json"""
    _, private = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    await guild(discord, bot=False)
    path = f"/channels/{private['id']}/messages"
    status, answer = await discord.call("POST", path, discord.bot, {"content": "x"})
    assert (status, answer["code"]) == (403, 50278)
    assert (await discord.call("POST", path, discord.anna, {"content": "but she may write"}))[0] == 200
