"""Faults that a test sets from outside: requests that are refused, slow or lost, and answers that Discord never wrote.

Discord's own answers have the header ``Via``, those of Cloudflare before it have none. Discord does not document that;
discord.py and other libraries tell the two apart by it (``HTTPClient.request`` in discord.py).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from fnmatch import fnmatch
from http import HTTPStatus
from random import Random
from typing import Any, Final

from local_discord.components import INVALID_EMOJI, Component, components_with_paths
from local_discord.errors import MESSAGES, ApiError, invalid_form
from local_discord.forms import MOST, Form
from local_discord.limits import Limited, rate_limit_body, retry_after_header
from local_discord.snowflake import now_ms

SCOPES: Final = ("user", "shared", "global")
"""Whose limit it can be. https://discord.com/developers/docs/topics/rate-limits#header-format"""
SENDERS: Final = ("discord", "cloudflare")
BODIES: Final = {
    # Exactly this one: discord.py does not parse JSON otherwise.
    "json": "application/json",
    "html": "text/html; charset=UTF-8",
    "text": "text/plain; charset=UTF-8",
}
"""What a body can be, and its content type."""
LONGEST_MS: Final = 86_400_000
"""How long a request can be made to wait."""
FARTHEST_MS: Final = 3650 * 86_400_000
"""How far the header ``Date`` can be off."""
_TEXTS: Final = {403: "error code: 1020", 429: "error code: 1015"}
"""What Cloudflare writes as plain text: an address it blocks, and one it limits.
https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-1xxx-errors/"""


