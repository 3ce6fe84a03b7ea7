"""The drawings of every game as emojis of the application: uploaded once, found again by their hash, removed when
they are obsolete.

https://discord.com/developers/docs/resources/emoji#application-owned
"""

import asyncio
import hashlib
import logging
import re
from functools import cache
from typing import Final, NamedTuple

import aiohttp
import discord

from bot.delivery.throttle import Throttle
from bot.log import fields
from bot.pictures.canvas import png
from bot.present.registry import PRESENTERS
from bot.present.symbols import Emoji

log = logging.getLogger(__name__)

_MARK: Final = "__"
"""Between a drawing's key and its hash."""
_OURS: Final = re.compile(r"\w+__[0-9a-f]{4}")
"""An emoji named like this, after one of our drawings, goes when that looks different now."""

Failed: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)


@cache
def drawn() -> dict[str, bytes]:
    """Every drawing as a PNG file, by the name of its emoji."""
    files: dict[str, bytes] = {}
    for presenter in PRESENTERS.values():
        for key, draw in presenter.drawings.items():
            file = png(draw())
            files[f"{key}{_MARK}{hashlib.blake2b(file, digest_size=2).hexdigest()}"] = file
    return files


def key_of(name: str) -> str:
    """The key of the drawing that the emoji *name* shows."""
    return name.partition(_MARK)[0]


async def known(client: discord.Client) -> dict[str, Emoji]:
    """The emojis that are there already, by key; none when Discord does not say."""
    files = await asyncio.to_thread(drawn)
    try:
        there = await client.fetch_application_emojis()
    except Failed as fault:
        log.warning("emojis unknown: cards are shown as text", extra=fields(fault=type(fault).__name__))
        return {}
    return {key_of(emoji.name): Emoji(emoji.name, emoji.id) for emoji in there if emoji.name in files}


class Published(NamedTuple):
    """What there is after an upload."""

    emojis: dict[str, Emoji]
    """By key."""
    complete: bool
    """Whether every drawing is there; what is not stays text, or as it was."""


async def publish(client: discord.Client, throttle: Throttle) -> Published | None:
    """Upload what is missing, remove what is obsolete; ``None`` when Discord does not say what there is. Each request
    waits its turn: after a restart thousands of messages want to be edited too."""
    files = await asyncio.to_thread(drawn)
    try:
        there = await client.fetch_application_emojis()
    except Failed as fault:
        log.warning("emojis unknown: nothing is uploaded", extra=fields(fault=type(fault).__name__))
        return None
    found: dict[str, Emoji] = {}
    keys = {key_of(name) for name in files}
    for emoji in there:
        if emoji.name in files and key_of(emoji.name) not in found:
            found[key_of(emoji.name)] = Emoji(emoji.name, emoji.id)
        elif _OURS.fullmatch(emoji.name) and key_of(emoji.name) in keys:
            await throttle.turn()
            await _remove(emoji)
    for name, file in files.items():
        if key_of(name) not in found:
            await throttle.turn()
            try:
                made = await client.create_application_emoji(name=name, image=file)
            except Failed as fault:
                log.warning("emoji not taken: cards are shown as text", extra=fields(emoji=name, fault=fault))
                return Published(found, complete=False)
            found[key_of(name)] = Emoji(made.name, made.id)
    return Published(found, complete=True)


async def _remove(emoji: discord.Emoji) -> None:
    try:
        await emoji.delete()
    except Failed as fault:
        log.info("obsolete emoji stays", extra=fields(emoji=emoji.name, fault=type(fault).__name__))
