"""A client of a running local Discord: requests as the bot or as a person, and connections to the gateway."""

import asyncio
import itertools
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import aiohttp

from local_discord.model import MessageFlag
from local_discord.server import Server

V2 = int(MessageFlag.COMPONENTS_V2)
EPHEMERAL = int(MessageFlag.EPHEMERAL)
LOADING = int(MessageFlag.LOADING)


def text(content: str) -> dict[str, Any]:
    """A text component."""
    return {"type": 10, "content": content}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    """An action row with *children*."""
    return {"type": 1, "components": list(children)}


def button(custom_id: str = "b", **more: Any) -> dict[str, Any]:
    """A button; *more* are further fields, or other values for those it has."""
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id, **more}


class Socket:
    """A gateway connection. It reads by itself; *events* are the frames that no test has taken yet."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.events: list[dict[str, Any]] = []
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        inflate = zlib.decompressobj()
        async for frame in self.ws:
            data = frame.data if frame.type is aiohttp.WSMsgType.TEXT else inflate.decompress(frame.data).decode()
            self.events.append(json.loads(data))

    async def event(self, name: str) -> dict[str, Any]:
        """The payload of the next event *name*; it is taken off the list.

        Raises:
            AssertionError: none comes within five seconds.
        """
        for _ in range(500):
            for index, event in enumerate(self.events):
                if event["t"] == name:
                    payload: dict[str, Any] = self.events.pop(index)["d"]
                    return payload
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {name} in {[e['t'] for e in self.events]}")

    async def op(self, op: int) -> dict[str, Any]:
        """The first frame with *op*; it stays on the list.

        Raises:
            AssertionError: none comes within five seconds.
        """
        for _ in range(500):
            for event in self.events:
                if event["op"] == op:
                    return event
            await asyncio.sleep(0.01)
        raise AssertionError(f"no op {op}")

    def named(self, name: str) -> list[dict[str, Any]]:
        """The payloads of all events *name* that came so far; they stay on the list."""
        return [event["d"] for event in self.events if event["t"] == name]


class Discord:
    """A running server, and a client for anybody on it. *session* is what ``/local/session`` answers.

    Paths are below ``/api/v10``. Tokens are what the header ``Authorization`` holds.
    """

    def __init__(self, server: Server, http: aiohttp.ClientSession, session: dict[str, Any]) -> None:
        self.server = server
        self.http = http
        self.session = session
        self.bot = "Bot " + session["bot_token"]
        self.anna, self.bruno = (user["token"] for user in session["users"][:2])
        self.anna_id, self.bruno_id = (user["id"] for user in session["users"][:2])
        self.channel = session["guilds"][0]["channels"][0]["id"]
        self.guild = session["guilds"][0]["id"]
        self.sockets: list[Socket] = []

    @classmethod
    @asynccontextmanager
    async def running(cls, server: Server) -> AsyncIterator[Self]:
        """*server*, started on a free port, and a client of it; both stop at the end, whatever became of the server
        meanwhile."""
        await server.start(0)
        async with aiohttp.ClientSession(json_serialize=written) as http:
            async with http.get(f"http://127.0.0.1:{server.port}/local/session") as response:
                discord = cls(server, http, await response.json())
            yield discord
            for socket in discord.sockets:
                await socket.ws.close()
                await socket.task
        await server.stop()

    async def call(self, method: str, path: str, token: str | None = None, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of the answer; ``None`` if it has no body. *path* may also begin with ``/local``."""
        url = (
            self.session["api"].removesuffix("/api/v10") if path.startswith("/local") else self.session["api"]
        ) + path
        headers = {"Authorization": token} if token else {}
        async with self.http.request(method, url, json=body, headers=headers) as response:
            raw = await response.text()
            if raw and not path.startswith("/local"):
                assert response.headers["Content-Type"] == "application/json"
            return response.status, json.loads(raw) if raw else None

    async def response(self, method: str, path: str, body: Any = None) -> aiohttp.ClientResponse:
        """The whole answer to a request of the bot, for tests that need its headers. Its body is read already."""
        url = self.session["api"] + path
        async with self.http.request(method, url, json=body, headers={"Authorization": self.bot}) as response:
            await response.read()
            return response

    async def sends(self, body: Any, token: str | None = None, channel: str | None = None) -> tuple[int, Any]:
        """The status and the answer when the bot (or whose *token* it is) sends a message to the first channel."""
        return await self.call("POST", f"/channels/{channel or self.channel}/messages", token or self.bot, body)

    async def refused(self, method: str, path: str, token: str, body: Any, code: int) -> dict[str, Any]:
        """Check that the request is refused with the error *code*, and return the error."""
        status, answer = await self.call(method, path, token, body)
        assert (answer["code"], status >= 400) == (code, True), answer
        refusal: dict[str, Any] = answer
        return refusal

    def unhurried(self) -> None:
        """From now on every request comes long after the one before, as far as the announced limits know."""
        self.server.limits._clock = itertools.count(0.0, 100.0).__next__

    async def picture(self, path: str) -> tuple[int, bytes]:
        """What a client that shows a picture gets: (status, file)."""
        async with self.http.get(self.session["api"].removesuffix("/api/v10") + path) as response:
            return response.status, await response.read()

    async def upload(self, method: str, path: str, payload: dict[str, Any], name: str, file: bytes) -> tuple[int, Any]:
        """The status and the JSON of the answer to a request of the bot with one *file*, a PNG called *name*."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(payload))
        form.add_field("files[0]", file, filename=name, content_type="image/png")
        return await self.form(method, path, form)

    async def form(self, method: str, path: str, form: aiohttp.FormData, token: str | None = None) -> tuple[int, Any]:
        """The status and the JSON of the answer to a request with *form* as its body, of the bot or of *token*'s
        owner; ``None`` for an answer without a body."""
        url, headers = self.session["api"] + path, {"Authorization": token or self.bot}
        async with self.http.request(method, url, data=form, headers=headers) as response:
            return response.status, None if response.status == 204 else await response.json()

    async def connect(self, token: str, intents: int = 1, query: str = "", **more: Any) -> Socket:
        """A connection to the gateway that has identified itself, with *more* fields; *query* goes into its address."""
        socket = await self.socket(query)
        await socket.ws.send_json({"op": 2, "d": {"token": token, "intents": intents, "properties": {}, **more}})
        return socket

    async def resume(self, session_id: str, sequence: int) -> Socket:
        """A connection that has asked to resume a session of the bot; *sequence*: the last event the bot knows."""
        socket = await self.socket()
        token = self.session["bot_token"]
        await socket.ws.send_json({"op": 6, "d": {"token": token, "session_id": session_id, "seq": sequence}})
        return socket

    async def socket(self, query: str = "") -> Socket:
        """A connection to the gateway that has not identified itself yet."""
        socket = Socket(await self.http.ws_connect(f"{self.session['gateway']}?v=10&encoding=json{query}"))
        self.sockets.append(socket)
        return socket

    async def begin(self, person: str, body: dict[str, Any]) -> int:
        """The status when *person* (a token) uses something in the first channel; *body* says what."""
        body = {"channel_id": self.channel, "guild_id": self.guild, "nonce": "n", "session_id": "s", **body}
        return (await self.call("POST", "/interactions", person, body))[0]

    async def register(self, *commands: dict[str, Any]) -> tuple[int, Any]:
        """The status and the answer when the bot registers *commands* alone; they need no description here."""
        path = f"/applications/{self.session['application_id']}/commands"
        given = [{"description": "d", **command} for command in commands]
        return await self.call("PUT", path, self.bot, given)

    async def ping_command(self) -> None:
        """Register the command ``/ping`` alone."""
        assert (await self.register({"name": "ping", "type": 1}))[0] == 200

    async def used(self, bot: Socket, person: str, body: dict[str, Any]) -> dict[str, Any]:
        """What the *bot* is told when *person* (a token) uses what *body* says."""
        assert await self.begin(person, body) == 204
        return await bot.event("INTERACTION_CREATE")

    async def pinged(self, bot: Socket, person: str, **where: str) -> dict[str, Any]:
        """What the *bot* is told when *person* (a token) uses ``/ping``; *where*, if not in the first channel."""
        return await self.used(bot, person, {"type": 2, "data": {"name": "ping"}, **where})

    async def answer(self, payload: dict[str, Any], body: Any, query: str = "") -> tuple[int, Any]:
        """The status and the JSON when the bot answers the interaction *payload* with *body*."""
        return await self.call("POST", f"/interactions/{payload['id']}/{payload['token']}/callback{query}", body=body)

    def webhook(self, payload: dict[str, Any], which: str = "") -> str:
        """The path of the interaction's webhook, or of the message *which* of it."""
        path = f"/webhooks/{self.session['application_id']}/{payload['token']}"
        return f"{path}/messages/{which}" if which else path

    async def dm(self, person: str) -> str:
        """The id of the direct messages of the bot and the person whose token this is."""
        body = {"recipient_id": self.session["application_id"]}
        channel: str = (await self.call("POST", "/users/@me/channels", person, body))[1]["id"]
        return channel


def written(body: Any) -> str:
    """*body* as JSON. Infinity is ``1e999``, which is JSON, and which Python reads as infinity."""
    return json.dumps(body).replace("Infinity", "1e999")


def at(error: dict[str, Any], path: str) -> list[str]:
    """The codes of the errors at *path* in Discord's *error*; an empty list if there are none."""
    found = error.get("errors", {})
    for key in path.split(".") if path else []:
        found = found.get(key, {})
    return [item["code"] for item in found.get("_errors", [])]
