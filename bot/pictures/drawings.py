"""What a game's cards and tokens look like: functions that draw them, by name; each is drawn only once."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from PIL import Image

from bot.pictures.symbols import Symbol, drawn

Draw = Callable[[], Image.Image]


class Drawings(Mapping[str, Draw]):
    """The drawings of one game, by the keys of their symbols: the game's name, a slash, the drawing's own name."""

    def __init__(self, module: str, drawings: Mapping[str, Draw]) -> None:
        """*module* is the ``__name__`` of a module in the game's folder; *drawings* are by their own names.

        The names must be short, as thirty must fit into a message, and words that a screen reader can read aloud.
        """
        self.game = module.split(".")[-2]
        self._by_key = {f"{self.game}/{name}": cache(draw) for name, draw in drawings.items()}

    def __getitem__(self, key: str) -> Draw:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    def symbol(self, name: str, text: str, emoji: str = "") -> Symbol:
        """The one symbol that shows the drawing *name*, or *text* as long as Discord has no emoji of it.

        On a control *emoji* stands in for it; leave it out where *text* is an emoji.

        Raises:
            KeyError: there is no such drawing.
        """
        key = f"{self.game}/{name}"
        if key not in self._by_key:
            raise KeyError(f"no drawing {name!r} in {self.game}")
        return drawn(Symbol(key, text, emoji))
