"""The tables of this process: load, lock, change, commit, then tell. No Discord call happens under a lock."""

import asyncio
import logging
import secrets
from base64 import b32encode
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol, TypeVar

from bot.clock import Alarm, Clock
from bot.log import fields
from bot.refusals import Refusal, Why
from bot.tables import lobby, play
from bot.tables.conflicts import ChannelTaken, Conflict
from bot.tables.model import Ending, Options, Pace, Phase, Player, Table, TableId
from bot.tables.outages import PULSE_MS, Outage, credit
from bot.tables.play import Clicked
from bot.tables.timers import CLOCK, next_due
from engine.fair import SEED_BYTES
from engine.game import Seat

T = TypeVar("T")

log = logging.getLogger(__name__)

RETRY_MS: Final = 5000
"""After a timer could not be served (a bug, a database that is away): try again then."""


class TableStore(Protocol):
    """What the service needs of a store."""

    async def create(self, table: Table, what: dict[str, Any], at: int) -> None: ...
    async def change(self, table: Table, what: dict[str, Any], at: int) -> None: ...
    async def load(self, table: TableId) -> Table | None: ...
    async def live(self) -> list[Table]: ...
    async def newest_in(self, channel: int) -> Table | None: ...
    async def undelivered(self) -> list[Table]: ...
    async def pulse(self, at: int) -> None: ...
    async def wake(self, at: int) -> list[Outage]: ...
    async def outage(self, outage: Outage) -> None: ...


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
        self._outages: list[Outage] = []
        self._heartbeat: Alarm | None = None
        self._live: dict[TableId, Table] = {}
        self._locks: dict[TableId, asyncio.Lock] = {}
        self._alarms: dict[TableId, Alarm] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # Starting and stopping

    async def resume(self) -> int:
        """Take up every live table of the store: timers run, messages are brought up to date; a game that ended
        while nobody could say so is told of. How many are live."""
        self._outages = await self._store.wake(self._clock.now())
        live = [self._credited(table) for table in await self._store.live()]
        for table in live:
            self._live[table.id] = table
            self._arm(table)
        # Where something happened last somebody is waiting.
        live.sort(key=lambda table: -table.changed_at)
        self._restored([*live, *await self._store.undelivered()])
        self._next_pulse()
        return len(live)

    def _credited(self, table: Table) -> Table:
        """*table* with the time in which nobody could be served taken off its clock. That follows from the outages
        on record, so it need not be committed."""
        return table._replace(turn_credit=credit(self._outages, table.turn_began)) if table.turn_began else table

    async def was_cut_off(self, since: int) -> None:
        """We hear from Discord again, for the first time since *since* (ms): nobody's clock ran."""
        outage = Outage(since, self._clock.now())
        self._outages.append(outage)
        await self._store.outage(outage)
        for table in list(self._live.values()):
            credited = self._live[table.id] = self._credited(table)
            if credited != table:
                self._arm(credited)
                self._told(credited)

    def _next_pulse(self) -> None:
        self._heartbeat = self._clock.call_at(self._clock.now() + PULSE_MS, lambda: self._spawn(self._pulse()))

    async def _pulse(self) -> None:
        try:
            await self._store.pulse(self._clock.now())
        except Exception:  # the boundary of this task: the next pulse may come through
            log.exception("no pulse")
        self._next_pulse()

    async def stop(self) -> None:
        """No timer fires any more; those at work finish."""
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
        if self._tasks:
            await asyncio.wait(set(self._tasks))
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            await self._store.pulse(self._clock.now())

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

    def cached(self, table: TableId) -> Table | None:
        """The live *table*, without asking the store."""
        return self._live.get(table)

    def live_in(self, channel: int) -> Table | None:
        """The live table in *channel*."""
        return next((table for table in self._live.values() if table.channel == channel), None)

    async def in_channel(self, channel: int) -> Table:
        """The live table in *channel*.

        Raises:
            Refusal: there is none.
        """
        table = self.live_in(channel)
        if table is None:
            raise Refusal(Why.NO_TABLE_HERE)
        return table

    # The lobby

    async def open(self, *, guild: int, channel: int, game: str, host: Player, locale: str) -> Table:
        """A new table with its lobby.

        Raises:
            Refusal: the channel has one.
        """
        table = self._fresh(guild, channel, game, host, locale)._replace(players=(host,))
        return await self._create(table)

    async def rematch(self, table_id: TableId, player: Player) -> Table:
        """A new lobby with the people and options of the finished table, or the one that somebody else opened.

        Raises:
            Refusal: the game is not over, or the channel has a table.
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
        await self._change(table_id, "rematch", player.user, lambda t: (t._replace(rematch=table.id), None))
        return table

    def _fresh(self, guild: int, channel: int, game: str, host: Player, locale: str) -> Table:
        assert host.user is not None
        return Table(
            id=TableId(b32encode(secrets.token_bytes(5)).decode().lower()),
            version=1,
            guild=guild,
            channel=channel,
            game=game,
            phase=Phase.LOBBY,
            host=host.user,
            locale=locale,
            options=self._defaults,
            players=(),
            created_at=self._clock.now(),
            changed_at=self._clock.now(),
        )

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
        self._arm(table)
        log.info("table opened", extra=fields(table=table.id, version=1, game=table.game))
        return table

    async def join(self, table: TableId, player: Player) -> Table:
        return await self._lobby(table, "join", player.user, lambda t: lobby.join(t, player))

    async def quit(self, table: TableId, user: int) -> Table:
        return await self._lobby(table, "quit", user, lambda t: lobby.leave(t, user))

    async def add_computer(self, table: TableId, user: int) -> Table:
        return await self._lobby(table, "add computer", user, lambda t: lobby.add_computer(t, user))

    async def remove_computer(self, table: TableId, user: int) -> Table:
        return await self._lobby(table, "remove computer", user, lambda t: lobby.remove_computer(t, user))

    async def set_pace(self, table: TableId, user: int, pace: Pace) -> Table:
        return await self._lobby(table, "pace", user, lambda t: lobby.set_options(t, user, pace=pace))

    async def set_turn_limit(self, table: TableId, user: int, seconds: int) -> Table:
        return await self._lobby(table, "turn limit", user, lambda t: lobby.set_options(t, user, turn_seconds=seconds))

    async def set_game_option(self, table: TableId, user: int, name: str, value: str) -> Table:
        return await self._lobby(table, "option", user, lambda t: lobby.set_options(t, user, game=(name, value)))

    async def cancel(self, table: TableId, user: int, name: str, moderator: bool) -> Table:
        return await self._lobby(table, "cancel", user, lambda t: lobby.cancel(t, user, name, moderator))

    async def start(self, table: TableId, user: int) -> Table:
        seed = self._seeds()
        return await self._lobby(table, "start", user, lambda t: lobby.start(t, user, seed, self._clock.now()))

    async def _lobby(self, table: TableId, what: str, user: int | None, change: Callable[[Table], Table]) -> Table:
        return (await self._change(table, what, user, lambda t: (change(t), None)))[0]

    # The game

    async def move(self, table: TableId, user: int, ply: int, choose: Callable[[Table, Seat], Any], at: int) -> Clicked:
        """*user* plays what ``choose(table, seat)`` names; *at* is the click's snowflake time, ms."""

        def change(t: Table) -> tuple[Table, Clicked]:
            clicked = play.move(t, user, ply, lambda seat: choose(t, seat), at, self._clock.now())
            return clicked.table, clicked

        after, clicked = await self._change(table, "move", user, change)
        return clicked._replace(table=after)

    async def pick(self, table: TableId, user: int, ply: int) -> Table:
        """*user*, on turn, takes a step on the way to a move."""
        return await self._lobby(table, "pick", user, lambda t: play.pick(t, user, ply, self._clock.now()))

    async def shout(self, table: TableId, user: int, ply: int, at: int) -> Clicked:
        """*user* calls; *at* is the click's snowflake time, ms."""

        def change(t: Table) -> tuple[Table, Clicked]:
            clicked = play.shout(t, user, ply, at, self._clock.now())
            return clicked.table, clicked

        after, clicked = await self._change(table, "shout", user, change)
        return clicked._replace(table=after)

    async def leave(self, table: TableId, user: int) -> Table:
        return await self._lobby(table, "leave", user, lambda t: play.leave(t, user))

    async def gone(self, table: TableId, user: int) -> Table:
        """*user* has left the server: a computer plays for them, if it does not already."""
        return await self._lobby(table, "gone", user, lambda t: play.gone(t, user))

    async def come_back(self, table: TableId, user: int) -> Table:
        return await self._lobby(table, "come back", user, lambda t: play.come_back(t, user, self._clock.now()))

    async def replace(self, table: TableId, user: int, seat: Seat, moderator: bool) -> Table:
        return await self._lobby(table, "replace", user, lambda t: play.replace(t, user, seat, moderator))

    async def end(self, table: TableId, user: int, name: str, moderator: bool) -> Table:
        return await self._lobby(table, "end", user, lambda t: play.end(t, user, name, moderator))

    async def close(self, table: TableId, ending: Ending) -> Table:
        """*table* ends by nobody's will."""
        return await self._lobby(table, "close", None, lambda t: play.close(t, ending))

    async def speak(self, table: TableId, locale: str) -> Table:
        """What everybody reads at *table* is in *locale* from now on."""
        return await self._lobby(table, "language", None, lambda t: t._replace(locale=locale) if t.live else t)

    def live_of(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """The live tables of a *guild* or *channel*."""
        return [t for t in self._live.values() if guild in (None, t.guild) and channel in (None, t.channel)]

    async def update_player(self, table: TableId, user: int, **changes: Any) -> Table:
        """Something about a person that is no move: that they were here, where they want their hand."""

        def change(t: Table) -> Table:
            seat = t.seat_of(user)
            return t if seat is None else t.with_player(seat, **changes)

        return await self._lobby(table, "player", user, change)

    # The way every change goes

    async def _change(
        self, table_id: TableId, what: str, by: int | None, change: Callable[[Table], tuple[Table, T]]
    ) -> tuple[Table, T]:
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
        self._arm(saved)
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
        self._arm(fresh)
        self._told(fresh)
        return True

    # Timers

    def _arm(self, table: Table) -> None:
        alarm = self._alarms.pop(table.id, None)
        if alarm is not None:
            alarm.cancel()
        due = next_due(table)
        if due is not None:
            self._wake(table.id, due.at)

    def _wake(self, table: TableId, at: int) -> None:
        self._alarms[table] = self._clock.call_at(at, lambda: self._spawn(self._tick(table)))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tick(self, table: TableId) -> None:
        before = self._live.get(table)
        due = next_due(before) if before is not None else None
        if due is not None and due.timer in CLOCK and self._cut_off():
            self._wake(table, self._clock.now() + RETRY_MS)
            return
        try:
            after, _ = await self._change(table, "timer", None, lambda t: (play.tick(t, self._clock.now()), None))
            if after is before:  # woken a moment too early
                self._arm(after)
        except Exception:  # the boundary of timers: a table must not stop for a bug
            log.exception("timer failed", extra=fields(table=table))
            self._wake(table, self._clock.now() + RETRY_MS)
