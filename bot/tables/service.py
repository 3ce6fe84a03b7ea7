"""The tables of this process: load, lock, change, commit; only then is anybody told. No Discord call happens under a
lock.
"""

import asyncio
import logging
import secrets
from base64 import b32encode
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from bot.clock import Clock
from bot.log import fields
from bot.refusals import Refusal, Why
from bot.tables import lobby, play
from bot.tables.alarms import RETRY_MS, Alarms
from bot.tables.model import Options, Player, Table, TableId
from bot.tables.play import Clicked
from bot.tables.storage import ChannelTaken, Conflict, TableStore
from bot.tables.ticking import tick
from bot.tables.timers import CLOCK, next_due
from bot.tables.uptime import Uptime
from engine.fair import SEED_BYTES
from engine.game import Seat

T = TypeVar("T")
Change = Callable[[Table], Table]
"""What to make of a table: one of the pure functions in ``lobby``, ``play`` and ``leaving``. It may raise Refusal or
IllegalAction, and then nothing has changed."""

log = logging.getLogger(__name__)


def fresh_seed() -> bytes:
    """The secret of a new game."""
    return secrets.token_bytes(SEED_BYTES)


class Tables:
    """Every change to a table goes through here, one at a time for each table.

    ``told`` is called with the new table after every committed change, ``restored`` with those that a new process
    takes up, of which nobody knows what is shown; ``cut_off`` says whether clicks cannot reach
    us at the moment, so that no clock runs out on anybody.
    """

    def __init__(
        self,
        store: TableStore,
        clock: Clock,
        told: Callable[[Table], None],
        restored: Callable[[list[Table]], None],
        *,
        seeds: Callable[[], bytes] = fresh_seed,
        defaults: Options = Options(),  # noqa: B008 - immutable
        cut_off: Callable[[], bool] = lambda: False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._told = told
        self._restored = restored
        self._seeds = seeds
        self._defaults = defaults
        self._cut_off = cut_off
        self._uptime = Uptime(store, clock, self._spawn)
        self._live: dict[TableId, Table] = {}
        self._locks: dict[TableId, asyncio.Lock] = {}
        self._alarms = Alarms(clock, lambda table: self._spawn(self._tick(table)))
        self._tasks: set[asyncio.Task[None]] = set()

    # Starting and stopping

    async def resume(self) -> int:
        """Take up every live table of the store: timers run, messages are brought up to date, and of games that ended
        while nobody could say so their players are told. How many are live."""
        await self._uptime.begin()
        live = [self._uptime.credited(table) for table in await self._store.live()]
        for table in live:
            self._live[table.id] = table
            self._alarms.arm(table)
        # Where something happened last somebody is waiting.
        live.sort(key=lambda table: -table.changed_at)
        self._restored([*live, *await self._store.undelivered()])
        return len(live)

    async def was_cut_off(self, since: int) -> None:
        """We hear from Discord again, for the first time since *since* (ms): nobody's clock ran."""
        await self._uptime.add_outage(since)
        for table in list(self._live.values()):
            credited = self._live[table.id] = self._uptime.credited(table)
            if credited != table:
                self._alarms.arm(credited)
                self._told(credited)

    async def stop(self) -> None:
        """No timer fires any more; those at work finish."""
        self._alarms.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks))
        await self._uptime.end()

    # Looking

    async def get(self, table: TableId) -> Table:
        """The newest version of *table*.

        Raises:
            Refusal: there is none.
        """
        found = self._live.get(table) or await self._store.load(table)
        if found is None:
            raise Refusal(Why.NO_SUCH_TABLE)
        return found

    def live_in(self, channel: int) -> Table | None:
        """The live table in *channel*."""
        return next((table for table in self._live.values() if table.channel == channel), None)

    def live_of(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """The live tables of a *guild* or *channel*; of all, if neither is given."""
        return [t for t in self._live.values() if guild in (None, t.guild) and channel in (None, t.channel)]

    async def in_channel(self, channel: int) -> Table:
        """The live table in *channel*.

        Raises:
            Refusal: there is none.
        """
        table = self.live_in(channel)
        if table is None:
            raise Refusal(Why.NO_TABLE_HERE)
        return table

    # Opening

    async def open(self, *, guild: int, channel: int, game: str, host: Player, locale: str) -> Table:
        """A new table with its lobby.

        Raises:
            Refusal: the channel has one.
        """
        table = self._fresh(guild, channel, game, host, locale)._replace(players=(host,))
        return await self._create(table)

    async def rematch(self, table_id: TableId, player: Player) -> Table:
        """A new lobby with the people and options of the finished table.

        Raises:
            Refusal: the game is not over, somebody else has opened the new table, or the channel has another one.
        """
        old = await self.get(table_id)
        if old.live:
            raise Refusal(Why.NOT_FINISHED)
        if old.rematch is not None:
            raise Refusal(Why.TABLE_OPEN_HERE, table=old.rematch)
        assert player.user is not None
        if old.seat_of(player.user) is None:
            raise Refusal(Why.PLAYERS_ONLY)
        fresh = self._fresh(old.guild, old.channel, old.game, player, old.locale)
        table = await self._create(lobby.again(old, fresh, player))
        await self.change(table_id, "rematch", player.user, lambda t: t._replace(rematch=table.id))
        return table

    def _fresh(self, guild: int, channel: int, game: str, host: Player, locale: str) -> Table:
        table_id = TableId(b32encode(secrets.token_bytes(5)).decode().lower())
        now = self._clock.now()
        return lobby.fresh(table_id, (guild, channel), game, host, locale, self._defaults, now)

    async def _create(self, table: Table) -> Table:
        existing = self.live_in(table.channel)
        if existing is not None:
            raise Refusal(Why.TABLE_OPEN_HERE, table=existing.id)
        try:
            await self._store.create(table, {"what": "open", "by": table.host}, self._clock.now())
        except ChannelTaken:
            other = await self._store.newest_in(table.channel)
            raise Refusal(Why.TABLE_OPEN_HERE, table=other.id if other else None) from None
        self._live[table.id] = table
        self._alarms.arm(table)
        log.info("table opened", extra=fields(table=table.id, version=1, game=table.game))
        return table

    # Changing

    async def change(self, table: TableId, what: str, by: int | None, change: Change) -> Table:
        """*table* after *change*, committed and told of; unchanged where *change* changes nothing. *what* is for the
        history, *by* the person who asked for it.

        Raises:
            Refusal, IllegalAction: as *change* says, or there is no such table.
        """
        return (await self._change(table, what, by, lambda t: (change(t), None)))[0]

    def seed(self) -> bytes:
        """A fresh secret for the next game."""
        return self._seeds()

    async def move(self, table: TableId, user: int, ply: int, choose: Callable[[Table, Seat], Any], at: int) -> Clicked:
        """*user* plays what ``choose(table, seat)`` names; *at* is the click's snowflake time, ms."""
        return await self._click(
            table, "move", user, lambda t: play.move(t, user, ply, lambda seat: choose(t, seat), at, self._clock.now())
        )

    async def call(self, table: TableId, user: int, ply: int, at: int) -> Clicked:
        """*user* calls; *at* is the click's snowflake time, ms."""
        return await self._click(table, "call", user, lambda t: play.call(t, user, ply, at, self._clock.now()))

    async def update_player(self, table: TableId, user: int, **changes: Any) -> Table:
        """Something about a person that is no move: that they were here, where they want their hand."""

        def change(t: Table) -> Table:
            seat = t.seat_of(user)
            return t if seat is None else t.with_player(seat, **changes)

        return await self.change(table, "player", user, change)

    async def _click(self, table: TableId, what: str, user: int, change: Callable[[Table], Clicked]) -> Clicked:
        def both(t: Table) -> tuple[Table, Clicked]:
            clicked = change(t)
            return clicked.table, clicked

        after, clicked = await self._change(table, what, user, both)
        return clicked._replace(table=after)

    async def _change(
        self, table_id: TableId, what: str, by: int | None, change: Callable[[Table], tuple[Table, T]]
    ) -> tuple[Table, T]:
        """The way of every change, one at a time for each table: (the table after it, what *change* says besides).

        Raises:
            Refusal, IllegalAction: as *change* says, or there is no such table.
        """
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            reloaded = False
            while True:
                table = await self.get(table_id)
                try:
                    changed, result = change(table)
                except Refusal as no:
                    # A button from the future is forged - or another process has served this table meanwhile.
                    if no.why is not Why.BUTTON_DEAD or reloaded or not await self._reload(table):
                        raise
                    reloaded = True
                    continue
                if changed == table:
                    return table, result
                now = self._clock.now()
                saved = changed._replace(version=table.version + 1, changed_at=now)
                try:
                    await self._store.change(saved, {"what": what, "by": by}, now)
                except Conflict:  # another process was first: decide anew on what it left
                    await self._reload(table)
                    continue
                break
            if saved.live:
                self._live[table_id] = saved
            else:
                self._live.pop(table_id, None)
        if not saved.live:
            self._locks.pop(table_id, None)
        log.info("table changed", extra=fields(table=table_id, version=saved.version, what=what))
        self._alarms.arm(saved)
        self._told(saved)
        return saved, result

    async def _reload(self, known: Table) -> bool:
        """Take up what the store has; whether that is newer than *known*."""
        fresh = await self._store.load(known.id)
        if fresh is None or fresh.version == known.version:
            return False
        self._live.pop(known.id, None)
        if fresh.live:
            self._live[known.id] = fresh
        self._alarms.arm(fresh)
        self._told(fresh)
        return True

    # Timers

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tick(self, table: TableId) -> None:
        """The alarm of *table* has rung."""
        before = self._live.get(table)
        due = next_due(before) if before is not None else None
        if due is not None and due.timer in CLOCK and self._cut_off():
            self._alarms.ring_at(table, self._clock.now() + RETRY_MS)
            return
        try:
            after = await self.change(table, "timer", None, lambda t: tick(t, self._clock.now()))
            if after is before:  # woken a moment too early
                self._alarms.arm(after)
        except Exception:  # the boundary of timers: a table must not stop for a bug
            log.exception("timer failed", extra=fields(table=table))
            self._alarms.ring_at(table, self._clock.now() + RETRY_MS)
