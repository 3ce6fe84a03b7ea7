"""Runs in processes of their own, several at a time."""

import logging
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from tests.simulation import bugs
from tests.simulation.plan import Plan


class Outcome(NamedTuple):
    """How a run ended, as text that can be sent from process to process."""

    kind: str
    """The name of what was wrong; empty: nothing."""
    said: str
    traceback: str
    digest: str
    seconds: float


def run(given: Plan, bug: str = "") -> Outcome:
    """Run *given*, with the *bug* of that name planted."""
    if bug:
        bugs.plant(bug)
    from tests.simulation.universe import simulate  # after the bug was planted

    logging.getLogger().setLevel(logging.CRITICAL)
    sys.unraisablehook = lambda _: None  # killed tasks are collected without their loop, and some complain
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        ended = simulate(given, Path(folder) / "run")
    if ended.error is None:
        return Outcome("", "", "", ended.digest, ended.seconds)
    trace = "".join(traceback.format_exception(ended.error))
    return Outcome(type(ended.error).__name__, str(ended.error), trace, ended.digest, ended.seconds)


def _memory() -> str | None:
    """A folder in memory, where there is one: nothing here survives anyway."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def runs(plans: Iterator[Plan], at_once: int, bug: str, until: float) -> Iterator[tuple[Plan, Outcome]]:
    """(plan, how it ended) of all *plans*, *at_once* at a time; none is begun after *until*, a monotonic time."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(at_once, mp_context=context) as pool:
        waiting: dict[Future[Outcome], Plan] = {}
        more = True
        while more or waiting:
            while more and len(waiting) < at_once:
                following = next(plans, None) if time.monotonic() < until else None
                more = following is not None
                if following is not None:
                    waiting[pool.submit(run, following, bug)] = following
            if waiting:
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(done), done.result()
