"""The application's own emojis: the bot lists, makes, renames and removes them.

https://discord.com/developers/docs/resources/emoji#application-owned
"""

import base64
import re
from typing import Any, Final

from local_discord import errors, serialize
from local_discord.images import read_picture
from local_discord.initial import APPLICATION
from local_discord.model import Emoji
from local_discord.routes.call import NOTHING, Call, Route

MOST: Final = 2_000
MOST_BYTES: Final = 256 * 1024
_NAME: Final = re.compile(r"\w{2,32}", re.ASCII)
_URI: Final = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp|avif);base64,(.*)", re.DOTALL)
"""What the bytes say counts, not this."""


async def _list_emojis(call: Call) -> Any:
    """Answer with all emojis of the application, to the bot alone; or raise ApiError (50001)."""
    _check_bot_is_sender(call)
    return {"items": [serialize.emoji(emoji, call.world.bot) for emoji in call.world.emojis.values()]}


async def _create_emoji(call: Call) -> Any:
    """Add the emoji in the body (``name``, and ``image`` as a data URI), for the bot alone, and answer with it; or
    raise ApiError."""
    _check_bot_is_sender(call)
    form, emojis = call.form, call.world.emojis
    name = _parse_free_emoji_name(call)
    data = _image_bytes(form.text("image", required=True) or "")
    picture = read_picture(data)
    if picture is None:
        raise form.error_for("image", "IMAGE_INVALID", "Invalid image data")
    if len(data) > MOST_BYTES:
        raise form.error_for("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    if len(emojis) >= MOST:
        raise errors.too_many_emojis()
    emoji = Emoji(call.world.snowflakes.next(), name, picture.content_type, data)
    emojis[emoji.id] = emoji
    return serialize.emoji(emoji, call.world.bot)


async def _get_emoji(call: Call) -> Any:
    """Answer with the emoji in the path, to the bot alone; or raise ApiError."""
    return serialize.emoji(_emoji_in_path(call), call.world.bot)


async def _rename_emoji(call: Call) -> Any:
    """Give the emoji in the path the name in the body, for the bot alone, and answer with it; or raise ApiError."""
    emoji = _emoji_in_path(call)
    emoji.name = _parse_free_emoji_name(call)
    return serialize.emoji(emoji, call.world.bot)


async def _delete_emoji(call: Call) -> Any:
    """Delete the emoji in the path, for the bot alone, and answer with 204; or raise ApiError."""
    del call.world.emojis[_emoji_in_path(call).id]
    return NOTHING


def _emoji_in_path(call: Call) -> Emoji:
    """Return the emoji in the path, for the bot alone; or raise ApiError: another one asks (50001), or there is none
    (10014)."""
    _check_bot_is_sender(call)
    emoji = call.world.emojis.get(call.path_id("emoji"))
    if emoji is None:
        raise errors.unknown_emoji()
    return emoji


def _check_bot_is_sender(call: Call) -> None:
    """Raise ApiError (50001) unless the sender is the bot, and the application in the path its own; 401 without a
    token."""
    if not call.sender().bot or call.path_id("application") != APPLICATION:
        raise errors.missing_access()


def _parse_free_emoji_name(call: Call) -> str:
    """Return the emoji name in the body; or raise ApiError (50035) if it is invalid or taken."""
    form = call.form
    name = form.text("name", required=True) or ""
    if not _NAME.fullmatch(name):
        raise form.error_for("name", "STRING_TYPE_REGEX", "Must be 2 to 32 letters, digits or underscores.")
    if any(emoji.name == name for emoji in call.world.emojis.values()):
        raise form.error_for("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This name is taken.")
    return name


def _image_bytes(uri: str) -> bytes:
    """Decode the image in the data URI *uri*; empty if it is no such URI.

    https://discord.com/developers/docs/reference#image-data
    """
    found = _URI.fullmatch(uri)
    try:
        return base64.b64decode(found[1], validate=True) if found else b""
    except ValueError:
        return b""


_EMOJIS: Final = "/applications/{application}/emojis"
ROUTES: Final = (
    Route("GET", _EMOJIS, _list_emojis),
    Route("POST", _EMOJIS, _create_emoji, success=201),
    Route("GET", f"{_EMOJIS}/{{emoji}}", _get_emoji),
    Route("PATCH", f"{_EMOJIS}/{{emoji}}", _rename_emoji),
    Route("DELETE", f"{_EMOJIS}/{{emoji}}", _delete_emoji),
)
