"""The application's own emojis. https://discord.com/developers/docs/resources/emoji#application-owned"""

import base64
import re
from typing import Any, Final

from local_discord import errors, serialize
from local_discord.forms import Form
from local_discord.images import look
from local_discord.model import Emoji
from local_discord.world import World

MOST: Final = 2_000
MOST_BYTES: Final = 256 * 1024
_NAME: Final = re.compile(r"\w{2,32}", re.ASCII)
_URI: Final = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp|avif);base64,(.*)", re.DOTALL)
"""What the bytes say counts, not this."""


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

    def make(self, form: Form) -> Emoji:
        """A new emoji. *form* has its ``name``, and its ``image`` as a data URI.

        Raises:
            ApiError: the name or the image is not valid (50035), or there are too many emojis (30008).
        """
        name = self._free_name(form)
        data = _image(form.text("image", required=True) or "")
        picture = look(data)
        if picture is None:
            raise form.refused("image", "IMAGE_INVALID", "Invalid image data")
        if len(data) > MOST_BYTES:
            raise form.refused("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
        if len(self._emojis) >= MOST:
            raise errors.too_many_emojis()
        emoji = Emoji(self._world.snowflakes.next(), name, picture.content_type, data)
        self._emojis[emoji.id] = emoji
        return emoji

    def rename(self, emoji: Emoji, form: Form) -> Emoji:
        """Give *emoji* the name in *form*.

        Raises:
            ApiError: the name is not valid or is taken (50035).
        """
        emoji.name = self._free_name(form)
        return emoji

    def remove(self, emoji: Emoji) -> None:
        """Delete *emoji*."""
        del self._emojis[emoji.id]

    def _free_name(self, form: Form) -> str:
        name = form.text("name", required=True) or ""
        if not _NAME.fullmatch(name):
            raise form.refused("name", "STRING_TYPE_REGEX", "Must be 2 to 32 letters, digits or underscores.")
        if any(emoji.name == name for emoji in self._emojis.values()):
            raise form.refused("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This name is taken.")
        return name


def _image(uri: str) -> bytes:
    """The bytes in a data URI of an image; none if it is no such URI.

    https://discord.com/developers/docs/reference#image-data
    """
    found = _URI.fullmatch(uri)
    try:
        return base64.b64decode(found[1], validate=True) if found else b""
    except ValueError:
        return b""
