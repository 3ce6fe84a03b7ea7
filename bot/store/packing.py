"""What stands in the rows of tables and moves: JSON, that of a whole table compressed."""

import json
import zlib
from typing import Any, Final

from bot.tables.encoding import decode, encode
from bot.tables.model import Table

LEVEL: Final = 1
"""Of zlib: a move waits for this, and higher levels save little."""
MOST_BYTES: Final = 1 << 24
"""Of a table's JSON. Real ones have some thousand."""


def pack(table: Table) -> bytes:
    """*table* as it stands in the store. It holds hidden cards and the seed."""
    return zlib.compress(compact(encode(table)).encode(), LEVEL)


def compact(data: Any) -> str:
    """*data* as JSON without spaces."""
    return json.dumps(data, separators=(",", ":"))


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
