"""The metrics that are read from the bot when somebody asks for them; they cost nothing until then."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.cluster.shards import HeldShards
from bot.tables.shards import AllShards
from bot.version import VERSION
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.client import Bot

PHASES: Final = ("lobby", "playing")


class BotState(Collector):
    """Reads the gauges (tables, shards, waiting requests) from the bot when somebody asks for the metrics, and says
    whether it is ready."""

    def __init__(self) -> None:
        self.bot: Bot | None = None
        self.waits = ""
        """What the program waits for, in words; empty: for nothing."""

    def describe(self) -> list[GaugeMetricFamily]:
        """Return an empty list, as the metrics are not known before somebody reads them. prometheus-client calls
        this.
        """
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield all gauges with their present values; without a running bot only version and readiness.
        prometheus-client calls this when somebody reads the metrics.
        """
        yield _gauge_family("build_info", "The version that runs.", {(VERSION,): 1}, "version")
        yield _gauge_family(
            "ready", "Whether the bot is connected and serves tables (1) or not (0).", {(): self.unready_reason() == ""}
        )
        if self.bot is not None:
            for gauge in GAUGES:
                yield _gauge_family(gauge.name, gauge.meaning, gauge.read(self.bot), *gauge.labels)

    def unready_reason(self) -> str:
        """Return in words why the bot cannot serve anybody now; empty if it can."""
        if self.waits:
            return self.waits
        if self.bot is None:
            return "the bot is starting or stopping"
        if self.bot.is_closed():
            return "the bot is stopping"
        if not self.bot.is_ready():
            return "the bot is not connected to Discord yet"
        if why := _idle_reason(self.bot.shards_held):
            return why
        lost = self.bot.events.lost_shard_count
        if lost and lost == len(self.bot.shards):
            return "the bot has lost its connection to Discord"
        if self.bot.tables.uptime.missed:
            return "the database takes no changes, so nothing can be played"
        return ""


class Gauge(NamedTuple):
    """One gauge ``diciassette_<name>``: its meaning, its labels, and the function that reads its values from the
    bot."""

    name: str
    meaning: str
    read: "Callable[[Bot], Mapping[Any, float]]"
    labels: tuple[str, ...] = ()


def _live_table_counts(bot: "Bot") -> Mapping[Any, float]:
    """Return the number of live tables that this process serves: (game, phase) -> number, zeros included."""
    there = Counter((table.game, table.phase.value) for table in bot.tables.live_tables_in_memory())
    return {(game, phase): there[game, phase] for game in sorted(GAMES) for phase in PHASES}


def _shard_connection_counts(bot: "Bot") -> Mapping[Any, float]:
    """Return the number of this process's connections to Discord's gateway by their state: connected or lost."""
    return {("connected",): len(bot.shards) - bot.events.lost_shard_count, ("lost",): bot.events.lost_shard_count}


def _gateway_latency(bot: "Bot") -> Mapping[Any, float]:
    """Return the longest time, among the connections of this process, between a heartbeat and its answer, in seconds; 0
    if there has been none.
    """
    return {(): max((seconds for _, seconds in bot.latencies if 0 <= seconds < math.inf), default=0)}


def _idle_reason(shards: "HeldShards | AllShards") -> str:
    """Return in words why this process, one of several, serves no table now; empty if it serves some or is alone."""
    if isinstance(shards, AllShards):
        return ""
    if shards.seconds_until_takeover_possible <= 0:
        return "the database does not answer, so another process may serve what this one did"
    return "" if shards.held_shards else "the other processes serve everything"


def _value_if_several_processes(bot: "Bot", value: "Callable[[HeldShards], float]") -> Mapping[Any, float]:
    """Return what *value* computes from the shards of this process, as the only value of a gauge; empty if the process
    is alone on its database.
    """
    return {} if isinstance(bot.shards_held, AllShards) else {(): value(bot.shards_held)}


GAUGES: Final = (
    Gauge("processes", "Processes on the database that are alive.", lambda bot: {(): bot.shards_held.living}),
    Gauge(
        "shards_held",
        "Shards that this process holds, if there may be several.",
        lambda bot: _value_if_several_processes(bot, lambda shards: len(shards.held_shards)),
    ),
    Gauge(
        "shards_unheld",
        "Shards that no process holds, as this one knows.",
        lambda bot: _value_if_several_processes(bot, lambda shards: shards.unheld),
    ),
    Gauge(
        "shards_seconds_left",
        "For how long nobody else can take what this process holds.",
        lambda bot: _value_if_several_processes(bot, lambda shards: shards.seconds_until_takeover_possible),
    ),
    Gauge(
        "chores",
        "Whether this process does what one does for all.",
        lambda bot: _value_if_several_processes(bot, lambda shards: shards.has_chores),
    ),
    Gauge("live_tables", "Tables that are not over.", _live_table_counts, ("game", "phase")),
    Gauge("shards", "Connections to Discord's gateway that this process keeps.", _shard_connection_counts, ("state",)),
    Gauge("gateway_latency_seconds", "How long the slowest gateway takes to answer a heartbeat.", _gateway_latency),
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
        lambda bot: {(): bot.sessions.ms_since_last_interaction / 1000},
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
        lambda bot: {(): bot.traffic.invalid_requests},
    ),
)
ALWAYS: Final = ("build_info", "ready")
"""The gauges that exist before the bot does."""


def _gauge_family(name: str, meaning: str, values: Mapping[Any, float], *labels: str) -> GaugeMetricFamily:
    """Return the gauge ``diciassette_<name>`` with *values*, keyed by the values of its *labels*."""
    family = GaugeMetricFamily(f"diciassette_{name}", meaning, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family
