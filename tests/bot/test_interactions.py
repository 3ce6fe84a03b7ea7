"""Every interaction is answered once, and by the process that is to answer it."""

from collections.abc import Coroutine
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from bot.interactions import KEEP_MS, MESSAGE_COMPONENTS, Interactions, put_components_into_click_data
from bot.tables.model import TableId
from bot.ui.custom_ids import Verb, custom_id
from tests.clocks import SteppedClock

HERE, THERE = 1 << 22, 2 << 22
"""Servers of shards 1 and 2."""


class Held:
    """The shards of a process: what it serves, and what it has though the database does not answer."""

    def __init__(self, *serves: int) -> None:
        self.served = set(serves)
        self.had = set(serves)

    def serves(self, guild: int) -> bool:
        return guild in self.served

    def holds(self, guild: int) -> bool:
        return guild in self.served

    def has(self, guild: int) -> bool:
        return guild in self.had


class Process:
    """What one process does with interactions."""

    def __init__(self, *serves: int) -> None:
        self.held = Held(*serves)
        self.clock = SteppedClock()
        self.answered: list[str] = []
        self.pending_interaction = 0
        """How often the store was asked."""
        self.tables: dict[str, int] = {}
        """What the store knows: table -> server."""
        self.away = False
        """Whether the store does not answer."""
        self.waiting: list[Coroutine[Any, Any, None]] = []
        self.interactions = Interactions(
            lambda data: self.answered.append(data["id"]),
            self.held,
            self.clock,
            {TableId("mine"): HERE, TableId("solo"): 0}.get,
            self.look_up,
            lambda guild: None,
            self.waiting.append,
        )

    async def look_up(self, table: TableId) -> int | None:
        self.pending_interaction += 1
        if self.away:
            raise OperationalError("", {}, Exception())
        return self.tables.get(table)

    async def come(self, number: str, guild: int = 0, table: str = "") -> None:
        """An interaction comes, in *guild* or in direct messages, about a *table*."""
        data: dict[str, Any] = {"id": number, "data": {}}
        if guild:
            data["guild_id"] = str(guild)
        if table:
            data["data"]["custom_id"] = custom_id(Verb.HAND, TableId(table), 0)
        self.interactions.handle(data)
        for work in self.waiting:
            await work
        self.waiting.clear()


@pytest.fixture
def process() -> Process:
    """A process that serves HERE alone."""
    return Process(HERE)


async def test_what_comes_again_is_answered_once(process: Process) -> None:
    for _ in range(2):
        await process.come("1", HERE)
    assert process.answered == ["1"]


async def test_direct_messages_belong_to_the_server_of_their_table_and_else_to_shard_0(process: Process) -> None:
    process.tables = {"old": HERE, "other": THERE}
    await process.come("1", table="mine")
    await process.come("0", table="solo")
    assert process.pending_interaction == 0, "a table that is served here is known"
    await process.come("2", table="old")
    await process.come("3", table="old")
    assert process.pending_interaction == 1, "where a table is does not change"
    await process.come("4", table="other")
    await process.come("5", table="nobody's")
    await process.come("6")
    assert process.answered == ["1", "2", "3"]
    process.held.served = {0}
    process.interactions.answer_kept_interactions()
    assert process.answered == ["1", "2", "3", "0", "5", "6"]


async def test_while_the_database_does_not_say_where_a_table_is_shard_0_answers(process: Process) -> None:
    process.away = True
    await process.come("1", table="old")
    assert process.answered == []
    other = Process(0)
    other.away = True
    await other.come("1", table="old")
    assert other.answered == ["1"]


async def test_what_another_process_is_to_answer_is_kept_for_two_seconds(process: Process) -> None:
    await process.come("1", THERE)
    await process.clock.advance(KEEP_MS - 1000)
    await process.come("2", THERE)
    await process.clock.advance(1001)
    process.held.served.add(THERE)
    process.interactions.answer_kept_interactions()
    process.interactions.answer_kept_interactions()
    assert process.answered == ["2"], "the first one's person has read that it failed"


async def test_while_nobody_knows_who_holds_a_shard_whoever_had_it_answers_in_the_end(process: Process) -> None:
    process.held.served.clear()
    await process.come("1", HERE)
    assert process.answered == []
    await process.clock.advance(KEEP_MS)
    assert process.answered == ["1"]
    await process.come("2", HERE)
    process.held.had.clear()  # it turns out that another process has it
    await process.clock.advance(KEEP_MS)
    assert process.answered == ["1"]


async def test_discord_py_makes_no_objects_of_the_components_of_a_clicked_message() -> None:
    row = {"type": 1, "components": [{"type": 2, "custom_id": "a"}]}
    click = {"id": "1", "data": {"custom_id": "a"}, "message": {"id": "2", "components": [row]}}
    put_components_into_click_data(click)
    assert click["data"] == {"custom_id": "a", MESSAGE_COMPONENTS: [row]}
    assert click["message"] == {"id": "2", "components": []}
    command = {"id": "1", "data": {"name": "play"}}
    put_components_into_click_data(command)
    assert command == {"id": "1", "data": {"name": "play"}}


@pytest.mark.parametrize("malformed", [{}, {"data": None, "message": {}}, {"data": {}, "message": 7}])
def test_malformed_interactions_stay_as_they_are(malformed: dict[str, Any]) -> None:
    before = dict(malformed)
    put_components_into_click_data(malformed)
    assert malformed == before
