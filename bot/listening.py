"""HTTP for those in the same network, who may send anything: what they send costs little, and they keep nobody out.

aiohttp by itself keeps any number of connections on which nothing comes, unpacks what is compressed, waits ten seconds
for the rest of a body that nobody reads, and logs a traceback for every request that is none.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

log = logging.getLogger(__name__)
THEIR_FAULT: Final = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""What aiohttp raises for a request that is none, or breaks off."""
log.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], THEIR_FAULT)))

MOST_CONNECTIONS: Final = 128
"""Each takes one of the files that the process may have open: often 1024, and Discord and the database need some."""


class Listening:
    """Serves *app*. A connection without a request is kept for *keep_seconds*. If there are more than
    ``MOST_CONNECTIONS``, those are closed that have been of no use for the longest time: of use is a request whose
    answer has a status below 400."""

    def __init__(self, app: web.Application, keep_seconds: float) -> None:
        app.middlewares.append(self._note_use)
        self._runner = web.AppRunner(
            app,
            handle_signals=False,
            access_log=None,
            logger=log,
            auto_decompress=False,
            keepalive_timeout=keep_seconds,
            lingering_time=0,
            shutdown_timeout=1.0,
        )
        self._listener: asyncio.Server | None = None
        self._uses = 0
        self._used: dict[web.RequestHandler, int] = {}
        """Connection -> the number of its last use."""

    async def start(self, host: str | None, port: int) -> int:
        """Listen at *port* (0: any free one) of *host* (``None``: every address of the machine), and return the port.

        Raises:
            OSError: that cannot be.
        """
        await self._runner.setup()
        self._listener = await asyncio.get_running_loop().create_server(self._connected, host, port)
        bound: int = self._listener.sockets[0].getsockname()[1]
        return bound

    async def stop(self) -> None:
        """Listen no longer, and close all connections."""
        if self._listener is not None:
            self._listener.close()
        await self._runner.cleanup()

    def _connected(self) -> asyncio.Protocol:
        """What serves a new connection, for which another one may have to be closed."""
        serve = self._runner.server
        assert serve is not None
        there = serve.connections
        self._used = {it: self._used.get(it, 0) for it in there}
        for it in sorted(there, key=self._used.__getitem__)[: max(0, len(there) - MOST_CONNECTIONS + 1)]:
            if it.transport is not None:
                it.transport.abort()
        return serve()

    @web.middleware
    async def _note_use(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Answer *request* by *handler*, and note whether that was of use."""
        response = await handler(request)
        if response.status < 400:
            self._uses += 1
            self._used[request.protocol] = self._uses
        return response
