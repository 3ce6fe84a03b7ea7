"""Words of a language: its own plural rule, and English where it says nothing."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from bot.i18n import LOCALES, Words, read, words

CARD = ("{n} card", "{n} cards")
OF = ("{n} card of {name}", "{n} cards of {name}")


def written(folder: Path, catalog: Catalog) -> Words:
    """*catalog* as a file in *folder*, read by the program."""
    path = folder / str(catalog.locale) / "LC_MESSAGES" / "messages.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, catalog)
    return read(str(catalog.locale), folder)


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


def test_a_list_of_names_is_joined_as_the_language_does() -> None:
    assert words("en-US").all_of(["A", "B", "C"]) == "A, B, and C"
    assert words("de").all_of(["A", "B", "C"]) == "A, B und C"


@pytest.mark.parametrize(("own", "client"), [(own, client) for own in LOCALES for client in LOCALES if own != client])
def test_commands_are_called_as_the_readers_discord_calls_them(own: str, client: str) -> None:
    """Whatever language the texts are in: no other name works there."""

    def named(text: str) -> list[str]:
        return sorted(re.findall(r"(?<![\w/<])/(\w+)", text))

    texts, theirs = words(own).commanding(words(client)), words(client)
    found = 0
    for english in words("de")._texts:
        if "/" in english and "{" not in english and " " in english:
            assert set(named(texts(english))) == set(named(theirs(english))), english
            found += bool(named(english))
    assert found > 20
    assert words(own).commanding(words(own))("Open a table with /play.") == words(own)("Open a table with /play.")


def test_subcommands_are_called_so_too_and_what_is_none_stays() -> None:
    german = words("de").commanding(words("en"))
    assert "**/table leave** und **/table return**" in german(
        "**/table leave** and **/table return**: a computer player keeps your seat while you are away."
    )
    assert words("en").commanding(words("de"))("With /play again, or n/a.") == "With /spielen again, or n/a."
