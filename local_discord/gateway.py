"""The gateway: its sessions, and which events go to whom.

https://discord.com/developers/docs/events/gateway
"""

import asyncio
import logging
import time
from collections.abc import Callable, Container
from typing import Any, Final

from aiohttp import WSCloseCode, web

from local_discord.connections import Connection
from local_discord.errors import invalid_form
from local_discord.forms import MOST
from local_discord.initial import APPLICATION, fresh_token
from local_discord.model import ChannelType, Intent
from local_discord.serialize import application_flags
from local_discord.serialize import user as user_object
from local_discord.sessions import Close, Op, Session, Socket
from local_discord.starts import Starts
from local_discord.world import World

log = logging.getLogger(__name__)

FAULTS: Final = ("reconnect", "invalid_session", "close", "silence", "deaf", "twice")
REPEATED: Final = ("invalid_session", "twice")
"""The faults that can come several times."""


class Gateway:
    """All sessions of one world. A bot is told to use so many *shards*; *concurrency* is how many of them may identify
    at a time (``Starts``), by *clock*, in seconds."""

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
        """Send the event *name* to the sessions of *readers* (ids of users)."""
        guild = payload.get("id" if name.startswith("GUILD_") else "guild_id")
        for session in list(self._sessions.values()):
            if session.person.id not in readers or not session.wants(name, payload):
                continue
            if session.person.bot and not session.serves(int(guild) if guild else None):
                continue
            session.dispatch(name, session.view(name, payload))

    def to_bot(self, name: str, payload: dict[str, Any]) -> bool:
        """Send the event *name* to the bot's session for the payload's guild. Whether any session is connected."""
        times = 2 if self._twice > 0 else 1
        self._twice = max(0, self._twice - 1)
        for _ in range(times):
            self.announce(name, payload, [APPLICATION])
        return self.bot_connected

    @property
    def bot_connected(self) -> bool:
        """Whether a session of the bot is open."""
        return any(session.person.bot and session.socket is not None for session in self._sessions.values())

    @property
    def bot_sessions(self) -> list[int]:
        """The shard of every open session of the bot; one that has several sessions is there several times."""
        return sorted(it.shard[0] for it in self._sessions.values() if it.person.bot and it.socket is not None)

    def inject(self, fault: Any, times: Any = 1) -> None:
        """Apply *fault* to every connection of the bot:

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
                    socket.op(Op.RECONNECT)
                case "invalid_session":
                    del self._sessions[session.id]
                    socket.op(Op.INVALID_SESSION, False)
                case "close":
                    socket.broken = True
                    self._close(socket, Close.UNKNOWN_ERROR)
                case "silence":
                    socket.mute()
                case "deaf":
                    session.deaf = True

    def turns_away(self) -> bool:
        """Whether an IDENTIFY of the bot is answered with op 9, because of the fault ``invalid_session``."""
        self._invalid -= 1 if (away := self._invalid > 0) else 0
        return away

    def reset_token(self) -> None:
        """The bot has begun too many sessions: Discord ends all of them, and makes a new token.

        https://discord.com/developers/docs/events/gateway#session-start-limit-object
        """
        bot = self.world.bot
        bot.token = fresh_token(bot.id)
        for session in [session for session in self._sessions.values() if session.person.bot]:
            del self._sessions[session.id]
            if session.socket is not None:
                self._close(session.socket, Close.AUTHENTICATION_FAILED)

    def _close(self, socket: Socket, code: Close) -> None:
        closing = asyncio.get_running_loop().create_task(socket.ws.close(code=code))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def clear_faults(self) -> None:
        """End the faults that last: what ``silence`` held back is sent now; what a ``deaf`` session missed is lost."""
        self._twice = self._invalid = 0
        for session in self._sessions.values():
            session.deaf = False
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
        connection = Connection(self, Socket(compression is not None))
        return await connection.serve(request)

    # Sessions

    def begin(self, session: Session) -> None:
        """Take *session* up: READY, and for a bot a GUILD_CREATE for each of its guilds that has no outage."""
        self._sessions[session.id] = session
        session.dispatch("READY", self._ready(session))
        for guild in self.world.guilds.values():
            here = APPLICATION in guild.members and session.serves(guild.id) and not guild.unavailable
            if session.person.bot and here and session.intents & Intent.GUILDS:
                session.dispatch("GUILD_CREATE", self.world.guild_object(guild, session.person))

    def find(self, session_id: str, token: str) -> Session | None:
        """The session with that id whose client has *token*; ``None``: there is none, or no more."""
        session = self._sessions.get(session_id)
        return session if session is not None and session.person.token == token else None

    def end(self, session: Session) -> None:
        """Forget *session*: it cannot be resumed."""
        self._sessions.pop(session.id, None)

    def _ready(self, session: Session) -> dict[str, Any]:
        """The payload of READY. A bot gets only the ids of its guilds, a person gets them whole.

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
                if channel.type is ChannelType.DM and person.id in channel.recipients
            ]
            guilds = [world.guild_object(guild, person) for guild in world.guilds.values()]
            ready |= {"guilds": guilds, "private_channels": private, "locale": person.locale}
        return ready

    async def close(self) -> None:
        """Disconnect everybody."""
        for session in list(self._sessions.values()):
            if session.socket is not None:
                await session.socket.ws.close(code=WSCloseCode.GOING_AWAY)
