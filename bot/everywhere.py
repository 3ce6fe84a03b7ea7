"""What concerns tables wherever they are served: it is done here, and every other process is told to do it too.

Each kind of news is one method of ``Everywhere`` that begins with ``_on_``. The same news may come again, and change
nothing then.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import SQLAlchemyError

from bot.log import fields
from bot.refusals import Refusal
from bot.servers import take_banned_out
from bot.tables import leaving, lobby
from bot.tables.erasing import erased
from bot.tables.model import Ending, Table, TableId
from bot.tables.outages import Outage
from bot.tables.service import Change

if TYPE_CHECKING:
    from bot.client import Bot

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = 1.0


async def _nobody_else(kind: str, **data: Any) -> object:
    """What is told if there are no other processes."""
    return None


async def _no_others(seconds: float) -> bool:
    """Whether all others know, if there are none."""
    return True


class Everywhere:
    """Does things to the tables of *bot*, and has the other processes do them to theirs.

    ``tell`` is called with a kind of news and what it says; ``all_know`` waits until every process has applied all news
    there are, and returns whether they have in time.
    """

    def __init__(self, bot: "Bot") -> None:
        self._bot = bot
        self.tell: Callable[..., Awaitable[object]] = _nobody_else
        self.all_know: Callable[[float], Awaitable[bool]] = _no_others

    async def outage(self, began: int, ended: int) -> None:
        """Record that clicks were lost between those times (ms), and credit them to every running turn everywhere."""
        self._bot.tables.add_outage(Outage(began, ended))
        await self.spread("outage", began=began, ended=ended)

    async def hear(self, kind: str, data: dict[str, Any]) -> None:
        """Do what another process asks for; what it has stored of a person is read again."""
        if "user" in data:
            await self._bot.people.reload(data["user"])
        await self.apply(kind, data)

    async def do(self, kind: str, **data: Any) -> None:
        """Do what news of *kind* ask for, here and in all other processes."""
        await self.apply(kind, data)
        await self.tell(kind, **data)

    async def spread(self, kind: str, **data: Any) -> None:
        """As ``do``, for what Discord says only once: if the others cannot be told now, they are told later."""
        await self.apply(kind, data)
        while True:
            try:
                await self.tell(kind, **data)
            except (SQLAlchemyError, OSError) as error:
                log.warning("the others are told later", extra=fields(kind=kind, error=type(error).__name__))
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return

    async def apply(self, kind: str, data: dict[str, Any]) -> None:
        """Do what news of *kind* ask for, here. What a newer version says is left to it."""
        found = getattr(self, f"_on_{kind}", None)
        if found is None:
            log.warning("news not understood", extra=fields(kind=kind))
            return
        known = inspect.signature(found).parameters
        await found(**{key: value for key, value in data.items() if key in known})

    # Discord

    async def _on_outage(self, began: int, ended: int) -> None:
        """Clicks were lost between those times (ms): they are credited to every running turn."""
        self._bot.tables.add_outage(Outage(began, ended))

    async def _on_unserved(self, began: int, ended: int) -> None:
        """Nobody served some tables between those times (ms): they are credited to their turns when they are loaded."""
        self._bot.tables.note_outage(Outage(began, ended))

    async def _on_access(self, guild: int | None = None, shard: int | None = None) -> None:
        """What we may do has changed in the server *guild*, or in all of *shard*: try again what was refused there."""
        bot = self._bot
        for server in {table.guild for table in bot.reconciler.known()}:
            if server == guild or bot.shard_of(server) == shard:
                bot.reconciler.access_changed(server)

    async def _on_server_gone(self, guild: int) -> None:
        """We are no longer in the server *guild*: close its tables."""
        for table in await self._bot.tables.all_of(guild=guild):
            await self._close(table)

    async def _on_channel_gone(self, channel: int) -> None:
        """The *channel* does not exist any more: close its table."""
        for table in await self._bot.tables.all_of(channel=channel):
            await self._close(table)

    async def _close(self, table: Table) -> None:
        """End the game at *table*, since we cannot stay in its channel."""
        await self._change(table, "close", None, lambda t: leaving.close(t, Ending.REMOVED))

    async def _change(self, table: Table, what: str, by: int | None, change: Change) -> None:
        """Apply *change* to *table*, if it is still served here: whoever serves it now hears of the same."""
        try:
            await self._bot.tables.change(table.id, what, by, change)
        except Refusal as no:  # it was handed over, deleted or set aside meanwhile
            log.info("a table is left out", extra=fields(table=table.id, what=what, why=no))

    async def _on_died(self) -> None:
        """A process has died. What it stored last it may have told nobody: so what was read of people and servers is
        read anew, and tables are taken over that it has opened in threads that are served here."""
        bot = self._bot
        bot.servers.forget()
        await bot.people.load()
        await bot.tables.adopt_all()

    # People and servers

    async def _on_preferences(self, user: int, player: dict[str, Any]) -> None:
        """What *user* prefers has changed; *player* is what that makes of them at every table where they sit."""
        bot = self._bot
        if player.get("by_dm") is False:
            for table in await bot.tables.all_of():
                bot.reconciler.decline_direct(table, user)
        await bot.tables.update_person(user, **player)

    async def _on_rating(self, user: int, rated: bool) -> None:
        """Whether *user* wants a rating."""
        await self._bot.tables.rate(user, rated)

    async def _on_privacy(self, user: int) -> None:
        """What others may know of *user* has changed: it is read when it matters."""

    async def _on_server(self, guild: int) -> None:
        """What was chosen for the server *guild*, or who is banned from its tables, has changed: it is read anew, and
        who is banned leaves lobbies."""
        bot = self._bot
        bot.servers.forget(guild)
        await take_banned_out(bot.tables, await bot.servers.of(guild), guild, bot.clock.now())

    async def _on_opened(self, table: TableId, channel: int) -> None:
        """*table* was opened in *channel*, which is a thread that was made for it, by a process that does not serve
        that: whoever does begins with it."""
        if self._bot.tables.serves(channel):
            await self._bot.tables.adopt(table)

    async def _on_language(self, guild: int, locale: str, by: int) -> None:
        """The tables of the server *guild* speak *locale* from now on."""
        for table in await self._bot.tables.all_of(guild=guild):
            await self._change(table, "language", by, lambda t: lobby.with_locale(t, locale))

    async def _on_emojis(self) -> None:
        """The application's emojis have changed."""
        await self._bot.look_at_emojis()

    async def _on_erase(self, user: int) -> None:
        """Erase *user* from every table that runs, and from those that are over and whose messages can still change;
        then wait for what is being done about their messages, as that may record them once more."""
        bot = self._bot
        live = await bot.tables.all_of()
        over = [table for table in bot.reconciler.known() if not table.live]
        said = [table for table in (*live, *over) if erased(table, user) != table]
        for table in said:
            await self._change(table, "erase", None, lambda t: erased(t, user))
        for table in said:
            await bot.reconciler.settled(table.id)

    async def _on_erased(self, user: int) -> None:
        """*user* was erased from the database: forget them."""
        self._bot.people.forget(user)
        self._bot.servers.forget()
        self._bot.reconciler.notes.forget(user)
