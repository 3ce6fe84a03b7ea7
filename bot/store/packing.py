"""What stands in the rows of tables and moves: JSON, that of a whole table compressed."""

import json
import zlib
from typing import Any, Final

import orjson

from bot.tables.model import Player, Table
from engine import codec
from engine.game import Json

_encode = codec.encoder(Table)
_decode = codec.decoder(Table)


def _encoded(value: Any) -> Json | None:
    """The NamedTuple *value* as JSON; ``None``: it is ``None``."""
    kind: Any = type(value)
    return None if value is None else codec.encoder(kind)(value)


def _decoded(part: Any, data: Json | None) -> Any:
    """What ``_encoded`` wrote as *data*: it is of the type of ``NOTHING`` in *part*, a part of the game."""
    if data is None:
        return None
    kind: Any = type(part.NOTHING)
    return codec.decoder(kind)(data)


def encode(table: Table) -> Json:
    """*table* as JSON. Only for the store: it holds hidden cards and the seed."""
    rules = table.rules
    data: Json = _encode(
        table._replace(
            state=None if table.state is None else rules.encode_state(table.state),
            highlights=_encoded(table.highlights),
            memories=tuple(map(_encoded, table.memories)),
            recent=tuple(rules.encode_event(event) for event in table.recent),
            outcome=tuple(rules.encode_event(event) for event in table.outcome),
        )
    )
    return data


def decode(data: Json) -> Table:
    """The table that ``encode`` wrote as *data*."""
    table: Table = _decode(data)
    rules = table.rules
    return table._replace(
        state=None if table.state is None else rules.decode_state(table.state),
        highlights=_decoded(rules.highlights, table.highlights),
        memories=tuple(_decoded(rules.memory, it) for it in table.memories),
        recent=tuple(rules.decode_event(event) for event in table.recent),
        outcome=tuple(rules.decode_event(event) for event in table.outcome),
    )


LEVEL: Final = 3
"""Of zlib, while the game runs: lower ones are not quicker, and a move waits for this."""
LAST_LEVEL: Final = 9
"""Once it is over: what is written then stays."""
MOST_BYTES: Final = 1 << 24
"""Of a table's JSON. Real ones have some thousand."""


def _falsy_defaults(kind: Any) -> Json:
    """The fields of the NamedTuple *kind* whose default is nothing: 0, empty, ``False`` or ``None``; as JSON."""
    defaults = kind._field_defaults.items()
    return {name: [] if value == () else value for name, value in defaults if not value}


# Most fields say nothing most of the time: no call window, no rematch. What is left out is read as the default.
_NOTHING: Final = _falsy_defaults(Table)
_NOTHING_OF_PLAYER: Final = _falsy_defaults(Player)
_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def pack(table: Table) -> bytes:
    """*table* as it stands in the store. It holds hidden cards and the seed."""
    data = _without_nothing(encode(table), _NOTHING)
    data["players"] = [_without_nothing(player, _NOTHING_OF_PLAYER) for player in data["players"]]
    return zlib.compress(orjson.dumps(data), LEVEL if table.live else LAST_LEVEL)


def _without_nothing(data: Json, nothing: Json) -> Json:
    """*data* without the fields that are as in *nothing*."""
    return {name: value for name, value in data.items() if value or name not in nothing or value != nothing[name]}


def compact(data: Any) -> str:
    """*data* as JSON without spaces."""
    return _encoder.encode(data)


def unpack(data: bytes) -> Table:
    """The table that ``pack`` has written as *data*.

    Raises:
        zlib.error, ValueError, LookupError, TypeError, RecursionError, AttributeError: it has not.
    """
    return decode(json.loads(text_of(data)))


def text_of(data: bytes) -> str:
    """The JSON in *data*.

    Raises:
        zlib.error, ValueError: there is none.
    """
    stream = zlib.decompressobj()
    raw = stream.decompress(data, MOST_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("not a table's bytes")
    return raw.decode()
