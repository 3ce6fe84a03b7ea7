"""Faults that a test sets from outside: requests that are refused, slow or lost."""

from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any, Final

from local_discord.errors import ApiError, invalid_form
from local_discord.forms import MOST, Form

SCOPES: Final = ("user", "shared", "global")
"""Whose limit it can be. https://discord.com/developers/docs/topics/rate-limits#header-format"""
LONGEST_MS: Final = 86_400_000
"""How long a request can be made to wait."""


@dataclass
class Fault:
    """What happens to the next *times* requests that match. *path* is a pattern such as ``/channels/*``."""

    method: str
    path: str
    times: int
    status: int | None = None
    delay_ms: int = 0
    late_ms: int = 0
    """The request has its effect at once, and its response comes so much later."""
    drop: bool = False
    """The request has its effect, but its response is lost."""
    retry_after: float | None = None
    """With status 429: send Discord's headers and body, with this many seconds. Otherwise the 429 has no headers, like
    one from a proxy."""
    everywhere: bool = False
    """With status 429: it is the global limit."""
    scope: str = "user"
    """With status 429: https://discord.com/developers/docs/topics/rate-limits#header-format"""


class Faults:
    """The faults that are set."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def set(self, body: Any) -> None:
        """Add the fault in *body*: ``{"match": {"method", "path"}, "status"|"delay_ms"|"late_ms"|"drop",
        "times"}``.

        With status 429 it may also have ``"retry_after"`` (seconds), and ``"global"`` or ``"scope"``: what the header
        X-RateLimit-Scope says, such as "shared".

        Raises:
            ApiError: a field is unknown or cannot be, or ``match`` is missing (50035).
        """
        form = Form(body)
        match = form.needed("match")
        unknown = set(body) - {
            "match",
            "status",
            "delay_ms",
            "late_ms",
            "drop",
            "times",
            "retry_after",
            "global",
            "scope",
        }
        if unknown:
            raise invalid_form(min(unknown), "UNKNOWN_FIELD", "This kind of fault is not implemented.")
        everywhere = form.boolean("global") or False
        scope = form.choice("scope", SCOPES) if "scope" in body else "user"
        times = form.whole("times", 0, MOST, required="times" in body)
        self._faults.append(
            Fault(
                method=match.text("method") or "*",
                path=match.text("path") or "*",
                times=1 if times is None else times,
                status=form.whole("status", 400, 599),
                delay_ms=form.whole("delay_ms", 0, LONGEST_MS) or 0,
                late_ms=form.whole("late_ms", 0, LONGEST_MS) or 0,
                drop=form.boolean("drop") or False,
                retry_after=form.number("retry_after", 0, LONGEST_MS / 1000),
                everywhere=everywhere,
                scope="global" if everywhere else scope,
            )
        )

    def clear(self) -> None:
        """Remove all faults."""
        self._faults.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """The fault for this request, ``None`` if there is none. It counts as one of the fault's *times*."""
        for fault in self._faults:
            if fault.times > 0 and fault.method in ("*", method) and fnmatch(path, fault.path):
                fault.times -= 1
                return fault
        return None


def refusal(status: int) -> ApiError:
    """The error that a fault with *status* answers."""
    return ApiError(status, 0, f"{status}: injected")
