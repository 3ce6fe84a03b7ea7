"""Which tables this process serves: those of the servers of its shards."""

from collections.abc import Collection
from typing import Protocol

from bot.store.changes import Announcement


class Shards(Protocol):
    """Whether this process serves, holds, or thinks to hold the shard of a server (server id; 0: direct messages).

    Nothing here waits.
    """

    def serves(self, guild: int) -> bool:
        """Whether this process answers clicks in *guild* now: it holds the shard for sure, and has its tables in
        memory."""
        ...

    def holds(self, guild: int) -> bool:
        """Whether this process holds the shard of *guild* for sure, and knows nothing old of its tables, so that it may
        edit messages there, also while the shard is handed over."""
        ...

    def has(self, guild: int) -> bool:
        """Whether this process holds the shard of *guild* as far as it knows, though it may be in doubt just now."""
        ...


class Serving(Protocol):
    """What the program does when this process takes or releases shards (``bot.client`` implements it)."""

    async def open_shard(self, shard: int) -> None:
        """Open the session with Discord's gateway for *shard*; return when it is READY and its servers are known."""

    async def close_shard(self, shard: int) -> None:
        """End the session with Discord's gateway for *shard*."""

    async def serve_shards(self, shards: Collection[int] | None, since: int | None = None) -> None:
        """Take over the tables of *shards* (``None``: all) and serve them from now on.

        Nobody has served them since the time *since* (ms); ``None``: there was no gap, or it is known already.
        """

    async def release_shards(self, shards: Collection[int]) -> None:
        """Finish all work on the tables of *shards*, save what their messages show, and forget them."""

    def answer_kept_clicks(self) -> None:
        """Answer the clicks that were kept because another process might have had to answer them, if this one serves
        them now."""

    def edit_messages_again(self, shards: Collection[int]) -> None:
        """Edit all messages of the tables of *shards*, even if they seem up to date: another process may have edited
        them late."""

    async def start_or_stop_chores(self, mine: bool) -> None:
        """Start (*mine*) or stop (not *mine*) the work that only one process does for all, such as backups."""

    @property
    def may_begin_sessions(self) -> bool:
        """Whether Discord allows enough gateway sessions today to begin some that are not strictly needed."""
        ...

    def set_rate_limit_share(self, members: int) -> None:
        """Limit our requests to Discord to one of *members* equal shares, one for each process."""

    def handle_announcement(self, change: Announcement) -> None:
        """Load or forget what another process says it has changed (*change*): a table, a person's preferences, an
        erasure or emojis."""

    async def reload_settings_and_preferences(self) -> None:
        """Load again the settings and preferences that other processes may have changed, after announcements were
        missed."""


class AllShards:
    """The shards of the only process on its database: it holds all of them, and most methods do nothing."""

    first: list[int] | None = None
    count = concurrency = living = 1
    others = False
    has_chores = True

    def serves(self, guild: int) -> bool:
        """Return True: the only process serves every server."""
        return True

    def holds(self, guild: int) -> bool:
        """Return True: the only process holds the shard of every server."""
        return True

    def has(self, guild: int) -> bool:
        """Return True: the only process holds the shard of every server."""
        return True

    async def join_cluster(self, serving: Serving, application: int, recommended: int) -> None:
        """Do nothing: there is no other process."""

    async def start(self, serving: Serving) -> None:
        """Serve the tables of all shards, and start the chores."""
        await serving.serve_shards(None)
        await serving.start_or_stop_chores(True)

    def start_taking_shards(self) -> None:
        """Do nothing: all shards are served already."""

    async def wait_to_identify(self, shard: int) -> None:
        """Do nothing: discord.py waits until *shard* may identify."""

    async def leave_cluster(self) -> None:
        """Do nothing: there is no other process to take over."""

    async def stop(self) -> None:
        """Do nothing: there is no database session to end."""
