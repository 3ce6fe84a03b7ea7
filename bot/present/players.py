"""The lines of the players in a table message, alike in every game."""

from collections.abc import Callable

from bot.i18n import Words
from bot.present.sheet import bold
from bot.tables.scene import AnyScene
from engine.game import Seat


def player_lines(scene: AnyScene, said: Callable[[Seat], str]) -> list[str]:
    """A line per player, in seat order: whether it is their turn, the name, whether a computer plays for them.

    Each ends with what *said* returns for the seat, such as tokens and cards.
    """
    lines = []
    for seat, person in enumerate(scene.people):
        turn = "▶️" if scene.on_turn == seat else "▪️"
        robot = " 🤖" if person.automatic else ""
        lines.append(f"{turn} {bold(person.name)}{robot} · {said(Seat(seat))}".rstrip())
    return lines


def card_count(n: int, words: Words) -> str:
    """A number of cards in words: "1 card", "3 cards"."""
    return words.plural("{n} card", "{n} cards", n)
