"""What becomes of a card that is played: at a table there can be 168 plays, so all of it is made once and looked up,
which takes a third of the time."""

from itertools import product
from typing import Final

from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import KINDS, Face
from engine.games.diciassette.events import CardPlayed, Turned
from engine.games.diciassette.state import ALL_SEATS, Laid

_PLAYS: Final = tuple(Play(seat, card, face) for seat, card, face in product(ALL_SEATS[-1], KINDS, Face))

LAYING: Final = {play: (CardPlayed(*play), Laid(*play)) for play in _PLAYS}
"""Every play there can be -> its event, and the card as it then lies in the queue."""
TURNED: Final = {laid: Turned(*laid) for _, laid in LAYING.values()}
"""A card that lies in the queue -> it as the reveal turns it (D13)."""
