"""What everybody at a table reads alike, written once for all its messages in one language."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from bot.i18n import Words
from bot.pictures import symbols
from bot.tables.once import once
from bot.tables.scene import AnyScene

T = TypeVar("T")


def alike(function: Callable[[AnyScene, Words], T]) -> Callable[[AnyScene, Words], T]:
    """*function*, a pure one that says what everybody may know, with its last results remembered.

    All messages of a table are drawn one after the other. In that of a seat *function* gets ``scene.public``, so
    nothing that only this seat may know can get into another message.
    """

    @once
    def said(public: AnyScene, words: Words, edition: int) -> T:
        return function(public, words)

    @wraps(function)
    def ask(scene: AnyScene, words: Words) -> T:
        return said(scene if scene.public is None else scene.public, words, symbols.edition())

    return ask
