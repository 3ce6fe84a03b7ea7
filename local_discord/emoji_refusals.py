"""Controls with an emoji of the application are refused now and then, although nothing is wrong.

https://github.com/discord/discord-api-docs/issues/7128: of 100 identical requests 2 to 4 were refused.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from local_discord.components import INVALID_EMOJI, Component, placed
from local_discord.errors import invalid_form


class EmojiRefusals:
    """Chance refuses nothing until ``set``."""

    def __init__(self) -> None:
        self._percent = 0.0
        self._rng = Random()

    def set(self, body: Any) -> None:
        """From now on refuse some messages with such controls: ``{"refuse_percent": 4, "seed": 7}``, 4 in 100.

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
        """Leave nothing to chance again."""
        self._percent = 0.0

    def check(self, components: list[Component]) -> None:
        """Let chance decide on the emojis of the buttons and options in *components*, those of a whole message.

        Raises:
            ApiError: one is refused (50035).
        """
        first = next(_carriers(components), None)
        if first is not None and self._percent and self._rng.random() * 100 < self._percent:
            raise invalid_form(f"{first}.emoji.id", *INVALID_EMOJI)


def _carriers(components: list[Component]) -> Iterator[str]:
    """The path of every control in *components* that carries an emoji with an id."""
    for path, component in placed(components, "components"):
        options = enumerate(component.get("options", []))
        for place, item in ((path, component), *((f"{path}.options.{index}", option) for index, option in options)):
            if "id" in item.get("emoji", {}):
                yield place
