"""The list of the bot's REST requests, for tests and measurements."""

from collections import deque
from typing import Any, Final

from local_discord.snowflake import now_ms

KEPT: Final = 50_000


class RequestList:
    """The bot's requests in order, numbered from 1. Only the newest are kept."""

    def __init__(self) -> None:
        self._entries: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._count = 0

    @property
    def count(self) -> int:
        """How many there have been, which is the number of the newest."""
        return self._count

    def add(self, method: str, path: str, authorization: str, status: int, body: Any) -> None:
        """Note a request if it is the bot's: it has the bot's token, or an interaction's token in its *path*.

        *body* is its JSON; ``None`` if it could not be read.
        """
        by_interaction = path.startswith(("/webhooks/", "/interactions/"))
        if not authorization.startswith("Bot ") and not by_interaction:
            return
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
            }
        )

    def after(self, number: int) -> list[dict[str, Any]]:
        """Every request with a number above *number*: number, time (ms), method, path, auth, status, body."""
        return [entry for entry in self._entries if entry["number"] > number]
