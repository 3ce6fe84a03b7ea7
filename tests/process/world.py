"""Real processes on the local Discord: the server, the bot, and people who click at the same time."""

import asyncio
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from bot.custom_ids import Press, Verb, parse
from tests import openapi
from tests.controls import components

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 20.0


async def eventually(what: Callable[[], Any], why: str | Callable[[], str]) -> Any:
    """What *what* returns, once it is true; *why* says what was waited for in vain."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while not (found := what()):
        if asyncio.get_running_loop().time() > deadline:
            raise AssertionError(f"waited in vain: {why if isinstance(why, str) else why()}")
        await asyncio.sleep(0.01)
    return found


class Seen:
    """A message as a person's client has it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.id = int(data["id"])
        self.channel = int(data["channel_id"])
        self.components = data["components"]
        self.private = bool(data["flags"] & 64)

    @property
    def text(self) -> str:
        return "\n".join(str(c[k]) for c in components(self) for k in ("content", "label") if c.get(k))

    def about(self, table: str) -> bool:
        """Whether the message has a control of *table*, or links to its message."""
        presses = (parse(str(c.get("custom_id", ""))) for c in components(self))
        return any(press is not None and press.table == table for press in presses)

    def direct(self, world: "World") -> bool:
        """Whether it is a direct message."""
        return self.channel not in world.channels

    def press(self, verb: Verb, arg: str | None = None) -> tuple[str, Press] | None:
        """(custom_id, what it carries) of an enabled control for *verb*."""
        for component in components(self):
            press = parse(str(component.get("custom_id", "")))
            if press and press.verb is verb and arg in (None, press.arg) and not component.get("disabled"):
                return component["custom_id"], press
        return None


