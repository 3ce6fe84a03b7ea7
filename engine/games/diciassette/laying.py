"""A table of all plays and their results. There are only 168 plays at a table, so all of them are made once and looked
up. That takes a third of the time."""

from itertools import product
from typing import Final

from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import KINDS, Face
from engine.games.diciassette.events import CardPlayed, Turned
from engine.games.diciassette.state import ALL_SEATS, Laid

_PLAYS: Final = tuple(Play(seat, card, face) for seat, card, face in product(ALL_SEATS[-1], KINDS, Face))

PLAY_RESULTS: Final = {play: (CardPlayed(*play), Laid(*play)) for play in _PLAYS}
"""Every possible play -> its event, and its card as it then lies in the queue."""
REVEALED_CARDS: Final = {laid: Turned(*laid) for _, laid in PLAY_RESULTS.values()}
"""A card in the queue -> the same card in the reveal (D13)."""
