"""The application's own emojis, and the refusals of controls that carry one.

https://discord.com/developers/docs/resources/emoji#application-owned
"""

import base64
import binascii
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from local_discord import errors, serialize
from local_discord.model import Emoji, User
from local_discord.snowflake import Snowflakes

MOST: Final = 2_000
MOST_BYTES: Final = 256 * 1024
_NAME: Final = re.compile(r"\w{2,32}", re.ASCII)
_IMAGE: Final = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.*)", re.DOTALL)


class Emojis:
    """The emojis of the one application, in the order they were made."""

    def __init__(self, snowflakes: Snowflakes, maker: User) -> None:
        """*maker* is the bot, as whose work they are shown."""
        self._snowflakes = snowflakes
        self._maker = maker
        self._emojis: dict[int, Emoji] = {}
        self._refuse_percent = 0.0
        self._rng = Random()

    def all(self) -> list[dict[str, Any]]:
        """Every emoji as an API object."""
        return [self.item(emoji) for emoji in self._emojis.values()]

    def item(self, emoji: Emoji) -> dict[str, Any]:
        """*emoji* as an API object."""
        return serialize.emoji(emoji, self._maker)

    def one(self, emoji: int) -> Emoji:
        """The emoji with that id.

        Raises:
            ApiError: there is none (10014).
        """
        if emoji not in self._emojis:
            raise errors.unknown_emoji()
        return self._emojis[emoji]

    def make(self, body: dict[str, Any]) -> Emoji:
        """A new emoji. *body* has its ``name``, and its ``image`` as a data URI.

        Raises:
            ApiError: the name or the image is not valid (50035), or there are too many emojis (30008).
        """
        name = self._free_name(body.get("name"))
        image = _IMAGE.fullmatch(str(body.get("image")))
        try:
            data = base64.b64decode(image[2], validate=True) if image else b""
        except binascii.Error:
            data = b""
        if image is None or not data:
            raise errors.invalid_form("image", "IMAGE_INVALID", "Invalid image data")
        if len(data) > MOST_BYTES:
            raise errors.invalid_form("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
        if len(self._emojis) >= MOST:
            raise errors.too_many_emojis()
        emoji = Emoji(self._snowflakes.next(), name, image[1], data)
        self._emojis[emoji.id] = emoji
        return emoji

    def rename(self, emoji: Emoji, body: dict[str, Any]) -> Emoji:
        """Give *emoji* the name in *body*.

        Raises:
            ApiError: the name is not valid or is taken (50035).
        """
        emoji.name = self._free_name(body.get("name"))
        return emoji

    def remove(self, emoji: Emoji) -> None:
        """Delete *emoji*."""
        del self._emojis[emoji.id]

    # Refusals

    def set_refusals(self, body: Any) -> None:
        """From now on refuse some controls with an emoji of the application although nothing is wrong with them.

        *body*: ``{"refuse_percent": 4, "seed": 7}``; of so many in 100 messages with such controls. The same seed
        refuses the same ones. https://github.com/discord/discord-api-docs/issues/7128

        Raises:
            ApiError: a field is unknown or makes no sense (50035).
        """
        percent = body.get("refuse_percent") if isinstance(body, dict) else None
        if isinstance(percent, bool) or not isinstance(percent, int | float) or not 0 <= percent <= 100:
            raise errors.invalid_form("emojis.refuse_percent", "NUMBER_TYPE_COERCE", "Value is not a number to 100.")
        if not set(body) <= {"refuse_percent", "seed"}:
            raise errors.invalid_form("emojis", "UNKNOWN_FIELD", "refuse_percent, and seed if you like")
        self._refuse_percent = percent
        self._rng = Random(str(body.get("seed")))

    def check_controls(self, components: list[dict[str, Any]]) -> None:
        """Check the emojis of the buttons and options in *components*, those of a whole message.

        Raises:
            ApiError: one is no emoji of the application, or chance refuses one (50035).
        """
        carried = list(_carried(components, "components"))
        for path, emoji in carried:
            if not str(emoji).isdigit() or int(emoji) not in self._emojis:
                raise _refused(path)
        if carried and self._refuse_percent and self._rng.random() * 100 < self._refuse_percent:
            raise _refused(carried[0][0])

    def _free_name(self, name: Any) -> str:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise errors.invalid_form("name", "STRING_TYPE_REGEX", "Must be 2 to 32 letters, digits or underscores.")
        if any(emoji.name == name for emoji in self._emojis.values()):
            raise errors.invalid_form("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This name is taken.")
        return name


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


def _refused(path: str) -> errors.ApiError:
    # The code says BUTTON for options too: https://github.com/discord/discord-api-docs/issues/8071
    return errors.invalid_form(path, "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
