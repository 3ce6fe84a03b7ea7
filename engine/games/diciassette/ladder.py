"""How strong the levels of the computer player are (docs/computer-players.md)."""

from collections.abc import Mapping
from typing import Final

SHARES: Final = (0.648, 0.626, 0.606, 0.655, 0.641)


def luck(seats: int, options: Mapping[str, str]) -> float:
    """As ``Game.luck``."""
    return 1.0
