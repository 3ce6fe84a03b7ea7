"""What a phone shows of new messages: their plain text, so nothing of those made of components.

https://github.com/discord/discord-api-docs/issues/7854
"""

from typing import Any

from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text

SILENT = 1 << 12
"""https://discord.com/developers/docs/resources/message#message-object-message-flags: SUPPRESS_NOTIFICATIONS"""


async def shown(discord: Discord, user: str = "", after: int = 0) -> list[dict[str, Any]]:
    """The notifications of *user*, or of everybody."""
    query = f"?after={after}" + (f"&user={user}" if user else "")
    status, found = await discord.call("GET", f"/local/notifications{query}")
    assert status == 200, found
    entries: list[dict[str, Any]] = found
    return entries


async def private(discord: Discord) -> str:
    """Where the bot sends Anna direct messages."""
    _, channel = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    return f"/channels/{channel['id']}/messages"


async def test_a_direct_message_shows_its_text_with_names(discord: Discord) -> None:
    path = await private(discord)
    words = f"Hello <@{discord.anna_id}>, see <#{discord.channel}> <:card:123> **now**"
    _, sent = await discord.call("POST", path, discord.bot, {"content": words})
    (told,) = await shown(discord, discord.anna_id)
    assert told["text"] == "Hello @Anna, see #card-table :card: **now**"
    assert (told["user"], told["message_id"], told["channel_id"]) == (
        discord.anna_id, sent["id"], path.split("/")[2],
    )  # fmt: skip
    assert told["title"] == "Seventeen"
    assert await shown(discord, discord.bruno_id) == []
    assert await shown(discord, discord.anna_id, told["number"]) == []


async def test_a_message_of_components_shows_no_words(discord: Discord) -> None:
    path = await private(discord)
    await discord.call("POST", path, discord.bot, {"flags": V2, "components": [text("Your turn")]})
    assert [it["text"] for it in await shown(discord)] == [""]


async def test_a_mention_shows_where_it_was_and_other_messages_show_nothing(discord: Discord) -> None:
    """Servers notify of mentions alone: ``default_message_notifications`` is 1 here."""
    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", path, discord.bot, {"content": "nobody"})
    await discord.call("POST", path, discord.bot, {"content": f"<@{discord.bruno_id}> it is your turn"})
    await discord.call("POST", path, discord.bot, {"flags": V2, "components": [text(f"<@{discord.anna_id}>")]})
    hushed = {"content": f"<@{discord.bruno_id}>", "allowed_mentions": {"parse": []}}
    await discord.call("POST", path, discord.bot, hushed)
    await discord.call("POST", path, discord.bruno, {"content": f"<@{discord.bruno_id}> myself"})
    assert [(it["user"], it["title"], it["text"]) for it in await shown(discord)] == [
        (discord.bruno_id, "Seventeen (#card-table, Card club)", "@Bruno it is your turn"),
        (discord.anna_id, "Seventeen (#card-table, Card club)", ""),
    ]


async def test_silent_messages_edits_and_ephemerals_notify_nobody(discord: Discord) -> None:
    path = await private(discord)
    _, sent = await discord.call("POST", path, discord.bot, {"content": "quiet", "flags": SILENT})
    assert sent["flags"] & SILENT
    public = f"/channels/{discord.channel}/messages"
    _, plain = await discord.call("POST", public, discord.bot, {"content": "nobody yet"})
    edited = {"content": f"<@{discord.anna_id}>"}
    assert (await discord.call("PATCH", f"{public}/{plain['id']}", discord.bot, edited))[1]["mentions"]
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    for flags in (EPHEMERAL, SILENT):
        await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
        payload = await bot.event("INTERACTION_CREATE")
        callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
        data = {"content": f"<@{discord.bruno_id}>", "flags": flags}
        assert (await discord.call("POST", callback, body={"type": 4, "data": data}))[0] == 204
    assert await shown(discord) == []


async def test_a_plain_message_may_become_components_once(discord: Discord) -> None:
    """So that a push has words: the flag may be added by an edit that empties the fields it replaces.

    https://discord.com/developers/docs/resources/message#edit-message
    """
    discord.unhurried()
    path = await private(discord)
    _, sent = await discord.call("POST", path, discord.bot, {"content": "Your turn", "embeds": [{"title": "x"}]})
    one = f"{path}/{sent['id']}"
    hand = [text("A hand"), row(button("b"))]
    for wrong, field in (
        ({"flags": V2, "components": hand}, "content"),
        ({"flags": V2, "components": hand, "content": "still"}, "content"),
        ({"flags": V2, "components": hand, "content": None}, "embeds"),
        ({"flags": V2, "components": hand, "embeds": []}, "content"),
    ):
        answer = await discord.refused("PATCH", one, discord.bot, wrong, 50035)
        (said,) = answer["errors"][field]["_errors"]
        assert said["code"] == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    assert (await discord.call("GET", one, discord.bot))[1]["content"] == "Your turn", "nothing has changed"
    upgraded = {"flags": V2, "content": None, "embeds": [], "components": hand}
    status, message = await discord.call("PATCH", one, discord.bot, upgraded)
    assert (status, message["content"], message["embeds"]) == (200, "", [])
    assert message["flags"] & V2
    status, message = await discord.call("PATCH", one, discord.bot, {"flags": 0, "components": [text("more")]})
    assert (status, message["flags"] & V2) == (200, V2), "it cannot be taken back"
    await discord.refused("PATCH", one, discord.bot, {"content": "plain again"}, 50035)
    assert [it["text"] for it in await shown(discord)] == ["Your turn"]


async def test_it_may_become_so_through_a_token_too(discord: Discord) -> None:
    """https://discord.com/developers/docs/resources/webhook#edit-webhook-message"""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    payload = await bot.event("INTERACTION_CREATE")
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    await discord.call("POST", callback, body={"type": 4, "data": {"content": "plain"}})
    webhook = f"/webhooks/{discord.session['application_id']}/{payload['token']}"
    _, follow_up = await discord.call("POST", webhook, body={"content": "plain too"})
    for which in ("@original", follow_up["id"]):
        one = f"{webhook}/messages/{which}"
        await discord.refused("PATCH", one, "", {"flags": V2, "components": [text("x")]}, 50035)
        status, message = await discord.call(
            "PATCH", one, body={"flags": V2, "content": None, "components": [text("x")]}
        )
        assert (status, message["flags"] & V2, message["content"]) == (200, V2, "")
