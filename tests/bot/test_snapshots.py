"""What stands in the row of a table: its JSON, compressed with a dictionary that never changes."""

import zlib

import pytest

from bot.store.tables import SNAPSHOT_DICTIONARY, pack_table, unpack_json_text, unpack_table
from engine.registry import GAMES
from tests.bot.tables import started


@pytest.mark.parametrize("game", GAMES)
def test_a_snapshot_is_read_as_it_was_written(game: str) -> None:
    table = started(game)
    assert unpack_table(pack_table(table)) == table


@pytest.mark.parametrize("game", GAMES)
def test_a_snapshot_without_dictionary_is_read_as_well(game: str) -> None:
    """Version 0.3.0 has written such ones."""
    table = started(game)
    text = unpack_json_text(pack_table(table)).encode()
    assert unpack_table(zlib.compress(text)) == table


def test_the_dictionary_never_changes() -> None:
    """What was packed with another one could not be read: zlib names a dictionary by its checksum."""
    assert zlib.adler32(SNAPSHOT_DICTIONARY) == 0x98EA0BED
    (packed_with,) = {pack_table(started(game))[2:6] for game in GAMES}
    assert packed_with == bytes.fromhex("98ea0bed")


@pytest.mark.parametrize("game", GAMES)
def test_the_dictionary_saves_a_quarter(game: str) -> None:
    packed = pack_table(started(game))
    assert len(packed) < 0.75 * len(zlib.compress(unpack_json_text(packed).encode(), 9))
