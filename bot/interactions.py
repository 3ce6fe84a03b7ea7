"""Routes every interaction from Discord: it is answered once, and only by the process that has to answer it.

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
"""How many interactions are remembered: more than come in the 15 minutes for which Discord can send one again."""
MAX_TABLES: Final = 100_000
"""For how many tables the server is remembered."""
MESSAGE_COMPONENTS: Final = "message_components"
"""The field in the data of a click with the components of the clicked message, as JSON
(``put_components_into_click_data``)."""
KEEP_MS: Final = 2_000
"""How long an interaction is kept that another process has to answer."""


class _KeptInteraction(NamedTuple):
    """An interaction, kept until this process or another one answers it."""

    data: Any
    """The data from the gateway."""
    guild: int
    """The server whose shard it belongs to; 0: none."""
    at: int
    """When it came, ms."""


class Interactions:
    """Decides for each interaction from the gateway whether this process answers it, keeps it for two seconds, or drops
    it as a repetition.

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
        self._kept: deque[_KeptInteraction] = deque()

    def handle(self, data: Any) -> None:
        """Take the interaction *data* from the gateway: drop it if it came before, else answer it if this process
        serves its server, or keep it for two seconds."""
        guild = int(data.get("guild_id") or 0)
        self._heard(guild)
        if data["id"] in self._seen:
            log.info("an interaction came again", extra=fields(interaction=data["id"]))
            return
        self._seen[data["id"]] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        put_components_into_click_data(data)
        press = parse_custom_id(str(data.get("data", {}).get("custom_id", ""))) if not guild else None
        if press is None or not press.table:
            self._answer_or_keep(_KeptInteraction(data, guild, self._clock.now()))
        elif (found := self._known_guild_of_table(press.table)) is not None:
            self._answer_or_keep(_KeptInteraction(data, found, self._clock.now()))
        else:
            self._spawn(self._route_after_lookup(data, press.table))

    def _known_guild_of_table(self, table: TableId) -> int | None:
        """Return the server of *table* (0: it is a solo table) if it is known in memory; ``None`` if not."""
        found = self._known(table)
        return self._guilds.get(table) if found is None else found

    async def _route_after_lookup(self, data: Any, table: TableId) -> None:
        """Look up the server of *table* in the store, then answer the interaction *data* if this process serves that,
        else keep it."""
        at = self._clock.now()
        try:
            guild = await self._look_up(table)
        except (SQLAlchemyError, OSError):
            guild = None  # whoever holds shard 0 says that it cannot be answered
        if guild is not None:
            self._guilds[table] = guild
            if len(self._guilds) > MAX_TABLES:
                self._guilds.popitem(last=False)
        self._answer_or_keep(_KeptInteraction(data, guild or 0, at))

    def _answer_or_keep(self, kept: _KeptInteraction) -> None:
        """Answer *kept* if this process serves its server, else keep it for two seconds; after that it is answered only
        if its shard is ours but in doubt."""
        if self._shards.serves(kept.guild):
            self._enter(kept.data)
            return
        before = self._clock.now() - KEEP_MS
        while self._kept and self._kept[0].at < before:
            self._kept.popleft()
        self._kept.append(kept)
        if self._shards.has(kept.guild):
            self._clock.call_at(kept.at + KEEP_MS, lambda: self._answer_kept_after_timeout(kept))

    def _answer_kept_after_timeout(self, kept: _KeptInteraction) -> None:
        """Answer *kept*, if it is still kept and its shard is ours as far as we know, though the database does not
        confirm that.

        Its person is told so.
        """
        if kept in self._kept and self._shards.has(kept.guild):
            self._kept.remove(kept)
            self._enter(kept.data)

    def answer_kept_interactions(self) -> None:
        """Answer those kept interactions that this process has come to serve; drop those older than two seconds."""
        before = self._clock.now() - KEEP_MS
        kept, self._kept = self._kept, deque()
        for it in kept:
            if it.at >= before:
                self._answer_or_keep(it)


def put_components_into_click_data(data: Any) -> None:
    """Move the components of the clicked message, in the interaction *data* from the gateway, to the data of the click.

    discord.py would make an object of every button and every option of every select, for each click. Hardly any click
    needs to know them.
    """
    click, message = data.get("data"), data.get("message")
    if isinstance(click, dict) and isinstance(message, dict):
        click[MESSAGE_COMPONENTS], message["components"] = message.get("components"), []


# The place where an interaction was made.


class Place(NamedTuple):
    """A channel as this process knows it: whether the bot is in its server and thread, the server's language, and the
    ids around it."""

    member: bool
    """Whether the bot is a member of the server, and not only installed for its commands."""
    thread: bool = False
    """Whether it is a thread that the bot is told of."""
    in_thread: bool = False
    """Whether the bot is a member of that thread."""
    locale: str = ""
    """The server's own language; empty: it has none, as no server but a Community server has."""
    around: Sequence[int] = ()
    """The ids of the channel, of its parent channel if it is a thread, and of its category, as far as they are
    known."""


def channel_place_from_cache(client: discord.Client, guild: int | None, channel: int) -> Place:
    """Return what the bot knows of *channel* in the server *guild*: whether it is a member there, the server's
    language, and the ids of parent and category."""
    known = client.get_guild(guild) if guild is not None else None
    thread = known.get_thread(channel) if known is not None else None
    own = known.preferred_locale.value if known is not None and "COMMUNITY" in known.features else ""
    here = known.get_channel_or_thread(channel) if known is not None else None
    return Place(
        known is not None,
        thread is not None,
        thread is not None and thread.me is not None,
        own,
        channel_and_parents(here),
    )


def channel_and_parents(channel: Any) -> list[int]:
    """Return the ids of *channel*, of its parent channel if it is a thread, and of its category; unknown ones are left
    out."""
    outer = channel.parent if isinstance(channel, discord.Thread) else channel
    found = [getattr(it, key, None) for it, key in ((channel, "id"), (channel, "parent_id"), (outer, "category_id"))]
    return [it for it in found if it is not None]
