"""Every change to a table: committed once, told once, also beside another process and when the table cannot go on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.store.schema import tables as rows
from bot.store.store import Store
from bot.store.tables import pack_table
from bot.tables import play
from bot.tables.errors import AlreadyProcessed, UnusableTable, Why
from bot.tables.model import Ending, Phase, Player, Table, TableId
from bot.tables.options import Options
from bot.tables.outages import Outage
from bot.tables.play import ClickEffect
from bot.tables.service import Tables
from bot.tables.shards import AllShards
from bot.tables.timers import IDLE_MS, REMINDER_SHARE
from tests.bot.processes import GAME, MINUTE, Process, hosted_by, refuse, refused
from tests.bot.tables import NORMAL, on_turn, opened, resume, started
from tests.bot.test_service import WHAT, Clock, at, serving


class NoShards(AllShards):
    """Another process holds all of them."""

    def serves(self, guild: int) -> bool:
        return False

    def has(self, guild: int) -> bool:
        return False


async def test_a_change_is_the_next_version_and_is_told_once(process: Process) -> None:
    table = await process.open()
    await process.clock.advance(5)
    after = await process.tables.change(table.id, "test", 100, hosted_by(101))
    assert (after.version, after.host, after.changed_at) == (table.version + 1, 101, process.clock.now())
    assert process.changed == [after] == [await process.store.load_table(table.id)]
    assert process.tables.taken_over_table_in_channel(2) == after
    assert await process.tables.change(
        table.id, "test", 100, hosted_by(101)
    ) is process.tables.taken_over_table_in_channel(2)
    assert process.changed == [after], "nothing has changed"


async def test_an_interaction_counts_once_also_in_another_process(process: Process) -> None:
    table = await process.open()
    after = await process.tables.change(table.id, "test", 100, hosted_by(101), 5)
    other = Process(process.store, process.clock)
    for it in (process, other):
        with pytest.raises(AlreadyProcessed):
            await it.tables.change(table.id, "test", 100, hosted_by(102), 5)
        with pytest.raises(AlreadyProcessed):  # what it asked for is refused by now
            await it.tables.change(table.id, "test", 100, refuse(Why.PLAYERS_ONLY), 5)
    assert await process.store.load_table(table.id) == after
    assert (await process.tables.change(table.id, "test", 100, hosted_by(102), 6)).host == 102


async def test_what_a_process_changes_that_does_not_serve_the_table_is_read_again_by_the_one_that_does(
    process: Process,
) -> None:
    table = await process.open()
    other = Process(process.store, process.clock, shards=NoShards())
    for host in (101, 102):
        changed = await other.tables.change(table.id, "test", 100, hosted_by(host))
        assert other.changed == [], "its messages are the other one's"
        await process.tables.reload(table.id)
        assert process.tables.live_tables_in_memory() == [changed]
        assert process.restored[-1:] == [changed]
    assert other.tables.live_tables_in_memory() == []
    await process.tables.change(table.id, "test", 100, hosted_by(103))  # it knows the newest version
    again = len(process.restored)
    await process.tables.reload(table.id)
    assert len(process.restored) == again, "nothing has changed"


async def test_a_table_that_another_process_opens_here_is_served(process: Process) -> None:
    other = Process(process.store, process.clock, shards=NoShards())
    table = await other.open()
    assert other.tables.live_tables_in_memory() == []
    assert process.tables.live_tables_in_memory() == []
    assert (await process.tables.require_in_channel(table.channel)).id == table.id
    await process.tables.reload(table.id)
    assert [it.id for it in process.tables.live_tables_in_memory()] == [table.id]


async def test_whoever_leaves_a_shard_forgets_its_tables_and_whoever_takes_it_has_them_all(process: Process) -> None:
    near, far = await process.open(2, guild=1 << 22), await process.open(3, guild=2 << 22)
    await process.tables.release_shards({1}, 3)
    assert [it.id for it in process.tables.live_tables_in_memory()] == [far.id]
    other = Process(process.store, process.clock)
    assert await other.tables.take_over_shards({1}, 3) == 1
    await other.tables.wait_until_taken_over()
    assert [it.id for it in other.tables.live_tables_in_memory()] == [near.id]
    await other.tables.release_shards({1}, 3)
    await other.tables.stop()


async def test_where_the_live_tables_are(process: Process) -> None:
    here, there, elsewhere = await process.open(2), await process.open(3), await process.open(4, guild=9)
    live = process.tables.live_tables_in_memory
    assert [it.id for it in live()] == [here.id, there.id, elsewhere.id]
    assert [it.id for it in live(guild=1)] == [here.id, there.id]
    assert [it.id for it in live(channel=3)] == [there.id]
    assert live(guild=9, channel=3) == []
    assert await process.tables.require_in_channel(3) == there
    await refused(Why.NO_TABLE_HERE, process.tables.require_in_channel(7))
    await refused(Why.NO_SUCH_TABLE, process.tables.get(TableId("nothing")))


async def test_what_becomes_of_a_table_that_is_not_served_here_is_not_followed(process: Process) -> None:
    other = Process(process.store, process.clock, shards=NoShards())
    table = await process.open()
    await other.tables.reload(table.id)
    await process.tables.change(table.id, "test", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    later = Process(process.store, process.clock)
    await later.tables.reload(table.id)
    assert [(it.tables.live_tables_in_memory(), it.restored) for it in (other, later)] == [([], [])] * 2


async def test_a_table_that_ends_in_another_process_is_told_of(process: Process) -> None:
    table = await process.open()
    other = Process(process.store, process.clock, shards=NoShards())
    over = await other.tables.change(table.id, "test", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    await process.tables.reload(table.id)
    assert ([it.ending for it in process.restored], process.tables.live_tables_in_memory()) == ([over.ending], [])


async def test_only_an_offer_of_this_very_turn_that_came_five_seconds_late_gives_it_time(process: Process) -> None:
    now = process.clock.now()
    table = at(started(GAME, NORMAL), now)
    await process.store.create_table(table, WHAT, now)
    await process.tables.reload(table.id)
    await process.clock.advance(5000)
    offered = process.tables.restart_turn_time_if_offered_late
    await offered(table.id, now, now + 4999)
    await offered(table.id, now - 1, now + 5000)
    assert process.changed == []
    await offered(table.id, now, now + 5000)
    assert [it.offered_at for it in process.changed] == [now + 5000]


async def test_a_channel_has_one_table_whichever_process_has_opened_it(process: Process) -> None:
    other = Process(process.store, process.clock)
    await resume(other.tables)
    await other.tables.wait_until_taken_over()
    table = await process.open()
    for it in (process, other):
        facts = await refused(Why.TABLE_OPEN_HERE, it.open(host=Player("b", 101)))
        assert facts["table"] == table.id
    await other.tables.stop()


async def test_a_lobby_that_was_just_opened_closes_after_a_day_without_anything(process: Process) -> None:
    table = await process.open()
    await process.clock.stand_still(IDLE_MS - 1_000)
    assert process.tables.taken_over_table_in_channel(2) is not None
    await process.clock.advance(2_000)
    assert (await process.tables.get(table.id)).ending is Ending.IDLE


# Beside another process


async def test_a_change_on_an_old_version_is_made_on_the_new_one(process: Process) -> None:
    table = await process.open()
    other = Process(process.store, process.clock)
    await resume(other.tables)
    await other.tables.wait_until_taken_over()
    await process.tables.change(table.id, "test", 100, lambda t: t._replace(locale="de"))
    after = await other.tables.change(table.id, "test", 100, hosted_by(101))
    assert (after.version, after.locale, after.host) == (3, "de", 101)
    assert [it.version for it in other.changed] == [2, 3]
    await other.tables.stop()


async def test_a_button_that_is_ahead_is_tried_on_what_another_process_has_done(process: Process) -> None:
    table = await process.open()
    other = Process(process.store, process.clock)
    await resume(other.tables)
    await other.tables.wait_until_taken_over()
    await process.tables.change(table.id, "test", 100, hosted_by(101))

    def press(why: Why) -> Any:
        return lambda t: t._replace(host=102) if t.host == 101 else refuse(why)(t)

    await refused(Why.HOST_ONLY, other.tables.change(table.id, "test", 100, press(Why.HOST_ONLY)))
    assert other.changed == []
    after = await other.tables.change(table.id, "test", 100, press(Why.BUTTON_DEAD))
    assert after.host == 102
    await refused(Why.BUTTON_DEAD, other.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    await process.tables.change(table.id, "test", 100, hosted_by(103))
    await refused(Why.BUTTON_DEAD, other.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    assert other.tables.taken_over_table_in_channel(2) == process.tables.taken_over_table_in_channel(2), (
        "it was looked at again, once"
    )
    await refused(Why.BUTTON_DEAD, other.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    assert [it.version for it in other.changed] == [2, 3, 4], "what was known already is not told again"
    await other.tables.stop()


async def test_timers_of_what_another_process_has_done_run_here_as_soon_as_it_is_known(process: Process) -> None:
    table = await process.open()
    other = Process(process.store, process.clock)
    await resume(other.tables)
    await other.tables.wait_until_taken_over()
    game = at(started(GAME, NORMAL), process.clock.now())._replace(id=table.id)
    await process.tables.change(table.id, "start", 100, lambda t: game._replace(version=t.version))
    await process.tables.stop()
    await refused(Why.BUTTON_DEAD, other.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    assert [it.state for it in other.changed] == [game.state]
    await process.clock.advance(5 * MINUTE)
    assert (await other.tables.get(table.id)).state != game.state
    await other.tables.stop()


async def test_a_table_that_somebody_has_deleted_is_none_any_more(process: Process) -> None:
    table = await process.open()
    for name in ("messages", "tables"):
        await process.store._database.write(lambda it, name=name: it.exec_driver_sql(f"DELETE FROM {name}"))
    await refused(Why.NO_SUCH_TABLE, process.tables.change(table.id, "test", 100, hosted_by(101)))
    assert process.tables.taken_over_table_in_channel(2) is None
    await process.tables._serve_timer(table.id)  # its alarm may still ring


# Tables that cannot go on


def test_of_an_error_its_class_and_the_line_that_raised_it_are_kept() -> None:
    """Its text may quote hidden cards."""

    def read() -> None:
        raise KeyError("queen")

    def load() -> None:
        read()

    with pytest.raises(KeyError) as raised:
        load()
    found = UnusableTable.from_error(TableId("abc"), raised.value)
    where = f"{Path(__file__).name}:{read.__code__.co_firstlineno + 1}"
    assert (str(found), found.table, found.error, found.where) == ("KeyError", "abc", "KeyError", where)


async def test_a_table_whose_change_shows_that_it_cannot_go_on_is_set_aside(process: Process) -> None:
    table = await process.open()

    def change(t: Table) -> Table:
        raise UnusableTable(t.id, "KeyError") from KeyError("card")

    await refused(Why.SET_ASIDE, process.tables.change(table.id, "test", 100, change))
    await process.clock.settle()
    assert process.aside == [table.id]
    assert process.tables.taken_over_table_in_channel(2) is None
    await refused(Why.SET_ASIDE, process.tables.get(table.id))
    await process.open()  # the channel is free


async def test_a_table_that_another_process_has_left_unreadable_is_set_aside(process: Process) -> None:
    table = await process.open()
    spoilt = {"version": table.version + 1, "snapshot": pack_table(table._replace(channel=99))}
    await process.store._write(lambda it: it.execute(rows.update().where(rows.c.id == table.id), spoilt))
    await refused(Why.SET_ASIDE, process.tables.reload(table.id))
    await process.clock.settle()
    assert process.aside == [table.id]
    assert process.tables.taken_over_table_in_channel(2) is None


async def test_setting_aside_twice_is_said_once(process: Process) -> None:
    table = await process.open()
    for _ in range(2):
        await process.tables.quarantine(UnusableTable(table.id, "KeyError"))
    await process.clock.settle()
    assert process.aside == [table.id]
    assert not process.tables._background._tasks, "what is done is forgotten"
    assert not process.tables._alarms._alarms, "nobody waits for it"


# A new process


async def test_a_new_process_takes_over_what_is_live_the_newest_first(process: Process) -> None:
    clock = process.clock
    first, second = await process.open(2), await process.open(3)
    await clock.advance(5)
    await process.tables.change(first.id, "test", 100, hosted_by(101))
    over = at(opened(GAME), clock.now())._replace(id=TableId("over"), channel=4, phase=Phase.OVER, ending=Ending.ENDED)
    await process.store.create_table(over, WHAT, clock.now())
    new = Process(process.store, clock)
    await resume(new.tables)
    await new.tables.wait_until_taken_over()
    assert new.tables.table_count == 2
    assert [it.id for it in new.restored][:2] == [first.id, second.id]
    assert new.tables.taken_over_table_in_channel(4) is None
    await clock.stand_still(IDLE_MS)
    await clock.advance(2_000)
    assert new.tables.live_tables_in_memory() == []
    await new.tables.stop()


async def test_time_without_a_connection_is_credited_and_told_l1(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, Options(turn_seconds=120)), clock.now())
    await store.create_table(table, WHAT, clock.now())
    process = Process(store, clock)
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    await clock.advance(80_000)
    process.tables.add_outage(Outage(clock.now() - 60_000, clock.now()))
    assert [it.turn_credit for it in process.changed] == [60_000]
    before = await process.tables.get(table.id)
    await clock.advance(60_000)
    assert (await process.tables.get(table.id)).state == before.state, "it is not too late yet"
    await clock.advance(60_000)
    assert (await process.tables.get(table.id)).state != before.state
    await process.tables.stop()


async def test_no_turn_limit_acts_while_clicks_cannot_reach_us(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, NORMAL), clock.now())
    await store.create_table(table, WHAT, clock.now())
    process = Process(store, clock)
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    process.cut_off = True
    await clock.advance(10 * MINUTE)
    assert (await process.tables.get(table.id)).version == table.version
    process.cut_off = False
    await clock.advance(5 * MINUTE)
    assert (await process.tables.get(table.id)).version > table.version
    await process.tables.stop()


async def test_computer_players_move_while_clicks_cannot_reach_us(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, NORMAL, people=1, computers=1), clock.now())
    if table.rules.on_turn(table.state) == 0:
        table = table._replace(players=table.players[::-1])
    await store.create_table(table, WHAT, clock.now())
    process = Process(store, clock)
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    process.cut_off = True
    await clock.advance(MINUTE)
    assert (await process.tables.get(table.id)).state != table.state
    await process.tables.stop()


async def test_an_outage_that_becomes_known_while_a_timer_waits_stops_no_clock(store: Store) -> None:
    """Another change is in flight when the alarm rings; after it the timer is no longer due."""

    class Hasty(Clock):
        waits = True

        async def settle(self) -> None:
            if self.waits:
                await super().settle()

    clock = Hasty()
    table = at(started(GAME, NORMAL), clock.now())
    await store.create_table(table, WHAT, clock.now())
    process = Process(store, clock)
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    clock.waits = False
    forged = asyncio.create_task(process.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    await asyncio.sleep(0)
    await clock.advance(int(2 * MINUTE * (1 - REMINDER_SHARE)))
    await asyncio.sleep(0)
    assert not forged.done()
    process.tables.add_outage(Outage(clock.now() - MINUTE, clock.now()))
    clock.waits = True
    await refused(Why.BUTTON_DEAD, forged)
    await clock.advance(5 * MINUTE)
    assert (await process.tables.get(table.id)).state != table.state
    await process.tables.stop()


# A move that is held for a moment is stored once, with what comes of it.


async def held(store: Store, ms: int) -> tuple[Clock, Table, Tables]:
    """As ``serving``, with a move that lands in *ms*."""
    clock, table, tables = await serving(store)
    table = await tables.change(table.id, "test", None, lambda t: t._replace(beat_ends=clock.now() + ms))
    user = table.players[on_turn(table)].user
    assert user is not None
    clicked = await tables.make_move(
        table.id, user, 0, lambda t, seat: t.rules.legal_actions(t.state, seat)[0], clock.now(), 1
    )
    assert clicked.effect is ClickEffect.HELD
    return clock, table, tables


async def test_a_move_that_lands_soon_is_stored_once(store: Store) -> None:
    """Until then its click has no answer, so nobody was told of it."""
    clock, before, tables = await held(store, 500)
    assert await store.table_version(before.id) == before.version
    await clock.advance(500)
    after = await store.load_table(before.id)
    assert after is not None
    assert after.version == before.version + 1
    assert after.state.ply == 1
    await tables.stop()


async def test_a_move_that_lands_later_is_stored_at_once(store: Store) -> None:
    """Its player is told when it lands."""
    _, before, tables = await held(store, 1_000)
    after = await store.load_table(before.id)
    assert after is not None
    assert after.held is not None
    await tables.stop()


async def test_a_move_that_lands_soon_is_stored_by_whatever_comes_first(store: Store) -> None:
    _, before, tables = await held(store, 500)
    changed = await tables.change(before.id, "test", None, lambda t: t._replace(host=101))
    assert changed.held is not None
    assert await store.load_table(before.id) == changed
    await tables.stop()


async def test_a_move_that_lands_soon_is_stored_when_the_program_stops(store: Store) -> None:
    _, before, tables = await held(store, 500)
    await tables.stop()
    after = await store.load_table(before.id)
    assert after is not None
    assert after.held is not None


async def test_a_move_that_lands_soon_is_made_again_if_it_is_lost(store: Store) -> None:
    """The program was killed before the move had landed."""
    clock, before, tables = await held(store, 500)
    again = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(again)
    user = before.players[on_turn(before)].user
    assert user is not None
    clicked = await again.make_move(
        before.id, user, 0, lambda t, seat: t.rules.legal_actions(t.state, seat)[0], clock.now(), 1
    )
    assert clicked.effect is ClickEffect.HELD
    tables._alarms.cancel_all()
    await clock.advance(500)
    assert (await again.get(before.id)).version == before.version + 1
    await again.stop()


async def test_a_move_that_lands_soon_is_made_again_on_what_another_process_makes_of_the_table(store: Store) -> None:
    """And its click counts once it has landed."""
    clock, before, tables = await held(store, 500)
    other = Tables(store, clock, lambda _: None, lambda _: None, shards=NoShards())
    await other.change(before.id, "test", None, lambda t: t._replace(host=101))
    await tables.reload(before.id)
    await clock.advance(500)
    after = await tables.get(before.id)
    assert (after.host, after.state.ply) == (101, 1)
    assert await store.has_processed_interaction(1)
    await tables.stop()


async def test_a_move_that_lands_soon_gives_way_to_a_later_one_that_another_process_holds(store: Store) -> None:
    clock, before, tables = await held(store, 500)
    seat, now = on_turn(before), clock.now()
    other = Tables(store, clock, lambda _: None, lambda _: None, shards=NoShards())
    later = before.rules.legal_actions(before.state, seat)[1]
    user = before.players[seat].user or 0
    await other.change(before.id, "test", None, lambda t: play.make_move(t, user, 0, lambda _: later, now, now).table)
    await tables.reload(before.id)
    await clock.advance(1000)
    assert (await tables.get(before.id)).state == play.apply_action(before, later, now).state
    await tables.stop()


async def test_a_move_that_lands_soon_is_not_stored_by_whoever_has_lost_its_table(store: Store) -> None:
    """Whoever has the table now would not know of it. Nobody was told of the move; they make it again there."""
    _, before, tables = await held(store, 500)
    tables._shards = NoShards()
    await tables.release_shards({0}, 1)
    assert await store.table_version(before.id) == before.version
    assert tables.live_tables_in_memory() == []
    await tables.stop()


async def test_a_move_that_comes_too_late_makes_no_version_of_its_own(store: Store) -> None:
    """Its table is back at the process that held it, but the game has moved on."""
    clock, before, tables = await held(store, 500)
    other = Tables(store, clock, lambda _: None, lambda _: None, shards=NoShards())
    after = await other.change(before.id, "test", None, lambda t: t._replace(state=t.state._replace(ply=1)))
    await tables.release_shards({0}, 1)
    assert await store.table_version(before.id) == after.version
    await tables.stop()
