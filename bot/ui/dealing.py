"""What people can note about a deal, to check it after the game: the codes (``engine.fair``), who cut the deck."""

from typing import Final

import discord

from bot.i18n import N_, Words
from bot.tables.model import TableId
from bot.tables.scene import AnyScene
from bot.ui.components import Sheet, bold_name, container, text_display
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.registry import PRESENTERS
from engine.fair import Deal
from engine.record import parse_deal
from engine.verify import SAFE_CODE_DIGITS

SHUFFLE_CODE: Final = N_("Shuffle code")
DEAL_CODE: Final = N_("Deal code")
LONGEST_CUT: Final = 200
"""The most characters of a phrase with which a person cuts the deck."""


def cut_deck_form(table: TableId, words: Words) -> discord.ui.Modal:
    """The form (modal) in which a player writes the phrase with which they cut the deck of *table*."""
    phrase: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(custom_id="phrase", max_length=LONGEST_CUT)
    form = discord.ui.Modal(title=words("Cut the deck"), custom_id=custom_id(Verb.CUT, table))
    form.add_item(
        discord.ui.Label(
            text=words("A word or phrase of your own"),
            description=words(
                "It goes into the shuffle, and nobody sees it. Note it if you want to check the deal. No passwords!"
            ),
            component=phrase,
        )
    )
    return form


def deal_code_sheet(scene: AnyScene, words: Words) -> Sheet:
    """Build the one-line message above the table with the deal code, which fixes what the cards are dealt from; *scene*
    is that of a game that starts.

    It is one line, since it stands above the table as long as the channel exists.
    """
    fixed, game = _parse_deal_if_started(scene), words(PRESENTERS[scene.game].title)
    assert fixed is not None
    return Sheet(text_display(f"-# 🔒 {game} · {words(DEAL_CODE)} {short_code(fixed.deal_code(scene.commitment))}"))


def cards_being_dealt_sheet(scene: AnyScene, words: Words) -> Sheet:
    """Build the table message between *Start* and the deal: it says that the cards are being dealt."""
    title = words(PRESENTERS[scene.game].title)
    return Sheet(container([text_display(f"## {title}", words("🃏 The cards are being dealt…"))]))


def shuffle_code_line(scene: AnyScene, words: Words) -> str:
    """Return a line with the first digits of the shuffle code of a lobby, as many as people should note."""
    return f"🔒 {words(SHUFFLE_CODE)} {short_code(scene.commitment)}"


def deal_verification_lines(scene: AnyScene, words: Words) -> list[str]:
    """Lines to check the deal of *scene* with: both codes in full, the table message's id, who cut, if known yet."""
    lines, fixed = [f"{words(SHUFFLE_CODE)}: `{scene.commitment}`"], _parse_deal_if_started(scene)
    if fixed is not None:
        lines.append(f"{words(DEAL_CODE)}: `{fixed.deal_code(scene.commitment)}`")
    if fixed is not None and fixed.message is not None:
        lines.append(words("ID of the first table message: {id}", id=f"`{fixed.message}`"))
    cutters = [bold_name(person.name) for person in scene.people if person.has_cut]
    if cutters:
        lines.append(words("✂️ The deck was cut by {names}.", names=words.list_and(cutters)))
    return lines


def _parse_deal_if_started(scene: AnyScene) -> Deal | None:
    """Return the deal (players, options, cuts, message) from which the cards of *scene* follow; ``None`` before the
    start fixes it."""
    return None if scene.deal is None else parse_deal(scene.deal)


def short_code(code: str) -> str:
    """Return the first digits of *code*, as many as a person should note (``engine.verify``), as inline code in
    markdown."""
    return f"`{code[:SAFE_CODE_DIGITS]}`"
