"""The settings and bans of servers and the preferences of people, in memory and in the store.

A click reads them at once. All other modules read and change them through these classes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any

from bot.log import fields
from bot.store.store import Store
from bot.tables import lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import NO_SERVER, Phase, new_table_id
from bot.tables.preferences import DEFAULTS, Ban, GuildSettings, Preferences, Server
from bot.tables.service import Tables

log = logging.getLogger(__name__)


class Servers:
    """The settings and bans of servers, read from the store once and then kept in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Server] = {}
        self._version = 0
        """How often something was forgotten: a value that was read before that is not kept."""

    async def get_settings_and_bans(self, guild: int) -> Server:
        """Return the settings and bans of the server *guild*, from memory or the store; ``NO_SERVER``: the host's own
        bans, always from the store."""
        if guild == NO_SERVER:  # the host's own bans: another program changes them while this one runs
            return await self._store.load_guild_settings_and_bans(guild)
        found = self._known.get(guild)
        if found is None:
            version = self._version
            found = await self._store.load_guild_settings_and_bans(guild)
            if version == self._version:
                self._known[guild] = found
        return found

    async def settings(self, guild: int) -> GuildSettings:
        """Return the settings of *guild*, from memory or the store; the defaults if nothing was chosen."""
        return (await self.get_settings_and_bans(guild)).settings

    def drop_cached(self, guild: int | None = None) -> None:
        """Remove *guild* (``None``: every server) from memory, so that its settings and bans are read from the store
        next time."""
        self._version += 1
        if guild is None:
            self._known.clear()
        else:
            self._known.pop(guild, None)

    # Changes. The caller applies them to the tables there (``TableChanges.apply_changed_settings_and_bans``).

    async def change_settings(self, guild: int, **changes: Any) -> GuildSettings:
        """Store *changes*, fields of ``GuildSettings``, for *guild*, and return all its settings; memory and tables
        stay as they are."""
        return await self._store.save_guild_settings(guild, **changes)

    async def ban(self, guild: int, user: int, until: int, by: int, reason: str) -> None:
        """Store a ban of *user* from the tables of *guild* until *until* (ms since 1970), in place of any earlier one;
        they are not removed from tables yet.

        *by* is the moderator's id.
        """
        await self._store.save_ban(guild, Ban(new_table_id(), user, "", until, by, reason))

    async def lift_ban(self, guild: int, ban: str) -> None:
        """Delete the ban with the id *ban* in *guild* from the store, if there is one."""
        await self._store.delete_ban(guild, ban)

    # Bans

    async def check_not_banned(self, guild: int, user: int, now: int) -> None:
        """Raise Refusal if *user* is banned at *now* (ms) from the tables of *guild*, or (*guild* ``NO_SERVER``) by the
        bot's host from all."""
        ban = (await self.get_settings_and_bans(guild)).current_ban(guild, user, now)
        if ban is not None and guild == NO_SERVER:
            raise Refusal(Why.BANNED_BY_HOST)
        if ban is not None:
            raise Refusal(Why.BANNED, until=ban.until, reason=ban.reason)


async def remove_banned_from_lobbies(tables: Tables, server: Server, guild: int, now: int) -> None:
    """Remove people who are banned in *guild* at *now* (ms) from its tables in the lobby; in running games they
    stay."""
    for table in await tables.all_live_tables(guild=guild):
        people = [it.user for it in table.players if it.user is not None] if table.phase is Phase.LOBBY else []
        for user in people:
            if server.current_ban(guild, user, now) is not None:
                try:
                    await tables.change(table.id, "ban", None, partial(lobby.leave_lobby, user=user))
                except Refusal as no:  # it has started meanwhile, or they have left
                    log.info("not taken out of a lobby", extra=fields(table=table.id, why=no))


# The preferences of people: in memory, for a click to read them at once, and in the store.


class People:
    """The preferences of all people who have any, in memory and in the store. Call ``load`` before the first click."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chosen: dict[int, Preferences] = {}
        self._writing = asyncio.Lock()
        self._busy: set[int] = set()

    async def load(self) -> dict[int, Preferences]:
        """Load all preferences from the store; return, by person, the earlier preferences of those whose preferences
        have changed."""
        async with self._writing:
            before, self._chosen = self._chosen, await self._store.load_all_preferences()
        people = before.keys() | self._chosen.keys()
        return {it: before.get(it, DEFAULTS) for it in people if before.get(it, DEFAULTS) != self.preferences(it)}

    def preferences(self, user: int) -> Preferences:
        """Return the preferences of *user* from memory; the defaults if they have chosen nothing."""
        return self._chosen.get(user, DEFAULTS)

    async def change(self, user: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Apply the function *change* to the preferences of *user*, keep and store the result, and return it; tables
        stay as they are.

        If they are the defaults again, nothing of this person stays in the store.
        """
        async with self._writing:
            chosen = change(self.preferences(user))
            await self._store.save_preferences(user, chosen)
            self._chosen[user] = chosen
        return chosen

    async def reload(self, user: int) -> None:
        """Load the preferences of *user* from the store again, because another process may have changed them."""
        async with self._writing:
            found = await self._store.load_preferences(user)
            self._chosen[user] = DEFAULTS if found is None else found

    def forget(self, user: int) -> None:
        """Remove the preferences of *user*, who was erased, from memory."""
        self._chosen.pop(user, None)

    @asynccontextmanager
    async def erasing(self, user: int) -> AsyncIterator[None]:
        """Context manager for erasing *user* from the store: nobody's preferences can change meanwhile, and theirs are
        then removed from memory.

        A change that had begun before would store their preferences again.
        """
        async with self._writing:
            yield
            self._chosen.pop(user, None)

    @contextmanager
    def refusing_parallel_tasks(self, user: int) -> Iterator[None]:
        """Context manager for slow work asked for by *user*: raise Refusal if they are in such a block already."""
        if user in self._busy:
            raise Refusal(Why.AT_WORK)
        self._busy.add(user)
        try:
            yield
        finally:
            self._busy.discard(user)
