"""The typefaces of pictures: our own, and for names in other scripts those of the machine that write the most.

Our own has Latin, Greek and Cyrillic letters. One for all scripts would be some twenty times as large as the rest of
the package, and most machines have what their people read: so theirs are looked for, once, at the start. Whoever does
not look for them (a test) has our own alone, on every machine.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

from PIL import ImageFont, features

TYPEFACE: Final = Path(__file__).parent / "roboto" / "Roboto-Bold.ttf"
"""Roboto Bold 2.138, as Google published it; its licence lies beside it."""
SHAPES: Final = bool(features.check("raqm"))
"""Whether letters can be joined and written from right to left: Pillow has libraqm, which finds FriBiDi."""
FILES: Final = (".ttf", ".otf", ".ttc")
MOST_FILES: Final = 3000
"""So many files are looked at; a machine with all of Noto has about as many."""
SAMPLES: Final[Mapping[str, str]] = {
    "Han": "山田李明",
    "simplified Han": "国汉们",
    "Kana": "あアーん",
    "Hangul": "김이한",
    "Hebrew": "שלום",
    "Arabic": "عمرگپ",
    "Thai": "สมชาย",
    "Lao": "ສົມ",
    "Devanagari": "रामक",
    "Bengali": "রাম",
    "Gurmukhi": "ਸਿੰਘ",
    "Gujarati": "રામ",
    "Tamil": "குமார்",
    "Telugu": "రామ",
    "Kannada": "ರಾಮ",
    "Malayalam": "രാമൻ",
    "Sinhala": "රාම",
    "Khmer": "សុខ",
    "Burmese": "အောင်",
    "Georgian": "გია",
    "Armenian": "Արամ",
    "Ethiopic": "አበበ",
    "small capitals": "ᴀʙᴄꜱ",
}
"""Letters of each script that a typeface for it has."""
_PLACEHOLDERS: Final = ("lastresort", "adobeblank", "blank", "emoji", "notdef")
"""In the names of files that have a sign for every character, which shows none of them, or pictures."""
_ODD: Final = (
    "italic",
    "oblique",
    "mono",
    "serif",
    "cond",
    "narrow",
    "thin",
    "light",
    "black",
    "handwriting",
    "nastaliq",
)


class Face(NamedTuple):
    """A typeface: the first in its file."""

    path: Path


OWN: Final = Face(TYPEFACE)
_forgetting: Final[list[Callable[[], None]]] = []
"""What forgets all that followed from the typefaces before."""
_others: Final[list[Face]] = []
"""What was found on this machine, for as long as the program runs."""


F = TypeVar("F", bound=Callable[..., Any])


def remembered(function: F) -> F:
    """*function*, which follows from the typefaces that there are, with its last results kept."""
    kept = lru_cache(4096)(function)
    _forgetting.append(kept.cache_clear)
    return cast("F", kept)


def system_folders() -> list[Path]:
    """Where the typefaces of this machine are, its person's own first."""
    home = Path("~").expanduser()
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA", home)) / "Microsoft" / "Windows" / "Fonts"
        return [local, Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    return [home / ".local/share/fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]


def look_in(folders: Iterable[Path]) -> tuple[Face, ...]:
    """Use those typefaces in *folders* that write scripts which ours does not, one for each script; return them. Bold
    ones without serifs come first, as ours is."""
    files = sorted(_files(folders), key=_rank)[:MOST_FILES]
    missing = dict(SAMPLES)
    found: list[Face] = []
    for path in files:
        if not missing:
            break
        face = Face(path)
        written = [script for script, sample in missing.items() if all(has(face, it) for it in sample)]
        if written:
            found.append(face)
            for script in written:
                del missing[script]
    _others[:] = found
    for forget in _forgetting:
        forget()
    return tuple(found)


def _files(folders: Iterable[Path]) -> Iterable[Path]:
    """The files of typefaces in *folders* and below them."""
    for folder in folders:
        for here, _, names in os.walk(folder):
            for name in names:
                known = name.lower()
                if known.endswith(FILES) and not any(it in known for it in _PLACEHOLDERS):
                    yield Path(here, name)


def _rank(path: Path) -> tuple[bool, bool, bool, str]:
    """In which order files are looked at."""
    name = path.stem.lower()
    bold = "bold" in name or name.endswith(("bd", "b"))
    return any(it in name.replace("sansserif", "sans") for it in _ODD), "sans" not in name, not bold, name


@lru_cache(256)
def font_of(face: Face, pixels: int) -> ImageFont.FreeTypeFont:
    """The letters of *face*, *pixels* high.

    Raises:
        OSError: its file cannot be read, or has none of that size.
    """
    return ImageFont.truetype(face.path, pixels)


@cache
def font(pixels: int) -> ImageFont.FreeTypeFont:
    """Our own typeface, *pixels* high."""
    return font_of(OWN, pixels)


@lru_cache(4)
def _plain(face: Face) -> tuple[ImageFont.FreeTypeFont, bytes]:
    """(the letters of *face* one by one, the sign that it has for what it cannot write)."""
    letters = ImageFont.truetype(face.path, 32, layout_engine=ImageFont.Layout.BASIC)
    return letters, bytes(letters.getmask("\uffff"))


@lru_cache(1 << 14)
def has(face: Face, character: str) -> bool:
    """Whether *face* can write *character*; every one can write spaces."""
    if character.isspace():
        return True
    try:
        letters, missing = _plain(face)
        return bytes(letters.getmask(character)) not in (missing, b"")
    except OSError:  # of a picture font, or no font at all
        return False


@remembered
def face_for(text: str) -> Face | None:
    """The first typeface that can write all of *text*; ``None``: none can."""
    return next((face for face in (OWN, *_others) if all(has(face, it) for it in text)), None)
