"""What the application is installed to, and what that means for commands in servers and in private channels.

https://discord.com/developers/docs/interactions/application-commands#contexts and
https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
"""

from typing import Any

import pytest

from tests.local_discord.client import EPHEMERAL, Discord, Socket, at, button, row
from tests.local_discord.test_permissions import offered, uses

GUILD = "0"
USER = "1"
EVERYWHERE: dict[str, Any] = {"contexts": [0, 1, 2], "integration_types": [0, 1]}


async def set_up(discord: Discord, *, server: bool, account: bool) -> None:
    """Install the application to the server, and to Bruno's account, or not."""
    for path, installed in ((f"guilds/{discord.guild}", server), (f"users/{discord.bruno_id}", account)):
        status, answer = await discord.call("POST", f"/local/{path}", body={"installed": installed})
        assert status == 200, answer


async def group(discord: Discord) -> str:
    """The id of a group DM of Anna and Bruno."""
    body = {"type": 3, "recipients": [discord.anna_id, discord.bruno_id]}
    status, answer = await discord.call("POST", "/local/channels", body=body)
    assert status == 200, answer
    channel: str = answer["id"]
    return channel


async def used(discord: Discord, bot: Socket, channel: str) -> dict[str, Any]:
    """What the *bot* is told when Bruno uses ``/x`` in *channel*."""
    return await discord.used(bot, discord.bruno, {"type": 2, "data": {"name": "x"}, "channel_id": channel})


@pytest.mark.parametrize(
    ("server", "account", "in_server", "in_dm", "in_group"),
    [
        (True, False, ["both", "guild"], ["both", "guild"], []),
        (True, True, ["both", "guild", "user"], ["both", "guild", "user"], ["both", "user"]),
        (False, True, ["both", "user"], ["both", "user"], ["both", "user"]),
        (False, False, [], [], []),
    ],
)
async def test_commands_are_offered_by_what_the_application_is_installed_to(
    discord: Discord, server: bool, account: bool, in_server: list[str], in_dm: list[str], in_group: list[str]
) -> None:
    """Installation Context. What is installed to a server is not there in group DMs."""
    await discord.register(
        {"name": "both", **EVERYWHERE},
        {"name": "guild", **EVERYWHERE, "integration_types": [0]},
        {"name": "user", **EVERYWHERE, "integration_types": [1]},
    )
    await set_up(discord, server=server, account=account)
    places = ((discord.channel, in_server), (await discord.dm(discord.bruno), in_dm), (await group(discord), in_group))
    for channel, expected in places:
        assert await offered(discord, discord.bruno, channel) == expected
        for name in ("both", "guild", "user"):
            assert ((await uses(discord, discord.bruno, name, channel_id=channel))[0] == 204) is (name in expected)


async def test_what_one_person_has_installed_is_not_there_for_others(discord: Discord) -> None:
    await discord.register({"name": "x", **EVERYWHERE})
    await set_up(discord, server=False, account=True)
    assert await offered(discord, discord.anna) == []
    assert (await uses(discord, discord.anna, "x"))[1]["code"] == 10063


async def test_an_interaction_says_where_it_was_made_and_who_authorized_that(discord: Discord) -> None:
    """The value of GUILD_INSTALL is the server, or "0" in the bot's direct messages; that of USER_INSTALL the person.
    A key is there only if the command supports it."""
    await discord.register({"name": "x", **EVERYWHERE}, {"name": "guild", **EVERYWHERE, "integration_types": [0]})
    bot = await discord.connect(discord.bot)
    dm, private = await discord.dm(discord.bruno), await group(discord)
    here = {GUILD: discord.guild}
    mine = {USER: discord.bruno_id}
    for server, account, channel, name, context, owners in (
        (True, False, discord.channel, "x", 0, here),
        (True, True, discord.channel, "x", 0, here | mine),
        (True, True, discord.channel, "guild", 0, here),
        (False, True, discord.channel, "x", 0, mine),
        (True, False, dm, "x", 1, {GUILD: "0"}),
        (True, True, dm, "x", 1, {GUILD: "0"} | mine),
        (False, True, dm, "x", 1, mine),
        (True, True, private, "x", 2, mine),
    ):
        await set_up(discord, server=server, account=account)
        payload = await discord.used(bot, discord.bruno, {"type": 2, "data": {"name": name}, "channel_id": channel})
        assert (payload["context"], payload["authorizing_integration_owners"]) == (context, owners)
        assert ("member" in payload, "user" in payload) == (context == 0, context != 0)


async def test_the_direct_messages_of_two_people_are_a_private_channel(discord: Discord) -> None:
    """Interaction Context Types; and ``app_permissions`` has no external emojis there."""
    await discord.register({"name": "x", **EVERYWHERE})
    await set_up(discord, server=True, account=True)
    bot = await discord.connect(discord.bot)
    _, dm = await discord.call("POST", "/users/@me/channels", discord.bruno, {"recipient_id": discord.anna_id})
    payload = await used(discord, bot, dm["id"])
    assert payload["context"] == 2
    assert int(payload["app_permissions"]) == 1 << 14 | 1 << 15 | 1 << 17
    payload = await used(discord, bot, await discord.dm(discord.bruno))
    assert int(payload["app_permissions"]) == 1 << 14 | 1 << 15 | 1 << 17 | 1 << 18


