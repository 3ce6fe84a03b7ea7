"""The review of a finished game: the list of games, one game as a whole, and each of its moments."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from discord import ButtonStyle

from bot.daily.days import day_of_deal, deal_time_ms
from bot.i18n import N_, Words
from bot.review.coach import GameReview, ImportantMoment
from bot.review.moments import GameSummary, OpenMoment, ReviewPage
from bot.tables.model import TableId
from bot.tables.scene import AnyScene
from bot.ui import advice, coach
from bot.ui.components import (
    COLOUR_INACTIVE,
    COLOUR_WARNING,
    NO_TABLE,
    Component,
    Document,
    SelectOption,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    file_component,
    plain_name,
    printable_line,
    string_select,
    text_and_picture,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.dealing import DEAL_CODE, SHUFFLE_CODE, short_code
from bot.ui.end_message import standings_lines, tie_break_line, winner_line
from bot.ui.hints import COACH_SYMBOL
from bot.ui.pictures import symbols
from bot.ui.pictures.symbols import Symbol
from bot.ui.players import seat_handover_line
from bot.ui.presenter import FAIR_SHUFFLING_PAGE, AnyPresenter
from bot.ui.registry import PRESENTERS
from engine.record import Record, encode_record
from engine.registry import GAMES
from engine.verify import SAFE_CODE_DIGITS, Difference, NotesMismatch, Remark, Verdict

# Messages about the record of a game: whether it is valid, and the record itself, as a file.


REMARKS: Final = {
    Remark.NOBODY_CUT: N_(
        "Nobody cut the deck. Next time, cut: then a word or phrase of your own takes part in the shuffle."
    ),
}
"""Remarks on what a valid record does not prove."""
NOTED_REMARKS: Final = {
    Remark.NOT_NOTED: N_(
        "Shuffle code, deal code and table message were not all compared with what you noted. Whoever hosts the bot "
        "could have made up the rest afterwards."
    ),
    Remark.FEW_DIGITS: N_("You gave fewer than {digits} digits of a code: another code may begin with the same ones."),
}
"""Remarks on what it does not prove because the player noted too little."""
DAY_REMARKS: Final = {
    **NOTED_REMARKS,
    Remark.NOT_NOTED: N_(
        "Shuffle code, deal code and day were not all compared with what you noted. Whoever hosts the bot could have "
        "made up the rest afterwards."
    ),
}
"""All remarks on the deal of a day: nobody can cut there."""
DIFFERENCES: Final = {
    Difference.SHUFFLE_CODE: N_("The shuffle code of this game is {found}. You noted {noted}."),
    Difference.DEAL_CODE: N_("The deal code of this game is {found}. You noted {noted}."),
    Difference.MESSAGE: N_("The table message of this game is {found}. You noted {noted}."),
    Difference.CUT: N_("Nobody cut with the word or phrase {noted}."),
}
"""Sentences for differences between a valid record and what a person noted."""
DAY_DIFFERENCE: Final = N_("The day of this deal is {found}. You noted {noted}.")
"""The sentence for another message in the deal of a day."""
MOST_SHOWN: Final = 400
"""The most characters of a record's error that are shown."""


def game_record_json_file(record: Record, table: TableId, words: Words) -> Document:
    """The *record* of a game as a JSON file, named after the game, its day and the *table*."""
    day = f"{datetime.fromtimestamp(deal_time_ms(record) / 1000, UTC):%Y-%m-%d}"
    return Document(
        f"{record.deal.game}-{day}-{table}.json", encode_record(record), words("I may not send files here.")
    )


def deal_check_passed_sheet(
    scene: AnyScene, record: Record, verdict: Verdict, words: Words, own: Collection[str]
) -> Sheet:
    """Build the message after a finished game's deal was checked and is right: what is proven, the codes to compare,
    and for who played (*own*) the record as a file.

    A person who played also gets the *record* as a file. *own* are their ids in the record; empty: they did not play.
    """
    lines = [words("### The deal is checked"), *_record_proof_lines(record, verdict, words)]
    if day_of_deal(record.deal) is None:
        lines += [words(REMARKS[remark]) for remark in verdict.remarks if remark in REMARKS]
    lines.append(words("Compare these with what you noted during the game:"))
    lines += _deal_code_lines(record, verdict, words)
    items: list[Component] = [text_display(*lines)]
    documents = []
    if own:
        documents.append(game_record_json_file(record, scene.table, words))
        items += [
            text_display(
                words(
                    "The record holds all of it. **/verify** compares your word or phrase, too; so can any other"
                    " program."
                )
            ),
            file_component(documents[0]),
            text_display("-# " + words("In the record you are {id}.", id=words.list_and([f"`{it}`" for it in own]))),
        ]
    items.append(
        action_row(button(words(FAIR_SHUFFLING_PAGE.title), Verb.RULES, scene.table, arg=FAIR_SHUFFLING_PAGE.key))
    )
    return Sheet(container(items), documents=documents)


