"""New tables: whether somebody may open one more, and what a rematch begins with."""

from collections.abc import Callable, Collection
from functools import partial

from bot.clock import Clock
from bot.refusals import Refusal, Why
from bot.tables import lobby
from bot.tables.fresh import fresh_id
from bot.tables.guild_settings import GuildSettings
from bot.tables.limits import Guard
from bot.tables.model import Player, Table
from bot.tables.options import Options
from bot.tables.storage import ChannelTaken, TableStore, TooMany


class Opening:
    """Makes new tables and stores them; *seeds* makes their secrets, *defaults* are their options, *guard* keeps to
    the limits."""

    def __init__(
        self, store: TableStore, clock: Clock, seeds: Callable[[], bytes], defaults: Options, guard: Guard
    ) -> None:
        self._store = store
        self._clock = clock
        self.seeds = seeds
        self._defaults = defaults
        self.guard = guard

    def fresh(self, where: tuple[int, int], game: str, host: Player, locale: str, chosen: GuildSettings) -> Table:
        """A new table in *where* (server, channel) without players, in the lobby, not stored yet; *chosen* is what was
        chosen for the server."""
        options, now = chosen.options(self._defaults), self._clock.now()
        table = lobby.new_table(fresh_id(), where, game, host, locale, options, self.seeds(), now)
        return table._replace(counted=chosen.counted)

    def rematch_of(
        self, old: Table, player: Player, open_here: Table | None, chosen: GuildSettings, banned: Collection[int]
    ) -> Table:
        """The table that *player* may open after *old*, not stored yet; *open_here* is the live table in the channel,
        *chosen* what was chosen for the server. Those who are *banned* from its tables are not invited.

        Raises:
            Refusal: the game is not over, *player* was not in it, or somebody was first.
        """
        if old.live:
            raise Refusal(Why.NOT_FINISHED)
        assert player.user is not None
        if old.seat_of(player.user) is None:
            raise Refusal(Why.PLAYERS_ONLY)
        if open_here is not None and (open_here.rematch_of == old.id or open_here.seat_of(player.user) is not None):
            raise Refusal(Why.REMATCH_OPEN, table=open_here.id)
        fresh = self.fresh((old.guild, old.channel), old.game, player, old.locale, chosen)
        return lobby.rematch_of(old, fresh, player, self._clock.now(), banned)

    async def check(self, guild: int, host: int, now: int, chosen: GuildSettings) -> None:
        """Check that *host* may open one more table in *guild* at the time *now* (ms); raises Refusal if a limit is
        reached. *chosen* is what was chosen for the server."""
        self.guard.check_open(await self._store.opened(guild, host, now), chosen.tables)

    async def store(self, table: Table, now: int, chosen: GuildSettings, *, announce: bool = False) -> None:
        """Store the new *table* at the time *now* (ms); *chosen* is what was chosen for its server. With *announce*
        other processes are told.

        Raises:
            Refusal: its channel has a live table, or a limit is reached.
        """
        try:
            check = partial(self.guard.check_open, chosen=chosen.tables)
            await self._store.create(table, {"what": "open", "by": table.host}, now, check, announce=announce)
        except ChannelTaken:
            raise Refusal(Why.TABLE_OPEN_HERE, table=await self._store.live_in(table.channel)) from None
        except TooMany as no:
            raise no.refusal from None
