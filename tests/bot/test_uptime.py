"""Outages, recorded and credited to the turns that they overlap; what is drawn at random."""

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import pytest

from bot.store.store import Store
from bot.tables.model import new_secret, new_table_id, number_from_seed
from bot.tables.outages import ALIVE_INTERVAL_MS, OUTAGES_KEPT_MS, Outage, Uptime, clipped_outage, outage_ms_since
from bot.tables.preferences import DEFAULTS, Preferences
from tests.bot.logs import captured_log
from tests.bot.tables import opened, started
from tests.clocks import SteppedClock
from tests.games import CASES

GAME = sorted(CASES)[0]


class Process:
    """A process that records that it is alive."""

    def __init__(self, store: Store, clock: SteppedClock) -> None:
        self.store = store
        self.clock = clock
        self.tasks: list[asyncio.Task[Any]] = []
        self.uptime = Uptime(store, clock, lambda work: self.tasks.append(asyncio.ensure_future(work)))

    async def run(self, ms: int) -> None:
        """Let *ms* pass, pulse by pulse."""
        while ms > 0:
            await self.clock.advance(min(ms, ALIVE_INTERVAL_MS))
            await asyncio.gather(*self.tasks)
            ms -= ALIVE_INTERVAL_MS

    async def known(self) -> list[Outage]:
        """What the store knows of outages, as a process that starts now finds it."""
        await asyncio.gather(*self.tasks)
        return await self.store.record_startup_outage(self.clock.now())


@pytest.fixture
def process(store: Store) -> Process:
    return Process(store, SteppedClock())


async def test_a_process_says_every_ten_seconds_that_it_is_alive(process: Process) -> None:
    await process.uptime.start_recording_heartbeats()
    await process.run(3 * ALIVE_INTERVAL_MS)
    last = process.clock.now()
    process.clock.forget()  # it is killed
    await process.clock.advance(50_000)
    assert await process.known() == [Outage(last, last + 50_000)]


