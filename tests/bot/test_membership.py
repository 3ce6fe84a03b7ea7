"""Several processes on one database: who serves what, whatever comes and goes."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from bot.cluster import duties
from bot.cluster.leases import PARTITION, Member
from bot.cluster.membership import Refused
from bot.cluster.partitions import PARTITIONS
from bot.store.store import Store, StoreUnreachable
from tests import postgres
from tests.bot.members import One, Times

SHARDS = 8


@pytest.fixture(autouse=True)
def _no_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duties, "OVERLAP_SECONDS", 0)


class Cluster:
    """Processes that come and go."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.times = Times()
        self.processes: list[One] = []

    async def add(self, name: str) -> One:
        """A new process, with a way to all others."""
        one = One(self.store, name, self.times)
        one.nudge = self.nudge
        await one.join(SHARDS)
        await one.beat()
        self.processes.append(one)
        await self.settle()
        return one

    async def nudge(self, member: Member) -> None:
        await next(one for one in self.processes if one.process.id == member.id).beat()

    async def settle(self) -> None:
        """What has begun is done."""
        for _ in range(3):
            for one in self.processes:
                await one.settle()

    async def beats(self, count: int, *but: One) -> None:
        """Seconds in which everybody renews, *but* some."""
        for _ in range(count):
            self.times.ms += 1000
            for one in self.processes:
                if one not in but:
                    await one.beat()
            await self.settle()

    def shares(self) -> list[tuple[int, int]]:
        """How many partitions and shards each serves, the most first."""
        return sorted((one.serves()[:2] for one in self.processes), reverse=True)


@pytest.fixture
async def group(store: Store) -> AsyncIterator[Cluster]:
    it = Cluster(store)
    yield it
    await it.settle()


async def test_the_first_process_takes_everything_at_once(group: Cluster) -> None:
    one = await group.add("a")
    assert one.serves() == (PARTITIONS, SHARDS, True)
    assert one.owns(5) and one.holds(5) and one.fence_of(5) == (5, "a", 1)
    assert one.first and one.members[0].id == "a" and one.home(5) == one.members[0]


async def test_everybody_gets_a_fair_share(group: Cluster) -> None:
    for name in "abcd":
        await group.add(name)
    await group.beats(6)
    assert group.shares() == [(63, 2), (63, 2), (63, 2), (62, 2)]
    assert all(one.agrees for one in group.processes)
    assert [one.told.chores for one in group.processes] == [True, False, False, False]
    assert not group.processes[1].first


async def test_nothing_moves_once_all_is_fair(group: Cluster) -> None:
    for name in "abc":
        await group.add(name)
    await group.beats(6)
    fences = [it.fence for it in group.processes[0]._seen.leases]
    await group.beats(6)
    assert [it.fence for it in group.processes[0]._seen.leases] == fences


async def test_what_a_dead_process_had_is_taken_over(group: Cluster) -> None:
    dead, *others = [await group.add(name) for name in "abc"]
    await group.beats(6)
    await group.beats(2, dead)
    assert sum(one.serves()[0] for one in others) < PARTITIONS  # it may be late
    await group.beats(2, dead)
    assert sorted(one.serves()[:2] for one in others) == [(125, 4), (126, 4)]
    assert all(one.agrees for one in others)
    assert not any(dead.holds(channel) for channel in range(PARTITIONS))


async def test_a_process_that_stood_still_finds_out_before_it_does_anything(group: Cluster) -> None:
    late, other = [await group.add(name) for name in "ab"]
    await group.beats(6)
    channel = late.held(PARTITION)[0]
    assert late.owns(channel)
    await group.beats(5, late)
    assert not late.owns(channel) and not late.holds(channel)  # by its own clock, before it has heard of anything
    assert other.owns(channel)
    await late.beat()
    await late.settle()
    assert late.agrees and channel not in late.told.partitions
    await group.beats(8)
    assert group.shares() == [(126, 4), (125, 4)]


async def test_nobody_steals_after_the_database_was_away(group: Cluster) -> None:
    processes = [await group.add(name) for name in "abc"]
    await group.beats(6)
    had = [one.held(PARTITION) for one in processes]
    group.times.ms += 10_000
    assert not any(one.owns(it) for one, its in zip(processes, had, strict=True) for it in its)
    await processes[0].beat()  # it is the first that gets through
    await group.settle()
    assert processes[0].held(PARTITION) == had[0]
    await group.beats(2, processes[2])
    assert [one.held(PARTITION) for one in processes] == had
    await group.beats(3)
    assert [one.held(PARTITION) for one in processes] == had
    assert all(one.owns(it) for one, its in zip(processes, had, strict=True) for it in its)


async def test_whoever_starts_alone_waits_for_those_that_may_be_late(group: Cluster) -> None:
    await group.add("a")
    group.times.ms += 4_000
    group.processes.clear()
    one = await group.add("b")
    assert one.serves() == (0, 0, False) and one.first
    await group.beats(3)
    assert one.serves() == (PARTITIONS, SHARDS, True)
    group.times.ms += 7_000
    group.processes.clear()
    other = await group.add("c")
    assert other.serves() == (PARTITIONS, SHARDS, True)


