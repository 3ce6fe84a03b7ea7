"""Registering slash commands, and offering them to people."""

from typing import Any

from local_discord import commands, errors, serialize
from local_discord.initial import APPLICATION
from local_discord.routes.call import Call, Route
from local_discord.world import World


class CommandRoutes:
    """The routes about application commands. https://discord.com/developers/docs/interactions/application-commands"""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> tuple[Route, ...]:
        """The last one is for people: Discord's own clients search there when somebody types a slash."""
        return (
            Route("GET", "/applications/{application}/commands", self._get_commands),
            Route("PUT", "/applications/{application}/commands", self._put_commands),
            Route("GET", "/channels/{channel}/application-commands/search", self._search_commands),
        )

    async def _get_commands(self, call: Call) -> Any:
        call.person(self._world)
        return self._world.commands

    async def _put_commands(self, call: Call) -> Any:
        """All commands are replaced. One that had the same name before keeps its id."""
        person = call.person(self._world)
        if not person.bot or call.id("application") != APPLICATION:
            raise errors.missing_access()
        given = commands.check(call.body)
        known = {command["name"]: command["id"] for command in self._world.commands}
        self._world.commands = [
            {
                **command,
                "id": known.get(command["name"]) or str(self._world.snowflakes.next()),
                "application_id": str(APPLICATION),
                "version": str(self._world.snowflakes.next()),
            }
            for command in given
        ]
        return self._world.commands

    async def _search_commands(self, call: Call) -> Any:
        """Those that this person may use in this channel."""
        person, channel = call.person_in_channel(self._world)
        guild, permissions = channel.guild is not None, self._world.permissions(person, channel)
        offered = [
            command
            for command in self._world.commands
            if commands.there(command, guild) and commands.allowed(command, guild, permissions)
        ]
        application = {"id": str(APPLICATION), "name": self._world.bot.name, "bot": serialize.user(self._world.bot)}
        return {"application_commands": offered, "applications": [application], "cursor": {}}
