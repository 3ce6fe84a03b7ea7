"""``/local``: what the page needs to start, and what tests change from outside. Discord has nothing like it."""

import json
import os
from collections.abc import Container
from typing import Any, TypeGuard

from aiohttp import web

from local_discord import errors, serialize
from local_discord.errors import ApiError
from local_discord.faults import Faults
from local_discord.gateway import Gateway
from local_discord.initial import APPLICATION
from local_discord.model import MODERATION, PERMISSIONS, ROLES, ChannelType, Intent, permission_set
from local_discord.requests import RequestList
from local_discord.snowflake import parse
from local_discord.world import World


class Control:
    """The ``/local`` routes of one world."""

    def __init__(self, world: World, gateway: Gateway, requests: RequestList, faults: Faults) -> None:
        self._faults = faults
        self._world = world
        self._gateway = gateway
        self._requests = requests
        self.api = ""
        """The address of REST, once the server listens."""

    def add_to(self, app: web.Application) -> None:
        """Register the routes. Requests to them are not in the request list."""
        app.router.add_get("/local/session", self._session)
        app.router.add_get("/local/requests", self._list_requests)
        app.router.add_post("/local/faults", self._set_fault)
        app.router.add_delete("/local/faults", self._clear_faults)
        app.router.add_post("/local/users/{user}", self._change_user)
        app.router.add_post("/local/channels/{channel}", self._change_channel)
        app.router.add_post("/local/guilds/{guild}", self._change_guild)
        app.router.add_post("/local/application", self._change_application)

    async def _session(self, request: web.Request) -> web.Response:
        """Addresses, ids and tokens: all that a bot, a page or a test needs to use this server."""
        world = self._world
        return web.json_response(
            {
                "api": self.api,
                "gateway": self._gateway.address,
                "application_id": str(APPLICATION),
                "bot_token": world.bot.token,
                "guilds": [
                    {
                        "id": str(guild.id),
                        "name": guild.name,
                        "channels": [
                            {"id": str(channel), "name": world.channels[channel].name}
                            for channel in guild.channels
                            if channel in world.channels
                        ],
                    }
                    for guild in world.guilds.values()
                ],
                "users": [
                    {"id": str(person.id), "name": person.name, "token": person.token, "locale": person.locale}
                    for person in world.people
                ],
                "bot_connected": self._gateway.bot_connected,
                "pid": os.getpid(),
            }
        )

    async def _list_requests(self, request: web.Request) -> web.Response:
        after = request.query.get("after", "0")
        number = parse(after)
        if number is None:
            return _refused(errors.invalid_form("after", "NUMBER_TYPE_COERCE", "Value is not a number."))
        return web.json_response(self._requests.after(number))

    async def _set_fault(self, request: web.Request) -> web.Response:
        body = await request.json()
        try:
            if isinstance(body, dict) and "gateway" in body:
                self._gateway.inject(body["gateway"])
            else:
                self._faults.set(body)
        except ApiError as error:
            return _refused(error)
        return web.Response(status=204)

    async def _clear_faults(self, request: web.Request) -> web.Response:
        self._faults.clear()
        self._gateway.clear_faults()
        return web.Response(status=204)

    async def _change_user(self, request: web.Request) -> web.Response:
        """Body: one or more of ``{"dms_open": false, "locale": "de", "name": "...", "moderator": true}``, and
        ``{"permissions": ["manage_guild", ...]}``: what this person may do on servers besides what everybody may."""
        person = self._world.users.get(_number(request, "user"))
        if person is None:
            return _refused(errors.unknown_user())
        changes = await _changes(request)
        new: dict[str, Any] = {}
        for key, value in changes.items():
            kind = {"dms_open": bool, "locale": str, "name": str, "moderator": bool}.get(key)
            if key == "permissions" and _names(value, ROLES):
                new["granted"] = permission_set(value)
            elif key == "moderator" and isinstance(value, bool):
                new["granted"] = (person.granted & ~MODERATION) | (MODERATION if value else 0)
            elif kind is not None and isinstance(value, kind):
                new[key] = value
            else:
                return _refused(errors.invalid_form(key, "UNKNOWN_FIELD", "Not a thing one can change."))
        for key, value in new.items():
            setattr(person, key, value)
        return web.json_response({"id": str(person.id), **changes})

    async def _change_channel(self, request: web.Request) -> web.Response:
        """Body: ``{"bot_permissions": ["view_channel", ...]}``, all that the bot may do there."""
        channel = self._world.channels.get(_number(request, "channel"))
        if channel is None or channel.type is ChannelType.DM:
            return _refused(errors.unknown_channel())
        names = (await _changes(request)).get("bot_permissions")
        if not _names(names, PERMISSIONS):
            return _refused(
                errors.invalid_form("bot_permissions", "BASE_TYPE_CHOICES", f"Names out of {sorted(PERMISSIONS)}")
            )
        channel.bot_permissions = permission_set(names)
        event = "THREAD_UPDATE" if channel.type is ChannelType.THREAD else "CHANNEL_UPDATE"
        self._world.announce(event, serialize.channel(channel), [APPLICATION, *self._world.readers(channel)])
        return web.json_response({"id": str(channel.id), "bot_permissions": names})

    async def _change_guild(self, request: web.Request) -> web.Response:
        """Body: ``{"locale": "de"}``, the server's own language."""
        guild = self._world.guilds.get(_number(request, "guild"))
        if guild is None:
            return _refused(errors.unknown_guild())
        changes = await _changes(request)
        if set(changes) != {"locale"} or not isinstance(changes["locale"], str):
            return _refused(errors.invalid_form("locale", "BASE_TYPE_REQUIRED", "This field is required"))
        guild.locale = changes["locale"]
        return web.json_response({"id": str(guild.id), **changes})

    async def _change_application(self, request: web.Request) -> web.Response:
        """Body: ``{"intents": ["message_content", "guild_members"]}``, the privileged intents that are switched on, as
        on the page of a bot in Discord's Developer Portal. None is at first; the one for presences is not here."""
        names = (await _changes(request)).get("intents")
        here = {"message_content": Intent.MESSAGE_CONTENT, "guild_members": Intent.GUILD_MEMBERS}
        if not _names(names, here):
            return _refused(errors.invalid_form("intents", "BASE_TYPE_CHOICES", f"Names out of {sorted(here)}"))
        self._world.intents = Intent(sum(here[name].value for name in set(names)))
        return web.json_response({"intents": names})


async def _changes(request: web.Request) -> dict[str, Any]:
    """The body of *request*.

    Raises:
        HTTPBadRequest: it is no JSON object.
    """
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text=json.dumps(errors.not_json().body()), content_type="application/json")
    return body


def _names(given: Any, known: Container[str]) -> TypeGuard[list[str]]:
    """Whether *given* is a list of names that are *known*."""
    return isinstance(given, list) and all(isinstance(name, str) and name in known for name in given)


def _number(request: web.Request, name: str) -> int:
    return parse(request.match_info[name]) or 0


def _refused(error: ApiError) -> web.Response:
    return web.json_response(error.body(), status=error.status)
