"""How strong the levels of the computer player are, as it was measured (docs/computer-players.md)."""

from collections.abc import Mapping
from typing import Final

SHARES: Final = (0.642, 0.655, 0.633, 0.643, 0.619)


def luck(seats: int, options: Mapping[str, str]) -> float:
    """Level 5 is ahead of level 2 in 86.7 ± 2.0, 71.8, 69.6 and 63.2 % of the games of 2, 3, 4 and 6 players (300,
    1,000, 1,000, 1,000 games): luck of 1, 2.0, 2.3 and 3.5."""
    return 1.0 if seats == 2 else 0.58 * seats
