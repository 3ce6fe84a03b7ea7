"""Events that discord.py cannot read: without a boundary one of them would end the process."""

import logging
from collections.abc import Callable
from typing import Any

import discord

from bot.log import fields

log = logging.getLogger(__name__)


def guard_against_odd_events(client: discord.Client) -> None:
    """Have events that discord.py cannot read logged and left out; otherwise one of them would end the process."""
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
        parsers[event] = guarded(event, parse)
