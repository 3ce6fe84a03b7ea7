"""The channels of a server."""

from typing import Any

from local_discord import errors, serialize
from local_discord.model import THREADS, Guild, User
from local_discord.routes.call import Call, Route
from local_discord.world import World


class ChannelRoutes:
    """The routes about channels. https://discord.com/developers/docs/resources/channel"""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> tuple[Route, ...]:
        """In no particular order: no path matches another one's requests."""
        return (
            Route("GET", "/guilds/{guild}/channels", self._guild_channels),
            Route("GET", "/guilds/{guild}/members/{user}", self._member),
            Route("GET", "/channels/{channel}", self._channel),
            Route("DELETE", "/channels/{channel}", self._delete_channel),
        )

    def _guild(self, call: Call) -> tuple[User, Guild]:
        """(who sends the request, the server in its path).

        Raises:
            ApiError: there is no such server, or they are not in it.
        """
        person = call.person(self._world)
        guild = self._world.guilds.get(call.id("guild"))
        if guild is None:
            raise errors.unknown_guild()
        if person.id not in guild.members:
            raise errors.missing_access()
        return person, guild

    async def _guild_channels(self, call: Call) -> Any:
        person, guild = self._guild(call)
        return self._world.guild_object(guild, person)["channels"]

    async def _member(self, call: Call) -> Any:
        """https://discord.com/developers/docs/resources/guild#get-guild-member"""
        _, guild = self._guild(call)
        if call.id("user") not in guild.members:
            raise errors.unknown_member()
        return serialize.member(self._world.user(call.id("user")), guild.id)

    async def _channel(self, call: Call) -> Any:
        person, channel = call.person_in_channel(self._world)
        return self._world.channel_object(channel, person)

    async def _delete_channel(self, call: Call) -> Any:
        person, channel = call.person_in_channel(self._world)
        if channel.guild is None:
            raise errors.not_in_dms()
        needed = "manage_threads" if channel.type in THREADS else "manage_channels"
        if not self._world.may(person, channel, needed):
            raise errors.missing_permissions()
        self._world.delete_channel(channel)
        return serialize.channel(channel)
