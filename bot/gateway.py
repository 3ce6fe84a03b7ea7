"""The bot's sessions at Discord's gateway: how many may still be begun today, and whether one of them is deaf.

Discord counts the sessions that a bot begins, its IDENTIFYs. After 1,000 in a day it ends all of them and makes a new
token, so that somebody has to log in. https://discord.com/developers/docs/events/gateway#session-start-limit-object

A *deaf* session seems well, but gets no interactions, sometimes for hours: people's clicks are lost, and one after the
other is timed out (https://github.com/discord/discord-api-docs/issues/8162). That Discord is silent proves nothing, as
nobody may be there. So a new session is begun only where somebody would lose their seat because of it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime
from typing import Final, NamedTuple

from bot.background import Background
from bot.clock import Clock
from bot.delivery.errors import Fault
from bot.log import fields
from bot.tables.model import TableId

log = logging.getLogger(__name__)

RESERVE: Final = 50
"""With fewer sessions left for today the bot begins none; only the host does, by starting it."""
FIRST_PAUSE_MS: Final = 5_000
MAX_PAUSE_MS: Final = 600_000
"""The longest pause before a session after others that did not last. It doubles each time, up to this."""
STABLE_MS: Final = 60_000
"""A session that lasted this long was no failure."""
RENEW_INTERVAL_MS: Final = 3_600_000
"""How often, at most, a session is begun anew because it may be deaf."""


class SessionBudget(NamedTuple):
    """How many gateway sessions Discord lets the bot begin today, and when all are available again."""

    remaining: int
    until: int
    """When all of them are available again, ms since 1970."""

    @property
    def used_up(self) -> bool:
        """Whether no more sessions should be begun today: fewer than 50 are left."""
        return self.remaining < RESERVE

    @property
    def few_sessions_left_log_line(self) -> str:
        """One line for the host's log: how few sessions are left, so that none is begun, and until when."""
        at = datetime.fromtimestamp(self.until / 1000, UTC).isoformat(timespec="seconds")
        return f"only {self.remaining} sessions at Discord's gateway are left for today: none is begun until {at}"


class Sessions:
    """Limits how often sessions at Discord's gateway are begun, and begins a new one where a session is deaf (gets no
    interactions).

    ``ask`` asks Discord how many may be begun; ``renew`` begins a new one for a shard; ``credit`` is called with
    (began, ended), ms since 1970, of a time in which a session was probably deaf.
    """

    def __init__(
        self,
        clock: Clock,
        ask: Callable[[], Awaitable[SessionBudget]],
        renew: Callable[[int], Awaitable[object]],
        credit: Callable[[int, int], object],
    ) -> None:
        self._clock = clock
        self._ask = ask
        self._renew = renew
        self._credit = credit
        self.budget: SessionBudget | None = None
        """What Discord has said last, less the sessions begun since; ``None``: nothing yet."""
        self._failed: dict[int, int] = {}
        """Shard -> how many of its sessions in a row did not last."""
        self._begun: dict[int, int] = {}
        """Shard -> when its last session was begun, ms."""
        self._heard: dict[int, int] = {}
        """Shard -> when its last interaction came, ms."""
        self._timed_out: dict[int, set[TableId]] = {}
        """Shard -> tables where somebody's time has run out since its last interaction."""
        self._renewed: dict[int, int] = {}
        """Shard -> when its session was last begun anew because it might be deaf, ms."""
        self._background = Background(log, "no new session")
        self._started = clock.now()

    # Beginning sessions

    async def wait_to_begin(self, shard: int) -> None:
        """Wait until a gateway session may be begun for *shard* (after failures, or with few left for today), and count
        it as begun."""
        now, begun = self._clock.now(), self._begun.get(shard)
        failed = self._failed.get(shard, 0)
        if begun is not None and now - begun >= STABLE_MS + self._backoff_ms_before_session(failed):
            failed = self._failed[shard] = 0
        if begun is not None and (pause := self._backoff_ms_before_session(failed)):
            await self._wait_until(begun + pause)
        while True:
            try:
                self.budget = await self._ask()
            except Fault as fault:
                log.info("Discord does not say how many sessions are left", extra=fields(fault=type(fault).__name__))
            if self.budget is None or not self.budget.used_up or self._clock.now() >= self.budget.until:
                break
            log.warning(self.budget.few_sessions_left_log_line)
            await self._wait_until(self.budget.until)
        self._begun[shard], self._failed[shard] = self._clock.now(), failed + 1
        if self.budget is not None:
            self.budget = self.budget._replace(remaining=self.budget.remaining - 1)

    @staticmethod
    def _backoff_ms_before_session(failed: int) -> int:
        """Return the pause (ms) before the next session, after *failed* sessions in a row that did not last; 0 below
        two."""
        return min(FIRST_PAUSE_MS << min(failed - 2, 10), MAX_PAUSE_MS) if failed >= 2 else 0

    async def _wait_until(self, until: int) -> None:
        """Wait until the time *until* (ms since 1970) on the program's clock; not at all if that is past."""
        if until <= self._clock.now():
            return
        due = asyncio.Event()
        alarm = self._clock.call_at(until, due.set)
        try:
            await due.wait()
        finally:
            alarm.cancel()

    # Deaf sessions

    def record_interaction(self, shard: int) -> None:
        """Record that an interaction has come on *shard*, so that its session is not deaf."""
        self._heard[shard] = self._clock.now()
        self._timed_out.pop(shard, None)

    @property
    def ms_since_last_interaction(self) -> int:
        """How long no interaction has come, on any shard, in ms; since the start if there was none."""
        return self._clock.now() - max(self._heard.values(), default=self._started)

    def defer_timeout_and_renew_if_deaf(self, table: TableId, shards: Collection[int]) -> bool:
        """Return True if a time-out at *table* must not count yet, as the sessions of *shards* may be deaf; then begin
        new ones and credit the lost time.

        The person's clicks come by these sessions. They count as deaf if they bring nothing, and this is the second
        time-out there, or people at two tables are timed out. Then new sessions are begun, at most once an hour. The
        time-out is recorded for the next call.
        """
        now = self._clock.now()
        suspects = [shard for shard in shards if self._timed_out.get(shard)]
        for shard in shards:
            self._timed_out.setdefault(shard, set()).add(table)
        due = [shard for shard in suspects if now - self._renewed.get(shard, -RENEW_INTERVAL_MS) >= RENEW_INTERVAL_MS]
        if len(suspects) < len(shards) or not due:
            return False
        began = min(self._heard.get(shard, self._started) for shard in due)
        for shard in due:
            self._renewed[shard] = now
            self._timed_out.pop(shard, None)
            log.warning(
                "no interaction has come for long, and people are timed out: a new session begins",
                extra=fields(shard=shard, ms_since_last_interaction=now - self._heard.get(shard, self._started)),
            )
            self._background.spawn(self._renew_session(shard))
        self._credit(began, now)
        return True

    async def _renew_session(self, shard: int) -> None:
        """Replace the session of *shard* by a new one; a failure is only logged."""
        try:
            await self._renew(shard)
        except Exception:  # the boundary of this task: discord.py connects again by itself
            log.exception("no new session", extra=fields(shard=shard))
