"""What several tests here need: an application whose emojis Discord has."""

from collections.abc import Iterator

import pytest

from bot.delivery import emojis as delivered
from bot.pictures import symbols
from bot.pictures.symbols import Emoji


@pytest.fixture
def emojis() -> Iterator[None]:
    """Discord has every drawing."""
    drawings = delivered.drawn().items()
    symbols.use({key: Emoji(drawing.name, 2**62 + number) for number, (key, drawing) in enumerate(drawings)})
    yield
    symbols.use({})
