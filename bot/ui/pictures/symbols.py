"""Symbols of cards and tokens in messages: the application's own emojis once Discord has them, text until then.

One process serves one application, so which emojis there are is kept once for the whole process.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple


class Emoji(NamedTuple):
    """An emoji of this application."""

    name: str
    id: int


class Symbol(NamedTuple):
    """A card or token in message text or on a control: the key of its drawing, and its replacement without an emoji.

    The key is the game's name and the drawing's own, ``diciassette/trap``: two games may have the same word for
    something else. Symbols that all games share have no game in their key.
    """

    key: str
    text: str
    """The text that replaces it in a message."""
    emoji: str = ""
    """The emoji that replaces it on a control, which can show only emojis; empty: ``text`` is an emoji."""

    def __str__(self) -> str:
        """The symbol in a message's text: the markup of its emoji, or its text."""
        return _markup.get(self.key, self.text)

    def __format__(self, spec: str) -> str:
        return format(_markup.get(self.key, self.text), spec)

    @property
    def component(self) -> dict[str, Any]:
        """The symbol on a control, as the JSON that Discord takes as ``emoji``: our emoji once Discord has it, else an
        ordinary one."""
        emoji = _emojis.get(self.key)
        return self.plain_component if emoji is None else {"name": emoji.name, "id": str(emoji.id)}

    @property
    def plain_component(self) -> dict[str, Any]:
        """The symbol on a control as an ordinary emoji, as the JSON that Discord takes as ``emoji``, for when Discord
        lacks our own."""
        return {"name": self.emoji or self.text}


_emojis: dict[str, Emoji] = {}
_markup: dict[str, str] = {}
"""The markup of each emoji in a message's text, by the key of its symbol."""
_version = [0]
"""The current ``emoji_version``, as the only item."""
_symbols: dict[str, Symbol] = {}
"""Every symbol that has a drawing, by its key."""
_keys: dict[int, str] = {}
"""The key of the symbol for every emoji that was ever used, by the emoji's id."""


def join_symbols(symbols: Iterable[Symbol], between: str) -> str:
    """Return *symbols* for a message's text, each as emoji or text, with *between* between two of them."""
    return between.join([_markup.get(key, text) for key, text, _ in symbols])


def register_symbol(symbol: Symbol) -> Symbol:
    """Register *symbol*, which has a drawing, so that ``symbol_for_emoji`` finds it; return it."""
    _symbols[symbol.key] = symbol
    return symbol


def symbol_for_emoji(emoji: int) -> Symbol | None:
    """Return the symbol that the custom emoji with the id *emoji* shows, or showed once; ``None`` if it is none of
    ours."""
    return _symbols.get(_keys.get(emoji, ""))


def set_application_emojis(emojis: Mapping[str, Emoji]) -> bool:
    """Replace the emojis that the whole process shows by *emojis*, by their symbols' keys; return whether that changed
    anything."""
    if dict(emojis) == _emojis:
        return False
    _replace_emojis_and_bump_version(emojis)
    _keys.update({emoji.id: key for key, emoji in emojis.items()})
    return True


def emoji_count() -> int:
    """Return how many drawings the process shows as emojis of the application now."""
    return len(_emojis)


@contextmanager
def text_symbols_only() -> Iterator[None]:
    """Context manager: the whole process shows text symbols in place of emojis in the block, in which nothing may be
    awaited; for messages that would be too long.

    The markup of emojis is long.
    """
    kept = dict(_emojis)
    _replace_emojis_and_bump_version({})
    try:
        yield
    finally:
        _replace_emojis_and_bump_version(kept)


def emoji_version() -> int:
    """A number that changes whenever other emojis are shown: texts with symbols can be cached for one number."""
    return _version[-1]


def _replace_emojis_and_bump_version(emojis: Mapping[str, Emoji]) -> None:
    """Replace all emojis of the process by *emojis*, and count up ``emoji_version``."""
    _version[:] = [_version[-1] + 1]
    _emojis.clear()
    _emojis.update(emojis)
    _markup.clear()
    _markup.update({key: f"<:{emoji.name}:{emoji.id}>" for key, emoji in emojis.items()})
