"""A second implementation of fair deals, written from docs/fairness.md alone: it imports nothing of the program.

What each game does with its cards is in ``tests/engine/games/<name>/test_by_the_page.py``.
"""

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Iterator
from typing import Any

WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
SHEET = ("v", "game", "rules", "options", "seats", "message")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def string(text: str) -> str:
    short = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(short.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def canonical(data: Any) -> str:
    if isinstance(data, str):
        return string(data)
    if isinstance(data, list):
        return "[" + ",".join(map(canonical, data)) + "]"
    if isinstance(data, dict):
        keys = sorted(data, key=lambda key: [*key.encode("utf-16-be")])
        return "{" + ",".join(string(key) + ":" + canonical(data[key]) for key in keys) + "}"
    return json.dumps(data)


def cut(phrase: str) -> str:
    return sha256(unicodedata.normalize("NFC", phrase).strip(WHITE_SPACE).encode())


def sheet(record: dict[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in SHEET if key in record}


def deal_code(record: dict[str, Any]) -> str:
    said = {key: value for key, value in sheet(record).items() if key != "message"}
    return sha256(canonical({**said, "commitment": record["commitment"]}).encode())


def seed(record: dict[str, Any]) -> bytes:
    secret = bytes.fromhex(record["secret"])
    return hmac.new(secret, canonical(sheet(record)).encode(), "sha256").digest()


class Draws:
    """Everything that follows from a seed."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def stream(self, label: str) -> Iterator[int]:
        """Its bytes."""
        i = 0
        while True:
            yield from hmac.new(self.seed, f"{label}/{i}".encode("ascii"), "sha256").digest()
            i += 1

    def below(self, n: int, stream: Iterator[int]) -> int:
        while True:
            x = int.from_bytes(bytes(next(stream) for _ in range(4)), "big")
            if x < n * (2**32 // n):
                return x % n

    def pick(self, name: str, n: int) -> int:
        return self.below(n, self.stream(f"pick/{name}"))

    def shuffle(self, k: int, items: list[Any]) -> list[Any]:
        items, stream = list(items), self.stream(f"shuffle/{k}")
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1, stream)
            items[i], items[j] = items[j], items[i]
        return items
