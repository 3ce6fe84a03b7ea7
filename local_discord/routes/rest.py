"""Every route in one router, and what they share: rate limits, faults, the error shape, the request list."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web

from local_discord import errors
from local_discord.emojis import Emojis
from local_discord.errors import ApiError
from local_discord.faults import Fault, Faults
from local_discord.gateway import Gateway
from local_discord.hidden_limits import HiddenLimits
from local_discord.interactions import Interactions
from local_discord.limits import Limited, Limits, refused
from local_discord.requests import RequestList
from local_discord.routes.call import NOTHING, BrokenOff, Call, Route
from local_discord.routes.channels import ChannelRoutes
from local_discord.routes.commands import CommandRoutes
from local_discord.routes.emojis import EmojiRoutes
from local_discord.routes.interactions import InteractionRoutes
from local_discord.routes.messages import MessageRoutes
from local_discord.routes.people import PeopleRoutes
from local_discord.routes.pictures import Pictures
from local_discord.routes.threads import ThreadRoutes
from local_discord.world import World

log = logging.getLogger(__name__)

VIA: Final = {"Via": "1.1 google"}
"""Discord's own answers have it; without it discord.py takes a 429 for a ban, and does not wait it out."""
UNHARMED: Final = Fault("*", "*", 0)
"""No fault."""


class Rest:
    """The routes of one world."""

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        interactions: Interactions,
        requests: RequestList,
        faults: Faults,
        limits: Limits,
        hidden: HiddenLimits,
    ) -> None:
        self._faults = faults
        self._requests = requests
        self._limits = limits
        emojis = Emojis(world)
        self._pictures = Pictures(world, emojis)
        self._routes = (
            *PeopleRoutes(world, gateway, limits, hidden).routes(),
            *ChannelRoutes(world).routes(),
            *ThreadRoutes(world).routes(),
            *MessageRoutes(world, limits, hidden).routes(),
            *CommandRoutes(world).routes(),
            *InteractionRoutes(world, interactions).routes(),
            *EmojiRoutes(world, emojis).routes(),
        )

    def add_to(self, app: web.Application) -> None:
        """Register every route under ``/api/v10``, and the pictures beside them."""
        for route in self._routes:
            app.router.add_route(route.method, f"/api/v10{route.path}", self._served(route))
        self._pictures.add_to(app)
        app.router.add_route("*", "/api/{rest:.*}", self._served(Route("*", "/", self._unknown)))

    def _served(self, route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
        """The handler of *route* with rate limits, faults, errors in Discord's shape, and the request list."""

        async def serve(request: web.Request) -> web.Response:
            """Answer *request*: 200 with JSON, 204, or an error. A dropped request has its effect, but no answer."""
            fault = self._faults.take(request.method, request.path.removeprefix("/api/v10"))
            call = Call(request, fault)
            if fault and not route.delays_itself:
                await asyncio.sleep(fault.delay_ms / 1000)
            headers: dict[str, str] = {}
            try:
                await call.read()
                if fault:
                    fault.check_limit()
                if not (fault and fault.before_discord):
                    headers = self._limit(call, route.path)
                if fault:
                    fault.check_refusal()
                answer = await route.handler(call)
                status, body = (204, None) if answer is NOTHING else (route.success, answer)
            except Limited as limited:
                status, body, headers = 429, limited.body, headers | limited.headers
            except ApiError as error:
                status, body = error.status, error.body()
            except BrokenOff:  # nobody waits for an answer
                return web.Response(status=400)
            except Exception:  # a bug of this server: Discord's shape, and the traceback in the log
                log.exception("bug: %s %s", call.method, call.path)
                status, body = errors.bug().status, errors.bug().body()
            scope = headers.get("X-RateLimit-Scope", "")
            agent = request.headers.get("User-Agent", "")
            self._requests.add(call.method, call.path, call.authorization, status, call.noted_body, scope, agent)
            if fault and fault.late_ms:
                await asyncio.sleep(fault.late_ms / 1000)
            if fault and fault.drop and request.transport is not None:
                request.transport.close()
            fault = fault or UNHARMED
            headers = fault.headers(headers | VIA)
            if body is None:
                return web.Response(status=status, headers=headers)
            text, kind = fault.written(body)
            return web.Response(status=status, body=text, headers={**headers, "Content-Type": kind})

        return serve

    def _limit(self, call: Call, template: str) -> dict[str, str]:
        """The headers that tell the bot its limits. People have no limits here, and so no headers.

        Raises:
            Limited: the bot must wait.
        """
        counted = call.authorization.startswith("Bot ") and not template.startswith(("/webhooks/", "/interactions/"))
        if not counted and not template.startswith(("/webhooks/", "/interactions/{")):
            return {}
        verdict = self._limits.take(call.method, template, dict(call.match_info), counted=counted)
        if verdict.retry_after is not None:
            raise Limited(refused(verdict.retry_after, everywhere=verdict.everywhere), verdict.headers)
        return verdict.headers

    async def _unknown(self, call: Call) -> Any:
        log.warning("not implemented: %s %s", call.method, call.path)
        raise errors.unknown_route()
