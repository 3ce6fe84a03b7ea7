"""Processes that serve tables of one store, and what they say."""

from typing import Any

import pytest

from bot.store.store import Store
from bot.tables.errors import Refusal, Why
from bot.tables.model import Player, Table, TableId
from bot.tables.service import Tables
from tests.clocks import SteppedClock
from tests.games import CASES

GAME = sorted(CASES)[0]
MINUTE = 60_000
HOST = Player("host", 100)


class Process:
    """A process on a store: its tables, and what it has said of them."""

    def __init__(self, store: Store, clock: SteppedClock, **how: Any) -> None:
        self.store, self.clock = store, clock
        self.changed: list[Table] = []
        self.restored: list[Table] = []
        self.aside: list[TableId] = []
        self.cut_off = False
        self.tables = Tables(
            store, clock, self.changed.append, self.restored.extend,
            cut_off=lambda: self.cut_off, on_set_aside=self._set_aside, **how,
        )  # fmt: skip

    async def _set_aside(self, table: TableId) -> None:
        for _ in range(10):  # saying it takes a while
            await self.store.table_version(table)
        self.aside.append(table)

    async def open(self, channel: int = 2, *, guild: int = 1, host: Player = HOST) -> Table:
        return await self.tables.open_table(guild=guild, channel=channel, game=GAME, host=host, locale="en")


async def refused(why: Why, asked: Any) -> dict[str, Any]:
    """The facts with which *asked* is refused for *why*."""
    with pytest.raises(Refusal) as no:
        await asked
    assert no.value.why is why
    return no.value.facts


def hosted_by(user: int) -> Any:
    return lambda table: table._replace(host=user)


def refuse(why: Why) -> Any:
    def change(table: Table) -> Table:
        raise Refusal(why)

    return change
