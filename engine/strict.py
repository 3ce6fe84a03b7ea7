"""Reading JSON that somebody may have damaged or forged: whatever is wrong with it is a ``BadRecord``.

Numbers are whole and not too large, no key comes twice, nothing is nested deeply. *where*, in the functions below, is
what the text of the error begins with: "action 17".
"""

import json
import re
from collections.abc import Set
from typing import Any, Final

from engine.errors import BadRecord
from engine.fair import LARGEST, canonical
from engine.game import Json

LARGEST_RECORD: Final = 2**20
"""How many bytes of JSON a record may have; games have some thousands."""
SHOWN: Final = 40
"""So many characters of a wrong value are quoted."""


def parsed(data: bytes) -> Any:
    """What stands in the JSON *data*; raises BadRecord if it is no JSON, or holds what no record does."""
    if len(data) > LARGEST_RECORD:
        raise BadRecord(f"it has {len(data)} bytes or more; a record has at most {LARGEST_RECORD}")
    try:
        written = data.decode("utf-8")
    except UnicodeDecodeError as error:
        ends = error.reason == "unexpected end of data"
        raise BadRecord(_cut_off(data) if ends else f"not UTF-8 at byte {error.start}") from None
    try:
        found = json.loads(
            written, object_pairs_hook=_pairs, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number
        )
        canonical(found)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise BadRecord(f"something follows its end, at character {error.pos}") from None
        begun = written.strip()
        ends = begun.startswith("{") and (not begun.endswith("}") or error.pos >= len(written.rstrip()))
        raise BadRecord(_cut_off(data) if ends else f"not JSON at character {error.pos}: {error.msg}") from None
    except RecursionError:
        raise BadRecord("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise BadRecord("it holds half a character (a lone surrogate)") from None
    except ValueError as error:
        raise BadRecord(str(error)) from None
    return found


def _cut_off(data: bytes) -> str:
    """What is wrong with *data*, which ends too early."""
    return f"cut off: it ends in the middle, after {len(data)} bytes"


def _pairs(pairs: list[tuple[str, Any]]) -> Json:
    """The object with *pairs*; raises BadRecord if a key comes twice."""
    data: Json = {}
    for key, value in pairs:
        if key in data:
            raise BadRecord(f"the key {quoted(key)} comes twice")
        data[key] = value
    return data


def _integer(digits: str) -> int:
    """The number written as *digits*; raises BadRecord if no record holds one as long as that."""
    if len(digits) > len(f"-{LARGEST}"):
        raise BadRecord(f"the number {quoted(digits)} is too large")
    return int(digits)


def _no_number(number: str) -> None:
    """Raise BadRecord: *number* has a fraction, or is none."""
    raise BadRecord(f"{quoted(number)} is not a whole number")


def quoted(value: Any) -> str:
    """*value* for an error's text: in one line, and not all of it if it is long."""
    said = repr(value) if isinstance(value, str) else json.dumps(value)
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}..."


def check_keys(data: Any, where: str, needed: Set[str], allowed: Set[str] = frozenset()) -> None:
    """Raise BadRecord unless *data* is an object with all keys *needed*, and no others but those *allowed*."""
    if type(data) is not dict:
        raise BadRecord(f"{where}: it must be an object, not {quoted(data)}")
    if missing := sorted(needed - data.keys()):
        raise BadRecord(f"{where}: {missing[0]} is missing")
    if unknown := sorted(data.keys() - needed - allowed):
        raise BadRecord(f"{where}: no field is called {quoted(unknown[0])}")


def array(data: Json, key: str, where: str) -> list[Any]:
    """The array *key* of *data*."""
    value = data[key]
    if type(value) is not list:
        raise BadRecord(f"{where}: {key} must be an array, not {quoted(value)}")
    return value


def text(data: Json, key: str, where: str, form: re.Pattern[str]) -> str:
    """The text *key* of *data*, all of which has the *form*."""
    value = data[key]
    if type(value) is not str or not form.fullmatch(value):
        raise BadRecord(f"{where}: {key} cannot be {quoted(value)}")
    return value


def whole(data: Json, key: str, where: str, least: int, most: int) -> int:
    """The number *key* of *data*, from *least* to *most*."""
    value = data[key]
    if type(value) is not int or not least <= value <= most:
        raise BadRecord(f"{where}: {key} must be a whole number from {least} to {most}, not {quoted(value)}")
    return value
