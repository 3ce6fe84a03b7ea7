"""Where tables are at home: each at one process at most, at any moment; nobody else changes or shows anything of it."""

import logging
import re
import sqlite3
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from bot.tables.model import NO_SERVER
from local_discord.server import Server
from tests.simulation import virtual
from tests.simulation.machine import Member
from tests.simulation.shared import Server as Database

log = logging.getLogger(__name__)

SERVED_SECONDS: Final = 10.0
"""How soon after something went wrong a table has a home again."""
HANDED_SECONDS: Final = 1.0
"""How long a table may have no home while it is handed over."""
ALL_SECONDS: Final = 30.0
"""How soon after that every shard has a session again, and everybody knows it."""
LATE_SECONDS: Final = 0.25
"""How late a request may be sent by a process that has just given its table away."""
REQUEST: Final = re.compile(rb"(PATCH|POST|DELETE|PUT) /api/v10/(\S+) HTTP")


class Homes:
    """Looks at the processes *members*, their database in the file *path* on *shared*, and what they ask of *discord*,
    which has so many *shards*."""

    def __init__(self, members: Sequence[Member], path: Path, shared: Database, discord: Server, shards: int) -> None:
        """From now on every request that *discord* has answered is looked at."""
        self.members = members
        self.channels: list[int] = []
        """Where tables are."""
        self.wrong: list[tuple[str, int]] = []
        """What must not be, and the message that it is about (0: none)."""
        self.unserved: list[tuple[float, float]] = []
        """From when to when a table had no home."""
        self.overtaken: set[int] = set()
        """Messages that a request has changed which was on its way while their table got another home: nobody knows of
        it (docs/simulation.md)."""
        self._on_their_way: dict[str, list[Member]] = {}
        """Who has made the requests that have no answer yet, by their path."""
        self._shared = shared
        self._discord = discord
        self._shards = shards
        self._note_session_lost: dict[tuple[int, str], float] = {}
        """When a process has lost a shard, by both."""
        self._database = sqlite3.connect(path)
        shared.freed = lambda shard, name: self._note_session_lost.update({(shard, name): virtual.now()})
        add = discord.requests.add

        def adding(method: str, path: str, *given: Any) -> None:
            self.answered(path)
            add(method, path, *given)

        discord.requests.add = adding  # type: ignore[method-assign]

    def _say(self, wrong: str, message: int = 0) -> None:
        log.info("%s", wrong)
        self.wrong.append((f"{wrong}, at {virtual.now():.3f}", message))

    # What the database sees

    def committing(self, name: str, connection: Connection) -> None:
        """The process of that *name* commits what it did on *connection*. Any process may change any table."""
        self.look()

    # What the network sees

    def shard_of(self, channel: int) -> int:
        """The shard of the server in which *channel* is."""
        return (self.guild_of(channel) >> 22) % self._shards

    def guild_of(self, channel: int) -> int:
        """The server in which *channel* is; none for direct messages, which are at home where shard 0 is."""
        return self._discord.world.channels[channel].guild or NO_SERVER

    def sent(self, host: Any, data: bytes) -> None:
        """*host* sends *data*."""
        found = REQUEST.match(data)
        if found is None:
            return
        member = next((it for it in self.members if it.host is host), None)
        if member is None:
            return
        path = found[2].decode().split("?")[0]
        channel = self._about(path)
        if channel is None:
            return
        self._on_their_way.setdefault(path, []).append(member)
        shard = self.shard_of(channel)
        lost, holder = self._note_session_lost.get((shard, member.name)), self._shared.holder(shard)
        late = lost is not None and lost + LATE_SECONDS < virtual.now()
        if holder not in (member.name, None) and late:
            said = f"{member.name} asks {found[1].decode()} {path}"
            self._say(f"{said}, but the home of {channel} is {holder}", _message(path))

    def answered(self, path: str) -> None:
        """A request was answered."""
        path = path.lstrip("/")
        waiting = self._on_their_way.get(path)
        if not waiting:
            return
        member, channel = waiting.pop(0), self._about(path)
        if channel is not None and self._shared.holder(self.shard_of(channel)) not in (member.name, None):
            log.info("%s was overtaken by another home of its table", path)
            self.overtaken.add(_message(path))

    def _about(self, path: str) -> int | None:
        """The channel of the table that a request is about; ``None``: none."""
        parts = path.split("/")
        if "messages" not in parts:
            return None
        if parts[-1] == "messages":
            channel = int(parts[1]) if parts[0] == "channels" else 0
            return channel if channel in self.channels else None
        if not parts[-1].isdigit():
            return None
        row = self._database.execute(
            "SELECT tables.channel_id FROM messages JOIN tables ON tables.id = messages.table_id"
            " WHERE messages.message_id = ?",
            (int(parts[-1]),),
        ).fetchone()
        return None if row is None else int(row[0])

    # What the processes think

    def look(self) -> None:
        """Look at who takes what for its own."""
        for channel in self.channels:
            owners = [it.name for it in self.members if not it.frozen and it.serves(self.guild_of(channel))]
            if len(owners) > 1:
                self._say(f"{channel} has several homes: {owners}")

    @staticmethod
    def well(member: Member) -> bool:
        """Whether *member* can serve anybody."""
        return member.running and not member.frozen and not member.cut_off

    @property
    def all_at_home(self) -> bool:
        """Whether every table has a home that can serve it."""
        guilds = {self.guild_of(channel) for channel in self.channels}
        return all(any(it.serves(guild) and self.well(it) for it in self.members) for guild in guilds)

    @property
    def all_open(self) -> bool:
        """Whether every shard has a session with a process that can serve it."""
        well = {it.host for it in self.members if self.well(it)}
        sessions = self._discord.gateway._sessions.values()
        open_ones = {
            it.shard[0]
            for it in sessions
            if it.person.bot and it.socket is not None and virtual.other_side(it.socket.ws) in well
        }
        return open_ones.issuperset(range(self._shards))

    @property
    def settled(self) -> bool:
        """Whether everything is served, and every process has its share of the shards."""
        return self.all_at_home and self.all_open and all(self._shares(it) for it in self.members)

    def _shares(self, member: Member) -> bool:
        """Whether *member* has its share."""
        if member.shards is None or member.bot is None or not member.bot.is_ready():
            return False
        return len(member.shards.held_shards) >= self._shards // len(self.members)

    def places(self, channels: Sequence[int], tables: int) -> list[int]:
        """*channels* in another order: the first ones, of so many *tables*, are each at home at another process, as far
        as that goes; those that nobody serves at the moment come last."""
        at_home = [
            [channel for channel in channels if member.serves(self.guild_of(channel))] for member in self.members
        ]
        found = [channel for turn in zip_longest(*at_home) for channel in turn if channel is not None]
        found += [channel for channel in channels if channel not in found]
        self.channels = found[:tables]
        return found

    def note(self, seconds: float) -> None:
        """Note whether every table had a home in the last *seconds*."""
        if self.all_at_home:
            return
        now, last = virtual.now(), self.unserved[-1:]
        if last and last[0][1] > now - 1.5 * seconds:
            self.unserved[-1] = last[0][0], now
        else:
            self.unserved.append((now - seconds, now))


def _message(path: str) -> int:
    """The message that a request is about; 0: none that is known."""
    last = path.rpartition("/")[2]
    return int(last) if last.isdigit() else 0
