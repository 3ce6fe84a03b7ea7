"""Twelve cards, 1 to 12, each once (ruling ZZ1)."""

from typing import Final

Card = int

DECK: Final[tuple[Card, ...]] = tuple(range(1, 13))
