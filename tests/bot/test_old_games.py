"""Games from before there were records: those that run play on, and all leave a record."""

import io
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from bot import doctor
from bot.results.counting import Counting
from bot.store.store import Store
from bot.store.upkeep import Upkeep
from bot.tables.model import Ending, Phase, TableId
from engine.record import Acted, SeatChanged
from engine.replay import replay
from engine.verify import Remark, verify
from tests.bot import yesterday
from tests.bot.logs import written
from tests.bot.processes import Process
from tests.bot.test_archive import Evening
from tests.bot.yesterday import address, carried_over, clock_after, dealt, kept_of, look_after, over, record_of
from tests.games import CASES
from tests.rows import count

# Yesterday's database


async def test_yesterdays_database_holds_what_is_tested_here(tmp_path: Path) -> None:
    history = yesterday.database(tmp_path / "t.sqlite3")
    for game in CASES:
        mine = [versions[-1] for versions in history.values() if versions[-1].game == game]
        endings = [table.ending for table in mine if table.state is not None]
        assert {Ending.FINISHED, Ending.ABANDONED, Ending.ENDED, None} == set(endings)
        finished = [table for table in mine if table.ending is Ending.FINISHED]
        assert any(player.user is None for table in finished for player in table.players)
        assert any(player.since for table in finished for player in table.players)
    assert any(versions[-1].phase is Phase.LOBBY for versions in history.values())
    windows = [table.window for versions in history.values() for table in versions if table.window is not None]
    assert any(len(window.calls) > 1 for window in windows if window.closed)
    assert any(table.phase is Phase.OVER is versions[-2].phase for versions in history.values() for table in versions)


