"""What a game's cards and tokens look like: functions that draw them, by name; each is drawn only once."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from PIL import Image

from bot.pictures.symbols import Symbol, drawn

Draw = Callable[[], Image.Image]


class Drawings(Mapping[str, Draw]):
    """The drawings of one game, by the keys of their symbols: the game's name, a slash, the drawing's own name."""

    def __init__(self, module: str, drawings: Mapping[str, Draw], looks: Mapping[str, int] | None = None) -> None:
        """*module* is the ``__name__`` of a module in the game's folder; *drawings* are by their own names.

        The names must be short, as thirty must fit into a message, and words that a screen reader can read aloud. A
        drawing that has been changed is counted in *looks*, by its name: 2 is its second look.
        """
        self.game = module.split(".")[-2]
        self._by_key = {f"{self.game}/{name}": cache(draw) for name, draw in drawings.items()}
        self._looks = dict(looks or {})
        self._symbols: dict[str, Symbol] = {}
        self.symbols: Mapping[str, Symbol] = MappingProxyType(self._symbols)
        """Every symbol that was made, by the name of its drawing: what stands for ``{victory}`` in a text."""

    def __getitem__(self, key: str) -> Draw:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    def emoji(self, key: str) -> str:
        """The name of the emoji that shows the drawing *key*: the drawing's own, and from its second look on a number.

        So a drawing that has changed gets a new emoji beside the old one, which old messages show: ``victory_2``.
        """
        name = key.partition("/")[2]
        look = self._looks.get(name, 1)
        return name if look == 1 else f"{name}_{look}"

    def symbol(self, name: str, text: str, emoji: str = "") -> Symbol:
        """The one symbol that shows the drawing *name*, or *text* as long as Discord has no emoji of it.

        On a control *emoji* stands in for it; leave it out where *text* is an emoji.

        Raises:
            KeyError: there is no such drawing.
        """
        key = f"{self.game}/{name}"
        if key not in self._by_key:
            raise KeyError(f"no drawing {name!r} in {self.game}")
        self._symbols[name] = drawn(Symbol(key, text, emoji))
        return self._symbols[name]