def deal_check_failed_sheet(words: Words) -> Sheet:
    """The message when the deal of a finished game cannot be checked: its record is damaged or was changed."""
    return Sheet(
        container(
            [
                text_display(
                    words("### The deal does not check out"),
                    words("❌ The record of this game is not consistent: it was damaged or changed."),
                )
            ]
        )
    )


def record_verified_sheet(record: Record, verdict: Verdict, words: Words, *, compared: bool) -> Sheet:
    """Build the message of /verify for a valid *record*: what is proven, which game, what it does not prove, and
    (*compared*) that it matches the person's notes."""
    deal, title = record.deal, words(PRESENTERS[record.deal.game].title)
    lines = [words("### The record checks out"), *_record_proof_lines(record, verdict, words)]
    if compared:
        lines.append(words("✅ It matches what you noted."))
    players = words.plural("{n} player", "{n} players", len(deal.seats))
    lines.append(f"**{title}** · {players} · <t:{deal_time_ms(record) // 1000}:f>")
    lines += _deal_code_lines(record, verdict, words)
    remarks = {**REMARKS, **NOTED_REMARKS} if day_of_deal(deal) is None else DAY_REMARKS
    shown = [remarks[remark] for remark in verdict.remarks if remark in remarks]
    lines += ["⚠️ " + words(remark, digits=SAFE_CODE_DIGITS) for remark in shown]
    return Sheet(container([text_display(*lines)]))


def invalid_record_sheet(error: str, words: Words) -> Sheet:
    """The message of /verify for an invalid record; *error* says in one line of English what is wrong and where.

    *error* may quote anything from the file.
    """
    return Sheet(
        container(
            [text_display(words("### The record does not check out"), f"```\n{escape_for_code_block(error)}\n```")],
            COLOUR_WARNING,
        )
    )


def record_differs_from_notes_sheet(record: Record, verdict: Verdict, difference: NotesMismatch, words: Words) -> Sheet:
    """Build the message of /verify for a valid *record* that differs from the person's notes (*difference*): what
    differs, and what is proven all the same (*verdict*)."""
    title = words("### This record does not match what you noted")
    day = day_of_deal(record.deal) if difference.what is Difference.MESSAGE else None
    found, noted = (f"`{escape_for_code_block(it)}`" for it in (day or difference.found, difference.noted))
    said = words(DAY_DIFFERENCE if day else DIFFERENCES[difference.what], found=found, noted=noted)
    lines = [title, f"❌ {said}", words("The record itself checks out:")]
    lines += [*_record_proof_lines(record, verdict, words), *_deal_code_lines(record, verdict, words)]
    return Sheet(container([text_display(*lines)], COLOUR_WARNING))


def unreadable_record_sheet(error: str, words: Words) -> Sheet:
    """The message of /verify for a file that is no record, or of an unknown kind; *error* is one line of English.

    *error* may quote anything from the file.
    """
    title = words("### I cannot read this file as a record")
    where = words("When a game you played is over, **{Check the deal}** gives you its record.")
    return Sheet(container([text_display(title, f"```\n{escape_for_code_block(error)}\n```", where)], COLOUR_WARNING))


def escape_for_code_block(line: str) -> str:
    """*line* made safe for a block of code: nothing in it ends the block, and it is cut if it is long.

    >>> escape_for_code_block("no game is called '```@everyone' here")
    "no game is called 'ˋˋˋ@everyone' here"
    """
    said = printable_line(line).replace("`", "ˋ")
    return said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…"


