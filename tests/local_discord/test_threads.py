"""Threads: they archive, are locked, and private ones are seen by their members.

https://discord.com/developers/docs/topics/threads. The answers in archived threads are as reported: 400 with 50083 to
edits (https://github.com/victornpb/undiscord/issues/399), 403 with 50083 to answers in locked ones
(https://github.com/discord/discord-api-docs/issues/7707).
"""

from typing import Any

import pytest

from tests.local_discord.client import EPHEMERAL, Discord, Socket, button, row


def thread_of(discord: Discord) -> str:
    """The thread that is there from the start."""
    found: str = discord.session["guilds"][0]["channels"][-1]["id"]
    return found


async def change(discord: Discord, thread: str, **changes: Any) -> None:
    """Change *thread* from outside."""
    status, answer = await discord.call("POST", f"/local/channels/{thread}", body=changes)
    assert status == 200, answer


async def metadata(discord: Discord, thread: str) -> dict[str, Any]:
    """The ``thread_metadata`` of *thread*."""
    found: dict[str, Any] = (await discord.call("GET", f"/channels/{thread}", discord.anna))[1]["thread_metadata"]
    return found


async def started(discord: Discord, kind: int = 12, token: str | None = None) -> str:
    """A new thread in the first channel, made by Anna or by whoever has *token*."""
    body = {"name": "secrets", "type": kind, "auto_archive_duration": 60}
    status, thread = await discord.call("POST", f"/channels/{discord.channel}/threads", token or discord.anna, body)
    assert (status, thread["type"], thread["parent_id"]) == (201, kind, discord.channel)
    found: str = thread["id"]
    return found


async def clicked(discord: Discord, bot: Socket, path: str) -> dict[str, Any]:
    """Anna clicks the button of the message at *path*; what the bot gets."""
    _, _, thread, _, message = path.split("/")
    click = {"type": 3, "channel_id": thread, "message_id": message, "data": {"component_type": 2, "custom_id": "b"}}
    assert await discord.begin(discord.anna, click) == 204
    return await bot.event("INTERACTION_CREATE")


async def with_button(discord: Discord, thread: str, token: str | None = None) -> str:
    """The path of a new message of the bot with a button."""
    body = {"content": "x", "components": [row(button("b"))]}
    _, sent = await discord.call("POST", f"/channels/{thread}/messages", token or discord.bot, body)
    return f"/channels/{thread}/messages/{sent['id']}"


async def test_a_thread_archives_when_nobody_writes(discord: Discord) -> None:
    """Activity is a message; clicks and edits are none."""
    bot = await discord.connect(discord.bot, intents=1)
    await bot.event("GUILD_CREATE")
    thread = thread_of(discord)
    path = await with_button(discord, thread)
    kept = discord.server.world.channels[int(thread)].thread
    assert kept is not None
    await change(discord, thread, archive_seconds=3600)
    began = kept.active_at
    await discord.call("PATCH", path, discord.bot, {"content": "edited"})
    payload = await clicked(discord, bot, path)
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    await discord.call("POST", callback, body={"type": 7, "data": {"content": "clicked"}})
    assert kept.active_at == began
    await change(discord, thread, archive_seconds=0.05)
    told = await bot.event("THREAD_UPDATE")
    while not told["thread_metadata"]["archived"]:
        told = await bot.event("THREAD_UPDATE")
    assert (told["id"], told["guild_id"], told["thread_metadata"]["archived"]) == (thread, discord.guild, True)
    assert (await metadata(discord, thread))["archived"] is True


async def test_in_an_archived_thread_nothing_is_edited_and_a_message_wakes_it(discord: Discord) -> None:
    thread = thread_of(discord)
    path = await with_button(discord, thread)
    bot = await discord.connect(discord.bot, intents=1)
    await bot.event("GUILD_CREATE")
    await change(discord, thread, archived=True)
    assert (await bot.event("THREAD_UPDATE"))["thread_metadata"]["archived"] is True
    status, answer = await discord.call("PATCH", path, discord.bot, {"content": "y"})
    assert (status, answer) == (400, {"message": "Thread is archived", "code": 50083})
    assert (await metadata(discord, thread))["archived"] is True
    assert (await discord.call("POST", f"/channels/{thread}/messages", discord.bot, {"content": "z"}))[0] == 200
    assert (await bot.event("THREAD_UPDATE"))["thread_metadata"]["archived"] is False
    assert (await bot.event("THREAD_MEMBER_UPDATE"))["id"] == thread, "whoever writes is in it"
    assert (await discord.call("PATCH", path, discord.bot, {"content": "y"}))[0] == 200


