"""Selects that Discord fills with people, roles or channels.

https://discord.com/developers/docs/components/reference#channel-select
"""

from typing import Any

import pytest

from tests.local_discord.client import Discord, row

USERS, ROLES, CHANNELS = 5, 6, 8


def select(kind: int, **more: Any) -> dict[str, Any]:
    """A select of this *kind* from which up to three are chosen."""
    return {"type": kind, "custom_id": "s", "min_values": 0, "max_values": 3, **more}


async def chosen(discord: Discord, values: Any, **fields: Any) -> tuple[int, dict[str, Any] | None]:
    """(status, the data that the bot gets) when Anna chooses *values* in a select with these *fields*."""
    bot = await discord.connect(discord.bot, intents=1)
    await bot.event("GUILD_CREATE")
    status, message = await discord.sends({"content": "x", "components": [row(select(**fields))]})
    assert status == 200, message
    data = {"component_type": fields["kind"], "custom_id": "s", "values": values}
    click = {"type": 3, "channel_id": discord.channel, "message_id": message["id"], "data": data}
    status = await discord.begin(discord.anna, click)
    return status, (await bot.event("INTERACTION_CREATE"))["data"] if status == 204 else None


async def test_the_bot_is_told_what_was_chosen_with_the_objects(discord: Discord) -> None:
    status, data = await chosen(discord, [discord.channel], kind=CHANNELS, channel_types=[0])
    assert (status, data and data["values"]) == (204, [discord.channel])
    assert data is not None
    assert data["resolved"]["channels"][discord.channel].keys() >= {"id", "name", "type", "permissions"}
    status, data = await chosen(discord, [discord.bruno_id], kind=USERS)
    assert data is not None
    assert data["resolved"]["users"][discord.bruno_id]["username"]
    assert "user" not in data["resolved"]["members"][discord.bruno_id]
    status, data = await chosen(discord, [discord.guild], kind=ROLES)
    assert data is not None
    assert data["resolved"]["roles"][discord.guild]["name"] == "@everyone"
    status, data = await chosen(discord, [], kind=ROLES)
    assert (status, data and data["values"]) == (204, [])


@pytest.mark.parametrize(
    ("kind", "values"),
    [(CHANNELS, ["5"]), (ROLES, ["5"]), (USERS, ["5"]), (USERS, None), (USERS, "x"), (CHANNELS, ["1", "2", "3", "4"])],
)
async def test_what_is_not_there_cannot_be_chosen(discord: Discord, kind: int, values: Any) -> None:
    assert (await chosen(discord, values, kind=kind))[0] == 400


async def test_a_thread_begins_below_a_message_and_has_its_id(discord: Discord) -> None:
    """https://discord.com/developers/docs/resources/channel#start-thread-from-message"""
    _, message = await discord.sends({"content": "x"})
    path, body = (
        f"/channels/{discord.channel}/messages/{message['id']}/threads",
        {"name": "17", "auto_archive_duration": 60},
    )
    status, thread = await discord.call("POST", path, discord.bot, body)
    assert (status, thread["id"], thread["parent_id"]) == (201, message["id"], discord.channel)
    status, answer = await discord.call("POST", path, discord.bot, body)
    assert (status, answer["code"]) == (400, 160004)
    status, answer = await discord.call("PATCH", f"/channels/{thread['id']}", discord.bot, {"archived": True})
    assert (status, answer["thread_metadata"]["archived"]) == (200, True)