@dataclass
class Fault:
    """What happens to the next *times* requests that match *method* and *path*, such as an error, a delay or a lost
    response. *path* is a pattern such as ``/channels/*``."""

    method: str
    path: str
    times: int
    status: int | None = None
    code: int | None = None
    """With *status*: Discord's error code, which brings its usual message."""
    by: str | None = None
    """Who answers: ``discord`` or ``cloudflare``, which writes JSON only where it has a *code*. ``None``: Discord, but
    a 429 without *retry_after* comes from some proxy."""
    body: str = "json"
    """What the body of the answer is: see ``BODIES``."""
    cut: bool = False
    """The body ends in the middle."""
    delay_ms: int = 0
    late_ms: int = 0
    """The request has its effect at once, and its response comes so much later."""
    drop: bool = False
    """The request has its effect, but its response is lost."""
    retry_after: float | None = None
    """With status 429: send Discord's headers and body, with this many seconds; by Cloudflare the header alone."""
    everywhere: bool = False
    """With status 429: it is the global limit."""
    scope: str = "user"
    """With status 429: https://discord.com/developers/docs/topics/rate-limits#header-format"""
    date_ms: int = 0
    """The header ``Date`` of the answer is so far off."""
    age: int | None = None
    """Seconds in the header ``Age``: the answer is from some cache, and so old."""
    probability: float = 1.0
    """How often a request that matches is struck."""
    chance: Random = field(default_factory=Random)

    @property
    def is_answered_by_cloudflare(self) -> bool:
        """Whether the request never reaches Discord, because Cloudflare answers it."""
        return self.by == "cloudflare"

    def raise_if_rate_limit(self) -> None:
        """Raise Limited if the fault is Discord's own answer to too many requests (429 with ``retry_after``)."""
        if self.retry_after is None or self.is_answered_by_cloudflare:
            return
        body = rate_limit_body(self.retry_after, everywhere=self.everywhere)
        if self.code is not None:
            body |= {"message": MESSAGES.get(self.code, body["message"]), "code": self.code}
        everywhere = {"X-RateLimit-Global": "true"} if self.everywhere else {}
        raise Limited(body, {"X-RateLimit-Scope": self.scope, **everywhere, **retry_after_header(self.retry_after)})

    def raise_if_refusal(self) -> None:
        """Raise ApiError with the fault's status and code if the fault is a refusal (it has a status)."""
        if self.status is not None:
            phrase = HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else "Unknown"
            raise ApiError(self.status, self.code or 0, MESSAGES.get(self.code or 0, f"{self.status}: {phrase}"))

    def encode_response(self, answer: Any) -> tuple[bytes, str]:
        """Return (the body of the response, its content type): *answer* as JSON, or the HTML or text that the fault
        prescribes; perhaps cut."""
        status = self.status or 200
        match self.body:
            case "html":
                title = (
                    f"{status}: discord.com is protected by Cloudflare"
                    if self.is_answered_by_cloudflare
                    else f"{status}"
                )
                text = (
                    f"<!DOCTYPE html>\n<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>\n"
                )
            case "text" if self.is_answered_by_cloudflare:
                text = _TEXTS.get(status, f"error code: {status}")
            case "text":
                text = "upstream connect error or disconnect/reset before headers"
            case _:
                text = json.dumps(answer)
        return text[: len(text) // 2 if self.cut else None].encode(), BODIES[self.body]

    def headers(self, usual: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of the response: *usual*, changed as the fault prescribes."""
        from_proxy = self.by is None and self.status == 429 and self.retry_after is None
        found = {
            key: value
            for key, value in usual.items()
            if key != "Via" or not (self.is_answered_by_cloudflare or from_proxy)
        }
        if self.is_answered_by_cloudflare and self.retry_after is not None:
            found["Retry-After"] = f"{self.retry_after:.0f}"
        if self.date_ms:
            found["Date"] = formatdate((now_ms() + self.date_ms) / 1000, usegmt=True)
        if self.age is not None:
            found["Age"] = str(self.age)
        return found


class Faults:
    """The faults of requests that a test has set."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(self, body: Any) -> None:
        """Add the fault that *body* describes; or raise ApiError (50035). *body* is ``{"match": {"method", "path"},
        "times", ...}`` with some of

        - ``"status": 503``: the request is refused, and has no effect. With ``"code": 40004`` in Discord's error shape,
          otherwise with code 0
        - ``"by": "cloudflare"``: the answer is not Discord's: no ``Via``, and plain text for 429, HTML otherwise, or
          JSON with ``code`` (Cloudflare has 40333). ``"by": "discord"``: a 429 has ``Via`` even without ``retry_after``
        - ``"body": "html"|"text"|"json"``: what is answered with ``status``, whoever answers
        - ``"cut": true``: the body ends in the middle; without ``status`` the request has its effect
        - ``"retry_after"`` (seconds), and ``"global"`` or ``"scope"`` (what X-RateLimit-Scope says, such as "shared"):
          with status 429
        - ``"delay_ms"``, ``"late_ms"``, ``"drop"``: the request waits, its response comes late, or is lost
        - ``"date_ms": 3600000``: the response has a ``Date`` so far in the future (negative: the past). ``"age": 60``:
          it has the header ``Age``
        - ``"probability": 0.1``: it strikes one request in ten of those that match, by chance, *times* times in all;
          another ``"seed"`` strikes other ones

        Raises:
            ApiError: a field is unknown or cannot be, two do not fit together, or ``match`` is missing (50035).
        """
        form = Form(body)
        match = form.needed("match")
        unknown = set(body) - _FIELDS
        if unknown:
            raise invalid_form(min(unknown), "UNKNOWN_FIELD", "This kind of fault is not implemented.")
        _check_field_conflicts(form)
        everywhere = form.boolean("global") or False
        scope = form.choice("scope", SCOPES) if "scope" in body else "user"
        times = form.whole("times", 0, MOST, required="times" in body)
        probability = form.number("probability", 0, 1)
        self._faults.append(
            Fault(
                method=match.text("method") or "*",
                path=match.text("path") or "*",
                times=1 if times is None else times,
                status=form.whole("status", 400, 599),
                code=form.whole("code", 0, MOST),
                by=form.choice("by", SENDERS) if "by" in body else None,
                body=form.choice("body", tuple(BODIES)) if "body" in body else _default_body_kind(body),
                cut=form.boolean("cut") or False,
                delay_ms=form.whole("delay_ms", 0, LONGEST_MS) or 0,
                late_ms=form.whole("late_ms", 0, LONGEST_MS) or 0,
                drop=form.boolean("drop") or False,
                retry_after=form.number("retry_after", 0, LONGEST_MS / 1000),
                everywhere=everywhere,
                scope="global" if everywhere else scope,
                date_ms=form.whole("date_ms", -FARTHEST_MS, FARTHEST_MS) or 0,
                age=form.whole("age", 0, LONGEST_MS),
                probability=1.0 if probability is None else probability,
                chance=Random(form.whole("seed", 0, MOST) or 0),
            )
        )

    def clear(self) -> None:
        """Remove all faults."""
        self._faults.clear()

    def take_fault(self, method: str, path: str) -> Fault | None:
        """Return the fault that strikes the request *method* to *path* this time, and count it as used once; ``None``
        if none does."""
        for fault in self._faults:
            matches = fault.times > 0 and fault.method in ("*", method) and fnmatch(path, fault.path)
            if matches and fault.chance.random() < fault.probability:
                fault.times -= 1
                return fault
        return None


_FIELDS: Final = {
    "match", "status", "code", "by", "body", "cut", "delay_ms", "late_ms", "drop", "times", "retry_after", "global",
    "scope", "date_ms", "age", "probability", "seed",
}  # fmt: skip


def _default_body_kind(body: dict[str, Any]) -> str:
    """Return the kind of response body for the fault *body* if it names none: "json", "text" or "html"."""
    if body.get("by") != "cloudflare" or "code" in body:
        return "json"
    return "text" if body.get("status") == 429 else "html"


def _check_field_conflicts(form: Form) -> None:
    """Raise ApiError (50035) if fields of the fault in *form* contradict each other."""
    status, other = form.value("status"), form.value("body") in ("html", "text")
    for key, wrong, why in (
        ("code", status is None, "A code needs a status."),
        ("code", other, "Only JSON has a code."),
        ("by", status is None, "Only a refusal is answered by somebody: it needs a status."),
        ("body", other and status is None, "Only a refusal has another body: it needs a status."),
        ("retry_after", status not in (None, 429), "Only a 429 has it."),
        ("seed", form.value("probability") is None, "A seed needs a probability."),
    ):
        if form.value(key) is not None and wrong:
            raise form.error_for(key, "BASE_TYPE_CHOICES", why)


class EmojiRefusals:
    """Refuses some messages with emojis of the application at random, as Discord does. It refuses nothing until
    ``set``.

    https://github.com/discord/discord-api-docs/issues/7128: of 100 identical requests 2 to 4 were refused.
    """

    def __init__(self) -> None:
        self._percent = 0.0
        self._rng = Random()

    def set(self, body: Any) -> None:
        """Refuse a share of the messages with emojis from now on: ``{"refuse_percent": 4, "seed": 7}`` refuses 4 in
        100; or raise ApiError (50035).

        The same seed refuses the same ones of a sequence of requests.

        Raises:
            ApiError: a field is unknown or makes no sense (50035).
        """
        percent = body.get("refuse_percent") if isinstance(body, dict) else None
        if isinstance(percent, bool) or not isinstance(percent, int | float) or not 0 <= percent <= 100:
            raise invalid_form("emojis.refuse_percent", "NUMBER_TYPE_COERCE", "Value is not a number from 0 to 100.")
        if not set(body) <= {"refuse_percent", "seed"}:
            raise invalid_form("emojis", "UNKNOWN_FIELD", "refuse_percent, and seed if you like")
        self._percent = percent
        self._rng = Random(json.dumps(body.get("seed")))

    def clear(self) -> None:
        """Refuse nothing any more."""
        self._percent = 0.0

    def check(self, components: list[Component]) -> None:
        """Raise ApiError (50035) if chance refuses the custom emojis of the buttons and options in *components*, those
        of a whole message."""
        first = next(_emoji_paths(components), None)
        if first is not None and self._percent and self._rng.random() * 100 < self._percent:
            raise invalid_form(f"{first}.emoji.id", *INVALID_EMOJI)


def _emoji_paths(components: list[Component]) -> Iterator[str]:
    """Yield the path of every button or option in *components*, and inside them, that has a custom emoji."""
    for path, component in components_with_paths(components, "components"):
        options = enumerate(component.get("options", []))
        for place, item in ((path, component), *((f"{path}.options.{index}", option) for index, option in options)):
            if "id" in item.get("emoji", {}):
                yield place
