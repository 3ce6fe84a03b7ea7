"""Which shards a process takes: all get as many, or one more, nothing moves without need, and no two take the same."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cluster.session import Kind, Lock, Process, Seen
from bot.cluster.sharing import Plan, plan


def seen(
    held: dict[int, int], *living: int, leaving: tuple[int, ...] = (), wanted: dict[int, int] | None = None
) -> Seen:
    """Processes are *living*, some of them *leaving*; who has *held* which shards, who has *wanted* others."""
    processes = tuple(Process(it, 1, 8, it in leaving, "here") for it in living)
    locks = {Lock(Kind.SHARD, number): holder for number, holder in held.items()}
    locks |= {Lock(Kind.WANTED, number): holder for number, holder in (wanted or {}).items()}
    return Seen(processes, locks)


def test_the_first_process_takes_everything() -> None:
    assert plan(1, seen({}, 1), 3) == Plan(take=(0, 1, 2))


def test_those_that_come_together_take_no_more_than_their_share() -> None:
    assert plan(1, seen({}, 1, 2), 3) == Plan(take=(0, 1))
    assert plan(2, seen({0: 1, 1: 1}, 1, 2), 3) == Plan(take=(2,))


def test_what_is_free_is_taken_before_anything_moves() -> None:
    assert plan(2, seen({0: 1, 1: 1, 2: 1}, 1, 2), 4) == Plan(take=(3,))


def test_whoever_comes_wants_what_others_have_too_much_of() -> None:
    assert plan(2, seen(dict.fromkeys(range(4), 1), 1, 2), 4) == Plan(want=(3, 2))
    assert plan(2, seen(dict.fromkeys(range(4), 1), 1, 2, wanted={3: 2, 2: 2}), 4) == Plan()


def test_of_one_shard_there_is_a_holder_and_a_standby() -> None:
    assert plan(2, seen({0: 1}, 1, 2), 1) == Plan()
    assert plan(2, seen({}, 2), 1) == Plan(take=(0,))


def test_whoever_leaves_takes_nothing_and_is_relieved_of_all() -> None:
    there = seen({0: 1, 1: 2}, 1, 2, leaving=(1,))
    assert plan(1, there, 2) == Plan()
    assert plan(2, there, 2) == Plan(want=(0,))


def test_what_another_one_prepares_is_left_to_it_also_once_it_is_free() -> None:
    there = seen({0: 1}, 1, 2, 3, wanted={1: 3})
    assert plan(2, there, 2) == Plan()
    assert plan(3, there, 2) == Plan(take=(1,))


def test_after_an_outage_of_the_database_a_process_takes_only_what_it_had() -> None:
    assert plan(1, seen({}, 1), 3, only={1}) == Plan(take=(1,))


@pytest.mark.parametrize("shards", [1, 2, 8])
@given(data=st.data())
def test_in_the_end_all_is_shared_and_nothing_moves_any_more(shards: int, data: st.DataObject) -> None:
    living = list(range(1, 1 + data.draw(st.integers(1, 5))))
    leaving = tuple(data.draw(st.lists(st.sampled_from(living), max_size=len(living) - 1, unique=True)))
    held = {n: it for n in range(shards) if (it := data.draw(st.sampled_from([0, *living, 99])))}
    held = {number: holder for number, holder in held.items() if holder != 99}  # whose holder has died
    for _ in range(20):
        for me in data.draw(st.permutations(living)):
            todo = plan(me, seen(held, *living, leaving=leaving), shards)
            assert not held.keys() & set(todo.take)
            held |= dict.fromkeys((*todo.take, *todo.want), me)
    assert set(held) == set(range(shards))
    counts = Counter(held.values())
    each = [counts[it] for it in living if it not in leaving]
    assert sum(each) == shards
    assert max(each) - min(each) <= 1
    assert all(plan(me, seen(held, *living, leaving=leaving), shards) == Plan() for me in living)
