"""Every interaction that comes from Discord: answered once, and only by the process that is to answer it.

Discord may send one again (https://discord.com/developers/docs/events/gateway#resuming), and every process gets those
in direct messages. What is made in a server belongs to that server's shard; what is made in direct messages to the
shard of the table that its custom_id names, else to shard 0. What concerns a shard of another process is kept for two
seconds: that process may be handing it over, or may have died.
"""

import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, NamedTuple

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.log import fields
from bot.tables.model import TableId
from bot.tables.shards import Shards
from bot.ui.custom_ids import parse_custom_id

log = logging.getLogger(__name__)

REMEMBERED: Final = 4096
"""So many interactions are remembered: more than come in the 15 minutes for which Discord can send one again."""
MOST_TABLES: Final = 100_000
"""Of how many tables the server is remembered."""
KEPT_MS: Final = 2_000
"""How long an interaction is kept for which another process is to answer."""


class _Kept(NamedTuple):
    """An interaction that another process is to answer."""

    data: Any
    """As the gateway brought it."""
    guild: int
    """The server whose shard it belongs to; 0: none."""
    at: int
    """When it came, ms."""


class Interactions:
    """Gives to *enter*, a parser of discord.py's, what *shards* says is to be answered here.

    *known* says in which server a live table of this process is, *look_up* asks the store about any table; *heard* is
    called with the server of each interaction (0: direct messages); *spawn* runs a coroutine in a task.
    """

    def __init__(
        self,
        enter: Callable[[Any], Any],
        shards: Shards,
        clock: Clock,
        known: Callable[[TableId], int | None],
        look_up: Callable[[TableId], Awaitable[int | None]],
        heard: Callable[[int], object],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._enter = enter
        self._shards = shards
        self._clock = clock
        self._known = known
        self._look_up = look_up
        self._heard = heard
        self._spawn = spawn
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._guilds: OrderedDict[TableId, int] = OrderedDict()
        self._kept: deque[_Kept] = deque()

    def come(self, data: Any) -> None:
        """Answer the interaction *data*, or keep it. The gateway brings it."""
        guild = int(data.get("guild_id") or 0)
        self._heard(guild)
        if data["id"] in self._seen:
            log.info("an interaction came again", extra=fields(interaction=data["id"]))
            return
        self._seen[data["id"]] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        press = parse_custom_id(str(data.get("data", {}).get("custom_id", ""))) if not guild else None
        if press is None or not press.table:
            self._answer(_Kept(data, guild, self._clock.now()))
        elif (found := self._known(press.table) or self._guilds.get(press.table)) is not None:
            self._answer(_Kept(data, found, self._clock.now()))
        else:
            self._spawn(self._answer_later(data, press.table))

    async def _answer_later(self, data: Any, table: TableId) -> None:
        """As ``come``, for what is about a *table* of which it has to be found out where it is."""
        at = self._clock.now()
        try:
            guild = await self._look_up(table)
        except (SQLAlchemyError, OSError):
            guild = None  # whoever holds shard 0 says that it cannot be answered
        if guild is not None:
            self._guilds[table] = guild
            if len(self._guilds) > MOST_TABLES:
                self._guilds.popitem(last=False)
        self._answer(_Kept(data, guild or 0, at))

    def _answer(self, it: _Kept) -> None:
        """Answer *it* here, or keep it."""
        if self._shards.serves(it.guild):
            self._enter(it.data)
            return
        before = self._clock.now() - KEPT_MS
        while self._kept and self._kept[0].at < before:
            self._kept.popleft()
        self._kept.append(it)
        if self._shards.has(it.guild):
            self._clock.call_at(it.at + KEPT_MS, lambda: self._in_doubt(it))

    def _in_doubt(self, it: _Kept) -> None:
        """Answer *it*, though nobody knows just now who holds its shard, as the database does not answer: its person is
        told so."""
        if it in self._kept and self._shards.has(it.guild):
            self._kept.remove(it)
            self._enter(it.data)

    def again(self) -> None:
        """Answer those that were kept and are to be answered here by now."""
        before = self._clock.now() - KEPT_MS
        kept, self._kept = self._kept, deque()
        for it in kept:
            if it.at >= before:
                self._answer(it)


# What is known of the place where an interaction was made.


class Place(NamedTuple):
    """What our shards say of a channel."""

    member: bool
    """Whether the bot is a member of the server, and not only installed for its commands."""
    thread: bool = False
    """Whether it is a thread that the bot is told of."""
    in_thread: bool = False
    """Whether the bot is a member of that thread."""
    locale: str = ""
    """The server's own language; empty: it has none, as no server but a Community server has."""
    around: Sequence[int] = ()
    """The ids of the channel, of the one that it is a thread of, and of the category around it, as far as they are
    known."""


def place_of(client: discord.Client, guild: int | None, channel: int) -> Place:
    """What *client* knows of *channel* in *guild* (``None``: direct messages)."""
    known = client.get_guild(guild) if guild is not None else None
    thread = known.get_thread(channel) if known is not None else None
    own = known.preferred_locale.value if known is not None and "COMMUNITY" in known.features else ""
    here = known.get_channel_or_thread(channel) if known is not None else None
    return Place(known is not None, thread is not None, thread is not None and thread.me is not None, own, around(here))


def around(channel: Any) -> list[int]:
    """The ids of *channel*, of the one that it is a thread of, and of the category around it, as far as they are
    known."""
    outer = channel.parent if isinstance(channel, discord.Thread) else channel
    found = [getattr(it, key, None) for it, key in ((channel, "id"), (channel, "parent_id"), (outer, "category_id"))]
    return [it for it in found if it is not None]