def _record_proof_lines(record: Record, verdict: Verdict, words: Words) -> list[str]:
    """Lines that say what was proven about *record*: the cards follow from the deal, and all moves were legal."""
    if day_of_deal(record.deal) is not None:
        lines = [words("✅ The cards follow from the secret number, the seats and the day.")]
    elif any(seat.cut for seat in record.deal.seats):
        lines = [words("✅ The cards follow from the secret number, the seats, the cuts and the table message.")]
    else:
        lines = [words("✅ The cards follow from the secret number, the seats and the table message.")]
    if verdict.actions:
        lines.append(words.plural("✅ {n} move was legal.", "✅ All {n} moves were legal.", verdict.actions))
    else:
        lines.append(words("The game ended before the first move."))
    return lines


def _deal_code_lines(record: Record, verdict: Verdict, words: Words) -> list[str]:
    """Small print with shuffle code, deal code and the id of the table message, for a person to compare with notes; in
    the deal of a day the day in place of a message.
    """
    day = day_of_deal(record.deal)
    lines = [
        f"{words(SHUFFLE_CODE)}: {short_code(record.commitment)}",
        f"{words(DEAL_CODE)}: {short_code(verdict.deal_code)}",
        words("ID of the first table message: {id}", id=f"`{record.message}`")
        if day is None
        else words("Day of the deal: {day}", day=f"`{day}`"),
    ]
    return [f"-# {line}" for line in lines]


BACK_SYMBOL: Final = Symbol("back", "◀️")
NEXT_SYMBOL: Final = Symbol("next", "▶️")
ROUND_BACK_SYMBOL: Final = Symbol("round_back", "⏮️")
ROUND_NEXT_SYMBOL: Final = Symbol("round_next", "⏭️")
TURNING_POINT_SYMBOL: Final = Symbol("turning", "⭐")
WHOLE_GAME_SYMBOL: Final = Symbol("whole", "📈")
LOOK_SYMBOL: Final = Symbol("look", "👁️")
FIGURES_SYMBOL: Final = Symbol("figures", "📊")
OWN_VIEW_MODE: Final = "own"
"""The mode that shows a moment as the reader saw it then."""
ALL_OPEN_MODE: Final = "all"
"""The mode that shows a moment with all cards open."""
ALL_OPEN_LABEL: Final = N_("All cards open")
SUMMARY_MODE: Final = "game"
"""The mode that shows the game as a whole."""
COACH_MODE: Final = "coach"
"""The mode that shows the coach on the whole game, in short."""
FIGURES_MODE: Final = "figures"
"""The mode that shows the coach on the whole game, in detail."""
LONGEST_LABEL: Final = 100
"""The most characters of an option's label.
https://discord.com/developers/docs/components/reference#string-select-select-option-structure"""


class ListedGame(NamedTuple):
    """A finished game in the list of games that somebody can review."""

    table: TableId
    game: str
    ended_at: int
    """ms since 1970."""
    names: Sequence[str]
    """The names of its people, as far as they are known, the winners first."""
    won: int
    """How many of these people have won."""


def reviewable_games_sheet(listed: Sequence[ListedGame], now: int, words: Words) -> Sheet:
    """The message with a select of finished games that somebody can review; it says so if there are none."""
    if not listed:
        line = words("There is no finished game here yet that you could review. Open a table with /play.")
        return Sheet(container([text_display(line)], COLOUR_INACTIVE))
    options = [
        SelectOption(it.table, _game_option_label(it, words), description=_game_end_time_text(it, now, words))
        for it in listed
    ]
    return Sheet(
        container(
            [
                text_display(words("### Review a game"), words("Your own games come first.")),
                action_row(string_select(Verb.REPLAY, NO_TABLE, words("Choose a game"), options)),
            ]
        )
    )


def _game_option_label(game: ListedGame, words: Words) -> str:
    """The label of a finished game in the select, cut to 100 characters: its title, the players, and who won."""
    names = [
        f"🏆 {plain_name(name)}" if place < game.won else plain_name(name) for place, name in enumerate(game.names)
    ]
    label = f"{words(PRESENTERS[game.game].title)} · {', '.join(names)}"
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _game_end_time_text(game: ListedGame, now: int, words: Words) -> str:
    """Return when a finished game ended, for the select: the date, and how long ago; *now* is in ms since 1970."""
    return f"{words.format_date(game.ended_at)} · {words.format_ago(max(now - game.ended_at, 1000))}"


