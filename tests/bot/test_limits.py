"""Every message of every game keeps Discord's limits in every language, also at its longest; so do profiles."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.i18n import LOCALES, words
from bot.stats.profiles import Leaderboard, LeaderboardEntry, Partner, Profile
from bot.stats.ratings import Rating
from bot.ui.components import Sheet, container
from bot.ui.components import text_display as sheet_text
from bot.ui.pictures import ratings, symbols
from bot.ui.pictures.canvas import png_bytes
from bot.ui.pictures.drawings import COLOURS
from bot.ui.profile import confirm_rating_deletion_sheet, leaderboard_sheet, leaderboard_switch_sheet, profile_sheet
from bot.ui.registry import PRESENTERS
from bot.ui.rules import rules_page_text
from engine.registry import GAMES
from engine.tallies import PLAYED, WON
from local_discord import checks, components
from local_discord.model import MessageFlag
from tests.bot.sheets import NAMES, sheets
from tests.games import ANY, CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_language = pytest.mark.parametrize("locale", LOCALES)


@every_game
@every_language
@pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
def test_every_message_keeps_discords_limits(game: str, locale: str, name: str) -> None:
    for sheet in sheets(game, locale, name):
        checks.parse_message_draft({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)


@every_game
@every_language
@pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
def test_every_message_keeps_discords_limits_with_drawings_too(game: str, locale: str, name: str, emojis: None) -> None:
    """Markup is longer than a text symbol: where drawings do not fit, text stands in for them."""
    for sheet in sheets(game, locale, name):
        checks.parse_message_draft({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)


@every_game
@every_language
@pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
def test_nothing_but_small_print_is_ever_left_out(game: str, locale: str, name: str, emojis: None) -> None:
    assert not [sheet for sheet in sheets(game, locale, name) if sheet.cut]


def test_a_sheet_cannot_be_too_long() -> None:
    """Discord refuses more than 4,000 characters: https://docs.discord.com/developers/components/reference."""
    news = [f"-# news {number} " + "x" * 90 for number in range(50)]
    sheet = Sheet(container([sheet_text("head"), sheet_text(*news, "whose turn")]))
    said = sheet.payload[0]["components"][1]["content"].split("\n")
    assert said[-1] == "whose turn"
    assert said[:-1] == news[-len(said) + 1 :], "the oldest go first"
    assert not sheet.cut
    huge = Sheet(sheet_text("W" * 100), container([sheet_text("<:card:123456789012345678> " * 400)]))
    assert huge.cut
    checks.parse_message_draft({"components": huge.payload}, MessageFlag.COMPONENTS_V2)
    assert not re.search(r"<:\w*(:\d*)?…", huge.payload[1]["components"][0]["content"]), "no emoji is cut in two"
    with pytest.raises(ValueError, match="41 components"):
        Sheet(*[sheet_text("x")] * 41)


@every_game
@every_language
def test_no_message_has_more_than_sixty_options(game: str, locale: str) -> None:
    """119 options in one message were refused (pycord#2674)."""
    for sheet in sheets(game, locale):
        assert sum(len(c.get("options", ())) for c in components.walk(sheet.payload)) <= 60


@every_game
@every_language
def test_every_picture_is_small_and_says_what_it_shows(game: str, locale: str) -> None:
    found = {it.name: it for sheet in sheets(game, locale) for it in sheet.pictures}
    assert len(found) >= 1, "the standings at least"
    for it in found.values():
        assert len(png_bytes(it.draw(), COLOURS)) < 100_000, it.name
        assert len(it.alt) <= 1024
        assert it.alt.strip()


