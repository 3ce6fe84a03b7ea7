"""Faults that a test switches on from outside: refused, slow and lost requests."""

from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from local_discord.errors import ApiError, invalid_form


@dataclass
class Fault:
    """What happens to the next *times* requests that match; *path* is a pattern such as ``/channels/*``."""

    method: str
    path: str
    times: int
    status: int | None = None
    delay_ms: int = 0
    drop: bool = False
    """Serve the request, then lose the response."""
    retry_after: float | None = None
    """With status 429: Discord's headers and body, this many seconds; without it a bare 429, as a proxy sends."""
    everywhere: bool = False
    """With status 429: the global limit."""


class Faults:
    """The faults that are set."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def set(self, body: Any) -> None:
        """Add the fault that *body* describes: ``{"match": {"method", "path"}, "status"|"delay_ms"|"drop", "times"}``;
        with status 429 also ``"retry_after"`` (seconds) and ``"global"``.

        Raises:
            ApiError: it describes none.
        """
        if not isinstance(body, dict) or not isinstance(body.get("match"), dict):
            raise invalid_form("match", "BASE_TYPE_REQUIRED", "This field is required")
        unknown = set(body) - {"match", "status", "delay_ms", "drop", "times", "retry_after", "global"}
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
            )
        )

    def clear(self) -> None:
        """No faults any more."""
        self._faults.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """The fault that strikes this request, used up once."""
        for fault in self._faults:
            if fault.times > 0 and fault.method in ("*", method) and fnmatch(path, fault.path):
                fault.times -= 1
                return fault
        return None


def refusal(status: int) -> ApiError:
    """What Discord says with *status*."""
    return ApiError(status, 0, f"{status}: injected")
