"""Every message of every game keeps Discord's limits in every language, also at its longest."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.i18n import LOCALES, words
from bot.pictures import symbols
from bot.pictures.canvas import png
from bot.pictures.picture import COLOURS
from bot.present.registry import PRESENTERS
from bot.present.rules import page_text
from bot.present.sheet import Sheet, box
from bot.present.sheet import text as sheet_text
from local_discord import checks, components
from local_discord.model import MessageFlag
from tests.bot.sheets import NAMES, sheets
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_language = pytest.mark.parametrize("locale", LOCALES)


@every_game
@every_language
@pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
def test_every_message_keeps_discords_limits(game: str, locale: str, name: str) -> None:
    for sheet in sheets(game, locale, name):
        checks.check_message({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)


@every_game
@every_language
@pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
def test_every_message_keeps_discords_limits_with_drawings_too(game: str, locale: str, name: str, emojis: None) -> None:
    """Markup is longer than a text symbol: where drawings do not fit, text stands in for them."""
    for sheet in sheets(game, locale, name):
        checks.check_message({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)


@every_game
@every_language
@pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
def test_nothing_but_small_print_is_ever_left_out_r3_f5(game: str, locale: str, name: str, emojis: None) -> None:
    assert not [sheet for sheet in sheets(game, locale, name) if sheet.cut]


def test_a_sheet_cannot_be_too_long_r3_f5() -> None:
    """Discord refuses more than 4,000 characters: https://docs.discord.com/developers/components/reference."""
    news = [f"-# news {number} " + "x" * 90 for number in range(50)]
    sheet = Sheet(box([sheet_text("head"), sheet_text(*news, "whose turn")]))
    said = sheet.payload[0]["components"][1]["content"].split("\n")
    assert said[-1] == "whose turn"
    assert said[:-1] == news[-len(said) + 1 :], "the oldest go first"
    assert not sheet.cut
    huge = Sheet(sheet_text("W" * 100), box([sheet_text("<:card:123456789012345678> " * 400)]))
    assert huge.cut
    checks.check_message({"components": huge.payload}, MessageFlag.COMPONENTS_V2)
    assert not re.search(r"<:\w*(:\d*)?…", huge.payload[1]["components"][0]["content"]), "no emoji is cut in two"
    with pytest.raises(ValueError, match="41 components"):
        Sheet(*[sheet_text("x")] * 41)


@every_game
@every_language
def test_no_message_has_very_many_options_s7(game: str, locale: str) -> None:
    """119 options in one message were refused (pycord#2674)."""
    for sheet in sheets(game, locale):
        assert sum(len(c.get("options", ())) for c in components.walk(sheet.payload)) <= 60


@every_game
@every_language
def test_every_picture_is_small_and_says_what_it_shows(game: str, locale: str) -> None:
    found = {it.name: it for sheet in sheets(game, locale) for it in sheet.pictures}
    assert len(found) >= 1, "the standings at least"
    for it in found.values():
        assert len(png(it.draw(), COLOURS)) < 100_000, it.name
        assert len(it.alt) <= 1024
        assert it.alt.strip()


@every_game
@every_language
def test_a_message_without_its_pictures_is_complete(game: str, locale: str) -> None:
    """But for small print, where the text for a picture makes it too long."""
    for sheet in sheets(game, locale):
        kept = [c for c in components.walk(sheet.without_files().payload) if c["type"] != components.CONTAINER]
        whole = list(in_text(sheet))
        if sum(len(c.get("content", "")) for c in whole) > 4000:
            assert not sheet.without_files().cut
        else:
            assert kept == whole
        checks.check_message({"components": sheet.without_files().payload}, MessageFlag.COMPONENTS_V2)


def in_text(sheet: Sheet) -> Iterator[Any]:
    """The components of *sheet*, the text for a picture or a file in its place, if it has any."""
    instead = {f"attachment://{it.name}": it.instead for it in (*sheet.pictures, *sheet.documents)}
    for component in components.walk(sheet.payload):
        if component["type"] == components.GALLERY:
            yield from (sheet_text(said) for item in component["items"] if (said := instead[item["media"]["url"]]))
        elif "file" in component:
            yield sheet_text(instead[component["file"]["url"]])
        elif component["type"] != components.CONTAINER:
            yield component


def main_lines(sheet: Sheet) -> list[Any]:
    """Its controls and its texts, without the small print, which a message that is too long may lack."""
    found = [c for c in components.walk(sheet.payload) if "components" not in c]
    lines = [line for c in found for line in c.get("content", "").split("\n")]
    return [*(line for line in lines if not line.startswith("-#")), *(c for c in found if "content" not in c)]


@every_game
def test_a_message_without_its_emojis_is_the_one_in_text_symbols(game: str, emojis: None) -> None:
    """Discord may refuse emojis that it had (``Sheet.without_emojis``)."""
    drawn = sheets(game, "en")
    with symbols.as_text():
        written = sheets(game, "en")
    for with_emojis, without in zip(drawn, written, strict=True):
        assert main_lines(with_emojis.without_emojis()) == main_lines(without)


@every_game
def test_what_stands_on_a_control_in_place_of_a_drawing_is_an_emoji(game: str) -> None:
    for sheet in sheets(game, "en"):
        for component in components.walk(sheet.payload):
            for item in (component, *component.get("options", [])):
                assert "emoji" not in item or not item["emoji"]["name"].isascii(), item["emoji"]


@every_game
def test_the_longest_situations_hold_all_that_can_be_said(game: str) -> None:
    """Otherwise the tests above say nothing: a page, a lesson step, a phase of the table would not be among them."""
    said = "\n".join(
        str(c.get("content", ""))
        for sheet in sheets(game, "en")
        for c in components.walk(sheet.payload)
        if "content" in c
    )
    presenter = PRESENTERS[game]
    t = words("en")
    pages = [page_text(presenter, topic, t) for topic in presenter.topics]
    for text in (t(presenter.teaser), t(presenter.waiting), *pages):
        assert text in said, text
    for step in presenter.lesson.values():
        assert step.body in said, step.title
