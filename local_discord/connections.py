"""One connection to the gateway: identify, heartbeat, resume, and what closes it.

https://discord.com/developers/docs/events/gateway#connection-lifecycle
"""

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from local_discord.errors import ApiError
from local_discord.forms import Form
from local_discord.model import PRIVILEGED, Intent, User
from local_discord.serialize import member
from local_discord.sessions import KNOWN_INTENTS, Close, Op, Session, Socket

if TYPE_CHECKING:
    from local_discord.gateway import Gateway

log = logging.getLogger(__name__)

VERSION: Final = "10"
HEARTBEAT_MS: Final = 41_250
GRACE_SECONDS: Final = 10.0
"""How much later than it should a heartbeat may come."""
ACK_SECONDS: Final = 0.02
"""How long a heartbeat waits for its answer."""
MOST_BYTES: Final = 4096
"""Of a frame that a client sends."""
MOST_FOUND: Final = 100
"""How many members a client gets that asks for some."""


class Refused(Exception):
    """The connection must be closed with *code*."""

    def __init__(self, code: Close) -> None:
        super().__init__(code.name)
        self.code = code


class Connection:
    """A connection of *gateway*, with its *socket*. ``session`` is set when the client has identified itself."""

    def __init__(self, gateway: "Gateway", socket: Socket) -> None:
        self._gateway = gateway
        self._world = gateway.world
        self._socket = socket
        self._overdue: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[bool] | None = None
        self.session: Session | None = None

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve the client behind *request* until the connection closes."""
        ws = self._socket.ws
        await ws.prepare(request)
        pump = asyncio.get_running_loop().create_task(self._socket.pump())
        try:
            if request.query.get("v", VERSION) != VERSION:
                raise Refused(Close.INVALID_VERSION)
            self._socket.op(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
            self._expect_heartbeat()
            async for message in ws:
                self._receive(_frame(message))
        except Refused as refused:
            await ws.close(code=refused.code, message=refused.code.name.encode())
        finally:
            if self._overdue is not None:
                self._overdue.cancel()
            self._disconnected()
            self._socket.send("")
            pump.cancel()
        return ws

    def _expect_heartbeat(self) -> None:
        """Close the connection if no heartbeat comes in time. The client can resume its session."""
        if self._overdue is not None:
            self._overdue.cancel()
        loop = asyncio.get_running_loop()
        self._overdue = loop.call_later(HEARTBEAT_MS / 1000 + GRACE_SECONDS, self._close_silent)

    def _close_silent(self) -> None:
        self._socket.broken = True
        closing = self._socket.ws.close(code=Close.UNKNOWN_ERROR, message=b"No heartbeat came in time.")
        self._closing = asyncio.get_running_loop().create_task(closing)

    def _disconnected(self) -> None:
        """End the session of a person, or of a bot that closes with 1000 or 1001. Other sessions can be resumed."""
        session, socket = self.session, self._socket
        if session is None or session.socket is not socket:
            return
        session.socket = None
        if socket.broken and session.person.bot:
            return
        if not session.person.bot or socket.ws.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
            self._gateway.end(session)

    def _receive(self, frame: dict[str, Any]) -> None:
        """Handle one *frame* from the client.

        Raises:
            Refused: the client may not send it, or not like this.
        """
        op, payload = frame.get("op"), frame.get("d")
        if not isinstance(op, int) or op not in _FROM_CLIENTS:
            log.warning("gateway: op %s is not implemented", op)
            raise Refused(Close.UNKNOWN_OPCODE)
        if op == Op.HEARTBEAT:
            self._expect_heartbeat()
            # discord.py notes the time of a heartbeat only after it has sent it. If the answer came faster than over
            # any real network, discord.py would measure from the heartbeat before.
            asyncio.get_running_loop().call_later(ACK_SECONDS, self._socket.op, Op.HEARTBEAT_ACK)
            return
        if (op in (Op.IDENTIFY, Op.RESUME)) is (self.session is not None):
            raise Refused(Close.ALREADY_AUTHENTICATED if self.session else Close.NOT_AUTHENTICATED)
        try:
            match op:
                case Op.IDENTIFY:
                    self._identify(Form(payload))
                case Op.RESUME:
                    self._resume(Form(payload))
                case Op.REQUEST_MEMBERS:
                    self._send_members(Form(payload))
                case _:
                    log.debug("gateway: op %s has no effect here", op)
        except ApiError:
            raise Refused(Close.DECODE_ERROR) from None

    # Identify and resume

    def _identify(self, form: Form) -> None:
        """Start a session. If it comes too early, or a fault says so, the client is turned away by op 9.

        Raises:
            Refused: the token, the intents or the shard are wrong.
        """
        person = self._world.by_token(_token(form))
        if person is None:
            raise Refused(Close.AUTHENTICATION_FAILED)
        session = Session(person, self._intents(person, form), _shard(form))
        if person.bot and self._gateway.starts.used_up:
            self._gateway.reset_token()
            raise Refused(Close.AUTHENTICATION_FAILED)
        if person.bot and (not self._gateway.starts.take(session.shard[0]) or self._gateway.turns_away()):
            self._socket.op(Op.INVALID_SESSION, False)  # the client may identify itself here again, later
            return
        session.socket = self._socket
        self.session = session
        self._gateway.begin(session)

    def _intents(self, person: User, form: Form) -> int:
        """The intents of a bot; people have none, and get every event.

        Raises:
            Refused: they are missing or unknown, or the application may not have them.
        """
        if not person.bot:
            return 0
        intents = form.value("intents")
        if not isinstance(intents, int) or isinstance(intents, bool) or intents < 0 or intents & ~KNOWN_INTENTS:
            raise Refused(Close.INVALID_INTENTS)
        if intents & PRIVILEGED & ~self._world.intents:
            raise Refused(Close.DISALLOWED_INTENTS)
        return intents

    def _resume(self, form: Form) -> None:
        """Go on with a session: send what the client has missed, then RESUMED. If it cannot be resumed, say so.

        Raises:
            Refused: the client says that it knows events which there have not been.
        """
        last = form.whole("seq", 0, 1 << 62) or 0
        session = self._gateway.find(form.text("session_id") or "", _token(form))
        if session is not None and last > session.sequence:
            raise Refused(Close.INVALID_SEQUENCE)
        if session is None or not session.can_replay(last):
            self._socket.op(Op.INVALID_SESSION, False)
            return
        session.socket = self._socket
        self.session = session
        for sequence, text in session.sent:
            if sequence > last:
                self._socket.send(text)
        session.dispatch("RESUMED", {"_trace": []})

    # Members

    def _send_members(self, form: Form) -> None:
        """Send the members of a guild that the client asks for, in one GUILD_MEMBERS_CHUNK.

        https://discord.com/developers/docs/events/gateway-events#request-guild-members

        Raises:
            Refused: the whole list needs the intent GUILD_MEMBERS.
        """
        session = self.session
        guild = self._world.guilds.get(form.snowflake("guild_id", required=True) or 0)
        query, limit, nonce = form.text("query"), form.whole("limit", 0, 1 << 31), form.value("nonce")
        given = form.value("user_ids")
        ids = Form({"user_ids": given if isinstance(given, list) or given is None else [given]})
        wanted = [str(it) for it in ids.items("user_ids", most=MOST_FOUND) or []]
        if session is None or guild is None or (query is None and not wanted):
            raise Refused(Close.DECODE_ERROR)
        everybody = query == "" and not limit
        if everybody and session.person.bot and not session.intents & Intent.GUILD_MEMBERS:
            raise Refused(Close.DISALLOWED_INTENTS)
        people = [self._world.users[number] for number in guild.members]
        if query is None:
            found = [person for person in people if str(person.id) in wanted]
        else:
            found = [person for person in people if person.name.lower().startswith(query.lower())]
            found = found if everybody else found[: min(limit or MOST_FOUND, MOST_FOUND)]
        known = {str(person.id) for person in found}
        chunk: dict[str, Any] = {
            "guild_id": str(guild.id),
            "members": [member(person, guild.id) for person in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [it for it in wanted if query is None and it not in known],
        }
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk | ({"nonce": nonce} if isinstance(nonce, str) else {}))


_FROM_CLIENTS: Final = (Op.HEARTBEAT, Op.IDENTIFY, Op.PRESENCE, Op.VOICE_STATE, Op.RESUME, Op.REQUEST_MEMBERS)


def _frame(message: WSMessage) -> dict[str, Any]:
    """The JSON of a frame, which may be text or binary.

    Raises:
        Refused: it is too large, or no JSON object.
    """
    data = message.data.encode() if message.type is WSMsgType.TEXT else message.data
    try:
        frame = json.loads(data) if isinstance(data, bytes) and len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict):
        raise Refused(Close.DECODE_ERROR)
    return frame


def _token(form: Form) -> str:
    return str(form.value("token")).removeprefix("Bot ")


def _shard(form: Form) -> tuple[int, int]:
    """The shard of a session: (index from 0, number of shards).

    Raises:
        Refused: there is no such shard.
    """
    given = form.value("shard")
    if given is None:
        return 0, 1
    whole = isinstance(given, list) and all(isinstance(it, int) and not isinstance(it, bool) for it in given)
    if not whole or len(given) != 2 or not 0 <= given[0] < given[1]:
        raise Refused(Close.INVALID_SHARD)
    return given[0], given[1]