async def test_messages_of_an_archived_thread_can_be_deleted_unless_it_is_locked(discord: Discord) -> None:
    thread = thread_of(discord)
    one, two = await with_button(discord, thread), await with_button(discord, thread)
    await change(discord, thread, archived=True)
    assert (await discord.call("DELETE", one, discord.bot))[0] == 204
    await change(discord, thread, locked=True)
    await discord.refused("DELETE", two, discord.bot, None, 50083)
    await change(discord, thread, archived=False)
    assert (await discord.call("DELETE", two, discord.bot))[0] == 204


async def test_a_locked_thread_takes_messages_of_moderators_alone(discord: Discord) -> None:
    """Without Manage Threads nothing is created or updated in a locked thread, be it archived or not."""
    thread = thread_of(discord)
    path = await with_button(discord, thread)
    messages = f"/channels/{thread}/messages"
    await change(discord, thread, locked=True)
    for token in (discord.bot, discord.bruno):
        status, answer = await discord.call("POST", messages, token, {"content": "x"})
        assert (status, answer["code"]) == (403, 160005)
    assert (await discord.call("PATCH", path, discord.bot, {"content": "x"}))[1]["code"] == 160005
    await change(discord, thread, archived=True)
    status, answer = await discord.call("POST", messages, discord.bot, {"content": "x"})
    assert (status, answer["code"]) == (403, 50083)
    assert (await metadata(discord, thread))["archived"] is True
    assert (await discord.call("POST", messages, discord.anna, {"content": "I moderate"}))[0] == 200
    assert (await metadata(discord, thread))["archived"] is False


async def test_clicks_in_an_archived_thread_reach_the_bot_but_it_cannot_update_the_message(discord: Discord) -> None:
    """https://github.com/MarcusOtter/discord-needle/issues/325: on phones the buttons work, their answers do not."""
    thread = thread_of(discord)
    path = await with_button(discord, thread)
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    await change(discord, thread, archived=True)
    payload = await clicked(discord, bot, path)
    assert payload["channel"]["thread_metadata"]["archived"] is True
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    await discord.refused("POST", callback, "", {"type": 7, "data": {"content": "y"}}, 50083)
    assert (await discord.call("POST", callback, body={"type": 4, "data": {"content": "y"}}))[0] == 204
    assert (await metadata(discord, thread))["archived"] is False, "an answer is a message"


async def test_in_a_locked_and_archived_thread_no_answer_is_possible(discord: Discord) -> None:
    """https://github.com/discord/discord-api-docs/issues/5517"""
    thread = thread_of(discord)
    path = await with_button(discord, thread)
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    await change(discord, thread, archived=True, locked=True)
    payload = await clicked(discord, bot, path)
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    for flags in (0, EPHEMERAL):
        answer = {"type": 4, "data": {"content": "y", "flags": flags}}
        status, refusal = await discord.call("POST", callback, body=answer)
        assert (status, refusal["code"]) == (403, 50083)


async def test_edits_by_a_token_are_refused_like_others(discord: Discord) -> None:
    thread = thread_of(discord)
    path = await with_button(discord, thread)
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    payload = await clicked(discord, bot, path)
    await discord.call("POST", f"/interactions/{payload['id']}/{payload['token']}/callback", body={"type": 6})
    token = f"/webhooks/{discord.session['application_id']}/{payload['token']}"
    await change(discord, thread, archived=True)
    await discord.refused("PATCH", f"{token}/messages/@original", "", {"content": "y"}, 50083)
    assert (await discord.call("POST", token, body={"content": "a follow-up is a message"}))[0] == 200
    assert (await discord.call("PATCH", f"{token}/messages/@original", body={"content": "y"}))[0] == 200


async def test_members_reopen_a_thread_and_moderators_lock_it(discord: Discord) -> None:
    """https://discord.com/developers/docs/resources/channel#modify-channel-json-params-thread"""
    thread = thread_of(discord)
    path = f"/channels/{thread}"
    await change(discord, thread, archived=True)
    await discord.refused("PATCH", path, discord.bruno, {"locked": True}, 50013)
    await discord.refused("PATCH", path, discord.anna, {"locked": True}, 50083)
    assert (await discord.call("PATCH", path, discord.bruno, {"archived": False}))[0] == 200
    await discord.refused("PATCH", path, discord.bruno, {"archived": True}, 50013)
    status, changed = await discord.call("PATCH", path, discord.anna, {"locked": True, "archived": True})
    assert (status, changed["thread_metadata"]["locked"]) == (200, True)
    await discord.refused("PATCH", path, discord.bruno, {"archived": False}, 50013)
    await discord.refused("PATCH", path, discord.bot, {"archived": False}, 50013)
    await discord.refused("PATCH", f"/channels/{discord.channel}", discord.bruno, {"archived": False}, 50013)


