"""Processes that share a PostgreSQL database: who holds which shard, whatever comes and goes. Real processes are killed
and frozen in ``tests/process``."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection
from functools import partial
from itertools import pairwise

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.doctor import Facts, report_lines
from bot.cluster.session import ClusterState, Lock, LockKind, Process, Session
from bot.cluster.shards import CannotJoin, HeldShards, ShardPlan, choose_shards_to_take
from bot.store import postgresql
from bot.store.changes import Announcement
from bot.store.store import Store
from bot.tables.preferences import DEFAULTS
from bot.tables.shards import AllShards
from tests import postgres
from tests.clocks import SteppedClock
from tests.process.waiting import eventually

BOT = 17
SHARDS = 4
SESSIONS = "FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE"


class Member:
    """One process: it notes what it is told to do. Its sessions with Discord are READY at once."""

    def __init__(self, url: str, name: str, *, local: bool = False) -> None:
        self.tables: set[int] = set()
        """The shards whose tables it serves."""
        self.everything = False
        """Whether it serves the tables of all shards, however many there are."""
        self.open: set[int] = set()
        self.heard: list[Announcement] = []
        self.shares: int = 0
        self.chores = False
        self.forgotten = asyncio.Event()
        """Unset: it has not yet forgotten what it knew of the shards that it leaves or takes."""
        self.forgotten.set()
        connect = partial(Session.connect, sa.make_url(url))
        self.shards = HeldShards(connect, name, name, SteppedClock(), SHARDS, local=local)

    async def start(self, application: int = BOT) -> None:
        """Join the others, as a bot that is connected to Discord."""
        await self.shards.join_cluster(self, application, 1)
        await self.shards.start(self)
        self.shards.start_taking_shards()

    async def open_shard(self, shard: int) -> None:
        self.open.add(shard)

    async def close_shard(self, shard: int) -> None:
        self.open.discard(shard)

    async def serve_shards(self, shards: Collection[int] | None, since: int | None = None) -> None:
        self.tables.update(shards or ())
        self.everything = shards is None

    async def release_shards(self, shards: Collection[int]) -> None:
        await self.forgotten.wait()
        self.tables.difference_update(shards)

    def answer_kept_clicks(self) -> None: ...

    def edit_messages_again(self, shards: Collection[int]) -> None: ...

    async def start_or_stop_chores(self, mine: bool) -> None:
        self.chores = mine

    may_begin_sessions = True

    def set_rate_limit_share(self, members: int) -> None:
        self.shares = members

    def handle_announcement(self, change: Announcement) -> None:
        self.heard.append(change)

    async def reload_settings_and_preferences(self) -> None: ...


class Group:
    """All processes on one database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.there: list[Member] = []

    async def add(self, name: str) -> Member:
        one = Member(self.url, name)
        self.there.append(one)
        await one.start()
        return one

    async def share(self, *counts: int) -> None:
        """Wait until the processes serve so many shards each, and all have one."""

        def served() -> bool:
            held = sorted(it for one in self.there for it in one.tables)
            return held == list(range(SHARDS)) and [len(one.tables) for one in self.there] == list(counts)

        await eventually(served, lambda: str([one.tables for one in self.there]), 10)
        assert all(one.open >= one.tables for one in self.there)

    async def end(self, one: Member) -> None:
        """*one* leaves."""
        self.there.remove(one)
        await one.shards.leave_cluster()
        await one.shards.stop()


@pytest.fixture
async def group() -> AsyncIterator[Group]:
    url = postgres.fresh()
    it = Group(url)
    yield it
    for one in it.there:
        await one.shards.stop()
    postgres.drop(url)


async def test_all_have_their_share_whoever_comes_and_goes(group: Group) -> None:
    one = await group.add("one")
    await group.share(4)
    other = await group.add("other")
    await group.share(2, 2)
    assert [it.shares for it in group.there] == [2, 2]
    assert [it.chores for it in group.there] == [True, False]
    third = await group.add("third")
    await eventually(lambda: sorted(len(it.tables) for it in group.there) == [1, 1, 2], "a share for three")
    await group.end(one)
    await group.share(2, 2)
    await eventually(lambda: sum(it.chores for it in group.there) == 1, "somebody to do the chores")
    await other.shards.stop()  # as if it died: its session ends
    group.there.remove(other)
    await group.share(4)
    await eventually(lambda: (third.chores, third.shares) == (True, 1), "all the chores and the whole budget")


