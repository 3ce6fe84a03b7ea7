"""Who may do what: roles of a server, and the commands that people are offered and may use.

https://discord.com/developers/docs/interactions/application-commands#permissions and .../topics/permissions
"""

from typing import Any

import pytest

from tests.local_discord.client import Discord, at

MANAGE_GUILD = 1 << 5
MANAGE_MESSAGES = 1 << 13


async def offered(discord: Discord, person: str, channel: str | None = None) -> list[str]:
    """The names of the commands that *person* (a token) is offered in *channel*; ``None``: in the first."""
    path = f"/channels/{channel or discord.channel}/application-commands/search?type=1"
    return [command["name"] for command in (await discord.call("GET", path, person))[1]["application_commands"]]


async def uses(discord: Discord, person: str, name: str, **where: Any) -> tuple[int, Any]:
    """The status and the answer when *person* uses the command *name*."""
    body = {"type": 2, "channel_id": discord.channel, "guild_id": discord.guild, "data": {"name": name}, **where}
    return await discord.call("POST", "/interactions", person, body)


async def test_a_command_for_those_who_manage_the_server(discord: Discord) -> None:
    """Using Default Permissions: a person needs all of ``default_member_permissions``; the owner has every one."""
    await discord.register({"name": "open"}, {"name": "manage", "default_member_permissions": str(MANAGE_GUILD)})
    assert await offered(discord, discord.anna) == ["open", "manage"]  # the owner
    assert await offered(discord, discord.bruno) == ["open"]
    status, refused = await uses(discord, discord.bruno, "manage")
    assert (status, refused["code"]) == (403, 50013)
    granted = {"permissions": ["manage_guild"]}
    assert (await discord.call("POST", f"/local/users/{discord.bruno_id}", body=granted))[0] == 200
    assert await offered(discord, discord.bruno) == ["open", "manage"]
    assert (await uses(discord, discord.bruno, "manage"))[0] == 204
    await discord.call("POST", f"/local/users/{discord.bruno_id}", body={"permissions": []})
    assert (await uses(discord, discord.bruno, "manage"))[0] == 403


@pytest.mark.parametrize(
    ("command", "here", "private"),
    [
        ({"contexts": [0]}, True, False),
        ({"contexts": [1]}, False, True),
        ({"contexts": [0, 1, 2]}, True, True),
        ({"contexts": [2]}, False, False),
        ({"contexts": None}, True, True),
        ({"dm_permission": False}, True, False),
        ({"dm_permission": True}, True, True),
        ({"nsfw": True}, False, True),
        ({"default_member_permissions": str(MANAGE_GUILD)}, False, True),
    ],
)
async def test_a_command_is_used_in_its_contexts(
    discord: Discord, command: dict[str, Any], here: bool, private: bool
) -> None:
    """Interaction Contexts and "Age-Restricted Commands" (no channel here is age-restricted). Permissions are those
    of a server, so in direct messages there are none to lack."""
    await discord.register({"name": "x", **command})
    dm = await discord.dm(discord.bruno)
    assert await offered(discord, discord.bruno) == (["x"] if here else [])
    assert await offered(discord, discord.bruno, dm) == (["x"] if private else [])
    assert ((await uses(discord, discord.bruno, "x"))[0] == 204) is here
    assert ((await uses(discord, discord.bruno, "x", channel_id=dm))[0] == 204) is private


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ({"default_member_permissions": "x"}, "0.default_member_permissions"),
        ({"default_member_permissions": -1}, "0.default_member_permissions"),
        ({"contexts": [3]}, "0.contexts.0"),
        ({"contexts": []}, "0.contexts"),
        ({"contexts": [0, 0]}, "0.contexts"),
        ({"contexts": "0"}, "0.contexts"),
        ({"integration_types": [2]}, "0.integration_types.0"),
        ({"integration_types": []}, "0.integration_types"),
        ({"integration_types": [1, 1]}, "0.integration_types"),
        ({"dm_permission": "no"}, "0.dm_permission"),
        ({"nsfw": 1}, "0.nsfw"),
    ],
)
async def test_where_a_command_may_be_used_is_checked(discord: Discord, command: dict[str, Any], where: str) -> None:
    """Application Command Structure."""
    _, refused = await discord.register({"name": "x", **command})
    assert at(refused, where)


async def test_an_interaction_says_what_the_person_and_the_bot_may_do(discord: Discord) -> None:
    """Interaction Structure: ``member.permissions`` and ``app_permissions`` are those in the channel; the roles of
    the member add up to them."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    guild = await bot.event("GUILD_CREATE")
    roles = {role["id"]: int(role["permissions"]) for role in guild["roles"]}
    everyone = roles[guild["id"]]
    assert everyone & (1 << 10) and not everyone & (MANAGE_GUILD | MANAGE_MESSAGES)
    await discord.call("POST", f"/local/users/{discord.bruno_id}", body={"permissions": ["manage_guild"]})
    member = (await discord.pinged(bot, discord.bruno))["member"]
    held = everyone
    for role in member["roles"]:
        held |= roles[role]
    assert (int(member["permissions"]), held) == (everyone | MANAGE_GUILD, everyone | MANAGE_GUILD)
    owner = (await discord.pinged(bot, discord.anna))["member"]
    assert int(owner["permissions"]) & MANAGE_GUILD
    names = ["view_channel", "send_messages"]
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": names})
    changed = await bot.event("CHANNEL_UPDATE")
    may = int((await discord.pinged(bot, discord.anna))["app_permissions"])
    assert may == 1 << 10 | 1 << 11
    (overwrite,) = changed["permission_overwrites"]
    assert everyone & ~int(overwrite["deny"]) | int(overwrite["allow"]) == may


async def test_moderators_are_as_before(discord: Discord) -> None:
    """``moderator`` grants what a moderator needs: delete others' messages and channels."""
    _, message = await discord.sends({"content": "x"}, discord.anna)
    path = f"/channels/{discord.channel}/messages/{message['id']}"
    await discord.refused("DELETE", path, discord.bruno, None, 50013)
    await discord.refused("DELETE", f"/channels/{discord.channel}", discord.bruno, None, 50013)
    await discord.call("POST", f"/local/users/{discord.bruno_id}", body={"moderator": True})
    assert (await discord.call("DELETE", path, discord.bruno))[0] == 204
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.bruno))[0] == 200
