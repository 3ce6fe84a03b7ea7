"""Where the local Discord keeps its state."""

from pathlib import Path

import pytest

from bot.embedded import state_beside


@pytest.mark.parametrize(
    ("store", "state"),
    [
        ("sqlite+aiosqlite:///local.sqlite3", Path("local-discord.sqlite3").absolute()),
        ("sqlite+aiosqlite:////games/tables.db", Path("/games/tables-discord.db")),
        ("sqlite+aiosqlite:///:memory:", None),
        ("postgresql+asyncpg://me:secret@db.example/cards", Path("local-discord.sqlite3").absolute()),
    ],
)
def test_it_is_kept_if_the_tables_are(store: str, state: Path | None) -> None:
    assert state_beside(store) == state
