"""What follows from a table alone, found out once for every version of it."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from bot.tables.model import Table

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED: Final = 64
"""Of how many tables the results of one function are kept: a table's are asked for within milliseconds."""


class _Same:
    """A table as a key: equal to itself alone, as the newest version is the very same object everywhere. Comparing all
    that is in one would take longer than what it is the key for."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    def __hash__(self) -> int:
        return id(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.table is other.table


def once(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """*function*, a pure one of a table and what else is hashable, with its last results remembered."""

    @lru_cache(maxsize=REMEMBERED)
    def found(key: _Same, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(key.table, *args, **kwargs)

    @wraps(function)
    def ask(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return found(_Same(table), *args, **kwargs)  # type: ignore[arg-type] # mypy does not know them hashable

    return ask
