"""How strong the levels of the computer player are, as it was measured (docs/computer-players.md)."""

from collections.abc import Mapping
from typing import Final

SHARES: Final = (0.673, 0.664, 0.659, 0.644, 0.633)


def luck(seats: int, options: Mapping[str, str]) -> float:
    """Level 5 is ahead of level 2 in 83.2, 71.8, 69.6 and 63.2 % of the games of 2, 3, 4 and 6 players (500, 1,000,
    1,000, 1,000 games): luck of 1, 1.7, 1.9 and 3.0."""
    return seats / 2
