"""Registering slash commands, and offering them to people.

https://discord.com/developers/docs/interactions/application-commands
"""

from typing import Any, Final

from local_discord import commands, errors, serialize
from local_discord.initial import APPLICATION
from local_discord.routes.call import Call, Route


async def _get_commands(call: Call) -> Any:
    """Answer with the registered slash commands, to whoever has a token."""
    call.sender()
    return call.world.commands


async def _put_commands(call: Call) -> Any:
    """Replace all slash commands by those in the body, for the bot alone, and answer with them; or raise ApiError.

    A command with a known name keeps its id.
    """
    person = call.sender()
    if not person.bot or call.path_id("application") != APPLICATION:
        raise errors.missing_access()
    given = commands.parse_commands(call.body)
    known = {command["name"]: command["id"] for command in call.world.commands}
    call.world.commands = [
        {
            **command,
            "id": known.get(command["name"]) or str(call.world.snowflakes.next()),
            "application_id": str(APPLICATION),
            "version": str(call.world.snowflakes.next()),
        }
        for command in given
    ]
    return call.world.commands


async def _search_commands(call: Call) -> Any:
    """Answer with the slash commands that the sender may use in the channel in the path; or raise ApiError."""
    person, channel = call.sender_and_channel()
    world = call.world
    context, installs = world.context(channel), world.usable_installs(person, channel)
    permissions = world.permissions(person, channel)
    offered = [
        command
        for command in world.commands
        if commands.usable_installs(command, context, installs)
        and commands.may_use_command(command, context, permissions)
    ]
    application = {"id": str(APPLICATION), "name": call.world.bot.name, "bot": serialize.user(call.world.bot)}
    return {"application_commands": offered, "applications": [application], "cursor": {}}


ROUTES: Final = (
    Route("GET", "/applications/{application}/commands", _get_commands),
    Route("PUT", "/applications/{application}/commands", _put_commands),
    Route("GET", "/channels/{channel}/application-commands/search", _search_commands),
)