async def test_leaving_hands_everything_over_first(group: Cluster) -> None:
    leaving, *others = [await group.add(name) for name in "abc"]
    await group.beats(6)
    begun = asyncio.ensure_future(leaving.leave())
    while not begun.done():
        await group.beats(1, leaving)
    await begun
    group.processes.remove(leaving)
    assert leaving.serves() == (0, 0, False)
    assert sorted(one.serves()[:2] for one in others) == [(125, 4), (126, 4)]
    assert sum(one.told.chores for one in others) == 1
    assert [member.id for member in others[0].members] == ["b", "c"]


async def test_whoever_has_left_stays_away_although_it_is_nudged(group: Cluster) -> None:
    left, other = [await group.add(name) for name in "ab"]
    await group.beats(6)
    begun = asyncio.ensure_future(left.leave())
    while not begun.done():
        await group.beats(1, left)
    await left.beat()
    await group.beats(2)
    assert [member.id for member in other.members] == ["b"]
    assert (left.serves(), other.serves()) == ((0, 0, False), (PARTITIONS, SHARDS, True))


async def test_who_is_nudged_before_it_has_joined_is_none_of_them_yet(group: Cluster) -> None:
    """The nudge was meant for the process that was reached at its address before."""
    one = await group.add("a")
    early = One(group.store, "b", group.times)
    await early.beat()
    await group.beats(2)
    assert [member.id for member in one.members] == ["a"]
    assert (early.serves(), one.serves()) == ((0, 0, False), (PARTITIONS, SHARDS, True))


async def test_the_last_process_leaves_at_once(group: Cluster) -> None:
    one = await group.add("a")
    await one.leave()
    assert one.serves()[0] == 0 and not one.owns(3)
    group.processes.clear()
    assert (await group.add("b")).serves() == (PARTITIONS, SHARDS, True)


async def test_a_shard_is_handed_over_by_overlap(group: Cluster) -> None:
    first = await group.add("a")
    second = One(group.store, "b", group.times)
    second.told.gate.clear()
    group.processes.append(second)
    second.nudge = group.nudge
    await second.join(3)
    await second.beat()
    for _ in range(20):
        await asyncio.sleep(0)
    assert second.shards == SHARDS  # as many as there are, whatever it asked for
    assert len(first.told.shards) == SHARDS and not second.told.shards  # it is not READY
    second.told.gate.set()
    await group.beats(2)
    assert group.shares() == [(126, 4), (125, 4)]
    assert not first.told.shards & second.told.shards


async def test_whoever_waited_for_a_lease_and_died_gets_nothing(group: Cluster) -> None:
    first = await group.add("a")
    second = await group.add("b")
    await group.beats(1)
    await group.beats(6, second)
    assert first.serves() == (PARTITIONS, SHARDS, True)
    assert all(first.owns(channel) for channel in range(PARTITIONS))


async def test_that_a_process_has_died_is_heard_once(group: Cluster) -> None:
    """What it stored last it may have told nobody. Whoever leaves has told everything."""
    one, _dead, leaving = [await group.add(name) for name in "abc"]
    await group.beats(4)
    gone = asyncio.ensure_future(leaving.leave())
    while not gone.done():
        await group.beats(1)
    assert [it for it in one.told.news if it.kind == "died"] == []
    await group.beats(8, _dead)
    assert [(it.kind, it.sender) for it in one.told.news if it.kind == "died"] == [("died", "b")]


async def test_news_are_heard_once_by_all_others(group: Cluster) -> None:
    one, other = [await group.add(name) for name in "ab"]
    await group.beats(4)
    other.told.news.clear()
    told = await one.tell("person", user=7)
    done = asyncio.ensure_future(one.heard_by_all(5))
    while not done.done():
        await group.beats(1)
    assert await done
    assert [(it.id, it.kind, it.data) for it in other.told.news] == [(told.id, "person", {"user": 7})]
    await group.beats(3)
    assert len(other.told.news) == 1


async def test_those_that_do_not_go_together_are_refused(group: Cluster) -> None:
    await group.add("a")
    with pytest.raises(Refused, match="another bot") as no:
        await One(group.store, "b", group.times, bot=5).join(1)
    assert no.value.setting == "DISCORD_TOKEN"
    with pytest.raises(Refused) as no:
        await One(group.store, "b", group.times, host="elsewhere").join(1)
    assert no.value.setting == "CLUSTER_ADDRESS"
    with pytest.raises(Refused, match="a local Discord of its own") as no:
        await One(group.store, "b", group.times, local=True).join(1)
    assert no.value.setting == "DISCORD_TOKEN"
    group.times.ms += 60_000
    await One(group.store, "b", group.times, bot=5, host="elsewhere").join(1)


async def test_everybody_takes_their_share_of_the_requests(group: Cluster) -> None:
    for name in "abc":
        await group.add(name)
    await group.beats(2)
    assert [one.told.members for one in group.processes] == [3, 3, 3]


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)  # with SQLite there is one process alone
async def test_a_newer_version_does_not_change_the_schema_under_older_processes(empty_url: str) -> None:
    await asyncio.to_thread(postgres.migrate, empty_url, "0010")
    row = ("p", "127.0.0.1:1", "here", 0, (time.time_ns() // 1_000_000) + 2_000, False, False, 0)
    insert = "INSERT INTO processes VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    await asyncio.to_thread(postgres.insert, empty_url, insert, [row])
    with pytest.raises(StoreUnreachable, match="stop them all"):
        await Store.open(empty_url)
    await asyncio.to_thread(postgres.asked, empty_url, "UPDATE processes SET expires_at = 0 RETURNING 1")
    await (await Store.open(empty_url)).close()
