"""The choices of a seat, numbered as the networks number them."""

from typing import Final, NamedTuple

from engine.games.diciassette.cards import KINDS, Card


class Choice(NamedTuple):
    """A way to play a card."""

    card: Card
    hidden: bool
    """Whether the card lies face down. A two-sided card is never hidden: its number is public either way (D2)."""


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
"""The place of each way to play a card in ``PLAYS``."""
