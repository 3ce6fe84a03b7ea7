"""Runs in processes of their own, several at a time."""

import logging
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, cast

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
    # What was killed is collected without its loop, and some of it complains.
    sys.unraisablehook = lambda _: None
    with tempfile.TemporaryDirectory(dir=_memory()) as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ended = simulate(given, Path(folder) / "run")
    if ended.error is None:
        return Outcome("", "", "", ended.digest, ended.seconds)
    trace = "".join(traceback.format_exception(ended.error))
    return Outcome(type(ended.error).__name__, str(ended.error), trace, ended.digest, ended.seconds)


def _memory() -> str | None:
    """A folder in memory, where there is one: nothing here survives anyway."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def runs(
    plans: Iterator[Plan], at_once: int, bug: str, until: float, start: str = "fork"
) -> Iterator[tuple[Plan, Outcome]]:
    """(plan, how it ended) of all *plans*, *at_once* at a time; none is begun after *until*, a monotonic time.

    Each has a process of its own, since what a run leaves behind must not meet the next one. It is a fork of this
    process, where the *bug* of that name is planted for good; or, with *start* "spawn", a new one, which takes longer.
    """
    if start == "fork":
        if bug:
            bugs.plant(bug)
        import_module("tests.simulation.universe")  # once for all
    context: Any = multiprocessing.get_context(start)
    waiting: dict[Connection, tuple[Plan, Any]] = {}
    try:
        yield from _all(plans, at_once, bug, until, context, waiting)
    finally:
        for _, process in waiting.values():
            process.kill()
            process.join()


def _all(
    plans: Iterator[Plan], at_once: int, bug: str, until: float, context: Any, waiting: dict[Connection, Any]
) -> Iterator[tuple[Plan, Outcome]]:
    """As ``runs``, in processes of *context*; those that run are *waiting*."""
    more = True
    while more or waiting:
        while more and len(waiting) < at_once:
            following = next(plans, None) if time.monotonic() < until else None
            more = following is not None
            if following is not None:
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_send, args=(sender, following, bug))
                process.start()
                sender.close()
                waiting[receiver] = following, process
        for receiver in cast("list[Connection]", wait(list(waiting)) if waiting else []):
            given, process = waiting.pop(receiver)
            try:
                outcome = receiver.recv()
            except EOFError:
                process.join()
                outcome = Outcome("Died", f"its process ended with {process.exitcode}", "", "", 0.0)
            process.join()
            receiver.close()
            yield given, outcome


def _send(to: Connection, given: Plan, bug: str) -> None:
    """Run *given*, and send how it ended."""
    to.send(run(given, bug))
    to.close()
    os._exit(0)  # nothing that the run has left behind is tidied up
