"""What a seat can choose, numbered as the networks number it."""

from typing import Final, NamedTuple

from engine.games.diciassette.cards import KINDS, Card


class Choice(NamedTuple):
    """A way to play a card."""

    card: Card
    hidden: bool
    """Whether it lies face down. A two-sided card never does: its number is public either way (D2)."""


PLAYS: Final = tuple(
    [Choice(card, hidden=False) for card in KINDS] + [Choice(card, hidden=True) for card in KINDS if not card.open_back]
)
"""Every way to play a card."""
CALL: Final = len(PLAYS)
"""The choice to call 17."""
PASS: Final = CALL + 1
"""The choice not to call, off turn."""
CHOICES: Final = PASS + 1
"""How many choices there are."""
PLACES: Final = {choice: place for place, choice in enumerate(PLAYS)}
"""Where a way to play stands in ``PLAYS``."""
