"""Who this server answers: its own page, and programs. Not the other pages that are open in the same browser.

- It answers only to its own names, so that a foreign name that leads to this machine gets nothing (DNS rebinding).
- A request that a browser says is from another page is refused: https://fetch.spec.whatwg.org/#origin-header for
  requests and WebSockets (RFC 6455, section 10.2), https://www.w3.org/TR/fetch-metadata/ for what has no Origin.
- ``/local`` takes JSON alone, which a form cannot send.

Programs send no Origin, so nothing changes for them.
"""

import errno
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import ClientConnectionResetError, web

from local_discord import errors
from local_discord.errors import ApiError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
USUAL_PORT: Final = 80
SANDBOX: Final = "default-src 'none'; sandbox"
"""The content security policy of everything but the page: nothing in it runs or loads anything."""


class Guard:
    """Refuses requests of other web pages in the same browser, and sets the security headers of answers."""

    def __init__(self) -> None:
        self.port = 0
        """Where the server listens; until this is set everything is refused."""

    def add_to(self, app: web.Application) -> None:
        """Check every request to *app*, and set the security headers of every answer."""
        app.middlewares.append(self._check)
        app.on_response_prepare.append(self._set_security_headers)

    def page_policy(self) -> str:
        """Return the content security policy of the page: only its own scripts and styles, this server, and frames of
        itself."""
        return "; ".join(
            (
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "img-src 'self' data:",
                f"connect-src 'self' ws://{NAMES[0]}:{self.port}",
                "frame-src 'self'",
                "frame-ancestors 'self'",
                "base-uri 'none'",
                "form-action 'none'",
            )
        )

    def host(self, name: str) -> str:
        """Return the Host header of clients that reach this server by *name*: with the port, unless it is the usual
        one."""
        return name if self.port == USUAL_PORT else f"{name}:{self.port}"

    @web.middleware
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer *request* with *handler*, or refuse it: 403 for other pages, 415 for no JSON under ``/local``, else
        the error of the handler."""
        try:
            self._check_same_origin(request)
            kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            if request.path.startswith("/local/") and request.method == "POST" and kind != "application/json":
                raise errors.unsupported_media_type("application/json")
            return await handler(request)
        except ApiError as error:
            return web.json_response(error.body(), status=error.status)
        except ClientConnectionResetError:  # the client is gone: nobody reads this answer
            return web.Response()
        except OSError as error:  # the page's folder is asked for a file with such a name
            if error.errno != errno.ENAMETOOLONG:
                raise
            raise web.HTTPNotFound from None

    def _check_same_origin(self, request: web.Request) -> None:
        """Raise ApiError (403) if *request* comes from another web page, as Host, Origin or Sec-Fetch-Site show."""
        own = {self.host(name) for name in NAMES}
        if request.headers.get("Host", "").lower() not in own:
            raise errors.forbidden("Host")
        origins = {f"http://{host}" for host in own}
        if any(origin.lower() not in origins for origin in request.headers.getall("Origin", ())):
            raise errors.forbidden("Origin")
        foreign = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
        followed = request.method == "GET" and request.headers.get("Sec-Fetch-Dest") == "document"
        if foreign and not followed:
            raise errors.forbidden("Sec-Fetch-Site")

    async def _set_security_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        """Set the security headers of *response*, so browsers run nothing in it and show it in no other page's
        frames."""
        response.headers.setdefault("Content-Security-Policy", SANDBOX)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
        response.headers["Referrer-Policy"] = "no-referrer"
