"""The same plan gives the same run, twice in one process and in another one."""

import time

import pytest

from tests.games import CASES
from tests.simulation.plan import plan
from tests.simulation.running import run, runs

pytestmark = pytest.mark.about(*CASES)
SEED = 3
SEVERAL = 9
"""The seed of a plan with several processes."""


@pytest.mark.parametrize("seed", [SEED, SEVERAL])
def test_a_run_is_the_same_twice_in_one_process_and_in_another(seed: int) -> None:
    given = plan(seed)
    assert bool(given.processes) is (seed == SEVERAL)
    here = run(given)
    assert here.seconds > 0
    assert run(given).digest == here.digest
    ((_, there),) = runs(iter([given]), at_once=1, bug="", until=time.monotonic() + 60, start="spawn")
    assert there.digest == here.digest


def test_another_seed_is_another_run() -> None:
    assert run(plan(SEED)).digest != run(plan(SEED)._replace(seed=SEED + 1)).digest
