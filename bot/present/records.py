"""What there is to say of the record of a game: whether it fits, and the record itself, as a file."""

from typing import Final

from bot.i18n import N_, Words
from bot.present.registry import PRESENTERS
from bot.present.sheet import Document, Item, Sheet, box, download, text
from bot.tables.scene import AnyScene
from engine.record import Record, dump
from engine.verify import Remark, Verdict

REMARKS: Final = {
    Remark.BEFORE_CUTS: N_(
        "This game was dealt before players could cut, so whoever hosts the bot could choose the deal."
    ),
    Remark.NO_ACTIONS: N_("The moves of this game are not known any more, so only its deal could be checked."),
    Remark.NOBODY_CUT: N_(
        "Nobody had cut the deck: of what the cards follow from, only the message came from outside."
    ),
}
"""What a record that fits does not prove. What was noted, and how much of it, only a player can say."""


def checked_sheet(scene: AnyScene, record: Record, verdict: Verdict, words: Words, *, own: bool) -> Sheet:
    """What somebody reads who has the deal of *scene*, a game that is over, checked: the *verdict*, what to compare
    with what they noted, and, if they played (*own*), the *record* as a file."""
    lines = [
        words("### The deal is checked"),
        words.plural(
            "✅ The cards follow from these numbers, the seats and the cuts, and the only move was legal.",
            "✅ The cards follow from these numbers, the seats and the cuts, and all {n} moves were legal.",
            verdict.actions,
        ),
    ]
    lines.append("-# " + words("Shuffle code: {commitment}", commitment=f"`{record.commitment}`"))
    if verdict.deal_code:
        lines.append("-# " + words("Deal code: {code}", code=f"`{verdict.deal_code}`"))
        lines.append("-# " + words("Table message: {id}", id=f"`{record.deal.message}`"))
    lines.append("-# " + words("Secret number: {secret}", secret=f"`{record.secret.hex()}`"))
    lines += [words(REMARKS[remark]) for remark in verdict.remarks if remark in REMARKS]
    lines.append(words("Compare the codes and the message with what you noted during the game."))
    items: list[Item] = [text(*lines)]
    documents = []
    if own:
        title = words(PRESENTERS[scene.game].title)
        file = Document(f"{scene.game}-{scene.table}.json", dump(record), words("I may not send files here."))
        documents.append(file)
        items.append(
            text(words("This is the record of your game of {game}. Other programs can check it too.", game=title))
        )
        items.append(download(file))
    return Sheet(box(items), documents=documents)


def wrong_sheet(words: Words) -> Sheet:
    """What somebody reads who has a deal checked whose record does not fit: it was damaged or changed."""
    return Sheet(
        box(
            [
                text(
                    words("### The deal does not fit"),
                    words("❌ The record of this game does not fit together: it was damaged or changed."),
                )
            ]
        )
    )
