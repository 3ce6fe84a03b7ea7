"""Seeded shuffles that anybody can check after the game, from a seed that nobody can choose.

docs/fairness.md describes all this for other programs; a test recomputes its example.

- The *secret* is drawn when the lobby opens; its SHA-256, ``commitment(secret)``, is the *shuffle code*. It is shown
  before anybody cuts, so the secret cannot be chosen to suit seats or cuts.
- A *cut* is a phrase of a player's own; only its ``cut_hash`` is stored.
- A ``Deal`` holds game, options and seats with their cuts. ``Deal.deal_code``, the *deal code*, fixes all of it and the
  secret. It is shown before the table message exists, so nothing can be chosen to suit that message's id, which Discord
  chooses.
- ``Deal.seed`` is made of the secret, all of that, and the id of the table message.

Every random draw follows from the seed (``SeededChance``):

- The *stream* named ``label`` is the concatenation of HMAC-SHA-256(seed, label + "/" + i) for i = 0, 1, 2 ...
  (``label`` and i in ASCII, i in decimal).
- ``below(n)`` reads four bytes from the stream as a big-endian number x; if x < n * floor(2**32 / n) the
  outcome is x mod n, otherwise the next four bytes are tried. So every outcome is equally likely.
- The k-th shuffle of a game (k = 0, 1, ...) is the Fisher-Yates shuffle on the stream "shuffle/k": for
  i = n-1 down to 1, swap items i and below(i + 1).
- A pick among n (the first player) is ``below(n)`` on the stream "pick/" + its name.

Sources: RFC 2104 (HMAC); RFC 8785 (canonical JSON); Knuth, TAOCP vol. 2, 3.4.2, algorithm P.
"""

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from struct import Struct
from typing import Any, Final, Literal, NamedTuple, TypeVar

from engine.game import Json

T = TypeVar("T")

