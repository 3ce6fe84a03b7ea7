"""Rate limits, with Discord's headers. https://discord.com/developers/docs/topics/rate-limits

Discord does not publish the limits of its routes and tells clients to read the headers; the limits here are of the
usual size. The global limit is documented: 50 requests per second for a bot, not counting the interaction routes.
"""

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

GLOBAL: Final = 50
GLOBAL_SECONDS: Final = 1.0
MOST_BUCKETS: Final = 20_000


class Rule(NamedTuple):
    """At most *limit* requests in *seconds*."""

    limit: int
    seconds: float


RULES: Final = {
    ("POST", "/channels/{channel}/messages"): Rule(5, 5.0),
    ("PATCH", "/channels/{channel}/messages/{message}"): Rule(5, 5.0),
    ("DELETE", "/channels/{channel}/messages/{message}"): Rule(5, 1.0),
    ("POST", "/users/@me/channels"): Rule(10, 10.0),
    ("POST", "/webhooks/{application}/{token}"): Rule(5, 2.0),
    ("PATCH", "/webhooks/{application}/{token}/messages/{which}"): Rule(5, 2.0),
    ("DELETE", "/webhooks/{application}/{token}/messages/{which}"): Rule(5, 2.0),
}
OTHERWISE: Final = Rule(50, 1.0)
UNLIMITED: Final = frozenset({"/interactions/{interaction}/{token}/callback"})
MAJOR: Final = ("guild", "channel", "application", "token")
"""The parameters of a path that matter: each of their values has a bucket of its own."""


class Limited(Exception):
    """The bot sends too many requests: answer 429 with this *body* and these *headers*."""

    def __init__(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        super().__init__(body["message"])
        self.body = body
        self.headers = headers


class _Window:
    """Counts requests in one time window, which begins with the first request and ends after the rule's seconds."""

    __slots__ = ("closes", "used")

    def __init__(self) -> None:
        self.used = 0
        self.closes = 0.0

    def count_request(self, rule: Rule, now: float) -> bool:
        """Count a request at *now* (seconds) in the window; return whether there was room for it. One without room is
        not counted."""
        if now >= self.closes:
            self.used, self.closes = 0, now + rule.seconds
        if self.used >= rule.limit:
            return False
        self.used += 1
        return True


class Limits:
    """The rate limits of one bot: one bucket per route, and the global limit. *clock* gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._windows: dict[tuple[str, ...], _Window] = {}
        self._everywhere = _Window()
        self.off = False
        """Let everything pass, for measurements that are not about limits."""

    def count_request(self, method: str, template: str, parameters: dict[str, Any], *, counted: bool) -> dict[str, str]:
        """Count a request to the path *template*, and return the rate limit headers of its response; raise Limited if
        the bot must wait.

        *counted*: it also counts globally.
        """
        now = self._clock()
        if self.off or template in UNLIMITED:
            return {}
        if counted and not self._everywhere.count_request(Rule(GLOBAL, GLOBAL_SECONDS), now):
            wait = self._everywhere.closes - now
            headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global", **retry_after_header(wait)}
            raise Limited(rate_limit_body(wait, everywhere=True), headers)
        rule = RULES.get((method, template), OTHERWISE)
        name = (method, template, *(str(parameters[key]) for key in MAJOR if key in parameters))
        if len(self._windows) > MOST_BUCKETS:
            self._windows = {key: window for key, window in self._windows.items() if window.closes > now}
        window = self._windows.setdefault(name, _Window())
        passes = window.count_request(rule, now)
        left = max(0.0, window.closes - now)
        headers = {
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(rule.limit - window.used),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": f"{abs(hash((method, template))):x}"[:32],
        }
        if not passes:
            raise Limited(
                rate_limit_body(left, everywhere=False),
                {**headers, "X-RateLimit-Scope": "user", **retry_after_header(left)},
            )
        return headers


def retry_after_header(seconds: float) -> dict[str, str]:
    """The header ``Retry-After`` with *seconds* to wait, which every 429 of Discord itself has."""
    return {"Retry-After": f"{seconds:.3f}"}


def rate_limit_body(retry_after: float, *, everywhere: bool) -> dict[str, Any]:
    """The JSON body of a 429; *retry_after* in seconds, *everywhere*: whether it is the global limit."""
    return {"message": "You are being rate limited.", "retry_after": round(retry_after, 3), "global": everywhere}
