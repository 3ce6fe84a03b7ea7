"""Whatever bytes somebody hands in as a record, nothing but BadRecord is raised."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.record import compress_record, decode_record, decompress_record, encode_record
from engine.replay import replay
from engine.verify import verify
from tests.engine.recorded import recorded
from tests.games import ANY, CASES

about_any = pytest.mark.about(ANY)


def harmless(data: bytes) -> None:
    """Read, play and verify *data* as if it was a record: it is one, or BadRecord says in a line what is wrong."""
    for read in (decode_record, decompress_record):
        try:
            record = read(data)
            for _ in replay(record):
                pass
            verify(record)
        except BadRecord as error:
            assert str(error).isprintable()
            assert len(str(error)) < 300


RECORDS = [recorded(game, 2, options=CASES[game].quick, stop=stop) for game in sorted(CASES) for stop in (5, None)]
"""A short record and a whole one of every game."""

records = st.sampled_from([*map(encode_record, RECORDS), *map(compress_record, RECORDS)])
junk = st.binary(max_size=8) | st.sampled_from(
    [
        b'"at":',
        b"1e5",
        b"-1",
        b"null",
        b"true",
        b"[[[[",
        b"}]",
        b'"sits":"person",',
        b'"seat":7,',
        b"\\ud800",
        b"99" * 30,
    ]
)


@about_any
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_bytes_that_are_changed_cut_or_spliced_are_no_error(data: st.DataObject) -> None:
    good = data.draw(records)
    for _ in range(data.draw(st.integers(1, 3))):
        start, end = sorted(data.draw(st.integers(0, len(good))) for _ in range(2))
        other = data.draw(records)
        begins = data.draw(st.integers(0, len(other)))
        middle = data.draw(junk | st.just(other[begins : begins + 40]))
        end = data.draw(st.sampled_from([start, start + 1, end]))
        good = good[:start] + middle + good[end:]
    harmless(good)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**54), 2**54) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALID = [json.loads(encode_record(record)) for record in RECORDS]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of *data*."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, value in items for place in places(value, (*path, key)))]


PLACES = [places(data) for data in VALID]


def swapped(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """*data* with *value* at *path*."""
    if not path:
        return value
    changed: Any = dict(data) if isinstance(data, dict) else list(data)
    changed[path[0]] = swapped(data[path[0]], path[1:], value)
    return changed


@about_any
@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(VALID) - 1), st.data())
def test_a_record_with_another_value_anywhere_is_no_error(number: int, data: st.DataObject) -> None:
    where = st.sampled_from(PLACES[number])
    there = where.map(lambda path: at(VALID[number], path))
    changed = swapped(VALID[number], data.draw(where), data.draw(values | there))
    harmless(json.dumps(changed).encode())


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """What is at *path* in *data*."""
    for key in path:
        data = data[key]
    return data


@given(st.binary(max_size=200))
@example(b"\x78\x9c")
def test_any_bytes_are_no_error(data: bytes) -> None:
    harmless(data)