async def test_a_process_that_ends_says_so_and_nothing_after(process: Process) -> None:
    await process.uptime.start_recording_heartbeats()
    await process.run(ALIVE_INTERVAL_MS + 1)
    await process.clock.advance(ALIVE_INTERVAL_MS // 2)
    await process.uptime.stop_recording_heartbeats()
    ended = process.clock.now()
    await process.run(5 * ALIVE_INTERVAL_MS)
    assert await process.known() == [Outage(ended, process.clock.now())]


async def test_a_process_that_never_began_says_nothing(process: Process) -> None:
    await process.uptime.stop_recording_heartbeats()
    assert await process.known() == []


async def test_an_outage_is_recorded_and_credited_to_the_turn_that_it_overlaps_l1(process: Process) -> None:
    await process.uptime.start_recording_heartbeats()
    now = process.clock.now()
    table = started(GAME)._replace(turn_began=now - 60_000)
    outage = Outage(now - 20_000, now)
    process.uptime.add_outage(outage)
    assert process.uptime.with_turn_credit(table).turn_credit == 20_000
    assert process.uptime.with_turn_credit(table._replace(turn_began=now - 5_000)).turn_credit == 5_000
    assert await process.known() == [outage]


async def test_a_process_credits_what_was_recorded_before_it_began_l1(process: Process) -> None:
    now = process.clock.now()
    await process.store.record_heartbeat(now - 30_000)
    await process.uptime.start_recording_heartbeats()
    assert process.uptime.with_turn_credit(started(GAME)._replace(turn_began=now - 60_000)).turn_credit == 30_000


async def test_a_table_without_a_turn_gets_no_credit(process: Process) -> None:
    process.uptime.add_outage(Outage(0, 5))
    lobby = opened(GAME)
    assert process.uptime.with_turn_credit(lobby) is lobby


async def test_outages_are_forgotten_when_no_turn_can_be_as_long(process: Process) -> None:
    now = process.clock.now()
    table = started(GAME)._replace(turn_began=now - 2 * OUTAGES_KEPT_MS)
    for ended, expected in ((now - OUTAGES_KEPT_MS, 10), (now, 20), (now + 1, 11)):
        process.uptime.add_outage(Outage(ended - 10, ended))
        assert process.uptime.with_turn_credit(table).turn_credit == expected


async def test_an_outage_that_is_known_is_nothing_new(process: Process) -> None:
    await process.uptime.start_recording_heartbeats()
    now = process.clock.now()
    assert [process.uptime.add_outage(Outage(now - 10, now)) for _ in range(2)] == [True, False]
    assert await process.known() == [Outage(now - 10, now)]


async def test_an_outage_that_cannot_be_recorded_counts_all_the_same(process: Process) -> None:
    await process.uptime.start_recording_heartbeats()
    await process.store._database.write(lambda it: it.exec_driver_sql("ALTER TABLE outages RENAME TO hidden"))
    now = process.clock.now()
    process.uptime.add_outage(Outage(now - 10, now))
    await asyncio.gather(*process.tasks)
    assert process.uptime.with_turn_credit(started(GAME)._replace(turn_began=now - 60)).turn_credit == 10


async def test_pulses_that_fail_are_counted_and_ever_fewer_of_them_are_logged(process: Process) -> None:
    await process.uptime.start_recording_heartbeats()
    with captured_log() as log:
        await process.run(ALIVE_INTERVAL_MS)
        await process.store._database.write(lambda it: it.exec_driver_sql("ALTER TABLE pulse RENAME TO hidden"))
        await process.run(9 * ALIVE_INTERVAL_MS)
        await process.store._database.write(lambda it: it.exec_driver_sql("ALTER TABLE hidden RENAME TO pulse"))
        await process.run(2 * ALIVE_INTERVAL_MS)
    assert re.findall(r"no pulse .*missed=(\d+)", log.getvalue()) == ["1", "2", "4", "8"]
    assert re.findall(r"pulse again .*missed=(\d+)", log.getvalue()) == ["9"]


@pytest.mark.skipif(os.name != "posix", reason="the file is moved while it is open")
async def test_that_pulses_are_back_is_hardly_news_where_something_else_was_reported(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    process = Process(await Store.open(f"sqlite+aiosqlite:///{path}"), SteppedClock())
    await process.uptime.start_recording_heartbeats()
    with captured_log() as log:
        moved = path.rename(tmp_path / "moved")
        await process.run(ALIVE_INTERVAL_MS)
        moved.rename(path)
        await process.run(ALIVE_INTERVAL_MS)
    await process.store.close()
    assert re.findall(r"(\w+) +\S+ pulse again", log.getvalue()) == ["DEBUG"], log.getvalue()


@pytest.mark.parametrize("damaged", [(10.5, 20), (10, 20.5), ("x", 20), (10, "x"), (-1, 20), (50, 60), (20, 10)])
def test_an_outage_that_cannot_have_been_is_none(damaged: tuple[Any, Any]) -> None:
    assert clipped_outage(Outage(*damaged), 50) is None
    assert clipped_outage(Outage(0, 0), 50) == Outage(0, 0)


def test_where_outages_overlap_the_time_counts_once_l1() -> None:
    assert outage_ms_since([Outage(10, 40), Outage(20, 30), Outage(35, 50)], 0) == 40


# What is drawn


def test_ids_of_tables_are_short_and_never_the_same() -> None:
    """They stand in custom_ids, which have at most 100 characters, and in nonces, which have at most 25."""
    ids = {new_table_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(re.fullmatch("[a-z2-7]{8}", it) for it in ids)
    assert len({new_secret() for _ in range(200)}) == 200
    assert {len(new_secret()) for _ in range(5)} == {32}


def test_what_is_drawn_depends_on_the_seed_the_ply_and_what_it_is_for() -> None:
    table = started(GAME)
    found = {number_from_seed(table._replace(seed=f"{number:064x}"), "move", 2.0, 3.0) for number in range(200)}
    assert 2.0 <= min(found) < 2.1 < 2.9 < max(found) <= 3.0
    assert (
        number_from_seed(table, "move", 2.0, 3.0)
        == number_from_seed(table, "move", 2.0, 3.0)
        != number_from_seed(table, "call", 2.0, 3.0)
    )


# What people have chosen


def test_who_has_chosen_nothing_has_what_discord_reports() -> None:
    player = DEFAULTS.player_fields("de")
    assert (player["locale"], player["by_dm"], player["passes"]) == ("de", True, False)
    assert Preferences(locale="it").player_fields("de")["locale"] == "it"
