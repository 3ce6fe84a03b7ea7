"""The list of the bot's REST requests, for tests and measurements."""

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from local_discord.snowflake import now_ms

KEPT: Final = 50_000
INVALID: Final = (401, 403, 429)
INVALID_SECONDS: Final = 600.0
"""Discord bans an address that sends 10,000 invalid requests in ten minutes."""


class RequestList:
    """The bot's newest REST requests, numbered from 1, for tests and measurements."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._count = 0
        self._clock = clock
        self._invalid: deque[float] = deque()

    @property
    def count(self) -> int:
        """How many requests of the bot there have been, which is also the number of the newest one."""
        return self._count

    @property
    def invalid(self) -> int:
        """The number of invalid requests of the last ten minutes: answered with 401, 403 or 429, except 429 with the
        scope "shared".

        https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit
        """
        while self._invalid and self._invalid[0] <= self._clock() - INVALID_SECONDS:
            self._invalid.popleft()
        return len(self._invalid)

    def add(
        self, method: str, path: str, authorization: str, status: int, body: Any, scope: str = "", agent: str = ""
    ) -> None:
        """Add a request, with the *status* of its answer, if it is the bot's: with the bot's token, or an interaction's
        token in its *path*.

        *body* is its JSON; ``None`` if it could not be read. *scope* is what the answer says in ``X-RateLimit-Scope``,
        *agent* the header ``User-Agent``.
        """
        by_interaction = path.startswith(("/webhooks/", "/interactions/"))
        if not authorization.startswith("Bot ") and not by_interaction:
            return
        if status in INVALID and scope != "shared":
            self._invalid.append(self._clock())
        self._count += 1
        self._entries.append(
            {
                "number": self._count,
                "time": now_ms(),
                "method": method,
                "path": path,
                "auth": "interaction" if by_interaction else "bot",
                "status": status,
                "body": body,
                "agent": agent,
            }
        )

    def after(self, number: int) -> list[dict[str, Any]]:
        """The requests with a number above *number*, oldest first: number, time (ms), method, path, auth, status, body,
        agent."""
        return [entry for entry in self._entries if entry["number"] > number]
