"""Records written and read: round trips of every game, and one clear line for whatever is damaged or forged."""

import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import BadRecord, UnsupportedVersion
from engine.fair import MAX_DEPTH
from engine.record import (
    ENTRY_KEYS,
    ActionEntry,
    Record,
    compress_record,
    decode_record,
    decompress_json,
    decompress_record,
    encode_record,
    make_record,
    parse_deal,
)
from engine.registry import GAMES
from engine.strict import MAX_RECORD_BYTES, short_quote
from tests.engine.recorded import recorded
from tests.games import ANY, CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_size = pytest.mark.parametrize(
    ("game", "seats"), [(game, n) for game in sorted(CASES) for n in CASES[game].rules.seats]
)
about_any = pytest.mark.about(ANY)


@every_size
def test_a_record_is_read_as_it_was_written(game: str, seats: int) -> None:
    for number, options in enumerate(CASES[game].options):
        record = recorded(game, seats, number, options)
        assert decode_record(encode_record(record)) == record == decompress_record(compress_record(record))
        assert encode_record(decode_record(encode_record(record))) == encode_record(record)
        assert len(compress_record(record)) < len(encode_record(record))


@every_game
def test_no_game_calls_a_field_of_its_actions_as_a_record_does(game: str) -> None:
    """Else a record could not tell whose field it is."""
    rules = GAMES[game]
    for _, action, _ in CASES[game].steps(rules.seats[0], 1, CASES[game].quick):
        assert not ENTRY_KEYS & rules.encode_action(action).keys()


@about_any
def test_a_record_of_another_version_is_said_to_be_one() -> None:
    data = json.loads(encode_record(recorded(ANY, 2)))
    for version in (0, 2):
        with pytest.raises(UnsupportedVersion, match=f"a record of version {version}; this program knows 1"):
            decode_record(json.dumps({**data, "v": version}).encode())


@about_any
def test_a_record_is_unpacked_as_data_for_json_whatever_its_version() -> None:
    record = recorded(ANY, 2)
    data = {**json.loads(encode_record(record)), "v": 0}
    assert decompress_json(compress_record(record)) == json.loads(encode_record(record))
    assert decompress_json(zlib.compress(json.dumps(data).encode())) == data
    with pytest.raises(BadRecord):
        decompress_json(compress_record(record)[:-9])


@about_any
def test_white_space_and_the_order_of_keys_do_not_matter() -> None:
    record = recorded(ANY, 2)
    data = dict(reversed(json.loads(encode_record(record)).items()))
    assert decode_record(json.dumps(data, indent=2).encode() + b"\r\n") == record


# What is wrong, and where


def said(data: bytes, read: Callable[[bytes], Record] = decode_record) -> str:
    """What is wrong with *data*, which is no record: one line."""
    with pytest.raises(BadRecord) as caught:
        read(data)
    text = str(caught.value)
    assert text
    assert text.isprintable()
    assert len(text) < 300
    return text


def document(**changes: Any) -> Any:
    """A good record of 2 with *changes*; ``...`` takes a key away."""
    data = {**json.loads(encode_record(recorded(ANY, 2))), **changes}
    return {key: value for key, value in data.items() if value is not ...}


def seat(**changes: Any) -> list[Any]:
    """The seats of a record, the first of them with *changes*."""
    first, *others = document()["seats"]
    return [{**first, **changes}, *others]


def computer(**changes: Any) -> list[Any]:
    """The seats of a record, the second of them, a computer's, with *changes*."""
    first, second = document()["seats"]
    return [first, {**second, **changes}]


def action(**changes: Any) -> list[Any]:
    """The actions of a record, the second of them with *changes*; ``...`` takes a key away."""
    first, second, *others = document()["actions"]
    changed = {**second, **changes}
    return [first, {key: value for key, value in changed.items() if value is not ...}, *others]


def change(**changes: Any) -> list[Any]:
    """The actions of a record after a change of seat 0, with *changes*."""
    return [{"at": 1, "seat": 0, "sits": "computer", **changes}, *document()["actions"]]


def standing(**changes: Any) -> list[Any]:
    """The standings of a record, the first of them with *changes*."""
    first, *others = document()["standings"]
    return [{**first, **changes}, *others]


