"""A lean Discord: it speaks only what the bot needs in a game, checks nothing, and so takes less CPU than the bot.

Each bot process has one of its own, whose address it is given as the API's and the gateway's: it has sessions there of
the shards that the process holds, and gets all its requests. So the tables of a process are played at its Discord
alone. Only clicks in direct messages concern all of them: Discord sends those to every session of shard 0, so
``forward`` brings them to the other lean Discords.

All of them have the same people, servers and channels.
"""

import asyncio
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson
from aiohttp import WSMsgType, web

from local_discord import serialize
from local_discord.initial import APPLICATION
from local_discord.model import (
    BOT_IN_DMS,
    Channel,
    ChannelType,
    Context,
    Interaction,
    InteractionType,
    Message,
    MessageFlag,
    Reply,
    User,
)
from local_discord.sessions import Op
from local_discord.snowflake import EPOCH_MS, now_ms
from local_discord.world import World

API: Final = "/api/v10/"
HOST: Final = "127.0.0.1"
HEARTBEAT_MS: Final = 41_250
ACK_SECONDS: Final = 0.02
"""As in the local Discord: discord.py notes the time of a heartbeat only after it has sent it."""
MOST_PROCESSES: Final = 32
_FIRST_DM: Final = 920_000_000_000_000_000
_FIRST_EMOJI: Final = 930_000_000_000_000_000


def new_world(shards: int, channels: int, people: int) -> World:
    """A world with a server for each of so many *shards*, *channels* in each, and everybody's direct messages with the
    bot; the same ids every time."""
    world = World(shards, channels, people)
    for number, person in enumerate(world.people):
        dm = Channel(_FIRST_DM + number, ChannelType.DM, recipients=(APPLICATION, person.id))
        world.channels[dm.id] = dm
    return world


def dms(world: World) -> dict[int, Channel]:
    """Everybody's direct messages with the bot in *world*, by the id of the person."""
    return {it.recipients[1]: it for it in world.channels.values() if it.type is ChannelType.DM}


class _Session:
    """A session of the bot: one shard on one connection."""

    def __init__(self, ws: web.WebSocketResponse, compressed: bool) -> None:
        self._ws = ws
        self._deflate = zlib.compressobj(1) if compressed else None
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._sequence = 0
        self.shard = -1

    def dispatch(self, event: str, payload: bytes) -> None:
        """Send *event* with *payload*, which is JSON."""
        self._sequence += 1
        self._outbox.put_nowait(b'{"op":0,"t":"%s","s":%d,"d":%s}' % (event.encode(), self._sequence, payload))

    def send(self, op: Op, payload: Any = None) -> None:
        """Send a frame that is no event."""
        self._outbox.put_nowait(orjson.dumps({"op": op, "t": None, "s": None, "d": payload}))

    async def pump(self) -> None:
        """Write what is sent, until the connection closes."""
        while not self._ws.closed:
            frame = await self._outbox.get()
            if self._deflate is None:
                await self._ws.send_str(frame.decode())
            else:
                await self._ws.send_bytes(self._deflate.compress(frame) + self._deflate.flush(zlib.Z_SYNC_FLUSH))


