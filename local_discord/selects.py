"""Selects whose entries Discord fills in itself - people, roles, channels: what there is to choose from, and what the
bot is told of a choice.

https://discord.com/developers/docs/components/reference#channel-select
"""

from collections.abc import Mapping
from typing import Any

from local_discord import serialize
from local_discord.components import ROLES, USERS, check_values
from local_discord.model import Channel, User
from local_discord.world import World

Objects = dict[str, dict[str, Any]]
"""By id."""


def choice(select: dict[str, Any], values: Any, there: Mapping[str, Objects]) -> dict[str, Any]:
    """What the bot is told of *values*, which a person chose in *select*: ``values`` and ``resolved``. *there* is what
    there is, as ``entries`` finds it.

    Raises:
        ApiError: too few, too many, one twice, or one that is not there (50035).
    """
    (first, *_) = there
    check_values(select, values, there[first])
    resolved = {key: {value: found[value] for value in values} for key, found in there.items()}
    return {"values": values, "resolved": resolved if values else {}}


def entries(world: World, select: dict[str, Any], channel: Channel, person: User) -> Mapping[str, Objects]:
    """What *person* can choose from in *select*, which is in *channel*, as it stands in ``resolved``: what the values
    name comes first.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure
    """
    if channel.guild is None:
        people = [world.users[user] for user in channel.recipients]
        return {"users": _by_id([serialize.user(it) for it in people])} if select["type"] == USERS else {"none": {}}
    guild = world.guilds[channel.guild]
    if select["type"] == USERS:
        people = [world.users[user] for user in guild.members]
        members = {str(it.id): _member(it, guild.id) for it in people}
        return {"users": _by_id([serialize.user(it) for it in people]), "members": members}
    if select["type"] == ROLES:
        return {"roles": _by_id(serialize.roles(guild.id))}
    found = [world.channels[it] for it in guild.channels]
    kinds = select.get("channel_types")
    there = [it for it in found if world.sees(person, it) and (not kinds or int(it.type) in kinds)]
    return {"channels": {str(it.id): _channel(world, it, person) for it in there}}


def _by_id(objects: list[dict[str, Any]]) -> Objects:
    return {it["id"]: it for it in objects}


def _member(person: User, guild: int) -> dict[str, Any]:
    """A partial member: without user, deaf and mute."""
    left_out = ("user", "deaf", "mute")
    return {key: value for key, value in serialize.member(person, guild).items() if key not in left_out}


def _channel(world: World, it: Channel, person: User) -> dict[str, Any]:
    """A partial channel."""
    whole = world.channel_object(it, person)
    known = {key: whole[key] for key in ("id", "name", "type", "parent_id", "thread_metadata") if key in whole}
    return known | {"permissions": str(world.permissions(person, it))}