NO_HASH = "A" * 64

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"v": 3}, "a record of version 3; this program knows 1"),
    ({"v": True}, "a record of version true; this program knows 1"),
    ({"v": "1"}, "a record of version '1'; this program knows 1"),
    ({"v": -1}, "a record of version -1; this program knows 1"),
    ({"v": ...}, "a record without a version; this program knows 1"),
    ({"v": 0}, "a record of version 0; this program knows 1"),
    ({"game": "poker"}, "no game is called 'poker' here"),
    ({"game": None}, "no game is called null here"),
    ({"game": ...}, "the record: game is missing"),
    ({"more": 1}, "the record: no field is called 'more'"),
    ({"rules": 0}, "the record: rules must be a whole number from 1 to 9007199254740991, not 0"),
    ({"rules": "1"}, "the record: rules must be a whole number from 1 to 9007199254740991, not '1'"),
    ({"options": []}, "the record: options cannot be []"),
    ({"options": {"": ""}}, 'the record: options cannot be {"": ""}'),
    ({"options": {"a": 1}}, "options: a cannot be 1"),
    ({"options": {"a": "b" * 41}}, f"options: a cannot be '{'b' * 39}..."),
    ({"seats": {}}, "the record: seats must be an array, not {}"),
    ({"seats": [1]}, "seat 0: it must be an object, not 1"),
    ({"seats": seat(id="1")}, "seat 0: id cannot be '1'"),
    ({"seats": seat(id="g" * 16)}, "seat 0: id cannot be 'gggggggggggggggg'"),
    ({"seats": seat(id=["0"])}, 'seat 0: id cannot be ["0"]'),
    ({"seats": seat(kind="dog")}, 'seat 0: kind must be "person" or "computer", not \'dog\''),
    ({"seats": seat(kind=[])}, 'seat 0: kind must be "person" or "computer", not []'),
    ({"seats": seat(level="strong")}, "seat 0: a person has no level"),
    ({"seats": seat(kind="computer", cut="0" * 64)}, "seat 0: a computer has no cut"),
    ({"seats": computer(level="")}, "seat 1: level cannot be ''"),
    ({"seats": computer(level="so so")}, "seat 1: level cannot be 'so so'"),
    ({"seats": seat(cut=NO_HASH)}, f"seat 0: cut cannot be '{'A' * 39}..."),
    ({"seats": seat(cut="")}, "seat 0: cut cannot be ''"),
    ({"seats": seat(name="Ada")}, "seat 0: no field is called 'name'"),
    ({"seats": [*seat(), *seat()]}, "the record: two seats have the same id"),
    ({"message": 1}, "the record: message cannot be 1"),
    ({"message": "01"}, "the record: message cannot be '01'"),
    ({"message": "٣"}, "the record: message cannot be '٣'"),
    ({"message": str(2**64)}, "the record: message cannot be 18446744073709551616, which has more than 64 bits"),
    ({"message": ...}, "the record: message is missing"),
    ({"secret": "0"}, "the record: secret cannot be '0'"),
    ({"secret": 1}, "the record: secret cannot be 1"),
    ({"commitment": None}, "the record: commitment cannot be null"),
    ({"actions": None}, "the record: actions must be an array, not null"),
    ({"actions": {}}, "the record: actions must be an array, not {}"),
    ({"actions": [7]}, "action 1: it must be an object with a time (at), not 7"),
    ({"actions": action(at=...)}, "action 2: it must be an object with a time (at), not {"),
    ({"actions": action(at=-1)}, "action 2: at must be a whole number from 0 to 253402300799999, not -1"),
    ({"actions": action(at=True)}, "action 2: at must be a whole number from 0 to 253402300799999, not true"),
    ({"actions": action(at=253402300800000)}, "action 2: at must be a whole number from 0 to 253402300799999, not 2"),
    ({"actions": action(by="Ada")}, "action 2: by must be \"clock\", not 'Ada'"),
    ({"actions": action(by=None)}, 'action 2: by must be "clock", not null'),
    ({"actions": change(sits=None)}, 'action 1: sits must be "person" or "computer", not null'),
    ({"actions": change(seat=2)}, "action 1: seat must be a whole number from 0 to 1, not 2"),
    ({"actions": change(seat=-1)}, "action 1: seat must be a whole number from 0 to 1, not -1"),
    ({"actions": change(by="clock")}, "action 1: no field is called 'by'"),
    ({"actions": change(sits="person")}, "action 1: a person who sits down has an id and no level"),
    (
        {"actions": change(sits="person", id="0" * 16, level="x")},
        "action 1: a person who sits down has an id and no level",
    ),
    ({"actions": change(id="")}, "action 1: id cannot be ''"),
    ({"ending": ""}, "the record: ending cannot be ''"),
    ({"ending": "The End"}, "the record: ending cannot be 'The End'"),
    ({"standings": None}, "the record: standings must be an array, not null"),
    ({"standings": standing(seat=2)}, "standing 1: seat must be a whole number from 0 to 1, not 2"),
    ({"standings": standing(place=0)}, "standing 1: place must be a whole number from 1 to 2, not 0"),
    ({"standings": standing(score=[1])}, "standing 1: score must be two whole numbers, not [1]"),
    ({"standings": standing(score=[1, True])}, "standing 1: score must be two whole numbers, not [1, true]"),
    ({"standings": standing(score=3)}, "standing 1: score must be an array, not 3"),
    ({"standings": standing(name="Ada")}, "standing 1: no field is called 'name'"),
]


