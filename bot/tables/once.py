"""What follows from a value alone, above all from a table, found out once for every version of it."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
V = TypeVar("V")

REMEMBERED: Final = 64
"""Of how many values the results of one function are kept: a table's are asked for within milliseconds."""


class _Same(Generic[V]):
    """A value as a key: equal to itself alone, as the newest version of a table is the very same object everywhere.
    Comparing all that is in one would take longer than what it is the key for."""

    __slots__ = ("value",)

    def __init__(self, value: V) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


def once(function: Callable[Concatenate[V, P], T]) -> Callable[Concatenate[V, P], T]:
    """*function*, a pure one of an immutable value and what else is hashable, with its last results remembered."""

    @lru_cache(maxsize=REMEMBERED)
    def found(key: _Same[V], *args: P.args, **kwargs: P.kwargs) -> T:
        return function(key.value, *args, **kwargs)

    @wraps(function)
    def ask(value: V, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return found(_Same(value), *args, **kwargs)  # type: ignore[arg-type] # mypy does not know them hashable

    return ask
