"""The channels of a server, and its members. https://discord.com/developers/docs/resources/channel"""

from typing import Any, Final

from local_discord import errors, serialize
from local_discord.model import THREADS, Guild, User
from local_discord.routes.call import Call, Route


def _sender_and_guild(call: Call) -> tuple[User, Guild]:
    """Return (who sent the request, the server in its path); or raise ApiError: there is none (10004), or they are not
    in it (50001)."""
    person = call.sender()
    guild = call.world.guilds.get(call.path_id("guild"))
    if guild is None:
        raise errors.unknown_guild()
    if person.id not in guild.members:
        raise errors.missing_access()
    return person, guild


async def _list_channels(call: Call) -> Any:
    """Answer with the channels of the server in the path; or raise ApiError if the sender is not in it."""
    person, guild = _sender_and_guild(call)
    return call.world.guild_object(guild, person)["channels"]


async def _get_member(call: Call) -> Any:
    """Answer with a member object of the person in the path; or raise ApiError (10007) if they are not in the server.

    https://discord.com/developers/docs/resources/guild#get-guild-member
    """
    _, guild = _sender_and_guild(call)
    if call.path_id("user") not in guild.members:
        raise errors.unknown_member()
    return serialize.member(call.world.get_user(call.path_id("user")), guild.id)


async def _get_channel(call: Call) -> Any:
    """Answer with the channel in the path; or raise ApiError if the sender may not see it."""
    person, channel = call.sender_and_channel()
    return call.world.channel_object(channel, person)


async def _delete_channel(call: Call) -> Any:
    """Delete the channel or thread in the path, and answer with it; or raise ApiError: direct messages (50003), or no
    permission (50013)."""
    person, channel = call.sender_and_channel()
    if channel.guild is None:
        raise errors.not_in_dms()
    needed = "manage_threads" if channel.type in THREADS else "manage_channels"
    if not call.world.has_permission(person, channel, needed):
        raise errors.missing_permissions()
    call.world.delete_channel(channel)
    return serialize.channel(channel)


ROUTES: Final = (
    Route("GET", "/guilds/{guild}/channels", _list_channels),
    Route("GET", "/guilds/{guild}/members/{user}", _get_member),
    Route("GET", "/channels/{channel}", _get_channel),
    Route("DELETE", "/channels/{channel}", _delete_channel),
)
