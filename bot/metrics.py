"""The metrics of the program, under the names that Prometheus reads. https://prometheus.io/docs/practices/naming

A label takes one of few values that stand in the code: never an id, a name, a channel, a card. Nothing here tells who
plays, or what somebody holds. A test plays and looks through all of it.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

ANSWER_SECONDS: Final = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 2.5, 3.0)
"""Discord takes no answer after three seconds; a card of 17 is answered after a quarter of one."""
REQUEST_SECONDS: Final = (0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.0, 6.0, 15.0)
STORE_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
LAG_SECONDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0)
WAIT_SECONDS: Final = (0.001, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)


@lru_cache(maxsize=1024)
def _metric_with_labels(family: Counter | Histogram, *labels: str) -> Any:
    """Return the metric of *family* with these label values, from a cache: asking the family itself takes longer than
    counting.
    """
    return family.labels(*labels)


class Metrics:
    """Counts and times what one program does, such as moves, answers, requests and transactions, in its own
    ``registry``.

    Whoever does something calls the method named for it; that takes about a microsecond.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._changes = self._register_counter("table_changes", "Committed changes of tables.", "game", "what")
        self._moves = self._register_counter("moves", "Moves of games, by people and computer players.", "game")
        self._over = self._register_counter("tables_over", "Tables that are over, by the reason.", "game", "ending")
        self._aside = self._register_counter("tables_set_aside", "Tables that could not go on and were set aside.")
        self._served = self._register_counter(
            "interactions", "Commands, clicks and forms, by how they ended.", "what", "outcome"
        )
        self._answer = self._register_histogram(
            "answer_seconds",
            "From the moment of a command, click or form until Discord has taken the first response to it.",
            ANSWER_SECONDS,
            "response",
        )
        self._requests = self._register_counter("discord_requests", "Requests to Discord.", "kind", "counted", "status")
        self._request = self._register_histogram(
            "discord_request_seconds", "How long Discord took to answer a request.", REQUEST_SECONDS, "counted"
        )
        self._limited = self._register_counter("discord_rate_limited", "Responses with status 429.", "scope")
        self._turn = self._register_histogram(
            "discord_turn_seconds", "How long a counted request waited for its turn.", WAIT_SECONDS
        )
        self._store = self._register_histogram("store_seconds", "How long a transaction took.", STORE_SECONDS, "work")
        self._store_failed = self._register_counter("store_failures", "Transactions that failed.", "work", "why")
        self._lag = self._register_histogram("event_loop_lag_seconds", "How late the event loop was.", LAG_SECONDS)

    def _register_counter(self, name: str, meaning: str, *labels: str) -> Counter:
        """Create and register a counter, which Prometheus calls ``diciassette_<name>_total``; without labels it starts
        at 0.
        """
        return Counter(f"diciassette_{name}", meaning, labels, registry=self.registry)

    def _register_histogram(self, name: str, meaning: str, buckets: Sequence[float], *labels: str) -> Histogram:
        """Create and register a histogram ``diciassette_<name>`` with the upper bounds *buckets*, in seconds."""
        return Histogram(f"diciassette_{name}", meaning, labels, buckets=buckets, registry=self.registry)

    def add_process_metrics(self) -> None:
        """Register metrics of this process: CPU, memory, open files, Python's version and its garbage collection."""
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)

    # Tables

    def count_change(self, game: str, what: str, entries: Sequence[Collection[Any]] = ()) -> None:
        """Count one committed change of a table by its kind *what*, and the moves among the *entries* that it added to
        the record.

        *entries* are what it has added to the record of its game: moves, and seats that changed hands (with the key
        ``sits``).
        """
        _metric_with_labels(self._changes, game, what).inc()
        moves = sum("sits" not in entry for entry in entries)
        if moves:
            _metric_with_labels(self._moves, game).inc(moves)

    def count_ended_table(self, game: str, ending: str) -> None:
        """Count one table that is over, by its *game* and by *ending*, the reason why it ended."""
        _metric_with_labels(self._over, game, ending).inc()

    def count_quarantined_table(self) -> None:
        """Count one live table that could not go on, because it is damaged or its game has a bug, and was
        quarantined.
        """
        self._aside.inc()

    # Interactions

    def count_interaction(self, what: str, outcome: str) -> None:
        """Count one command, click or form *what* by its *outcome*: served, refused, late, try_again or bug."""
        _metric_with_labels(self._served, what, outcome).inc()

    def observe_response_time(self, response: str, milliseconds: int) -> None:
        """Record how many *milliseconds* passed from a command, click or form until Discord had taken the first
        response, of the kind *response*, to it.
        """
        _metric_with_labels(self._answer, response).observe(max(0, milliseconds) / 1000)

    # Requests

    def observe_request(self, kind: str, counted: bool, status: str, seconds: float) -> None:
        """Count one HTTP request to Discord, and record how many *seconds* it took; *counted*: whether it counts for
        the bot's rate limit; *status* is the HTTP status, "none" if there was no response.
        """
        said = "yes" if counted else "no"
        _metric_with_labels(self._requests, kind, said, status).inc()
        _metric_with_labels(self._request, said).observe(seconds)

    def count_rate_limited(self, scope: str) -> None:
        """Count one response of Discord with HTTP status 429 by the *scope* of the limit: user, global, shared;
        anything else is other.
        """
        _metric_with_labels(self._limited, scope if scope in ("user", "global", "shared") else "other").inc()

    def observe_rate_limit_wait(self, seconds: float) -> None:
        """Record how many *seconds* a request waited until the bot's own rate limit let it start."""
        self._turn.observe(seconds)

    # Store and process

    def observe_transaction(self, work: str, seconds: float) -> None:
        """Record how many *seconds* a successful database transaction took; *work* is read or write."""
        _metric_with_labels(self._store, work).observe(seconds)

    def count_failed_transaction(self, work: str, why: str) -> None:
        """Count one database transaction that failed; *work* is read or write, *why* is locked or refused."""
        _metric_with_labels(self._store_failed, work, why).inc()

    def observe_loop_lag(self, seconds: float) -> None:
        """Record by how many *seconds* the event loop was late in calling a timer."""
        self._lag.observe(seconds)
