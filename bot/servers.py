"""What was decided about servers: in memory, so that a click reads it at once, and in the store. The one door to it."""

import logging
from functools import partial
from typing import Any

from bot.log import fields
from bot.store.store import Store
from bot.tables import lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, fresh_id
from bot.tables.preferences import Ban, GuildSettings, Server
from bot.tables.service import Tables

log = logging.getLogger(__name__)


class Servers:
    """What was decided about every server that something was asked of lately: settings, bans."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Server] = {}
        self._version = 0
        """How often something was forgotten: what was read before that is not kept."""

    async def of(self, guild: int) -> Server:
        """All that was decided about *guild*."""
        found = self._known.get(guild)
        if found is None:
            version = self._version
            found = await self._store.server(guild)
            if version == self._version:
                self._known[guild] = found
        return found

    async def settings(self, guild: int) -> GuildSettings:
        """What was chosen for *guild*."""
        return (await self.of(guild)).settings

    def forget(self, guild: int | None = None) -> None:
        """Read *guild* (``None``: every server) anew when it is asked for next: something has changed in the store."""
        self._version += 1
        if guild is None:
            self._known.clear()
        else:
            self._known.pop(guild, None)

    # What changes something; the caller has it hold at the tables there (``Changes.server``).

    async def choose(self, guild: int, **changes: Any) -> GuildSettings:
        """Record *changes*, fields of ``GuildSettings``, for *guild*, and return all that is chosen now."""
        return await self._store.choose_for_guild(guild, **changes)

    async def ban(self, guild: int, user: int, until: int, by: int, reason: str) -> None:
        """Ban *user* from the tables of *guild* until *until* (ms), in place of any other ban of theirs; *by* is the
        moderator."""
        await self._store.ban(guild, Ban(fresh_id(), user, "", until, by, reason))

    async def lift(self, guild: int, ban: str) -> None:
        """End the *ban* in *guild*, if there is one of that id."""
        await self._store.lift(guild, ban)

    # What people may not do

    async def check_not_banned(self, guild: int, user: int, now: int) -> None:
        """Check that *user* is not banned from the tables of *guild* at *now* (ms).

        Raises:
            Refusal: they are.
        """
        ban = (await self.of(guild)).ban(guild, user, now)
        if ban is not None:
            raise Refusal(Why.BANNED, until=ban.until, reason=ban.reason)


async def take_banned_out(tables: Tables, server: Server, guild: int, now: int) -> None:
    """Take those who are banned in *guild* at *now* (ms) out of its lobbies; games that run go on with them."""
    for table in await tables.all_of(guild=guild):
        people = [it.user for it in table.players if it.user is not None] if table.phase is Phase.LOBBY else []
        for user in people:
            if server.ban(guild, user, now) is not None:
                try:
                    await tables.change(table.id, "ban", None, partial(lobby.leave, user=user))
                except Refusal as no:  # it has started meanwhile, or they have left
                    log.info("not taken out of a lobby", extra=fields(table=table.id, why=no))