class LeanDiscord:
    """The Discord of one bot process, number *number* of several, which all have a *world* with the same ids.

    *changed* is called with every message that the bot has made or changed; *forward* with every click in direct
    messages, as JSON for the other processes' Discords. *emojis* are the names of those that the application has.
    """

    def __init__(
        self,
        number: int,
        world: World,
        changed: Callable[[Message], None],
        forward: Callable[[bytes], None],
        emojis: Sequence[str],
    ) -> None:
        self.world = world
        self.port = 0
        self.requests = 0
        """How many the bot has made."""
        self._number = number
        self._changed = changed
        self._forward = forward
        self._last_id = 0
        self._sessions: list[_Session] = []
        self._by_token: dict[str, Interaction] = {}
        self._answered: dict[str, asyncio.Future[None]] = {}
        self._channel_objects: dict[int, dict[str, Any]] = {}
        self._emojis = [
            {"id": str(_FIRST_EMOJI + place), "name": name, "animated": False, "available": True}
            for place, name in enumerate(emojis)
        ]
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on any port."""
        serve = web.Server(self._handle, access_log=None)
        self._server = await asyncio.get_running_loop().create_server(serve, HOST, 0, backlog=2048)
        self.port = self._server.sockets[0].getsockname()[1]

    def _next_id(self) -> int:
        """A new id, which no other process makes."""
        self._last_id = max(self._last_id + MOST_PROCESSES, (now_ms() - EPOCH_MS) << 22)
        return self._last_id + self._number

    # The gateway

    async def _connect(self, request: web.BaseRequest) -> web.StreamResponse:
        """A connection of the bot; it is not packed twice, as Discord's are not."""
        ws = web.WebSocketResponse(compress=False)
        await ws.prepare(request)
        session = _Session(ws, "compress" in request.query)
        pump = asyncio.create_task(session.pump())
        session.send(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS})
        async for message in ws:
            frame = orjson.loads(message.data) if message.type in (WSMsgType.TEXT, WSMsgType.BINARY) else {}
            if frame.get("op") == Op.HEARTBEAT:
                asyncio.get_running_loop().call_later(ACK_SECONDS, session.send, Op.HEARTBEAT_ACK)
            elif frame.get("op") == Op.IDENTIFY:
                self._identify(session, *frame["d"]["shard"])
        pump.cancel()
        if session in self._sessions:
            self._sessions.remove(session)
        return ws

    def _identify(self, session: _Session, shard: int, shards: int) -> None:
        world = self.world
        session.shard = shard
        self._sessions.append(session)
        here = [it for it in world.guilds.values() if (it.id >> 22) % shards == shard]
        ready = {
            "v": 10,
            "user": serialize.user(world.bot) | {"verified": True, "mfa_enabled": False, "email": None, "flags": 0},
            "session_id": f"{self._number}-{shard}",
            "resume_gateway_url": self.gateway,
            "guilds": [{"id": str(it.id), "unavailable": True} for it in here],
            "application": {"id": str(APPLICATION), "flags": 0},
            "shard": [shard, shards],
            "private_channels": [],
        }
        session.dispatch("READY", orjson.dumps(ready))
        for guild in here:
            session.dispatch("GUILD_CREATE", orjson.dumps(world.guild_object(guild, world.bot)))

    @property
    def gateway(self) -> str:
        """The address of the gateway."""
        return f"ws://{HOST}:{self.port}/gateway"

    @property
    def shards(self) -> list[int]:
        """The shard of every session of the bot."""
        return [it.shard for it in self._sessions]

    def hear(self, click: bytes) -> None:
        """Send the *click*, which was made in direct messages, to the session of shard 0 that the bot has here."""
        self._send(0, click)

    def _send(self, shard: int, interaction: bytes) -> None:
        for session in self._sessions:
            if session.shard == shard:
                session.dispatch("INTERACTION_CREATE", interaction)

    # People

    def interact(
        self, person: User, channel: Channel, kind: InteractionType, data: dict[str, Any], on: Message | None = None
    ) -> tuple[Interaction, asyncio.Future[None]]:
        """*person* uses a command, a component of the message *on*, or a form, in *channel*; the future is done once
        the bot has answered."""
        number = self._next_id()
        token = f"{number}-{self._number}"
        made = Interaction(number, token, kind, person.id, channel.id, channel.guild, data, None, made_at=now_ms())
        made.message = on.id if on is not None else None
        made.owners = {"0": str(channel.guild or 0)}
        self._by_token[token] = made
        answered = self._answered[token] = asyncio.get_running_loop().create_future()
        text = orjson.dumps(self._payload(made, person, channel, on))
        if channel.guild is None:
            self._forward(text)
        self._send(0 if channel.guild is None else (channel.guild >> 22) % len(self.world.guilds), text)
        return made, answered

    def _payload(self, made: Interaction, person: User, channel: Channel, on: Message | None) -> dict[str, Any]:
        """What INTERACTION_CREATE says, as in the local Discord."""
        world, guild = self.world, channel.guild
        where = self._channel_objects.get(channel.id)
        if where is None:
            may = world.permissions(person, channel) if guild else BOT_IN_DMS
            where = world.channel_object(channel, world.bot) | {"permissions": str(may)}
            self._channel_objects[channel.id] = where
        payload = {
            "id": str(made.id),
            "application_id": str(APPLICATION),
            "type": int(made.type),
            "data": made.data,
            "channel_id": str(channel.id),
            "channel": where,
            "token": made.token,
            "version": 1,
            "locale": person.locale,
            "app_permissions": where["permissions"],
            "entitlements": [],
            "authorizing_integration_owners": made.owners,
            "context": int(Context.GUILD if guild else Context.BOT_DM),
            "attachment_size_limit": 10485760,
        }
        if guild:
            locale, features = world.guilds[guild].preferred_locale, world.guilds[guild].features
            payload |= {
                "guild_id": str(guild),
                "guild": {"id": str(guild), "locale": locale, "features": features},
                "guild_locale": locale,
                "member": serialize.member(person, guild, int(where["permissions"])),
            }
        else:
            payload["user"] = serialize.user(person)
        if on is not None:
            payload["message"] = world.message_object(on)
        return payload

    # Requests of the bot

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/gateway":
            return await self._connect(request)
        self.requests += 1
        if request.content_type == "multipart/form-data":
            body = orjson.loads(str((await request.post())["payload_json"]))
        else:
            raw = await request.read()
            body = orjson.loads(raw) if raw else {}
        try:
            answer = self._answer(request.method, request.path.removeprefix(API).split("/"), body)
        except KeyError:  # a message that has been deleted
            return web.Response(status=404, body=_UNKNOWN_MESSAGE, content_type="application/json")
        if answer is None or (request.path.endswith("/callback") and "with_response" not in request.query_string):
            return web.Response(status=204)
        return web.Response(body=orjson.dumps(answer), content_type="application/json")

    def _answer(self, method: str, path: list[str], body: Any) -> Any:
        """The JSON with which a request is answered; ``None``: 204."""
        world = self.world
        match method, *path:
            case "POST", "interactions", _, token, "callback":
                return self._respond(self._by_token[token], body)
            case "PATCH", "webhooks", _, token, "messages", which:
                made = self._by_token[token]
                return self._write(self._found(made.channel, made.original if which == "@original" else which), body)
            case "POST", "webhooks", _, token:
                return world.message_object(self._send_message(self._by_token[token], body))
            case "PATCH", "channels", channel, "messages", message:
                return self._write(self._found(int(channel), message), body)
            case "POST", "channels", channel, "messages":
                where = world.channels[int(channel)]
                message = Message(self._next_id(), where.id, APPLICATION)
                where.messages[message.id] = message
                return self._write(message, body)
            case "DELETE", "webhooks", _, token, "messages", which:
                made = self._by_token[token]
                self._delete(made.channel, made.original if which == "@original" else which)
                return None
            case "DELETE", "channels", channel, "messages", message:
                self._delete(int(channel), message)
                return None
            case "POST", "users", "@me", "channels":
                person = int(body["recipient_id"])
                return world.channel_object(world.channels[_FIRST_DM + person - world.people[0].id], world.bot)
            case "GET", "users", "@me":
                return serialize.user(world.bot) | {"verified": True, "mfa_enabled": False, "flags": 0, "email": None}
            case "GET", "gateway", "bot":
                limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": len(world.guilds)}
                return {"url": self.gateway, "shards": len(world.guilds), "session_start_limit": limit}
            case "GET", *_, "@me":
                return _APPLICATION | {"bot": serialize.user(world.bot), "owner": serialize.user(world.people[0])}
            case _, "applications", _, "commands":
                return [
                    it | {"id": str(number), "application_id": str(APPLICATION), "version": "1"}
                    for number, it in enumerate(body or [], 1)
                ]
            case "GET", "applications", _, "emojis":
                return {"items": self._emojis}
        raise web.HTTPNotFound(text=f"{method} {path} is not spoken here")

    def _found(self, channel: int, message: int | str | None) -> Message:
        return self.world.channels[channel].messages[int(message or 0)]

    def _delete(self, channel: int, message: int | str | None) -> None:
        self.world.channels[channel].messages.pop(int(message or 0), None)

    def _write(self, message: Message, body: dict[str, Any]) -> dict[str, Any]:
        """Make *message* look as *body* says; the message object."""
        message.components = body.get("components", message.components)
        message.content = body.get("content") or ""
        message.flags |= body.get("flags", 0)
        self._changed(message)
        return self.world.message_object(message)

    def _send_message(self, made: Interaction, body: dict[str, Any]) -> Message:
        """A new message with which the bot answers *made*."""
        message = Message(self._next_id(), made.channel, APPLICATION, interaction=made)
        message.reader = made.user if body.get("flags", 0) & MessageFlag.EPHEMERAL else None
        self.world.channels[made.channel].messages[message.id] = message
        self._write(message, body)
        return message

    def _respond(self, made: Interaction, body: dict[str, Any]) -> Any:
        """The first response to *made*."""
        made.replied, data = Reply(body["type"]), body.get("data") or {}
        message: Message | None = None
        match made.replied:
            case Reply.MODAL:
                made.modal = data
            case Reply.MESSAGE | Reply.DEFERRED_MESSAGE:
                message = self._send_message(made, data)
                made.original = message.id
            case Reply.UPDATE | Reply.DEFERRED_UPDATE:
                made.original = made.message
                if made.replied is Reply.UPDATE:
                    message = self._found(made.channel, made.message)
                    self._write(message, data)
        answered = self._answered.pop(made.token, None)
        if answered is not None and not answered.done():
            answered.set_result(None)
        return serialize.callback(made, made.replied, self.world.message_object(message) if message else None)


_UNKNOWN_MESSAGE: Final = b'{"code":10008,"message":"Unknown Message"}'
_APPLICATION: Final = {
    "id": str(APPLICATION),
    "name": "Seventeen",
    "icon": None,
    "description": "",
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "00",
    "flags": 0,
    "team": None,
    "summary": "",
    "rpc_origins": [],
}
