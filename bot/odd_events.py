"""What arrives at the gateway: what discord.py cannot read, which would end the process; and what must be looked at
before discord.py does."""

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


def bring_interactions_to(client: discord.Client, come: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> None:
    """Have what *come* makes of discord.py's own parser called with every interaction, instead of that."""
    parsers = client._connection.parsers
    parsers["INTERACTION_CREATE"] = come(parsers["INTERACTION_CREATE"])


def note_servers(client: discord.Client, named: dict[int, set[int]], shard_of: Callable[[int], int]) -> None:
    """Note in *named* which servers each shard's READY has named, and those of which it was told since: discord.py
    itself forgets none that has removed us meanwhile. ``shard_of`` says of which shard a server is.

    https://discord.com/developers/docs/events/gateway-events#ready
    """
    parsers = client._connection.parsers
    ready, created = parsers["READY"], parsers["GUILD_CREATE"]

    def begun(data: Any) -> Any:
        named[data["shard"][0]] = {int(guild["id"]) for guild in data["guilds"]}
        return ready(data)

    def told(data: Any) -> Any:
        named.setdefault(shard_of(int(data["id"])), set()).add(int(data["id"]))
        return created(data)

    parsers["READY"], parsers["GUILD_CREATE"] = begun, told
