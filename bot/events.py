"""What Discord tells of our connections, of servers and channels."""

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot import set_aside
from bot.i18n import supported
from bot.log import fields
from bot.place import place_of
from bot.tables.outages import Outage

if TYPE_CHECKING:
    from bot.client import Bot

log = logging.getLogger(__name__)


class Events:
    """Listens to what Discord tells *bot*."""

    def __init__(self, bot: "Bot") -> None:
        self._bot = bot
        self._cut_off: dict[int, int] = {}
        """Shard -> since when it has no connection to Discord, ms since 1970."""
        self.named: dict[int, set[int]] = {}
        """Shard -> its servers, as its READY has named them."""
        self._telling = asyncio.Lock()
        for listener in (
            *(self.on_shard_disconnect, self.on_shard_resumed, self.on_shard_ready, self.on_ready),
            *(self.on_guild_remove, self.on_guild_channel_delete, self.on_raw_thread_delete),
            *(self.on_guild_channel_update, self.on_guild_role_update, self.on_member_update),
            *(self.on_raw_thread_update, self.on_guild_available),
        ):
            bot.add_listener(listener)

    # Our connections

    @property
    def lost(self) -> int:
        """How many shards of this process have lost their connection to Discord, so that clicks cannot reach us."""
        return len(self._cut_off)

    def is_cut_off(self, shard: int) -> bool:
        """Whether *shard* of this process has no connection to Discord at the moment."""
        return shard in self._cut_off

    def cut_off(self, shard: int, since: int) -> None:
        """Note that clicks on *shard* have reached nobody since the time *since* (ms)."""
        self._cut_off.setdefault(shard, since)

    def forget_shard(self, shard: int) -> None:
        """Note that *shard* is not ours any more."""
        self._cut_off.pop(shard, None)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that clicks cannot reach us: no turn limit acts from now on. discord.py calls this."""
        if not self._bot.keeps_session(shard_id):
            return
        if shard_id not in self._cut_off and not self._bot.is_closed():
            log.warning("connection to Discord lost", extra=fields(shard=shard_id))
        self._cut_off.setdefault(shard_id, self._bot.clock.now())

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that clicks reach us again. discord.py calls this when a session goes on."""
        await self.end_outage(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that clicks reach us again, and close the tables of servers that removed us meanwhile.

        discord.py calls this when a new session begins: what was clicked since the old one is lost.
        """
        await self.end_outage(shard_id)
        await self.look_for_servers(shard_id)

    async def look_for_servers(self, shard: int) -> None:
        """Close the tables of servers of *shard* that have removed us while nobody told us, and try again what was
        refused in the others."""
        bot = self._bot
        named = self.named.get(shard)
        for guild in {table.guild for table in await bot.tables.all_of()}:
            if bot.shard_of(guild) != shard:
                continue
            if bot.get_guild(guild) is None or (named is not None and guild not in named):
                await bot.changes.server_gone(guild)
            else:
                bot.changes.access(guild)

    async def end_outage(self, shard: int) -> None:
        """Credit the time since the shard's connection was lost, if it was, to every running turn."""
        since = self._cut_off.pop(shard, None)
        if since is not None:
            log.info("connected to Discord again", extra=fields(shard=shard, ms=self._bot.clock.now() - since))
            self._bot.tables.add_outage(Outage(since, self._bot.clock.now()))

    async def on_ready(self) -> None:
        """Tell channels whose table is set aside, and reopen threads of live tables. discord.py calls this when all
        servers are known, maybe again."""
        await self.tell_channels()
        await self._reopen_archived()

    async def _reopen_archived(self, guild: int | None = None) -> None:
        """Reopen those threads of live tables, in *guild* (``None``: everywhere), that were archived while nobody told
        us."""
        for table in await self._bot.tables.all_of(guild):
            server = self._bot.get_guild(table.guild)
            if server is None or server.unavailable:
                continue
            place = server.get_channel_or_thread(table.channel)
            if place is None or (isinstance(place, discord.Thread) and place.archived and not place.locked):
                self._bot.own_threads.reopen(table.channel)  # Discord names only threads that are not archived

    async def tell_channels(self) -> None:
        """Tell channels whose table is set aside; whoever comes second finds that they were told. While the database
        does not answer that is left to the next time."""
        bot = self._bot
        if bot.is_closed():  # told to stop meanwhile
            return
        async with self._telling:
            with suppress(SQLAlchemyError, OSError):  # the database says itself that it is away
                await set_aside.tell_channels(bot.store, bot.courier, bot.clock, bot.shards_held, self._locale_of)

    async def _locale_of(self, channel: int) -> str:
        """What tables in *channel* speak: what moderators chose, else the server's own language, if it has one, as far
        as that is known."""
        guild = getattr(self._bot.get_channel(channel), "guild", None)
        if guild is None:
            return self._bot.default_locale
        chosen = (await self._bot.servers.settings(guild.id)).locale
        return chosen or supported(place_of(self._bot, guild.id, channel).locale, self._bot.default_locale)

    # Servers and channels

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of the server that we were removed from. discord.py calls this."""
        self.named.get(self._bot.shard_of(guild.id), set()).discard(guild.id)
        await self._bot.changes.server_gone(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the table of the deleted *channel*. discord.py calls this, and ``on_raw_thread_delete`` for the threads
        under it that it knows, of which Discord says nothing. What is in others turns out to be gone."""
        await self._bot.changes.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the table of a deleted thread. discord.py calls this."""
        await self._bot.changes.channel_gone(payload.thread_id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Try again what we were not allowed to do in that server. discord.py calls this."""
        self._bot.changes.access(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Try again what we were not allowed to do in that server. discord.py calls this."""
        self._bot.changes.access(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Try again what we were not allowed to do in that server; without more intents this is about ourselves.
        discord.py calls this."""
        self._bot.changes.access(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Try again what could not be done in a thread that was archived or locked, and reopen one that was archived,
        if a table lives there. discord.py calls this."""
        state = payload.data.get("thread_metadata", {})
        if state.get("archived") and not state.get("locked"):
            self._bot.own_threads.reopen(payload.thread_id)
        self._bot.changes.access(payload.guild_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Try again what we were not allowed to do in that server. discord.py calls this, also for all servers of a
        shard that is READY."""
        self._bot.changes.access(guild.id)
        await self._reopen_archived(guild.id)
