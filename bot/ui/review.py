"""The review of a game that is over: which games there are, one game as a whole, and each of its moments."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from discord import ButtonStyle

from bot.clock import snowflake_time
from bot.i18n import N_, Words
from bot.review.coach import Coached, Mattered
from bot.review.moments import Open, Page, Summary
from bot.tables.model import TableId
from bot.tables.scene import AnyScene
from bot.ui import advice, coach
from bot.ui.components import (
    COLOUR_DONE,
    COLOUR_NO,
    NO_TABLE,
    Document,
    Item,
    Option,
    Sheet,
    bold,
    box,
    button,
    download,
    pictured,
    plain,
    printable,
    row,
    select,
    text,
)
from bot.ui.custom_ids import Verb
from bot.ui.dealing import DEAL_CODE, SHUFFLE_CODE, shown
from bot.ui.end_message import standings_lines, tie_line, winner_line
from bot.ui.hints import COACH
from bot.ui.pictures import symbols
from bot.ui.pictures.symbols import Symbol
from bot.ui.players import handover_line
from bot.ui.presenter import FAIR, AnyPresenter
from bot.ui.registry import PRESENTERS
from engine.record import Record, dump
from engine.registry import GAMES
from engine.verify import SAFE_CODE_DIGITS, Difference, NotesMismatch, Remark, Verdict

# What there is to say of the record of a game: whether it fits, and the record itself, as a file.


REMARKS: Final = {
    Remark.NOBODY_CUT: N_("Nobody cut the deck. Next time, cut: then your own phrase takes part in the shuffle."),
}
"""What a record that fits does not prove."""
NOTED_REMARKS: Final = {
    Remark.NOT_NOTED: N_(
        "Shuffle code, deal code and table message were not all compared with what you noted. Whoever hosts the bot "
        "could have made up the rest afterwards."
    ),
    Remark.FEW_DIGITS: N_("You gave fewer than {digits} digits of a code: another code may begin with the same ones."),
}
"""What it does not prove because of what was noted, and how much of it, which only a player can say."""
DIFFERENCES: Final = {
    Difference.SHUFFLE_CODE: N_("The shuffle code of this game is {found}. You noted {noted}."),
    Difference.DEAL_CODE: N_("The deal code of this game is {found}. You noted {noted}."),
    Difference.MESSAGE: N_("The table message of this game is {found}. You noted {noted}."),
    Difference.CUT: N_("Nobody cut with the phrase {noted}."),
}
"""What in a record that fits is not as somebody noted it."""
MOST_SHOWN: Final = 400
"""So many characters of what is wrong with a record are shown."""


def record_file(record: Record, table: TableId, words: Words) -> Document:
    """The *record* of the game at *table* as a file, named after the game, its day and the table."""
    day = f"{datetime.fromtimestamp(snowflake_time(record.message) / 1000, UTC):%Y-%m-%d}"
    return Document(f"{record.deal.game}-{day}-{table}.json", dump(record), words("I may not send files here."))


def checked_sheet(scene: AnyScene, record: Record, verdict: Verdict, words: Words, own: Collection[str]) -> Sheet:
    """What somebody reads who has the deal of *scene*, a game that is over, checked: the *verdict*, what to compare
    with what they noted, and, if they played, the *record* as a file. *own* is what the record calls them; empty: they
    did not play."""
    lines = [words("### The deal is checked"), *_proven(record, verdict, words)]
    lines += [words(REMARKS[remark]) for remark in verdict.remarks if remark in REMARKS]
    lines.append(words("Compare these with what you noted during the game:"))
    lines += _numbers(record, verdict, words)
    items: list[Item] = [text(*lines)]
    documents = []
    if own:
        documents.append(record_file(record, scene.table, words))
        items += [
            text(words("The record holds all of it. **/verify** compares your phrase, too; so can any other program.")),
            download(documents[0]),
            text("-# " + words("In the record you are {id}.", id=words.list_and([f"`{it}`" for it in own]))),
        ]
    items.append(row(button(words(FAIR.title), Verb.RULES, scene.table, arg=FAIR.key)))
    return Sheet(box(items), documents=documents)


def wrong_sheet(words: Words) -> Sheet:
    """What somebody reads who has a deal checked whose record does not fit: it was damaged or changed."""
    return Sheet(
        box(
            [
                text(
                    words("### The deal does not check out"),
                    words("❌ The record of this game is not consistent: it was damaged or changed."),
                )
            ]
        )
    )


def verified_sheet(record: Record, verdict: Verdict, words: Words, *, compared: bool) -> Sheet:
    """What somebody reads who has given a *record* that fits: the *verdict*, whose game it was, what it does not prove.
    *compared*: it fits what they noted too."""
    deal, title = record.deal, words(PRESENTERS[record.deal.game].title)
    lines = [words("### The record checks out"), *_proven(record, verdict, words)]
    if compared:
        lines.append(words("✅ It matches what you noted."))
    players = words.plural("{n} player", "{n} players", len(deal.seats))
    lines.append(f"**{title}** · {players} · <t:{snowflake_time(record.message) // 1000}:f>")
    lines += _numbers(record, verdict, words)
    remarks = {**REMARKS, **NOTED_REMARKS}
    lines += ["⚠️ " + words(remarks[remark], digits=SAFE_CODE_DIGITS) for remark in verdict.remarks]
    return Sheet(box([text(*lines)]))


def misfit_sheet(error: str, words: Words) -> Sheet:
    """What somebody reads who has given a record that does not fit: *error*, one line of English that says what is
    wrong and where, and may quote anything."""
    return Sheet(
        box([text(words("### The record does not check out"), f"```\n{shown_as_code(error)}\n```")], COLOUR_NO)
    )


def mismatch_sheet(record: Record, verdict: Verdict, difference: NotesMismatch, words: Words) -> Sheet:
    """What somebody reads who has given a *record* that fits, as *verdict* says, but not what they noted."""
    title = words("### This record does not match what you noted")
    found, noted = (f"`{shown_as_code(it)}`" for it in (difference.found, difference.noted))
    said = words(DIFFERENCES[difference.what], found=found, noted=noted)
    lines = [title, f"❌ {said}", words("The record itself checks out:")]
    lines += [*_proven(record, verdict, words), *_numbers(record, verdict, words)]
    return Sheet(box([text(*lines)], COLOUR_NO))


def unreadable_sheet(error: str, words: Words) -> Sheet:
    """What somebody reads who has given a file that is no record, or one that this program does not know; *error* as
    for ``misfit_sheet``."""
    title = words("### I cannot read this file as a record")
    where = words("When a game you played is over, **{Check the deal}** gives you its record.")
    return Sheet(box([text(title, f"```\n{shown_as_code(error)}\n```", where)], COLOUR_NO))


def shown_as_code(line: str) -> str:
    """*line* for a block of code: nothing in it ends the block, and not all of it if it is long.

    >>> shown_as_code("no game is called '```@everyone' here")
    "no game is called 'ˋˋˋ@everyone' here"
    """
    said = printable(line).replace("`", "ˋ")
    return said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…"


def _proven(record: Record, verdict: Verdict, words: Words) -> list[str]:
    """What *verdict* has proven of *record*."""
    if any(seat.cut for seat in record.deal.seats):
        lines = [words("✅ The cards follow from the secret number, the seats, the cuts and the table message.")]
    else:
        lines = [words("✅ The cards follow from the secret number, the seats and the table message.")]
    if verdict.actions:
        lines.append(words.plural("✅ {n} move was legal.", "✅ All {n} moves were legal.", verdict.actions))
    else:
        lines.append(words("The game ended before the first move."))
    return lines


def _numbers(record: Record, verdict: Verdict, words: Words) -> list[str]:
    """What to compare, in small print."""
    lines = [
        f"{words(SHUFFLE_CODE)}: {shown(record.commitment)}",
        f"{words(DEAL_CODE)}: {shown(verdict.deal_code)}",
        words("ID of the first table message: {id}", id=f"`{record.message}`"),
    ]
    return [f"-# {line}" for line in lines]


BACK: Final = Symbol("back", "◀️")
NEXT: Final = Symbol("next", "▶️")
FIRST: Final = Symbol("round_back", "⏮️")
LAST: Final = Symbol("round_next", "⏭️")
TURNING: Final = Symbol("turning", "⭐")
WHOLE: Final = Symbol("whole", "📈")
LOOK: Final = Symbol("look", "👁️")
FIGURED: Final = Symbol("figures", "📊")
OWN: Final = "own"
"""How a moment is shown: as the reader saw it then."""
ALL: Final = "all"
"""With all cards open."""
ALL_OPEN: Final = N_("All cards open")
SUMMARY: Final = "game"
"""Not a moment, but the game as a whole."""
COACHED: Final = "coach"
"""What the coach says of the game as a whole, in short."""
FIGURES: Final = "figures"
"""The same in detail."""
LONGEST_LABEL: Final = 100
"""Of an entry in a list. https://discord.com/developers/docs/components/reference#string-select-select-option-structure"""


