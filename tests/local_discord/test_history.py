"""What the routes of a channel give back: page by page, and neither ephemeral messages nor others' content.

https://discord.com/developers/docs/resources/message#get-channel-messages
"""

from tests.local_discord.client import EPHEMERAL, Discord


async def sent(discord: Discord, count: int) -> list[str]:
    """The ids of so many messages of Anna's, oldest first."""
    return [(await discord.sends({"content": str(n)}, discord.anna))[1]["id"] for n in range(count)]


async def test_the_bots_token_does_not_reach_ephemeral_messages(discord: Discord) -> None:
    """They exist for their reader and through their interaction's token alone; elsewhere they are unknown (10008)."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    payload = await discord.pinged(bot, discord.anna)
    await discord.answer(payload, {"type": 4, "data": {"content": "secret", "flags": EPHEMERAL}})
    _, message = await discord.call("GET", discord.webhook(payload, "@original"))
    path = f"/channels/{discord.channel}/messages/{message['id']}"
    for token in (discord.bot, discord.anna, discord.bruno):
        for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
            await discord.refused(method, path, token, body, 10008)
    assert (await discord.call("DELETE", discord.webhook(payload, "@original")))[0] == 204


async def test_the_history_comes_page_by_page(discord: Discord) -> None:
    """Get Channel Messages: always newest first, before, after or around a message."""
    ids = await sent(discord, 7)
    path = f"/channels/{discord.channel}/messages"

    async def page(query: str) -> list[int]:
        _, found = await discord.call("GET", f"{path}?{query}", discord.anna)
        return [ids.index(message["id"]) for message in found]

    assert await page("limit=3") == [6, 5, 4]
    assert await page(f"limit=3&before={ids[4]}") == [3, 2, 1]
    assert await page(f"limit=3&before={ids[1]}") == [0]
    assert await page(f"before={ids[0]}") == []
    assert await page(f"limit=2&after={ids[2]}") == [4, 3]
    assert await page("limit=2&after=0") == [1, 0]
    assert await page(f"after={ids[6]}") == []
    assert await page(f"limit=3&around={ids[3]}") == [4, 3, 2]
    assert await page(f"limit=4&around={ids[6]}") == [6, 5, 4]


async def test_what_others_write_is_empty_without_the_intent_for_content(discord: Discord) -> None:
    """Gateway, "Message Content Intent": but for the app's own messages, direct messages, and where it is mentioned.
    "HTTP Restrictions": it depends on the application's settings, not on the session."""
    await sent(discord, 1)
    await discord.sends({"content": f"<@{discord.session['application_id']}> hi"}, discord.bruno)
    await discord.sends({"content": "mine"})
    path = f"/channels/{discord.channel}/messages"
    seen = (await discord.call("GET", path, discord.bot))[1]
    assert [bool(message["content"]) for message in seen] == [True, True, False]
    assert (await discord.call("GET", f"{path}/{seen[2]['id']}", discord.bot))[1]["content"] == ""
    assert (await discord.call("GET", path, discord.anna))[1][2]["content"] == "0"
    private = await discord.dm(discord.anna)
    await discord.sends({"content": "private"}, discord.anna, private)
    assert (await discord.call("GET", f"/channels/{private}/messages", discord.bot))[1][0]["content"] == "private"
    assert (await discord.call("POST", "/local/application", body={"intents": ["message_content"]}))[0] == 200
    assert (await discord.call("GET", path, discord.bot))[1][2]["content"] == "0"
