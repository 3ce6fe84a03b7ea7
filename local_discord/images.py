"""What kind of picture some bytes are, and how large it is."""

import io
import warnings
from typing import Final, NamedTuple

from PIL import Image, UnidentifiedImageError

Image.init()
FORMATS: Final[list[str]] = [name for name in ("PNG", "JPEG", "GIF", "WEBP", "AVIF") if name in Image.OPEN]
"""https://discord.com/developers/docs/resources/emoji#emoji-object-emoji-formats (older Pillows read no AVIF)"""


class Picture(NamedTuple):
    """A picture's media type, and its size in pixels."""

    content_type: str
    width: int
    height: int


def read_picture(data: bytes) -> Picture | None:
    """Return the type and size of the picture in *data*; ``None`` if it is no picture that can be read."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as image:
            return Picture(Image.MIME[str(image.format)], *image.size)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return None
