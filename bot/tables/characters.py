"""The computer players as characters: what they are called, and how quickly each makes up their mind.

They are named after people who thought about chance, numbers and computers: Ada Lovelace, Blaise Pascal, Girolamo
Cardano, Dorothy Vaughan, Emmy Noether, Fibonacci, Grace Hopper, Hedy Lamarr, Jakob Bernoulli, Lotfi Zadeh, Maryam
Mirzakhani, Thomas Bayes. They all play alike: only their time differs.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from random import Random
from typing import Final, NamedTuple

from bot.tables.model import Player, Table, TableId
from engine.game import Seat


class Tempo(NamedTuple):
    """Between which times a computer player makes up its mind, as parts of the beat."""

    least: float
    most: float


QUICK: Final = Tempo(0.6, 1.1)
USUAL: Final = Tempo(0.7, 1.6)
SLOW: Final = Tempo(1.0, 2.1)
CHARACTERS: Final[Mapping[str, Tempo]] = {
    "Ada": USUAL,
    "Blaise": USUAL,
    "Cardano": QUICK,
    "Dorothy": USUAL,
    "Emmy": USUAL,
    "Fibo": USUAL,
    "Grace": QUICK,
    "Hedy": QUICK,
    "Jakob": SLOW,
    "Lotfi": SLOW,
    "Maryam": SLOW,
    "Thomas": USUAL,
}
"""Name -> tempo. A name needs no translation; each begins with another letter."""


def tempo(player: Player) -> Tempo:
    """The tempo of the computer that plays for *player*: that of the character; the usual one in a person's seat."""
    return CHARACTERS.get(character(player.name), USUAL) if player.user is None else USUAL


MIDDLE_LEVEL: Final = 3
"""The level at which computer players play, also when they take a person's seat over (L4)."""


def level(table: Table, seat: Seat) -> int:
    """The level of the computer player that plays *seat* at *table*."""
    return min(MIDDLE_LEVEL, table.rules.levels)


def character(name: str) -> str:
    """The character of the computer player called *name*, which may end with a number.

    >>> character("Ada"), character("Ada 2")
    ('Ada', 'Ada')
    """
    return name.partition(" ")[0]


def free_name(table: TableId, taken: Iterable[str]) -> str:
    """A name for one more computer player at *table*, unlike all that are *taken*, whatever their case.

    Every table has its own order of the characters. When all are taken they are numbered: Ada 2, Blaise 2 ...
    """
    known = {_folded(name) for name in taken}
    return next(name for name in _names(table) if _folded(name) not in known)


def renamed(table: Table) -> Table:
    """*table* with another name for every computer player who is called like a person there."""
    for seat, player in enumerate(table.players):
        people = {_folded(other.name) for other in table.players if other.user is not None}
        if player.user is None and _folded(player.name) in people:
            players = list(table.players)
            players[seat] = player._replace(name=free_name(table.id, [other.name for other in players]))
            table = table._replace(players=tuple(players))
    return table


def _names(table: TableId) -> Iterator[str]:
    """Names for the computer players of *table*, without end."""
    names = Random(table).sample(list(CHARACTERS), len(CHARACTERS))
    yield from names
    for number in count(2):
        yield from (f"{name} {number}" for name in names)


def _folded(name: str) -> str:
    """*name* as it is compared with others."""
    return " ".join(name.split()).casefold()
