"""What there is to say of the record of a game: whether it fits, and the record itself, as a file."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from bot.clock import snowflake_time
from bot.custom_ids import Verb
from bot.i18n import N_, Words
from bot.present.dealing import DEAL_CODE, SHUFFLE_CODE, shown
from bot.present.registry import PRESENTERS
from bot.present.sheet import COLOUR_NO, Document, Item, Sheet, box, button, download, printable, row, text
from bot.present.topics import FAIR
from bot.tables.model import TableId
from bot.tables.scene import AnyScene
from engine.record import Record, dump
from engine.verify import ENOUGH_DIGITS, Difference, NotAsNoted, Remark, Verdict

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
            text("-# " + words("In the record you are {id}.", id=words.all_of([f"`{it}`" for it in own]))),
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
    lines += ["⚠️ " + words(remarks[remark], digits=ENOUGH_DIGITS) for remark in verdict.remarks]
    return Sheet(box([text(*lines)]))


def misfit_sheet(error: str, words: Words) -> Sheet:
    """What somebody reads who has given a record that does not fit: *error*, one line of English that says what is
    wrong and where, and may quote anything."""
    return Sheet(
        box([text(words("### The record does not check out"), f"```\n{shown_as_code(error)}\n```")], COLOUR_NO)
    )


def mismatch_sheet(record: Record, verdict: Verdict, difference: NotAsNoted, words: Words) -> Sheet:
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