@every_game
@every_language
def test_a_message_without_its_pictures_is_complete(game: str, locale: str) -> None:
    """But for small print, where the text for a picture makes it too long."""
    for sheet in sheets(game, locale):
        kept = [
            c for c in components.walk(sheet.replace_files_with_text().payload) if c["type"] != components.CONTAINER
        ]
        whole = list(in_text(sheet))
        if sum(len(c.get("content", "")) for c in whole) > 4000:
            assert not sheet.replace_files_with_text().cut
        else:
            assert kept == whole
        checks.parse_message_draft({"components": sheet.replace_files_with_text().payload}, MessageFlag.COMPONENTS_V2)


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
    """Discord may refuse emojis that it had (``Sheet.copy_with_emojis_as_text``)."""
    drawn = sheets(game, "en")
    with symbols.text_symbols_only():
        written = sheets(game, "en")
    for with_emojis, without in zip(drawn, written, strict=True):
        assert main_lines(with_emojis.copy_with_emojis_as_text()) == main_lines(without)


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
    pages = [rules_page_text(presenter, topic, t) for topic in presenter.rules_pages]
    for text in (t(presenter.teaser), t(presenter.waiting_text), *pages):
        assert text in said, text
    for step in presenter.lesson.values():
        assert step.body in said, step.title


# Profiles and leaderboards at their longest, in every language: they keep Discord's limits and say what they must.

CERTAIN = Rating(30.0, 1.0, 98_765)
COURSE = tuple(Rating(20.0 + n % 7 + n / 10, 2.0, 0) for n in range(60))
every_name = pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
every_known_game = pytest.mark.parametrize("game", sorted(GAMES))


def longest(name: str) -> dict[str, Profile]:
    """Of every game as much as there can be."""
    partners = [Partner(name, 12_345)] * 3
    return {
        game: Profile(dict.fromkeys((PLAYED, WON, *case.counts), 987_654), partners, CERTAIN, COURSE)
        for game, case in CASES.items()
    }


def said(sheet: Sheet) -> str:
    return str(sheet.payload)


def check(sheet: Sheet) -> None:
    """It keeps Discord's limits, as it is and without files, and nothing is cut."""
    for each in (sheet, sheet.replace_files_with_text()):
        checks.parse_message_draft({"components": each.payload}, MessageFlag.COMPONENTS_V2)
        assert not each.cut


@every_language
@every_name
@every_known_game
def test_a_profile_keeps_discords_limits(locale: str, name: str, game: str) -> None:
    t = words(locale)
    for rated in (None, False, True):
        for asks in (False, True):
            check(profile_sheet(longest(name), game, rated, t, asks=asks))
            check(profile_sheet({}, game, rated, t, asks=asks))
    check(confirm_rating_deletion_sheet(t))


@every_language
@every_name
@every_known_game
def test_a_leaderboard_keeps_discords_limits(locale: str, name: str, game: str) -> None:
    t = words(locale)
    top = [LeaderboardEntry(place, place, name, CERTAIN) for place in range(1, 21)]
    check(leaderboard_sheet(game, Leaderboard(top, LeaderboardEntry(99_999, 99_999, name, CERTAIN)), t))
    for on in (False, True):
        for manager in (False, True):
            check(leaderboard_switch_sheet(on, t, manager=manager))


@every_known_game
def test_everything_that_is_counted_has_a_label(game: str) -> None:
    assert set(PRESENTERS[game].count_labels) == set(CASES[game].counts)


@pytest.mark.about(ANY)
def test_an_uncertain_rating_says_so_and_none_too() -> None:
    t = words("en")
    uncertain = {ANY: Profile({PLAYED: 1}, (), Rating(25.0, 3.0, 1))}
    assert "still uncertain after 1 game." in said(profile_sheet(uncertain, ANY, True, t))
    assert "No rating yet" in said(profile_sheet({ANY: Profile({PLAYED: 1})}, ANY, True, t))


@pytest.mark.parametrize("values", [[5, 5, 5], [1, 2, 3], [900, 0, 2000, 1999], list(range(1000, 1060))])
def test_ratings_can_be_drawn_whatever_they_are(values: list[int]) -> None:
    file = png_bytes(ratings.draw_ratings_chart(values), COLOURS)
    assert len(file) < 100_000
