"""Shuffles that anybody can check: computed here a second time, straight from the documented construction."""

import hashlib
import hmac
from collections import Counter

import pytest

from engine.fair import Fair, commitment

SEED = bytes(range(32))


def stream(label: str, count: int) -> list[int]:
    data = b"".join(hmac.new(SEED, f"{label}/{i}".encode(), hashlib.sha256).digest() for i in range(count // 8 + 1))
    return [int.from_bytes(data[4 * i : 4 * i + 4], "big") for i in range(count)]


def shuffled(label: str, count: int) -> tuple[list[int], int]:
    """(*count* numbers as they should be shuffled, how many numbers of the stream were too large)."""
    numbers = iter(stream(label, count + 100))
    expected, refused = list(range(count)), 0
    for i in range(count - 1, 0, -1):
        limit = 2**32 // (i + 1) * (i + 1)
        while (x := next(numbers)) >= limit:
            refused += 1
        j = x % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    return expected, refused


def test_the_shuffle_is_fisher_yates_on_the_hmac_stream() -> None:
    assert Fair(SEED).shuffle(3, range(70)) == tuple(shuffled("shuffle/3", 70)[0])


def test_numbers_that_are_too_large_are_drawn_again_so_every_outcome_is_equally_likely() -> None:
    """That is rare enough to need a very large pile."""
    expected, refused = shuffled("shuffle/2", 300_000)
    assert refused
    assert Fair(SEED).shuffle(2, range(300_000)) == tuple(expected)


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_shuffles_differ_by_index_and_seed_and_repeat_otherwise() -> None:
    assert Fair(SEED).shuffle(0, range(70)) == Fair(SEED).shuffle(0, range(70))
    assert Fair(SEED).shuffle(0, range(70)) != Fair(SEED).shuffle(1, range(70))
    assert Fair(SEED).shuffle(0, range(70)) != Fair(bytes(32)).shuffle(0, range(70))


def test_every_order_of_three_is_about_equally_likely() -> None:
    orders = Counter(Fair(SEED).shuffle(index, "abc") for index in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_a_short_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Fair(b"short")
