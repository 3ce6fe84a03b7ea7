"""The rules of a game: a message that shows one page at a time."""

from collections.abc import Sequence

from bot.i18n import Words
from bot.ui.components import (
    NO_TABLE,
    WORD_JOINER,
    SelectOption,
    Sheet,
    action_row,
    button,
    container,
    media_gallery,
    string_select,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.presenter import FAIR_SHUFFLING_PAGE, AnyPresenter, RulesPage
from bot.ui.registry import PRESENTERS


def rules_page_sheet(game: str, topic: str | None, words: Words, deal_lines: Sequence[str] = ()) -> Sheet:
    """Build the message with page *topic* of *game*'s rules (else the first page), a select of all pages and buttons
    for the pages before and after it; *deal_lines* go on the page about fair shuffling.

    *deal_lines* is what people can note about the deal at a table (``dealing.deal_verification_lines``).
    """
    presenter = PRESENTERS[game]
    page = next((page for page in presenter.rules_pages if page.key == topic), presenter.rules_pages[0])
    shown = page.picture(words) if page.picture is not None else None
    pages = list(presenter.rules_pages)
    number = pages.index(page)
    beside = [(words("Previous page"), pages[number - 1])] if number else []
    beside += [(words("Next page"), pages[number + 1])] if page is not pages[-1] else []
    turns = [button(label, Verb.TOPIC, NO_TABLE, arg=f"{game}.{other.key}") for label, other in beside]
    choices = [
        SelectOption(f"{game}.{other.key}", words(other.title), other is page) for other in presenter.rules_pages
    ]
    return Sheet(
        container(
            [
                text_display(
                    f"## {words(presenter.title)} · {words(page.title)}", rules_page_text(presenter, page, words)
                ),
                *([media_gallery(shown)] if shown else []),
                *(
                    [text_display(words("**At this table**"), *deal_lines)]
                    if deal_lines and page is FAIR_SHUFFLING_PAGE
                    else []
                ),
                action_row(string_select(Verb.TOPIC, NO_TABLE, words("Another page"), choices)),
                *([action_row(*turns)] if turns else []),
            ],
            presenter.accent,
        ),
        pictures=[shown] if shown else (),
    )


def rules_page_text(presenter: AnyPresenter, page: RulesPage, words: Words) -> str:
    """Return the text of *page* in the reader's language; symbols of cards and tokens replace its placeholders, such as
    ``{victory}``."""
    return words(page.body, **presenter.drawings.symbols).replace("×", f"{WORD_JOINER}×")
