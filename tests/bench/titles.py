"""What the tables call a game."""

from bot.ui.registry import PRESENTERS


def title(game: str) -> str:
    """Its title without what stands in brackets: "17", "12 Days of Christmas"."""
    return PRESENTERS[game].title.partition(" (")[0]
