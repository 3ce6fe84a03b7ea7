"""The computer players as characters: what they are called, how well they play, how quickly they make up their mind.

They are named after people who thought about chance, numbers and computers: Ada Lovelace, Blaise Pascal, Girolamo
Cardano, Dorothy Vaughan, Emmy Noether, Fibonacci, Grace Hopper, Hedy Lamarr, Jakob Bernoulli, Lotfi Zadeh, Maryam
Mirzakhani, Thomas Bayes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Final, NamedTuple

from bot.tables.lookalikes import looks
from bot.tables.model import Player, TableId
from engine.registry import AnyGame


class Tempo(NamedTuple):
    """Between which times a computer player makes up its mind, as parts of the beat."""

    least: float
    most: float


QUICK: Final = Tempo(0.6, 1.1)
USUAL: Final = Tempo(0.7, 1.6)
SLOW: Final = Tempo(1.0, 2.1)


class Character(NamedTuple):
    """How a computer player plays."""

    level: int
    """1 is the weakest; in a game with fewer levels the highest one that there is."""
    tempo: Tempo


CHARACTERS: Final[Mapping[str, Character]] = {
    "Ada": Character(6, USUAL),
    "Blaise": Character(5, USUAL),
    "Cardano": Character(2, QUICK),
    "Dorothy": Character(3, USUAL),
    "Emmy": Character(6, USUAL),
    "Fibo": Character(1, USUAL),
    "Grace": Character(4, QUICK),
    "Hedy": Character(1, QUICK),
    "Jakob": Character(4, SLOW),
    "Lotfi": Character(3, SLOW),
    "Maryam": Character(5, SLOW),
    "Thomas": Character(2, USUAL),
}
"""By name, which needs no translation; each begins with another letter."""
MIDDLE_LEVEL: Final = 3
"""The level of a computer that plays for a person (L4), and of those that somebody adds without choosing one."""
NEAREST: Final = (3, 4, 2, 5, 1, 6)
"""Levels in the order in which they are taken when nobody has chosen one."""


def tempo(player: Player) -> Tempo:
    """The tempo of the computer that plays for *player*: that of the character; the usual one in a person's seat."""
    known = CHARACTERS.get(character(player.name)) if player.user is None else None
    return USUAL if known is None else known.tempo


def level(player: Player, game: AnyGame) -> int:
    """The level at which a computer plays *game* for *player*: that of the character; the middle one in a person's
    seat."""
    known = CHARACTERS.get(character(player.name)) if player.user is None and not player.former else None
    return min(MIDDLE_LEVEL if known is None else known.level, game.computers.LEVELS)


def character(name: str) -> str:
    """The character of the computer player called *name*, which may end with a number.

    >>> character("Ada"), character("Ada 2")
    ('Ada', 'Ada')
    """
    return name.partition(" ")[0]


def free_name(table: TableId, taken: Iterable[str], chosen: int | None = None) -> str:
    """A name for one more computer player at *table*, which looks like none of those that are *taken*: of a character
    of the *chosen* level; of the middle one, as far as there are, if none was chosen.

    Every table has its own order of the characters. When all are taken they are numbered: Ada 2, Blaise 2 ...
    """
    known = frozenset[str]().union(*(looks(name) for name in taken))
    return next(it for it in _names(table, NEAREST if chosen is None else (chosen,)) if not looks(it) & known)


def _names(table: TableId, levels: Sequence[int]) -> Iterator[str]:
    """Names for the computer players of *table*, those of the first of *levels* first, without end."""
    mixed = Random(table).sample(list(CHARACTERS), len(CHARACTERS))
    names = [name for level in levels for name in mixed if CHARACTERS[name].level == level]
    yield from names
    for number in count(2):
        yield from (f"{name} {number}" for name in names)
