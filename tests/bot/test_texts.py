"""The catalogues: complete, with the same placeholders, and with the names of commands that people see."""

import re
from pathlib import Path

import pytest

from bot.i18n import LOCALES, words
from local_discord import commands
from tests import texts
from tests.discord.play import open_club
from tests.games import ANY, CASES
from tests.texts import forms


def commands_named() -> set[str]:
    """The names of commands that stand in the code."""
    return {str(text.id) for text in texts.written() if re.fullmatch(r"/\w+", str(text.id))}


about_every_game = pytest.mark.about(*CASES)
"""Every game has texts in every catalogue."""


@about_every_game
@pytest.mark.parametrize("locale", texts.languages())
def test_a_catalogue_has_every_text_and_no_other(locale: str) -> None:
    """As ``make check`` says it; the texts of games that are drafts may still be English."""
    assert texts.check(texts.load(locale), texts.written(), texts.drafts()).faults == [], (
        "run make texts, then translate"
    )


@pytest.mark.parametrize("locale", LOCALES)
def test_no_line_breaks_between_a_number_and_its_percent_sign(locale: str) -> None:
    """Where the language puts a space there, it is one at which no line breaks."""
    catalog = texts.written() if locale == "en" else list(texts.messages(texts.load(locale)))
    said = [form for message in catalog for form in forms(message.id if locale == "en" else message.string)]
    assert [it for it in said if re.search(r"[\d}] %", it)] == []
    assert any(re.search("}\u00a0?%", it) for it in said)


def test_the_texts_are_found_where_they_are() -> None:
    files = {file for text in texts.written() for file, _ in text.locations}
    assert {"bot/present/presenter.py", "cogs/play.py"} <= files
    assert not [file for file in files if not Path(texts.ROOT, file).is_file()]


@pytest.mark.parametrize("game", sorted(CASES))
def test_the_texts_of_a_game_are_found_where_they_are(game: str) -> None:
    assert [
        file for text in texts.written() for file, _ in text.locations if file.startswith(f"bot/present/games/{game}/")
    ]


# The check itself


# Commands


def test_four_languages() -> None:
    assert set(LOCALES) >= {"en", "de", "it", "nl"}


@about_every_game
@pytest.mark.parametrize("locale", texts.languages())
def test_texts_name_commands_as_people_of_that_language_see_them(locale: str) -> None:
    """Discord shows the translated names: a text that says another one sends people looking in vain."""
    t = words(locale)
    names = {command: t(command) for command in commands_named()}
    for message in texts.messages(texts.load(locale)):
        if message.id not in names:
            mentioned = [word for form in forms(message.id) for word in re.findall(r"(?<!\w)/\w+", form)]
            for form in filter(None, forms(message.string)):
                assert re.findall(r"(?<!\w)/\w+", form) == [names[word] for word in mentioned], form


@pytest.mark.about(ANY)
async def test_the_commands_are_registered_in_every_language(tmp_path: Path) -> None:
    async with open_club(tmp_path, ANY) as club:
        registered = next(r.json for r in club.env.http_requests if r.method == "PUT" and r.path.endswith("/commands"))
    commands.check(registered)
    by_name = {command["name"]: command for command in registered}
    told = {"help", "learn", "privacy", "profile", "leaderboard", "replay", "verify"}
    owners = {"settings", "doctor", "tables"}
    assert set(by_name) == {"play", "table", "rules", "language", "me", *told, *owners}
    assert by_name["play"]["name_localizations"] == {"de": "spielen", "it": "gioca", "nl": "spelen"}
    names = set()
    for command in registered:
        for item in (command, *command.get("options", [])):
            names.add("/" + item["name"])
            assert set(item["description_localizations"]) == {"de", "it", "nl"}
    assert names == commands_named()
