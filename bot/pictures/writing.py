"""Texts in pictures: which typeface writes which part of them, how long they are, how they are cut.

A name in letters from right to left stands between two invisible marks, as in messages (``isolated``). It is written as
a whole, by one typeface, and turns nothing round that stands beside it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import bidirectional, category, normalize

from PIL import ImageDraw

from bot.pictures.typefaces import OWN, SHAPES, Face, face_for, font, font_of, has, remembered
from bot.tables.names import cut_name, without_addition

FSI: Final = "\u2068"
PDI: Final = "\u2069"
"""First strong isolate and its end: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates"""
PLAINLY: Final = ["-liga"] if SHAPES else None
"""Letters one by one: the typeface's ligature of f and i has no dot. Without libraqm Pillow knows no ligatures."""
_PICTURES: Final = frozenset({"So", "Sk", "Cn", "Co", "Cs", "Me"})
"""Emojis and what changes their looks. https://www.unicode.org/reports/tr44/#GC_Values_Table"""
_WORDS: Final = re.compile(r"\s*\S+\s*|\s+")
_ISOLATED: Final = re.compile(f"{FSI}([^{PDI}]*){PDI}?")


class Run(NamedTuple):
    """A part of a text that one typeface writes."""

    face: Face
    text: str


def has_right_to_left(text: str) -> bool:
    """Whether *text* has letters that are written from right to left."""
    return not text.isascii() and any(bidirectional(it) in ("R", "AL") for it in text)


def isolated(name: str) -> str:
    """*name* so that it turns nothing round that stands beside it: between two marks, if it has letters that are
    written from right to left.

    >>> isolated("Ada"), isolated("עדה") == FSI + "עדה" + PDI
    ('Ada', True)
    """
    return f"{FSI}{name}{PDI}" if has_right_to_left(name) else name


def bare(name: str) -> str:
    """*name* without the marks of ``isolated``."""
    return name.removeprefix(FSI).removesuffix(PDI)


def legible(text: str) -> bool:
    """Whether *text*, without the marks of ``isolated``, can be written."""
    if face_for(text) is OWN:
        return True
    if not SHAPES and (has_right_to_left(text) or any(category(it)[0] == "M" for it in text)):
        return False
    return face_for(text) is not None or (not has_right_to_left(text) and all(face_for(it) is not None for it in text))


def writable(name: str) -> str:
    """*name* as it can be written: without emojis; letters of a special look, such as script or full width, in their
    usual one where they must. Empty: it cannot.

    >>> writable("Anna ✨"), writable("✨")
    ('Anna', '')
    """
    kept = [_known(it) for it in normalize("NFC", name)]
    text = " ".join("".join(kept).split())
    return text if text and legible(text) else ""


def _known(character: str) -> str:
    """*character*, or what is written in its place."""
    if has(OWN, character):
        return character
    usual = normalize("NFKC", character)
    if usual != character and usual.isalnum() and legible(usual):
        return usual
    picture = category(character) in _PICTURES or character in "\ufe0e\ufe0f"
    sign = category(character)[0] in "PSZC"
    return "" if picture or (sign and not legible(character)) else character


@remembered
def runs(text: str) -> tuple[Run, ...]:
    """The parts of *text* from left to right, as few as can be."""
    found: list[Run] = []
    at = 0
    for name in _ISOLATED.finditer(text):
        found += _runs(text[at : name.start()])
        found.append(Run(face_for(name[1]) or OWN, name[1]))
        at = name.end()
    return (*found, *_runs(text[at:]))


def _runs(text: str) -> Iterator[Run]:
    """The parts of *text*, which is written from left to right: a word is written by one typeface, if one can; spaces
    and accents go with what stands before them."""
    face, part = OWN, ""
    for word in _WORDS.findall(text):
        whole = face_for(word)
        for piece in (word,) if whole is not None else word:
            stays = category(piece[0])[0] == "M" and has(face, piece)
            now = whole or (face if stays else face_for(piece)) or OWN
            if now != face and part:
                yield Run(face, part)
                part = ""
            face, part = now, part + piece
    if part:
        yield Run(face, part)


def length(text: str, pixels: int) -> float:
    """How long *text* is, in letters *pixels* high."""
    if face_for(text) is OWN:
        return font(pixels).getlength(text)
    return sum(font_of(it.face, pixels).getlength(it.text) for it in runs(text))


def write(
    on: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    pixels: int,
    colour: str,
    anchor: str,
    rim: int,
    edge: str | None,
) -> None:
    """Write *text* *on* a drawing *at* (x, y), *pixels* high, with a *rim* of the colour *edge*, so many pixels wide;
    *anchor* is one of Pillow's names, and its second letter is "m" for texts with names."""
    if face_for(text) is OWN:
        on.text(at, text, colour, font(pixels), anchor, stroke_width=rim, stroke_fill=edge, features=PLAINLY)
        return
    above, below = font(pixels).getmetrics()
    x = at[0] - length(text, pixels) * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]]
    y = at[1] + (above - below) / 2
    for it in runs(text):
        letters = font_of(it.face, pixels)
        plainly = PLAINLY if it.face is OWN else None
        on.text((x, y), it.text, colour, letters, "ls", stroke_width=rim, stroke_fill=edge, features=plainly)
        x += letters.getlength(it.text)


@remembered
def fitting(text: str, pixels: int, room: float) -> str:
    """*text*, or if it is wider than *room* in letters *pixels* high, as much of it as fits, and an ellipsis; what
    stands in brackets at the end of a name stays.

    >>> fitting("Ada", 25, 100), fitting("Wilhelmina", 25, 100), fitting("Wilhelmina (w_1)", 25, 150)
    ('Ada', 'Wilhel…', 'Wilhe… (w_1)')
    """
    if length(text, pixels) <= room:
        return text
    whole = bare(text)
    if without_addition(whole) == whole:
        whole = whole.removesuffix("…") + "…"
    shorter = (isolated(cut_name(whole, most)) for most in range(len(whole) - 1, 1, -1))
    return next((it for it in shorter if length(it, pixels) <= room), "…")


@remembered
def largest(text: str, sizes: range, room: float) -> int:
    """The largest of *sizes*, which rise, in which *text* is at most *room* wide; the smallest if there is none."""
    if length(text, sizes[-1]) <= room:
        return sizes[-1]
    fit = bisect_right(sizes, room, key=lambda size: length(text, size))
    return sizes[max(0, fit - 1)]
