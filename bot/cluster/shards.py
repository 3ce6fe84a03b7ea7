"""The shards of this process, which come and go while it runs: what discord.py's ``AutoShardedClient`` cannot do.

discord.py opens all shards at its start, one after the other, and waits with the reconnects of all others while it
reconnects one. Here every shard has a task of its own. Everything that discord.py keeps to itself and that is used here
is named in this module; ``tests/process/test_shards.py`` fails if it is no longer there.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import aiohttp
import discord
import discord.shard
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard
from sqlalchemy.exc import DBAPIError

from bot.log import fields

log = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 20.0
"""How long a connection may take until it is tried anew."""
LONGEST_PAUSE_SECONDS: Final = 30.0
"""How long it takes at most until the next attempt."""
FAILURES: Final = (
    *(OSError, TimeoutError, aiohttp.ClientError, DBAPIError),
    *(discord.HTTPException, discord.GatewayNotFound, discord.ConnectionClosed, ReconnectWebSocket),
)
"""After these a connection is tried anew. What Discord never accepts, such as a wrong token, it says later, and it ends
the program."""


class Shards:
    """The open shards of *client*, which has been logged in, and whose ``shard_count`` is known.

    Sessions begin at *gateway*, each after ``turn(shard)`` has returned: it waits until that shard may identify.
    """

    def __init__(
        self, client: discord.AutoShardedClient, gateway: yarl.URL, turn: Callable[[int], Awaitable[None]]
    ) -> None:
        self._client = client
        self._gateway = gateway
        self._turn = turn
        self._state: Any = client._connection
        # discord.py has no public way to add a shard to a client that runs, or to end one.
        self._shards: dict[int, Shard] = client._AutoShardedClient__shards  # type: ignore[attr-defined]
        self._events: asyncio.PriorityQueue[EventItem] = client._AutoShardedClient__queue  # type: ignore[attr-defined]
        self._work: dict[int, asyncio.Task[None]] = {}
        """Shard -> what connects it again."""
        self._ready: dict[int, asyncio.Event] = {}
        """Shard -> set when it is READY and its servers are known."""
        self._missing: dict[int, set[int]] = {}
        """Shard -> servers that READY has named and that are not known yet."""
        self._state.shard_count = client.shard_count
        client._reconnect = True  # what ``connect`` would set, perhaps later
        self._listen("READY", self._heard_ready)
        self._listen("GUILD_CREATE", self._heard_guild)

    def _listen(self, event: str, heard: Callable[[Any], None]) -> None:
        """Have *heard* called after discord.py has taken in *event*."""
        parse = self._state.parsers[event]

        def both(data: Any) -> None:
            parse(data)
            heard(data)

        self._state.parsers[event] = both

    def _heard_ready(self, data: Any) -> None:
        """Note which servers the shard is to be told of, and for how long discord.py waits for them: Discord says
        nothing of a server that has an outage until it ends."""
        shard = data["shard"][0]
        waiting: asyncio.Task[None] = self._state._ready_tasks[shard]
        waiting.add_done_callback(lambda done: self._given_up(shard, done))
        self._missing[shard] = {int(guild["id"]) for guild in data["guilds"]}
        self._check(shard)

    def _heard_guild(self, data: Any) -> None:
        """Note that a server is known."""
        guild = int(data["id"])
        shard = self.of(guild)
        self._missing.get(shard, set()).discard(guild)
        self._check(shard)

    def _check(self, shard: int) -> None:
        """Let ``open`` return if all servers of *shard* are known."""
        if not self._missing.get(shard) and shard in self._ready:
            self._ready[shard].set()

    def of(self, guild: int) -> int:
        """The shard of a server. https://discord.com/developers/docs/events/gateway#sharding"""
        return (guild >> 22) % (self._client.shard_count or 1)

    async def open(self, number: int) -> None:
        """Begin a session for shard *number*; return when it is READY and its servers are known, or those that do not
        come in time are given up. It is tried until it succeeds, or the shard is closed."""
        if number not in self._ready:
            self._ready[number] = asyncio.Event()
            self._begin(number)
        await self._ready[number].wait()

    def _begin(self, number: int) -> None:
        """Connect shard *number*, in a task of its own."""
        self._run(number, self._connect(number))

    def _run(self, number: int, work: Coroutine[Any, Any, None]) -> None:
        """Run *work*, which connects shard *number*."""
        self._work[number] = asyncio.get_running_loop().create_task(work, name=f"shard {number}")

    async def _connect(self, number: int) -> None:
        """Connect shard *number* and identify, as often as it takes."""
        backoff: ExponentialBackoff[Any] = ExponentialBackoff()
        while True:
            try:
                await self._turn(number)
                socket: Any = discord.shard.DiscordWebSocket  # looked up here: the one that survives odd frames
                connecting = socket.from_client(self._client, gateway=self._gateway, shard_id=number)
                connected = await asyncio.wait_for(connecting, CONNECT_SECONDS)
                break
            except FAILURES as error:
                pause = min(backoff.delay(), LONGEST_PAUSE_SECONDS)
                log.warning("shard not connected", extra=fields(shard=number, error=type(error).__name__))
                await asyncio.sleep(pause)
            except Exception:  # the boundary of this task: a bug must not end the shard for ever
                log.exception("shard not connected", extra=fields(shard=number))
                await asyncio.sleep(LONGEST_PAUSE_SECONDS)
        shard = self._shards[number] = Shard(connected, self._client, self._happened)
        shard.launch()

    def _given_up(self, number: int, waiting: asyncio.Task[None]) -> None:
        """Let ``open`` return: discord.py, *waiting* for the servers of shard *number*, has waited long enough. It is
        another task if the shard has begun anew meanwhile, and none if it was closed."""
        if self._state._ready_tasks.get(number) is waiting and number in self._ready:
            self._ready[number].set()

    def _happened(self, item: EventItem) -> None:
        """Connect a shard again if its connection was lost; what ends the program goes to discord.py."""
        shard = item.shard
        if shard is None or self._shards.get(shard.id) is not shard:  # closed meanwhile
            return
        if item.type == EventType.resume:
            assert isinstance(item.error, ReconnectWebSocket)
            self._run(shard.id, shard.reidentify(item.error))
        elif item.type in (EventType.identify, EventType.reconnect):
            self._client.dispatch("shard_disconnect", shard.id)
            self._begin(shard.id)
        else:
            self._events.put_nowait(item)

    async def close(self, number: int) -> None:
        """End the session of shard *number*, if it has one, and forget its servers."""
        shard = self._shards.pop(number, None)
        ready = self._ready.pop(number, None)
        if ready is not None:
            ready.set()
        self._missing.pop(number, None)
        work = self._work.pop(number, None)
        if work is not None:
            work.cancel()
        if shard is not None:
            await shard.close()
        waiting = self._state._ready_tasks.pop(number, None)
        if waiting is not None:
            waiting.cancel()
        self._state._ready_states.pop(number, None)
        for guild in list(self._client.guilds):
            if self.of(guild.id) == number:
                self._state._remove_guild(guild)

    async def stop(self) -> None:
        """End all sessions."""
        await asyncio.gather(*(self.close(number) for number in {*self._shards, *self._work}))
