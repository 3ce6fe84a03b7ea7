"""Faults that a test sets from outside: requests that are refused, slow or lost."""

import time
from dataclasses import dataclass, field
from email.utils import formatdate
from fnmatch import fnmatch
from random import Random
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
    code: int = 0
    """With a status: Discord's error code."""
    cloudflare: bool = False
    """With a status: not Discord answers, but Cloudflare, which stands before it: plain text, or a page."""
    cut: bool = False
    """The request has its effect, but its answer breaks off in the middle of the JSON."""
    date_ms: int = 0
    """The header ``Date`` is wrong by so much."""
    age: int | None = None
    """The header ``Age``, in seconds: the answer comes from some cache."""
    probability: float = 1.0
    """How likely it strikes a request that matches."""
    chance: Random = field(default_factory=Random)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that it adds to the answer."""
        found = {} if self.age is None else {"Age": str(self.age)}
        if self.date_ms:
            found["Date"] = formatdate(time.time() + self.date_ms / 1000, usegmt=True)
        return found

    @property
    def page(self) -> tuple[str, str]:
        """What Cloudflare answers: the content type, and the text.

        https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
        """
        if self.status == 429:
            return "text/plain; charset=UTF-8", "error code: 1015"
        return "text/html; charset=UTF-8", f"<html><title>{self.status}</title><center>cloudflare</center></html>"


class Faults:
    """The faults that are set."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def set(self, body: Any) -> None:
        """Add the fault in *body*: ``{"match": {"method", "path"}, "status"|"delay_ms"|"late_ms"|"drop"|"cut"|"date_ms"
        |"age", "times"}``. It strikes the next *times* requests that match, or each with a ``"probability"``, drawn
        from a ``"seed"``.

        With a status it may have ``"code"``, Discord's error code, or ``"by": "cloudflare"``: then the answer is not
        Discord's. With status 429 it may also have ``"retry_after"`` (seconds), and ``"global"`` or ``"scope"``: what
        the header X-RateLimit-Scope says, such as "shared".

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
            "code",
            "by",
            "cut",
            "date_ms",
            "age",
            "probability",
            "seed",
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
                code=form.whole("code", 0, MOST) or 0,
                cloudflare="by" in body and form.choice("by", ("cloudflare",)) == "cloudflare",
                cut=form.boolean("cut") or False,
                date_ms=form.whole("date_ms", -MOST, MOST) or 0,
                age=form.whole("age", 0, MOST),
                probability=1.0 if "probability" not in body else form.number("probability", 0, 1) or 0.0,
                chance=Random(form.whole("seed", 0, MOST) or 0),
            )
        )

    def clear(self) -> None:
        """Remove all faults."""
        self._faults.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """The fault for this request, ``None`` if there is none. It counts as one of the fault's *times*."""
        for fault in self._faults:
            if fault.times > 0 and fault.method in ("*", method) and fnmatch(path, fault.path):
                if fault.probability < 1 and fault.chance.random() >= fault.probability:
                    continue
                fault.times -= 1
                return fault
        return None


def refusal(status: int, code: int = 0) -> ApiError:
    """The error that a fault with *status* and Discord's *code* answers."""
    return ApiError(status, code, f"{status}: injected")
