"""``/local``: what the page needs to start, and what tests look at and set. Discord has nothing like it."""

import os
from typing import Any, Final

from aiohttp import web

from local_discord import errors
from local_discord.changes import Changes
from local_discord.forms import parse_json, snowflake
from local_discord.hidden_limits import USUAL
from local_discord.initial import APPLICATION
from local_discord.services import Services
from local_discord.snowflake import parse_id

HIDDEN: Final = {*USUAL, "flagged"}
"""The limits that no header announces."""
SWITCHES: Final = {"gateway", "emojis", "starts"} | HIDDEN
"""The faults that are not of requests."""


class Control:
    """The HTTP routes under ``/local`` by which the page and tests look at *server* and change it."""

    def __init__(self, server: Services) -> None:
        self._server = server
        self._world = server.world
        self._gateway = server.gateway
        self._changes = Changes(server.world)

    def add_to(self, app: web.Application) -> None:
        """Register the routes below ``/local`` in *app*. Requests to them are not in the request list."""
        app.router.add_get("/local/session", self._session)
        app.router.add_get("/local/requests", self._list_requests)
        app.router.add_get("/local/notifications", self._list_notifications)
        app.router.add_post("/local/faults", self._set_fault)
        app.router.add_delete("/local/faults", self._clear_faults)
        app.router.add_post("/local/{what:users|channels|guilds|messages}/{id}", self._change)
        app.router.add_post("/local/{what:application}", self._change)
        app.router.add_post("/local/channels", self._make_channel)

    async def _session(self, request: web.Request) -> web.Response:
        """Answer with JSON of addresses, ids and tokens: everything that a bot, a page or a test needs to use this
        server.

        ``bot_sessions`` is the shard of each of the bot's open sessions. ``invalid_requests`` is what the bot's count
        toward Discord's ban is: see ``RequestList.invalid``.
        """
        world = self._world
        # The address that was used, so that all this is of the same origin as the page. It is the header that the guard
        # has checked: aiohttp's ``host`` may be another one, from the request line.
        host = request.headers["Host"]
        return web.json_response(
            {
                "api": f"http://{host}/api/v10",
                "gateway": f"ws://{host}/gateway",
                "application_id": str(APPLICATION),
                "bot_name": world.bot.name,
                "bot_token": world.bot.token,
                "guilds": [
                    {
                        "id": str(guild.id),
                        "name": guild.name,
                        "channels": [
                            {"id": str(channel), "name": world.channels[channel].name} for channel in guild.channels
                        ],
                    }
                    for guild in world.guilds.values()
                ],
                "users": [
                    {"id": str(person.id), "name": person.name, "token": person.token, "locale": person.locale}
                    for person in world.people
                ],
                "bot_connected": self._gateway.bot_connected,
                "bot_sessions": self._gateway.bot_sessions,
                "invalid_requests": self._server.requests.invalid,
                "pid": os.getpid(),
            }
        )

    async def _list_requests(self, request: web.Request) -> web.Response:
        """Answer with the bot's REST requests after the number ``after`` in the query, oldest first."""
        return web.json_response(self._server.requests.after(_query_number(request, "after") or 0))

    async def _list_notifications(self, request: web.Request) -> web.Response:
        """Answer with what people's phones have shown after the number ``after``, to ``user`` or to everybody."""
        after, user = _query_number(request, "after"), _query_number(request, "user")
        return web.json_response(self._world.notifications.after(after or 0, user))

    async def _set_fault(self, request: web.Request) -> web.Response:
        """Set the faults that the body of *request* names, and answer with 204: one of requests, or some of the
        following.

        - ``{"gateway": "reconnect"}``, ``{"gateway": "twice", "times": 3}``: a fault of the bot's connections
          (``gateway``)
        - ``{"emojis": {"refuse_percent": 4, "seed": 7}}``: refused controls (``faults.EmojiRefusals``)
        - ``{"old_edits": {...}|true|false, "dm_openings": {...}|true|false, "flagging": {...}|true|false, "flagged":
          true}``: limits (``hidden_limits``)
        - ``{"starts": 50}``: how many IDENTIFYs are left for today (``starts``)
        """
        body = await _parse_request_body(request)
        switches = SWITCHES | ({"times"} if "gateway" in body else set())
        if not body or not set(body) <= switches:
            self._server.faults.add(body)
            return web.Response(status=204)
        if "gateway" in body:
            self._gateway.inject_fault(body["gateway"], body.get("times", 1))
        if "emojis" in body:
            self._world.emoji_refusals.set(body["emojis"])
        if "starts" in body:
            self._gateway.starts.set_remaining(body["starts"])
        self._server.hidden_limits.set({key: value for key, value in body.items() if key in HIDDEN})
        return web.Response(status=204)

    async def _clear_faults(self, request: web.Request) -> web.Response:
        """Remove all faults, set hidden limits to their usual figures, and answer with 204."""
        self._server.faults.clear()
        self._gateway.clear_faults()
        self._world.emoji_refusals.clear()
        self._server.hidden_limits.reset()
        return web.Response(status=204)

    async def _change(self, request: web.Request) -> web.Response:
        """Change a person, channel, server, message or the application as the body says, and answer with the changes
        and the id; or raise ApiError."""
        changes = await _parse_request_body(request)
        number = parse_id(request.match_info.get("id", str(APPLICATION))) or 0
        self._changes.apply(request.match_info["what"], number, changes)
        return web.json_response({"id": str(number), **changes})

    async def _make_channel(self, request: web.Request) -> web.Response:
        """Make the channel that the body describes (``Changes.make_channel``), and answer with it and its id; or raise
        ApiError."""
        body = await _parse_request_body(request)
        return web.json_response({**body, "id": str(self._changes.make_channel(body))})


async def _parse_request_body(request: web.Request) -> dict[str, Any]:
    """Return the JSON object in the body of *request*; or raise ApiError (50109) if there is none."""
    try:
        body = parse_json(await request.read())
    except web.RequestPayloadError:
        raise errors.not_json() from None
    if not isinstance(body, dict):
        raise errors.not_json()
    return body


def _query_number(request: web.Request, name: str) -> int | None:
    """Return the number *name* of the query; ``None`` if it is missing; or raise ApiError (50035) if it is no
    number."""
    value = request.query.get(name)
    return None if value is None else snowflake(value, name)
