"""The drawings of a game's cards and tokens, by name, each drawn only once; pictures that go with a message."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from PIL import Image

from bot.ui.pictures.canvas import png_bytes
from bot.ui.pictures.symbols import Symbol, register_symbol

Draw = Callable[[], Image.Image]


class Drawings(Mapping[str, Draw]):
    """The images of one game's cards and tokens, as functions that draw them, by their symbols' keys: ``game/name``."""

    def __init__(self, module: str, drawings: Mapping[str, Draw], looks: Mapping[str, int] | None = None) -> None:
        """*module* is the ``__name__`` of a module in the game's folder; *drawings* are by their own names.

        The names must be short, as thirty must fit into a message, and words that a screen reader can read aloud. A
        drawing that has been changed is counted in *looks*, by its name: 2 is its second look.
        """
        self.game = module.split(".")[-2]
        self._by_key = {f"{self.game}/{name}": cache(draw) for name, draw in drawings.items()}
        self._looks = dict(looks or {})
        self._symbols: dict[str, Symbol] = {}
        self.symbols: Mapping[str, Symbol] = MappingProxyType(self._symbols)
        """Every symbol that was made, by the name of its drawing: it replaces ``{victory}`` in a text."""

    def __getitem__(self, key: str) -> Draw:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    def emoji_name(self, key: str) -> str:
        """Return the name under which the drawing *key* is uploaded as emoji: its own name; ``trap_2`` if the drawing
        has changed once.

        So a drawing that has changed gets a new emoji beside the old one, which old messages show.
        """
        name = key.partition("/")[2]
        look = self._looks.get(name, 1)
        return name if look == 1 else f"{name}_{look}"

    def symbol(self, name: str, text: str, emoji: str = "") -> Symbol:
        """The symbol that shows the drawing *name*, or *text* while Discord lacks its emoji; raise KeyError if unknown.

        On a control *emoji* stands in for it; leave it out where *text* is an emoji.

        Raises:
            KeyError: there is no such drawing.
        """
        key = f"{self.game}/{name}"
        if key not in self._by_key:
            raise KeyError(f"no drawing {name!r} in {self.game}")
        self._symbols[name] = register_symbol(Symbol(key, text, emoji))
        return self._symbols[name]


# A picture that goes with a message: drawn when the message is sent, and then cached.


CACHE_SIZE: Final = 64
"""How many drawn files are kept for the next message with the same picture."""
LONGEST_ALT: Final = 1024
"""The most characters of an alt text.
https://discord.com/developers/docs/components/reference#media-gallery-media-gallery-item-structure"""
COLOURS: Final = 128
"""The size of the palette: it keeps a picture under 100 KB."""


class Picture(NamedTuple):
    """A picture that goes with a message: the function that draws it, its file name, and the same as text."""

    name: str
    """The file's name: pictures that look different have different ones."""
    draw: Callable[[], Image.Image]
    alt: str
    instead: str = ""
    """The markdown text that replaces it where no files can be sent; empty: the text around it says everything
    already."""
    numbers: str = ""
    """The names behind the numbers in it that stand for names, as markdown; empty: there are none."""


def alt_text(sentences: Sequence[str]) -> str:
    """Join *sentences* to an alt text of at most 1024 characters; if some do not fit it ends with an ellipsis.

    >>> alt_text(["One.", "Two."]), alt_text(["x" * 1020 + ".", "Two."])[1015:]
    ('One. Two.', 'xxxxx. …')
    """
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".lstrip()
        if len(longer) > LONGEST_ALT - 2:
            return f"{text} …"
        text = longer
    return text


def make_lazy_picture(
    kind: str, shows: Any, draw: Callable[[], Image.Image], alt: str, instead: str = "", numbers: str = ""
) -> Picture:
    """A picture that *draw* draws when it is sent; its file is named after *kind* and a hash of *shows*, for the cache.

    *kind* is a word such as "standings". *shows* is all that *draw* depends on, as a value with a full ``repr``. For
    *alt*, *instead* and *numbers* see ``Picture``.
    """
    digest = hashlib.blake2b(repr(shows).encode(), digest_size=6).hexdigest()
    return Picture(f"{kind}_{digest}.png", draw, alt[:LONGEST_ALT], instead, numbers)


def _render_png(picture: Picture) -> bytes:
    """Draw *picture* now and return it as a PNG file with a palette of 128 colours."""
    return png_bytes(picture.draw(), COLOURS)


_files: OrderedDict[str, bytes] = OrderedDict()


async def render_picture_files(pictures: Sequence[Picture]) -> list[tuple[Picture, bytes]]:
    """Return (picture, PNG file) for each of *pictures*; those that are not cached are drawn now, in a thread."""
    found = []
    for picture in pictures:
        file = _files.get(picture.name)
        if file is None:
            file = _files[picture.name] = await asyncio.to_thread(_render_png, picture)
            while len(_files) > CACHE_SIZE:
                _files.popitem(last=False)
        found.append((picture, file))
    return found
