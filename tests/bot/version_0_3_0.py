"""The database of a bot of version 0.3.0: ``version_0_3_0.sqlite3.xz``.

That version (commit 562381c5, schema 0010) wrote it itself, through its ``Tables`` and ``Store``. The bot had begun
with version 0.1.0: four of that one's games are over (17 and 12 Days to the end, one that everybody left, a closed
lobby), and 0.3.0 has made its records of version 0 of them. (A commit soon after 0.1.0 had played them, a4a92ddb; their
fields were given the names of 0.1.0, and what that did not know was left out.) In 0.3.0 there came:

- of each game one with three people and a computer player, rated, to the end: a person left and came back, and a fourth
  one sat down at the computer's seat; one of 17 that its host ended; one of 17 with hints that its only person left;
- live tables: the rematch of a finished game and another lobby, of which somebody has cut the deck (channels 2, 3); one
  that is starting (4); games of 17 with a move that is held (5), with an open call window (6), and paused (9); of 12
  Days with somebody who has left (7), and alone with hints (8); and a lobby whose snapshot was damaged afterwards (10);
- where their messages are, with tokens, and what one of them shows; preferences of three people, direct messages with
  two, a server with settings and a ban, outages.

``version_0_3_0.json`` has the custom_ids of everything on the messages of the live tables, by table and slot.
"""

import json
import lzma
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from bot.store.files import sqlite_file
from tests import postgres
from tests.bot.test_service import Clock

SCHEMA: Final = "0010"
OLD: Final = {"cscodkqu": "diciassette", "sizm2vkq": "twelve_days", "hud3x3cg": "twelve_days"}
"""The games of version 0.1.0 that were dealt."""
CUSTOM_IDS: Final[dict[str, dict[str, list[str]]]] = json.loads(
    Path(__file__).with_name("version_0_3_0.json").read_text("utf-8")
)
_PACKED: Final = Path(__file__).with_name("version_0_3_0.sqlite3.xz")


def database(where: Path | str) -> None:
    """Put it at *where*, the path of a SQLite file or the address of an empty database."""
    path = sqlite_file(sa.make_url(where)) if isinstance(where, str) else where
    if path is not None:
        path.write_bytes(lzma.decompress(_PACKED.read_bytes()))
        path.chmod(0o600)
        return
    with tempfile.TemporaryDirectory() as folder:
        database(copy := Path(folder) / "t.sqlite3")
        postgres.migrate(str(where), SCHEMA)
        with closing(sqlite3.connect(copy)) as opened:
            names = [row[0] for row in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            first = ["tables", "records"]  # others refer to them
            for name in [*first, *sorted(set(names) - {"alembic_version", *first})]:
                rows = opened.execute(f"SELECT * FROM {name}")
                columns = ", ".join(it[0] for it in rows.description)
                marks = ", ".join(f"${number}" for number in range(1, len(rows.description) + 1))
                postgres.insert(str(where), f"INSERT INTO {name} ({columns}) VALUES ({marks})", rows.fetchall())


def clock() -> Clock:
    """A clock that shows a time a second after that version was stopped."""
    with tempfile.TemporaryDirectory() as folder:
        database(copy := Path(folder) / "t.sqlite3")
        with closing(sqlite3.connect(copy)) as opened:
            (stopped,) = opened.execute("SELECT at FROM pulse").fetchone()
    it = Clock()
    it.turn(stopped + 1_000 - it.now())
    return it