def game_summary_sheet(summary: GameSummary, record: Record | None, words: Words) -> Sheet:
    """The review's page on a finished game as a whole: how it ended, the game's own picture (queues of 17, gifts of 12
    Days), the record file for players, buttons to its moments."""
    scene = summary.scene
    presenter = PRESENTERS[scene.game]
    ended = f"<t:{summary.ended_at // 1000}:D>"
    moves = words.plural("{n} move", "{n} moves", summary.moves)
    lines = [f"## {words(presenter.title)}", f"{ended} · {moves}"]
    if summary.finished:
        lines += [*filter(None, [tie_break_line(scene, presenter, words)]), *standings_lines(scene, presenter)]
    else:
        lines.append(words("It was not played to its end."))
    shown = presenter.board.game_course_picture(summary.moments, words)
    items = text_and_picture(shown, *lines)
    documents = []
    if record is not None:
        documents.append(game_record_json_file(record, summary.table, words))
        items += [text_display(words("The record of your game, as a file:")), file_component(documents[0])]
    items.append(text_display("-# " + words("Game {id}, for /replay", id=f"`{summary.table}`")))
    start = _review_page_button(
        words("Step by step"), summary.table, 0, OWN_VIEW_MODE, "start", NEXT_SYMBOL, style=ButtonStyle.primary
    )
    buttons = [start, *_turning_point_button(summary.table, summary.turning_at, OWN_VIEW_MODE, words)]
    if GAMES[scene.game].coach is not None:
        buttons.append(_review_page_button(words("Coach"), summary.table, 0, COACH_MODE, "coach", COACH_SYMBOL))
    return Sheet(
        container(items, presenter.accent), action_row(*buttons), pictures=[shown] if shown else (), documents=documents
    )


def coach_summary_sheet(review: GameReview, words: Words) -> Sheet:
    """The coach's page on a finished game, in short: a picture of the chances, how the reader played, key moments.

    Buttons lead to the moments that mattered and to the figures (``coach_figures_sheet``).
    """
    presenter = PRESENTERS[review.end.scene.game]
    shown = coach.win_chances_picture(review, presenter, words)
    items = text_and_picture(shown, f"## {COACH_SYMBOL.text} " + words("Coach") + f" · {words(presenter.title)}")
    items += [text_display(paragraph) for paragraph in coach.summary_paragraphs(review, presenter, words)]
    ways = [_important_moment_button(one, place, review, words) for place, one in enumerate(review.important_moments)]
    items += [action_row(*ways)] if ways else []
    more = (
        [_review_page_button(words("Figures and details"), review.table, 0, FIGURES_MODE, "figures", FIGURES_SYMBOL)]
        if review.has_moves
        else []
    )
    items.append(
        action_row(
            *more, _review_page_button(words("Whole game"), review.table, 0, SUMMARY_MODE, "whole", WHOLE_GAME_SYMBOL)
        )
    )
    return Sheet(container(items, presenter.accent), pictures=[shown] if shown is not None else ())


def _important_moment_button(moment: ImportantMoment, place: int, review: GameReview, words: Words) -> Component:
    """The button that opens the key moment *moment* in the review; *place* is its place in the list, for the custom_id.

    A moment that changed the chances is shown with all cards open; another as the reader saw it.
    """
    if moment.deciding is not None:
        swing = moment.deciding.swing
        return _review_page_button(
            coach.steps_label(swing, words), review.table, swing.number, ALL_OPEN_MODE, f"mattered{place}", LOOK_SYMBOL
        )
    assert moment.mistake is not None  # a moment has at least one of the two
    at = moment.mistake.decision.review_moment
    return _review_page_button(
        words("Step {n}", n=at), review.table, at, OWN_VIEW_MODE, f"mattered{place}", LOOK_SYMBOL
    )


def coach_figures_sheet(review: GameReview, words: Words) -> Sheet:
    """Build the coach's page with figures on a game: luck and skill, what decided it, costliest decisions; shortened
    until it fits. Not to be called in a thread.

    Buttons lead to these moments. If the message would be too long, the lines that explain the figures are left out,
    all of them; if it still is, text symbols replace the emojis of the whole process for a moment; if it still is,
    reasons are left out.
    """
    sheet = _build_coach_figures_sheet(review, words)
    if sheet.shortened:
        sheet = _build_coach_figures_sheet(review, words, explained=False)
    if sheet.cut:
        with symbols.text_symbols_only():
            sheet = _build_coach_figures_sheet(review, words, explained=False)
            if sheet.cut:
                sheet = _build_coach_figures_sheet(review, words, explained=False, reasons=False)
    return sheet


