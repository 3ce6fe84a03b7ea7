"""A picture that goes with a message: drawn when the message is sent, and not again while it is remembered."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from bot.pictures.canvas import png

REMEMBERED: Final = 64
COLOURS: Final = 128
"""In the palette: what keeps a picture under 100 KB."""


class Picture(NamedTuple):
    """What to draw, and what it says to whoever cannot see it."""

    name: str
    """The file's: another one for everything that looks different."""
    draw: Callable[[], Image.Image]
    alt: str


def picture(kind: str, shows: Any, draw: Callable[[], Image.Image], alt: str) -> Picture:
    """A picture of *kind*; *shows* is everything that *draw* depends on, as a value with a telling ``repr``."""
    digest = hashlib.blake2b(repr(shows).encode(), digest_size=6).hexdigest()
    return Picture(f"{kind}_{digest}.png", draw, alt[:1024])


def _drawn(it: Picture) -> bytes:
    return png(it.draw(), COLOURS)


_files: OrderedDict[str, bytes] = OrderedDict()


async def files(pictures: Sequence[Picture]) -> list[tuple[Picture, bytes]]:
    """*pictures* as PNG files, drawn beside the event loop."""
    found = []
    for it in pictures:
        file = _files.get(it.name)
        if file is None:
            file = _files[it.name] = await asyncio.to_thread(_drawn, it)
            while len(_files) > REMEMBERED:
                _files.popitem(last=False)
        found.append((it, file))
    return found
