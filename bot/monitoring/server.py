"""The HTTP server of /metrics, /healthz and /readyz.

It runs in the event loop that serves the players. So a program that hangs does not answer, which is the purpose.
"""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import disable_created_metrics
from prometheus_client.exposition import choose_encoder

from bot.config import BadSetting, Settings
from bot.metrics import Metrics
from bot.monitoring.state import BotState

if TYPE_CHECKING:
    from bot.client import Bot

# An HTTP server for the same network. Clients may send anything: it must cost little, and must not shut others out.
#
# aiohttp by itself keeps any number of connections on which nothing comes, unpacks what is compressed, waits ten
# seconds for the rest of a body that nobody reads, and logs a traceback for every invalid request.


log = logging.getLogger(__name__)
CLIENT_ERRORS: Final = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""Exceptions that aiohttp raises for an invalid or broken request."""
log.addFilter(lambda record: not (record.exc_info and isinstance(record.exc_info[1], CLIENT_ERRORS)))

MAX_CONNECTIONS: Final = 128
"""Each takes one of the files that the process may have open: often 1024, and Discord and the database need some."""


class LimitedServer:
    """Serves *app* over HTTP with at most ``MAX_CONNECTIONS`` connections; idle ones are closed after *keep_seconds*.

    If there are more than ``MAX_CONNECTIONS``, the least recently used are closed. A connection is used when it gets an
    answer with a status below 400.
    """

    def __init__(self, app: web.Application, keep_seconds: float) -> None:
        app.middlewares.append(self._answer_and_mark_connection_used)
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
        """Listen at *port* (0: any free one) of *host* (``None``: all addresses), and return the port; raise OSError if
        the address cannot be used.
        """
        await self._runner.setup()
        self._listener = await asyncio.get_running_loop().create_server(self._make_protocol, host, port)
        bound: int = self._listener.sockets[0].getsockname()[1]
        return bound

    async def stop(self) -> None:
        """Stop listening, and close all connections; requests that are being answered have one second to end."""
        if self._listener is not None:
            self._listener.close()
        await self._runner.cleanup()

    def _make_protocol(self) -> asyncio.Protocol:
        """Return the protocol for a new connection, and first close the least recently used connections, so that at
        most 128 are open.
        """
        serve = self._runner.server
        assert serve is not None
        there = serve.connections
        self._used = {it: self._used.get(it, 0) for it in there}
        for it in sorted(there, key=self._used.__getitem__)[: max(0, len(there) - MAX_CONNECTIONS + 1)]:
            if it.transport is not None:
                it.transport.abort()
        return serve()

    @web.middleware
    async def _answer_and_mark_connection_used(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Answer *request* with *handler*. If the status is below 400, mark its connection as recently used."""
        response = await handler(request)
        if response.status < 400:
            self._uses += 1
            self._used[request.protocol] = self._uses
        return response


LAG_INTERVAL_SECONDS: Final = 0.5


class LoopLagMeter:
    """Calls *late* twice a second with the seconds by which the running event loop is late, until it is stopped."""

    def __init__(self, late: Callable[[float], None]) -> None:
        self._late = late
        self._loop = asyncio.get_running_loop()
        self._schedule()

    def _schedule(self) -> None:
        """Schedule the next measurement, in half a second."""
        due = self._loop.time() + LAG_INTERVAL_SECONDS
        self._timer = self._loop.call_at(due, self._report_lag_and_reschedule, due)

    def _report_lag_and_reschedule(self, due: float) -> None:
        """Report to the callback how many seconds later than *due* (the event loop's time) it is, and schedule the next
        measurement.
        """
        self._late(max(0.0, self._loop.time() - due))
        self._schedule()

    def stop(self) -> None:
        """Stop measuring: the callback is not called any more."""
        self._timer.cancel()


KEEP_ALIVE_SECONDS: Final = 300.0
"""How long an idle connection is kept: Prometheus usually asks every minute at least."""


@asynccontextmanager
async def serve_metrics(host: str, port: int, metrics: Metrics, state: BotState) -> AsyncIterator[None]:
    """Context manager: serve /metrics, /healthz and /readyz at *port* of *host* during the block, from *metrics* and
    *state*; raise BadSetting if nobody can listen there.

    Raises:
        BadSetting: nobody can listen there.
    """
    disable_created_metrics()  # type: ignore[no-untyped-call] # when each series began: nobody asks
    metrics.add_process_metrics()
    metrics.registry.register(state)

    async def read(request: web.Request) -> web.Response:
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(metrics.registry), headers={"Content-Type": content_type})

    async def alive(request: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def ready(request: web.Request) -> web.Response:
        why = state.unready_reason()
        return web.Response(text=f"not ready: {why}\n" if why else "ready\n", status=503 if why else 200)

    app = web.Application()
    app.add_routes([web.get("/metrics", read), web.get("/healthz", alive), web.get("/readyz", ready)])
    listening = LimitedServer(app, KEEP_ALIVE_SECONDS)
    lag = LoopLagMeter(metrics.observe_loop_lag)
    try:
        try:
            await listening.start(host, port)
        except OSError as error:
            unknown = isinstance(error, socket.gaierror)  # its numbers are not those of the system
            why = error.strerror if unknown or error.errno is None else os.strerror(error.errno)
            if unknown or error.errno == errno.EADDRNOTAVAIL:
                remedy = f"cannot be listened at ({why}); use an address of this machine"
                raise BadSetting("METRICS_HOST", host, remedy) from None
            raise BadSetting(
                "METRICS_PORT", str(port), f"cannot be listened at {host} ({why}); use another port"
            ) from None
        yield
    finally:
        lag.stop()
        await listening.stop()


class Monitoring:
    """The metrics of one run, and the state from which /readyz answers."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        self.state = BotState()

    def set_waiting_reason(self, why: str) -> None:
        """Record *why* the program waits (for database or Discord), so that it is not ready; empty: it does not
        wait.
        """
        self.state.waits = why

    def set_bot(self, bot: "Bot | None") -> None:
        """Record that *bot* runs, whose state /metrics and /readyz show; ``None``: none runs any more."""
        self.state.bot = bot


@asynccontextmanager
async def serve_monitoring(config: Settings) -> AsyncIterator[Monitoring]:
    """Context manager: yield a new ``Monitoring``, and serve it over HTTP during the block if *config* has a port for
    it; raise BadSetting if nobody can listen there.

    Raises:
        BadSetting: nobody can listen there.
    """
    watch, port = Monitoring(), config.metrics_port
    async with nullcontext() if port is None else serve_metrics(config.metrics_host, port, watch.metrics, watch.state):
        yield watch
