"""What follows for the tables of this process when something has changed: in Discord, in a server's or a person's
choices, in another process."""

import logging
from typing import TYPE_CHECKING, Any

from bot.background import Background
from bot.log import fields
from bot.servers import take_banned_out
from bot.store.changes import Announced
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal
from bot.tables.leaving import erased
from bot.tables.model import Ending, Table, TableId
from bot.tables.preferences import Preferences
from bot.tables.service import Change

if TYPE_CHECKING:
    from bot.client import Bot

log = logging.getLogger(__name__)


class Changes:
    """Has changes hold at the tables that *bot* serves."""

    def __init__(self, bot: "Bot") -> None:
        self._bot = bot
        self._spawn = Background(log, "a change of another process does not hold here").spawn

    # Discord

    def access(self, guild: int) -> None:
        """What we may do has changed in the server *guild*: try again what was refused there."""
        self._bot.reconciler.access_changed(guild)

    async def server_gone(self, guild: int) -> None:
        """We are no longer in the server *guild*: close its tables."""
        for table in await self._bot.tables.all_of(guild=guild):
            await self._close(table)

    async def channel_gone(self, channel: int) -> None:
        """The *channel* does not exist any more: close its table."""
        for table in await self._bot.tables.all_of(channel=channel):
            await self._close(table)

    async def _close(self, table: Table) -> None:
        """End the game at *table*, since we cannot stay in its channel."""
        await self._change(table.id, "close", None, lambda t: leaving.close(t, Ending.REMOVED))

    async def _change(self, table: TableId, what: str, by: int | None, change: Change) -> None:
        """Apply *change* to *table*, if it is still there."""
        try:
            await self._bot.tables.change(table, what, by, change)
        except Refusal as no:  # it was deleted or set aside meanwhile
            log.info("a table is left out", extra=fields(table=table, what=what, why=no))

    # Servers and people

    async def server(self, guild: int) -> None:
        """What was chosen for the server *guild*, or who is banned from its tables, has changed: it is read anew, and
        who is banned leaves lobbies."""
        bot = self._bot
        bot.servers.forget(guild)
        await take_banned_out(bot.tables, await bot.servers.of(guild), guild, bot.clock.now())

    async def language(self, guild: int, locale: str, by: int) -> None:
        """The tables of the server *guild* speak *locale* from now on."""
        for table in await self._bot.tables.all_of(guild=guild):
            await self._change(table.id, "language", by, lambda t: lobby.with_locale(t, locale))

    async def preferences(self, user: int, **chosen: Any) -> None:
        """The person *user* has *chosen* something, fields of a ``Player``: it holds wherever they sit."""
        bot = self._bot
        if chosen.get("by_dm") is False:
            for table in await bot.tables.all_of():
                bot.reconciler.decline_direct(table, user)
        await bot.tables.update_person(user, **chosen)

    async def rating(self, user: int, rated: bool) -> None:
        """Whether *user* wants a rating has changed."""
        await self._bot.tables.rate(user, rated)

    async def erase(self, user: int, names: set[str]) -> None:
        """Erase *user*, who was called one of *names*, from all tables that run, in whichever process, and from those
        that are over and whose messages can still change here; then wait for what is being done about their messages,
        as that may record them once more."""
        bot = self._bot
        found = await bot.store.mentions(user, names)
        said = [it.table for it in found.mentions if it.live]
        said += [table.id for table in bot.reconciler.known() if not table.live and erased(table, user) != table]
        for table in said:
            await self._change(table, "erase", None, lambda t: erased(t, user))
        for table in said:
            await bot.reconciler.settled(table)

    async def _erased(self, user: int) -> None:
        """*user* was erased by another process: forget them."""
        bot = self._bot
        for table in [it for it in bot.reconciler.known() if not it.live and erased(it, user) != it]:
            await self._change(table.id, "erase", None, lambda t: erased(t, user))
        self.forget(user)

    def forget(self, user: int) -> None:
        """Forget *user*, who is erased from the database."""
        self._bot.people.forget(user)
        self._bot.servers.forget()
        self._bot.reconciler.notes.forget(user)

    # Other processes

    def hear(self, change: Announced) -> None:
        """Have it hold here what another process has changed."""
        match change:
            case Announced(_, "table", table):
                self._spawn(self._bot.tables.read_again(TableId(table)))
            case Announced(_, "person", user):
                self._spawn(self._person(int(user)))
            case Announced(_, "erased", user):
                self._spawn(self._erased(int(user)))
            case Announced(_, "emojis"):
                self._spawn(self._bot.look_at_emojis())
            case _:
                log.warning("a change that is not understood", extra=fields(kind=change.kind))

    async def _person(self, user: int) -> None:
        """Read again what *user* has chosen, and have it hold here."""
        before = self._bot.people.preferences(user)
        await self._bot.people.reload(user)
        await self._chosen(user, before)

    async def _chosen(self, user: int, before: Preferences) -> None:
        """Have it hold here what *user* has chosen, who had chosen something else *before*."""
        chosen = self._bot.people.preferences(user)
        if chosen.rated != before.rated:
            await self.rating(user, chosen.rated is True)
        old, new = before.player(""), chosen.player("")
        changed = {key: value for key, value in new.items() if value != old[key] and key != "rated" and value != ""}
        if "by_dm" in changed:
            changed["refuses_dms"] = False
        if changed:
            await self.preferences(user, **changed)

    async def read_again(self) -> None:
        """Read everything again that other processes may have changed, of which this one has not heard."""
        self._bot.servers.forget()
        for user, before in (await self._bot.people.load()).items():
            await self._chosen(user, before)
