"""The gateway: its sessions, and which events go to whom.

https://discord.com/developers/docs/events/gateway
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Container
from typing import Any, Final

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from local_discord.errors import ApiError, invalid_form
from local_discord.forms import MOST, Form
from local_discord.initial import APPLICATION, new_auth_token
from local_discord.model import PRIVATE, PRIVILEGED, Intent, User
from local_discord.serialize import application_flags, member
from local_discord.serialize import user as user_object
from local_discord.sessions import KNOWN_INTENTS, Close, Op, Session, Socket
from local_discord.starts import Starts
from local_discord.world import World

# One connection to the gateway: identify, heartbeat, resume, and what closes it.
#
# https://discord.com/developers/docs/events/gateway#connection-lifecycle


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
    """One WebSocket connection of a client to *gateway*. ``session`` is set when the client has identified itself."""

    def __init__(self, gateway: "Gateway", socket: Socket) -> None:
        self._gateway = gateway
        self._world = gateway.world
        self._socket = socket
        self._overdue: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[bool] | None = None
        self.session: Session | None = None

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve the client behind *request* (hello, heartbeats, identify, resume) until the connection closes, and
        return the WebSocket."""
        ws = self._socket.ws
        await ws.prepare(request)
        pump = asyncio.get_running_loop().create_task(self._socket.pump())
        try:
            if request.query.get("v", VERSION) != VERSION:
                raise Refused(Close.INVALID_VERSION)
            self._socket.send_op(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
            self._expect_heartbeat()
            async for message in ws:
                self._handle_frame(_parse_frame(message))
        except Refused as refused:
            await ws.close(code=refused.code, message=refused.code.name.encode())
        finally:
            if self._overdue is not None:
                self._overdue.cancel()
            self._detach_session()
            self._socket.send("")
            pump.cancel()
        return ws

    def _expect_heartbeat(self) -> None:
        """Restart the timer that closes the connection if no heartbeat comes in time; its session can be resumed
        then."""
        if self._overdue is not None:
            self._overdue.cancel()
        loop = asyncio.get_running_loop()
        self._overdue = loop.call_later(HEARTBEAT_MS / 1000 + GRACE_SECONDS, self._close_for_missed_heartbeat)

    def _close_for_missed_heartbeat(self) -> None:
        """Close the connection because no heartbeat came in time; its session can be resumed."""
        self._socket.broken = True
        closing = self._socket.ws.close(code=Close.UNKNOWN_ERROR, message=b"No heartbeat came in time.")
        self._closing = asyncio.get_running_loop().create_task(closing)

    def _detach_session(self) -> None:
        """Detach the session from the closed connection; end it if it is a person's, or if a bot closed with 1000 or
        1001.

        Others can be resumed.
        """
        session, socket = self.session, self._socket
        if session is None or session.socket is not socket:
            return
        session.socket = None
        if socket.broken and session.person.bot:
            return
        if not session.person.bot or socket.ws.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
            self._gateway.end_session(session)

    def _handle_frame(self, frame: dict[str, Any]) -> None:
        """Handle one *frame* from the client: heartbeat, identify, resume, or request for members; raise Refused if it
        may not send it now, or not like this."""
        op, payload = frame.get("op"), frame.get("d")
        if not isinstance(op, int) or op not in _FROM_CLIENTS:
            log.warning("gateway: op %s is not implemented", op)
            raise Refused(Close.UNKNOWN_OPCODE)
        if op == Op.HEARTBEAT:
            self._expect_heartbeat()
            # discord.py notes the time of a heartbeat only after it has sent it. If the answer came faster than over
            # any real network, discord.py would measure from the heartbeat before.
            asyncio.get_running_loop().call_later(ACK_SECONDS, self._socket.send_op, Op.HEARTBEAT_ACK)
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
        """Start a session for the client, or send op 9 if it comes too early or a fault says so; raise Refused for a
        wrong token, intents or shard."""
        person = self._world.user_by_token(_parse_token(form))
        if person is None:
            raise Refused(Close.AUTHENTICATION_FAILED)
        session = Session(person, self._parse_intents(person, form), _parse_shard(form))
        if person.bot and self._gateway.starts.used_up:
            self._gateway.reset_token()
            raise Refused(Close.AUTHENTICATION_FAILED)
        if person.bot and (
            not self._gateway.starts.try_start(session.shard[0]) or self._gateway.take_identify_rejection()
        ):
            self._socket.send_op(Op.INVALID_SESSION, False)  # the client may identify itself here again, later
            return
        session.socket = self._socket
        self.session = session
        self._gateway.start_session(session)

    def _parse_intents(self, person: User, form: Form) -> int:
        """Return the intents of a bot (0 for a person, who gets all events); or raise Refused if they are invalid or
        not allowed.

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
        """Go on with an earlier session: send the missed events, then RESUMED; or send op 9 if that is not possible.

        Raise Refused if the client says that it knows events which there have not been.
        """
        last = form.whole("seq", 0, 1 << 62) or 0
        session = self._gateway.find_session(form.text("session_id") or "", _parse_token(form))
        if session is not None and last > session.sequence:
            raise Refused(Close.INVALID_SEQUENCE)
        if session is None or not session.can_replay(last):
            self._socket.send_op(Op.INVALID_SESSION, False)
            return
        session.socket = self._socket
        self.session = session
        for sequence, text in session.sent:
            if sequence > last:
                self._socket.send(text)
        session.dispatch("RESUMED", {"_trace": []})

    # Members

    def _send_members(self, form: Form) -> None:
        """Send the members of a guild that the client asks for in one GUILD_MEMBERS_CHUNK; or raise Refused if the
        intent for it is missing.

        https://discord.com/developers/docs/events/gateway-events#request-guild-members

        Raises:
            Refused: the whole list needs the intent GUILD_MEMBERS.
        """
        session = self.session
        guild = self._world.guilds.get(form.snowflake("guild_id", required=True) or 0)
        query, limit, nonce = form.text("query"), form.whole("limit", 0, 1 << 31), form.value("nonce")
        given = form.value("user_ids")
        ids = Form({"user_ids": given if isinstance(given, list) or given is None else [given]})
        wanted = [str(it) for it in ids.list_field("user_ids", most=MOST_FOUND) or []]
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


def _parse_frame(message: WSMessage) -> dict[str, Any]:
    """Return the JSON object in *message*, a frame of a client; or raise Refused if it is too large or no JSON
    object."""
    data = message.data.encode() if message.type is WSMsgType.TEXT else message.data
    try:
        frame = json.loads(data) if isinstance(data, bytes) and len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict):
        raise Refused(Close.DECODE_ERROR)
    return frame


def _parse_token(form: Form) -> str:
    """Return the token in *form*, the payload of an IDENTIFY or RESUME, without the prefix "Bot "."""
    return str(form.value("token")).removeprefix("Bot ")


def _parse_shard(form: Form) -> tuple[int, int]:
    """Return the shard in *form*, the payload of an IDENTIFY, as (index from 0, number of shards); or raise Refused if
    it is invalid.

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


FAULTS: Final = ("reconnect", "invalid_session", "close", "silence", "deaf", "twice")
REPEATED: Final = ("invalid_session", "twice")
"""The faults that can come several times."""


class Gateway:
    """All gateway sessions of one world, and the faults of the bot's connections. A bot is told to use *shards*
    shards."""

    def __init__(
        self,
        world: World,
        shards: int = 1,
        concurrency: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.world = world
        self.shards = shards
        self.starts = Starts(concurrency, clock)
        self._sessions: dict[str, Session] = {}
        self._closing: set[asyncio.Task[bool]] = set()
        self._twice = 0
        """How many of the next interactions are sent twice."""
        self._invalid = 0
        """How many of the bot's next IDENTIFYs are answered with op 9."""
        self.address = ""
        """Where clients connect, once the server listens."""
        world.announce = self.announce

    def announce(self, name: str, payload: dict[str, Any], readers: Container[int]) -> None:
        """Send the event *name* with *payload* to the sessions of *readers* (user ids), of a bot only to those of its
        shard and with the intent."""
        guild = payload.get("id" if name.startswith("GUILD_") else "guild_id")
        for session in list(self._sessions.values()):
            if session.person.id not in readers or not session.wants(name, payload):
                continue
            if session.person.bot and not session.serves(int(guild) if guild else None):
                continue
            session.dispatch(name, session.view(name, payload))

    def send_to_bot(self, name: str, payload: dict[str, Any]) -> bool:
        """Send the event *name* to the bot's session for the payload's guild (twice if a fault says so); return whether
        any session of the bot is connected."""
        times = 2 if self._twice > 0 else 1
        self._twice = max(0, self._twice - 1)
        for _ in range(times):
            self.announce(name, payload, [APPLICATION])
        return self.bot_connected

    @property
    def bot_connected(self) -> bool:
        """Whether at least one session of the bot is connected."""
        return any(session.person.bot and session.socket is not None for session in self._sessions.values())

    @property
    def bot_sessions(self) -> list[int]:
        """The shard number of every connected session of the bot, sorted; a shard with several sessions is there
        several times."""
        return sorted(it.shard[0] for it in self._sessions.values() if it.person.bot and it.socket is not None)

    def inject_fault(self, fault: Any, times: Any = 1) -> None:
        """Apply *fault* to every connection of the bot (*times* for some of them); or raise ApiError (50035):

        - ``reconnect``: op 7
        - ``invalid_session``: op 9, and the session cannot be resumed. Of *times* the first is for the sessions that
          there are; each further one answers an IDENTIFY, which counts as one of the day
        - ``close``: the connection breaks, but the session can be resumed
        - ``silence``: nothing is sent until ``clear_faults``
        - ``deaf``: the sessions that there are get no interactions any more, and seem well otherwise
          (https://github.com/discord/discord-api-docs/issues/8162)
        - ``twice``: the next *times* interactions are sent twice, as may happen with RESUME

        Raises:
            ApiError: there is no such fault, or it cannot come so many times (50035).
        """
        if fault not in FAULTS:
            raise invalid_form("gateway", "BASE_TYPE_CHOICES", ", ".join(FAULTS))
        if type(times) is not int or not 1 <= times <= (MOST if fault in REPEATED else 1):
            raise invalid_form("times", "NUMBER_TYPE_COERCE", f"a number from 1 on, for {' and '.join(REPEATED)}")
        if fault == "twice":
            self._twice += times
            return
        if fault == "invalid_session":
            self._invalid = times - 1
        for session in [session for session in self._sessions.values() if session.person.bot]:
            socket = session.socket
            if socket is None:
                continue
            match fault:
                case "reconnect":
                    socket.send_op(Op.RECONNECT)
                case "invalid_session":
                    del self._sessions[session.id]
                    socket.send_op(Op.INVALID_SESSION, False)
                case "close":
                    socket.broken = True
                    self._close(socket, Close.UNKNOWN_ERROR)
                case "silence":
                    socket.mute()
                case "deaf":
                    session.deaf = True

    def take_identify_rejection(self) -> bool:
        """Whether this IDENTIFY of the bot is to be answered with op 9, because of the fault ``invalid_session``;
        counts it down."""
        self._invalid -= 1 if (away := self._invalid > 0) else 0
        return away

    def reset_token(self) -> None:
        """Give the bot a new token and end all its sessions, because it has begun too many.

        https://discord.com/developers/docs/events/gateway#session-start-limit-object
        """
        bot = self.world.bot
        bot.token = new_auth_token(bot.id)
        for session in [session for session in self._sessions.values() if session.person.bot]:
            del self._sessions[session.id]
            if session.socket is not None:
                self._close(session.socket, Close.AUTHENTICATION_FAILED)

    def _close(self, socket: Socket, code: Close) -> None:
        """Close *socket* with *code* in the background."""
        closing = asyncio.get_running_loop().create_task(socket.ws.close(code=code))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def clear_faults(self) -> None:
        """End all faults of connections: frames held back by ``silence`` are sent now."""
        self._twice = self._invalid = 0
        for session in self._sessions.values():
            session.deaf = False
            if session.socket is not None:
                session.socket.unmute()

    async def serve_connection(self, request: web.Request) -> web.StreamResponse:
        """Serve one WebSocket connection until it closes; or raise HTTPBadRequest for an unknown encoding or
        compression.

        Raises:
            HTTPBadRequest: it asks for another encoding or compression than there is here.
        """
        compression = request.query.get("compress")
        if request.query.get("encoding", "json") != "json" or compression not in (None, "zlib-stream"):
            log.warning("gateway: %s is not implemented", request.query_string)
            raise web.HTTPBadRequest(text="only encoding=json, and compress=zlib-stream or none")
        connection = Connection(self, Socket(compression is not None))
        return await connection.serve(request)

    # Sessions

    def start_session(self, session: Session) -> None:
        """Add *session* and send READY, and to a bot a GUILD_CREATE for each of its guilds without an outage."""
        self._sessions[session.id] = session
        session.dispatch("READY", self._ready(session))
        for guild in self.world.guilds.values():
            here = APPLICATION in guild.members and session.serves(guild.id) and not guild.unavailable
            if session.person.bot and here and session.intents & Intent.GUILDS:
                session.dispatch("GUILD_CREATE", self.world.guild_object(guild, session.person))

    def find_session(self, session_id: str, token: str) -> Session | None:
        """Return the session with the id *session_id* whose client has *token*; ``None`` if there is none (any
        more)."""
        session = self._sessions.get(session_id)
        return session if session is not None and session.person.token == token else None

    def end_session(self, session: Session) -> None:
        """Forget *session*: it cannot be resumed."""
        self._sessions.pop(session.id, None)

    def _ready(self, session: Session) -> dict[str, Any]:
        """Return the payload of READY: a bot gets only the ids of its guilds, a person the whole guilds.

        https://discord.com/developers/docs/events/gateway-events#ready
        """
        world, person = self.world, session.person
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
                "application": {"id": str(APPLICATION), "flags": application_flags(world.intents)},
                "shard": list(session.shard),
                "private_channels": [],
            }
        else:
            private = [
                world.channel_object(channel, person)
                for channel in world.channels.values()
                if channel.type in PRIVATE and person.id in channel.recipients
            ]
            guilds = [world.guild_object(guild, person) for guild in world.guilds.values()]
            ready |= {"guilds": guilds, "private_channels": private, "locale": person.locale}
        return ready

    async def disconnect_all(self) -> None:
        """Close the connections of all clients."""
        for session in list(self._sessions.values()):
            if session.socket is not None:
                await session.socket.ws.close(code=WSCloseCode.GOING_AWAY)
