"""Faults that a test sets from outside: requests that are refused, slow or lost."""

from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from local_discord.errors import ApiError, invalid_form


@dataclass
class Fault:
    """What happens to the next *times* requests that match. *path* is a pattern such as ``/channels/*``."""

    method: str
    path: str
    times: int
    status: int | None = None
    delay_ms: int = 0
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
        """Add the fault in *body*: ``{"match": {"method", "path"}, "status"|"delay_ms"|"drop", "times"}``.

        With status 429 it may also have ``"retry_after"`` (seconds), and ``"global"`` or ``"scope"``: what the header
        X-RateLimit-Scope says, such as "shared".

        Raises:
            ApiError: a field is unknown, or ``match`` is missing (50035).
        """
        if not isinstance(body, dict) or not isinstance(body.get("match"), dict):
            raise invalid_form("match", "BASE_TYPE_REQUIRED", "This field is required")
        unknown = set(body) - {"match", "status", "delay_ms", "drop", "times", "retry_after", "global", "scope"}
        if unknown:
            raise invalid_form(min(unknown), "UNKNOWN_FIELD", "This kind of fault is not implemented.")
        match = body["match"]
        self._faults.append(
            Fault(
                method=str(match.get("method", "*")),
                path=str(match.get("path", "*")),
                times=int(body.get("times", 1)),
                status=body.get("status"),
                delay_ms=int(body.get("delay_ms", 0)),
                drop=bool(body.get("drop", False)),
                retry_after=body.get("retry_after"),
                everywhere=bool(body.get("global", False)),
                scope="global" if body.get("global") else str(body.get("scope", "user")),
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
