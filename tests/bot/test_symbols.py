"""The rules show cards and tokens as the table does: drawn, or as text where Discord has no drawings."""

import re
from collections.abc import Iterator

import pytest

from bot.delivery.emojis import emoji_drawings
from bot.i18n import LOCALES, words
from bot.ui.pictures import symbols
from bot.ui.pictures.symbols import Emoji
from bot.ui.registry import PRESENTERS
from bot.ui.rules import rules_page_sheet
from local_discord import components

PLACEHOLDER = re.compile(r"\{([a-z]\w*)\}")
PAGES = [
    (game, topic)
    for game, presenter in PRESENTERS.items()
    for topic in presenter.rules_pages
    if PLACEHOLDER.search(topic.body)
]

every_page_with_symbols = pytest.mark.parametrize(("game", "topic"), PAGES, ids=[f"{g}-{t.key}" for g, t in PAGES])


@pytest.fixture
def emojis() -> Iterator[None]:
    """Discord has every drawing."""
    symbols.set_application_emojis(
        {key: Emoji(drawing.name, 2**62 + n) for n, (key, drawing) in enumerate(emoji_drawings().items())}
    )
    yield
    symbols.set_application_emojis({})


def said(game: str, key: str, locale: str) -> str:
    """The text of a page."""
    found = components.walk(rules_page_sheet(game, key, words(locale)).payload)
    return "\n".join(str(c["content"]) for c in found if "content" in c)


@every_page_with_symbols
@pytest.mark.parametrize("locale", LOCALES)
def test_a_page_shows_the_drawn_symbols_of_the_table(game: str, topic: object, locale: str, emojis: None) -> None:
    page = next(it for it in PRESENTERS[game].rules_pages if it is topic)
    shown = set(re.findall(r"<:(\w+):\d+>", said(game, page.key, locale)))
    drawings = PRESENTERS[game].drawings
    assert shown == {drawings.emoji_name(drawings.symbols[name].key) for name in PLACEHOLDER.findall(page.body)}


@every_page_with_symbols
@pytest.mark.parametrize("locale", LOCALES)
def test_without_drawings_a_page_shows_their_text_symbols(game: str, topic: object, locale: str) -> None:
    page = next(it for it in PRESENTERS[game].rules_pages if it is topic)
    text = said(game, page.key, locale)
    for name in PLACEHOLDER.findall(page.body):
        assert PRESENTERS[game].drawings.symbols[name].text in text


@pytest.mark.parametrize("game", sorted(PRESENTERS))
@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_has_a_text_symbol_of_its_own(game: str, locale: str) -> None:
    """They would stay as they are at a table where everything is drawn."""
    t = words(locale)
    drawings = PRESENTERS[game].drawings.symbols
    blank = dict.fromkeys(drawings, "")
    for topic in PRESENTERS[game].rules_pages:
        text = t(topic.body, **blank)
        assert not [it.text for it in drawings.values() if not it.text.isascii() and it.text in text], topic.key
