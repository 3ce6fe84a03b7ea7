"""Which names people take for the same: whatever their case, accents, look-alike letters and what shows as nothing.

The libraries for this on PyPI rest (confusable-homoglyphs since January 2024, confusables since March 2021), and none
makes what Unicode calls a skeleton: two names compare equal if theirs are. So the letters that matter stand here: those
drawn like Latin ones, out of https://www.unicode.org/Public/security/latest/confusables.txt. What Unicode itself calls
compatible (full width, script, bold, circled letters) is left to ``unicodedata``.
"""

import re
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

_PAIRS: Final = (
    # Cyrillic
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ѴV ԌG ԚQ ԜW ҮY ҺH ӀI ӏl аa еe ѕs іi јj оo рp сc уy хx ѵv ԁd ԛq ԝw "
    "һh үy ғf кk мm нh тt гr Ьb ьb ґr ҽe ѡw "
    # Greek
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ϺM αa γy ιi κk νv οo ρp σo τt υu χx ϲc ϳj ωw ͿJ ϜF "
    # Latin letters that only look otherwise, small capitals and letters of phonetics
    "ıi ɩi ȷj ɑa ɡg ɪi ʟl ɴn ʀr ʏy ɢg ʜh ʙb ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz øo ØO łl ŁL đd ĐD ħh ĦH ŧt ŦT "
    "ƖI ǀI ƅb Ƅb ɯw ƦR ƽs "
    # Armenian and Cherokee
    "Օo օo ոn սu հh ցg զq գq ռn աw Տs Սu Լl ᎠD ᎡR ᎢT ᎪA ᎫJ ᎬE ᎳW ᎷM ᎻH ᎽY ᏀG ᏃZ ᏙV ᏚS ᏞL ᏟC ᏢP ᏦK ᏴB"
)
_NEGATIVE: Final = {start + n: ord("A") + n for start in (0x1F150, 0x1F170) for n in range(26)}
"""White letters in black circles and squares."""
_LATIN: Final = {ord(pair[0]): pair[1] for pair in _PAIRS.split()} | _NEGATIVE
_STROKES: Final = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "o"})
"""What is one stroke or one ring in most typefaces; "rn" and "vv" are alike in the same way."""
_ACCENTS: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\ufe00-\ufe0f\ufe20-\ufe2f]"
)
"""Marks that a name can do without. Those of Indian scripts and of Thai are vowels, which tell names apart."""
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5\u180b\u180c\u180d\u180f\ufffc\U0001d159")
"""Letters, marks and symbols that show as nothing."""
_ADDITION: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
NAME_LENGTH: Final = 32
"""So many characters of a name are shown; Discord takes no longer ones."""
_FEWEST: Final = 4
"""A name that is cut so that a user name fits beside it keeps so many characters; else the user name stands alone."""


def without_addition(name: str) -> str:
    """*name* but for what stands in brackets at its end; all of it if there is nothing else.

    >>> without_addition("Sam (sam_1)"), without_addition("(Sam)")
    ('Sam', '(Sam)')
    """
    rest = name
    while (shorter := _ADDITION.sub("", rest)) != rest:
        rest = shorter
    return rest if rest.strip() else name


def cut_name(name: str, most: int) -> str:
    """*name* in *most* characters: what stands in brackets at its end stays, as that may be what tells it from others;
    if there is no room for anything else, it stands alone.

    >>> cut_name("Wilhelmina", 6), cut_name("Wilhelmina (w_1)", 12), cut_name("Wilhelmina (w_1)", 6)
    ('Wilhe…', 'Wilhe… (w_1)', 'w_1')
    """
    if len(name) <= most:
        return name
    start = without_addition(name)
    addition = name[len(start) :].strip()
    if not addition:
        return name.removesuffix("…")[: most - 1] + "…"
    start = start.removesuffix("…")
    room = most - len(addition) - 2
    if room < min(_FEWEST, len(start)):
        return cut_name(addition[1:-1], most)
    return f"{start[:room]}… {addition}" if len(start) > room else f"{start} {addition}"


def with_addition(name: str, addition: str, most: int) -> str:
    """*name* with *addition* in brackets behind it, in *most* characters: *name* is cut; where there is no room for
    anything of it, *addition* stands alone.

    >>> with_addition("Sam", "sam_1", 32), with_addition("Wilhelmina", "w_1", 12), with_addition("Sam", "s" * 9, 9)
    ('Sam (sam_1)', 'Wilhe… (w_1)', 'sssssssss')
    """
    whole = f"{name} ({addition})"
    if len(whole) <= most:
        return whole
    start, room = name.removesuffix("…"), most - len(addition) - len("… ()")
    return f"{start[:room]}… ({addition})" if room >= min(_FEWEST, len(start)) else addition[:most]


@lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """What *name* can be taken for: two names that share one of these are alike.

    >>> bool(looks("Sam") & looks("SАМ")), bool(looks("Sam") & looks("Ｓámㅤ ✨")), bool(looks("Sam") & looks("Tom"))
    (True, True, False)
    """
    plain = normalize("NFKD", name)
    latin = normalize("NFKD", name.translate(_LATIN)).translate(_LATIN)
    strokes = latin.translate(_STROKES).replace("rn", "m").replace("vv", "w")
    return frozenset(_letters(it) or "?" for it in (plain, latin, strokes))


def _letters(text: str) -> str:
    """What tells *text* from others: its letters and digits in small letters; where it has none, all that shows."""
    small = _ACCENTS.sub("", normalize("NFKD", text.casefold()))
    kept = "".join(it for it in small if category(it)[0] in "LMN" and it not in _BLANK)
    return kept or "".join(it for it in small if category(it)[0] in "PS" and it not in _BLANK)