async def test_archived_threads_are_not_in_guild_create(discord: Discord) -> None:
    thread = thread_of(discord)
    bot = await discord.connect(discord.bot)
    assert [it["id"] for it in (await bot.event("GUILD_CREATE"))["threads"]] == [thread]
    await change(discord, thread, archived=True)
    again = await discord.connect(discord.bot)
    assert (await again.event("GUILD_CREATE"))["threads"] == []


async def test_the_bot_sees_a_private_thread_only_as_a_member(discord: Discord) -> None:
    """Interactions work there by their tokens: https://github.com/discord-jda/JDA/issues/2602"""
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9)
    await bot.event("GUILD_CREATE")
    thread = await started(discord)
    await discord.ping_command()
    _, own = await discord.call("POST", f"/channels/{thread}/messages", discord.anna, {"content": "us alone"})
    for method, path, body in (
        ("POST", f"/channels/{thread}/messages", {"content": "x"}),
        ("GET", f"/channels/{thread}/messages/{own['id']}", None),
        ("GET", f"/channels/{thread}", None),
        ("PUT", f"/channels/{thread}/thread-members/@me", None),
    ):
        status, answer = await discord.call(method, path, discord.bot, body)
        assert (status, answer["code"]) == (403, 50001), path
    await discord.refused("GET", f"/channels/{thread}", discord.bruno, None, 50001)
    assert await discord.begin(discord.anna, {"type": 2, "channel_id": thread, "data": {"name": "ping"}}) == 204
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["channel"]["type"] == 12
    assert int(payload["app_permissions"]) & 1 << 10, "nothing tells the bot"
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback?with_response=true"
    _, answered = await discord.call("POST", callback, body={"type": 4, "data": {"content": "pong"}})
    sent = answered["resource"]["message"]["id"]
    await discord.refused("PATCH", f"/channels/{thread}/messages/{sent}", discord.bot, {"content": "x"}, 50001)
    token = f"/webhooks/{discord.session['application_id']}/{payload['token']}/messages/{sent}"
    assert (await discord.call("PATCH", token, body={"content": "by token"}))[0] == 200
    assert not bot.named("THREAD_CREATE")
    assert not bot.named("MESSAGE_CREATE")
    late = await discord.connect(discord.bot)
    assert thread not in [it["id"] for it in (await late.event("GUILD_CREATE"))["threads"]]


async def test_whoever_is_mentioned_in_a_private_thread_is_in_it(discord: Discord) -> None:
    """https://discord.com/developers/docs/topics/threads#gaining-access-to-private-threads"""
    bot = await discord.connect(discord.bot, intents=1)
    await bot.event("GUILD_CREATE")
    thread = await started(discord)
    mention = f"<@{discord.session['application_id']}>"
    await discord.call("POST", f"/channels/{thread}/messages", discord.anna, {"content": mention})
    there = await bot.event("THREAD_CREATE")
    assert (there["id"], there["member"]["user_id"]) == (thread, discord.session["application_id"])
    added = await bot.event("THREAD_MEMBERS_UPDATE")
    assert [it["user_id"] for it in added["added_members"]] == [discord.session["application_id"]]
    assert (await discord.call("POST", f"/channels/{thread}/messages", discord.bot, {"content": "here"}))[0] == 200
    assert (await discord.call("DELETE", f"/channels/{thread}/thread-members/@me", discord.bot))[0] == 204
    removed = await bot.event("THREAD_MEMBERS_UPDATE")
    assert removed["removed_member_ids"] == [discord.session["application_id"]]
    await discord.refused("POST", f"/channels/{thread}/messages", discord.bot, {"content": "x"}, 50001)


async def test_members_add_others_and_the_bot_adds_itself_where_it_may(discord: Discord) -> None:
    thread = await started(discord)
    members = f"/channels/{thread}/thread-members"
    bot_id = discord.session["application_id"]
    await discord.refused("PUT", f"{members}/{discord.bruno_id}", discord.bruno, None, 50001)
    assert (await discord.call("PUT", f"{members}/{bot_id}", discord.anna))[0] == 204
    assert (await discord.call("PUT", f"{members}/@me", discord.bot))[0] == 204
    assert (await discord.call("PUT", f"{members}/{discord.bruno_id}", discord.bot))[0] == 204
    assert (await discord.call("GET", f"/channels/{thread}", discord.bruno))[0] == 200
    assert [it["user_id"] for it in (await discord.call("GET", members, discord.anna))[1]] == [
        discord.anna_id, bot_id, discord.bruno_id,
    ]  # fmt: skip
    await change(discord, thread, archived=True)
    await discord.refused("DELETE", f"{members}/@me", discord.bruno, None, 50083)
    await discord.refused("PUT", f"{members}/@me", discord.bruno, None, 50083)
    public = f"/channels/{thread_of(discord)}/thread-members"
    assert (await discord.call("PUT", f"{public}/@me", discord.bot))[0] == 204
    await discord.refused("DELETE", f"{public}/{discord.anna_id}", discord.bruno, None, 50013)
    assert (await discord.call("DELETE", f"{public}/{discord.bruno_id}", discord.anna))[0] == 204


