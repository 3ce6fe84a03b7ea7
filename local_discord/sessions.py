"""A client's session at the gateway, and the socket it uses. https://discord.com/developers/docs/events/gateway"""

import asyncio
import json
import secrets
import zlib
from collections import deque
from enum import IntEnum
from typing import Any, Final

from aiohttp import web

from local_discord.model import Intent, User
from local_discord.serialize import without_content

KEPT_EVENTS: Final = 1_000
"""How many events a session can send again after a resume."""


class Op(IntEnum):
    """What a frame is for.

    https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes
    """

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """Why a connection is closed.

    https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
    """

    UNKNOWN_ERROR = 4000
    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQUENCE = 4007
    INVALID_SHARD = 4010
    INVALID_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


KNOWN_INTENTS: Final = (1 << 17) - 1 | 1 << 20 | 1 << 21 | 1 << 24 | 1 << 25
"""https://discord.com/developers/docs/events/gateway#list-of-intents"""
INTENT_OF: Final = {
    "GUILD_CREATE": Intent.GUILDS,
    "GUILD_UPDATE": Intent.GUILDS,
    "GUILD_DELETE": Intent.GUILDS,
    "CHANNEL_CREATE": Intent.GUILDS,
    "CHANNEL_UPDATE": Intent.GUILDS,
    "CHANNEL_DELETE": Intent.GUILDS,
    "THREAD_CREATE": Intent.GUILDS,
    "THREAD_UPDATE": Intent.GUILDS,
    "THREAD_DELETE": Intent.GUILDS,
    "THREAD_MEMBER_UPDATE": Intent.GUILDS,
    "THREAD_MEMBERS_UPDATE": Intent.GUILDS,
    "MESSAGE_CREATE": Intent.GUILD_MESSAGES,
    "MESSAGE_UPDATE": Intent.GUILD_MESSAGES,
    "MESSAGE_DELETE": Intent.GUILD_MESSAGES,
}
"""The intent a bot needs for an event; for messages in direct messages it is ``DIRECT_MESSAGES`` instead. Other events,
such as interactions, need none. https://discord.com/developers/docs/events/gateway#gateway-intents"""


WITH_CONTENT: Final = ("MESSAGE_CREATE", "MESSAGE_UPDATE")


class Session:
    """One client that has identified itself at the gateway, with its events. Without a socket it can be resumed.

    It may have no socket: then the client can come back and resume it.
    """

    def __init__(self, person: User, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.person = person
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.sent: deque[tuple[int, str]] = deque(maxlen=KEPT_EVENTS)
        """The newest events: (sequence number, frame)."""
        self.socket: Socket | None = None
        self.deaf = False
        """It gets no interactions any more, and seems well otherwise."""

    def dispatch(self, name: str, payload: dict[str, Any]) -> None:
        """Send the event *name* with *payload* to the client, and keep it, so it can be sent again after a resume."""
        self.sequence += 1
        text = json.dumps({"op": Op.DISPATCH, "t": name, "s": self.sequence, "d": payload})
        self.sent.append((self.sequence, text))
        if self.socket is not None:
            self.socket.send(text)

    def wants(self, name: str, payload: dict[str, Any]) -> bool:
        """Whether the client gets the event *name*: a bot by its intents, unless the session is deaf; people get
        everything."""
        if self.deaf and name == "INTERACTION_CREATE":
            return False
        if not self.person.bot or name not in INTENT_OF:
            return True
        private = name.startswith("MESSAGE_") and "guild_id" not in payload
        return bool(self.intents & (Intent.DIRECT_MESSAGES if private else INTENT_OF[name]))

    def view(self, name: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the event's *payload* as this client sees it: without content if a bot lacks the intent for it."""
        blind = self.person.bot and "guild_id" in payload and not self.intents & Intent.MESSAGE_CONTENT
        return without_content(payload, self.person.id) if blind and name in WITH_CONTENT else payload

    def can_replay(self, last: int) -> bool:
        """Whether all events after the sequence number *last* are still kept, so that a resume can send them again."""
        return not self.sent or self.sent[0][0] <= last + 1

    def serves(self, guild: int | None) -> bool:
        """Whether this shard gets the events of *guild* (``None``: direct messages, which shard 0 gets)."""
        number, count = self.shard
        return number == (0 if guild is None else (guild >> 22) % count)


class Socket:
    """A WebSocket, *compressed* as ``zlib-stream`` or not. Sending only queues a frame, and ``pump`` writes it."""

    def __init__(self, compressed: bool) -> None:
        self.ws = web.WebSocketResponse(max_msg_size=1 << 20)
        self._deflate = zlib.compressobj() if compressed else None
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._held: list[str] | None = None
        """Frames that wait until the socket is unmuted; ``None``: it is not muted."""
        self.broken = False
        """Closed by a fault or for want of a heartbeat: the session can be resumed, whichever code the client sends."""

    def send(self, text: str) -> None:
        """Queue the frame *text*; while the socket is muted, hold it back."""
        if self._held is not None:
            self._held.append(text)
        else:
            self._outbox.put_nowait(text)

    def mute(self) -> None:
        """Hold back every frame from now on; the connection stays open."""
        self._held = self._held or []

    def unmute(self) -> None:
        """Queue the frames that were held back, in order, and hold back no more."""
        held, self._held = self._held or [], None
        for text in held:
            self.send(text)

    def send_op(self, op: Op, payload: Any = None) -> None:
        """Queue a frame with the opcode *op* and *payload*, which is no event."""
        self.send(json.dumps({"op": op, "t": None, "s": None, "d": payload}))

    async def pump(self) -> None:
        """Write the queued frames to the WebSocket until it closes."""
        while (text := await self._outbox.get()) is not None and not self.ws.closed:
            try:
                if self._deflate is None:
                    await self.ws.send_str(text)
                else:
                    data = self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    await self.ws.send_bytes(data)
            except ConnectionError:
                return
