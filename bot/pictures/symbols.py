"""Cards and tokens inside messages: the application's own emojis once Discord has them, text symbols until then.

One process is one application, so this is kept once for all of it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple


class Emoji(NamedTuple):
    """An emoji of this application."""

    name: str
    id: int


class Symbol(NamedTuple):
    """A drawing by its key, and what stands in for it. The text must be an emoji where it goes on a control.

    The key is the game's name and the drawing's own, ``diciassette/trap``: two games may have the same word for
    something else. The shared frame's symbols have no game.
    """

    key: str
    text: str

    def __str__(self) -> str:
        """Markup for a message's text."""
        emoji = _emojis.get(self.key)
        return self.text if emoji is None else f"<:{emoji.name}:{emoji.id}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def component(self) -> dict[str, Any]:
        """For a button or an entry of a select."""
        emoji = _emojis.get(self.key)
        return {"name": self.text} if emoji is None else {"name": emoji.name, "id": str(emoji.id)}


_emojis: dict[str, Emoji] = {}


def use(emojis: Mapping[str, Emoji]) -> bool:
    """From now on *emojis*, by key, stand for their symbols; whether that changes anything."""
    if dict(emojis) == _emojis:
        return False
    _emojis.clear()
    _emojis.update(emojis)
    return True


@contextmanager
def as_text() -> Iterator[None]:
    """The text symbols, also where Discord has the emojis: their markup is long, and a message has room for so much
    text."""
    kept = dict(_emojis)
    _emojis.clear()
    try:
        yield
    finally:
        _emojis.update(kept)
