"""What several tests here need: an application whose emojis Discord has, a fresh store, a process on it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from bot.delivery import emojis as delivered
from bot.store.store import Store
from bot.ui.pictures import symbols
from bot.ui.pictures.symbols import Emoji
from tests.bot.processes import Process
from tests.bot.tables import resume
from tests.bot.test_service import Clock


@pytest.fixture
def emojis() -> Iterator[None]:
    """Discord has every drawing."""
    drawings = delivered.emoji_drawings().items()
    symbols.set_application_emojis(
        {key: Emoji(drawing.name, 2**62 + number) for number, (key, drawing) in enumerate(drawings)}
    )
    yield
    symbols.set_application_emojis({})


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    """A fresh store on either database."""
    store = await Store.open(store_url)
    yield store
    await store.close()


@pytest.fixture
async def process(store: Store) -> AsyncIterator[Process]:
    """A process that serves the tables of the store."""
    it = Process(store, Clock())
    await resume(it.tables)
    await it.tables.wait_until_taken_over()
    yield it
    await it.tables.stop()
