"""Sessions: identify, heartbeat, resume with replay, dispatch. https://discord.com/developers/docs/events/gateway"""

import asyncio
import json
import logging
import secrets
import zlib
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from local_discord.errors import invalid_form
from local_discord.model import ChannelType, User
from local_discord.serialize import user as user_object
from local_discord.world import APPLICATION, World

log = logging.getLogger(__name__)

HEARTBEAT_MS: Final = 41_250
ACK_SECONDS: Final = 0.02
KEPT_EVENTS: Final = 1_000
"""How many events a session can replay after RESUME."""

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 3, 6, 7, 9, 10, 11

INTENT_OF: Final = {
    "GUILD_CREATE": 1 << 0,
    "CHANNEL_CREATE": 1 << 0,
    "CHANNEL_DELETE": 1 << 0,
    "THREAD_DELETE": 1 << 0,
    "MESSAGE_CREATE": 1 << 9,
    "MESSAGE_UPDATE": 1 << 9,
    "MESSAGE_DELETE": 1 << 9,
}
"""What a bot must ask for to be told; in direct messages 1 << 12 in place of 1 << 9. Interactions need nothing."""
DM_MESSAGES: Final = 1 << 12


class Session:
    """One identified client. It outlives its socket for as long as it can be resumed."""

    def __init__(self, person: User, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.person = person
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.sent: deque[tuple[int, str]] = deque(maxlen=KEPT_EVENTS)
        self.socket: Socket | None = None

    def dispatch(self, name: str, payload: dict[str, Any]) -> None:
        """Send an event, and keep it for a RESUME."""
        self.sequence += 1
        text = json.dumps({"op": DISPATCH, "t": name, "s": self.sequence, "d": payload})
        self.sent.append((self.sequence, text))
        if self.socket is not None:
            self.socket.send(text)

    def wants(self, name: str, payload: dict[str, Any]) -> bool:
        """Whether the client asked to be told of this (people are told everything)."""
        if not self.person.bot or name not in INTENT_OF:
            return True
        private = name.startswith("MESSAGE_") and "guild_id" not in payload
        return bool(self.intents & (DM_MESSAGES if private else INTENT_OF[name]))

    def serves(self, guild: int | None) -> bool:
        """Whether this shard gets the events of *guild* (``None``: direct messages, which go to shard 0)."""
        number, count = self.shard
        return number == (0 if guild is None else (guild >> 22) % count)


class Socket:
    """A WebSocket with its compression; sending never waits for a slow reader."""

    def __init__(self, compressed: bool) -> None:
        self.ws = web.WebSocketResponse(max_msg_size=1 << 20)
        self._deflate = zlib.compressobj() if compressed else None
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._unsaid: list[str] | None = None
        self.broken = False
        """Closed by a fault: the session can be resumed whatever the client says in closing."""

    def send(self, text: str) -> None:
        if self._unsaid is not None:
            self._unsaid.append(text)
        else:
            self._outbox.put_nowait(text)

    def fall_silent(self) -> None:
        """The connection stays open, and nothing comes through it any more."""
        self._unsaid = self._unsaid or []

    def speak(self) -> None:
        """What was held back comes through, in order."""
        unsaid, self._unsaid = self._unsaid or [], None
        for text in unsaid:
            self.send(text)

    def op(self, op: int, payload: Any = None) -> None:
        self.send(json.dumps({"op": op, "t": None, "s": None, "d": payload}))

    async def pump(self) -> None:
        """Write what waits, until the socket closes."""
        while (text := await self._outbox.get()) is not None and not self.ws.closed:
            try:
                if self._deflate is None:
                    await self.ws.send_str(text)
                else:
                    data = self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    await self.ws.send_bytes(data)
            except ConnectionError:
                return


class Gateway:
    """All sessions of one world."""

    def __init__(self, world: World, shards: int = 1) -> None:
        self._world = world
        self.shards = shards
        """How many shards a bot is told to use."""
        self._sessions: dict[str, Session] = {}
        self._closing: set[asyncio.Task[bool]] = set()
        self.address = ""
        world.announce = self.announce

    def announce(self, name: str, payload: dict[str, Any], readers: Iterable[int]) -> None:
        """Tell the sessions of *readers*."""
        wanted = set(readers)
        guild = payload.get("guild_id")
        for session in list(self._sessions.values()):
            if session.person.id not in wanted or not session.wants(name, payload):
                continue
            if session.person.bot and not session.serves(int(guild) if guild else None):
                continue
            session.dispatch(name, payload)

    def to_bot(self, name: str, payload: dict[str, Any]) -> bool:
        """Tell the bot's session that serves the payload's guild; whether one is connected."""
        self.announce(name, payload, [APPLICATION])
        return self.bot_connected

    @property
    def bot_connected(self) -> bool:
        """Whether a session of the bot is open."""
        return any(session.person.bot and session.socket is not None for session in self._sessions.values())

    def strike(self, fault: Any) -> None:
        """A fault on every connection of the bot: ``reconnect`` (op 7), ``invalid_session`` (op 9, and the session is
        forgotten), ``close`` (the connection breaks; the session can be resumed), ``silence`` (until ``heal``).

        Raises:
            ApiError: there is no such fault.
        """
        if fault not in ("reconnect", "invalid_session", "close", "silence"):
            raise invalid_form("gateway", "BASE_TYPE_CHOICES", "reconnect, invalid_session, close or silence")
        for session in [session for session in self._sessions.values() if session.person.bot]:
            socket = session.socket
            if socket is None:
                continue
            match fault:
                case "reconnect":
                    socket.op(RECONNECT)
                case "invalid_session":
                    del self._sessions[session.id]
                    socket.op(INVALID, False)
                case "close":
                    socket.broken = True
                    closing = asyncio.get_running_loop().create_task(socket.ws.close(code=4000))
                    self._closing.add(closing)
                    closing.add_done_callback(self._closing.discard)
                case "silence":
                    socket.fall_silent()

    def heal(self) -> None:
        """Silent connections speak again."""
        for session in self._sessions.values():
            if session.socket is not None:
                session.socket.speak()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """A client connects."""
        compression = request.query.get("compress")
        if request.query.get("encoding", "json") != "json" or compression not in (None, "zlib-stream"):
            log.warning("gateway: %s is not implemented", request.query_string)
            raise web.HTTPBadRequest(text="only encoding=json, and compress=zlib-stream or none")
        socket = Socket(compression is not None)
        await socket.ws.prepare(request)
        pump = asyncio.get_running_loop().create_task(socket.pump())
        socket.op(HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
        session: Session | None = None
        try:
            async for message in socket.ws:
                if message.type is not WSMsgType.TEXT:
                    continue
                session = await self._receive(socket, session, json.loads(message.data))
        finally:
            self._disconnected(session, socket)
            socket.send("")
            pump.cancel()
        return socket.ws

    def _disconnected(self, session: Session | None, socket: Socket) -> None:
        """A bot that closes with 1000 or 1001 ends its session; otherwise it can be resumed. People's just end."""
        if session is None or session.socket is not socket:
            return
        session.socket = None
        if socket.broken and session.person.bot:
            return
        if not session.person.bot or socket.ws.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
            self._sessions.pop(session.id, None)

    async def _receive(self, socket: Socket, session: Session | None, frame: dict[str, Any]) -> Session | None:
        payload: Any = frame.get("d")
        match frame.get("op"):
            case 1:
                # discord.py notes when it has sent a heartbeat only after sending: an answer faster than any real
                # network would count from the heartbeat before.
                asyncio.get_running_loop().call_later(ACK_SECONDS, socket.op, ACK)
            case 2:
                return await self._identify(socket, payload)
            case 3 | 4:
                log.debug("gateway: op %s has no effect here", frame["op"])
            case 6:
                return await self._resume(socket, payload)
            case op:
                log.warning("gateway: op %s is not implemented", op)
                await socket.ws.close(code=4001, message=b"Unknown opcode")
        return session

    async def _identify(self, socket: Socket, payload: dict[str, Any]) -> Session | None:
        person = self._world.by_token(str(payload.get("token", "")).removeprefix("Bot "))
        if person is None:
            await socket.ws.close(code=4004, message=b"Authentication failed.")
            return None
        shard = payload.get("shard") or (0, 1)
        session = Session(person, int(payload.get("intents") or 0), (int(shard[0]), int(shard[1])))
        session.socket = socket
        self._sessions[session.id] = session
        session.dispatch("READY", self._ready(session))
        for guild in self._world.guilds.values():
            if person.bot and session.serves(guild.id) and session.intents & 1:
                session.dispatch("GUILD_CREATE", self._world.guild_object(guild))
        return session

    def _ready(self, session: Session) -> dict[str, Any]:
        world, person = self._world, session.person
        ready: dict[str, Any] = {
            "v": 10,
            "user": {**user_object(person), "verified": True, "mfa_enabled": False, "email": None, "flags": 0},
            "session_id": session.id,
            "resume_gateway_url": self.address,
            "session_type": "normal",
            "_trace": [],
        }
        if person.bot:
            ready |= {
                "guilds": [{"id": str(guild), "unavailable": True} for guild in world.guilds if session.serves(guild)],
                "application": {"id": str(APPLICATION), "flags": 0},
                "shard": list(session.shard),
                "private_channels": [],
            }
        else:
            private = [
                world.channel_object(channel, person)
                for channel in world.channels.values()
                if channel.type is ChannelType.DM and person.id in channel.recipients
            ]
            guilds = [world.guild_object(guild) for guild in world.guilds.values()]
            ready |= {"guilds": guilds, "private_channels": private, "locale": person.locale}
        return ready

    async def _resume(self, socket: Socket, payload: dict[str, Any]) -> Session | None:
        session = self._sessions.get(str(payload.get("session_id")))
        last = int(payload.get("seq") or 0)
        token = str(payload.get("token", "")).removeprefix("Bot ")
        if session is None or session.person.token != token or not self._can_replay(session, last):
            socket.op(INVALID, False)
            return None
        session.socket = socket
        for sequence, text in session.sent:
            if sequence > last:
                socket.send(text)
        session.dispatch("RESUMED", {"_trace": []})
        return session

    @staticmethod
    def _can_replay(session: Session, last: int) -> bool:
        return last <= session.sequence and (not session.sent or session.sent[0][0] <= last + 1)

    async def close(self) -> None:
        """Disconnect everybody."""
        for session in list(self._sessions.values()):
            if session.socket is not None:
                await session.socket.ws.close(code=WSCloseCode.GOING_AWAY)