class Listed(NamedTuple):
    """A game in the list of those that somebody can review."""

    table: TableId
    game: str
    ended_at: int
    """ms since 1970."""
    names: Sequence[str]
    """Of its people, as far as they are known, the winners' first."""
    won: int
    """How many of them have won."""


def list_sheet(listed: Sequence[Listed], now: int, words: Words) -> Sheet:
    """The games that somebody can review at the time *now* (ms), to choose one."""
    if not listed:
        line = words("There is no finished game here yet that you could review. Open a table with /play.")
        return Sheet(box([text(line)], COLOUR_DONE))
    options = [Option(it.table, _label(it, words), description=_when(it, now, words)) for it in listed]
    return Sheet(
        box(
            [
                text(words("### Review a game"), words("Your own games come first.")),
                row(select(Verb.REPLAY, NO_TABLE, words("Choose a game"), options)),
            ]
        )
    )


def _label(it: Listed, words: Words) -> str:
    """A game in the list: which it was, who played, and won."""
    names = [f"🏆 {plain(name)}" if place < it.won else plain(name) for place, name in enumerate(it.names)]
    label = f"{words(PRESENTERS[it.game].title)} · {', '.join(names)}"
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _when(it: Listed, now: int, words: Words) -> str:
    """When a game in the list ended: on which day, and how long ago that is, as several may be of one day."""
    return f"{words.date(it.ended_at)} · {words.ago(max(now - it.ended_at, 1000))}"


