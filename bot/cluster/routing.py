"""An interaction's way home: to the process that serves the table it is about.

Every process gets the interactions of its shards. The home of one is the partition of the channel of the table that its
custom_id names, or, if it names none, of its own channel: so /play lands where its table will be. An interaction whose
home is elsewhere is sent there, once, and enters discord.py there as if the gateway had brought it: its token works
from anywhere. Until the home is found - it may be changing hands just now - the sender tries again; when it is almost
too late to answer, it says so itself.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, NamedTuple, Protocol

import discord
from sqlalchemy.exc import DBAPIError

from bot.clock import Clock, snowflake_time
from bot.cluster.leases import Member
from bot.cluster.peers import Peers, Sent
from bot.custom_ids import parse
from bot.log import fields
from bot.tables.model import TableId
from bot.tables.ownership import Ownership

log = logging.getLogger(__name__)

GIVEN_UP_MS: Final = 2200
"""How old an interaction is when no home is looked for any more: Discord wants an answer within three seconds."""
ACCEPTED_MS: Final = 2000
"""How old an interaction may be that another process sends: of an older one its sender is about to tell its person to
try again, or has done so already, and the network was slow; or somebody sends once more what was sent before."""
PAUSE_SECONDS: Final = 0.04
"""Between two attempts."""
KEPT_MS: Final = 15_000
"""How long an interaction is remembered: two sessions of one shard bring each twice."""
MOST_CHANNELS: Final = 100_000
"""Of how many tables the channel is remembered."""


class Place(NamedTuple):
    """What a process knows, from its shards, of where an interaction was made. Whoever serves it may not have that
    shard."""

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


def _place_sent(fields: Sequence[Any]) -> Place:
    """The place that another process has sent as *fields*; an older version sends fewer."""
    known = Place(*fields)
    return known._replace(around=tuple(known.around))


def around(channel: Any) -> list[int]:
    """The ids of *channel*, of the one that it is a thread of, and of the category around it, as far as they are
    known."""
    outer = channel.parent if isinstance(channel, discord.Thread) else channel
    found = [getattr(it, key, None) for it, key in ((channel, "id"), (channel, "parent_id"), (outer, "category_id"))]
    return [it for it in found if it is not None]


class Directory(Protocol):
    """Who serves what, as last read: ``Membership``."""

    def home(self, channel: int) -> Member | None:
        """Who serves *channel*; ``None``: nobody."""

    def is_me(self, member: Member) -> bool:
        """Whether *member* is this process."""

    async def refresh(self) -> bool:
        """Read that again, now; return whether it can be read. If not, that is logged."""
        ...


class Entered(NamedTuple):
    """An interaction that is being served here, or was a moment ago."""

    data: Any
    """As the gateway brought it."""
    place: Place
    at: int
    """When it entered, ms since 1970."""


class Routing:
    """Brings interactions home.

    *channel_of* asks the store where a table is; *place* says what our shards know of where an interaction was made;
    *enter* gives one to discord.py; *give_up* tells its person to try again; *spawn* runs a coroutine in a task.
    """

    def __init__(
        self,
        directory: Directory,
        ownership: Ownership,
        peers: Peers,
        clock: Clock,
        channel_of: Callable[[TableId], Awaitable[int | None]],
        place: Callable[[Any], Place],
        enter: Callable[[Any], Any],
        give_up: Callable[[Any], Awaitable[None]],
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
    ) -> None:
        self._directory = directory
        self._ownership = ownership
        self._peers = peers
        self._clock = clock
        self._channel_of = channel_of
        self._place = place
        self._enter = enter
        self._give_up = give_up
        self._spawn = spawn
        self._channels: OrderedDict[TableId, int | None] = OrderedDict()
        self._entered: dict[int, Entered] = {}
        """By id, oldest first."""
        self._refreshing: asyncio.Task[bool] | None = None
        self._on_their_way: set[asyncio.Task[None]] = set()

    # What arrives

    def heard(self, data: Any) -> None:
        """Bring home the interaction *data*, which the gateway has brought."""
        place = self._place(data)
        channel = self._home_at_once(data)
        if channel is not None and self._ownership.owns(channel):
            self._serve(data, place)
        else:
            self._bring(data, place)

    def _bring(self, data: Any, place: Place, home: int | None = None) -> None:
        """Bring *data* home, in a task."""
        task = self._spawn(self._deliver(data, place, home))
        self._on_their_way.add(task)
        task.add_done_callback(self._on_their_way.discard)

    async def finish(self) -> None:
        """Wait until all that is on its way home is there, or its person was told to try again."""
        while self._on_their_way:
            await asyncio.wait(set(self._on_their_way))

    def take(self, envelope: Any) -> bool:
        """Serve an interaction that another process has sent, if its home is here and it is not too old; return whether
        that is so.

        Raises:
            ValueError, KeyError, TypeError: it is no such thing.
        """
        data, place = envelope["data"], _place_sent(envelope["place"])
        late = self._clock.now() >= snowflake_time(int(data["id"])) + ACCEPTED_MS
        if late or not self._ownership.owns(int(envelope["home"])):
            return False
        self._serve(data, place)
        return True

    def _serve(self, data: Any, place: Place) -> None:
        """Give *data* to discord.py, unless that was done already."""
        number, now = int(data["id"]), self._clock.now()
        while self._entered and (oldest := next(iter(self._entered.items())))[1].at < now - KEPT_MS:
            del self._entered[oldest[0]]
        if number not in self._entered:
            self._entered[number] = Entered(data, place, now)
            self._enter(data)

    def place(self, interaction: discord.Interaction[Any]) -> Place | None:
        """What the process that got *interaction* from the gateway knows of where it was made."""
        entered = self._entered.get(interaction.id)
        return entered.place if entered is not None else None

    def again(self, interaction: discord.Interaction[Any], home: int | None = None) -> bool:
        """Bring *interaction*, which turned out to have its home elsewhere - the partition of the channel *home*, if
        that is known - and has no answer yet, there; return whether that can be done."""
        entered = self._entered.pop(interaction.id, None)
        if entered is not None:
            self._bring(entered.data, entered.place, home)
        return entered is not None

    # Where it belongs

    def _home_at_once(self, data: Any) -> int | None:
        """The channel whose partition is the home of *data*; ``None``: the store must be asked."""
        table = _table(data)
        if table is None:
            return made_in(data)
        if table not in self._channels:
            return None
        self._channels.move_to_end(table)
        return self._channels[table] or made_in(data)

    async def _home(self, data: Any) -> int:
        """The channel whose partition is the home of *data*."""
        known = self._home_at_once(data)
        if known is not None:
            return known
        table = _table(data)
        assert table is not None
        self._channels[table] = await self._channel_of(table)
        while len(self._channels) > MOST_CHANNELS:
            self._channels.popitem(last=False)
        return self._channels[table] or made_in(data)

    async def _deliver(self, data: Any, place: Place, home: int | None = None) -> None:
        """Bring *data* home, or have its person told to try again."""
        until = snowflake_time(int(data["id"])) + GIVEN_UP_MS
        blind = False
        while not await self._delivered(data, place, home, until):
            if self._clock.now() >= until:
                log.log(
                    logging.DEBUG if blind else logging.WARNING,
                    "interaction not brought home",
                    extra=fields(interaction=data["id"]),
                )
                await self._give_up(data)
                return
            await asyncio.sleep(PAUSE_SECONDS)
            blind = not await self._refresh(until) or blind

    async def _delivered(self, data: Any, place: Place, known: int | None, until: int) -> bool:
        """Whether *data* is home now, as far as is known; its home is *known*, or found before the time *until*."""
        try:
            async with asyncio.timeout(self._seconds_to(until)):
                home = known if known is not None else await self._home(data)
        except (DBAPIError, OSError):
            return False
        if self._ownership.owns(home):
            self._serve(data, place)
            return True
        member = self._directory.home(home)
        if member is None or self._directory.is_me(member):  # it changes hands
            return False
        sent = await self._peers.send(member, {"home": home, "place": place, "data": data})
        return sent is Sent.ACCEPTED

    async def _refresh(self, until: int) -> bool:
        """Read again who serves what; return whether that is known now. All that wait for it share one reading, and
        nobody waits beyond the time *until*."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.get_running_loop().create_task(self._directory.refresh())
        try:
            async with asyncio.timeout(self._seconds_to(until)):
                return await asyncio.shield(self._refreshing)
        except (DBAPIError, OSError) as error:
            log.debug("who serves what is not known now", extra=fields(error=type(error).__name__))
            return False

    def _seconds_to(self, until: int) -> float:
        """How many seconds it is to the time *until*, and a moment, in which what does not wait is done."""
        return max(0, until - self._clock.now()) / 1000 + PAUSE_SECONDS


def _table(data: Any) -> TableId | None:
    """The table that a click or form is about; ``None``: it names none."""
    press = parse(str(data.get("data", {}).get("custom_id", "")))
    return press.table if press is not None else None


def made_in(data: Any) -> int:
    """The channel where an interaction was made."""
    return int(data.get("channel_id") or data["channel"]["id"])
