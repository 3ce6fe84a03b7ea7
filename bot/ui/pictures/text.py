"""Text in pictures: which typeface draws which part, how wide it is, how it is cut.

A name with letters written from right to left stands between two invisible marks, as in messages
(``isolate_direction``). It is drawn as a whole, in one typeface, and does not reverse the text beside it.
"""

import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast
from unicodedata import bidirectional, category, normalize

from PIL import ImageDraw, ImageFont, features

from bot.tables.names import shorten_name, without_brackets

# The typefaces of pictures: our own, and the machine's for names in other scripts.
#
# Our own has Latin, Greek and Cyrillic letters. One for all scripts would be some twenty times as large as the rest of
# the package, and most machines have typefaces for the scripts that their users read. ``load_fallback_typefaces`` loads
# those once, at the start. A test that does not call it draws the same on every machine, with our own alone.


TYPEFACE: Final = Path(__file__).parent / "roboto" / "Roboto-Bold.ttf"
"""Roboto Bold 2.138, as Google published it; its licence lies beside it."""
HAS_RAQM: Final = bool(features.check("raqm"))
"""Whether letters can be joined and written from right to left: Pillow has libraqm, which finds FriBiDi."""
FILES: Final = (".ttf", ".otf", ".ttc")
MOST_FILES: Final = 3000
"""The most font files that are tried; a machine with all of Noto has about as many."""
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
"""For each script, letters that a typeface for it must have."""
_PLACEHOLDERS: Final = ("lastresort", "adobeblank", "blank", "emoji", "notdef")
"""Parts of the names of font files with placeholders for every character, or with pictures."""
_LESS_SUITABLE: Final = (
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


class Typeface(NamedTuple):
    """A typeface: the first in its file."""

    path: Path


OWN_TYPEFACE: Final = Typeface(TYPEFACE)
_cache_clearers: Final[list[Callable[[], None]]] = []
"""Functions that clear the caches of results from earlier typefaces."""
_machine_typefaces: Final[list[Typeface]] = []
"""The typefaces that were loaded from this machine, for as long as the program runs."""


F = TypeVar("F", bound=Callable[..., Any])


def cached_for_typefaces(function: F) -> F:
    """Decorator: cache the results of *function* (4096 at most), and forget them when other typefaces are loaded."""
    kept = lru_cache(4096)(function)
    _cache_clearers.append(kept.cache_clear)
    return cast("F", kept)


def system_font_folders() -> list[Path]:
    """Return the folders in which this operating system has font files, the user's own first; they need not exist."""
    home = Path("~").expanduser()
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA", home)) / "Microsoft" / "Windows" / "Fonts"
        return [local, Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    return [home / ".local/share/fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]


def load_fallback_typefaces(folders: Iterable[Path]) -> tuple[Typeface, ...]:
    """Find in *folders* a typeface of this machine for each script that our own lacks, draw with them from now on, and
    return them.

    Bold ones without serifs are preferred, as ours is.
    """
    files = sorted(_font_files(folders), key=_font_preference_key)[:MOST_FILES]
    missing = dict(SAMPLES)
    found: list[Typeface] = []
    for path in files:
        if not missing:
            break
        face = Typeface(path)
        written = [script for script, sample in missing.items() if all(has_glyph(face, it) for it in sample)]
        if written:
            found.append(face)
            for script in written:
                del missing[script]
    _machine_typefaces[:] = found
    for forget in _cache_clearers:
        forget()
    return tuple(found)


def _font_files(folders: Iterable[Path]) -> Iterable[Path]:
    """Yield the font files in *folders* and below, without those of placeholders and emojis."""
    for folder in folders:
        for here, _, names in os.walk(folder):
            for name in names:
                known = name.lower()
                if known.endswith(FILES) and not any(it in known for it in _PLACEHOLDERS):
                    yield Path(here, name)


def _font_preference_key(path: Path) -> tuple[bool, bool, bool, str]:
    """The sort key by which font files are tried: bold ones without serifs first."""
    name = path.stem.lower()
    bold = "bold" in name or name.endswith(("bd", "b"))
    return any(it in name.replace("sansserif", "sans") for it in _LESS_SUITABLE), "sans" not in name, not bold, name


@lru_cache(256)
def load_font(face: Typeface, pixels: int) -> ImageFont.FreeTypeFont:
    """Load the font file of *face* with letters *pixels* high, or raise OSError if that fails.

    Raises:
        OSError: its file cannot be read, or has none of that size.
    """
    return ImageFont.truetype(face.path, pixels)


@cache
def load_bundled_font(pixels: int) -> ImageFont.FreeTypeFont:
    """Return our own typeface (Roboto Bold) with letters *pixels* high; cached."""
    return load_font(OWN_TYPEFACE, pixels)


@lru_cache(4)
def _basic_font_and_missing_glyph(face: Typeface) -> tuple[ImageFont.FreeTypeFont, bytes]:
    """Return (the font of *face* without ligatures, 32 pixels high; the glyph that it draws for characters it lacks, as
    bytes)."""
    letters = ImageFont.truetype(face.path, 32, layout_engine=ImageFont.Layout.BASIC)
    return letters, bytes(letters.getmask("\uffff"))


@lru_cache(1 << 14)
def has_glyph(face: Typeface, character: str) -> bool:
    """Whether *face* has a glyph for *character*; true for spaces, false if the font file cannot be read."""
    if character.isspace():
        return True
    try:
        letters, missing = _basic_font_and_missing_glyph(face)
        return bytes(letters.getmask(character)) not in (missing, b"")
    except OSError:  # of a picture font, or no font at all
        return False


@cached_for_typefaces
def typeface_for(text: str) -> Typeface | None:
    """The first loaded typeface that can draw all of *text*, our own before the machine's; ``None`` if none can."""
    return next((face for face in (OWN_TYPEFACE, *_machine_typefaces) if all(has_glyph(face, it) for it in text)), None)


FSI: Final = "\u2068"
PDI: Final = "\u2069"
"""First strong isolate and its end: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates"""
NO_LIGATURES: Final = ["-liga"] if HAS_RAQM else None
"""Pillow's features that switch ligatures off: the typeface's ligature of f and i has no dot. Without libraqm Pillow
knows no ligatures."""
_PICTURE_CATEGORIES: Final = frozenset({"So", "Sk", "Cn", "Co", "Cs", "Me"})
"""Categories of emojis and of characters that change their look.
https://www.unicode.org/reports/tr44/#GC_Values_Table"""
_WORDS: Final = re.compile(r"\s*\S+\s*|\s+")
_ISOLATED: Final = re.compile(f"{FSI}([^{PDI}]*){PDI}?")


class TypefaceRun(NamedTuple):
    """A part of a text that is drawn in one typeface."""

    face: Typeface
    text: str


def has_right_to_left(text: str) -> bool:
    """Whether *text* has letters that are written from right to left."""
    return not text.isascii() and any(bidirectional(it) in ("R", "AL") for it in text)


def isolate_direction(name: str) -> str:
    """Put *name* between two invisible marks if it has right-to-left letters, so that it does not reverse the text
    beside it; else return it unchanged.

    >>> isolate_direction("Ada"), isolate_direction("עדה") == FSI + "עדה" + PDI
    ('Ada', True)
    """
    return f"{FSI}{name}{PDI}" if has_right_to_left(name) else name


def remove_isolates(name: str) -> str:
    """Return *name* without the two invisible marks that ``isolate_direction`` puts around it."""
    return name.removeprefix(FSI).removesuffix(PDI)


def is_drawable(text: str) -> bool:
    """Whether a picture can show *text*, in one typeface or several; *text* has no marks of ``isolate_direction``."""
    if typeface_for(text) is OWN_TYPEFACE:
        return True
    if not HAS_RAQM and (has_right_to_left(text) or any(category(it)[0] == "M" for it in text)):
        return False
    return typeface_for(text) is not None or (
        not has_right_to_left(text) and all(typeface_for(it) is not None for it in text)
    )


def drawable_text(name: str) -> str:
    """*name* as a picture can show it: no emojis, special letters replaced by usual ones; empty if it cannot be drawn.

    Special letters are those with another look, such as script or full width. They are replaced only where needed.

    >>> drawable_text("Anna ✨"), drawable_text("✨")
    ('Anna', '')
    """
    kept = [_simplified_character(it) for it in normalize("NFC", name)]
    text = " ".join("".join(kept).split())
    return text if text and is_drawable(text) else ""


def _simplified_character(character: str) -> str:
    """*character* for a picture: emojis and signs that cannot be drawn become empty, special letters usual ones; other
    letters stay, even those that cannot be drawn."""
    if has_glyph(OWN_TYPEFACE, character):
        return character
    usual = normalize("NFKC", character)
    if usual != character and usual.isalnum() and is_drawable(usual):
        return usual
    picture = category(character) in _PICTURE_CATEGORIES or character in "\ufe0e\ufe0f"
    sign = category(character)[0] in "PSZC"
    return "" if picture or (sign and not is_drawable(character)) else character


@cached_for_typefaces
def split_into_typeface_runs(text: str) -> tuple[TypefaceRun, ...]:
    """Split *text* into as few parts as possible that are drawn in one typeface each, from left to right."""
    found: list[TypefaceRun] = []
    at = 0
    for name in _ISOLATED.finditer(text):
        found += _left_to_right_runs(text[at : name.start()])
        found.append(TypefaceRun(typeface_for(name[1]) or OWN_TYPEFACE, name[1]))
        at = name.end()
    return (*found, *_left_to_right_runs(text[at:]))


def _left_to_right_runs(text: str) -> Iterator[TypefaceRun]:
    """Split left-to-right *text* into parts of one typeface each, words whole if one typeface has all their letters.

    Spaces and accents go with the character before them.
    """
    face, part = OWN_TYPEFACE, ""
    for word in _WORDS.findall(text):
        whole = typeface_for(word)
        for piece in (word,) if whole is not None else word:
            stays = category(piece[0])[0] == "M" and has_glyph(face, piece)
            now = whole or (face if stays else typeface_for(piece)) or OWN_TYPEFACE
            if now != face and part:
                yield TypefaceRun(face, part)
                part = ""
            face, part = now, part + piece
    if part:
        yield TypefaceRun(face, part)


def text_width(text: str, pixels: int) -> float:
    """Return the width of *text* in pixels if it is drawn in letters *pixels* high."""
    if typeface_for(text) is OWN_TYPEFACE:
        return load_bundled_font(pixels).getlength(text)
    return sum(load_font(it.face, pixels).getlength(it.text) for it in split_into_typeface_runs(text))


def draw_text(
    drawing: ImageDraw.ImageDraw,
    position: tuple[float, float],
    text: str,
    pixels: int,
    colour: str,
    anchor: str,
    rim: int,
    edge: str | None,
) -> None:
    """Draw *text* on *drawing* at *position* (x, y) in letters *pixels* high, with all the typefaces that it needs.

    The edge of the letters has the colour *edge* and is *rim* pixels wide. *anchor* is one of Pillow's names, and its
    second letter is "m" for texts with names.
    """
    if typeface_for(text) is OWN_TYPEFACE:
        drawing.text(
            position,
            text,
            colour,
            load_bundled_font(pixels),
            anchor,
            stroke_width=rim,
            stroke_fill=edge,
            features=NO_LIGATURES,
        )
        return
    above, below = load_bundled_font(pixels).getmetrics()
    x = position[0] - text_width(text, pixels) * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]]
    y = position[1] + (above - below) / 2
    for it in split_into_typeface_runs(text):
        letters = load_font(it.face, pixels)
        plainly = NO_LIGATURES if it.face is OWN_TYPEFACE else None
        drawing.text((x, y), it.text, colour, letters, "ls", stroke_width=rim, stroke_fill=edge, features=plainly)
        x += letters.getlength(it.text)


@cached_for_typefaces
def truncate_to_width(text: str, pixels: int, room: float) -> str:
    """*text*, cut with an ellipsis if it is wider than *room* pixels in letters *pixels* high.

    Text in brackets at the end of a name stays.

    >>> truncate_to_width("Ada", 25, 100), truncate_to_width("Wilhelmina", 25, 100)
    ('Ada', 'Wilhel…')
    >>> truncate_to_width("Wilhelmina (w_1)", 25, 150)
    'Wilhe… (w_1)'
    """
    if text_width(text, pixels) <= room:
        return text
    whole = remove_isolates(text)
    if without_brackets(whole) == whole:
        whole = whole.removesuffix("…") + "…"
    shorter = (isolate_direction(shorten_name(whole, most)) for most in range(len(whole) - 1, 1, -1))
    return next((it for it in shorter if text_width(it, pixels) <= room), "…")


@cached_for_typefaces
def largest_fitting_size(text: str, sizes: range, room: float) -> int:
    """The largest of the letter *sizes* (rising) in which *text* is at most *room* pixels wide; else the smallest."""
    if text_width(text, sizes[-1]) <= room:
        return sizes[-1]
    fit = bisect_right(sizes, room, key=lambda size: text_width(text, size))
    return sizes[max(0, fit - 1)]