def _build_coach_figures_sheet(
    review: GameReview, words: Words, *, explained: bool = True, reasons: bool = True
) -> Sheet:
    """Build the coach's page with figures once, however long it gets, with the figures *explained* and with *reasons*
    for bad decisions, or without."""
    presenter = PRESENTERS[review.end.scene.game]
    shown = coach.win_chances_picture(review, presenter, words, decisive=True)
    items = text_and_picture(
        shown, f"## {COACH_SYMBOL.text} " + words("Figures and details") + f" · {words(presenter.title)}"
    )
    items += [
        text_display(paragraph)
        for paragraph in coach.detailed_review_paragraphs(
            review, presenter, words, explained=explained, reasons=reasons
        )
    ]
    ways = [
        [
            _review_page_button(
                coach.steps_label(one.swing, words),
                review.table,
                one.swing.number,
                ALL_OPEN_MODE,
                f"decided{place}",
                LOOK_SYMBOL,
            )
            for place, one in enumerate(review.deciding)
        ],
        [
            _review_page_button(
                words("Step {n}", n=one.decision.review_moment),
                review.table,
                one.decision.review_moment,
                OWN_VIEW_MODE,
                f"worst{place}",
                LOOK_SYMBOL,
            )
            for place, one in enumerate(review.worst)
        ],
        [
            _review_page_button(words("Back"), review.table, 0, COACH_MODE, "coach", BACK_SYMBOL),
            _review_page_button(words("Whole game"), review.table, 0, SUMMARY_MODE, "whole", WHOLE_GAME_SYMBOL),
        ],
    ]
    decided = words("Look at what decided it:") if review.finished else words("Look at what changed the chances most:")
    titles = (decided, words("Look at your costliest decisions:"), "")
    for title, buttons in zip(titles, ways, strict=True):
        if buttons:
            items += [text_display(f"-# {title}")] if title else []
            items.append(action_row(*buttons))
    return Sheet(container(items, presenter.accent), pictures=[shown] if shown is not None else ())


def review_page_sheet(page: ReviewPage, words: Words) -> Sheet:
    """Build the page of a review for one step of a finished game: events, the coach's advice, table, buttons; with text
    symbols if too long. Not to be called in a thread.

    If the markup of all the emojis is too long for a message, text symbols replace them in the whole process for a
    moment.
    """
    sheet = _build_review_page_sheet(page, words)
    if sheet.cut:
        with symbols.text_symbols_only():
            return _build_review_page_sheet(page, words)
    return sheet


def _build_review_page_sheet(page: ReviewPage, words: Words) -> Sheet:
    """Build the page of a review for one step, however long it gets: events, advice, the table, buttons."""
    scene = page.scene
    presenter = PRESENTERS[scene.game]
    mode = ALL_OPEN_MODE if isinstance(page.shown, OpenMoment) else OWN_VIEW_MODE
    how = words("all cards open") if mode == ALL_OPEN_MODE else words("as you saw it")
    items = [text_display("-# " + words("Step {n} of {last} · {how}", n=page.number, last=page.last, how=how))]
    lines = [*_event_lines(page, presenter, words)]
    items += [text_display(*lines)] if lines else []
    said = [*advice.coach_judgement_lines(page, presenter, words), *advice.others_choices_lines(page, presenter, words)]
    items += [text_display(*said)] if said else []
    if scene.standings:  # the end
        won = [f"## 🎉 {winner_line(scene, bold_name, words)}", tie_break_line(scene, presenter, words)]
        items.append(text_display(*filter(None, won), *standings_lines(scene, presenter)))
    else:
        begun = presenter.board.round_start_review_line(scene, words) if scene.just_ended else ""
        items += [text_display(begun, *advice.new_deal_chance_change_lines(page, words))] if begun else []
        items += _card_table_components(page, presenter, words)
    return Sheet(container(items, presenter.accent), *_navigation_rows(page, mode, presenter, words))


