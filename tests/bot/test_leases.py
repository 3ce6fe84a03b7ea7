"""The plan of who serves what: fair, settled, and nothing moves without need, whatever comes and goes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cluster.leases import CHORES, PARTITION, SHARD, Key, Lease, Member, homes, plan

NAMES = "abcdef"
LEASES = [
    *(Lease(SHARD, number, None, 0, None) for number in range(5)),
    *(Lease(PARTITION, number, None, 0, None) for number in range(23)),
    Lease(CHORES, 0, None, 0, None),
]


def member(name: str, *, leaving: bool = False) -> Member:
    return Member(name, f"{name}:1", leaving, cut_off=False)


class World:
    """Leases, who is alive, and what everybody does about it, one after the other as the database has it."""

    def __init__(self) -> None:
        self.leases: dict[Key, Lease] = {it.key: it for it in LEASES}
        self.members: dict[str, Member] = {}
        self.moves = 0

    def put(self, lease: Lease, known: Lease) -> None:
        """Change *lease* if it has not changed hands since it was *known*."""
        if self.leases[lease.key].fence == known.fence:
            self.moves += lease.owner != known.owner
            self.leases[lease.key] = lease

    def beat(self, name: str, seen: tuple[tuple[Member, ...], tuple[Lease, ...]] | None = None) -> bool:
        """*name* looks, or acts on what it has *seen* before; return whether there was something to do."""
        members, leases = seen or self.seen()
        done = plan(name, members, leases)
        for it in done.take:
            if self.leases[it.key].owner not in self.members:
                self.put(Lease(*it.key, name, it.fence + 1, None), it)
        for it in done.follow:
            if self.leases[it.key].successor == it.successor:
                self.put(it._replace(successor=name), it)
        for it in done.give:
            self.put(Lease(*it.key, it.successor, it.fence + 1, None), it)
        return any(done)

    def seen(self) -> tuple[tuple[Member, ...], tuple[Lease, ...]]:
        return tuple(self.members.values()), tuple(self.leases.values())

    def settle(self) -> int:
        """Everybody looks until nobody has anything to do; return how many rounds that took."""
        for rounds in range(20):
            if sum(self.beat(name) for name in list(self.members)) == 0:
                return rounds
        raise AssertionError("it never ends")

    def shares(self, kind: str) -> list[int]:
        """How many leases of *kind* each member that stays has, the most first."""
        staying = [it.id for it in self.members.values() if not it.leaving]
        owners = [it.owner for it in self.leases.values() if it.kind == kind]
        return sorted((owners.count(name) for name in staying), reverse=True)

    def check_fair(self) -> None:
        """Everything has an owner, who is alive and stays; shares differ by one at most."""
        staying = {it.id for it in self.members.values() if not it.leaving}
        if not staying:
            return
        assert all(it.owner in staying and it.successor is None for it in self.leases.values())
        for kind in (SHARD, PARTITION, CHORES):
            shares = self.shares(kind)
            assert shares[0] - shares[-1] <= 1


steps = st.lists(
    st.tuples(st.sampled_from(["join", "die", "leave", "beat", "look", "act"]), st.sampled_from(NAMES)), max_size=60
)


@settings(max_examples=300, deadline=None)
@given(steps)
def test_whatever_happens_in_whatever_order_all_is_fair_in_the_end(steps: list[tuple[str, str]]) -> None:
    world = World()
    seen = {}
    for what, name in steps:
        if what == "join" and name not in world.members:
            world.members[name] = member(name)
        elif name not in world.members:
            continue
        elif what == "die":
            del world.members[name]
        elif what == "leave":
            world.members[name] = member(name, leaving=True)
        elif what == "beat":
            world.beat(name)
        elif what == "look":
            seen[name] = world.seen()
        elif name in seen:  # it acts on what it has seen some time ago
            world.beat(name, seen[name])
    world.settle()
    world.check_fair()


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 5), st.data())
def test_as_few_as_possible_move(count: int, data: st.DataObject) -> None:
    world = World()
    for name in NAMES[:count]:
        world.members[name] = member(name)
    world.settle()
    world.moves = 0
    assert world.settle() == 0
    if data.draw(st.booleans()):
        world.members["z"] = member("z")
        world.settle()
        # The new one gets its share, and nobody else anything.
        assert world.moves == sum(len(of) // (count + 1) for of in ([1] * 5, [1] * 23, [1]))
    elif count > 1:
        gone = data.draw(st.sampled_from(NAMES[:count]))
        had = sum(it.owner == gone for it in world.leases.values())
        del world.members[gone]
        world.settle()
        assert world.moves == had
    world.check_fair()


def test_processes_that_start_together_take_different_leases() -> None:
    members = [member(name) for name in "abc"]
    taken = [plan(it.id, members, LEASES).take for it in members]
    assert sorted(it for some in taken for it in some) == sorted(LEASES)


def test_nothing_is_taken_from_the_dead_by_somebody_who_may_be_late_too() -> None:
    leases = [Lease(PARTITION, 0, "dead", 3, None), Lease(PARTITION, 1, None, 3, None)]
    assert plan("a", [member("a")], leases, from_dead=False).take == (leases[1],)
    assert plan("a", [member("a")], leases).take == tuple(leases)


def test_a_successor_that_died_is_replaced() -> None:
    lease = Lease(PARTITION, 0, "a", 1, "dead")
    leaving = [member("a", leaving=True), member("b")]
    assert plan("a", leaving, [lease]).give == ()
    assert plan("b", leaving, [lease]).follow == (lease,)


def test_where_all_leave_everything_stays_where_it_is() -> None:
    members = [member("a", leaving=True)]
    assert homes(members, LEASES) == {}
    assert not any(plan("a", members, LEASES))
