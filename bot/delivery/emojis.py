"""The drawings of every game as emojis of the application: uploaded once, found again by their hash, deleted when they
are obsolete.

https://discord.com/developers/docs/resources/emoji#application-owned
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

import discord

from bot.delivery.courier import Courier
from bot.delivery.faults import Fault
from bot.log import fields
from bot.pictures.canvas import png
from bot.pictures.symbols import Emoji
from bot.present.registry import PRESENTERS

log = logging.getLogger(__name__)

_MARK: Final = "__"
"""Between a drawing's name and its hash."""
_OURS: Final = re.compile(r"\w+__[0-9a-f]{4}")
"""An emoji with such a name, made of one of our drawings, is deleted when that drawing looks different now."""

Failed: Final = (Fault, discord.HTTPException, OSError)


class Drawn(NamedTuple):
    """A drawing as an emoji."""

    name: str
    """The drawing's own name and a hash of what it looks like: short, since thirty must fit into a message. If two
    games use one name for different drawings, the hash differs; equal drawings of equal name share an emoji."""
    file: bytes
    """PNG."""


@cache
def drawn() -> Mapping[str, Drawn]:
    """Every drawing of every game, as a PNG file with the name of its emoji, by the key of its symbol.

    They are drawn only once, but that is slow: call this in a thread.
    """
    found: dict[str, Drawn] = {}
    for presenter in PRESENTERS.values():
        for key, draw in presenter.drawings.items():
            file = png(draw())
            digest = hashlib.blake2b(file, digest_size=2).hexdigest()
            found[key] = Drawn(f"{key.partition('/')[2]}{_MARK}{digest}", file)
    return found


def _is_obsolete(emoji: Emoji, drawings: Mapping[str, Drawn]) -> bool:
    """Whether *emoji* shows an earlier version of one of *drawings*."""
    names = {drawing.name for drawing in drawings.values()}
    ours = {name.partition(_MARK)[0] for name in names}
    known = bool(_OURS.fullmatch(emoji.name)) and emoji.name.partition(_MARK)[0] in ours
    return known and emoji.name not in names


def _by_key(emojis: Mapping[str, Emoji], drawings: Mapping[str, Drawn]) -> dict[str, Emoji]:
    """Those of *emojis* (by name) that show one of *drawings*, by the key of its symbol."""
    return {key: emojis[drawing.name] for key, drawing in drawings.items() if drawing.name in emojis}


async def known(courier: Courier) -> dict[str, Emoji]:
    """The emojis that Discord has already, by the key of their symbols; none if Discord does not answer."""
    drawings = await asyncio.to_thread(drawn)
    try:
        there = await courier.emojis()
    except Failed as fault:
        log.warning("emojis unknown: cards are shown as text", extra=fields(fault=type(fault).__name__))
        return {}
    return _by_key({emoji.name: emoji for emoji in there}, drawings)


class Published(NamedTuple):
    """The emojis after an upload."""

    emojis: dict[str, Emoji]
    """By the key of their symbols."""
    complete: bool
    """Whether every drawing has been uploaded; the others are shown as text, or as they were."""


async def publish(courier: Courier) -> Published | None:
    """Upload the emojis that are missing and delete the obsolete ones; ``None``: Discord does not say which it has.

    It stops at the first one that Discord refuses.
    """
    drawings = await asyncio.to_thread(drawn)
    try:
        there = {emoji.name: emoji for emoji in await courier.emojis()}
    except Failed as fault:
        log.warning("emojis unknown: nothing is uploaded", extra=fields(fault=type(fault).__name__))
        return None
    for emoji in [emoji for emoji in there.values() if _is_obsolete(emoji, drawings)]:
        await _remove(courier, emoji)
    for name, file in drawings.values():
        if name not in there:
            try:
                there[name] = await courier.upload_emoji(name, file)
            except Failed as fault:
                log.warning("emoji not taken: cards are shown as text", extra=fields(emoji=name, fault=fault))
                return Published(_by_key(there, drawings), complete=False)
    return Published(_by_key(there, drawings), complete=True)


async def _remove(courier: Courier, emoji: Emoji) -> None:
    """Delete *emoji*; if Discord refuses, that is only logged."""
    try:
        await courier.delete_emoji(emoji)
    except Failed as fault:
        log.info("obsolete emoji stays", extra=fields(emoji=emoji.name, fault=type(fault).__name__))