def _event_lines(page: ReviewPage, presenter: AnyPresenter, words: Words) -> Sequence[str]:
    """Lines on what happened at this step: the action, a round's end, changed seats, lost time, the turning point."""
    scene = page.scene
    lines = [
        *filter(None, [presenter.board.omitted_last_action_line(scene, words)]),
        *presenter.event_lines(scene, words),
    ]
    if scene.just_ended:
        lines += [*presenter.board.round_end_lines(scene, words), *presenter.board.table_at_round_end(scene, words)]
    if page.change is not None:
        lines.append(seat_handover_line(page.change, words))
    if page.by_clock is not None:
        name = bold_name(scene.name(page.by_clock))
        lines.append("⏰ " + words("{name}’s time ran out: a computer played this turn.", name=name))
    if page.turning_at == page.number:
        title = words("Turning point")
        more = (
            ""
            if isinstance(page.shown, OpenMoment)
            else words("The button **{label}** shows how the chances changed.", label=words(ALL_OPEN_LABEL))
        )
        lines.append(f"{TURNING_POINT_SYMBOL.text} " + " · ".join(filter(None, [f"**{title}**", more])))
    return lines


def _card_table_components(page: ReviewPage, presenter: AnyPresenter, words: Words) -> Sequence[Component]:
    """Build the components that show the card table of *page*: all cards open, or as the reader saw it, with their own
    cards below."""
    if isinstance(page.shown, OpenMoment):
        return presenter.board.all_cards_components(page.shown, words)
    held = presenter.board.own_cards(page.shown.view)
    own = [text_display(words("Your cards: {cards}", cards=held))] if held else []
    return (*presenter.board.table_components(page.shown, words), *own)


def _navigation_rows(page: ReviewPage, mode: str, presenter: AnyPresenter, words: Words) -> Sequence[Component]:
    """Rows of buttons on a review page: other steps, rounds, the whole game, the coach, and all cards open or not."""
    table, number, (before, after) = page.table, page.number, presenter.round_labels
    first, last = number == 0, number == page.last
    steps = [
        _review_page_button(words("Back"), table, number - 1, mode, "back", BACK_SYMBOL, disabled=first),
        _review_page_button(
            words("Next"), table, number + 1, mode, "next", NEXT_SYMBOL, disabled=last, style=ButtonStyle.primary
        ),
    ]
    more = [
        *_turning_point_button(table, page.turning_at, mode, words, here=page.turning_at == number),
        _review_page_button(words("Whole game"), table, number, SUMMARY_MODE, "whole", WHOLE_GAME_SYMBOL),
    ]
    if page.coached:
        more.append(_review_page_button(words("Coach"), table, number, COACH_MODE, "coach", COACH_SYMBOL))
    if page.seat is not None:  # last, as it is what wraps on a phone
        other = OWN_VIEW_MODE if mode == ALL_OPEN_MODE else ALL_OPEN_MODE
        label = words("As I saw it") if mode == ALL_OPEN_MODE else words(ALL_OPEN_LABEL)
        more.append(_review_page_button(label, table, number, other, "look", LOOK_SYMBOL))
    return (
        action_row(*steps),
        action_row(
            _review_page_button(
                words(before), table, page.round_before, mode, "first", ROUND_BACK_SYMBOL, disabled=first
            ),
            _review_page_button(words(after), table, page.round_after, mode, "last", ROUND_NEXT_SYMBOL, disabled=last),
        ),
        action_row(*more),
    )


def _turning_point_button(
    table: TableId, number: int | None, mode: str, words: Words, *, here: bool = False
) -> Sequence[Component]:
    """The button to the decision that mattered most, at step *number*, in a tuple; empty if there is none."""
    if number is None:
        return ()
    return (
        _review_page_button(
            words("Turning point"), table, number, mode, "turning", TURNING_POINT_SYMBOL, disabled=here
        ),
    )


def _review_page_button(
    label: str,
    table: TableId,
    number: int,
    mode: str,
    name: str,
    symbol: Symbol,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    disabled: bool = False,
) -> Component:
    """A button to a page of the review, by *mode*: step *number* (own view or all cards open), whole game, or coach.

    *name* distinguishes it from other buttons of the message that lead to the same moment.
    """
    arg = f"{mode}.{name}"
    return button(label, Verb.STEP, table, max(0, number), arg, style=style, symbol=symbol, disabled=disabled)