SEED_BYTES: Final = 32
"""The length of a secret, and of a seed."""
VERSION: Final = 1
"""The version of the form of records, and of the content of a deal code and a seed."""
MAX_INTEGER: Final = 2**53 - 1
"""The largest number that canonical JSON may hold: every language's JSON reads it as it is (RFC 8785, 3.2.2.3)."""
MAX_DEPTH: Final = 32
"""The most arrays and objects that may be nested in one another."""
WHITE_SPACE: Final = "".join(
    map(chr, (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
)
"""The characters with Unicode's property White_Space; ``str.strip`` alone would strip four more."""

_UNPACK_INTEGERS: Final = Struct(">8I").unpack

PlayerKind = Literal["person", "computer"]


def commitment(secret: bytes) -> str:
    """The *shuffle code* of *secret*: its SHA-256 as 64 hexadecimal digits. It does not reveal the secret.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(secret).hexdigest()


def canonical_json(data: Any) -> bytes:
    """Encode *data* as canonical JSON (RFC 8785, UTF-8 bytes), or raise ValueError if it cannot be expressed.

    There is only one way to write it, so its hash can be compared.

    >>> canonical_json({"b": [1, True, None], "a": "é\\n"}).decode()
    '{"a":"é\\\\n","b":[1,true,null]}'

    Raises:
        ValueError: *data* holds something else than objects, arrays, text, booleans, null and integers from
            -``MAX_INTEGER`` to ``MAX_INTEGER``, or is nested more than ``MAX_DEPTH`` deep.
    """
    return _canonical_json(data, MAX_DEPTH).encode("utf-8")


def _canonical_json(data: Any, levels: int) -> str:
    """Write *data* as canonical JSON text with at most *levels* of nested arrays and objects, or raise ValueError."""
    kind = type(data)
    if data is None or kind is bool or kind is str:
        return json.dumps(data, ensure_ascii=False)
    if kind is int:
        if abs(data) > MAX_INTEGER:
            raise ValueError("a number is too large")
        return str(data)
    if not levels:
        raise ValueError("it is nested too deeply")
    if kind is list or kind is tuple:
        return f"[{','.join(_canonical_json(item, levels - 1) for item in data)}]"
    if kind is dict:
        if not all(type(key) is str for key in data):
            raise ValueError("a key of an object is no text")
        # RFC 8785 sorts by UTF-16 code units, Python by code points.
        keys = sorted(data, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        pairs = (f"{_canonical_json(key, levels)}:{_canonical_json(data[key], levels - 1)}" for key in keys)
        return f"{{{','.join(pairs)}}}"
    raise ValueError(f"there is no canonical JSON for a {kind.__name__}")


def cut_hash(phrase: str) -> str:
    """Hash the *phrase* with which a player cuts (changes the shuffle): SHA-256 as 64 hexadecimal digits; or raise
    ValueError if it is no text.

    Only this hash is stored.

    It is taken of the phrase in Unicode's form NFC, without white space at its ends, in UTF-8; so it does not matter
    how an "é" was typed.

    >>> cut_hash(" cafe\u0301 ") == cut_hash("caf\u00e9")
    True

    Raises:
        ValueError: *phrase* is no text that UTF-8 can write.
    """
    return hashlib.sha256(unicodedata.normalize("NFC", phrase).strip(WHITE_SPACE).encode("utf-8")).hexdigest()


class DealtSeat(NamedTuple):
    """A seat when the cards were dealt: the player's id, person or computer, level, and hash of the cut."""

    id: str
    """16 random hexadecimal digits that identify the player, in this record alone."""
    kind: PlayerKind
    level: str = ""
    """The level of a computer player; empty: not stated."""
    cut: str = ""
    """``cut_hash`` of the person's phrase; empty: the person did not cut."""

    def to_json(self) -> Json:
        """The seat as JSON, as it stands in the record."""
        said = {"id": self.id, "kind": self.kind, "level": self.level, "cut": self.cut}
        return {key: value for key, value in said.items() if value}


class Deal(NamedTuple):
    """Everything that a game was dealt from, except the secret: game, rules, options, seats, cuts, table message's
    id."""

    game: str
    rules: int
    """``Game.rules_version``."""
    options: Mapping[str, str]
    """All of the game's options."""
    seats: tuple[DealtSeat, ...]
    message: int | None = None
    """The id of the table message; ``None``: there is no message yet."""

    def to_json(self) -> Json:
        """The deal as a JSON object, as it stands in the record; without ``message`` if there is no table message yet.

        The message's id is text, because canonical JSON has no numbers of that size.
        """
        data: Json = {
            "v": VERSION,
            "game": self.game,
            "rules": self.rules,
            "options": dict(self.options),
            "seats": [seat.to_json() for seat in self.seats],
        }
        return data if self.message is None else {**data, "message": str(self.message)}

    def deal_code(self, shuffle_code: str) -> str:
        """The *deal code*: the SHA-256 (64 hexadecimal digits) of game, options, seats, cuts and *shuffle_code*,
        without the table message.

        It is made before the table message exists. Whoever has this code alone knows that none of it was chosen later.
        """
        data = {**self._replace(message=None).to_json(), "commitment": shuffle_code}
        return hashlib.sha256(canonical_json(data)).hexdigest()

    def legacy_deal_code(self) -> str:
        """The deal code as it was before version 0.4, without the shuffle code: 64 hexadecimal digits. Tables of that
        time show it."""
        return hashlib.sha256(canonical_json(self._replace(message=None).to_json())).hexdigest()

    def seed(self, secret: bytes) -> bytes:
        """The seed (32 bytes) of the game's shuffles, from *secret*, the deal and the table message's id; or raise
        ValueError without a message.

        Raises:
            ValueError: there is no message.
        """
        if self.message is None:
            raise ValueError("there is no seed before the table message")
        return hmac.digest(secret, canonical_json(self.to_json()), "sha256")


class SeededChance:
    """The shuffles and random numbers of one game, all computed from its *seed*; ValueError below 16 bytes."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) < 16:
            raise ValueError(f"a seed has at least 16 bytes, not {len(seed)}")
        self._seed = seed

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in the order of the game's shuffle number *index*, from 0. The same index gives the same
        order."""
        shuffled = list(items)
        n = len(shuffled)
        for x in self._random_integers(f"shuffle/{index}"):
            if n < 2:
                break
            # As in ``_uniform_below``, but without a call for every card, and with one division: x is below the limit
            # if all the n numbers that have the same quotient are below 2**32.
            j = x % n
            if x - j <= 2**32 - n:
                n -= 1
                shuffled[n], shuffled[j] = shuffled[j], shuffled[n]
        return tuple(shuffled)

    def pick(self, name: str, n: int) -> int:
        """A random number from 0 to *n* - 1 for the game's random choice called *name*, such as "starter". The same
        name gives the same number."""
        return _uniform_below(n, self._random_integers(f"pick/{name}"))

    def _random_integers(self, label: str) -> Iterator[int]:
        """The endless stream called *label*, as 32-bit integers (see the module's docstring)."""
        seed, prefix = self._seed, f"{label}/".encode("ascii")
        blocks = (hmac.digest(seed, b"%s%d" % (prefix, block), "sha256") for block in count())
        return chain.from_iterable(map(_UNPACK_INTEGERS, blocks))


def _uniform_below(n: int, numbers: Iterator[int]) -> int:
    """A number from 0 to *n* - 1, all equally likely, from the first usable ones of *numbers* (32-bit); it consumes
    what it reads."""
    limit = 2**32 - 2**32 % n
    for x in numbers:
        if x < limit:
            return x % n
    raise AssertionError("the stream has no end")
