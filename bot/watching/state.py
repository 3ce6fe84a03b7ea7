"""What is looked at when somebody reads the metrics: it costs nothing until then."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.cluster.leases import CHORES, PARTITION, SHARD
from bot.version import VERSION
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.cluster.membership import Membership

PHASES: Final = ("lobby", "playing")
KINDS: Final = (SHARD, PARTITION, CHORES)


class State(Collector):
    """The state of the bot, as gauges. ``bot`` is the one that runs now; ``None``: none does yet."""

    def __init__(self) -> None:
        self.bot: Bot | None = None
        self.waits = ""
        """What the program waits for, in words; empty: for nothing."""

    def describe(self) -> list[GaugeMetricFamily]:
        """Nothing is known of the names before somebody reads them. prometheus-client calls this."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All gauges. prometheus-client calls this when somebody reads the metrics."""
        yield _gauge("build_info", "The version that runs.", {(VERSION,): 1}, "version")
        yield _gauge(
            "ready", "Whether the bot is connected and serves tables (1) or not (0).", {(): self.unready() == ""}
        )
        if self.bot is not None:
            for gauge in GAUGES:
                yield _gauge(gauge.name, gauge.meaning, gauge.read(self.bot), *gauge.labels)

    def unready(self) -> str:
        """Why the bot cannot serve anybody now, in words; empty: it can."""
        if self.waits:
            return self.waits
        if self.bot is None:
            return "the bot is starting or stopping"
        if self.bot.is_closed():
            return "the bot is stopping"
        if self.bot.cluster is None and not self.bot.is_ready():
            return "the bot is not connected to Discord yet"
        if self.bot.cluster is not None and (why := _idle(_membership(self.bot))):
            return why
        lost = self.bot.shards_lost
        if lost and lost == len(self.bot.shards):
            return "the bot has lost its connection to Discord"
        if self.bot.tables.uptime.missed:
            return "the database takes no changes, so nothing can be played"
        return ""


class Gauge(NamedTuple):
    """A gauge ``diciassette_<name>``: what it means, its labels, and its values for a bot that was started."""

    name: str
    meaning: str
    read: "Callable[[Bot], Mapping[Any, float]]"
    labels: tuple[str, ...] = ()


def _tables(bot: "Bot") -> Mapping[Any, float]:
    """How many tables are live, by game and phase."""
    there = Counter((table.game, table.phase.value) for table in bot.tables.live_of())
    return {(game, phase): there[game, phase] for game in sorted(GAMES) for phase in PHASES}


def _shards(bot: "Bot") -> Mapping[Any, float]:
    """How many connections there are, by their state."""
    return {("connected",): len(bot.shards) - bot.shards_lost, ("lost",): bot.shards_lost}


def _latency(bot: "Bot") -> Mapping[Any, float]:
    """The longest time between a heartbeat and its answer; 0: there has been none."""
    return {(): max((seconds for _, seconds in bot.latencies if 0 <= seconds < math.inf), default=0)}


def _membership(bot: "Bot") -> "Membership | None":
    """This process as one of several; ``None``: it is alone, or none of them yet."""
    return getattr(bot.cluster, "membership", None)


def _idle(membership: "Membership | None") -> str:
    """Why one of several processes serves nothing now, in words; empty: it serves something."""
    if membership is None:
        return "the bot has not joined the other processes yet"
    if membership.seconds_left <= 0:
        return "the leases of this process have expired: it could not renew them in the database"
    return "" if membership.held(SHARD) or membership.held(PARTITION) else "the other processes serve everything"


def _leases(bot: "Bot") -> Mapping[Any, float]:
    """How many leases this process has, by kind; none if it is alone."""
    membership = _membership(bot)
    return {} if membership is None else {(kind,): len(membership.held(kind)) for kind in KINDS}


def _unserved(bot: "Bot") -> Mapping[Any, float]:
    """How many leases nobody has, by kind; none if this process is alone."""
    membership = _membership(bot)
    return {} if membership is None else {(kind,): membership.unserved(kind) for kind in KINDS}


def _seconds_left(bot: "Bot") -> Mapping[Any, float]:
    """For how long this process can serve; none if it is alone."""
    membership = _membership(bot)
    return {} if membership is None else {(): membership.seconds_left}


def _processes(bot: "Bot") -> Mapping[Any, float]:
    """How many processes are alive."""
    membership = _membership(bot)
    return {(): 1 if membership is None else len(membership.members)}


GAUGES: Final = (
    Gauge("processes", "Processes on the database that are alive, as this one knows.", _processes),
    Gauge("leases", "What this process serves, if there may be several.", _leases, ("kind",)),
    Gauge("leases_unserved", "What no process that is alive serves, as this one knows.", _unserved, ("kind",)),
    Gauge("lease_seconds_left", "For how long nobody else can take over what this process serves.", _seconds_left),
    Gauge("live_tables", "Tables that are not over.", _tables, ("game", "phase")),
    Gauge("shards", "Connections to Discord's gateway that this process keeps.", _shards, ("state",)),
    Gauge("gateway_latency_seconds", "How long the slowest gateway takes to answer a heartbeat.", _latency),
    Gauge("servers", "Servers that the bot is in, as far as this process knows.", lambda bot: {(): len(bot.guilds)}),
    Gauge(
        "discord_requests_waiting", "Counted requests that wait for their turn.", lambda bot: {(): bot.throttle.waiting}
    ),
    Gauge(
        "discord_budget_per_second",
        "Counted requests that this process may make in a second.",
        lambda bot: {(): bot.throttle.per_second},
    ),
    Gauge(
        "seconds_since_interaction",
        "How long no command, click or form has come; a session that is deaf brings none.",
        lambda bot: {(): bot.sessions.silent_ms / 1000},
    ),
    Gauge(
        "session_starts_left",
        "Sessions at the gateway that may still be begun today, as Discord said last; -1: it was not asked.",
        lambda bot: {(): -1 if bot.sessions.budget is None else bot.sessions.budget.remaining},
    ),
    Gauge(
        "discord_banned",
        "Whether Cloudflare lets no requests of this address through.",
        lambda bot: {(): int(bot.traffic.availability.banned)},
    ),
    Gauge(
        "discord_invalid_requests",
        "Invalid requests of the last ten minutes; at 10000 Discord bans the address.",
        lambda bot: {(): bot.traffic.invalid},
    ),
)
ALWAYS: Final = ("build_info", "ready")
"""The gauges that are there before the bot is."""


def _gauge(name: str, meaning: str, values: Mapping[Any, float], *labels: str) -> GaugeMetricFamily:
    """The gauge ``diciassette_<name>`` with *values* by the values of its *labels*."""
    family = GaugeMetricFamily(f"diciassette_{name}", meaning, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family
