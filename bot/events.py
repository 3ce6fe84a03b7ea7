"""Handles Discord's events about connections, servers and channels, and applies changes to tables."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import discord
import discord.shard
from discord.backoff import ExponentialBackoff
from discord.errors import ConnectionClosed
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure
from sqlalchemy.exc import SQLAlchemyError

from bot.background import Background
from bot.choices import remove_banned_from_lobbies
from bot.delivery import quarantine
from bot.i18n import supported_locale
from bot.interactions import channel_place_from_cache
from bot.log import fields
from bot.store.changes import Announcement
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal
from bot.tables.leaving import without_person
from bot.tables.model import NO_SERVER, Ending, Table, TableId
from bot.tables.outages import Outage
from bot.tables.preferences import Preferences
from bot.tables.service import TableChange

if TYPE_CHECKING:
    from bot.client import Bot

log = logging.getLogger(__name__)


class Events:
    """Handles Discord's events about connections, servers, channels and permissions for *bot*."""

    def __init__(self, bot: "Bot") -> None:
        self._bot = bot
        self._cut_off: dict[int, int] = {}
        """Shard -> since when it has no connection to Discord, ms since 1970."""
        self.named: dict[int, set[int]] = {}
        """Shard -> the servers named by its READY."""
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
    def lost_shard_count(self) -> int:
        """How many shards of this process have no connection to Discord, so that clicks on them do not arrive."""
        return len(self._cut_off)

    def is_shard_disconnected(self, shard: int) -> bool:
        """Whether *shard* of this process has no connection to Discord at the moment."""
        return shard in self._cut_off

    def record_shard_outage(self, shard: int, since: int) -> None:
        """Record that clicks on *shard* have reached no process since *since* (ms), unless an earlier time is
        recorded."""
        self._cut_off.setdefault(shard, since)

    def forget_outage(self, shard: int) -> None:
        """Forget an outage of *shard* without crediting it, because this process does not serve it any more."""
        self._cut_off.pop(shard, None)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Record since when the shard has no connection, so that turn limits stop there. discord.py calls this."""
        if not self._bot.wants_session(shard_id):
            return
        if shard_id not in self._cut_off and not self._bot.is_closed():
            log.warning("connection to Discord lost", extra=fields(shard=shard_id))
        self._cut_off.setdefault(shard_id, self._bot.clock.now())

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Credit the time without a connection to running turns, because the session goes on. discord.py calls this."""
        await self.end_and_credit_outage(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Credit the shard's outage to running turns, and close tables of servers that removed the bot. discord.py
        calls this when a session begins."""
        await self.end_and_credit_outage(shard_id)
        await self.close_tables_of_lost_servers(shard_id)

    async def close_tables_of_lost_servers(self, shard: int) -> None:
        """Close the tables of those servers of *shard* that have removed the bot; in its other servers retry refused
        messages."""
        bot = self._bot
        named = self.named.get(shard)
        for guild in {table.guild for table in await bot.tables.all_live_tables()}:
            if bot.shard_of(guild) != shard:
                continue
            if guild == NO_SERVER:  # solo tables are in direct messages
                bot.changes.retry_messages_in_server(guild)
            elif bot.get_guild(guild) is None or (named is not None and guild not in named):
                await bot.changes.close_server_tables(guild)
            else:
                bot.changes.retry_messages_in_server(guild)

    async def end_and_credit_outage(self, shard: int) -> None:
        """If *shard* had no connection, credit that time to every running turn, as it is connected again."""
        since = self._cut_off.pop(shard, None)
        if since is not None:
            log.info("connected to Discord again", extra=fields(shard=shard, ms=self._bot.clock.now() - since))
            self._bot.tables.add_outage(Outage(since, self._bot.clock.now()))

    async def on_ready(self) -> None:
        """Announce damaged tables in their channels, and reopen threads of live tables, once all servers are known.
        discord.py calls this, perhaps again."""
        await self.notify_of_quarantined_tables()
        await self._reopen_threads_of_live_tables()

    async def _reopen_threads_of_live_tables(self, guild: int | None = None) -> None:
        """Reopen the archived, not locked threads of live tables in *guild* (``None``: everywhere), and those that the
        cache does not know."""
        for table in await self._bot.tables.all_live_tables(guild):
            server = self._bot.get_guild(table.guild)
            if server is None or server.unavailable:
                continue
            place = server.get_channel_or_thread(table.channel)
            if place is None or (isinstance(place, discord.Thread) and place.archived and not place.locked):
                self._bot.own_threads.reopen(table.channel)  # Discord names only threads that are not archived

    async def notify_of_quarantined_tables(self) -> None:
        """Send a message to each channel whose damaged table was set aside, once; if the database fails, leave it to
        the next time."""
        bot = self._bot
        if bot.is_closed():  # told to stop meanwhile
            return
        async with self._telling:
            with suppress(SQLAlchemyError, OSError):  # the database says itself that it is away
                await quarantine.announce_quarantined_tables(
                    bot.store, bot.api, bot.clock, bot.shards_held, self.channel_locale
                )

    async def channel_locale(self, channel: int) -> str:
        """Return the language for messages in *channel*: the server's setting, else its own language on Discord, else
        the bot's default."""
        guild = getattr(self._bot.get_channel(channel), "guild", None)
        if guild is None:
            return self._bot.default_locale
        chosen = (await self._bot.servers.settings(guild.id)).locale
        return chosen or supported_locale(
            channel_place_from_cache(self._bot, guild.id, channel).locale, self._bot.default_locale
        )

    # Servers and channels

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the live tables of a server that has removed the bot. discord.py calls this."""
        self.named.get(self._bot.shard_of(guild.id), set()).discard(guild.id)
        await self._bot.changes.close_server_tables(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the live table of the deleted *channel*. discord.py calls this.

        It calls ``on_raw_thread_delete`` for the threads under it that it knows; Discord says nothing of those. Tables
        in other threads are found to be gone later.
        """
        await self._bot.changes.close_channel_table(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the live table of a deleted thread. discord.py calls this."""
        await self._bot.changes.close_channel_table(payload.thread_id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Retry messages that Discord refused in that server: permissions may have changed. discord.py calls this."""
        self._bot.changes.retry_messages_in_server(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry messages that Discord refused in that server: permissions may have changed. discord.py calls this."""
        self._bot.changes.retry_messages_in_server(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry messages that Discord refused in that server, as the bot's own roles may have changed. discord.py calls
        this.

        Without more intents this event is about the bot itself.
        """
        self._bot.changes.retry_messages_in_server(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Reopen the thread if it was archived, not locked, and has a live table, and retry refused messages in its
        server. discord.py calls this."""
        state = payload.data.get("thread_metadata", {})
        if state.get("archived") and not state.get("locked"):
            self._bot.own_threads.reopen(payload.thread_id)
        self._bot.changes.retry_messages_in_server(payload.guild_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Retry refused messages in the server, and reopen its threads with live tables, after an outage or READY.
        discord.py calls this."""
        self._bot.changes.retry_messages_in_server(guild.id)
        await self._reopen_threads_of_live_tables(guild.id)


# Data from the gateway that discord.py cannot read, and would end the process; and data that must be looked at before
# discord.py gets it.


REQUIRED_EVENTS: Final = frozenset({"READY", "RESUMED"})
"""Events without which there is no session, so they cannot be skipped."""
MAX_PAUSE_SECONDS: Final = 30.0
"""The longest pause before the session is begun anew."""
_backoff: Final[Callable[[], float]] = ExponentialBackoff().delay


class _Socket(DiscordWebSocket):
    """A connection to the gateway that survives frames which discord.py cannot read."""

    async def received_message(self, msg: Any, /) -> None:
        """Process the gateway frame *msg*; if discord.py cannot read it, log that, wait up to 30 s, and raise
        ReconnectWebSocket for a new session."""
        try:
            await super().received_message(msg)
        except (ReconnectWebSocket, WebSocketClosure, ConnectionClosed, OSError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - the boundary of what Discord sends; frames may hold tokens
            pause = min(_backoff(), MAX_PAUSE_SECONDS)
            log.error(
                "frame not understood: a new session begins",
                extra=fields(shard=self.shard_id, error=type(error).__name__, pause_ms=round(pause * 1000)),
            )
            await self.close(code=1000)
            self._dispatch("shard_disconnect", self.shard_id)
            await asyncio.sleep(pause)
            raise ReconnectWebSocket(self.shard_id, resume=False) from None


def guard_against_malformed_events(client: discord.Client) -> None:
    """Make *client* log and skip events that discord.py cannot read, and begin a new session after an unreadable frame,
    instead of ending."""
    discord.shard.DiscordWebSocket = _Socket  # type: ignore[misc] # the name by which shards make their connections
    parsers = client._connection.parsers

    def guarded(event: str, parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def attempt(data: Any) -> Any:
            try:
                return parse(data)
            except Exception:  # the boundary of what Discord sends; the data may hold tokens, so it is not logged
                log.exception("event not understood", extra=fields(event=event))
                return None

        return attempt

    for event, parse in list(parsers.items()):
        if event not in REQUIRED_EVENTS:
            parsers[event] = guarded(event, parse)


def replace_interaction_parser(
    client: discord.Client, make_handler: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]
) -> None:
    """Replace *client*'s parser of interactions by the function that *make_handler*, called with discord.py's own
    parser, returns."""
    parsers = client._connection.parsers
    parsers["INTERACTION_CREATE"] = make_handler(parsers["INTERACTION_CREATE"])


def track_servers(client: discord.Client, named: dict[int, set[int]], shard_of: Callable[[int], int]) -> None:
    """Keep in *named* (shard -> server ids) the servers of each shard, from now on: those that its READY names, and
    those that come later.

    discord.py itself forgets no server that has removed the bot meanwhile. ``shard_of`` returns the shard of a server.

    https://discord.com/developers/docs/events/gateway-events#ready
    """
    parsers = client._connection.parsers
    ready, created = parsers["READY"], parsers["GUILD_CREATE"]

    def begun(data: Any) -> Any:
        named[data["shard"][0]] = {int(guild["id"]) for guild in data["guilds"]}
        return ready(data)

    def told(data: Any) -> Any:
        named.setdefault(shard_of(int(data["id"])), set()).add(int(data["id"]))
        return created(data)

    parsers["READY"], parsers["GUILD_CREATE"] = begun, told


# Effects on the tables of this process of changes in Discord, in the choices of servers and people, and by other
# processes.


class TableChanges:
    """Applies changes to the tables that *bot* serves: deleted channels, server settings, preferences, erasures, and
    announcements of other processes."""

    def __init__(self, bot: "Bot") -> None:
        self._bot = bot
        self._spawn = Background(log, "a change of another process does not hold here").spawn

    # Discord

    def retry_messages_in_server(self, guild: int) -> None:
        """Retry messages that Discord refused in the server *guild*, because the bot's permissions may have changed
        there."""
        self._bot.reconciler.retry_after_access_change(guild)

    async def close_server_tables(self, guild: int) -> None:
        """Close the live tables of the server *guild* here, because the bot is not in it any more."""
        for table in await self._bot.tables.all_live_tables(guild=guild):
            await self._close_table(table)

    async def close_channel_table(self, channel: int) -> None:
        """Close the live table of *channel*, which does not exist any more."""
        for table in await self._bot.tables.all_live_tables(channel=channel):
            await self._close_table(table)

    async def _close_table(self, table: Table) -> None:
        """End *table*, in the lobby or a game, because the bot was removed from its server or the channel was
        deleted."""
        await self._apply_save_and_announce_change(
            table.id, "close", None, lambda t: leaving.close_table(t, Ending.REMOVED)
        )

    async def _apply_save_and_announce_change(
        self, table: TableId, what: str, by: int | None, change: TableChange
    ) -> None:
        """Apply *change* to *table*, save and announce it, in the name of the person *by*; a Refusal is only logged.

        *what* names the change in the history.
        """
        try:
            await self._bot.tables.change(table, what, by, change)
        except Refusal as no:  # it was deleted or set aside meanwhile
            log.info("a table is left out", extra=fields(table=table, what=what, why=no))

    # Servers and people

    async def apply_changed_settings_and_bans(self, guild: int) -> None:
        """Drop the settings and bans of *guild* from memory, remove banned people from its lobbies, and update its
        board of the day."""
        bot = self._bot
        bot.servers.drop_cached(guild)
        bot.day_boards.start_updates()
        await remove_banned_from_lobbies(
            bot.tables, await bot.servers.get_settings_and_bans(guild), guild, bot.clock.now()
        )

    async def set_language(self, guild: int, locale: str, by: int) -> None:
        """Set the language of all live tables in the server *guild* to *locale*, as the person *by* has chosen."""
        for table in await self._bot.tables.all_live_tables(guild=guild):
            await self._apply_save_and_announce_change(table.id, "language", by, lambda t: lobby.with_locale(t, locale))

    async def apply_preferences(self, user: int, **chosen: Any) -> None:
        """Set *chosen*, fields of a ``Player`` such as ``by_dm``, for *user* at all live tables where they sit."""
        bot = self._bot
        if chosen.get("by_dm") is False:
            for table in await bot.tables.all_live_tables():
                bot.reconciler.decline_dm_hand(table, user)
        await bot.tables.update_player_at_all_tables(user, **chosen)

    async def apply_rating_consent(self, user: int, rated: bool) -> None:
        """Record at all live tables where *user* sits whether they want a rating; in a running game they can only give
        it up."""
        await self._bot.tables.record_rating_choice(user, rated)

    async def erase_from_tables(self, user: int, names: set[str]) -> None:
        """Remove *user*, also known by *names*, from all running tables and from finished ones that can still change,
        and wait for their messages.

        These are all running tables, in whichever process, and finished ones with messages that can still change here.
        An update of a message may record the person once more, so it must be finished.
        """
        bot = self._bot
        found = await bot.store.find_mentions(user, names)
        said = [it.table for it in found.mentions if it.live]
        said += [
            table.id
            for table in bot.reconciler.tables_with_messages()
            if not table.live and without_person(table, user) != table
        ]
        for table in said:
            await self._apply_save_and_announce_change(table, "erase", None, lambda t: without_person(t, user))
        for table in said:
            await bot.reconciler.wait_until_updated(table)

    async def _forget_person_erased_elsewhere(self, user: int) -> None:
        """Remove *user*, erased by another process, from finished tables whose messages can still change here, and from
        memory."""
        bot = self._bot
        for table in [
            it for it in bot.reconciler.tables_with_messages() if not it.live and without_person(it, user) != it
        ]:
            await self._apply_save_and_announce_change(table.id, "erase", None, lambda t: without_person(t, user))
        self.forget_person_and_delete_notes(user)

    def forget_person_and_delete_notes(self, user: int) -> None:
        """Remove from memory what it holds of *user*, who is erased (preferences, bans), and delete their private notes
        on Discord."""
        self._bot.people.forget(user)
        self._bot.servers.drop_cached()
        self._bot.reconciler.notes.delete_notes_of(user)

    # Other processes

    def apply_change_from_other_process(self, change: Announcement) -> None:
        """Apply *change*, announced by another process, in the background: load a table, preferences or emojis, or
        forget an erased person."""
        match change:
            case Announcement(_, "table", table):
                self._spawn(self._bot.tables.reload(TableId(table)))
            case Announcement(_, "person", user):
                self._spawn(self._reload_preferences_of_person(int(user)))
            case Announcement(_, "erased", user):
                self._spawn(self._forget_person_erased_elsewhere(int(user)))
            case Announcement(_, "emojis"):
                self._spawn(self._bot.reload_emojis())
            case _:
                log.warning("a change that is not understood", extra=fields(kind=change.kind))

    async def _reload_preferences_of_person(self, user: int) -> None:
        """Load the preferences of *user* from the store, and apply those that have changed at their live tables."""
        before = self._bot.people.preferences(user)
        await self._bot.people.reload(user)
        await self._apply_changed_preferences(user, before)

    async def _apply_changed_preferences(self, user: int, before: Preferences) -> None:
        """Apply the preferences of *user* that differ from *before* at the live tables where they sit."""
        chosen = self._bot.people.preferences(user)
        if chosen.rated != before.rated:
            await self.apply_rating_consent(user, chosen.rated is True)
        old, new = before.player_fields(""), chosen.player_fields("")
        changed = {key: value for key, value in new.items() if value != old[key] and key != "rated" and value != ""}
        if "by_dm" in changed:
            changed["refuses_dms"] = False
        if changed:
            await self.apply_preferences(user, **changed)

    async def reload_preferences_and_settings(self) -> None:
        """Load all preferences again, apply those that changed, and drop all server settings from memory: announcements
        may have been missed."""
        self._bot.servers.drop_cached()
        for user, before in (await self._bot.people.load()).items():
            await self._apply_changed_preferences(user, before)
