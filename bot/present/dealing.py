"""What people can note of a deal, to check it after the game: the codes (``engine.fair``), who has cut the deck."""

from typing import Final

import discord

from bot.custom_ids import Verb, custom_id
from bot.i18n import N_, Words
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, bold, box, text
from bot.tables.model import TableId
from bot.tables.scene import AnyScene
from engine.record import deal_of
from engine.verify import ENOUGH_DIGITS

SHUFFLE_CODE: Final = N_("Shuffle code")
DEAL_CODE: Final = N_("Deal code")
LONGEST_CUT: Final = 200
"""Characters of a phrase with which somebody cuts."""


def cut_form(table: TableId, words: Words) -> discord.ui.Modal:
    """The form in which somebody writes the phrase with which they cut the deck of *table*."""
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


def deal_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The message that fixes what the cards of *scene*, which is starting, are dealt from."""
    cutters = [bold(person.name) for person in scene.people if person.has_cut]
    cut = words("✂️ The deck was cut by {names}.", names=words.all_of(cutters)) if cutters else ""
    title = words(
        "**{game}**: everyone is seated, the cards are dealt below.", game=words(PRESENTERS[scene.game].title)
    )
    note = words(
        "If you want to check the deal after the game, note both codes and the ID of the message below. "
        "This message never changes."
    )
    return Sheet(text(title, *([cut] if cut else []), *codes(scene, words), f"-# {note}"))


def starting_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The table message while the cards of *scene* are being dealt."""
    title = words(PRESENTERS[scene.game].title)
    return Sheet(box([text(f"## {title}", words("🃏 The cards are being dealt…"))]))


def codes(scene: AnyScene, words: Words) -> list[str]:
    """Lines in small print with the codes of the deal, as far as they are known yet: as many digits as are enough."""
    lines = []
    if scene.commitment:
        lines.append(f"-# {words(SHUFFLE_CODE)}: {shown(scene.commitment)}")
    if scene.deal is not None and (fixed := deal_of(scene.deal)).version:
        lines.append(f"-# {words(DEAL_CODE)}: {shown(fixed.code())}")
    return lines


def shown(code: str) -> str:
    """As many digits of *code* as somebody should note (``engine.verify``)."""
    return f"`{code[:ENOUGH_DIGITS]}`"