async def test_the_bot_answers_in_a_server_where_it_is_not(discord: Discord) -> None:
    """By the interaction alone: everything else there is refused. Who clicks on the answer is not who authorized it."""
    await discord.register({"name": "x", **EVERYWHERE})
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    await set_up(discord, server=False, account=True)
    assert (await bot.event("GUILD_DELETE")) == {"id": discord.guild}
    command = await used(discord, bot, discord.channel)
    assert command["guild_id"] == discord.guild
    data = {"content": "here", "components": [row(button("b"))]}
    assert (await discord.answer(command, {"type": 4, "data": data}))[0] == 204
    _, answer = await discord.call("GET", discord.webhook(command, "@original"))
    assert answer["interaction_metadata"]["authorizing_integration_owners"] == {USER: discord.bruno_id}
    press = {"type": 3, "message_id": answer["id"], "data": {"component_type": 2, "custom_id": "b"}}
    click = await discord.used(bot, discord.anna, press)
    assert click["member"]["user"]["id"] == discord.anna_id
    assert click["authorizing_integration_owners"] == {USER: discord.bruno_id}
    await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bot, {"content": "x"}, 50001)


async def test_an_account_authorizes_five_follow_ups(discord: Discord) -> None:
    """Create Followup Message: "apps installed to the server are unaffected"."""
    await discord.register({"name": "x", **EVERYWHERE})
    bot = await discord.connect(discord.bot)
    for server, expected in ((False, [200] * 5 + [400]), (True, [200] * 6)):
        await set_up(discord, server=server, account=True)
        discord.unhurried()
        command = await used(discord, bot, discord.channel)
        await discord.answer(command, {"type": 4, "data": {"content": "x"}})
        answers = [await discord.call("POST", discord.webhook(command), body={"content": "y"}) for _ in range(6)]
        assert [status for status, _ in answers] == expected
        assert server or answers[-1][1]["code"] == 40094


async def test_where_external_apps_may_not_be_used_their_answers_are_ephemeral(discord: Discord) -> None:
    """USE_EXTERNAL_APPS: "This only applies to apps not also installed to the server"."""
    await discord.register({"name": "x", **EVERYWHERE})
    bot = await discord.connect(discord.bot)
    denied = {"people_denied": ["use_external_apps"]}
    await discord.call("POST", f"/local/channels/{discord.channel}", body=denied)
    for server, flags in ((False, EPHEMERAL), (True, 0)):
        await set_up(discord, server=server, account=True)
        command = await used(discord, bot, discord.channel)
        await discord.answer(command, {"type": 4, "data": {"content": "x"}})
        assert (await discord.call("GET", discord.webhook(command, "@original")))[1]["flags"] == flags


async def test_the_bot_answers_in_a_group_dm_that_it_cannot_see(discord: Discord) -> None:
    await discord.register({"name": "x", **EVERYWHERE})
    await set_up(discord, server=True, account=True)
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    await anna.event("READY")
    channel = await group(discord)
    seen = await anna.event("CHANNEL_CREATE")
    assert (seen["id"], seen["type"], seen["owner_id"]) == (channel, 3, discord.anna_id)
    assert [it["id"] for it in seen["recipients"]] == [discord.bruno_id]
    command = await used(discord, bot, channel)
    assert command["channel"]["type"] == 3
    assert (await discord.answer(command, {"type": 4, "data": {"content": "here"}}))[0] == 204
    assert (await anna.event("MESSAGE_CREATE"))["content"] == "here"
    await discord.refused("POST", f"/channels/{channel}/messages", discord.bot, {"content": "x"}, 10003)
    await discord.sends({"content": "hi"}, discord.anna, channel)
    _, (shown,) = await discord.call("GET", f"/local/notifications?user={discord.bruno_id}&after=2")
    assert (shown["channel_id"], shown["text"]) == (channel, "hi")
    again = await discord.connect(discord.anna)
    assert channel in [it["id"] for it in (await again.event("READY"))["private_channels"]]


@pytest.mark.parametrize(
    "body",
    [
        {"type": 3, "recipients": []},
        {"type": 3, "recipients": "x"},
        {"type": 3},
        {"type": 1, "recipients": ["910000000000000000"]},
        {"type": 3, "recipients": ["910000000000000000", "910000000000000000"]},
        {"type": 3, "recipients": ["900000000000000000"]},
        {"type": 3, "recipients": ["910000000000000000"], "guild": "1"},
    ],
)
async def test_a_group_dm_that_cannot_be_is_refused(discord: Discord, body: dict[str, Any]) -> None:
    status, _ = await discord.call("POST", "/local/channels", body=body)
    assert 400 <= status < 500


async def test_a_server_has_the_bot_only_with_the_application(discord: Discord) -> None:
    """Removing the application removes the bot; inviting the bot installs the application."""
    path = f"/local/guilds/{discord.guild}"
    status, refused = await discord.call("POST", path, body={"installed": False, "bot": True})
    assert status == 400
    assert at(refused, "bot")
    await discord.register({"name": "x"})
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    for change, there in (({"installed": False}, []), ({"installed": True}, ["x"]), ({"installed": False}, [])):
        await discord.call("POST", path, body=change)
        assert await offered(discord, discord.anna) == there
    await bot.event("GUILD_DELETE")
    await discord.call("POST", path, body={"bot": True})
    assert (await bot.event("GUILD_CREATE"))["id"] == discord.guild
    assert await offered(discord, discord.anna) == ["x"]


async def test_the_application_says_how_it_can_be_installed(discord: Discord) -> None:
    """Application Structure: ``integration_types_config`` has a key for each supported way."""
    _, application = await discord.call("GET", "/applications/@me", discord.bot)
    assert set(application["integration_types_config"]) == {GUILD, USER}
    assert (application["approximate_guild_count"], application["approximate_user_install_count"]) == (1, 0)
    await set_up(discord, server=False, account=True)
    _, application = await discord.call("GET", "/applications/@me", discord.bot)
    assert (application["approximate_guild_count"], application["approximate_user_install_count"]) == (0, 1)