def summary_sheet(it: Summary, record: Record | None, words: Words) -> Sheet:
    """A game that is over as a whole: how it ended, a picture of its course; for those who played its *record*, as a
    file; where to begin."""
    scene = it.scene
    presenter = PRESENTERS[scene.game]
    ended = f"<t:{it.ended_at // 1000}:D>"
    moves = words.plural("{n} move", "{n} moves", it.moves)
    lines = [f"## {words(presenter.title)}", f"{ended} · {moves}"]
    if it.finished:
        lines += [*filter(None, [tie_line(scene, presenter, words)]), *standings_lines(scene, presenter)]
    else:
        lines.append(words("It was not played to its end."))
    shown = presenter.board.course(it.moments, words)
    items = pictured(shown, *lines)
    documents = []
    if record is not None:
        documents.append(record_file(record, it.table, words))
        items += [text(words("The record of your game, as a file:")), download(documents[0])]
    items.append(text("-# " + words("Game {id}, for /replay", id=f"`{it.table}`")))
    start = _step(words("Step by step"), it.table, 0, OWN, "start", NEXT, style=ButtonStyle.primary)
    buttons = [start, *_to_turning_point(it.table, it.turning_at, OWN, words)]
    if GAMES[scene.game].coach is not None:
        buttons.append(_step(words("Coach"), it.table, 0, COACHED, "coach", COACH))
    return Sheet(box(items, presenter.accent), row(*buttons), pictures=[shown] if shown else (), documents=documents)


