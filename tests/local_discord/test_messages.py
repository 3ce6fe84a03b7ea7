"""Messages: what is refused and with which code, who sees them, who may change them."""

from typing import Any

import pytest

from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"flags": V2, "content": "x", "components": [text("y")]}, "content"),
        ({"flags": V2, "components": [text("x" * 4001)]}, "components.0.content"),
        ({"flags": V2, "components": [text("x" * 2500), text("x" * 2500)]}, "components"),
        ({"flags": V2, "components": [text("x") for _ in range(41)]}, "components"),
        ({"flags": V2, "components": [row(*[button(f"{n}") for n in range(6)])]}, "components.0.components"),
        ({"flags": V2, "components": [row(button("x" * 101))]}, "components.0.components.0.custom_id"),
        ({"flags": V2, "components": [row(button(label="x" * 81))]}, "components.0.components.0.label"),
        ({"flags": V2, "components": [row(button("a")), row(button("a"))]}, "components.1.components.0.custom_id"),
        ({"flags": V2, "components": [button()]}, "components.0.type"),
        ({"flags": V2, "components": [{"type": 17, "components": []}]}, "components.0.components"),
        ({"components": [text("no flag")]}, "components.0.type"),
        (
            {"flags": V2, "components": [row({"type": 3, "custom_id": "s", "options": []})]},
            "components.0.components.0.options",
        ),
    ],
)
async def test_limits_are_50035_with_the_path(discord: Discord, body: dict[str, Any], path: str) -> None:
    answer = await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bot, body, 50035)
    found = answer["errors"]
    for key in path.split("."):
        found = found[key]
    assert found["_errors"]


async def test_an_empty_message_is_50006(discord: Discord) -> None:
    await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bot, {}, 50006)


async def test_unknown_things_have_their_codes(discord: Discord) -> None:
    await discord.refused("GET", "/channels/1", discord.bot, None, 10003)
    await discord.refused("PATCH", f"/channels/{discord.channel}/messages/1", discord.bot, {"content": "x"}, 10008)
    await discord.refused("POST", "/interactions/1/t/callback", "", {"type": 6}, 10062)
    await discord.refused("POST", f"/webhooks/{discord.session['application_id']}/t", "", {"content": "x"}, 10015)


async def test_permissions_are_50013_and_50001(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": ["view_channel"]})
    await discord.refused("POST", path, discord.bot, {"content": "x"}, 50013)
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": []})
    await discord.refused("POST", path, discord.bot, {"content": "x"}, 50001)


@pytest.mark.parametrize(("change", "code"), [({"dms_open": False}, 50278), ({"blocks_app": True}, 50007)])
async def test_whoever_takes_no_direct_messages_says_so_to_members_or_to_the_bot(
    discord: Discord, change: dict[str, bool], code: int
) -> None:
    """https://github.com/discord/discord-api-docs/issues/8238"""
    _, channel = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    path = f"/channels/{channel['id']}/messages"
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 200
    await discord.call("POST", f"/local/users/{discord.anna_id}", body=change)
    await discord.refused("POST", path, discord.bot, {"content": "x"}, code)


async def test_a_direct_message_reaches_its_two_ends_alone(discord: Discord) -> None:
    anna, bruno = await discord.connect(discord.anna), await discord.connect(discord.bruno)
    await anna.event("READY")
    await bruno.event("READY")
    _, channel = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    _, sent = await discord.call("POST", f"/channels/{channel['id']}/messages", discord.bot, {"content": "psst"})
    assert (await anna.event("MESSAGE_CREATE"))["content"] == "psst"
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.anna, {"content": "all"})
    assert (await bruno.event("MESSAGE_CREATE"))["content"] == "all"
    assert not bruno.named("CHANNEL_CREATE")
    await discord.refused("GET", f"/channels/{channel['id']}/messages/{sent['id']}", discord.bruno, None, 10003)


async def test_only_authors_edit_and_only_moderators_delete_others(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    _, mine = await discord.call("POST", path, discord.bruno, {"content": "mine"})
    await discord.refused("PATCH", f"{path}/{mine['id']}", discord.bot, {"content": "x"}, 50005)
    await discord.refused("DELETE", f"{path}/{mine['id']}", discord.bot, None, 50013)
    assert (await discord.call("DELETE", f"{path}/{mine['id']}", discord.anna))[0] == 204


async def test_a_nonce_makes_one_message(discord: Discord) -> None:
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    path = f"/channels/{discord.channel}/messages"
    _, first = await discord.call("POST", path, discord.bot, body)
    _, second = await discord.call("POST", path, discord.bot, body)
    assert first["id"] == second["id"]
    _, direct = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    _, third = await discord.call("POST", f"/channels/{direct['id']}/messages", discord.bot, body)
    assert third["id"] == first["id"], "of one author, in whatever channel"
    await discord.call("DELETE", f"{path}/{first['id']}", discord.bot)
    _, fourth = await discord.call("POST", path, discord.bot, body)
    assert fourth["id"] != first["id"]


async def test_mentions_are_only_those_allowed(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    body = {"content": f"<@{discord.anna_id}>", "allowed_mentions": {"parse": []}}
    assert (await discord.call("POST", path, discord.bot, body))[1]["mentions"] == []
    body = {"content": f"<@{discord.anna_id}>", "allowed_mentions": {"users": [discord.anna_id]}}
    assert (await discord.call("POST", path, discord.bot, body))[1]["mentions"][0]["id"] == discord.anna_id


# What the routes of a channel give back: page by page, and neither ephemeral messages nor others' content.
#
# https://discord.com/developers/docs/resources/message#get-channel-messages


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
