"""The bot's own requests, spread so that Discord's global limit is never reached.

Discord allows a bot 50 requests a second over all routes; those on interaction tokens do not count. discord.py waits
out a 429 of that kind, but does not avoid it. https://discord.com/developers/docs/topics/rate-limits
"""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, Protocol

import aiohttp

from bot.clock import Alarm, Clock
from bot.delivery.errors import JSON, Banned, Busy, Dropped, Fault
from bot.log import fields
from bot.metrics import Metrics
from bot.tables.shards import AllShards, Shards

DISCORD_LIMIT: Final = 50
"""How many requests Discord takes in a second. It does not say when the second begins: it may be any."""
LIMIT_SECONDS: Final = 1.0
PER_SECOND: Final = 40
"""How many requests may start in a second: below the limit, to have some left for making up a delay."""
BURST: Final = 4
"""How many may start at once."""
SENT_PER_SECOND: Final = 42
"""How many requests are sent in a second, by whichever part of the program. With those that go at once there are fewer
than fifty in any second, even if some take a tenth of a second longer on their way than others. For those that take
longer there is ``record_sent``."""
LOST_REQUEST_SECONDS: Final = 10.0
"""A request without an answer for this long has been counted, or will never be."""


class Throttle:
    """Spreads the bot's requests: *per_second* may start in a second, *burst* of them at once; ``None``: no limit.

    A request that has started may still be held up by discord.py, for the limit of its route; many of those become free
    at the same moment. discord.py also makes requests of its own, and repeats some. So there is a second gate for all
    requests, just before they are sent (``wait_to_send``).

    Discord counts a request at some moment between ``record_sent`` and ``record_answered``. If Discord or the network
    stands still, the requests under way are counted together when it goes on. So no more than ``DISCORD_LIMIT`` are
    under way or were answered in the last second: whenever each of them is counted, no second has more.
    """

    def __init__(self, per_second: float | None = PER_SECOND, burst: int = BURST) -> None:
        self._whole = per_second, burst
        self._gap = 1 / per_second if per_second else 0.0
        self._burst = burst
        self._free_at = -math.inf
        self._gate = asyncio.Lock()
        self._sent_at = -math.inf
        self._limit = DISCORD_LIMIT
        self._open: set[object] = set()
        """The requests that Discord may count in the same second as the next one."""
        self._room = asyncio.Event()
        """Set when there is one request less of them."""
        self._waiting: deque[tuple[asyncio.Future[None], Callable[[], bool]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def share_limit(self, members: int) -> None:
        """Use from now on only one of *members* equal shares of the limit, because so many processes of the bot share
        it."""
        per_second, burst = self._whole
        self._gap = members / per_second if per_second else 0.0
        self._burst = max(1, burst // members)
        self._limit = max(1, DISCORD_LIMIT // members)

    async def wait_to_send(self) -> None:
        """Wait just before an HTTP request is sent, until Discord's limit allows it: the second gate, after
        ``wait_to_start``.

        Call ``record_sent`` right after it.
        """
        if not self._gap:
            return
        loop, gap = asyncio.get_running_loop(), self._gap * PER_SECOND / SENT_PER_SECOND
        async with self._gate:  # one after the other: after a stall those that are late must not leave together
            self._sent_at = max(self._sent_at + gap, loop.time() - (self._burst - 1) * gap)
            if (pause := self._sent_at - loop.time()) > 0:
                await asyncio.sleep(pause)
            while len(self._open) >= self._limit:
                self._room.clear()
                await self._room.wait()

    def record_sent(self) -> object:
        """Count an HTTP request as sent now, and return a handle of it to pass to ``record_answered``; it occupies the
        limit until then, at most 10 s."""
        request = object()
        if self._gap:
            self._open.add(request)
            asyncio.get_running_loop().call_later(LOST_REQUEST_SECONDS, self._stop_counting, request)
        return request

    def record_answered(self, request: object) -> None:
        """Record that *request* (from ``record_sent``) has its answer; it occupies the limit for one more second."""
        if request in self._open:
            asyncio.get_running_loop().call_later(LIMIT_SECONDS, self._stop_counting, request)

    def _stop_counting(self, request: object) -> None:
        """Remove *request* from those that occupy the limit, and wake the requests that wait for room."""
        self._open.discard(request)
        self._room.set()

    @property
    def per_second(self) -> float:
        """How many requests may start in a second; ``math.inf``: any number."""
        return 1 / self._gap if self._gap else math.inf

    @property
    def waiting(self) -> int:
        """How many requests wait in the queue until they may start."""
        return len(self._waiting)

    async def wait_to_start(self, wanted: Callable[[], bool] = lambda: True) -> None:
        """Wait in the queue until the next request may start, the first gate; or raise Dropped if ``wanted()`` is false
        when its turn comes."""
        if not self._gap:
            if not wanted():
                raise Dropped
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((turn, wanted))
        if self._timer is None:
            self._start_next_requests()
        await turn

    def _start_next_requests(self) -> None:
        """Let the queued requests start that are due now, drop those no longer wanted, and set a timer for the
        others."""
        loop = asyncio.get_running_loop()
        self._timer = None
        now = loop.time()
        self._free_at = max(self._free_at, now - (self._burst - 1) * self._gap)
        while self._waiting:
            turn, wanted = self._waiting[0]
            if turn.done():  # cancelled
                self._waiting.popleft()
            elif not wanted():
                self._waiting.popleft()
                turn.set_exception(Dropped())
            elif self._free_at <= now:
                self._waiting.popleft()
                self._free_at += self._gap
                turn.set_result(None)
            else:
                self._timer = loop.call_at(self._free_at, self._start_next_requests)
                return


# A check before every request about a table: this process must hold the table's shard at this moment.
#
# The database puts in order what two processes do to a table; nobody does so for a message. So no request is made once
# another process may hold the shard, for example after this one stood still.


class MessagesOfTable(Protocol):
    """The messages of a table, as this process knows them (``bot.delivery.slots.TableSlots``)."""

    @property
    def given_away(self) -> bool:
        """Whether nothing that is known of them holds any more, as another process serves the table, or has done so."""
        ...


class _Subject(NamedTuple):
    """What requests are about: a table in the server *guild*, and its *messages*, if one of them is sent or changed."""

    guild: int
    messages: MessagesOfTable | None


_subject: Final[ContextVar[_Subject | None]] = ContextVar("about", default=None)
"""What the task makes requests about; ``None``: about no table."""


class ShardLost(Exception):
    """Another process holds the shard of the table, so this one must make no request about it."""


def set_request_guild(guild: int | None, messages: MessagesOfTable | None = None) -> None:
    """Set the server whose table the requests of the running task are about from now on (``None``: no table), for the
    check of its shard.

    If they are about *messages*, none is made once those are given away, even if the shard has come back.
    """
    _subject.set(None if guild is None else _Subject(guild, messages))


def check_shard_held(shards: Shards) -> None:
    """Raise ShardLost if another process holds the shard of the table that the running task makes requests about, Busy
    if that is in doubt."""
    about = _subject.get()
    if about is None:
        return
    if (about.messages is not None and about.messages.given_away) or not shards.has(about.guild):
        raise ShardLost
    if not shards.holds(about.guild):
        raise Busy


# The watch on all requests: it counts and measures them, delays them until they may be sent, and reads from each
# response the time at Discord, and whether the request counts towards a ban.


log = logging.getLogger(__name__)


COUNTED: Final = frozenset({"send", "edit", "delete", "look", "open_dm", "emojis", "commands", "other"})
"""The kinds that count against Discord's 50 requests a second. https://discord.com/developers/docs/topics/rate-limits"""

UNCOUNTED: Final = frozenset({"answer", "follow_up", "token_edit", "token_delete", "token_look", "gateway"})
"""The kinds that do not: those on interaction tokens, and the gateway's connection."""

_ON_MESSAGE: Final = {"PATCH": "edit", "DELETE": "delete", "GET": "look"}


def classify_http_request(method: str, path: str) -> str:
    """Return the kind of the request *method* to *path*, one of COUNTED and UNCOUNTED.

    >>> classify_http_request("POST", "/api/v10/interactions/12/aW50ZXJ/callback")
    'answer'
    >>> classify_http_request("PATCH", "/api/v10/webhooks/12/aW50ZXJ/messages/34")
    'token_edit'
    >>> classify_http_request("PATCH", "/api/v10/channels/12/messages/34")
    'edit'
    >>> classify_http_request("GET", "/gateway")
    'gateway'
    """
    parts = path.split("/")
    if "interactions" in parts:
        return "answer"
    if "webhooks" in parts:
        return "token_" + _ON_MESSAGE[method] if "messages" in parts and method in _ON_MESSAGE else "follow_up"
    if "channels" in parts:
        if "messages" in parts:
            return "send" if method == "POST" else _ON_MESSAGE.get(method, "other")
        return "open_dm" if "users" in parts else "other"
    if "emojis" in parts:
        return "emojis"
    if "commands" in parts:
        return "commands"
    return "gateway" if "gateway" in parts or parts == ["", ""] else "other"


MIN_OUTAGE_MS: Final = 2_000
"""A shorter outage is not reported: one refused request says little."""
FIRST_PROBE_MS: Final = 5_000
MAX_PROBE_MS: Final = 30_000
"""The longest delay between a refused request and the next probe. The delay doubles up to this."""


class Availability:
    """Tracks whether Discord takes requests. After a failure it sends a probe now and then, and reports each outage
    when it is over.

    ``probe`` makes a small request, and raises a ``Fault`` if it is not taken. ``on_outage`` is called with (began,
    ended), ms since 1970, when an outage is over.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.on_outage: Callable[[int, int], object] = lambda began, ended: None
        self.probe: Callable[[], Awaitable[object]] | None = None
        self.down_since: int | None = None
        """When the first request of the present outage was made, ms; ``None``: there is no outage."""
        self.banned = False
        """Whether Cloudflare has banned this address."""
        self.bans = 0
        """How many bans there have been."""
        self._pause = FIRST_PROBE_MS
        self._alarm: Alarm | None = None
        self._probing: asyncio.Task[None] | None = None

    def check_not_blocked(self) -> None:
        """Raise Busy if Cloudflare has banned this address, except in the task that probes."""
        if self.banned and asyncio.current_task() is not self._probing:
            raise Busy

    def record_failure(self, sent_at: int, fault: Fault | None = None) -> None:
        """Record that Discord did not take a request made at *sent_at* (ms): an outage, or with *fault* ``Banned`` a
        ban, begins; a probe is scheduled."""
        if self.down_since is None:
            self.down_since, self._pause = sent_at, FIRST_PROBE_MS
        if isinstance(fault, Banned) and not self.banned:
            self.banned, self._pause = True, MAX_PROBE_MS
            self.bans += 1
            log.warning(
                "Cloudflare has banned this address: no requests are made but one every 30 s; other programs behind the"
                " same address may be the cause"
            )
        if self._alarm is None and self._probing is None and self.probe is not None:
            self._alarm = self._clock.call_at(self._clock.now() + self._pause, self._start_probe)

    def record_success(self) -> None:
        """Record that Discord took a request: that ends an outage or ban, and reports it to ``on_outage`` if it lasted
        two seconds or more."""
        since, self.down_since = self.down_since, None
        if since is None:
            return
        now = self._clock.now()
        if self.banned:
            self.banned = False
            log.warning("the ban is over", extra=fields(ms=now - since))
        self.stop()
        if now - since >= MIN_OUTAGE_MS:
            self.on_outage(since, now)

    def _start_probe(self) -> None:
        """Start a task that sends a probe to Discord."""
        self._alarm = None
        self._probing = asyncio.get_running_loop().create_task(self._probe_once())

    async def _probe_once(self) -> None:
        """Send a probe; while the outage goes on, schedule the next one after a pause that doubles, up to 30 s."""
        assert self.probe is not None
        self._pause = min(2 * self._pause, MAX_PROBE_MS)
        try:
            await self.probe()
        except Fault as fault:
            log.debug("probe not taken", extra=fields(fault=type(fault).__name__))
        finally:
            self._probing = None
        if self.down_since is not None:
            self._alarm = self._clock.call_at(self._clock.now() + self._pause, self._start_probe)

    def stop(self) -> None:
        """Cancel the next probe; one that runs goes on."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


INVALID_STATUSES: Final = (401, 403, 429)
"""The HTTP statuses of an invalid request. After 10,000 of them in ten minutes Discord bans the address.
https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""
INVALID_PERIOD_MS: Final = 600_000
MAX_INVALID: Final = 1000
"""After so many in ten minutes the bot makes no request with its own token that could be another one. Several
processes, which may have one address, share them."""
MAX_RATE_LIMIT_WAIT_MS: Final = 5_000
"""The longest rate limit that is waited for within a request."""
CLOCK_SAMPLE_MS: Final = 1000
"""How often, at most, the time is taken from a response."""


class Traffic:
    """Watches every HTTP request of the process: delays it until the limits allow it, checks the shard, counts it, and
    learns from the response.

    Requests that count against Discord's global limit are sent when *throttle* allows it. A request about a table is
    not sent if this process has lost the table's shard meanwhile, as *shards* says.
    """

    def __init__(
        self,
        clock: Clock,
        metrics: Metrics,
        throttle: Throttle,
        shards: Shards = AllShards(),  # noqa: B008 - it has no state
    ) -> None:
        self._shards = shards
        self.availability = Availability(clock)
        self._throttle = throttle
        self._clock = clock
        self._metrics = metrics
        self._invalid: deque[int] = deque()
        self._most_invalid = MAX_INVALID
        self._sampled = -CLOCK_SAMPLE_MS
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._on_request_start)
        self.trace.on_connection_create_end.append(self._on_connection_created)
        self.trace.on_request_end.append(self._on_response)
        self.trace.on_request_exception.append(self._on_request_failed)

    @property
    def invalid_requests(self) -> int:
        """How many requests of the last ten minutes Discord refused with 401, 403 or 429; too many lead to a ban."""
        while self._invalid and self._invalid[0] <= self._clock.uncorrected_now() - INVALID_PERIOD_MS:
            self._invalid.popleft()
        return len(self._invalid)

    @property
    def invalid_limit_reached(self) -> bool:
        """Whether requests with the bot's token must stop for now, because too many were invalid in the last ten
        minutes."""
        return self.invalid_requests >= self._most_invalid

    def share_invalid_limit(self, members: int) -> None:
        """Use only one of *members* equal shares of the number of invalid requests after which the bot makes no
        more."""
        self._most_invalid = max(1, MAX_INVALID // max(1, members))

    async def _on_request_start(self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Wait until an HTTP request may be sent, and count it as sent now; or raise ShardLost or Busy if its shard is
        not held. aiohttp calls this."""
        context.kind = classify_http_request(params.method, params.url.raw_path)
        if context.kind in COUNTED:
            await self._throttle.wait_to_send()
        check_shard_held(self._shards)
        if context.kind in COUNTED:
            context.request = self._throttle.record_sent()
        context.sent = self._clock.uncorrected_now()
        context.began = time.perf_counter()

    async def _on_connection_created(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any
    ) -> None:
        """After the wait for a connection raise ShardLost or Busy if the shard of the request's table is not held any
        more. aiohttp calls this."""
        check_shard_held(self._shards)

    async def _on_response(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        """Note a response: it no longer occupies the limits, 5xx begins an outage, invalid ones are counted, ``Date``
        corrects the clock; raise Busy if its rate limit is over 5 s. aiohttp calls this."""
        response, now = params.response, self._clock.uncorrected_now()
        if context.kind in COUNTED:
            self._throttle.record_answered(context.request)
        self._count_request(context, str(response.status))
        if response.status >= 500:  # discord.py tries again for half a minute
            self.availability.record_failure(self._clock.now() - round(1000 * (time.perf_counter() - context.began)))
        if response.status in INVALID_STATUSES and response.headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.append(now)
        if response.status == 429:
            self._metrics.count_rate_limited(response.headers.get("X-RateLimit-Scope", ""))
            wait_ms = _retry_after_ms(response.headers)
            if wait_ms > MAX_RATE_LIMIT_WAIT_MS:  # discord.py would sleep that long, and nobody could do anything else
                raise Busy(wait_ms=wait_ms)
        date = response.headers.get("Date") if _has_current_date(response.headers) else None
        if date is not None and now - self._sampled >= CLOCK_SAMPLE_MS:
            self._sampled = now
            try:
                at = int(parsedate_to_datetime(date).timestamp() * 1000)
            except ValueError:
                return
            # The header counts in whole seconds.
            self._clock.observe_discord_time(at, at + 999, getattr(context, "sent", -math.inf), now)

    async def _on_request_failed(self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Record that a request got no response, in throttle and metrics. aiohttp calls this."""
        if (request := getattr(context, "request", None)) is not None:
            self._throttle.record_answered(request)
        self._count_request(context, "none")

    def _count_request(self, context: SimpleNamespace, status: str) -> None:
        """Count and time the request of *context* in the metrics; *status* is its HTTP status, or "none" without a
        response."""
        began = getattr(context, "began", None)
        seconds = 0.0 if began is None else time.perf_counter() - began
        self._metrics.observe_request(context.kind, context.kind in COUNTED, status, seconds)


def _has_current_date(headers: Mapping[str, str]) -> bool:
    """Whether a response with these *headers* was made by Discord just now, not by a cache or Cloudflare, so that its
    date is right."""
    return "Age" not in headers and headers.get("Content-Type", JSON).startswith(JSON)


def _retry_after_ms(headers: Mapping[str, str]) -> int:
    """Return from the *headers* of a 429 how many ms Discord takes no such request; 0 if they do not say, or Cloudflare
    sent it.

    https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit
    """
    try:
        return round(1000 * float(headers["Retry-After"])) if "Via" in headers else 0
    except (KeyError, ValueError):
        return 0