def coach_sheet(it: Coached, words: Words) -> Sheet:
    """What the coach says of a game that is over, in short: a picture of the chances to win, how well the reader has
    played, the moments that mattered and the way to them, and to all the rest (``figures_sheet``)."""
    presenter = PRESENTERS[it.end.scene.game]
    shown = coach.course_picture(it, presenter, words)
    items = pictured(shown, f"## {COACH.text} " + words("Coach") + f" · {words(presenter.title)}")
    items += [text(paragraph) for paragraph in coach.told(it, presenter, words)]
    ways = [_way(one, place, it, words) for place, one in enumerate(it.mattered)]
    items += [row(*ways)] if ways else []
    more = [_step(words("Figures and details"), it.table, 0, FIGURES, "figures", FIGURED)] if it.began else []
    items.append(row(*more, _step(words("Whole game"), it.table, 0, SUMMARY, "whole", WHOLE)))
    return Sheet(box(items, presenter.accent), pictures=[shown] if shown is not None else ())


def _way(it: Mattered, place: int, of: Coached, words: Words) -> Item:
    """The button that leads to a moment that mattered, which stands in the list at *place*: with all cards open where
    it has changed the chances; else as the reader saw it."""
    if it.deciding is not None:
        swing = it.deciding.swing
        return _step(coach.steps(swing, words), of.table, swing.number, ALL, f"mattered{place}", LOOK)
    assert it.mistake is not None  # one of the two is told
    at = it.mistake.decision.review_moment
    return _step(words("Step {n}", n=at), of.table, at, OWN, f"mattered{place}", LOOK)


def figures_sheet(it: Coached, words: Words) -> Sheet:
    """What the coach says of a game that is over, in detail: luck and skill in figures, what decided it, the reader's
    costliest decisions; and the way to these moments.

    Where that is too long for a message, text stands in for the emojis, and if it still is, reasons are left out. So it
    must not be called in a thread.
    """
    sheet = _figures_sheet(it, words)
    if sheet.cut:
        with symbols.as_text():
            sheet = _figures_sheet(it, words)
            return sheet if not sheet.cut else _figures_sheet(it, words, reasons=False)
    return sheet


def _figures_sheet(it: Coached, words: Words, *, reasons: bool = True) -> Sheet:
    """As ``figures_sheet``, with emojis as they are, and *reasons* or not."""
    presenter = PRESENTERS[it.end.scene.game]
    shown = coach.course_picture(it, presenter, words, decisive=True)
    items = pictured(shown, f"## {COACH.text} " + words("Figures and details") + f" · {words(presenter.title)}")
    items += [text(paragraph) for paragraph in coach.figures(it, presenter, words, reasons=reasons)]
    ways = [
        [
            _step(coach.steps(one.swing, words), it.table, one.swing.number, ALL, f"decided{place}", LOOK)
            for place, one in enumerate(it.deciding)
        ],
        [
            _step(
                words("Step {n}", n=one.decision.review_moment),
                it.table,
                one.decision.review_moment,
                OWN,
                f"worst{place}",
                LOOK,
            )
            for place, one in enumerate(it.worst)
        ],
        [
            _step(words("Back"), it.table, 0, COACHED, "coach", BACK),
            _step(words("Whole game"), it.table, 0, SUMMARY, "whole", WHOLE),
        ],
    ]
    decided = words("Look at what decided it:") if it.finished else words("Look at what changed the chances most:")
    titles = (decided, words("Look at your costliest decisions:"), "")
    for title, buttons in zip(titles, ways, strict=True):
        if buttons:
            items += [text(f"-# {title}")] if title else []
            items.append(row(*buttons))
    return Sheet(box(items, presenter.accent), pictures=[shown] if shown is not None else ())


def page_sheet(page: Page, words: Words) -> Sheet:
    """A moment of a game that is over: what has happened, what lies on the table, and the way to other moments.

    Where the markup of all the emojis is too long for a message, text stands in for them. So it must not be called in a
    thread.
    """
    sheet = _page_sheet(page, words)
    if sheet.cut:
        with symbols.as_text():
            return _page_sheet(page, words)
    return sheet


