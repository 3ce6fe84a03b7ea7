"""Lines about the players, alike in every game: who they are, whose seat has changed hands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import discord

from bot.i18n import N_, Words
from bot.tables.model import Handover, SeatChange, TableId
from bot.tables.names import character
from bot.tables.scene import AnyScene, Person
from bot.ui.components import Sheet, alike, bold, box, text
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.registry import PRESENTERS
from engine.fair import Deal
from engine.game import Seat
from engine.record import deal_of
from engine.verify import ENOUGH_DIGITS

MANNERS: Final[Mapping[str, str]] = {
    "Ada": N_("older than any computer"),
    "Blaise": N_("even bets on the weather"),
    "Cardano": N_("wrote a book about dice"),
    "Dorothy": N_("checks every sum twice"),
    "Emmy": N_("likes symmetry"),
    "Fibo": N_("breeds rabbits"),
    "Grace": N_("counts in nanoseconds"),
    "Hedy": N_("straight from a film set"),
    "Jakob": N_("keeps tossing coins"),
    "Lotfi": N_("mostly says maybe"),
    "Maryam": N_("likes to take her time"),
    "Thomas": N_("often changes his mind"),
}
"""What a computer player is like, by character; how it plays is its level. At most 25 characters in every language, so
that it fits beside the name on a phone."""


def manner(person: Person, words: Words) -> str:
    """What *person* is like, in a few words; empty if that is not known."""
    known = MANNERS.get(character(person.name)) if person.user is None else None
    return words(known) if known else ""


def player_lines(scene: AnyScene, said: Callable[[Seat], str]) -> list[str]:
    """A line per player, in seat order: whether it is their turn, the name, whether a computer plays for them.

    Each ends with what *said* returns for the seat, such as tokens and cards.
    """
    lines = []
    for seat, person in enumerate(scene.people):
        turn = "▶️" if scene.on_turn == seat else "🔹"
        robot = " 🤖" if person.automatic else ""
        lines.append(f"{turn} {bold(person.name)}{robot} · {said(Seat(seat))}".rstrip())
    return lines


def rated_people(scene: AnyScene) -> list[Person]:
    """The people for whose ratings the game counts, or will if it starts now; empty: it does not (L6)."""
    return [scene.people[seat] for seat in scene.contest.people]


def rated_line(scene: AnyScene, words: Words) -> str:
    """For whom the game counts, in small print; it does."""
    names = [bold(person.name) for person in rated_people(scene)]
    if scene.contest.computers:
        return "-# " + words("Counts for {name}’s rating, against the computer players.", name=names[0])
    return "-# " + words("Counts for the ratings of {names}.", names=words.all_of(names))


def card_count(n: int, words: Words) -> str:
    """A number of cards in words: "1 card", "3 cards"."""
    return words.plural("{n} card", "{n} cards", n)


def handover_lines(scene: AnyScene, words: Words) -> list[str]:
    """A line of small print that says which seats have changed hands lately, the viewer's own left out; none if none
    has."""
    own = scene.people[scene.seat].name if scene.seat is not None else None
    said = [handover_line(it, words) for it in scene.handovers if it.name != own]
    return ["-# " + " ".join(said)] if said else []


def handover_line(it: Handover, words: Words) -> str:
    """A sentence about a seat that has changed hands."""
    name = bold(it.name)
    match it.change:
        case SeatChange.SAT_DOWN:
            return words("{name} takes {computer}’s seat.", name=name, computer=bold(it.before))
        case SeatChange.LEFT:
            return words("{name} has left: a computer plays on.", name=name)
        case SeatChange.REPLACED:
            return words("A computer plays for {name} now.", name=name)
        case SeatChange.BACK:
            return words("{name} is back.", name=name)


# What people can note of a deal, to check it after the game: the codes (``engine.fair``), who has cut the deck.


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
    """The message that fixes what the cards of *scene*, which is starting, are dealt from: one line, since it stands
    above the table as long as the channel does."""
    fixed, game = _fixed(scene), words(PRESENTERS[scene.game].title)
    assert fixed is not None
    return Sheet(text(f"-# 🔒 {game} · {words(DEAL_CODE)} {shown(fixed.code(scene.commitment))}"))


def starting_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The table message while the cards of *scene* are being dealt."""
    title = words(PRESENTERS[scene.game].title)
    return Sheet(box([text(f"## {title}", words("🃏 The cards are being dealt…"))]))


def shuffle_line(scene: AnyScene, words: Words) -> str:
    """The shuffle code of a lobby, as far as somebody should note it."""
    return f"🔒 {words(SHUFFLE_CODE)} {shown(scene.commitment)}"


def deal_lines(scene: AnyScene, words: Words) -> list[str]:
    """What somebody who wants to check the deal of *scene* needs: its codes in full, the id of the table message, who
    has cut the deck; as far as that is known yet."""
    lines, fixed = [f"{words(SHUFFLE_CODE)}: `{scene.commitment}`"], _fixed(scene)
    if fixed is not None:
        lines.append(f"{words(DEAL_CODE)}: `{fixed.code(scene.commitment)}`")
    if fixed is not None and fixed.message is not None:
        lines.append(words("ID of the first table message: {id}", id=f"`{fixed.message}`"))
    cutters = [bold(person.name) for person in scene.people if person.has_cut]
    if cutters:
        lines.append(words("✂️ The deck was cut by {names}.", names=words.all_of(cutters)))
    return lines


def _fixed(scene: AnyScene) -> Deal | None:
    """What the cards of *scene* are dealt from; ``None``: that is open still."""
    return None if scene.deal is None else deal_of(scene.deal)


def shown(code: str) -> str:
    """As many digits of *code* as somebody should note (``engine.verify``)."""
    return f"`{code[:ENOUGH_DIGITS]}`"


# What has just happened at a table, for both messages.


def news_lines(scene: AnyScene, words: Words) -> Sequence[str]:
    """What has just happened, as the viewer saw it, one line of small print each; none if a round has just ended."""
    saw_all = scene.public is not None and scene.recent != scene.public.recent
    return _small_print(scene, words) if saw_all else _public_news(scene, words)


def _small_print(scene: AnyScene, words: Words) -> Sequence[str]:
    """The news of *scene*."""
    return tuple(f"-# {line}" for line in PRESENTERS[scene.game].news(scene, words))


_public_news = alike(_small_print)
"""What has just happened, as everybody saw it."""
