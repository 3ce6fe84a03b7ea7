"""How strong the levels of the computer player are, as it was measured (docs/computer-players.md)."""

from collections.abc import Mapping
from typing import Final

SHARES: Final = (0.621, 0.643, 0.625, 0.656, 0.629)


def luck(seats: int, options: Mapping[str, str]) -> float:
    """Level 5 is ahead of level 2 in 87.6, 77.1, 72.0 and 65.9 % of 1,000 games of 2, 3, 4 and 6 players: luck of 1,
    1.6, 2.1 and 3.0."""
    return seats / 2
