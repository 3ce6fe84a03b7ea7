"""This process as one of several: what ``Membership`` decides is done here, with the parts of the program."""

import asyncio
import logging
import secrets
import socket
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.gateway import DiscordWebSocket

from bot.cluster.joining import Refused
from bot.cluster.leases import SHARD
from bot.cluster.membership import Membership
from bot.cluster.news import News
from bot.cluster.partitions import partition_of
from bot.cluster.peers import LOOPBACK, Peers
from bot.cluster.routing import Routing, made_in, place_of
from bot.cluster.shards import Shards
from bot.delivery import door
from bot.delivery.courier import DMS_AT_ONCE, DMS_PER_SECOND
from bot.delivery.faults import Fault
from bot.i18n import supported, words
from bot.log import fields
from bot.present import answers
from bot.refusals import Why
from bot.store import cluster
from bot.store.cluster import Process
from bot.tables.outages import Outage
from bot.tables.ownership import Fence

if TYPE_CHECKING:
    from bot.client import Bot

log = logging.getLogger(__name__)

APART_MS: Final = 5_500
"""Between two IDENTIFYs of one bucket: Discord wants 5 s between their arrivals.
https://discord.com/developers/docs/events/gateway#rate-limiting"""


class Cluster:
    """What makes the program one of several processes: the ``Serving`` of its membership, and the ``Ownership`` of its
    tables.

    *token* is the bot's; *address* is where the others reach this process; *shards* is how many there are to be if this
    process is the first (0: as many as Discord recommends). On a *local* Discord it stays alone.
    """

    def __init__(
        self, token: str, address: tuple[str, int] = (LOOPBACK, 0), shards: int = 0, *, local: bool = False
    ) -> None:
        self._token = token
        self._local = local
        self._address = address
        self._wanted_shards = shards
        self._id = secrets.token_hex(8)
        self._peers = Peers(token, self._id, self._take, self._nudged)
        self._tasks: set[asyncio.Task[None]] = set()
        self._concurrency = 1
        self._begun = asyncio.Event()
        """Set when tables can be served."""
        self._bot: Bot
        self._enter: Any
        self.membership: Membership
        self.shards: Shards | None = None
        """``None``: none was needed yet."""
        self.routing: Routing
        self._open: set[int] = set()
        """The shards that are READY, or were and are connected again."""
        self._greeted = False
        """Whether discord.py's ``on_ready`` was called: it is when all shards of the beginning are READY."""

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run *work* in a task, and return that."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Joining and leaving

    async def join(self, bot: "Bot") -> None:
        """Make *bot*, which is logged in, one of the processes on its database.

        Raises:
            Refused: it does not go with those that are alive.
            SQLAlchemyError: the database refuses.
        """
        self._bot = bot
        recommended, self._concurrency = await bot.recommended()
        host, port = self._address
        try:
            address = await self._peers.start(host, port)
        except OSError as error:
            raise Refused("CLUSTER_ADDRESS", f"port {port} cannot be listened at: {error.strerror}") from None
        assert bot.application_id is not None
        process = Process(self._id, address, socket.gethostname(), bot.application_id, self._local)
        parsers = bot._connection.parsers
        self._enter = parsers["INTERACTION_CREATE"]
        self.membership = Membership(bot.store, process, self, bot.clock, cut_off=lambda: bool(bot.events.lost))
        self.membership.nudge = self._peers.nudge
        self._peers.sent = bot.metrics.forwarded
        self.routing = Routing(
            self.membership,
            self.membership,
            self._peers,
            bot.clock,
            bot.store.channel_of,
            lambda data: place_of(bot, int(data["guild_id"]) if data.get("guild_id") else None, made_in(data)),
            self._enter,
            self._give_up,
            self._spawn,
        )
        parsers["INTERACTION_CREATE"] = self.routing.heard
        bot.courier.turn_to_open = self._turn_to_open
        bot.everywhere.tell, bot.everywhere.all_know = self.membership.tell, self.membership.heard_by_all
        await self.membership.join(self._wanted_shards or recommended)
        await bot.tables.begin(others=not self.membership.first)
        self._begun.set()
        await self.membership.start()
        log.info("one of several processes", extra=fields(process=process.id, address=address))

    async def leave(self) -> None:
        """Hand everything over to the others, and what is on its way to them as well."""
        if hasattr(self, "membership"):
            await self.membership.leave()
            await self.routing.finish()

    async def stop(self) -> None:
        """End all that is left, whatever the others do."""
        for task in set(self._tasks):
            task.cancel()
        if self.shards is not None:
            await self.shards.stop()
        await self._peers.stop()

    # Which tables are served here: an Ownership

    shared = True

    def owns(self, channel: int) -> bool:
        """As ``Ownership.owns``."""
        return self.membership.owns(channel)

    def holds(self, channel: int) -> bool:
        """As ``Ownership.holds``."""
        return self.membership.holds(channel)

    def fence_of(self, channel: int) -> Fence | None:
        """As ``Ownership.fence_of``."""
        return self.membership.fence_of(channel)

    @property
    def cut_off(self) -> bool:
        """Whether some clicks can reach nobody now: no turn limit acts then."""
        return self.membership.anybody_cut_off

    # What membership decides: a Serving

    async def take_partitions(self, which: frozenset[int]) -> None:
        """Serve the tables of the partitions *which* from now on."""
        await self._begun.wait()
        live = await self._bot.tables.take(which)
        log.info("partitions taken", extra=fields(n=len(which), live_tables=live))
        await self._bot.events.tell_channels()

    async def leave_partitions(self, which: frozenset[int]) -> None:
        """Finish what is being done about the tables of the partitions *which*, and forget them."""
        await self._bot.tables.leave(which)
        await self._bot.reconciler.leave(lambda table: partition_of(table.channel) in which)
        log.info("partitions left", extra=fields(n=len(which)))

    async def open_shard(self, shard: int) -> None:
        """Connect *shard* to Discord; return when it is READY."""
        if self.shards is None:
            self._bot.shard_count = self.membership.shards
            self.shards = Shards(self._bot, DiscordWebSocket.DEFAULT_GATEWAY, self._turn)
        await self.shards.open(shard)
        log.info("shard open", extra=fields(shard=shard))
        self._open.add(shard)
        if not self._greeted and self._open.issuperset(self.membership.held(SHARD)):
            self._greeted = True
            self._bot.dispatch("ready")

    async def close_shard(self, shard: int) -> None:
        """End the connection of *shard*."""
        if self.shards is not None:
            await self.shards.close(shard)
        self._open.discard(shard)
        self._bot.events.forget_shard(shard)
        log.info("shard closed", extra=fields(shard=shard))

    async def set_chores(self, mine: bool) -> None:
        """Do what only one process does from now on, or stop it."""
        if mine:
            self._bot.start_chores()
        else:
            await self._bot.stop_chores()

    async def hear(self, news: Sequence[News]) -> None:
        """Take note of *news*."""
        for it in news:
            if it.kind == "outage" and it.sender == self.membership.process.id:
                self._bot.tables.add_outage(Outage(it.data["began"], it.data["ended"]))  # which also records it
            else:
                await self._bot.everywhere.hear(it.kind, it.data)

    def share(self, members: int) -> None:
        """Take one of *members* shares of what all processes together may ask of Discord."""
        self._bot.throttle.share(members)
        self._bot.traffic.share(members)

    async def _turn(self, shard: int) -> None:
        """Wait until *shard* may identify."""
        bucket, now = shard % self._concurrency, cluster.database_now
        wait = await self._bot.store.in_cluster(
            lambda connection: cluster.take_turn(connection, bucket, now(connection), APART_MS)
        )
        await asyncio.sleep(wait / 1000)

    async def _turn_to_open(self) -> None:
        """Wait until direct messages with somebody may be opened."""
        apart_ms, now = int(1000 / DMS_PER_SECOND), cluster.database_now
        wait = await self._bot.store.in_cluster(
            lambda connection: cluster.take_turn(connection, cluster.OPENINGS, now(connection), apart_ms, DMS_AT_ONCE)
        )
        await asyncio.sleep(wait / 1000)

    # Interactions and nudges

    def _take(self, envelope: Any) -> bool:
        """As ``Routing.take``."""
        return hasattr(self, "routing") and self.routing.take(envelope)

    def _nudged(self) -> None:
        """Look at the leases now."""
        if hasattr(self, "membership"):
            self._spawn(self.membership.beat())

    async def _give_up(self, data: Any) -> None:
        """Tell the person of the interaction *data*, whose home was not found in time, to try again."""
        bot = self._bot
        door.enter(None)  # it may have been sent on by what served it here, for a table that is elsewhere now
        interaction: discord.Interaction[Any] = discord.Interaction(data=data, state=bot._connection)
        chosen = bot.people.preferences(interaction.user.id).locale
        mine = words(chosen or supported(interaction.locale.value, bot.default_locale))
        try:
            await bot.courier.tell(interaction, answers.note(answers.refusal(Why.TRY_AGAIN, {}, None, mine)))
        except (discord.HTTPException, Fault) as fault:
            log.warning("answer lost", extra=fields(fault=type(fault).__name__))

    async def guilds_of_live_tables(self) -> set[int]:
        """The servers that have live tables, in whichever process."""
        return await self._bot.store.guilds_of_live_tables()
