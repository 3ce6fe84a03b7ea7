"""What everybody at a table reads alike, written once for all its messages in one language."""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

from bot.i18n import Words
from bot.pictures import symbols
from bot.tables.scene import AnyScene

T = TypeVar("T")

REMEMBERED: Final = 64
"""How many results of one function are kept at most: all messages of a table are drawn within milliseconds."""


def alike(function: Callable[[AnyScene, Words], T]) -> Callable[[AnyScene, Words], T]:
    """*function*, a pure one that says what everybody may know, with its last results remembered.

    In the message of a seat *function* gets ``scene.public``, so nothing that only this seat may know can get into
    another message.
    """
    said: dict[tuple[int, Words, int], tuple[AnyScene, T]] = {}

    @wraps(function)
    def ask(scene: AnyScene, words: Words) -> T:
        public = scene if scene.public is None else scene.public
        key = (id(public), words, symbols.edition())  # the scene itself is kept too, so no other can get its id
        found = said.get(key)
        if found is None:
            if len(said) >= REMEMBERED:
                said.clear()
            found = said[key] = (public, function(public, words))
        return found[1]

    return ask
