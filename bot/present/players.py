"""The lines of the players in a table message, alike in every game."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.i18n import N_, Words
from bot.present.sheet import bold
from bot.tables.characters import character
from bot.tables.scene import AnyScene, Person
from engine.game import Seat

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
"""What a computer player is like, by character: nothing about how they play, since they all play alike. At most 25
characters in every language, so that it fits beside the name on a phone."""


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


def card_count(n: int, words: Words) -> str:
    """A number of cards in words: "1 card", "3 cards"."""
    return words.plural("{n} card", "{n} cards", n)
