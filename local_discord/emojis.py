"""The application's own emojis. https://discord.com/developers/docs/resources/emoji#application-owned"""

import base64
import binascii
import re
from typing import Any, Final

from local_discord import errors, serialize
from local_discord.model import Emoji
from local_discord.world import World

MOST: Final = 2_000
MOST_BYTES: Final = 256 * 1024
_NAME: Final = re.compile(r"\w{2,32}", re.ASCII)
_IMAGE: Final = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.*)", re.DOTALL)


class Emojis:
    """The emojis of the one application, in the order they were made."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._emojis = world.emojis

    def all(self) -> list[dict[str, Any]]:
        """Every emoji as an API object."""
        return [self.item(emoji) for emoji in self._emojis.values()]

    def item(self, emoji: Emoji) -> dict[str, Any]:
        """*emoji* as an API object."""
        return serialize.emoji(emoji, self._world.bot)

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
        emoji = Emoji(self._world.snowflakes.next(), name, image[1], data)
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

    def _free_name(self, name: Any) -> str:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise errors.invalid_form("name", "STRING_TYPE_REGEX", "Must be 2 to 32 letters, digits or underscores.")
        if any(emoji.name == name for emoji in self._emojis.values()):
            raise errors.invalid_form("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This name is taken.")
        return name