async def test_whose_session_the_database_has_ended_takes_what_it_had(group: Group) -> None:
    one, other = await group.add("one"), await group.add("other")
    await group.share(2, 2)
    had = set(one.tables), set(other.tables)
    postgres.query(group.url, f"SELECT pg_terminate_backend(pid) {SESSIONS} 'diciassette:%'")
    await eventually(lambda: not (one.shards.has_valid_locks and other.shards.has_valid_locks), "it to be noticed")
    await eventually(lambda: one.shards.has_valid_locks and other.shards.has_valid_locks, "other sessions")
    await group.share(2, 2)
    assert (one.tables, other.tables) == had


async def test_who_takes_a_shard_sends_nothing_before_it_has_forgotten_what_it_knew_of_it(group: Group) -> None:
    """It may have had the shard a moment ago, and lost it to somebody who has moved on since."""
    one = Member(group.url, "one")
    group.there.append(one)
    one.forgotten.clear()
    await one.start()
    await eventually(lambda: one.shards.has(0), "shard 0 to be taken")
    assert not one.shards.holds(0)
    one.forgotten.set()
    await eventually(lambda: one.shards.holds(0), "shard 0 to be served")
    assert 0 in one.tables


async def test_those_that_do_not_go_together_are_refused(group: Group) -> None:
    await group.add("one")
    with pytest.raises(CannotJoin, match=f"processes of another bot \\({BOT}\\) use this database"):
        await Member(group.url, "other").start(BOT + 1)
    with pytest.raises(CannotJoin, match="each process has a local Discord of its own"):
        await Member(group.url, "local", local=True).start()


async def test_there_are_as_many_shards_as_the_first_process_says(group: Group) -> None:
    await group.add("one")
    other = Member(group.url, "other")
    other.shards._wanted = SHARDS + 1
    group.there.append(other)
    await other.start()
    assert other.shards.count == SHARDS


async def test_what_one_changes_the_others_hear_once_it_is_committed(group: Group) -> None:
    store = await Store.open(group.url)
    one = Member(group.url, store.sender)
    group.there.append(one)
    await one.start()
    other = await group.add("other")
    await store.save_preferences(5, DEFAULTS._replace(passes=True))
    said = Announcement(store.sender, "person", "5")
    await eventually(lambda: other.heard == [said], "the other one to hear it")
    assert one.heard == [], "it knows what it has done itself"
    await store.close()


