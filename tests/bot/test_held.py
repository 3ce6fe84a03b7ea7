"""A move that is held for a moment is stored once, with what comes of it."""

from bot.store.store import Store
from bot.tables.model import Table
from bot.tables.play import Effect
from bot.tables.service import Tables
from tests.bot.tables import on_turn, resume
from tests.bot.test_changes import NoShards
from tests.bot.test_service import Clock, serving


async def held(store: Store, ms: int) -> tuple[Clock, Table, Tables]:
    """As ``serving``, with a move that lands in *ms*."""
    clock, table, tables = await serving(store)
    table = await tables.change(table.id, "test", None, lambda t: t._replace(beat_ends=clock.now() + ms))
    user = table.players[on_turn(table)].user
    assert user is not None
    clicked = await tables.move(
        table.id, user, 0, lambda t, seat: t.rules.legal_actions(t.state, seat)[0], clock.now(), 1
    )
    assert clicked.effect is Effect.HELD
    return clock, table, tables


async def test_a_move_that_lands_soon_is_stored_once(store: Store) -> None:
    """Until then its click has no answer, so nobody was told of it."""
    clock, before, tables = await held(store, 500)
    assert await store.version(before.id) == before.version
    await clock.advance(500)
    after = await store.load(before.id)
    assert after is not None
    assert after.version == before.version + 1
    assert after.rules.ply(after.state) == 1
    await tables.stop()


async def test_a_move_that_lands_later_is_stored_at_once(store: Store) -> None:
    """Its player is told when it lands."""
    _, before, tables = await held(store, 1_000)
    after = await store.load(before.id)
    assert after is not None
    assert after.held is not None
    await tables.stop()


async def test_a_move_that_lands_soon_is_stored_by_whatever_comes_first(store: Store) -> None:
    _, before, tables = await held(store, 500)
    changed = await tables.change(before.id, "test", None, lambda t: t._replace(host=101))
    assert changed.held is not None
    assert await store.load(before.id) == changed
    await tables.stop()


async def test_a_move_that_lands_soon_is_stored_when_the_program_stops(store: Store) -> None:
    _, before, tables = await held(store, 500)
    await tables.stop()
    after = await store.load(before.id)
    assert after is not None
    assert after.held is not None


async def test_a_move_that_lands_soon_is_made_again_if_it_is_lost(store: Store) -> None:
    """The program was killed before the move had landed."""
    clock, before, tables = await held(store, 500)
    again = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(again)
    user = before.players[on_turn(before)].user
    assert user is not None
    clicked = await again.move(
        before.id, user, 0, lambda t, seat: t.rules.legal_actions(t.state, seat)[0], clock.now(), 1
    )
    assert clicked.effect is Effect.HELD
    tables._alarms.cancel_all()
    await clock.advance(500)
    assert (await again.get(before.id)).version == before.version + 1
    await again.stop()


async def test_a_move_that_lands_soon_is_made_again_on_what_another_process_makes_of_the_table(store: Store) -> None:
    """And its click counts once it has landed."""
    clock, before, tables = await held(store, 500)
    other = Tables(store, clock, lambda _: None, lambda _: None, shards=NoShards())
    await other.change(before.id, "test", None, lambda t: t._replace(host=101))
    await tables.read_again(before.id)
    await clock.advance(500)
    after = await tables.get(before.id)
    assert (after.host, after.rules.ply(after.state)) == (101, 1)
    assert await store.has_counted(1)
    await tables.stop()