def _page_sheet(page: Page, words: Words) -> Sheet:
    """As ``page_sheet``, with emojis as they are."""
    scene = page.scene
    presenter = PRESENTERS[scene.game]
    mode = ALL if isinstance(page.shown, Open) else OWN
    how = words("all cards open") if mode == ALL else words("as you saw it")
    items = [text("-# " + words("Step {n} of {last} · {how}", n=page.number, last=page.last, how=how))]
    lines = [*_happened(page, presenter, words)]
    items += [text(*lines)] if lines else []
    said = advice.advice(page, presenter, words)
    items += [text(*said)] if said else []
    if scene.standings:  # the end
        won = [f"## 🎉 {winner_line(scene, bold, words)}", tie_line(scene, presenter, words)]
        items.append(text(*filter(None, won), *standings_lines(scene, presenter)))
    else:
        begun = presenter.board.begun(scene, words) if scene.just_ended else ""
        items += [text(begun, *advice.after_deal(page, words))] if begun else []
        items += _table(page, presenter, words)
    return Sheet(box(items, presenter.accent), *_controls(page, mode, presenter, words))


def _happened(page: Page, presenter: AnyPresenter, words: Words) -> Sequence[str]:
    """What has happened at this moment, one line each."""
    scene = page.scene
    lines = [*filter(None, [presenter.board.untold(scene, words)]), *presenter.news(scene, words)]
    if scene.just_ended:
        lines += [*presenter.board.outcome(scene, words), *presenter.board.table_at_end(scene, words)]
    if page.change is not None:
        lines.append(handover_line(page.change, words))
    if page.by_clock is not None:
        name = bold(scene.name(page.by_clock))
        lines.append("⏰ " + words("{name}’s time ran out: a computer played this turn.", name=name))
    if page.turning_at == page.number:
        title = words("Turning point")
        more = (
            ""
            if isinstance(page.shown, Open)
            else words("The button **{label}** shows how the chances changed.", label=words(ALL_OPEN))
        )
        lines.append(f"{TURNING.text} " + " · ".join(filter(None, [f"**{title}**", more])))
    return lines


def _table(page: Page, presenter: AnyPresenter, words: Words) -> Sequence[Item]:
    """What lies on the table: with all cards open, or what the reader saw, with their own cards."""
    if isinstance(page.shown, Open):
        return presenter.board.open(page.shown, words)
    held = presenter.board.cards(page.shown.view)
    own = [text(words("Your cards: {cards}", cards=held))] if held else []
    return (*presenter.board.show(page.shown, words), *own)


def _controls(page: Page, mode: str, presenter: AnyPresenter, words: Words) -> Sequence[Item]:
    """The way to other moments, to the game as a whole, and to the other way of showing this one."""
    table, number, (before, after) = page.table, page.number, presenter.rounds
    first, last = number == 0, number == page.last
    steps = [
        _step(words("Back"), table, number - 1, mode, "back", BACK, disabled=first),
        _step(words("Next"), table, number + 1, mode, "next", NEXT, disabled=last, style=ButtonStyle.primary),
    ]
    more = [
        *_to_turning_point(table, page.turning_at, mode, words, here=page.turning_at == number),
        _step(words("Whole game"), table, number, SUMMARY, "whole", WHOLE),
    ]
    if page.coached:
        more.append(_step(words("Coach"), table, number, COACHED, "coach", COACH))
    if page.seat is not None:  # last, as it is what wraps on a phone
        other = OWN if mode == ALL else ALL
        label = words("As I saw it") if mode == ALL else words(ALL_OPEN)
        more.append(_step(label, table, number, other, "look", LOOK))
    return (
        row(*steps),
        row(
            _step(words(before), table, page.round_before, mode, "first", FIRST, disabled=first),
            _step(words(after), table, page.round_after, mode, "last", LAST, disabled=last),
        ),
        row(*more),
    )


def _to_turning_point(table: TableId, at: int | None, mode: str, words: Words, *, here: bool = False) -> Sequence[Item]:
    """The button that leads to the decision that mattered most, the moment number *at*; none if there is none."""
    if at is None:
        return ()
    return (_step(words("Turning point"), table, at, mode, "turning", TURNING, disabled=here),)


def _step(
    label: str,
    table: TableId,
    number: int,
    mode: str,
    name: str,
    symbol: Symbol,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    disabled: bool = False,
) -> Item:
    """A button that shows the moment *number* of the game at *table* in some *mode*; *name* tells it from others of
    the same message that lead to the same moment."""
    arg = f"{mode}.{name}"
    return button(label, Verb.STEP, table, max(0, number), arg, style=style, symbol=symbol, disabled=disabled)
