"""Shuffles that anybody can check: computed here a second time, straight from the documented construction."""

import hashlib
import hmac
import json
import unicodedata
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fair import MAX_INTEGER, WHITE_SPACE, Deal, DealtSeat, SeededChance, canonical_json, commitment, cut_hash
from tests.engine import by_the_page

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
    assert SeededChance(SEED).shuffle(3, range(70)) == tuple(shuffled("shuffle/3", 70)[0])


def test_numbers_that_are_too_large_are_drawn_again_so_every_outcome_is_equally_likely() -> None:
    """That is rare enough to need a very large pile."""
    expected, refused = shuffled("shuffle/2", 300_000)
    assert refused
    assert SeededChance(SEED).shuffle(2, range(300_000)) == tuple(expected)


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_shuffles_differ_by_index_and_seed_and_repeat_otherwise() -> None:
    assert SeededChance(SEED).shuffle(0, range(70)) == SeededChance(SEED).shuffle(0, range(70))
    assert SeededChance(SEED).shuffle(0, range(70)) != SeededChance(SEED).shuffle(1, range(70))
    assert SeededChance(SEED).shuffle(0, range(70)) != SeededChance(bytes(32)).shuffle(0, range(70))


def test_every_order_of_three_is_about_equally_likely() -> None:
    orders = Counter(SeededChance(SEED).shuffle(index, "abc") for index in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_a_short_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        SeededChance(bytes(15))
    assert sorted(SeededChance(bytes(16)).shuffle(0, range(3))) == [0, 1, 2]


# Canonical JSON (RFC 8785)

values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_canonical_json_is_as_the_page_says_and_reads_back(data: Any) -> None:
    assert canonical_json(data) == by_the_page.canonical(data).encode()
    assert json.loads(canonical_json(data)) == data


def test_the_example_of_rfc_8785() -> None:
    """Section 3.2.3, and the string of section 3.2.2; its numbers with fractions do not occur here."""
    keys = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "\u00f6": 7}
    assert json.loads(canonical_json(keys)) == keys
    assert [*json.loads(canonical_json(keys)).values()] == [2, 4, 6, 7, 1, 5, 3]
    string = "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f"
    assert canonical_json(string) == """"\u20ac$\\u000f\\nA'B\\"\\\\\\\\\\"/\"""".encode()
    assert canonical_json([]) == b"[]"
    assert canonical_json({"a": {}}) == b'{"a":{}}'


def test_the_bytes_of_the_page() -> None:
    written = (
        "7b22 61 22 3a 22 43 61 66 c3 a9 20 31 37 21 5c 6e 22 2c 22 62 22 3a 5b 31 2c 74 72 75 65 2c 6e 75 6c 6c 5d 7d"
    )
    assert canonical_json({"b": [1, True, None], "a": "Café 17!\n"}) == bytes.fromhex(written)


def nested(levels: int, key: str | None = None) -> Any:
    """An array in an array in an array ..., *levels* of them; with a *key* objects."""
    data: Any = [] if key is None else {}
    for _ in range(levels - 1):
        data = [data] if key is None else {key: data}
    return data


@pytest.mark.parametrize(
    "data",
    [
        1.0,
        float("nan"),
        b"x",
        {1: 2},
        {"a": 1.5},
        MAX_INTEGER + 1,
        -MAX_INTEGER - 1,
        {1},
        "\ud800",
        nested(33),
        nested(33, "a"),
    ],
)
def test_what_has_no_canonical_form_is_refused(data: Any) -> None:
    with pytest.raises(ValueError):
        canonical_json(data)


def test_the_largest_and_the_deepest_have_a_canonical_form() -> None:
    assert canonical_json([MAX_INTEGER, -MAX_INTEGER]) == b"[9007199254740991,-9007199254740991]"
    assert canonical_json(nested(32, "a")) == b'{"a":' * 31 + b"{}" + b"}" * 31
    assert canonical_json(nested(32)) == b"[" * 32 + b"]" * 32


# Cuts, codes, seeds


