"""Whether Discord takes requests at all: outages of its REST API, and bans by Cloudflare, which stands before it.

Time in which nothing was taken counts against nobody's turn, as time without a connection to the gateway. While it
lasts a small request finds out when it is over. During a ban all other requests stop, those on interaction tokens
included: each would prolong it. https://discord.com/developers/docs/topics/rate-limits
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.clock import Alarm, Clock
from bot.delivery.faults import Banned, Busy, Fault
from bot.log import fields

log = logging.getLogger(__name__)

LEAST_MS: Final = 2_000
"""A shorter outage counts as none: one refused request says little."""
FIRST_PROBE_MS: Final = 5_000
LAST_PROBE_MS: Final = 30_000
"""How long after a refused request the next probe is made: each time twice as long, up to this."""


class Availability:
    """Knows since when Discord has taken no request.

    ``probe`` makes a small request, and raises a ``Fault`` if it is not taken. ``on_outage`` is called with (began,
    ended), ms since 1970, when an outage is over.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.on_outage: Callable[[int, int], object] = lambda began, ended: None
        self.probe: Callable[[], Awaitable[object]] | None = None
        self.down_since: int | None = None
        """When the first request of those in a row was made that Discord has not taken, ms; ``None``: it takes them."""
        self.banned = False
        """Whether Cloudflare has banned this address."""
        self.bans = 0
        """How many bans there have been."""
        self._pause = FIRST_PROBE_MS
        self._alarm: Alarm | None = None
        self._probing: asyncio.Task[None] | None = None

    def check(self) -> None:
        """Check that a request may be made.

        Raises:
            Busy: there is a ban, and this is not the probe.
        """
        if self.banned and asyncio.current_task() is not self._probing:
            raise Busy

    def failed(self, sent_at: int, fault: Fault | None = None) -> None:
        """Note that Discord has not taken a request that was made at *sent_at* (ms), because of *fault*, if that is
        known."""
        if self.down_since is None:
            self.down_since, self._pause = sent_at, FIRST_PROBE_MS
        if isinstance(fault, Banned) and not self.banned:
            self.banned, self._pause = True, LAST_PROBE_MS
            self.bans += 1
            log.warning(
                "Cloudflare has banned this address: no requests are made but one every 30 s; other programs behind the"
                " same address may be the cause"
            )
        if self._alarm is None and self._probing is None and self.probe is not None:
            self._alarm = self._clock.call_at(self._clock.now() + self._pause, self._ring)

    def taken(self) -> None:
        """Note that Discord has taken a request."""
        since, self.down_since = self.down_since, None
        if since is None:
            return
        now = self._clock.now()
        if self.banned:
            self.banned = False
            log.warning("the ban is over", extra=fields(ms=now - since))
        self.stop()
        if now - since >= LEAST_MS:
            self.on_outage(since, now)

    def _ring(self) -> None:
        """Make a probe in a task of its own."""
        self._alarm = None
        self._probing = asyncio.get_running_loop().create_task(self._find_out())

    async def _find_out(self) -> None:
        """Make a probe; if it is not taken either, make the next one later."""
        assert self.probe is not None
        self._pause = min(2 * self._pause, LAST_PROBE_MS)
        try:
            await self.probe()
        except Fault as fault:
            log.debug("probe not taken", extra=fields(fault=type(fault).__name__))
        finally:
            self._probing = None
        if self.down_since is not None:
            self._alarm = self._clock.call_at(self._clock.now() + self._pause, self._ring)

    def stop(self) -> None:
        """Make no more probes."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
