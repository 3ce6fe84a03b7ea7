"""What arrives at the gateway and must not be served as it is: what discord.py cannot read, which would end the
process, and interactions that arrive twice, which would count twice."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import discord
import discord.shard
from discord.backoff import ExponentialBackoff
from discord.errors import ConnectionClosed
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure

from bot.log import fields

log = logging.getLogger(__name__)

NEEDED: Final = frozenset({"READY", "RESUMED"})
"""Events without which a session is none, so they cannot be left out."""
LONGEST_PAUSE_SECONDS: Final = 30.0
"""How long it takes at most until the session is begun anew."""
REMEMBERED: Final = 4096
"""So many interactions are remembered: more than come in the 15 minutes for which Discord can send one again."""
_backoff: Final[Callable[[], float]] = ExponentialBackoff().delay


class _Socket(DiscordWebSocket):
    """A connection to the gateway that survives frames which discord.py cannot read."""

    async def received_message(self, msg: Any, /) -> None:
        """Serve the frame *msg*. If it cannot be read, nobody knows what it was: a new session is begun, a moment later
        each time."""
        try:
            await super().received_message(msg)
        except (ReconnectWebSocket, WebSocketClosure, ConnectionClosed, OSError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - the boundary of what Discord sends; frames may hold tokens
            pause = min(_backoff(), LONGEST_PAUSE_SECONDS)
            log.error(
                "frame not understood: a new session begins",
                extra=fields(shard=self.shard_id, error=type(error).__name__, pause_ms=round(pause * 1000)),
            )
            await self.close(code=1000)
            self._dispatch("shard_disconnect", self.shard_id)
            await asyncio.sleep(pause)
            raise ReconnectWebSocket(self.shard_id, resume=False) from None


def guard_against_odd_events(client: discord.Client) -> None:
    """Have events that discord.py cannot read logged and left out, and begin a new session after a frame that it cannot
    read; otherwise one of them would end the process."""
    discord.shard.DiscordWebSocket = _Socket  # type: ignore[misc] # the name by which shards make their connections
    parsers = client._connection.parsers

    def guarded(event: str, parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def attempt(data: Any) -> Any:
            try:
                return parse(data)
            except Exception:  # the boundary of what Discord sends; the data may hold tokens, so it is not logged
                log.exception("event not understood", extra=fields(event=event))
                return None

        return attempt

    for event, parse in list(parsers.items()):
        if event not in NEEDED:
            parsers[event] = guarded(event, parse)


def serve_interactions_once(client: discord.Client, heard: Callable[[int], object]) -> None:
    """Leave out every interaction that has arrived before: Discord may send events again after RESUME. ``heard`` is
    called with the server of each (0: direct messages).

    https://discord.com/developers/docs/events/gateway#resuming
    """
    parsers = client._connection.parsers
    parse, seen = parsers["INTERACTION_CREATE"], dict[str, None]()

    def attempt(data: Any) -> Any:
        heard(int(data.get("guild_id") or 0))
        if data["id"] in seen:
            log.info("an interaction came again", extra=fields(interaction=data["id"]))
            return None
        seen[data["id"]] = None
        if len(seen) > REMEMBERED:
            del seen[next(iter(seen))]
        return parse(data)

    parsers["INTERACTION_CREATE"] = attempt
