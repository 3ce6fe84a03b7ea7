"""Plans are drawn, written, read and shrunk; every planted bug fits the code."""

import pytest

from tests.games import CASES
from tests.simulation import bugs
from tests.simulation.plan import BREAK_SECONDS, Guest, Plan, Trouble, plan, read, with_soloist
from tests.simulation.shrinking import shrunk

SEEDS = range(200)
pytestmark = pytest.mark.about(*CASES)


def test_a_plan_follows_from_its_seed_and_survives_a_file() -> None:
    for seed in SEEDS:
        assert plan(seed) == plan(seed)
        assert read(plan(seed).text()) == plan(seed)


def test_plans_are_of_every_kind() -> None:
    plans = [plan(seed) for seed in SEEDS]
    assert {game for it in plans for game in it.games} == set(CASES)
    assert {len(it.games) for it in plans if not it.processes} == {1, 2}
    assert any(not it.troubles for it in plans)
    alone = [it for it in plans if not it.processes]
    assert len({trouble.what for it in alone for trouble in it.troubles}) == 12
    assert any(it.seconds > BREAK_SECONDS for it in plans)
    guests = [guest for it in plans for guest in it.guests]
    assert all(any(getattr(guest, kind) for guest in guests) for kind in ("twice", "wanders", "forges"))
    assert any(guest.sleeps[1] for guest in guests)


def test_in_some_plans_somebody_plays_alone() -> None:
    plans = list(map(plan, SEEDS))
    alone = [it.soloist for it in plans if it.soloist]
    assert len(SEEDS) / 32 < len(alone) < len(SEEDS) / 8
    assert any(it.processes and it.soloist for it in plans)
    assert all(any(getattr(guest, kind) for guest in alone) for kind in ("twice", "gives_up"))
    assert all(with_soloist(it).soloist for it in plans)


def test_one_plan_of_five_has_several_processes() -> None:
    plans = [it for it in map(plan, SEEDS) if it.processes]
    assert len(plans) == len(SEEDS) // 5
    assert {it.processes for it in plans} == {1, 2, 3, 4}
    assert {it.shards for it in plans} == {1, 2, 3}
    troubles = [trouble for it in plans for trouble in it.troubles]
    new = {"freeze", "leave", "roll", "away", "apart"}
    assert {trouble.what for trouble in troubles} >= {*new, "crash", "torn_commit", "cut", "gateway", "lose_response"}
    assert not any(trouble.what == "locked" for trouble in troubles)
    named = [(it.processes, trouble.given) for it in plans for trouble in it.troubles]
    assert all(given.get(who) is None or given[who] < n for n, given in named for who in ("process", "other"))


def test_what_does_not_matter_is_shrunk_away() -> None:
    crash = Trouble(9.0, "crash", {"down": 1.0})
    found = next(it for it in map(plan, SEEDS) if len(it.troubles) > 9)._replace(computers=1)
    found = with_soloist(found._replace(troubles=(*found.troubles[:4], crash, *found.troubles[4:])))

    def fails(it: Plan) -> bool:
        return crash in it.troubles and it.seconds > 12

    shorter, _ = shrunk(found, fails)
    assert shorter.troubles == (crash,)
    assert shorter.soloist is None
    assert (shorter.computers, len(shorter.games), len(shorter.guests), shorter.orderly) == (0, 1, 2, True)
    assert shorter.guests == tuple(Guest(by_dm=guest.by_dm) for guest in shorter.guests)
    assert 12 < shorter.seconds <= 17


@pytest.mark.parametrize("name", bugs.names())
def test_a_planted_bug_fits_the_code(name: str) -> None:
    assert compile(bugs.bug(name).planted(), bugs.bug(name).file, "exec")
