"""Seeded shuffles that anybody can check after the game.

Before the first card is dealt the table publishes ``commitment(seed)``; when the game is over it publishes
the seed. Whoever has both can recompute every draw of chance:

- The *stream* named ``label`` is the concatenation of HMAC-SHA-256(seed, label + "/" + i) for i = 0, 1, 2 ...
  (``label`` and i in ASCII, i in decimal).
- ``below(n)`` reads four bytes from the stream as a big-endian number x; if x < n * floor(2**32 / n) the
  outcome is x mod n, otherwise the next four bytes are tried. So every outcome is equally likely.
- The k-th shuffle of a game (k = 0, 1, ...) is the Fisher-Yates shuffle on the stream "shuffle/k": for
  i = n-1 down to 1, swap items i and below(i + 1).
- A pick among n (the first player) is ``below(n)`` on the stream "pick/" + its name.

Sources: RFC 2104 (HMAC); Knuth, TAOCP vol. 2, 3.4.2, algorithm P.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_NUMBERS: Final = Struct(">8I").unpack


def commitment(seed: bytes) -> str:
    """SHA-256 of *seed* as 64 hexadecimal digits; it may be published at the start, since it does not reveal *seed*.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


class Fair:
    """The shuffles and draws of one game, all computed from its secret *seed* (at least 16 bytes, else ValueError)."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) < 16:
            raise ValueError(f"a seed has at least 16 bytes, not {len(seed)}")
        self._seed = seed

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """*items* in the order of the game's shuffle number *index* (from 0); the same index gives the same order."""
        shuffled = list(items)
        numbers = self._numbers(f"shuffle/{index}")
        for i in range(len(shuffled) - 1, 0, -1):
            n = i + 1
            limit = 2**32 - 2**32 % n  # as in ``_below``, without a call for every card
            x = next(numbers)
            while x >= limit:
                x = next(numbers)
            j = x % n
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)

    def pick(self, name: str, n: int) -> int:
        """A number from 0 to *n* - 1 for the draw called *name*; the same name gives the same number."""
        return _below(n, self._numbers(f"pick/{name}"))

    def _numbers(self, label: str) -> Iterator[int]:
        """The endless stream called *label*, as 32-bit numbers (see the module's docstring)."""
        seed, prefix = self._seed, f"{label}/".encode("ascii")
        return (
            number for block in count() for number in _NUMBERS(hmac.digest(seed, b"%s%d" % (prefix, block), "sha256"))
        )


def _below(n: int, numbers: Iterator[int]) -> int:
    """A number from 0 to *n* - 1, all equally likely, from the first of *numbers* that can be used (and consumes
    them)."""
    limit = 2**32 - 2**32 % n
    for x in numbers:
        if x < limit:
            return x % n
    raise AssertionError("the stream has no end")