@given(st.text(), st.sampled_from(["", *by_the_page.WHITE_SPACE]), st.sampled_from(["NFC", "NFD"]))
def test_a_cut_is_the_same_however_it_is_typed(phrase: str, space: str, form: Any) -> None:
    typed = f"{space}{unicodedata.normalize(form, phrase)}{space}"
    assert cut_hash(typed) == cut_hash(phrase) == by_the_page.cut(typed)


def test_cuts_with_known_hashes() -> None:
    assert sorted(WHITE_SPACE) == sorted(by_the_page.WHITE_SPACE)
    assert cut_hash("Buon Natale\n") == "6d84d2d56f6a01818f02749421253c1f11eb5e763031647660d53a4adb2cf12d"
    assert cut_hash("Buon natale") != cut_hash("Buon Natale")
    assert cut_hash("  ") == hashlib.sha256(b"").hexdigest()
    assert cut_hash("\x1f") != cut_hash(""), "Python alone counts it as white space"
    with pytest.raises(ValueError):
        cut_hash("\ud800")


PERSON = DealtSeat("3f9ac04417e2b58d", "person", "", cut_hash("Buon Natale"))
COMPUTER = DealtSeat("a1b2c3d4e5f60718", "computer", "strong")
DEAL = Deal("a game", 1, {"length": "short"}, (PERSON, COMPUTER), 1300000000000000000)


def test_what_stands_in_the_sheet() -> None:
    assert DEAL.to_json() == {
        "v": 1,
        "game": "a game",
        "rules": 1,
        "options": {"length": "short"},
        "seats": [
            {"id": "3f9ac04417e2b58d", "kind": "person", "cut": cut_hash("Buon Natale")},
            {"id": "a1b2c3d4e5f60718", "kind": "computer", "level": "strong"},
        ],
        "message": "1300000000000000000",
    }
    assert "message" not in DEAL._replace(message=None).to_json()


def test_code_and_seed_with_known_values_and_by_the_page() -> None:
    shuffle = commitment(SEED)
    record = {**DEAL.to_json(), "secret": SEED.hex(), "commitment": shuffle}
    assert DEAL.deal_code(shuffle) == by_the_page.deal_code(record) == DEAL._replace(message=None).deal_code(shuffle)
    assert DEAL.deal_code(shuffle) == "63639ce56134501a793abcc95c9021f3543592227c1284783dc8a9785deec28b"
    assert DEAL.legacy_deal_code() == "daa342fbc9cde99e5cca8bfd1be1ce2b6373658211f1b2da1584158d461ad003"
    assert DEAL.seed(SEED) == by_the_page.seed(record)
    assert DEAL.seed(SEED).hex() == "cbdd2123e8d6b7c208dc9f7f31786e280b031d1e572165605b0ca61bc3c7b773"


def test_everything_counts_for_the_seed_and_all_but_the_message_for_the_code() -> None:
    others = [
        DEAL._replace(game="another"),
        DEAL._replace(rules=2),
        DEAL._replace(options={"length": "full"}),
        DEAL._replace(options={}),
        DEAL._replace(seats=(COMPUTER, PERSON)),
        DEAL._replace(seats=(PERSON._replace(id="0" * 16), COMPUTER)),
        DEAL._replace(seats=(PERSON._replace(cut=""), COMPUTER)),
        DEAL._replace(seats=(PERSON._replace(cut=cut_hash("x")), COMPUTER)),
        DEAL._replace(seats=(PERSON, COMPUTER._replace(level=""))),
        DEAL._replace(seats=(PERSON, COMPUTER._replace(kind="person"))),
    ]
    shuffle = commitment(SEED)
    assert (
        len({deal.deal_code(shuffle) for deal in [DEAL, *others]} | {DEAL.deal_code(commitment(bytes(32)))})
        == len(others) + 2
    )
    another = DEAL._replace(message=1300000000000000001)
    assert another.deal_code(shuffle) == DEAL.deal_code(shuffle)
    assert len({deal.seed(SEED) for deal in [DEAL, another, *others]}) == len(others) + 2
    assert DEAL.seed(bytes(32)) != DEAL.seed(SEED)


def test_there_is_no_seed_before_the_message() -> None:
    with pytest.raises(ValueError, match="before the table message"):
        DEAL._replace(message=None).seed(SEED)