async def test_a_new_public_thread_is_everybodys(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    thread = await started(discord, 11, discord.bruno)
    made = await bot.event("THREAD_CREATE")
    assert (made["id"], made["newly_created"], made["owner_id"]) == (thread, True, discord.bruno_id)
    assert made["thread_metadata"]["auto_archive_duration"] == 60
    assert (await discord.call("POST", f"/channels/{thread}/messages", discord.bot, {"content": "x"}))[0] == 200
    for wrong in ({"name": ""}, {"name": "x", "type": 0}, {"name": "x", "auto_archive_duration": 5}):
        await discord.refused("POST", f"/channels/{discord.channel}/threads", discord.anna, wrong, 50035)


async def test_a_thread_has_the_permissions_of_its_channel(discord: Discord) -> None:
    await change(discord, discord.channel, bot_permissions=["view_channel"])
    await discord.refused("POST", f"/channels/{thread_of(discord)}/messages", discord.bot, {"content": "x"}, 50013)


# Channels and threads that are deleted.


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


# Clients for phones and the web reopen an archived thread before they send a click; one on a desktop does not.
#
# https://github.com/discord/discord-api-docs/issues/8474


async def archived(discord: Discord) -> tuple[Socket, dict[str, Any]]:
    """The bot, and a click for a message of it in a thread that has archived since."""
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    thread = thread_of(discord)
    _, message = await discord.sends({"content": "x", "components": [row(button("b"))]}, channel=thread)
    await change(discord, thread, archived=True)
    assert (await bot.event("THREAD_UPDATE"))["thread_metadata"]["archived"]
    data = {"component_type": 2, "custom_id": "b"}
    return bot, {"type": 3, "channel_id": thread, "message_id": message["id"], "data": data}


async def user(discord: Discord, number: str, **changes: bool) -> None:
    """Change somebody from outside."""
    assert (await discord.call("POST", f"/local/users/{number}", body=changes))[0] == 200


async def test_whoever_may_write_reopens_the_thread_with_the_click(discord: Discord) -> None:
    bot, click = await archived(discord)
    await user(discord, discord.bruno_id, reopens_threads=True)
    assert await discord.begin(discord.bruno, click) == 204
    assert not (await bot.event("THREAD_UPDATE"))["thread_metadata"]["archived"]
    assert not (await bot.event("INTERACTION_CREATE"))["channel"]["thread_metadata"]["archived"]


@pytest.mark.parametrize("where", ["thread", "channel"])
async def test_whoever_may_not_write_there_sends_no_click(discord: Discord, where: str) -> None:
    bot, click = await archived(discord)
    place = thread_of(discord) if where == "thread" else discord.channel
    await change(discord, place, people_denied=["send_messages_in_threads"])
    await user(discord, discord.bruno_id, reopens_threads=True)
    body = {"guild_id": discord.guild, "nonce": "n", "session_id": "s", **click}
    answer = await discord.refused("POST", "/interactions", discord.bruno, body, 50013)
    assert answer["message"] == "Missing Permissions"
    reopen = f"/channels/{click['channel_id']}"
    await discord.refused("PATCH", reopen, discord.bruno, {"archived": False}, 50013)
    assert (await metadata(discord, thread_of(discord)))["archived"]
    await user(discord, discord.bruno_id, reopens_threads=False)
    assert await discord.begin(discord.bruno, click) == 204
    assert (await bot.event("INTERACTION_CREATE"))["channel"]["thread_metadata"]["archived"]
    assert len(bot.named("INTERACTION_CREATE")) == 0


async def test_what_people_may_not_do_stands_in_the_channel(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    await change(discord, discord.channel, people_denied=["send_messages"])
    told = (await bot.event("CHANNEL_UPDATE"))["permission_overwrites"]
    everyone, member = told
    assert everyone == {"id": discord.guild, "type": 0, "allow": "0", "deny": str(1 << 11)}
    assert (member["type"], member["allow"]) == (1, str(1 << 11)), "the bot still may"
    await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bruno, {"content": "x"}, 50013)
    assert (await discord.sends({"content": "x"}))[0] == 200
    assert (await discord.sends({"content": "x"}, discord.anna))[0] == 200, "she owns the server"
    wrong = {"people_denied": ["fly"]}
    assert (await discord.call("POST", f"/local/channels/{discord.channel}", body=wrong))[0] == 400
