"""Processes that serve tables together: whatever comes, goes, dies or stands still, no change is lost or made twice."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot.cluster import duties
from bot.cluster.leases import PARTITION
from bot.cluster.partitions import PARTITIONS
from bot.refusals import Refusal, Why
from bot.store import cluster, fences
from bot.store.schema import interactions, leases, news, processes, tables
from bot.store.store import Handle
from bot.tables.model import Player
from bot.tables.ownership import Elsewhere
from bot.tables.storage import Counted, LeaseLost
from tests import postgres
from tests.bot.members import Times
from tests.bot.sharing import GAME, Group, Server

FAR = 7
"""A channel."""


@pytest.fixture
async def group(store_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Group]:
    monkeypatch.setattr(duties, "OVERLAP_SECONDS", 0)
    it = Group(store_url, Times())
    yield it
    await it.close()


async def pair(group: Group) -> tuple[Server, Server]:
    """(who serves channel FAR, somebody else)."""
    await group.add("a")
    await group.add("b")
    await group.fair()
    home = group.home(FAR)
    return home, next(it for it in group.alive if it is not home)


async def test_a_table_is_served_by_one_process_and_others_say_where(group: Group) -> None:
    home, other = await pair(group)
    table = await home.open(FAR)
    for ask in (other.tables.get(table.id), other.rename(table.id, "x"), other.open(FAR), other.tables.in_channel(FAR)):
        with pytest.raises(Elsewhere) as elsewhere:
            await ask
        assert elsewhere.value.channel == FAR
    member = other.membership.home(FAR)
    assert member is not None and member.id == home.name
    assert await home.rename(table.id, "y") == await home.tables.get(table.id)


async def test_the_tables_of_a_dead_process_go_on_elsewhere(group: Group) -> None:
    dead, other = await pair(group)
    table = await dead.rename((await dead.open(FAR)).id, "before")
    group.alive.remove(dead)
    await group.beats(5)
    assert group.home(FAR) is other
    assert await other.tables.get(table.id) == table and table in other.restored
    after = await other.rename(table.id, "after")
    assert after.version == table.version + 1
    kinds = [(it.kind, it.data["ended"] > it.data["began"]) for it in other.news if it.kind == "unserved"]
    assert ("unserved", True) in kinds  # that time counts against nobody


async def test_whoever_stood_still_commits_nothing(group: Group) -> None:
    frozen, other = await pair(group)
    table = await frozen.open(FAR)
    group.alive.remove(frozen)
    await group.beats(5)
    newer = await other.rename(table.id, "newer")
    # It has not heard of anything, and its machine's clock says that all is well.
    frozen.membership._holding.valid_until = 1 << 60
    assert frozen.serves(FAR)
    late = table._replace(version=2)
    for write in (
        frozen.store.change(late, {}, 1),
        frozen.store.change(newer._replace(version=3), {}, 1),
        frozen.store.put_handle(table.id, Handle("table", FAR, 5)),
        frozen.store.put_shown(table.id, newer.version, {}),
        frozen.store.forget_shown(table.id),
        frozen.store.drop_handle(table.id, "table"),
        frozen.store.drop_handles(table.id),
    ):
        with pytest.raises(LeaseLost):
            await write
    with pytest.raises(Elsewhere):
        await frozen.rename(table.id, "late")
    assert frozen.tables.live_of() == []
    assert await other.store.load(table.id) == newer
    group.alive.append(frozen)
    await frozen.membership.beat()
    await group.settle()
    assert not frozen.serves(FAR)


async def test_a_lost_table_is_not_opened_again_by_who_had_it(group: Group) -> None:
    frozen, _ = await pair(group)
    group.alive.remove(frozen)
    await group.beats(5)
    frozen.membership._holding.valid_until = 1 << 60
    with pytest.raises(Elsewhere):
        await frozen.open(FAR)


async def test_a_takeover_waits_for_commits_that_have_begun(group: Group) -> None:
    dead, other = await pair(group)
    table = await dead.open(FAR)
    group.alive.remove(dead)
    changes = [asyncio.ensure_future(dead.count(table.id)) for _ in range(50)]
    await asyncio.sleep(0)
    await group.beats(5)
    done = await asyncio.gather(*changes, return_exceptions=True)
    made = [it for it in done if not isinstance(it, BaseException)]
    assert all(isinstance(it, Elsewhere) for it in done if isinstance(it, BaseException))
    kept = await other.tables.get(table.id)
    assert kept.version == 1 + len(made) and kept == await other.store.load(table.id)


async def test_no_change_is_lost_or_made_twice_while_tables_move(group: Group) -> None:
    """Processes join, leave and die while everybody changes tables as fast as possible."""
    first = await group.add("p0")
    await group.fair()
    channels = range(8)
    opened = [(channel, (await first.open(channel)).id) for channel in channels]
    made = dict.fromkeys(channels, 0)
    moving = True

    async def player(channel: int, table: str) -> None:
        while moving:
            for one in list(group.alive):
                if not one.membership.holds(channel):
                    continue
                try:
                    await one.count(table)  # type: ignore[arg-type]
                except Elsewhere:
                    pass
                else:
                    made[channel] += 1
            await asyncio.sleep(0)

    players = [asyncio.ensure_future(player(*it)) for it in opened]
    draws = random.Random(17)
    for number in range(1, 5):
        await group.add(f"p{number}")
        await group.fair()
        if draws.random() < 0.5 and len(group.alive) > 2:
            gone = draws.choice(group.alive)
            leaving = asyncio.ensure_future(gone.membership.leave())
            while not leaving.done():
                await group.beats(1)
            await leaving
            group.alive.remove(gone)
        else:
            group.alive.remove(draws.choice(group.alive[:-1]))  # it dies
            await group.beats(5)
        await group.fair()
    moving = False
    await asyncio.gather(*players)
    assert sum(made.values()) > 200
    for channel, table in opened:
        kept = await group.home(channel).tables.get(table)
        assert (kept.version, kept.players[0].name) == (1 + made[channel], str(made[channel]))
        assert kept == await group.home(channel).store.load(table)


async def test_an_interaction_counts_once_also_after_a_takeover(group: Group) -> None:
    dead, other = await pair(group)
    table = await dead.open(FAR)
    await dead.rename(table.id, "once", interaction=4711)
    with pytest.raises(Counted):
        await dead.rename(table.id, "twice", interaction=4711)
    group.alive.remove(dead)
    await group.beats(5)
    with pytest.raises(Counted):
        await other.rename(table.id, "twice", interaction=4711)

    def stale(t: object) -> None:
        raise Refusal(Why.MOVED_ON)  # because it had its effect

    with pytest.raises(Counted):
        await other.tables.change(table.id, "test", None, stale, 4711)  # type: ignore[arg-type]
    with pytest.raises(Refusal):
        await other.tables.change(table.id, "test", None, stale, 4712)  # type: ignore[arg-type]
    assert (await other.tables.get(table.id)).players[0].name == "once"
    assert (await other.rename(table.id, "next", interaction=4713)).version == 3
    found = await other.store._read(sa.select(interactions.c.id))
    assert sorted(row.id for row in found) == [4711, 4713]


async def test_limits_count_tables_of_all_processes(group: Group) -> None:
    home, other = await pair(group)
    mine = [channel for channel in range(251) if home.serves(channel)][:3]
    theirs = next(channel for channel in range(251) if other.serves(channel))
    anna = Player("anna", 1)
    for channel in mine:
        await home.tables.open(guild=1, channel=channel, game=GAME, host=anna, locale="en")
    with pytest.raises(Refusal) as no:
        await other.tables.open(guild=1, channel=theirs, game=GAME, host=anna, locale="en")
    assert no.value.why is Why.TOO_MANY_TABLES


async def test_news_that_are_committed_out_of_order_are_heard(group: Group) -> None:
    home, other = await pair(group)
    await home.membership.tell("later")
    await group.beats(1)
    number = other.news[-1].id
    row = {"id": number - 1 or 10**6, "at": group.times.ms - 3000 if group.times else 0, "sender": "x", "data": "{}"}
    gap = {**row, "kind": "earlier"}
    await home.store.in_cluster(lambda it: it.execute(news.delete().where(news.c.id == gap["id"])))
    await home.store.in_cluster(lambda it: it.execute(news.insert(), gap))
    await group.beats(2)
    assert [it.kind for it in other.news if it.kind in ("earlier", "later")] == ["later", "earlier"]


async def test_somebody_who_plays_elsewhere_is_erased_there_first(group: Group) -> None:
    home, other = await pair(group)
    table, user = await home.open(FAR), 100 + FAR
    await other.membership.tell("erase", user=user)
    known = asyncio.ensure_future(other.membership.heard_by_all(10))
    while not known.done():
        await group.beats(1)
    assert await known
    assert (await home.tables.get(table.id)).seat_of(user) is None
    assert await other.store.erase(user, await other.store.mentions(user))
    assert (await other.store.mentions(user)).mentions == []
    assert await other.store._read(sa.select(tables.c.id).where(tables.c.opened_by == user)) == []


async def test_a_process_that_stands_still_is_waited_for_when_somebody_is_erased(group: Group) -> None:
    frozen, other = await pair(group)
    await other.membership.tell("erase", user=100)
    group.alive.remove(frozen)
    assert not await other.membership.heard_by_all(0.2)


async def test_what_is_old_is_deleted(group: Group) -> None:
    home, other = await pair(group)
    table = await home.open(FAR)
    await home.rename(table.id, "once", interaction=4711)
    await home.membership.tell("something")
    assert group.times is not None

    def tidy(connection: sa.Connection) -> int:
        assert group.times is not None
        cluster.tidy(connection, group.times.ms + cluster.COUNTED_MS + 1)
        return sum(
            connection.execute(sa.select(sa.func.count()).select_from(it)).scalar_one() for it in (news, interactions)
        )

    assert await other.store.in_cluster(tidy) == 0


async def test_whoever_becomes_a_successor_does_not_wait_for_commits(group: Group) -> None:
    """A commit may hold several leases, and another one those that it needs next: they would wait for each other."""
    if group.url.startswith("sqlite"):
        pytest.skip("there is one writer at a time")
    home, other = await pair(group)
    theirs = [it for it in home.membership._seen.leases if it.owner == home.name]
    engine = home.store._database._engine  # type: ignore[attr-defined]
    async with engine.begin() as connection:
        await connection.run_sync(fences.check, home.membership.fence_of(FAR))
        async with asyncio.timeout(2):
            followed = await other.store.in_cluster(lambda it: cluster.follow(it, other.name, theirs))
    assert [it.key for it in followed] == sorted(it.key for it in theirs)


async def test_processes_take_turns_at_what_the_bot_may_do_only_so_often(group: Group) -> None:
    """Ten conversations at once, then one every two seconds; IDENTIFYs never at once."""
    both, at = await pair(group), 5_000_000

    async def waits(bucket: int, count: int, apart_ms: int, at_once: int = 1) -> list[int]:
        return [
            await one.store.in_cluster(lambda it: cluster.take_turn(it, bucket, at, apart_ms, at_once))
            for _ in range(count)
            for one in both
        ]

    assert await waits(cluster.OPENINGS, 6, 2000, 10) == [0] * 10 + [2000, 4000]
    assert await waits(0, 2, 5500) == [0, 5500, 11_000, 16_500]
    at += 14_000
    assert await waits(cluster.OPENINGS, 3, 2000, 10) == [0] * 5 + [2000]
    at += 3_600_000
    assert await waits(cluster.OPENINGS, 6, 2000, 10) == [0] * 10 + [2000, 4000]


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)  # SQLite has one writer at a time
async def test_a_lease_that_somebody_holds_in_a_commit_is_left_for_later(group: Group) -> None:
    """A process that is stopped in the middle of a commit must not stop those that take over."""
    dead, other = await pair(group)
    group.alive.remove(dead)
    held = asyncio.Event()
    engine = dead.store._database._engine  # type: ignore[attr-defined]
    async with engine.begin() as connection:
        locked = sa.select(leases).where(leases.c.kind == "partition", leases.c.number == FAR)
        await connection.execute(locked.with_for_update(read=True))
        held.set()
        async with asyncio.timeout(5):
            await group.beats(5)
        serving = [channel for channel in range(251) if other.serves(channel)]
        assert len(serving) == 250 and FAR not in serving
    await group.beats(1)
    assert other.serves(FAR)


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)  # with SQLite there is one process alone
@pytest.mark.parametrize(("locked", "column"), [(leases, "owner"), (processes, "id")])
async def test_who_stands_still_in_a_transaction_is_not_waited_for_longer(
    store_url: str, locked: sa.Table, column: str
) -> None:
    """With the real clocks. It is frozen while it commits a change, or while it renews itself."""
    group = Group(store_url)
    try:
        frozen, other = await pair(group)
        await other.membership.start()
        async with frozen.store._database._engine.connect() as connection:  # type: ignore[attr-defined]
            query = sa.select(locked).where(locked.c[column] == frozen.name)
            await connection.execute(query.with_for_update(read=locked is leases))
            async with asyncio.timeout(10):
                await until(lambda: all(other.serves(channel) for channel in range(PARTITIONS)))
            with pytest.raises(DBAPIError):
                await connection.execute(query)
            await connection.invalidate()
    finally:
        await group.close()


async def until(condition: Callable[[], bool]) -> None:
    """Wait until *condition* holds."""
    for _ in range(600):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came to that")


async def test_nobody_steals_while_the_database_is_away() -> None:
    """With the real clocks: PostgreSQL is stopped for longer than leases live."""
    with TemporaryDirectory() as folder, postgres.Server.started(Path(folder)) as database:
        postgres.migrate(database.url("postgres"))
        group = Group(database.url("postgres"))
        try:
            for name in "abc":
                await group.add(name)
            await group.fair()
            for one in group.alive:
                await one.membership.start()
            home = group.home(FAR)
            table = await home.open(FAR)
            had = [one.membership.held(PARTITION) for one in group.alive]
            database.stop()
            both = list(zip(group.alive, had, strict=True))
            await until(lambda: not any(one.membership.holds(it) for one, its in both for it in its))
            with pytest.raises(Elsewhere):
                await home.rename(table.id, "meanwhile")
            await asyncio.sleep(2)
            database.start()
            await until(lambda: all(one.serves(it) for one, its in both for it in its))
            await asyncio.sleep(4)  # if anybody wanted to steal, now would be the time
            assert [one.membership.held(PARTITION) for one in group.alive] == had
            assert (await home.rename(table.id, "after")).version == 2
        finally:
            await group.close()
