"""Real processes on the local Discord: the server, the bot, and people who click at the same time."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests import kept, openapi, warm
from tests.process.person import Person, Seen
from tests.process.waiting import PATIENCE_SECONDS, eventually

ROOT = Path(__file__).parents[2]
ROOM = {"--channels": max(3, len(GAMES)), "--people": max(8, 1 + max(game.seats[-1] for game in GAMES.values()))}
"""A local Discord with a channel for every game, and somebody who does not play."""


class World:
    """A local Discord in a process of its own, with the people on it."""

    def __init__(self, http: aiohttp.ClientSession, session: dict[str, Any]) -> None:
        self.http = http
        self.session = session
        self.api = session["api"]
        self.base = self.api.removesuffix("/api/v10")
        self.gateway = session["gateway"]
        self.application = session["application_id"]
        self.guild = session["guilds"][0]["id"]
        self.channel = int(session["guilds"][0]["channels"][0]["id"])
        self.channels = {int(it["id"]): guild["id"] for guild in session["guilds"] for it in guild["channels"]}
        """Channel -> its server."""
        self.people = [Person(self, user) for user in session["users"]]
        self.bot: asyncio.subprocess.Process | warm.Process | None = None

    def guild_of(self, channel: int) -> str:
        """The id of the server of *channel*, as Discord writes it."""
        guild: str = self.channels[channel]
        return guild

    def players(self, game: str, most: int = 0) -> list[Person]:
        """People for a table of *game*: as few as it takes, or up to *most*."""
        seats = GAMES[game].seats
        return self.people[: max(seats[0], min(most, seats[-1]))]

    async def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """A REST request; (status, answer)."""
        headers = {"Authorization": token} if token else {}
        url = (self.base if path.startswith("/local") else self.api) + path
        async with self.http.request(method, url, json=body, headers=headers) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def requests(self, after: int = 0) -> list[dict[str, Any]]:
        """The bot's requests."""
        entries: list[dict[str, Any]] = (await self.call("GET", f"/local/requests?after={after}"))[1]
        return entries

    async def fault(self, **fault: Any) -> None:
        """From now on Discord answers some requests like that: see ``local_discord.faults``."""
        status, answer = await self.call("POST", "/local/faults", fault)
        assert status == 204, answer

    def environment(self, store: Path, **settings: str) -> dict[str, str]:
        """The environment of the bot on the database *store*, with *settings*."""
        return {
            **os.environ,
            "DISCORD_TOKEN": self.session["bot_token"],
            "DISCORD_API_URL": self.api,
            "DISCORD_GATEWAY_URL": self.gateway,
            "STORE_URL": f"sqlite+aiosqlite:///{store}",
            "PYTHONWARNINGS": "default",
            **settings,
        }

    async def start_bot(self, store: Path, program: str = "bot", **settings: str) -> None:
        """The bot as its own process, connected; its log is beside its *store*. *program* is the module that runs
        it."""
        environment = self.environment(store, **settings)
        kept.keep(store)
        connected = len([r for r in await self.requests() if r["path"] == "/gateway/bot"])
        await self.launch_bot(store, program, environment)
        await self._connected(store, connected)

    async def launch_bot(self, store: Path, program: str, environment: dict[str, str]) -> None:
        """The bot as its own process, with its log beside its *store*; it may not be connected yet."""
        with (store.parent / "bot.log").open("ab") as log:
            if warm.can_run(program, environment):
                self.bot = await warm.start(program, environment=environment, stderr=log)
                return
            self.bot = await asyncio.create_subprocess_exec(
                sys.executable, "-m", program, cwd=ROOT, env=environment, stderr=log
            )

    async def _connected(self, store: Path, connected: int) -> None:
        """Wait until the bot has asked for the gateway more often than it was *connected*, and is there."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE_SECONDS
        while True:
            assert self.bot is not None
            assert self.bot.returncode is None, (store.parent / "bot.log").read_text()
            assert loop.time() < deadline, "the bot does not connect"
            asked = len([r for r in await self.requests() if r["path"] == "/gateway/bot"])
            _, session = await self.call("GET", "/local/session")
            if asked > connected and session["bot_connected"]:
                return
            await asyncio.sleep(0.02)

    async def kill_bot(self, number: signal.Signals = signal.SIGKILL) -> int:
        """End the bot; its exit code."""
        assert self.bot is not None
        if self.bot.returncode is None:
            self.bot.send_signal(number)
        code = await self.bot.wait()
        self.bot = None
        return code

    # Games

    async def open_game(self, game: str, *people: Person, computers: int = 0, pace: str | None = None) -> None:
        """The first of *people* opens a table in the first channel, the others join, the game starts."""
        host = people[0]
        await host.slash(self.channel, "play", game=game)
        lobby: Seen = await eventually(lambda: host.newest(Verb.OPTIONS), "the lobby")
        for person in people[1:]:
            await person.click(await eventually(lambda p=person: p.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
        for _ in range(computers):
            await host.click(lobby, Verb.ADD_COMPUTER)
        if pace is not None:
            await host.set_options(lobby, pace=pace)
        await host.click(await eventually(lambda: host.newest(Verb.START), "enough players"), Verb.START)
        for person in people:
            await eventually(lambda p=person: (m := p.table()) is not None and not m.press(Verb.OPTIONS), "the table")
            await eventually(lambda p=person: lobby.id not in p.messages, "the lobby to go")

    async def on_turn(self, *people: Person, ply: int = 0) -> Person:
        """Who of *people* can move at *ply*."""

        def found() -> Person | None:
            return next((it for it in people if (hand := it.hand()) is not None and hand.ply == ply), None)

        person: Person = await eventually(found, f"somebody's turn at ply {ply}")
        return person


async def _local_discord(*options: str) -> asyncio.subprocess.Process | warm.Process:
    """A local Discord in a process of its own."""
    pipe = asyncio.subprocess.PIPE
    if warm.can_run("local_discord", os.environ):
        return await warm.start("local_discord", *options, environment=os.environ, stdout=pipe)
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "local_discord", *options, cwd=ROOT, stdout=pipe)


@asynccontextmanager
async def local_world(*options: str) -> AsyncIterator[World]:
    """A fresh local Discord with everybody listening; *options* are those of its command line. At the end the bot's
    requests are checked against Discord's description of its API."""
    room = [word for option, count in ROOM.items() for word in (option, str(count))]
    server = await _local_discord("--port", "0", *room, *options)
    assert server.stdout is not None
    address = (await server.stdout.readline()).decode().split()[-1]
    async with aiohttp.ClientSession() as http:
        async with http.get(address + "local/session") as response:
            world = World(http, await response.json())
        listeners = [asyncio.create_task(person.listen()) for person in world.people]
        await eventually(lambda: all(person.ready for person in world.people), "everybody to connect")
        try:
            yield world
            if openapi.available():
                wrong = [p for r in await world.requests() for p in openapi.problems(r["method"], r["path"], r["body"])]
                assert not wrong, wrong[:5]
        finally:
            if world.bot is not None:
                await world.kill_bot()
            for listener in listeners:
                listener.cancel()
            await asyncio.gather(*listeners, return_exceptions=True)
            server.kill()  # told to stop it would first let every request end, also one that a fault holds up
            await server.wait()
