"""Which tables this process serves: those of the servers of its shards."""

from collections.abc import Collection
from typing import Protocol

from bot.store.changes import Announcement


class Shards(Protocol):
    """Knows which shards this process holds, by a server of theirs (0: direct messages). Nothing here waits."""

    def serves(self, guild: int) -> bool:
        """Whether what is clicked in *guild*, or at its tables, is to be answered by this process."""
        ...

    def holds(self, guild: int) -> bool:
        """Whether no other process can hold the shard of *guild* at this moment, so that messages of its tables may be
        changed. It stays so for a while after ``serves`` has ended, when the shard is handed over."""
        ...

    def has(self, guild: int) -> bool:
        """Whether the shard of *guild* is this process's as far as it knows, though it may be in doubt just now."""
        ...


class Serving(Protocol):
    """What the program does with the shards of this process."""

    async def open_shard(self, shard: int) -> None:
        """Open a session with Discord for *shard*; return when it is READY and its servers are known."""

    async def close_shard(self, shard: int) -> None:
        """End the session of *shard*."""

    async def take(self, shards: Collection[int] | None, since: int | None = None) -> None:
        """Serve the tables of *shards* (``None``: all) from now on. Nobody has since the time *since* (ms; ``None``:
        whoever held them has handed them over, or that is known already)."""

    async def leave(self, shards: Collection[int]) -> None:
        """Finish what is being done about the tables of *shards*, record what their messages show, and forget them."""

    def answer_kept(self) -> None:
        """Answer what has come meanwhile, if it is to be answered here by now."""

    def draw_again(self, shards: Collection[int]) -> None:
        """Have all messages of the tables of *shards* edited, whatever they show."""

    async def set_chores(self, mine: bool) -> None:
        """Do what only one process does from now on, or stop it."""

    @property
    def may_begin_sessions(self) -> bool:
        """Whether Discord leaves us enough sessions for today to begin some that could be done without."""
        ...

    def share(self, members: int) -> None:
        """Take one of *members* shares of what all processes together may ask of Discord."""

    def hear(self, change: Announcement) -> None:
        """Read again what another process has changed."""

    async def read_again(self) -> None:
        """Read everything again that other processes may have changed meanwhile."""


class AllShards:
    """The only process on its database holds every shard, from the beginning. What ``bot.cluster.shards.HeldShards``
    does to come to its own is nothing here."""

    first: list[int] | None = None
    count = concurrency = living = 1
    others = False
    has_chores = True

    def serves(self, guild: int) -> bool:
        """Yes."""
        return True

    def holds(self, guild: int) -> bool:
        """Yes."""
        return True

    def has(self, guild: int) -> bool:
        """Yes."""
        return True

    async def join(self, serving: Serving, application: int, recommended: int) -> None:
        """There is nobody else."""

    async def start(self, serving: Serving) -> None:
        """Serve everything."""
        await serving.take(None)
        await serving.set_chores(True)

    def connected(self) -> None:
        """Note that there is a session with Discord."""

    async def turn(self, shard: int) -> None:
        """Wait until *shard* may identify: discord.py sees to that."""

    async def leave(self) -> None:
        """There is nobody who would take over."""

    async def stop(self) -> None:
        """Nothing is left to be ended."""
