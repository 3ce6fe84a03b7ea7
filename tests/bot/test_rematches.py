"""Who may open a rematch; what people choose; tables of a process that stops, or whose clock was wrong."""

import asyncio

import pytest

from bot.store.store import Store
from bot.tables.errors import Refusal, UnusableTable, Why
from bot.tables.limits import Limits
from bot.tables.model import Ending, Phase, Player, Table
from tests.bot.logs import captured_log
from tests.bot.processes import GAME, HOST, MINUTE, Process, hosted_by, refused
from tests.bot.tables import NORMAL, resume, started
from tests.bot.test_service import WHAT, Clock, at

# People, and rematches


async def test_what_somebody_chooses_holds_where_they_sit(process: Process) -> None:
    mine, other = await process.open(2), await process.open(3, host=Player("b", 101))
    await process.tables.update_player_at_all_tables(100, locale="it")
    await process.tables.update_player(other.id, 100, locale="it")
    assert (await process.tables.get(mine.id)).players[0].locale == "it"
    assert await process.tables.get(other.id) == other


async def test_who_may_open_a_rematch_and_when_l5(process: Process) -> None:
    old = await process.open()
    await refused(Why.NOT_FINISHED, process.tables.open_rematch(old.id, HOST))
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    await refused(Why.PLAYERS_ONLY, process.tables.open_rematch(old.id, Player("b", 101)))
    fresh = await process.tables.open_rematch(old.id, HOST._replace(locale="nl"))
    assert (fresh.channel, fresh.rematch_of, fresh.host) == (2, old.id, 100)
    after = await process.tables.get(old.id)
    assert (after.rematch, after.rematch_by) == (fresh.id, 100)
    assert [it.locale for it in (*after.players, *fresh.players)] == ["nl", "nl"], "who presses may have chosen another"
    assert (await refused(Why.REMATCH_OPEN, process.tables.open_rematch(old.id, HOST)))["table"] == fresh.id
    await process.tables.change(fresh.id, "close", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.CANCELLED))
    again = await process.tables.open_rematch(old.id, HOST)
    started_ = at(started(GAME, NORMAL), process.clock.now())._replace(channel=2, rematch_of=old.id, host=100)
    await process.tables.change(again.id, "start", 100, lambda t: started_._replace(id=t.id, version=t.version))
    await process.clock.settle()
    await process.tables.change(again.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    third = await process.tables.open_rematch(old.id, HOST)  # that one was played
    assert (await process.tables.get(old.id)).rematch == third.id


async def test_of_two_who_open_it_at_the_same_moment_one_is_led_to_their_seat_l5(process: Process) -> None:
    other = Player("b", 101)
    old = await process.open()
    over = old._replace(phase=Phase.OVER, ending=Ending.ENDED, players=(HOST, other))
    await process.tables.change(old.id, "end", 100, lambda t: over._replace(version=t.version))
    both = [process.tables.open_rematch(old.id, it) for it in (HOST, other)]
    found = await asyncio.gather(*both, return_exceptions=True)
    (fresh,) = (it for it in found if isinstance(it, Table))
    (no,) = (it for it in found if isinstance(it, Refusal))
    assert (no.why, no.facts["table"]) == (Why.REMATCH_OPEN, fresh.id)


@pytest.mark.parametrize("seated", [True, False])
async def test_a_rematch_beside_another_table_in_the_channel_l5(process: Process, seated: bool) -> None:
    old = await process.open()
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    other = await process.open(host=HOST if seated else Player("b", 101))
    why = Why.REMATCH_OPEN if seated else Why.TABLE_OPEN_HERE
    assert (await refused(why, process.tables.open_rematch(old.id, HOST)))["table"] == other.id


async def test_who_has_given_up_their_seat_at_the_rematch_opens_no_other_beside_it_l5(process: Process) -> None:
    other = Player("b", 101)
    old = await process.open()
    over = old._replace(phase=Phase.OVER, ending=Ending.ENDED, players=(HOST, other))
    await process.tables.change(old.id, "end", 100, lambda t: over._replace(version=t.version))
    fresh = await process.tables.open_rematch(old.id, HOST)
    await process.tables.change(fresh.id, "leave", 101, lambda t: t._replace(players=t.players[:1]))
    assert (await refused(Why.REMATCH_OPEN, process.tables.open_rematch(old.id, other)))["table"] == fresh.id


async def test_the_old_table_learns_that_its_rematch_has_left_the_lobby_l5(process: Process) -> None:
    old = await process.open()
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    fresh = await process.tables.open_rematch(old.id, HOST)
    version = (await process.tables.get(old.id)).version
    await process.tables.change(fresh.id, "test", 100, hosted_by(101))
    await process.clock.settle()
    assert (await process.tables.get(old.id)).version == version, "it is in the lobby"
    await process.tables.change(fresh.id, "close", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.CANCELLED))
    await process.clock.settle()
    assert (await process.tables.get(old.id)).version == version + 1