@about_any
@pytest.mark.parametrize(("changes", "words"), WRONG, ids=[str(number) for number in range(len(WRONG))])
def test_what_has_the_wrong_form_is_said_with_its_place(changes: dict[str, Any], words: str) -> None:
    text = said(json.dumps(document(**changes)).encode())
    assert text == words or (words.endswith(("...", "{", "not 2")) and text.startswith(words.removesuffix("...")))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON at character 0: Expecting value"),
        (b"hello", "not JSON at character 0: Expecting value"),
        (b"[]", "it is not a record, but []"),
        (b"17", "it is not a record, but 17"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b'{"v":"\xc3', "cut off: it ends in the middle, after 7 bytes"),
        (b'{"v":1} {', "something follows its end, at character 8"),
        (b'{"v":1 "game"}', "not JSON at character 7: Expecting ',' delimiter"),
        (b'{"v":1,"v":1}', "the key 'v' comes twice"),
        (b'{"v":1.0}', "'1.0' is not a whole number"),
        (b'{"v":NaN}', "'NaN' is not a whole number"),
        (b'{"v":1e999}', "'1e999' is not a whole number"),
        (b'{"v":9007199254740992}', "a number is too large"),
        (b'{"v":' + b"9" * 9000 + b"}", f"the number '{'9' * 39}... is too large"),
        (b'{"v":"\\ud800"}', "it holds half a character (a lone surrogate)"),
        (b'{"\\udfff":1}', "it holds half a character (a lone surrogate)"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "it is nested too deeply"),
        (b"[" * 200_000, "it is nested too deeply"),
        (b'{"v":' * 100_000 + b"1" + b"}" * 100_000, "it is nested too deeply"),
        (
            b" " * (MAX_RECORD_BYTES + 1),
            f"it has {MAX_RECORD_BYTES + 1} bytes or more; a record has at most {MAX_RECORD_BYTES}",
        ),
    ],
    ids=lambda it: str(it)[:30],
)
def test_what_is_no_json_that_a_record_could_be_is_said(data: bytes, words: str) -> None:
    assert said(data) == words


@about_any
def test_a_record_that_is_cut_off_anywhere_says_so() -> None:
    data = encode_record(recorded(ANY, 2, stop=3))
    for end in range(1, len(data)):
        assert said(data[:end]) == f"cut off: it ends in the middle, after {end} bytes"
    packed = compress_record(recorded(ANY, 2, stop=3))
    for end in range(len(packed)):
        assert said(packed[:end], decompress_record) == f"cut off: it ends in the middle, after {end} bytes"


@about_any
def test_what_is_packed_is_no_more_than_a_record() -> None:
    packed = compress_record(recorded(ANY, 2))
    assert said(packed + b"x", decompress_record) == "something follows its end"
    assert said(b"{}", decompress_record).startswith("it cannot be decompressed: ")
    bomb = zlib.compress(b" " * 50 * MAX_RECORD_BYTES, 9)
    assert (
        said(bomb, decompress_record)
        == f"it has {MAX_RECORD_BYTES + 1} bytes or more; a record has at most {MAX_RECORD_BYTES}"
    )
    largest = zlib.compress(encode_record(recorded(ANY, 2)).ljust(1_048_576))
    assert decompress_record(largest) == recorded(ANY, 2)
    assert said(largest[:-1], decompress_record) == f"cut off: it ends in the middle, after {len(largest) - 1} bytes"


@about_any
def test_an_action_that_json_cannot_hold_is_not_written() -> None:
    record = recorded(ANY, 2)
    first = record.entries[0]._replace(action={"seat": 0.5})
    with pytest.raises(ValueError, match="float"):
        encode_record(record._replace(entries=(first,)))


@about_any
def test_a_deal_is_read_as_it_was_written() -> None:
    deal = recorded(ANY, 3).deal
    for each in (deal, deal._replace(message=None)):
        assert parse_deal(each.to_json()) == each
    wrong = [
        ({"v": 2}, "v must be"),
        ({"v": 0}, "v must be"),
        ({"v": ...}, "v is missing"),
        ({"game": ...}, "game is missing"),
        ({"x": 1}, "'x'"),
    ]
    for changes, words in wrong:
        sheet = {key: value for key, value in {**deal.to_json(), **changes}.items() if value is not ...}
        with pytest.raises(BadRecord, match=f"the deal: .*{words}"):
            parse_deal(sheet)


def test_who_writes_a_record_need_not_compute_its_code() -> None:
    made = recorded(ANY, 2)
    again = make_record(made.deal, made.secret, list(made.entries), made.ending, list(made.standings))
    assert again == made
    assert not ActionEntry(1, {}).by_clock


@about_any
def test_the_smallest_number_that_a_record_may_hold_is_read() -> None:
    least = -9007199254740991
    assert decode_record(json.dumps(document(standings=standing(score=[least, 0]))).encode()).standings[0].score == (
        least,
        0,
    )


def test_a_value_is_quoted_in_one_line_of_forty_characters() -> None:
    assert short_quote("x" * 38) == f"'{'x' * 38}'"
    assert short_quote("x" * 39) == f"'{'x' * 39}..."
    assert short_quote("\n\u2028") == r"'\n\u2028'"
