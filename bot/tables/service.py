"""The tables of this process: load, lock, change, commit, then notify. No Discord call happens under a lock."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from bot.background import Background
from bot.clock import Clock
from bot.log import fields
from bot.metrics import Metrics
from bot.tables import leaving, lobby, play
from bot.tables.errors import AlreadyCounted, ChannelTaken, Conflict, Opened, Refusal, TooMany, Unusable, Why
from bot.tables.live import Alarms, Live, Move, Taking
from bot.tables.model import Phase, Player, Table, TableId, fresh_id, fresh_seed
from bot.tables.options import Options
from bot.tables.outages import Outage, Uptime
from bot.tables.play import Clicked
from bot.tables.preferences import GuildSettings, limit
from bot.tables.shards import AllShards, Shards
from bot.tables.ticking import NO_THOUGHTS, Thoughts, must_think, thoughts_of, tick
from bot.tables.timers import CLOCK, Timer, next_due
from engine.errors import IllegalAction
from engine.game import Seat

# What one person or one server may take up, so that nobody can spoil it for others.


OPENED_MS: Final = 600_000
"""How long an opened table counts for the person who opened it."""
MOVED_MS: Final = 30_000
"""How long a table message that was sent anew stays where it is."""
LOOKED_MS: Final = 60_000
"""How often Discord is asked at most which people of a table are members of its server."""
SHOWN_MS: Final = 30_000
"""How long nothing more that anybody can ask for is shown to everybody in a channel."""


class Limits(NamedTuple):
    """How much is allowed; 0: any number."""

    tables_per_person: int = 3
    """Live tables that one person has opened, whoever is the host now."""
    tables_per_server: int = 50
    """Live tables in one server."""
    opened_per_person: int = 8
    """Tables that one person opens within ten minutes, rematches included."""
    new_dms: int = 10
    """New conversations that the bot opens with people within ten minutes."""


class Guard:
    """Keeps to *limits*. Times are in ms since 1970."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._moved: dict[TableId, int] = {}
        self._shown: dict[int, int] = {}
        self._looked: dict[TableId, int] = {}

    def check_open(self, opened: Opened, chosen: int = 0) -> None:
        """Check that one more table may be opened; *opened* is what is open, *chosen* how many at a time were chosen
        for the server.

        Raises:
            Refusal: a limit is reached.
        """
        limits = self._limits
        if limits.tables_per_person and opened.by_person >= limits.tables_per_person:
            raise Refusal(Why.TOO_MANY_TABLES, n=limits.tables_per_person)
        most = limit(chosen, limits.tables_per_server)
        if most and opened.in_server >= most:
            raise Refusal(Why.SERVER_FULL, n=most)
        if limits.opened_per_person and len(opened.at) >= limits.opened_per_person:
            raise Refusal(Why.TOO_OFTEN, when=_relative(opened.at[0] + OPENED_MS))

    def check_move(self, table: TableId, now: int) -> None:
        """Check that the message of *table* may be sent anew at *now*, and note that it is.

        Raises:
            Refusal: that was done a moment ago.
        """
        last = self._moved.get(table)
        if last is not None and now - last < MOVED_MS:
            raise Refusal(Why.JUST_MOVED, when=_relative(last + MOVED_MS))
        self._moved = {one: at for one, at in self._moved.items() if now - at < MOVED_MS}
        self._moved[table] = now

    def may_look(self, table: TableId, now: int) -> bool:
        """Whether Discord may be asked at *now* which people of *table* are members, which is noted: not if that was
        done a moment ago."""
        self._looked = {one: at for one, at in self._looked.items() if now - at < LOOKED_MS}
        if table in self._looked:
            return False
        self._looked[table] = now
        return True

    def may_show(self, channel: int, now: int) -> bool:
        """Whether something that anybody can ask for may be shown to everybody in *channel* at *now*, which is noted:
        not if that was done a moment ago."""
        self._shown = {one: at for one, at in self._shown.items() if now - at < SHOWN_MS}
        if channel in self._shown:
            return False
        self._shown[channel] = now
        return True


