"""Every route in one router, and what they share: rate limits, faults, the error shape, the request list."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web

from local_discord import errors
from local_discord.errors import ApiError
from local_discord.faults import Fault
from local_discord.limits import Limited
from local_discord.routes import channels, commands, emojis, interactions, messages, people, threads
from local_discord.routes.call import NOTHING, BrokenOff, Call, Route
from local_discord.routes.pictures import Pictures
from local_discord.services import Services

log = logging.getLogger(__name__)

VIA: Final = {"Via": "1.1 google"}
"""Discord's own answers have it; without it discord.py takes a 429 for a ban, and does not wait it out."""
UNHARMED: Final = Fault("*", "*", 0)
"""No fault."""


def add_routes(app: web.Application, server: Services) -> None:
    """Register every route under ``/api/v10`` in *app*, and the pictures beside them; other paths there are refused."""
    for subject in (people, channels, threads, messages, commands, interactions, emojis):
        for route in subject.ROUTES:
            app.router.add_route(route.method, f"/api/v10{route.path}", _make_handler(server, route))
    Pictures(server.world).add_to(app)
    app.router.add_route("*", "/api/{rest:.*}", _make_handler(server, Route("*", "/", _refuse_unknown_route)))


def _make_handler(server: Services, route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return the HTTP handler of *route*, with rate limits, faults, Discord's error shape and the request list around
    it."""

    async def serve(request: web.Request) -> web.Response:
        """Answer *request*: 200 with JSON, 204, or an error. A dropped request has its effect, but no answer."""
        fault = server.faults.take_fault(request.method, request.path.removeprefix("/api/v10"))
        call = Call(server, request, fault)
        if fault and not route.delays_itself:
            await asyncio.sleep(fault.delay_ms / 1000)
        headers: dict[str, str] = {}
        try:
            await call.read()
            if fault:
                fault.raise_if_rate_limit()
            if not (fault and fault.is_answered_by_cloudflare):
                headers = _count_against_rate_limits(call, route.path)
            if fault:
                fault.raise_if_refusal()
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
        server.requests.add(call.method, call.path, call.authorization, status, call.noted_body, scope, agent)
        if fault and fault.late_ms:
            await asyncio.sleep(fault.late_ms / 1000)
        if fault and fault.drop and request.transport is not None:
            request.transport.close()
        fault = fault or UNHARMED
        headers = fault.headers(headers | VIA)
        if body is None:
            return web.Response(status=status, headers=headers)
        text, kind = fault.encode_response(body)
        return web.Response(status=status, body=text, headers={**headers, "Content-Type": kind})

    return serve


def _count_against_rate_limits(call: Call, template: str) -> dict[str, str]:
    """Count the request *call* against the bot's rate limits, and return the headers for that (empty for people); or
    raise Limited."""
    counted = call.authorization.startswith("Bot ") and not template.startswith(("/webhooks/", "/interactions/"))
    if not counted and not template.startswith(("/webhooks/", "/interactions/{")):
        return {}
    return call.server.limits.count_request(call.method, template, dict(call.match_info), counted=counted)


async def _refuse_unknown_route(call: Call) -> Any:
    """Log that the path of *call* is not here, and raise ApiError (404)."""
    log.warning("not implemented: %s %s", call.method, call.path)
    raise errors.unknown_route()