class Person:
    """Somebody's client: everything they were sent, and what they do."""

    def __init__(self, world: "World", data: dict[str, Any]) -> None:
        self.world = world
        self.id = int(data["id"])
        self.name = data["name"]
        self.token = data["token"]
        self.messages: dict[int, Seen] = {}
        self.received: list[dict[str, Any]] = []
        self.outcomes: dict[str, str] = {}
        self._nonces = itertools.count()
        self._session = ""

    async def listen(self) -> None:
        """Keep a gateway session open."""
        async with self.world.http.ws_connect(self.world.gateway + "?v=10&encoding=json", max_msg_size=0) as socket:
            async for frame in socket:
                data = json.loads(frame.data)
                if data["op"] == 10:
                    await socket.send_json({"op": 2, "d": {"token": self.token, "properties": {}}})
                elif data["op"] == 0:
                    self._event(data["t"], data["d"])

    def _event(self, name: str, data: dict[str, Any]) -> None:
        self.received.append({"t": name, "d": data})
        if name == "READY":
            self._session = data["session_id"]
        elif name in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self.messages[int(data["id"])] = Seen(data)
        elif name == "MESSAGE_DELETE":
            self.messages.pop(int(data["id"]), None)
        elif name in ("INTERACTION_SUCCESS", "INTERACTION_FAILURE"):
            self.outcomes[data["nonce"]] = name

    @property
    def ready(self) -> bool:
        return bool(self._session)

    def newest(self, verb: Verb, channel: int | None = None, private: bool | None = None) -> Seen | None:
        """The newest message with a control for *verb*."""
        for message in sorted(self.messages.values(), key=lambda m: -m.id):
            fits = channel in (None, message.channel) and private in (None, message.private)
            if fits and message.press(verb):
                return message
        return None

    async def interact(self, body: dict[str, Any], *, wait: bool = True) -> str:
        """Use a command or a control; the nonce. With *wait* it must succeed."""
        nonce = f"{self.name}-{next(self._nonces)}"
        body = {"application_id": self.world.application, "session_id": self._session, "nonce": nonce, **body}
        status, answer = await self.world.call("POST", "/interactions", body, self.token)
        assert status == 204, answer
        if wait:
            await self.success(nonce)
        return nonce

    async def try_to(self, body: dict[str, Any]) -> None:
        """Use a command or a control without waiting for an answer; a control that has changed meanwhile is refused
        by Discord itself."""
        nonce = f"{self.name}-{next(self._nonces)}"
        body = {"application_id": self.world.application, "session_id": self._session, "nonce": nonce, **body}
        await self.world.call("POST", "/interactions", body, self.token)

    async def success(self, nonce: str) -> None:
        """The interaction is answered."""
        outcome = await eventually(lambda: self.outcomes.get(nonce), f"an answer to {nonce}")
        assert outcome == "INTERACTION_SUCCESS", outcome

    async def slash(self, channel: int, name: str, **options: str) -> None:
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        data: dict[str, Any] = {"name": name, "type": 1, "options": given}
        root, _, sub = name.partition(" ")
        if sub:
            data = {"name": root, "type": 1, "options": [{"name": sub, "type": 1, "options": given}]}
        await self.interact({"type": 2, "channel_id": str(channel), "guild_id": self.world.guild, "data": data})

    async def click(self, message: Seen, verb: Verb, arg: str | None = None, *, wait: bool = True) -> str:
        """Press the control for *verb* on *message*; the nonce."""
        found = message.press(verb, arg)
        assert found, f"no {verb} {arg} on {message.text}"
        data = {"component_type": 2, "custom_id": found[0]}
        body = {"type": 3, "channel_id": str(message.channel), "message_id": str(message.id), "data": data}
        return await self.interact(body, wait=wait)

    def newest_text(self, wanted: str) -> Seen | None:
        """The newest message that says *wanted*."""
        found = [message for message in self.messages.values() if wanted in message.text]
        return max(found, key=lambda message: message.id, default=None)

    def hand(self) -> Seen | None:
        """The newest hand on which a card can be laid."""
        return self.newest(Verb.MOVE)

    def table(self) -> Seen | None:
        """The table message of a running game."""
        return self.newest(Verb.MENU)


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
        self.channels = {int(channel["id"]) for guild in session["guilds"] for channel in guild["channels"]}
        self.people = [Person(self, user) for user in session["users"]]
        self.bot: asyncio.subprocess.Process | None = None

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
        status, answer = await self.call("POST", "/local/faults", fault)
        assert status == 204, answer

    async def start_bot(self, store: Path, **settings: str) -> None:
        """The bot as its own process, connected."""
        environment = {
            **os.environ,
            "DISCORD_TOKEN": self.session["bot_token"],
            "DISCORD_API_URL": self.api,
            "DISCORD_GATEWAY_URL": self.gateway,
            "STORE_URL": f"sqlite+aiosqlite:///{store}",
            "PYTHONWARNINGS": "default",
            **settings,
        }
        connected = len([r for r in await self.requests() if r["path"] == "/gateway/bot"])
        with (store.parent / "bot.log").open("ab") as log:
            self.bot = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", cwd=ROOT, env=environment, stderr=log
            )
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE_SECONDS
        while True:
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

    async def open_game(
        self, *people: Person, game: str = "diciassette", computers: int = 0, pace: str | None = None
    ) -> None:
        """The first opens a table in the first channel, the others join, the game starts."""
        host = people[0]
        await host.slash(self.channel, "play", game=game)
        lobby = await eventually(lambda: host.newest(Verb.JOIN), "the lobby")
        for person in people[1:]:
            await person.click(await eventually(lambda p=person: p.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
        for _ in range(computers):
            await host.click(lobby, Verb.ADD_COMPUTER)
        if pace is not None:
            custom_id = host.newest(Verb.PACE).press(Verb.PACE)[0]
            data = {"component_type": 3, "custom_id": custom_id, "values": [pace]}
            body = {"type": 3, "channel_id": str(lobby.channel), "message_id": str(lobby.id), "data": data}
            await host.interact(body)
        await host.click(await eventually(lambda: host.newest(Verb.START), "enough players"), Verb.START)
        for person in people:
            await eventually(person.table, "the table")

    async def on_turn(self, *people: Person) -> Person:
        """Who of *people* can lay a card now."""
        return await eventually(lambda: next((p for p in people if p.hand()), None), "somebody's turn")


@asynccontextmanager
async def local_world(*options: str) -> AsyncIterator[World]:
    """A fresh local Discord with everybody listening; at the end the bot's requests are checked against Discord's
    description of its API."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "local_discord", "--port", "0", *options, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
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
            server.terminate()
            await server.wait()
