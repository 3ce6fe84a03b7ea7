"""Names in pictures, whatever their script: written as far as the machine has typefaces, else as numbers that the text
explains. The typefaces are made here, so every machine draws the same."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from bot.i18n import words
from bot.tables.model import Table
from bot.tables.scene import make_scene
from bot.ui.components import Sheet, bold_name, escaped_name, escaped_text, plain_name, text_display
from bot.ui.end_message import game_over_sheet
from bot.ui.pictures import standings
from bot.ui.pictures.canvas import GROUND, PAPER, Canvas
from bot.ui.pictures.standings import drawable_name
from bot.ui.pictures.text import (
    FSI,
    HAS_RAQM,
    PDI,
    SAMPLES,
    load_fallback_typefaces,
    split_into_typeface_runs,
    system_font_folders,
)
from bot.ui.registry import PRESENTERS
from engine.game import Seat
from local_discord.components import walk
from tests.bot.test_highlights import finished
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
JAPANESE = "山田"
HEBREW = "שלום עולם"
shapes = pytest.mark.skipif(not HAS_RAQM, reason="Pillow finds no FriBiDi, so nothing is written from right to left")


def make(path: Path, letters: str) -> None:
    """Write a typeface with *letters* to *path*: each is a bar, and no two are equally high."""
    characters = {ord(letter): f"letter{number}" for number, letter in enumerate(sorted({*letters, " ", "\u00a0"}))}
    names = [".notdef", *characters.values()]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(characters)
    heights = {name: 100 + 600 * at // len(names) for at, name in enumerate(names)}
    heights |= {characters[ord(it)]: 0 for it in " \u00a0"}
    builder.setupGlyf({name: _bar(height) for name, height in heights.items()})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 50)))
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupNameTable({"familyName": path.stem, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=900, sTypoDescender=-200)
    builder.setupPost()
    builder.save(path)


def _bar(height: int) -> object:
    """A glyph: a bar so high; 0: nothing."""
    pen = TTGlyphPen(None)
    if height:
        pen.moveTo((50, 0))
        for corner in ((50, height), (450, height), (450, 0)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Path]:
    """A machine with typefaces for Japanese and Hebrew."""
    folder = tmp_path / "fonts" / "truetype"
    folder.mkdir(parents=True)
    make(folder / "Kanji.ttf", SAMPLES["Han"] + SAMPLES["Kana"] + "abc")
    make(folder / "HebrewSans.ttf", SAMPLES["Hebrew"] + HEBREW + "(_1)samSanAb")
    yield tmp_path / "fonts"
    load_fallback_typefaces([])


# Which there are


def test_without_any_typeface_of_the_machine_there_are_latin_greek_and_cyrillic_letters() -> None:
    assert [drawable_name(name, 3) for name in ("Zoë", "Μαρία", "Анна", JAPANESE, HEBREW)] == [
        "Zoë",
        "Μαρία",
        "Анна",
        "#3",
        "#3",
    ]


def test_typefaces_are_found_in_folders_below_and_one_is_enough_for_a_script(machine: Path) -> None:
    make(machine / "KanjiItalic.ttf", SAMPLES["Han"])
    (machine / "broken.ttf").write_bytes(b"no typeface")
    (machine / "LastResort.otf").write_bytes(b"")
    (machine / "readme.txt").write_text(JAPANESE, "utf-8")
    assert [it.path.name for it in load_fallback_typefaces([machine, machine / "nowhere"])] == [
        "HebrewSans.ttf",
        "Kanji.ttf",
    ]
    assert load_fallback_typefaces([machine / "nowhere"]) == ()
    assert drawable_name(JAPANESE, 1) == "#1", "what was found before is forgotten"


def test_the_folders_of_this_machine_can_be_looked_through() -> None:
    assert all(it.is_absolute() for it in system_font_folders())
    load_fallback_typefaces(system_font_folders())
    load_fallback_typefaces([])


# Names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Anna ✨", "Anna"),
        ("✨ Anna ✨ B 💥", "Anna B"),
        ("👩🏽 Anna 🇩🇪", "Anna"),
        ("1️⃣ Anna ♥️", "1 Anna"),
        ("𝓢𝓪𝓶", "Sam"),
        ("Ａｎｎａ", "Anna"),
        ("Anna・B", "AnnaB"),
        ("✨", "#5"),
        ("Zoe\u0308", "Zoë"),
    ],
)
def test_emojis_are_left_out_and_letters_of_a_special_look_are_usual_ones(name: str, shown: str) -> None:
    assert drawable_name(name, 5) == shown


def test_a_name_is_written_with_the_typefaces_of_the_machine(machine: Path) -> None:
    load_fallback_typefaces([machine])
    assert [drawable_name(it, 1) for it in (JAPANESE, "山 Anna ✨", "山ᚨ")] == [JAPANESE, "山 Anna", "#1"]
    assert [(it.face.path.stem, it.text) for it in split_into_typeface_runs("Anna, 山田 and 李 (45%)")] == [
        ("Roboto-Bold", "Anna, "),
        ("Kanji", "山田 "),
        ("Roboto-Bold", "and "),
        ("Kanji", "李 "),
        ("Roboto-Bold", "(45%)"),
    ]
    assert [(it.face.path.stem, it.text) for it in split_into_typeface_runs("x山e\u0301")] == [
        ("Roboto-Bold", "x"),
        ("Kanji", "山"),
        ("Roboto-Bold", "e\u0301"),
    ]


@shapes
def test_letters_from_right_to_left_turn_nothing_round(machine: Path) -> None:
    """The first letter of the name is the rightmost; what follows the name stands to its right."""
    load_fallback_typefaces([machine])
    name = drawable_name(HEBREW, 1)
    assert name == f"{FSI}{HEBREW}{PDI}".replace(" ", "\u00a0"), "it is not broken into two lines"
    assert [it.text for it in split_into_typeface_runs(f"Best: {name} #5422")] == [
        "Best: ",
        name.strip(FSI + PDI),
        " #5422",
    ]
    heights = [_heights(f"{FSI}{letter}{PDI}")[0] for letter in HEBREW if letter != " "]
    assert len(set(heights)) > 3
    assert _heights(name) == heights[::-1]


def _heights(said: str) -> list[int]:
    """How high the bars are in a picture of *said*, from left to right."""
    canvas = Canvas(800, 200, 1, GROUND)
    canvas.text(10, 50, said, 50, PAPER, anchor="lm")
    image = canvas.finish().convert("L").point(lambda light: 255 if light > 128 else 0)
    columns = [(image.crop((x, 0, x + 1, image.height)).getbbox() or (0, 0, 0, 0)) for x in range(image.width)]
    tall = [below - above for _, above, _, below in columns]
    return [now for before, now in pairwise([0, *tall]) if now and not before]


# What stands beside a picture


def _end(game: str, names: Mapping[int, str]) -> tuple[Table, Sheet]:
    """A finished game of people with *names*, and its table message."""
    table = finished(game)
    for seat, name in names.items():
        table = table.with_changed_player(Seat(seat), name=name)
    return table, game_over_sheet(make_scene(table, None, 1), PRESENTERS[game], words("en"))


def _texts(sheet: Sheet) -> list[str]:
    """The texts of *sheet*."""
    return [str(it["content"]) for it in walk(sheet.payload) if "content" in it]


@every_game
def test_where_a_number_stands_for_a_name_the_text_says_whom_it_means(game: str) -> None:
    """By seat, as everywhere: a place in the standings would read like a rank."""
    _, sheet = _end(game, {0: "Anna ✨", 1: "ᚨ_ᚨ"})
    assert f"-# #2: {escaped_name('ᚨ_ᚨ')}" in [line for it in _texts(sheet) for line in it.splitlines()]


@every_game
def test_else_the_picture_says_it_all(game: str) -> None:
    _, sheet = _end(game, {0: "Anna ✨"})
    assert not [it for it in _texts(sheet) if "-# #" in it]
    assert not standings.numbered_names_legend(["Anna", "Ben"], ["Anna", "Ben"])


# Names from right to left in messages


@pytest.mark.parametrize("name", ["שלום", "ريم", "Sam ש", "ש (sam_1)", "ש" * 40, "ش_*" * 12])
def test_a_name_from_right_to_left_turns_nothing_round_that_follows(name: str) -> None:
    for written in (plain_name(name), escaped_name(name)):
        assert (written[0], written[-1]) == (FSI, PDI)
        assert written.count(FSI) == written.count(PDI) == 1
    assert bold_name(name) == f"**{escaped_name(name)}**"
    assert plain_name(plain_name(name)) == plain_name(name)
    assert text_display(f"{bold_name(name)} #5422")["content"].endswith(f"{PDI}** #5422")


def test_nobody_ends_the_isolation_from_inside() -> None:
    assert plain_name(f"ש{PDI}x") == f"{FSI}שx{PDI}"
    assert FSI not in escaped_text("ש")