def _relative(at: int) -> str:
    """The moment *at* as Discord shows it: "in 5 minutes", rounded up to a second."""
    return f"<t:{-(-at // 1000)}:R>"


if TYPE_CHECKING:
    from bot.store.store import Store

log = logging.getLogger(__name__)


T = TypeVar("T")
Change = Callable[[Table], Table]
"""Makes the next version of a table: one of the pure functions in ``lobby``, ``play`` and ``leaving``. It may raise
Refusal or IllegalAction; then nothing has changed."""

LATE_OFFER_MS: Final = 5_000
"""A turn that is offered to its person within this time counts from its beginning."""
_USUAL: Final = GuildSettings()


async def _nobody_to_tell(table: TableId) -> None:
    """What is done about a table that was set aside if nothing else is."""


class Tables:
    """Every change to a table goes through here, one at a time for each table.

    ``on_change`` is called with the new table after every committed change, ``on_restore`` with the tables that a new
    process takes over: their messages may show anything. ``on_set_aside`` is called with every live table that turns
    out not to be able to go on. *shards* knows which tables are served here; any other is read from the store when it
    is asked for, and may be changed as well: whoever serves it is told. ``cut_off`` tells whether clicks cannot reach
    us at the moment, so that no turn limit acts; ``is_offered`` whether Discord has taken a message that offers
    the running turn of a table to its person: until then its time does not count; ``may_be_deaf`` whether somebody's
    time has run out only because clicks do not come.
    """

    def __init__(
        self,
        store: "Store",
        clock: Clock,
        on_change: Callable[[Table], None],
        on_restore: Callable[[list[Table]], None],
        *,
        seeds: Callable[[], bytes] = fresh_seed,
        defaults: Options = Options(),  # noqa: B008 - immutable
        limits: Limits = Limits(),  # noqa: B008 - immutable
        shards: Shards = AllShards(),  # noqa: B008 - it has no state
        cut_off: Callable[[], bool] = lambda: False,
        is_offered: Callable[[Table], bool] = lambda table: True,
        may_be_deaf: Callable[[Table], bool] = lambda table: False,
        on_set_aside: Callable[[TableId], Coroutine[Any, Any, None]] = _nobody_to_tell,
        metrics: Metrics | None = None,
    ) -> None:
        self._background = Background(log, "what a table needs in the background failed")
        self._spawn = self._background.spawn
        self._store = store
        self._clock = clock
        self._on_change = on_change
        self._on_restore = on_restore
        self._shards = shards
        self._untaken = Taking(clock, self._take)
        self._seeds = seeds
        self._defaults = defaults
        self._guard = Guard(limits)
        self._cut_off = cut_off
        self._is_offered = is_offered
        self._may_be_deaf = may_be_deaf
        self._on_set_aside = on_set_aside
        self._metrics = metrics or Metrics()
        self.uptime = Uptime(store, clock, self._spawn)
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        self._openings: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """Locks that somebody holds or waits for."""
        self._alarms = Alarms(clock, lambda table: self._spawn(self._tick(table)))
        self._live = Live(clock, self._alarms, self.uptime, self._spawn, on_change)
        self._rematches = Alarms(clock, lambda table: self._spawn(self._follow(table)))
        """For tables that are over, and could not be told yet what has become of their rematch."""

    # Starting and stopping

    async def begin(self, *, others: bool = False) -> None:
        """Begin to count the time that passes; *others* says whether other processes are alive already. What tables
        there are to serve follows with ``take``."""
        await self.uptime.begin(others=others)
        self._clock.on_gap(lambda began, ended: self.add_outage(Outage(began, ended)))
        self._clock.on_set_back(self._live.keep_all)

    async def take(self, shards: Collection[int] | None = None, count: int = 1) -> int:
        """Serve the tables of *shards*, of so many in all (``None``: of all shards), from now on: those that are live,
        whose timers start, and those that ended without all their messages showing it. All their messages are brought
        up to date. Return how many there are.

        They are read in the background, those that changed last first; one that is asked for is read at once.
        """
        found = await self._store.to_take_over(shards, count)
        self._untaken.begin(found, shards)
        return len(found)

    @property
    def known(self) -> int:
        """How many tables are live, or may be and are not taken over yet."""
        return len(self._live) + len(self._untaken)

    async def taken(self) -> None:
        """Wait until all tables are taken over, as what concerns any of them must."""
        await self._untaken.done()

    async def _take(self, which: Collection[TableId]) -> None:
        """Take over those tables *which*, of which ``take`` has learned."""
        found = await self._store.take_over_some(which, self._clock.now())
        new = self._untaken.remove(which)  # what somebody has asked for meanwhile may be newer by now
        live = [self._live.keep(table) for table in found.live if table.id in new]
        over = [table for table in found.undelivered if table.id in new]
        self._on_restore([*live, *over])
        for table in over:
            if table.awaits_rematch:
                self._spawn(self._follow(table.id))
        for aside in new.intersection(found.unusable):
            self._spawn(self._on_set_aside(aside))

    async def leave(self, shards: Collection[int], count: int) -> None:
        """Serve the tables of *shards*, of so many in all, no longer: wait for the changes that have begun, store what
        is not stored yet, and forget them. Their messages are the reconciler's."""
        self._untaken.leave(shards)
        for lock in list(self._locks.values()):  # whoever waits for one of them already comes first
            async with lock:
                pass
        going = [table for table in self.live_of() if (table.guild >> 22) % count in shards]
        await self._store_held({table.id for table in going})
        for table in going:
            self._live.forget(table.id)

    async def _store_held(self, which: Collection[TableId]) -> None:
        """Store the moves that are held for a moment at the tables *which*."""
        for table in [it for it in self._live.held if it in which]:
            try:
                await self.change(table, "save", None, lambda t: t._replace(version=t.version + 1))
            except Exception:  # the boundary of one table: the others are stored
                log.exception("a held move is lost", extra=fields(table=table))

    async def read_again(self, table: TableId) -> None:
        """Read *table* again, if it is served here: another process has changed or opened it."""
        async with self._locks.setdefault(table, asyncio.Lock()):
            known = self._live.get(table)
            fresh = await self._load(table) if known is None else await self._reload(known)
            if fresh is None or (known is None and not (fresh.live and self._shards.has(fresh.guild))):
                return
            kept = self._live.keep(fresh) if known is None else fresh
        self._on_restore([kept])

    def add_outage(self, outage: Outage, *, refused: bool = False) -> None:
        """Record *outage*, and credit it to every running turn, unless it is known; *refused*: the bot was there, but
        Discord took no requests."""
        self._live.add_outage(outage, refused=refused)

    async def stop(self) -> None:
        """Cancel all timers, wait for the work that they have started, store what is not stored yet, and record that
        the process ends."""
        await self._untaken.stop()
        self._live.stop()
        self._alarms.cancel_all()
        self._rematches.cancel_all()
        await self._background.wait_until_done()
        await self._store_held(self._live.held)
        await self.uptime.end()

    # Looking

    async def get(self, table: TableId) -> Table:
        """The newest version of *table*; raises Refusal if there is no such table, or it is set aside."""
        if table in self._untaken:
            await self._take([table])
        found = self._live.get(table) or await self._load(table)
        if found is None:
            raise Refusal(Why.NO_SUCH_TABLE)
        return found

    def guild_of(self, table: TableId) -> int | None:
        """The server of *table*, if it is live and kept here."""
        found = self._live.get(table)
        return None if found is None else found.guild

    async def _load(self, table: TableId) -> Table | None:
        """What the store has of *table*; raises Refusal if it is set aside. If it cannot be read, it is from now on."""
        try:
            found = await self._store.load(table)
        except Unusable as error:
            await self._set_aside(error)
            raise Refusal(Why.SET_ASIDE) from None
        return self._live.timely(found) if found is not None and found.live else found

    async def set_aside(self, found: Unusable) -> None:
        """Stop serving the table that *found* is about: it cannot go on."""
        async with self._locks.setdefault(found.table, asyncio.Lock()):
            await self._set_aside(found)

    async def _set_aside(self, found: Unusable) -> None:
        """As ``set_aside``, under the table's lock."""
        await self._store.set_aside(found, self._clock.now())
        if (dropped := self._live.drop(found.table)) is not None:
            self._alarms.cancel(found.table)
            self._spawn(self._on_set_aside(found.table))
            if dropped.rematch_of is not None:
                self._spawn(self._follow(dropped.rematch_of))

    async def find_in(self, channel: int) -> Table | None:
        """The live table in *channel*; ``None``: it has none."""
        found = self.live_in(channel)
        if found is None and (table := await self._store.live_in(channel)) is not None:
            return await self._found(table)
        return found

    async def all_of(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """The live tables, once all are taken over; only those of *guild* or *channel*, if one is given."""
        await self.taken()
        return self.live_of(guild, channel)

    def live_in(self, channel: int) -> Table | None:
        """The live table in *channel*; ``None``: it has none, or is not taken over yet."""
        return next((table for table in self._live if table.channel == channel), None)

    def live_of(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """The live tables that are taken over; only those of *guild* or *channel*, if one is given."""
        return [t for t in self._live if guild in (None, t.guild) and channel in (None, t.channel)]

    async def in_channel(self, channel: int) -> Table:
        """The live table in *channel*; raises Refusal if there is none."""
        table = await self.find_in(channel)
        if table is None:
            raise Refusal(Why.NO_TABLE_HERE)
        return table

    # Opening

    async def open(
        self,
        *,
        guild: int,
        channel: int,
        game: str,
        host: Player,
        locale: str,
        chosen: GuildSettings = _USUAL,
        own_thread: bool = False,
    ) -> Table:
        """Open a new table, in the lobby, with *host* at it; the caller sends its message. *chosen* is what was chosen
        for the server; *own_thread*: the channel is a thread that was made for this table.

        Raises:
            Refusal: the channel has a live table, or a limit is reached.
        """
        fresh = self._fresh((guild, channel), game, host, locale, chosen)
        table = fresh._replace(players=(host,), own_thread=own_thread)
        return await self._create(table, chosen)

    def _fresh(self, where: tuple[int, int], game: str, host: Player, locale: str, chosen: GuildSettings) -> Table:
        """A new table in *where* (server, channel) without players, in the lobby, not stored yet; *chosen* is what was
        chosen for the server."""
        options, now = chosen.options(self._defaults), self._clock.now()
        table = lobby.new_table(fresh_id(), where, game, host, locale, options, self._seeds(), now)
        return table._replace(counted=chosen.counted)

    def opening_of(self, host: int) -> asyncio.Lock:
        """What *host* holds from the check whether they may open a table until it is there, if something public is made
        for it first: one after the other, or many would pass the check at once."""
        return self._openings.setdefault(host, asyncio.Lock())

    async def check_may_open(self, guild: int, host: int, chosen: GuildSettings) -> None:
        """Check that *host* may open one more table in *guild* now, for which *chosen* was chosen; raises Refusal if a
        limit is reached."""
        self._guard.check_open(await self._store.opened(guild, host, self._clock.now()), chosen.tables)

    async def rematch(
        self, table_id: TableId, player: Player, chosen: GuildSettings = _USUAL, banned: Collection[int] = ()
    ) -> Table:
        """Open a table with the people and options of the finished one, *player* being the host; the caller sends its
        message. *chosen* is what was chosen for the server; those who are *banned* from its tables are not invited.

        Raises:
            Refusal: the game is not over, *player* was not in it, somebody was first, or the channel has a live
                table.
        """
        old = await self.get(table_id)
        fresh = await self._rematch_of(old, player, chosen, banned)
        try:
            table = await self._create(fresh, chosen)
        except Refusal:  # somebody else has opened it since
            await self._rematch_of(old, player, chosen, banned)
            raise
        await self.change(table_id, "rematch", player.user, lambda t: lobby.rematch_opened(t, table, player))
        return table

    async def _rematch_of(self, old: Table, player: Player, chosen: GuildSettings, banned: Collection[int]) -> Table:
        """The table that *player* may open after *old*, not stored yet; *chosen* is what was chosen for the server.
        Those who are *banned* from its tables are not invited.

        Raises:
            Refusal: the game is not over, *player* was not in it, or somebody was first.
        """
        here = await self.find_in(old.channel)
        if old.live:
            raise Refusal(Why.NOT_FINISHED)
        assert player.user is not None
        if old.seat_of(player.user) is None:
            raise Refusal(Why.PLAYERS_ONLY)
        if here is not None and (here.rematch_of == old.id or here.seat_of(player.user) is not None):
            raise Refusal(Why.REMATCH_OPEN, table=here.id)
        fresh = self._fresh((old.guild, old.channel), old.game, player, old.locale, chosen)
        return lobby.rematch_of(old, fresh, player, self._clock.now(), banned)

    async def _create(self, table: Table, chosen: GuildSettings) -> Table:
        """Store the new *table* and start its timers; raises Refusal if its channel has a live table, or a limit is
        reached. *chosen* is what was chosen for the server."""
        now = self._clock.now()
        existing = await self.find_in(table.channel)
        if existing is not None:
            closed = await self.change(existing.id, "close", None, lambda t: leaving.close_unattended(t, now))
            if closed.live:
                raise Refusal(Why.TABLE_OPEN_HERE, table=existing.id)
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            here = self._shards.has(table.guild)
            check = partial(self._guard.check_open, chosen=chosen.tables)
            try:
                await self._store.create(table, {"what": "open", "by": table.host}, now, check, announce=not here)
            except ChannelTaken:
                raise Refusal(Why.TABLE_OPEN_HERE, table=await self._store.live_in(table.channel)) from None
            except TooMany as no:
                raise no.refusal from None
            if here:
                self._live.keep(table)
        self._metrics.count_change(table.game, "open")
        log.info("table opened", extra=fields(table=table.id, version=1, game=table.game))
        return table

    # Changing

    async def change(
        self, table: TableId, what: str, by: int | None, change: Change, interaction: int | None = None
    ) -> Table:
        """Apply *change* to *table*, commit and notify; return the new table, or the same one if nothing has changed.
        *what* is for the history, *by* the person who asked for it, with the *interaction* of this id.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
            AlreadyCounted: *interaction* has changed it already.
        """
        return (await self._change(table, what, by, lambda t: (change(t), None), interaction))[0]

    def check_move(self, table: TableId) -> None:
        """Check that the message of *table* may be sent anew now, and note that it is; raises Refusal if that was done
        a moment ago."""
        self._guard.check_move(table, self._clock.now())

    def may_look_for_people(self, table: TableId) -> bool:
        """Whether Discord may be asked now which people of *table* are members of its server; it is noted."""
        return self._guard.may_look(table, self._clock.now())

    def may_show(self, channel: int) -> bool:
        """Whether something that anybody can ask for may be shown to everybody in *channel* now; it is noted."""
        return self._guard.may_show(channel, self._clock.now())

    async def move(
        self,
        table: TableId,
        user: int,
        ply: int,
        choose: Callable[[Table, Seat], Any],
        at: int,
        interaction: int | None = None,
    ) -> Clicked:
        """Make the move that ``choose(table, seat)`` returns for *user*, who saw *ply*; *at* is when they clicked, ms,
        *interaction* the click's id. Raises as ``change``."""

        def click(t: Table) -> Clicked:
            return play.move(t, user, ply, lambda seat: choose(t, seat), at, self._clock.now())

        return await self._click(table, "move", user, click, interaction)

    async def call(self, table: TableId, user: int, ply: int, at: int, interaction: int | None = None) -> Clicked:
        """Call for *user*, who saw *ply*; *at* is when they clicked (its snowflake's time), ms, *interaction* the
        click's id. Raises as ``change``."""
        now = self._clock.now
        return await self._click(table, "call", user, lambda t: play.call(t, user, ply, at, now()), interaction)

    async def update_player(self, table: TableId, user: int, **changes: Any) -> Table:
        """Set *changes* on the player *user*, such as where they want their hand; no change if they do not sit
        there."""

        def change(t: Table) -> Table:
            seat = t.seat_of(user)
            return t if seat is None else t.with_player(seat, **changes)

        return await self.change(table, "player", user, change)

    async def update_person(self, user: int, **changes: Any) -> None:
        """Set *changes* on the player *user* at every live table where they sit."""
        for table in await self.all_of():
            if table.seat_of(user) is not None:
                try:
                    await self.update_player(table.id, user, **changes)
                except Refusal as no:
                    log.info("player not updated", extra=fields(table=table.id, why=no))  # it was set aside meanwhile

    async def rate(self, user: int, rated: bool) -> None:
        """Have it hold at every live table where *user* sits whether they want a rating."""
        for table in await self.all_of():
            if table.seat_of(user) is not None:
                try:
                    await self.change(table.id, "rating", user, lambda t: lobby.with_rating(t, user, rated))
                except Refusal as no:
                    log.info("rating not noted", extra=fields(table=table.id, why=no))  # it was set aside meanwhile

    async def offered(self, table: TableId, turn_began: int, at: int) -> None:
        """Note that Discord took the first message that offers the turn that began at *turn_began* to its person only
        at the time *at* (ms): its time counts from then on."""

        def change(t: Table) -> Table:
            if t.turn_began != turn_began or not t.turn_ms or at - t.clock_began - t.turn_credit < LATE_OFFER_MS:
                return t
            return t._replace(offered_at=at)

        try:
            await self.change(table, "offered", None, change)
        except Refusal as no:  # it was set aside or handed over meanwhile
            log.info("late offer not noted", extra=fields(table=table, why=no))

    async def _click(
        self, table: TableId, what: str, user: int, change: Callable[[Table], Clicked], interaction: int | None
    ) -> Clicked:
        """Apply a click's *change* as ``_change`` does; the result holds the table as it was committed."""

        def both(t: Table) -> tuple[Table, Clicked]:
            clicked = change(t)
            return clicked.table, clicked

        after, clicked = await self._change(table, what, user, both, interaction)
        return clicked._replace(table=after)

    async def _change(
        self,
        table_id: TableId,
        what: str,
        by: int | None,
        change: Callable[[Table], tuple[Table, T]],
        interaction: int | None = None,
    ) -> tuple[Table, T]:
        """Apply *change*, which returns (table after it, result), commit and notify; return the same pair.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
            AlreadyCounted: *interaction* has changed it already.
        """
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            while True:
                table = await self.get(table_id)
                table = self._live.with_move(table_id) or table
                kept = table_id in self._live
                try:
                    changed, result = change(table)
                except Refusal as no:
                    # A button that is ahead of the game is forged, or another process has changed this table meanwhile.
                    if no.why is Why.BUTTON_DEAD and await self._reload(table):
                        continue
                    await self._check_new(interaction)
                    raise
                except IllegalAction:
                    await self._check_new(interaction)
                    raise
                except Unusable as error:
                    log.error("table cannot go on", exc_info=error.__cause__, extra=fields(table=table_id))
                    await self._set_aside(error)
                    raise Refusal(Why.SET_ASIDE) from None
                if changed == table:
                    return table, result
                if isinstance(result, Clicked) and result.brief and kept:
                    self._live.hold(changed, Move(lambda t: change(t)[0], interaction))
                    return changed, result
                now = self._clock.now()
                entries = [{**entry, "at": now} for entry in changed.entries]
                saved = changed._replace(version=table.version + 1, changed_at=now, entries=())
                asked = [it for it in (interaction, self._live.asked(table_id)) if it is not None]
                try:
                    await self._store.change(saved, {"what": what, "by": by}, now, entries, asked, announce=not kept)
                except AlreadyCounted:
                    if interaction is not None:
                        raise
                    self._live.let_go(table_id)  # another process has made the move that was held here
                    continue
                except Conflict:  # another process was first: try again on its version
                    if await self._reload(table):
                        continue
                    self._live.drop(table_id)  # somebody has deleted it
                    raise Refusal(Why.NO_SUCH_TABLE) from None
                break
            if kept:
                saved = self._live.keep(saved)
        self._metrics.count_change(saved.game, what, entries)
        if saved.ending is not None and table.live:
            self._metrics.count_over(saved.game, saved.ending.value)
        log.info("table changed", extra=fields(table=table_id, version=saved.version, what=what))
        if kept or not table.live:
            self._on_change(saved)
        if saved.rematch_of is not None and table.phase is Phase.LOBBY and saved.phase is not Phase.LOBBY:
            self._spawn(self._follow(saved.rematch_of))
        return saved, result

    async def _check_new(self, interaction: int | None) -> None:
        """Check, for *interaction* that is refused, that this is not because it has had its effect already: it may come
        again, to another process.

        Raises:
            AlreadyCounted: it is.
        """
        if interaction is not None and await self._store.has_counted(interaction):
            raise AlreadyCounted

    async def _reload(self, known: Table) -> Table | None:
        """Take over what the store has, if another process has changed it since *known*, and return it; ``None``: it
        has not."""
        if await self._store.version(known.id) == known.version or (fresh := await self._load(known.id)) is None:
            return None
        if known.id in self._live:
            again = self._live.move_of(known.id)
            fresh = self._live.keep(fresh)
            self._on_change(fresh)
            if again is not None and fresh.held is None:  # else somebody else's came later
                with suppress(Refusal, IllegalAction):  # it is too late for the move
                    self._live.hold(again.make(fresh), again)
        return fresh

    # Rematches

    async def _follow(self, old: TableId) -> None:
        """Have the table *old*, which is over, know what has become of its rematch (L5); if that fails, later: what
        leaves a lobby and what that changes at the old table are two changes, and the process may die between them."""
        with self._rematches.failing_goes_on(old):
            try:
                table = await self.get(old)
                if table.rematch is None or not table.awaits_rematch:
                    return
                rematch = await self._found(table.rematch)
                if rematch is None or rematch.phase is not Phase.LOBBY:
                    known = partial(lobby.rematch_left_lobby, which=table.rematch, rematch=rematch)
                    await self.change(old, "rematch", None, known)
            except Refusal as no:  # it was deleted or set aside
                log.info("table not told of its rematch", extra=fields(table=old, why=no))

    async def _found(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: it is set aside, or there is none any more."""
        try:
            return await self.get(table)
        except Refusal:
            return None

    # Timers

    async def _tick(self, table: TableId) -> None:
        """Serve the timer of *table* that is due; if we are cut off, or it fails, ring again later."""
        before = self._live.with_move(table)
        if before is None:
            return
        if not self._shards.serves(before.guild):  # perhaps for a moment only; what is lost is forgotten soon
            self._alarms.retry(table)
            return
        due = next_due(before)
        if due is not None and due.timer in CLOCK and self._cut_off():
            self._alarms.retry(table)
            return
        with self._alarms.failing_goes_on(table):
            try:
                if due is not None and due.timer in CLOCK and not self._is_offered(before):
                    now = self._clock.now()  # recorded, so that it holds after a restart as well
                    await self.change(table, "not offered", None, lambda t: t._replace(offered_at=now))
                    return
                is_up = due is not None and due.timer is Timer.TURN and due.at <= self._clock.now()
                if is_up and self._may_be_deaf(before):
                    self._alarms.retry(table)
                    return
                thoughts = await self._thoughts(before)
                after = await self.change(table, "timer", None, lambda t: tick(t, self._clock.now(), thoughts))
            except Refusal:  # set aside meanwhile, or just now
                return
            if after is before:  # the alarm rang a moment too early
                self._live.arm(after)

    async def _thoughts(self, table: Table) -> Thoughts:
        """What the computer players at *table* will do next, found out in a thread: the event loop goes on meanwhile.
        Where that fails, the timer does too, and says so."""
        if not must_think(table):
            return NO_THOUGHTS
        try:
            return await asyncio.to_thread(thoughts_of, table)
        except Unusable:
            return NO_THOUGHTS
