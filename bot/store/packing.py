"""What stands in the rows of tables and moves: JSON, that of a whole table compressed."""

import json
import zlib
from typing import Any, Final

from bot.tables.encoding import decode, encode
from bot.tables.model import Table

LEVEL: Final = 3
"""Of zlib, while the game runs: lower ones are not quicker, and a move waits for this."""
LAST_LEVEL: Final = 9
"""Once it is over: what is written then stays."""
MOST_BYTES: Final = 1 << 24
"""Of a table's JSON. Real ones have some thousand."""

_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def pack(table: Table) -> bytes:
    """*table* as it stands in the store. It holds hidden cards and the seed."""
    return zlib.compress(compact(encode(table)).encode(), LEVEL if table.live else LAST_LEVEL)


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
