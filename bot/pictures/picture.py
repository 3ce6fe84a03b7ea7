"""A picture that goes with a message: drawn when the message is sent, and not again while it is remembered."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from bot.pictures.canvas import png

REMEMBERED: Final = 64
"""How many files are kept for the next message that shows the same."""
LONGEST_ALT: Final = 1024
"""The characters of the text for those who cannot see a picture.
https://discord.com/developers/docs/components/reference#media-gallery-media-gallery-item-structure"""
COLOURS: Final = 128
"""The size of the palette: it keeps a picture under 100 KB."""


class Picture(NamedTuple):
    """What to draw, and the text for those who cannot see it."""

    name: str
    """The file's name: pictures that look different have different ones."""
    draw: Callable[[], Image.Image]
    alt: str
    instead: str = ""
    """What stands in its place, as markdown, where no files can be sent; empty: nothing, as the text around it says it
    all."""
    numbers: str = ""
    """Who is meant by the numbers in it that stand for names, as markdown; empty: there are none."""


def in_words(sentences: Sequence[str]) -> str:
    """*sentences* as the text of a picture: as many, from the first on, as Discord takes; if some are missing it ends
    with an ellipsis.

    >>> in_words(["One.", "Two."]), in_words(["x" * 1020 + ".", "Two."])[1015:]
    ('One. Two.', 'xxxxx. …')
    """
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".lstrip()
        if len(longer) > LONGEST_ALT - 2:
            return f"{text} …"
        text = longer
    return text


def picture(
    kind: str, shows: Any, draw: Callable[[], Image.Image], alt: str, instead: str = "", numbers: str = ""
) -> Picture:
    """A picture named after *kind* and a hash of *shows*: all that *draw* depends on, as a value with a full
    ``repr``. For *alt*, *instead* and *numbers* see ``Picture``."""
    digest = hashlib.blake2b(repr(shows).encode(), digest_size=6).hexdigest()
    return Picture(f"{kind}_{digest}.png", draw, alt[:LONGEST_ALT], instead, numbers)


def _png_of(it: Picture) -> bytes:
    """Draw *it* and return the PNG file."""
    return png(it.draw(), COLOURS)


_files: OrderedDict[str, bytes] = OrderedDict()


async def files(pictures: Sequence[Picture]) -> list[tuple[Picture, bytes]]:
    """(picture, PNG file) for each of *pictures*. Those that are not remembered are drawn now, in a thread."""
    found = []
    for it in pictures:
        file = _files.get(it.name)
        if file is None:
            file = _files[it.name] = await asyncio.to_thread(_png_of, it)
            while len(_files) > REMEMBERED:
                _files.popitem(last=False)
        found.append((it, file))
    return found
