"""Controls with an emoji of the application are refused when it is unknown, and now and then when nothing is wrong.

https://github.com/discord/discord-api-docs/issues/7128: of 100 identical requests 2 to 4 were refused.
"""

from collections.abc import Container, Iterator
from random import Random
from typing import Any

from local_discord.errors import ApiError, invalid_form


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
        self._rng = Random(str(body.get("seed")))

    def clear(self) -> None:
        """Leave nothing to chance again."""
        self._percent = 0.0

    def check(self, components: list[dict[str, Any]], known: Container[int]) -> None:
        """Check the emojis of the buttons and options in *components*, those of a whole message.

        Raises:
            ApiError: one is not among the *known* ids, or chance refuses one (50035).
        """
        carried = list(_carried(components, "components"))
        for path, emoji in carried:
            if not str(emoji).isdigit() or int(emoji) not in known:
                raise _refused(path)
        if carried and self._percent and self._rng.random() * 100 < self._percent:
            raise _refused(carried[0][0])


def _carried(items: list[dict[str, Any]], path: str) -> Iterator[tuple[str, Any]]:
    """(path, emoji's id) of every control in *items*, which stand at *path*, that carries an emoji with an id."""
    for index, item in enumerate(items):
        yield from _of_one(item, f"{path}.{index}")


def _of_one(item: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    emoji = item.get("emoji")
    if isinstance(emoji, dict) and emoji.get("id") is not None:
        yield f"{path}.emoji.id", emoji["id"]
    for inside in ("components", "options"):
        yield from _carried(item.get(inside) or [], f"{path}.{inside}")
    if item.get("accessory"):
        yield from _of_one(item["accessory"], f"{path}.accessory")


def _refused(path: str) -> ApiError:
    # The code says BUTTON for options too: https://github.com/discord/discord-api-docs/issues/8071
    return invalid_form(path, "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
