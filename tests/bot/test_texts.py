"""The catalogues: complete, with the same placeholders, with the names of commands that people see; plural forms."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from bot.i18n import LOCALES, Words, read_catalogue, words
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
    assert {"bot/ui/presenter.py", "cogs/play.py"} <= files
    assert not [file for file in files if not Path(texts.ROOT, file).is_file()]


@pytest.mark.parametrize("game", sorted(CASES))
def test_the_texts_of_a_game_are_found_where_they_are(game: str) -> None:
    assert [file for text in texts.written() for file, _ in text.locations if file.startswith(f"bot/ui/games/{game}/")]


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
    commands.parse_commands(registered)
    by_name = {command["name"]: command for command in registered}
    told = {"help", "learn", "privacy", "profile", "leaderboard", "replay", "verify"}
    owners = {"settings", "doctor", "tables"}
    assert set(by_name) == {"play", "daily", "table", "rules", "language", "me", *told, *owners}
    assert by_name["play"]["name_localizations"] == {"de": "spielen", "it": "gioca", "nl": "spelen"}
    names = set()
    for command in registered:
        for item in (command, *command.get("options", [])):
            names.add("/" + item["name"])
            assert set(item["description_localizations"]) == {"de", "it", "nl"}
    assert names == commands_named()


# Words of a language: its own plural rule, and English where it says nothing.

CARD = ("{n} card", "{n} cards")
OF = ("{n} card of {name}", "{n} cards of {name}")


def written(folder: Path, catalog: Catalog) -> Words:
    """*catalog* as a file in *folder*, read by the program."""
    path = folder / str(catalog.locale) / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, catalog)
    return read_catalogue(str(catalog.locale), folder)


@pytest.fixture
def polish(tmp_path: Path) -> Words:
    """Three forms: 1; 2 to 4, but not 12 to 14; everything else."""
    catalog = Catalog(locale="pl")
    catalog.add(CARD, ("{n} karta", "{n} karty", "{n} kart"))
    catalog.add(OF, ("{n} karta gracza {name}", "{n} karty gracza {name}", ""))
    catalog.add("Join", "Dołącz")
    catalog.add("Leave", "Wyjdź", flags=["fuzzy"])
    return written(tmp_path, catalog)


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "0 kart"), (1, "1 karta"), (2, "2 karty"), (4, "4 karty"), (5, "5 kart"), (12, "12 kart"),
        (14, "14 kart"), (21, "21 kart"), (22, "22 karty"), (25, "25 kart"), (102, "102 karty"), (112, "112 kart"),
    ],
)  # fmt: skip
def test_every_form_of_a_language_is_used(polish: Words, n: int, said: str) -> None:
    assert polish.plural(*CARD, n) == said


def test_what_is_missing_unsure_or_lacks_a_form_stays_english(polish: Words) -> None:
    assert (polish("Join"), polish("Leave"), polish("Menu")) == ("Dołącz", "Leave", "Menu")
    assert [polish.plural(*OF, n, name="Ada") for n in (1, 2, 5)] == [
        "1 card of Ada",
        "2 cards of Ada",
        "5 cards of Ada",
    ]


def test_a_language_with_one_form_has_one(tmp_path: Path) -> None:
    catalog = Catalog(locale="ja")
    catalog.add(CARD, ("カード{n}枚",))
    japanese = written(tmp_path, catalog)
    assert [japanese.plural(*CARD, n) for n in (0, 1, 2)] == ["カード0枚", "カード1枚", "カード2枚"]


def test_the_catalogue_says_which_rule_holds(tmp_path: Path) -> None:
    """Its header wins over what Babel knows of the language."""
    catalog = Catalog(locale="de")
    catalog.mime_headers = [("Plural-Forms", "nplurals=2; plural=(n > 1);")]
    catalog.add(CARD, ("{n} Karte", "{n} Karten"))
    assert written(tmp_path, catalog).plural(*CARD, 0) == "0 Karte"


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", ["0 cards", "1 card", "2 cards"]),
        ("de", ["0 Karten", "1 Karte", "2 Karten"]),
        ("it", ["0 carte", "1 carta", "2 carte"]),
        ("nl", ["0 kaarten", "1 kaart", "2 kaarten"]),
        ("tlh", ["0 cards", "1 card", "2 cards"]),
    ],
)
def test_the_languages_there_are(locale: str, said: list[str]) -> None:
    assert [words(locale).plural(*CARD, n) for n in (0, 1, 2)] == said


def test_in_a_sentence_a_language_is_called_as_the_reader_calls_it() -> None:
    assert [words(locale).translate_language_name("de") for locale in ("en", "de", "it", "nl")] == [
        "German",
        "Deutsch",
        "tedesco",
        "Duits",
    ]


def test_a_list_of_names_is_joined_as_the_language_does() -> None:
    assert words("en-US").list_and(["A", "B", "C"]) == "A, B, and C"
    assert words("de").list_and(["A", "B", "C"]) == "A, B und C"


@pytest.mark.parametrize(("own", "client"), [(own, client) for own in LOCALES for client in LOCALES if own != client])
def test_commands_are_called_as_the_readers_discord_calls_them(own: str, client: str) -> None:
    """Whatever language the texts are in: no other name works there."""

    def named(text: str) -> list[str]:
        return sorted(re.findall(r"(?<![\w/<])/(\w+)", text))

    texts, theirs = words(own).with_client_commands(words(client)), words(client)
    found = 0
    for english in words("de")._texts:
        if "/" in english and "{" not in english and " " in english:
            assert set(named(texts(english))) == set(named(theirs(english))), english
            found += bool(named(english))
    assert found > 20
    assert words(own).with_client_commands(words(own))("Open a table with /play.") == words(own)(
        "Open a table with /play."
    )


def test_subcommands_are_called_so_too_and_what_is_none_stays() -> None:
    german = words("de").with_client_commands(words("en"))
    assert "**/table leave** und **/table return**" in german(
        "**/table leave** and **/table return**: a computer player keeps your seat while you are away."
    )
    assert words("en").with_client_commands(words("de"))("With /play again, or n/a.") == "With /spielen again, or n/a."
