"""Plans are drawn, written, read and shrunk; every planted bug fits the code."""

import pytest

from tests.games import CASES
from tests.simulation import bugs
from tests.simulation.plan import BREAK_SECONDS, Guest, Plan, Trouble, plan, read
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
    assert {len(it.games) for it in plans} == {1, 2}
    assert any(not it.troubles for it in plans)
    assert len({trouble.what for it in plans for trouble in it.troubles}) == 12
    assert any(it.seconds > BREAK_SECONDS for it in plans)
    guests = [guest for it in plans for guest in it.guests]
    assert all(any(getattr(guest, kind) for guest in guests) for kind in ("twice", "wanders", "forges"))
    assert any(guest.sleeps[1] for guest in guests)


def test_what_does_not_matter_is_shrunk_away() -> None:
    crash = Trouble(9.0, "crash", {"down": 1.0})
    found = next(it for it in map(plan, SEEDS) if len(it.troubles) > 9)._replace(computers=1)
    found = found._replace(troubles=(*found.troubles[:4], crash, *found.troubles[4:]))

    def fails(it: Plan) -> bool:
        return crash in it.troubles and it.seconds > 12

    shorter, _ = shrunk(found, fails)
    assert shorter.troubles == (crash,)
    assert (shorter.computers, len(shorter.games), len(shorter.guests), shorter.orderly) == (0, 1, 2, True)
    assert shorter.guests == tuple(Guest(by_dm=guest.by_dm) for guest in shorter.guests)
    assert 12 < shorter.seconds <= 17


@pytest.mark.parametrize("name", bugs.names())
def test_a_planted_bug_fits_the_code(name: str) -> None:
    assert compile(bugs.bug(name).planted(), bugs.bug(name).file, "exec")
