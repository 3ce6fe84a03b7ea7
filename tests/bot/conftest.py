"""What several tests here need: an application whose emojis Discord has, and a fresh store."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.delivery import emojis as delivered
from bot.pictures import symbols
from bot.pictures.symbols import Emoji
from bot.store.store import Store


@pytest.fixture
def emojis() -> Iterator[None]:
    """Discord has every drawing."""
    drawings = delivered.drawn().items()
    symbols.use({key: Emoji(drawing.name, 2**62 + number) for number, (key, drawing) in enumerate(drawings)})
    yield
    symbols.use({})


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A fresh store on a SQLite file."""
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3")
    yield store
    await store.close()
