"""How strong the levels of the computer player are (docs/computer-players.md)."""

from collections.abc import Mapping
from typing import Final

SHARES: Final = (0.633, 0.648, 0.645, 0.631, 0.652)


def luck(seats: int, options: Mapping[str, str]) -> float:
    """As ``Game.luck``."""
    return 1.0