async def test_the_old_table_learns_that_the_lobby_of_its_rematch_was_set_aside_l5(process: Process) -> None:
    old = await process.open()
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    fresh = await process.tables.open_rematch(old.id, HOST)
    await process.clock.settle()
    assert (await process.tables.get(old.id)).may_have_rematch_in_lobby
    await process.tables.quarantine(UnusableTable(fresh.id, "KeyError"))
    await process.clock.settle()
    assert not (await process.tables.get(old.id)).may_have_rematch_in_lobby


async def test_a_table_that_is_no_rematch_concerns_no_other_when_it_leaves_the_lobby_l5(process: Process) -> None:
    other, table = await process.open(3, host=Player("b", 101)), await process.open()
    with captured_log() as log:
        await process.tables.change(
            table.id, "close", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.CANCELLED)
        )
        await process.clock.settle()
    assert await process.tables.get(other.id) == other
    assert "table changed" in log.getvalue()
    assert "rematch" not in log.getvalue()


async def test_a_rematch_that_was_begun_and_set_aside_has_been_played_all_the_same_l5(process: Process) -> None:
    old = await process.open()
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    fresh = await process.tables.open_rematch(old.id, HOST)
    game = at(started(GAME, NORMAL), process.clock.now())._replace(channel=2, rematch_of=old.id, id=fresh.id)
    await process.tables.change(fresh.id, "start", 100, lambda t: game._replace(version=t.version))
    await process.clock.settle()
    told = await process.tables.get(old.id)
    assert (told.rematch, told.rematch_people) == (fresh.id, tuple(it.user for it in game.players))

    def cannot_go_on(t: Table) -> Table:
        raise UnusableTable(t.id, "KeyError") from KeyError("card")

    await refused(Why.SET_ASIDE, process.tables.change(fresh.id, "test", 100, cannot_go_on))
    await process.clock.settle()
    assert await process.tables.get(old.id) == told


# Stopping, and clocks that were wrong


async def test_after_the_stop_nothing_happens(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, NORMAL), clock.now())
    await store.create_table(table, WHAT, clock.now())
    process = Process(store, clock)
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    await process.tables.stop()
    await clock.advance(10 * MINUTE)
    assert await store.table_version(table.id) == table.version


async def test_the_stop_waits_for_what_has_begun(process: Process) -> None:
    table = await process.open()
    await process.tables.quarantine(UnusableTable(table.id, "KeyError"))
    await process.tables.stop()
    assert process.aside == [table.id]


@pytest.mark.parametrize("live", [True, False])
async def test_times_that_lie_ahead_are_set_back_at_a_live_table(store: Store, live: bool) -> None:
    """Another clock has written them."""
    clock = Clock()
    ahead = at(started(GAME, NORMAL), clock.now() + 60 * MINUTE)
    if not live:
        ahead = ahead._replace(phase=Phase.OVER, ending=Ending.ENDED)
    await store.create_table(ahead, WHAT, clock.now())
    process = Process(store, clock)
    with captured_log() as log:
        await resume(process.tables)
        await process.tables.wait_until_taken_over()
        found = await process.tables.get(ahead.id)
    assert (found.turn_began <= clock.now()) is live
    assert ("times that lay ahead are set back" in log.getvalue()) is live
    await process.tables.stop()


async def test_tables_that_are_being_opened_count_towards_the_limits(store: Store) -> None:
    process = Process(store, Clock(), limits=Limits(tables_per_person=1))
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    tried = await asyncio.gather(*(process.open(channel) for channel in range(2, 10)), return_exceptions=True)
    assert sorted(isinstance(it, Refusal) for it in tried) == [False] + 7 * [True]
    await process.tables.stop()


async def test_a_table_that_could_not_be_opened_counts_no_more(process: Process) -> None:
    other = Process(process.store, process.clock, limits=Limits(tables_per_person=1))
    await resume(other.tables)
    await other.tables.wait_until_taken_over()
    await process.open(2, host=Player("b", 101))
    await refused(Why.TABLE_OPEN_HERE, other.open(2))
    assert (await other.open(3)).channel == 3
    await other.tables.stop()