async def test_games_that_are_over_have_a_record_that_can_be_checked(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store = await carried_over(path, history)
    for id_, table in over(history).items():
        kept, found = await kept_of(store, id_), await record_of(store, id_)
        verdict = verify(found)
        assert (verdict.state, verdict.actions) == (table.state, table.rules.ply(table.state))
        assert Remark.NO_ACTIONS not in verdict.remarks
        assert (found.deal.version, found.secret.hex(), found.deal.game) == (0, table.seed, table.game)
        assert found.ending == (table.ending.value if table.ending else "")
        finished = table.ending is Ending.FINISHED
        assert found.standings == (table.rules.standings(table.state) if finished else ())
        assert (kept.guild, kept.game) == (table.guild, table.game)
        assert kept.ended_at == next(it.changed_at for it in history[id_] if it.phase is Phase.OVER)
        assert {(it.user, it.name) for it in kept.people} == {(p.user, p.name) for p in table.players if p.user}
        *_, last = replay(found)
        for seat, player in enumerate(table.players):
            sits = last.seats[seat]
            assert sits.kind == ("computer" if player.automatic else "person")
            if sits.kind == "person":
                assert player.user in {it.user for it in kept.people if it.id == sits.id}
    await store.close()


async def test_seats_that_have_changed_hands_and_time_outs_are_found(tmp_path: Path) -> None:
    """In one game of every kind that there was."""
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store = await carried_over(path, history)
    finished = dealt(history, Ending.FINISHED)
    sat_down = {table.game: id_ for id_, table in finished.items() if any(player.since for player in table.players)}
    assert set(sat_down) == {table.game for table in finished.values()}
    for id_ in sat_down.values():
        found = await record_of(store, id_)
        changes = [entry for entry in found.entries or () if isinstance(entry, SeatChanged)]
        acted = [entry for entry in found.entries or () if isinstance(entry, Acted)]
        assert [it.sits for it in changes] == ["computer", "person", "person"]
        assert (changes[0].seat, changes[1].id) == (changes[1].seat, found.deal.seats[changes[0].seat].id)
        assert found.deal.seats[changes[2].seat].kind == "computer"
        timed_out = [b.changed_at for a, b in pairwise(history[id_]) if a.overdue is None is not b.overdue]
        assert [entry.at for entry in acted if entry.by_clock] == timed_out != []
        assert [entry.at for entry in acted] == sorted(entry.at for entry in acted)
    await store.close()


async def test_games_that_run_play_on_and_their_records_begin_with_the_deal(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store = await Store.open(address(path))
    process = Process(store, clock_after(history))
    lobbies = sum(versions[-1].phase is Phase.LOBBY for versions in history.values())
    running = dealt(history, None)
    await process.tables.resume()
    await process.tables.taken()
    assert process.tables.known == len(running) + lobbies
    for id_, before in running.items():
        table = await Evening(process, id_).play()
        found = await record_of(store, id_)
        verdict = verify(found)
        assert (verdict.state, verdict.actions) == (table.state, table.rules.ply(table.state))
        assert verdict.actions > before.rules.ply(before.state)
        assert any(isinstance(entry, SeatChanged) for entry in found.entries or ())
        assert {it.user for it in (await kept_of(store, id_)).people} == {p.user for p in table.players if p.user}
    assert count(path, "moves") == 0
    await process.tables.stop()
    await store.close()


async def test_nothing_old_is_left_and_the_file_gets_smaller(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    before = path.stat().st_size
    store = await carried_over(path, history)
    assert count(path, "old_events") == 0
    assert count(path, "tables") == len(history)
    for table, versions in history.items():
        found = await store.load(table)
        assert found == versions[-1]
    await store.close()
    await (await Store.open(address(path))).close()
    after = path.stat().st_size
    print(f"{len(history)} tables: {before >> 10} KiB before, {after >> 10} KiB after")  # noqa: T201
    assert after < before / 20
    out = io.StringIO()
    assert await doctor.run(address(path), out.write) == 0, out.getvalue()


async def test_it_is_said_once_when_nothing_is_left(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    with written() as log:
        await (await carried_over(path, history)).close()
        await (await carried_over(path, history)).close()
    assert log.getvalue().count("none is left") == 1


# Interruption


@pytest.mark.parametrize("slices", range(0, 14, 3))
async def test_an_upkeep_that_was_interrupted_goes_on_with_the_next_start(slices: int, tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store = await Store.open(address(path))
    await store.take_over(clock_after(history).now())
    last: TableId | None = TableId("")
    for _ in range(slices):
        last = last if last is None else await store.carry_over(last)
    await store.close()
    done = count(path, "records")
    assert (done > 0) == (slices > 0)
    store = await carried_over(path, history)
    assert (count(path, "records"), count(path, "old_events")) == (len(over(history)), 0)
    for table in over(history):
        assert Remark.NO_ACTIONS not in verify(await record_of(store, table)).remarks
    await store.close()


async def test_an_upkeep_can_be_stopped_at_any_moment(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    rng, left = Random(1), count(path, "events")
    for turns in [0, 1, 2, 3, *(rng.randrange(4, 60) for _ in range(10))]:
        store = await Store.open(address(path))
        await store.take_over(clock_after(history).now())
        upkeep = Upkeep(store, clock_after(history), 0, lambda: (), Counting(store, clock_after(history)))
        upkeep.start()
        for _ in range(turns):
            await store.version(TableId(""))
        await upkeep.stop()
        await store.close()
        before, left = left, count(path, "old_events")
        assert left <= before
        records = {table for table in over(history) if count(path, f"records WHERE table_id = '{table}'")}
        assert not [table for table in records if count(path, f"old_events WHERE table_id = '{table}'")]
    store = await carried_over(path, history)
    assert count(path, "records") == len(over(history))
    await store.close()


async def test_a_move_waits_for_one_old_game_at_most(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store = await Store.open(address(path))
    process = Process(store, clock_after(history))
    await process.tables.resume()
    await process.tables.taken()
    table = next(iter(dealt(history, None)))
    upkeep = Upkeep(store, process.clock, 0, lambda: (), Counting(store, process.clock))
    upkeep.start()
    assert upkeep._task is not None
    moves = 0
    while not upkeep._task.done():
        before = count(path, "(SELECT DISTINCT table_id FROM old_events)")
        host = (await process.tables.get(table)).host
        await process.tables.change(table, "test", None, lambda t, host=host: t._replace(host=host + 1))
        assert count(path, "(SELECT DISTINCT table_id FROM old_events)") >= before - 1
        moves += 1
    assert moves > len(over(history)), "they were not held up until the end"
    await upkeep.stop()
    await process.tables.stop()
    await store.close()


async def test_the_next_game_ends_as_ever_while_old_ones_are_left(tmp_path: Path) -> None:
    """A finished table that changes before its record is written, as when a rematch is opened, keeps its actions."""
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store = await Store.open(address(path))
    process = Process(store, clock_after(history))
    await process.tables.resume()
    await process.tables.taken()
    table = next(iter(dealt(history, Ending.FINISHED)))
    await process.tables.change(table, "test", None, lambda t: t._replace(rematch_by=1))
    assert await store.record(table) is None
    await look_after(store, process.clock)
    assert Remark.NO_ACTIONS not in verify(await record_of(store, table)).remarks
    await process.tables.stop()
    await store.close()
