"""A scene: a bot on a local Discord, people, and a test that says what they do; in virtual time."""

import asyncio
import inspect
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot.client import set_discord_urls
from local_discord.server import Server
from tests import openapi
from tests.process.waiting import eventually
from tests.process.world import ROOM, World
from tests.simulation import virtual
from tests.simulation.machine import Machine

PORT: Final = 8017
LAG: Final = (0.001, 0.02)
"""How long packets take, s."""


class Scene(World):
    """A local Discord and the people on it. The bot is started and killed as if it were a process."""

    def __init__(
        self, sim: virtual.World, http: aiohttp.ClientSession, session: dict[str, Any], machine: Machine, server: Server
    ) -> None:
        super().__init__(http, session)
        self._sim = sim
        self._machine = machine
        self._server = server

    def lag(self, least: float = LAG[0], most: float = LAG[1]) -> None:
        """From now on packets take so long, s."""
        self._sim.net.set_latency(least, most)

    async def start_bot(self, store: Path, program: str = "bot", **settings: str) -> None:
        """The bot, connected."""
        assert program == "bot" and not settings, "a scene has none of that"
        self._machine.start(self.session["bot_token"])
        await eventually(lambda: self._server.gateway.bot_connected, "the bot to connect")

    async def kill_bot(self, number: signal.Signals = signal.SIGKILL) -> int:
        """The bot is killed at whatever it awaits."""
        assert number is signal.SIGKILL, "only processes can be told to stop"
        self._machine.kill()
        await eventually(lambda: not self._server.gateway.bot_connected, "the connection to break")
        return -number


@asynccontextmanager
async def _scene(sim: virtual.World, store: Path) -> AsyncIterator[Scene]:
    """A fresh local Discord with everybody listening, and the bot on it; at the end the bot's requests are checked
    against Discord's description of its API."""
    sim.net.set_latency(*LAG)
    server = Server(channels=ROOM["--channels"], people=ROOM["--people"], clock=virtual.now)
    sim.host("discord").spawn(lambda: server.start(PORT))
    await eventually(lambda: server.port, "Discord to start")
    async with aiohttp.ClientSession() as http:
        async with http.get(f"http://127.0.0.1:{PORT}/local/session") as response:
            world = Scene(sim, http, await response.json(), Machine(sim, store), server)
        set_discord_urls(world.api, world.gateway)
        listening = [asyncio.create_task(person.listen()) for person in world.people]
        await eventually(lambda: all(person.ready for person in world.people), "everybody to connect")
        await world.start_bot(store)
        yield world
        if openapi.available():
            wrong = [p for r in await world.requests() for p in openapi.problems(r["method"], r["path"], r["body"])]
            assert not wrong, wrong[:5]
        for listener in listening:
            listener.cancel()
        await asyncio.wait(listening)


def simulated(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """*test*, in virtual time. It takes fixtures, and besides: ``world``, the Scene, and ``people``, as few as ``game``
    takes, at a running table where nothing has to be waited for."""
    names = [*inspect.signature(test).parameters]
    fixtures = {"store", *names, *(("game",) if "people" in names else ())} - {"world", "people"}

    def run(**given: Any) -> None:
        """The test, as pytest calls it."""

        async def main(sim: virtual.World) -> tuple[str, Exception | None]:
            try:
                async with _scene(sim, given["store"]) as world:
                    everything = {**given, "world": world}
                    if "people" in names:
                        everything["people"] = world.players(given["game"])
                        await world.open_game(given["game"], *everything["people"], pace="off")
                    await test(**{name: everything[name] for name in names})
            except Exception as error:  # noqa: BLE001 - the test's own
                return "", error
            finally:
                for host in sim.hosts:
                    virtual.kill(host)
                virtual.let_go()
            return "", None

        error = virtual.run(main, seed=0).error
        if error is not None:
            raise error

    run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in sorted(fixtures)]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # pytest reads it
    return run
