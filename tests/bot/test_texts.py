"""The catalogues: complete, with the same placeholders, and with the names of commands that people see."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from bot.i18n import LOCALES, words
from bot.present.registry import PRESENTERS
from local_discord import commands
from tests import texts
from tests.discord.play import open_club
from tests.games import ANY, CASES
from tests.texts import forms

SOURCE = list(texts.messages(texts.source()))
COMMANDS = [str(text.id) for text in SOURCE if re.fullmatch(r"/\w+", str(text.id))]

about_every_game = pytest.mark.about(*CASES)
"""Every game has texts in every catalogue."""


@about_every_game
@pytest.mark.parametrize("locale", texts.languages())
def test_a_catalogue_has_every_text_and_no_other(locale: str) -> None:
    """As ``make check`` says it; the texts of games that are drafts may still be English."""
    assert texts.check(texts.load(locale), SOURCE, texts.drafts()).faults == [], "run make texts, then translate"


@pytest.mark.parametrize("locale", LOCALES)
def test_no_line_breaks_between_a_number_and_its_percent_sign(locale: str) -> None:
    """Where the language puts a space there, it is one at which no line breaks."""
    catalog = SOURCE if locale == "en" else list(texts.messages(texts.load(locale)))
    said = [form for message in catalog for form in forms(message.id if locale == "en" else message.string)]
    assert [it for it in said if re.search(r"[\d}] %", it)] == []
    assert any(re.search("}\u00a0?%", it) for it in said)


def test_the_texts_are_found_where_they_are() -> None:
    files = {file for text in SOURCE for file, _ in text.locations}
    assert {"bot/present/presenter.py", "cogs/play.py"} <= files
    assert not [file for file in files if not Path(texts.ROOT, file).is_file()]


@pytest.mark.parametrize("game", sorted(CASES))
def test_the_texts_of_a_game_are_found_where_they_are(game: str) -> None:
    assert [file for text in SOURCE for file, _ in text.locations if file.startswith(f"bot/present/games/{game}/")]


# The check itself


def catalogue(*translated: tuple[str | tuple[str, ...], str | tuple[str, ...]], fuzzy: str = "") -> Catalog:
    """A German catalogue of (English, German)."""
    catalog = Catalog(locale="de")
    for english, german in translated:
        catalog.add(english, german, flags=["fuzzy"] if english == fuzzy else [])
    return catalog


def code(**folders: str) -> Catalog:
    """The texts of a program: by the file's path with ``__`` for ``/``."""
    catalog = Catalog()
    for file, text in folders.items():
        catalog.add(text, locations=[(f"{file.replace('__', '/')}.py", 1)])
    return catalog


def checked(catalog: Catalog, source: Catalog) -> texts.Checked:
    return texts.check(catalog, texts.messages(source), frozenset({"zebra"}))


def test_what_is_missing_unused_or_a_guess_is_a_fault() -> None:
    source = code(bot__a="One", bot__b="Two", bot__c="Three")
    found = checked(catalogue(("One", ""), ("Two", "Zwei"), ("Three", "Drei"), ("Four", "Vier"), fuzzy="Two"), source)
    assert (found.missing, found.fuzzy, found.unused, found.drafts) == (("One",), ("Two",), ("Four",), {})
    assert found.faults == ["not translated: 'One'", "not in the code: 'Four'", "fuzzy: 'Two'"]
    assert checked(catalogue(("Two", "Zwei")), code(bot__a="One", bot__b="Two")).missing == ("One",)


def test_a_plural_without_one_of_its_forms_is_missing() -> None:
    source = Catalog()
    source.add(("{n} card", "{n} cards"), locations=[("bot/a.py", 1)])
    assert not checked(catalogue((("{n} card", "{n} cards"), ("{n} Karte", "{n} Karten"))), source).faults
    half = checked(catalogue((("{n} card", "{n} cards"), ("{n} Karte", ""))), source)
    assert (half.missing, half.misfilled) == (("{n} card",), ())
    single = checked(catalogue(("{n} card", "{n} Karte")), source)
    assert (single.missing, single.unused) == (("{n} card",), ("{n} card",))


def test_placeholders_must_be_the_same_in_every_form() -> None:
    source = Catalog()
    source.add(("{n} card of {name}", "{n} cards of {name}"), locations=[("bot/a.py", 1)])
    for wrong in ("{n} Karten", "{n} Karten von {nam}", "{n} Karten von {name} {x}"):
        translated = ("{n} Karte von {name}", wrong)
        found = checked(catalogue((("{n} card of {name}", "{n} cards of {name}"), translated)), source)
        assert found.faults == ["other placeholders: '{n} card of {name}'"]


def test_a_draft_may_be_untranslated_but_not_what_others_say_too() -> None:
    source = code(
        bot__present__games__zebra__board="Stripes",
        bot__present__games__zebra__hand="Hooves",
        bot__present__games__horse__board="Manes",
        bot__present__menu="Menu",
    )
    source.add("Manes", locations=[("bot/present/games/zebra/board.py", 9)])
    source.add("Menu", locations=[("bot/present/games/zebra/board.py", 10)])
    found = checked(catalogue(("Stripes", "Streifen"), ("Hooves", "")), source)
    assert found.missing == ("Manes", "Menu")
    assert found.drafts == {"zebra": 1}
    assert checked(catalogue(), source).drafts == {"zebra": 2}


@pytest.mark.about(ANY)
def test_a_draft_is_a_game_whose_presenter_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "PRESENTERS", {ANY: replace(PRESENTERS[ANY], draft=True)})
    assert texts.drafts() == {ANY}
    monkeypatch.setattr(texts, "PRESENTERS", {ANY: replace(PRESENTERS[ANY], draft=False)})
    assert texts.drafts() == frozenset()


@about_every_game
def test_the_report_names_language_and_text_and_says_whether_all_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    assert texts.report(said.append)
    assert not [line for line in said if "draft" not in line]
    monkeypatch.setattr(texts, "load", lambda locale: Catalog(locale=locale))
    assert not texts.report(said.append)
    assert "de: not translated: 'Join'\n" in said


# Commands


def test_four_languages() -> None:
    assert set(LOCALES) >= {"en", "de", "it", "nl"}


@about_every_game
@pytest.mark.parametrize("locale", texts.languages())
def test_texts_name_commands_as_people_of_that_language_see_them(locale: str) -> None:
    """Discord shows the translated names: a text that says another one sends people looking in vain."""
    t = words(locale)
    names = {command: t(command) for command in COMMANDS}
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
    assert names == set(COMMANDS)
