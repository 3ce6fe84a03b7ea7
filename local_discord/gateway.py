"""The gateway: clients identify, send heartbeats and resume; events go to those who may see them.

https://discord.com/developers/docs/events/gateway
"""

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from local_discord.errors import invalid_form
from local_discord.initial import APPLICATION
from local_discord.model import ChannelType
from local_discord.serialize import user as user_object
from local_discord.sessions import GUILDS, Op, Session, Socket
from local_discord.world import World

log = logging.getLogger(__name__)

HEARTBEAT_MS: Final = 41_250
ACK_SECONDS: Final = 0.02
"""How long a heartbeat waits for its answer."""


class Gateway:
    """All sessions of one world. A bot is told to use so many *shards*."""

    def __init__(self, world: World, shards: int = 1) -> None:
        self._world = world
        self.shards = shards
        self._sessions: dict[str, Session] = {}
        self._closing: set[asyncio.Task[bool]] = set()
        self.address = ""
        """Where clients connect, once the server listens."""
        world.announce = self.announce

    def announce(self, name: str, payload: dict[str, Any], readers: Iterable[int]) -> None:
        """Send the event *name* to the sessions of *readers* (ids of users)."""
        wanted = set(readers)
        guild = payload.get("id" if name.startswith("GUILD_") else "guild_id")
        for session in list(self._sessions.values()):
            if session.person.id not in wanted or not session.wants(name, payload):
                continue
            if session.person.bot and not session.serves(int(guild) if guild else None):
                continue
            session.dispatch(name, payload)

    def to_bot(self, name: str, payload: dict[str, Any]) -> bool:
        """Send the event *name* to the bot's session for the payload's guild. Whether any session is connected."""
        self.announce(name, payload, [APPLICATION])
        return self.bot_connected

    @property
    def bot_connected(self) -> bool:
        """Whether a session of the bot is open."""
        return any(session.person.bot and session.socket is not None for session in self._sessions.values())

    def inject(self, fault: Any) -> None:
        """Apply *fault* to every connection of the bot:

        - ``reconnect``: op 7
        - ``invalid_session``: op 9, and the session cannot be resumed
        - ``close``: the connection breaks, but the session can be resumed
        - ``silence``: nothing is sent until ``clear_faults``

        Raises:
            ApiError: there is no such fault (50035).
        """
        if fault not in ("reconnect", "invalid_session", "close", "silence"):
            raise invalid_form("gateway", "BASE_TYPE_CHOICES", "reconnect, invalid_session, close or silence")
        for session in [session for session in self._sessions.values() if session.person.bot]:
            socket = session.socket
            if socket is None:
                continue
            match fault:
                case "reconnect":
                    socket.op(Op.RECONNECT)
                case "invalid_session":
                    del self._sessions[session.id]
                    socket.op(Op.INVALID_SESSION, False)
                case "close":
                    socket.broken = True
                    closing = asyncio.get_running_loop().create_task(socket.ws.close(code=4000))
                    self._closing.add(closing)
                    closing.add_done_callback(self._closing.discard)
                case "silence":
                    socket.mute()

    def clear_faults(self) -> None:
        """End the fault ``silence``: what was held back is sent now."""
        for session in self._sessions.values():
            if session.socket is not None:
                session.socket.unmute()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it closes.

        Raises:
            HTTPBadRequest: it asks for another encoding or compression than there is here.
        """
        compression = request.query.get("compress")
        if request.query.get("encoding", "json") != "json" or compression not in (None, "zlib-stream"):
            log.warning("gateway: %s is not implemented", request.query_string)
            raise web.HTTPBadRequest(text="only encoding=json, and compress=zlib-stream or none")
        socket = Socket(compression is not None)
        await socket.ws.prepare(request)
        pump = asyncio.get_running_loop().create_task(socket.pump())
        socket.op(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
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
        """End the session of a person, or of a bot that closes with 1000 or 1001. Other sessions can be resumed."""
        if session is None or session.socket is not socket:
            return
        session.socket = None
        if socket.broken and session.person.bot:
            return
        if not session.person.bot or socket.ws.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
            self._sessions.pop(session.id, None)

    async def _receive(self, socket: Socket, session: Session | None, frame: dict[str, Any]) -> Session | None:
        """Handle one *frame* from a client. The connection's session after it; ``None``: not identified yet."""
        payload: Any = frame.get("d")
        match frame.get("op"):
            case Op.HEARTBEAT:
                # discord.py notes the time of a heartbeat only after it has sent it. If the answer came faster than
                # over any real network, discord.py would measure from the heartbeat before.
                asyncio.get_running_loop().call_later(ACK_SECONDS, socket.op, Op.HEARTBEAT_ACK)
            case Op.IDENTIFY:
                return await self._identify(socket, payload)
            case Op.PRESENCE | Op.VOICE_STATE:
                log.debug("gateway: op %s has no effect here", frame["op"])
            case Op.RESUME:
                return await self._resume(socket, payload)
            case op:
                log.warning("gateway: op %s is not implemented", op)
                await socket.ws.close(code=4001, message=b"Unknown opcode")
        return session

    async def _identify(self, socket: Socket, payload: dict[str, Any]) -> Session | None:
        """Start a session: READY, and for a bot a GUILD_CREATE for each of its guilds. ``None``: a wrong token."""
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
            here = APPLICATION in guild.members and session.serves(guild.id)
            if person.bot and here and session.intents & GUILDS:
                session.dispatch("GUILD_CREATE", self._world.guild_object(guild, person))
        return session

    def _ready(self, session: Session) -> dict[str, Any]:
        """The payload of READY. A bot gets only the ids of its guilds, a person gets them whole.

        https://discord.com/developers/docs/events/gateway-events#ready
        """
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
            here = [it.id for it in world.guilds.values() if APPLICATION in it.members and session.serves(it.id)]
            ready |= {
                "guilds": [{"id": str(guild), "unavailable": True} for guild in here],
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
            guilds = [world.guild_object(guild, person) for guild in world.guilds.values()]
            ready |= {"guilds": guilds, "private_channels": private, "locale": person.locale}
        return ready

    async def _resume(self, socket: Socket, payload: dict[str, Any]) -> Session | None:
        """Go on with a session: send what the client has missed, then RESUMED. ``None``: it cannot be resumed."""
        session = self._sessions.get(str(payload.get("session_id")))
        last = int(payload.get("seq") or 0)
        token = str(payload.get("token", "")).removeprefix("Bot ")
        if session is None or session.person.token != token or not self._can_replay(session, last):
            socket.op(Op.INVALID_SESSION, False)
            return None
        session.socket = socket
        for sequence, text in session.sent:
            if sequence > last:
                socket.send(text)
        session.dispatch("RESUMED", {"_trace": []})
        return session

    @staticmethod
    def _can_replay(session: Session, last: int) -> bool:
        """Whether all events after the sequence number *last* are still kept."""
        return last <= session.sequence and (not session.sent or session.sent[0][0] <= last + 1)

    async def close(self) -> None:
        """Disconnect everybody."""
        for session in list(self._sessions.values()):
            if session.socket is not None:
                await session.socket.ws.close(code=WSCloseCode.GOING_AWAY)
