"""The drawings of every game as emojis of the application: uploaded once, found again by their hash, removed when
they are obsolete.

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
"""An emoji named like this, after one of our drawings, goes when that looks different now."""

Failed: Final = (Fault, discord.HTTPException, OSError)


class Drawn(NamedTuple):
    """A drawing as an emoji."""

    name: str
    """The drawing's own name and a hash of what it looks like: short, as thirty must fit into a message. Two games
    may have the same word for something else; what looks the same, they share."""
    file: bytes
    """PNG."""


@cache
def drawn() -> Mapping[str, Drawn]:
    """Every drawing, by the key of its symbol."""
    found: dict[str, Drawn] = {}
    for presenter in PRESENTERS.values():
        for key, draw in presenter.drawings.items():
            file = png(draw())
            digest = hashlib.blake2b(file, digest_size=2).hexdigest()
            found[key] = Drawn(f"{key.partition('/')[2]}{_MARK}{digest}", file)
    return found


def _obsolete(emoji: Emoji, drawings: Mapping[str, Drawn]) -> bool:
    """Whether *emoji* shows what one of *drawings* looked like before."""
    names = {drawing.name for drawing in drawings.values()}
    ours = {name.partition(_MARK)[0] for name in names}
    known = bool(_OURS.fullmatch(emoji.name)) and emoji.name.partition(_MARK)[0] in ours
    return known and emoji.name not in names


def _by_key(emojis: Mapping[str, Emoji], drawings: Mapping[str, Drawn]) -> dict[str, Emoji]:
    """Those of *emojis* (by name) that show one of *drawings*, by the key of its symbol."""
    return {key: emojis[drawing.name] for key, drawing in drawings.items() if drawing.name in emojis}


async def known(courier: Courier) -> dict[str, Emoji]:
    """The emojis that are there already, by the key of their symbols; none when Discord does not say."""
    drawings = await asyncio.to_thread(drawn)
    try:
        there = await courier.emojis()
    except Failed as fault:
        log.warning("emojis unknown: cards are shown as text", extra=fields(fault=type(fault).__name__))
        return {}
    return _by_key({emoji.name: emoji for emoji in there}, drawings)


class Published(NamedTuple):
    """What there is after an upload."""

    emojis: dict[str, Emoji]
    """By the key of their symbols."""
    complete: bool
    """Whether every drawing is there; what is not stays text, or as it was."""


async def publish(courier: Courier) -> Published | None:
    """Upload what is missing, remove what is obsolete; ``None`` when Discord does not say what there is."""
    drawings = await asyncio.to_thread(drawn)
    try:
        there = {emoji.name: emoji for emoji in await courier.emojis()}
    except Failed as fault:
        log.warning("emojis unknown: nothing is uploaded", extra=fields(fault=type(fault).__name__))
        return None
    for emoji in [emoji for emoji in there.values() if _obsolete(emoji, drawings)]:
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
    try:
        await courier.delete_emoji(emoji)
    except Failed as fault:
        log.info("obsolete emoji stays", extra=fields(emoji=emoji.name, fault=type(fault).__name__))
