"""REST, gateway, ``/local`` and the page as one aiohttp application, on loopback only."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from aiohttp import web

from local_discord.control import Control
from local_discord.guard import Guard, Handler
from local_discord.routes.rest import add_routes
from local_discord.services import Services
from local_discord.state import State

HOST: Final = "127.0.0.1"
STOP_SECONDS: Final = 1.0
"""How long requests that are under way, such as one that a fault holds up, may still take when the server stops."""
BACKLOG: Final = 2048
"""So many connections may wait to be accepted. Of more the system drops some, and their clients try again after a
second."""
PAGE: Final = Path(__file__).parent / "page"


class Server(Services):
    """One local Discord over HTTP, with its own world: *guilds* servers with *channels* text channels each, and
    *people*.

    *shards* is the number that a bot is told to use. ``port`` is 0 until ``start``. The world is kept in the file
    *state*, if one is given; what is in that file counts more than the numbers. *clock*, in seconds from any starting
    point, is what limits are measured by. *concurrency* is how many shards may identify at a time (``Starts``).
    """

    def __init__(
        self,
        guilds: int = 1,
        channels: int = 3,
        people: int = 8,
        shards: int = 1,
        state: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        concurrency: int | None = None,
    ) -> None:
        super().__init__(guilds, channels, people, shards, clock, concurrency)
        self._guard = Guard()
        self._runner: web.AppRunner | None = None
        self._path = state
        self._state: State | None = None
        self.port = 0

    async def start(self, port: int) -> None:
        """Listen on *port* (0: any free one), with the saved world if there is a state file; or raise OSError or
        StateUnusable.

        Raises:
            OSError: the port is taken.
            StateUnusable: the file for the state cannot be used.
        """
        app = web.Application(client_max_size=25 * 1024 * 1024)
        self._guard.add_to(app)
        app.middlewares.append(self._save_after_request)
        if self._path is not None:
            self._state = State(self._path)
        add_routes(app, self)
        Control(self).add_to(app)
        app.router.add_get("/gateway", self.gateway.serve_connection)
        app.router.add_get("/gateway/", self.gateway.serve_connection)
        app.router.add_get("/", self._index)
        app.router.add_static("/page/", PAGE)
        # No client packs its bodies, and aiohttp drops the connection of one that packs them wrongly.
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=STOP_SECONDS, auto_decompress=False)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, port, backlog=BACKLOG)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.world.base = f"http://{HOST}:{self.port}"
        if self._state is not None:
            self._state.load(self.world)
        self._guard.port = self.port  # before this nobody is let in
        self.world.threads.start_timers()
        self.gateway.address = f"ws://{HOST}:{self.port}/gateway"

    async def stop(self) -> None:
        """Disconnect everybody, stop listening, and save the state."""
        self.world.threads.stop_timers()
        await self.gateway.disconnect_all()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._state is not None:
            self._state.close()

    @web.middleware
    async def _save_after_request(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer *request* with *handler*, then save the state soon, unless it was a GET."""
        try:
            return await handler(request)
        finally:
            if self._state is not None and request.method != "GET":
                self._state.save_soon()

    async def _index(self, request: web.Request) -> web.FileResponse:
        """Answer with the page; or redirect to the server's own name if another one was used.

        Raises:
            HTTPFound: it was asked for by another name.
        """
        own = self._guard.host(HOST)
        if request.headers["Host"] not in (own, f"{HOST}:{self.port}"):
            raise web.HTTPFound(f"http://{own}{request.path_qs}")
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": self._guard.page_policy()}
        return web.FileResponse(PAGE / "index.html", headers=headers)
