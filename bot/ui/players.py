"""Lines about the players, the same in every game: who they are, and which seats have changed hands."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.i18n import N_, Words
from bot.tables.model import Handover, SeatChange
from bot.tables.names import character_name
from bot.tables.scene import AnyScene, PublicPlayer
from bot.ui.components import bold_name
from engine.game import Seat

CHARACTER_DESCRIPTIONS: Final[Mapping[str, str]] = {
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
"""A description of each computer character; how well it plays is its level. At most 25 characters in every language: it
must fit beside the name on a phone."""


def computer_character_description(person: PublicPlayer, words: Words) -> str:
    """A few words about the character of a computer player; empty for people and unknown characters."""
    known = CHARACTER_DESCRIPTIONS.get(character_name(person.name)) if person.user is None else None
    return words(known) if known else ""


def player_lines(scene: AnyScene, seat_text: Callable[[Seat], str]) -> list[str]:
    """A line for each player at the table, in seat order: turn mark, name, 🤖 if a computer plays, and *seat_text*.

    *seat_text* returns the end of a seat's line, such as tokens and cards.
    """
    lines = []
    for seat, person in enumerate(scene.people):
        turn = "▶️" if scene.on_turn == seat else "🔹"
        robot = " 🤖" if person.automatic else ""
        lines.append(f"{turn} {bold_name(person.name)}{robot} · {seat_text(Seat(seat))}".rstrip())
    return lines


def rated_people(scene: AnyScene) -> list[PublicPlayer]:
    """Return the people for whose ratings the game counts, or will if it starts now; empty if it counts for nobody's
    (L6)."""
    return [scene.people[seat] for seat in scene.contest.people]


def rated_people_line(scene: AnyScene, words: Words) -> str:
    """Return a line of small print that names the people for whose ratings the game counts; there must be some
    (``rated_people``)."""
    names = [bold_name(person.name) for person in rated_people(scene)]
    if scene.contest.computers:
        return "-# " + words("Counts for {name}’s rating, against the computer players.", name=names[0])
    return "-# " + words("Counts for the ratings of {names}.", names=words.list_and(names))


def card_count_text(n: int, words: Words) -> str:
    """Return a number of cards in words, translated: "1 card", "3 cards"."""
    return words.plural("{n} card", "{n} cards", n)


def seat_handover_lines(scene: AnyScene, words: Words) -> list[str]:
    """One line that says which seats lately passed to or from a computer, except the viewer's; empty if none did."""
    own = scene.people[scene.seat].name if scene.seat is not None else None
    said = [seat_handover_line(it, words) for it in scene.handovers if it.name != own]
    return ["-# " + " ".join(said)] if said else []


def seat_handover_line(handover: Handover, words: Words) -> str:
    """A sentence on a seat that a person has taken, left or taken back, or lost to a computer."""
    name = bold_name(handover.name)
    match handover.change:
        case SeatChange.SAT_DOWN:
            return words("{name} takes {computer}’s seat.", name=name, computer=bold_name(handover.before))
        case SeatChange.LEFT:
            return words("{name} has left: a computer plays on.", name=name)
        case SeatChange.REPLACED:
            return words("A computer plays for {name} now.", name=name)
        case SeatChange.BACK:
            return words("{name} is back.", name=name)
