"""JSON for the engine's own types, and what has a type down to the last field."""

from enum import Enum
from typing import Any, NamedTuple

import pytest

from engine import codec
from engine.game import Seat, build_namedtuple


class Face(Enum):
    UP = "up"


class Pair(NamedTuple):
    seat: Seat
    face: Face


class Other(NamedTuple):
    words: tuple[str, ...] = ()
    pair: Pair | None = None


class One(NamedTuple):
    face: Face


class Three(NamedTuple):
    seat: Seat
    face: Face
    word: str


class Several(NamedTuple):
    words: tuple[str, ...]
    pair: Pair | None
    numbers: tuple[int, ...]


PAIR = Pair(Seat(1), Face.UP)
LIKE_A_PAIR: Any = NamedTuple("LikeAPair", [("seat", int), ("face", Face)])(1, Face.UP)

RIGHT = [
    (int, 1), (str, "a"), (bool, True), (Any, object()), (Face, Face.UP), (Seat, Seat(2)),
    (tuple[int, ...], (1, 2)), (tuple[int, ...], ()), (tuple[int, str], (1, "a")), (tuple[str, str], ("a", "b")),
    (tuple[int], (1,)), (tuple[Seat, ...], (Seat(1),)), (tuple[Face, ...], (Face.UP,)), (tuple[Any, ...], (1, "a")),
    (tuple[Pair | None, ...], (None, PAIR)), (tuple[tuple[int, ...], ...], ((1, 2), ())),
    (tuple[int, Face], (1, Face.UP)), (Pair | tuple[int, ...], (1, 2)), (Pair | tuple[int, ...], PAIR),
    (tuple[Pair, ...], (PAIR, PAIR)), (Pair, PAIR), (Other, Other(("a",), PAIR)), (Other, Other()),
    (Pair | Other, PAIR), (Pair | Other, Other()), (Pair | Other | None, None), (Pair | Other | None, PAIR),
    (Pair | None, None), (Pair | None, PAIR),
    (int | str, 1), (int | str, "a"), (int | str | None, None), (tuple[int, ...] | None, (1,)),
    (One, One(Face.UP)), (Three, Three(Seat(1), Face.UP, "a")), (Several, Several(("a",), PAIR, (1,))),
]  # fmt: skip
NO_JSON = (Any, tuple[Any, ...], int | str, int | str | None, Pair | tuple[int, ...])
"""Of a union only records can be told apart in JSON."""
WRONG = [
    (int, True), (int, "1"), (bool, 1), (Face, "up"), (Seat, True), (tuple[int, ...], [1]), (tuple[int, ...], (1, "a")),
    (tuple[int, str], (1,)), (tuple[int, str], (1, "a", 2)), (tuple[int, str], ("a", 1)), (tuple[int, str], [1, "a"]),
    (tuple[int, str], (1, 2)), (tuple[int], (1, 2)),
    (tuple[Seat, ...], (Seat(1), True)), (tuple[Pair, ...], (Pair(True, Face.UP),)),
    (tuple[Pair | None, ...], (None, 1)), (tuple[tuple[int, ...], ...], ((1,), ("a",))),
    (tuple[Pair, ...], (PAIR, (1, Face.UP))), (tuple[Pair, ...], [PAIR]),
    (Pair, (1, Face.UP)), (Pair, LIKE_A_PAIR), (Pair, Pair(True, Face.UP)), (Pair, Pair(Seat(1), "up")),  # type: ignore[arg-type]
    (Other, Other((1,))), (Other, Other(pair=(1, Face.UP))), (Other, PAIR), (Other, ((), None)),  # type: ignore[arg-type]
    (Pair | Other, None), (Pair | Other, Pair(True, Face.UP)), (Pair | Other, 1), (Pair | None, 1), (Pair, None),
    (int | str, None), (int | str, True), (int | str | None, True), (tuple[int, ...] | None, ("a",)),
    (One, One("up")), (One, (Face.UP,)), (One, None), (Three, Three(True, Face.UP, "a")),  # type: ignore[arg-type]
    (Three, Three(Seat(1), "up", "a")), (Three, Three(Seat(1), Face.UP, 1)), (Three, (1, Face.UP, "a")),  # type: ignore[arg-type]
    (Three, PAIR), (Three, None), (Several, Several(("a",), PAIR, ("x",))), (Several, Several((1,), None, ())), *[  # type: ignore[arg-type]
        (kind, build_namedtuple(kind, fields))
        for kind, right in ((One, (Face.UP,)), (Pair, PAIR), (Other, ((), None)), (Three, (1, Face.UP, "a")))
        for fields in (right[:-1], (*right, right[-1]))
    ],
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value"), RIGHT)
def test_a_value_of_its_type_is_right_and_comes_back_from_json(kind: Any, value: Any) -> None:
    assert codec.build_type_checker(kind)(value)
    if kind not in NO_JSON:
        assert codec.build_decoder(kind)(codec.build_encoder(kind)(value)) == value


@pytest.mark.parametrize(("kind", "value"), WRONG)
def test_any_other_value_is_wrong(kind: Any, value: Any) -> None:
    assert not codec.build_type_checker(kind)(value)


def test_the_members_of_a_union_and_of_what_is_none() -> None:
    assert codec.union_members(Pair | Other | None) == (Pair, Other)
    assert codec.union_members(Pair) == (Pair,)


def test_only_tuples_with_names_are_records() -> None:
    class Named:
        _fields = ("a",)

    for kind in (Named, tuple, list, list[int], dict[str, int]):
        for make in (codec.build_encoder, codec.build_decoder, codec.build_type_checker):
            with pytest.raises(TypeError, match="no JSON for"):
                make(kind)


def test_a_record_of_plain_fields_can_be_checked_in_one_comparison() -> None:
    assert codec.plain_field_types(Pair) == (int, Face)
    assert codec.plain_field_types(Other) is None
