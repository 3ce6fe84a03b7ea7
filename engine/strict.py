"""Reads JSON that somebody may have damaged or forged: every fault in it raises ``BadRecord``.

Numbers must be whole and not too large, no key may come twice, and nothing may be nested deeply. The parameter *where*
of the functions below is the beginning of the error's text: "action 17".
"""

import json
import re
from collections.abc import Set
from typing import Any, Final

from engine.errors import BadRecord
from engine.fair import MAX_INTEGER, canonical_json
from engine.game import Json

MAX_RECORD_BYTES: Final = 2**20
"""The most bytes of JSON that a record may have; games have some thousands."""
MAX_QUOTED_CHARACTERS: Final = 40
"""The most characters of a wrong value that an error quotes."""


def parse_json(data: bytes) -> Any:
    """Parse the JSON *data* of a record strictly, or raise BadRecord.

    Refused are data that is no JSON or too long, deep nesting, a key that comes twice, and numbers that are not whole
    or too large.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord(f"it has {len(data)} bytes or more; a record has at most {MAX_RECORD_BYTES}")
    try:
        written = data.decode("utf-8")
    except UnicodeDecodeError as error:
        ends = error.reason == "unexpected end of data"
        raise BadRecord(_truncated_json_error_text(data) if ends else f"not UTF-8 at byte {error.start}") from None
    try:
        found = json.loads(
            written,
            object_pairs_hook=_object_without_duplicates,
            parse_int=_parse_integer,
            parse_float=_reject_number,
            parse_constant=_reject_number,
        )
        canonical_json(found)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise BadRecord(f"something follows its end, at character {error.pos}") from None
        begun = written.strip()
        ends = begun.startswith("{") and (not begun.endswith("}") or error.pos >= len(written.rstrip()))
        raise BadRecord(
            _truncated_json_error_text(data) if ends else f"not JSON at character {error.pos}: {error.msg}"
        ) from None
    except RecursionError:
        raise BadRecord("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise BadRecord("it holds half a character (a lone surrogate)") from None
    except ValueError as error:
        raise BadRecord(str(error)) from None
    return found


def _truncated_json_error_text(data: bytes) -> str:
    """The text of the error that *data* ends too early, in the middle of the JSON."""
    return f"cut off: it ends in the middle, after {len(data)} bytes"


def _object_without_duplicates(pairs: list[tuple[str, Any]]) -> Json:
    """Make a JSON object of *pairs* of key and value, or raise BadRecord if a key comes twice."""
    data: Json = {}
    for key, value in pairs:
        if key in data:
            raise BadRecord(f"the key {short_quote(key)} comes twice")
        data[key] = value
    return data


def _parse_integer(digits: str) -> int:
    """Parse the integer *digits*, or raise BadRecord if it has more digits than any number in a record."""
    if len(digits) > len(f"-{MAX_INTEGER}"):
        raise BadRecord(f"the number {short_quote(digits)} is too large")
    return int(digits)


def _reject_number(number: str) -> None:
    """Raise BadRecord for *number*, which has a fraction or is not a number."""
    raise BadRecord(f"{short_quote(number)} is not a whole number")


def short_quote(value: Any) -> str:
    """Quote *value* for the text of an error, in one line, cut after 40 characters."""
    said = repr(value) if isinstance(value, str) else json.dumps(value)
    return said if len(said) <= MAX_QUOTED_CHARACTERS else f"{said[:MAX_QUOTED_CHARACTERS]}..."


def check_keys(data: Any, where: str, needed: Set[str], allowed: Set[str] = frozenset()) -> None:
    """Raise BadRecord unless *data* is an object with all *needed* keys, and no others except the *allowed* ones.

    *where* begins the error's text.
    """
    if type(data) is not dict:
        raise BadRecord(f"{where}: it must be an object, not {short_quote(data)}")
    if missing := sorted(needed - data.keys()):
        raise BadRecord(f"{where}: {missing[0]} is missing")
    if unknown := sorted(data.keys() - needed - allowed):
        raise BadRecord(f"{where}: no field is called {short_quote(unknown[0])}")


def get_array(data: Json, key: str, where: str) -> list[Any]:
    """Return the field *key* of the object *data*, which must be there; or raise BadRecord if it is no array. *where*
    begins the error's text."""
    value = data[key]
    if type(value) is not list:
        raise BadRecord(f"{where}: {key} must be an array, not {short_quote(value)}")
    return value


def get_string(data: Json, key: str, where: str, form: re.Pattern[str]) -> str:
    """Return the field *key* of the object *data*, which must be there; or raise BadRecord if it is no text that
    matches *form* completely.

    *where* begins the error's text.
    """
    value = data[key]
    if type(value) is not str or not form.fullmatch(value):
        raise BadRecord(f"{where}: {key} cannot be {short_quote(value)}")
    return value


def get_integer(data: Json, key: str, where: str, least: int, most: int) -> int:
    """Return the field *key* of the object *data*, which must be there; or raise BadRecord if it is no integer from
    *least* to *most*.

    *where* begins the error's text.
    """
    value = data[key]
    if type(value) is not int or not least <= value <= most:
        raise BadRecord(f"{where}: {key} must be a whole number from {least} to {most}, not {short_quote(value)}")
    return value