async def test_shards_of_one_bucket_identify_one_after_the_other(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cluster.shards.IDENTIFY_SECONDS", 0.5)
    one, other = await group.add("one"), await group.add("other")
    loop, at = asyncio.get_running_loop(), list[float]()

    async def identify(it: Member, shard: int) -> None:
        await it.shards.wait_to_identify(shard)
        at.append(loop.time())

    await asyncio.gather(identify(one, 0), identify(one, 1), identify(other, 2))
    assert min(later - before for before, later in pairwise(at)) >= 0.5


async def test_the_doctor_says_who_holds_what(group: Group) -> None:
    await group.add("here/1")
    await group.add("there/2")
    await group.share(2, 2)
    store = await Store.open(group.url)
    holders = await store._database.read(postgresql.shards_by_process)
    await store.close()
    nothing = Facts("1", "1", other="", damage=[], live=0, aside=[], unusable=[], odd=[])
    lines = report_lines(nothing._replace(holders=holders))
    assert lines[2] == "processes: 2"
    assert {line.split(" holds ")[0] for line in lines[3:5]} == {"  here/1", "  there/2"}
    alone = {"diciassette:17:4:leaves:here/1": [0, 2]}
    assert report_lines(nothing._replace(holders=alone))[2:5] == [
        "processes: 1",
        "  here/1 holds shards 0, 2 of 4, and hands them over",
        "  nobody holds 1, 3",
    ]


# Which shards a process takes: all get as many, or one more, nothing moves without need, and no two take the same.


def seen(
    held: dict[int, int], *living: int, leaving: tuple[int, ...] = (), wanted: dict[int, int] | None = None
) -> ClusterState:
    """Processes are *living*, some of them *leaving*; who has *held* which shards, who has *wanted* others."""
    processes = tuple(Process(it, 1, 8, it in leaving, "here") for it in living)
    locks = {Lock(LockKind.SHARD, number): holder for number, holder in held.items()}
    locks |= {Lock(LockKind.WANTED, number): holder for number, holder in (wanted or {}).items()}
    return ClusterState(processes, locks)


async def test_the_only_process_of_a_database_serves_everything_at_once() -> None:
    shards, alone = AllShards(), Member("postgresql://nowhere/none", "alone")
    await shards.start(alone)
    assert (alone.everything, alone.chores) == (True, True)
    assert all(asked(guild) for asked in (shards.serves, shards.holds, shards.has) for guild in (0, 1, 5 << 22))


def test_the_first_process_takes_everything() -> None:
    assert choose_shards_to_take(1, seen({}, 1), 3) == ShardPlan(take=(0, 1, 2))


def test_those_that_come_together_take_no_more_than_their_share() -> None:
    assert choose_shards_to_take(1, seen({}, 1, 2), 3) == ShardPlan(take=(0, 1))
    assert choose_shards_to_take(2, seen({0: 1, 1: 1}, 1, 2), 3) == ShardPlan(take=(2,))


def test_what_is_free_is_taken_before_anything_moves() -> None:
    assert choose_shards_to_take(2, seen({0: 1, 1: 1, 2: 1}, 1, 2), 4) == ShardPlan(take=(3,))


def test_whoever_comes_wants_what_others_have_too_much_of() -> None:
    assert choose_shards_to_take(2, seen(dict.fromkeys(range(4), 1), 1, 2), 4) == ShardPlan(want=(3, 2))
    assert choose_shards_to_take(2, seen(dict.fromkeys(range(4), 1), 1, 2, wanted={3: 2, 2: 2}), 4) == ShardPlan()


def test_of_one_shard_there_is_a_holder_and_a_standby() -> None:
    assert choose_shards_to_take(2, seen({0: 1}, 1, 2), 1) == ShardPlan()
    assert choose_shards_to_take(2, seen({}, 2), 1) == ShardPlan(take=(0,))


def test_whoever_leaves_takes_nothing_and_is_relieved_of_all() -> None:
    there = seen({0: 1, 1: 2}, 1, 2, leaving=(1,))
    assert choose_shards_to_take(1, there, 2) == ShardPlan()
    assert choose_shards_to_take(2, there, 2) == ShardPlan(want=(0,))


def test_what_another_one_prepares_is_left_to_it_also_once_it_is_free() -> None:
    there = seen({0: 1}, 1, 2, 3, wanted={1: 3})
    assert choose_shards_to_take(2, there, 2) == ShardPlan()
    assert choose_shards_to_take(3, there, 2) == ShardPlan(take=(1,))


def test_after_an_outage_of_the_database_a_process_takes_only_what_it_had() -> None:
    assert choose_shards_to_take(1, seen({}, 1), 3, only={1}) == ShardPlan(take=(1,))


@pytest.mark.parametrize("shards", [1, 2, 8])
@given(data=st.data())
def test_in_the_end_all_is_shared_and_nothing_moves_any_more(shards: int, data: st.DataObject) -> None:
    living = list(range(1, 1 + data.draw(st.integers(1, 5))))
    leaving = tuple(data.draw(st.lists(st.sampled_from(living), max_size=len(living) - 1, unique=True)))
    held = {n: it for n in range(shards) if (it := data.draw(st.sampled_from([0, *living, 99])))}
    held = {number: holder for number, holder in held.items() if holder != 99}  # whose holder has died
    for _ in range(20):
        for me in data.draw(st.permutations(living)):
            todo = choose_shards_to_take(me, seen(held, *living, leaving=leaving), shards)
            assert not held.keys() & set(todo.take)
            held |= dict.fromkeys((*todo.take, *todo.want), me)
    assert set(held) == set(range(shards))
    counts = Counter(held.values())
    each = [counts[it] for it in living if it not in leaving]
    assert sum(each) == shards
    assert max(each) - min(each) <= 1
    assert all(choose_shards_to_take(me, seen(held, *living, leaving=leaving), shards) == ShardPlan() for me in living)
