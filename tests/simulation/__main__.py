"""``python -m tests.simulation``: runs of many seeds, a plan from a file, or a planted bug. See docs/simulation.md."""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Final

from tests.simulation import bugs
from tests.simulation.plan import Plan, plan, read, shared, with_soloist
from tests.simulation.running import Outcome, run, runs
from tests.simulation.shrinking import shrunk
from tests.simulation.wrong import Nondeterministic
from tools.new_game import make
from tools.try_game import copy

FOLDER: Final = Path(".simulation")
"""Where the plans of red seeds are written."""
TWICE: Final = 2
"""So many of the first seeds are run a second time, in another process: they must go the same way."""
TOLD: Final = 100
"""How often it is said how far the runs have got."""
TOY: Final = "zebra"
MISSED: Final = "not found"


def seeds(arguments: argparse.Namespace) -> int:
    """Run many seeds, print the red ones; the number of red ones."""
    began, red, seen, ran, lasted = time.monotonic(), 0, dict[int, str](), 0, 0.0
    numbers = range(arguments.first, arguments.first + arguments.seeds)
    twice = (_drawn(arguments)(seed, tuple(arguments.games)) for seed in _twice(arguments, numbers))
    plans = (_drawn(arguments)(seed, tuple(arguments.games)) for seed in numbers)
    how = arguments.at_once, arguments.bug, began + arguments.seconds
    for given, outcome in chain(runs(twice, *how, start="spawn"), runs(plans, *how)):
        ran, lasted = ran + 1, lasted + outcome.seconds
        if seen.setdefault(given.seed, outcome.digest) != outcome.digest:
            outcome = outcome._replace(kind=Nondeterministic.__name__, said="the same plan went another way")
        if ran % TOLD == 0:
            _say(f"{ran} runs, {red} red so far")
        if outcome.kind:
            red += 1
            _report(given, outcome, arguments.bug)
            if arguments.bug:
                break
    passed = time.monotonic() - began
    _say(f"{ran} runs, {lasted / 3600:.1f} virtual hours in {passed:.0f} s, {red} red")
    return red


def _twice(arguments: argparse.Namespace, numbers: range) -> list[int]:
    """Those seeds of *numbers* whose plans are run twice: the first ones, and the first one with several processes.
    With a planted bug none are."""
    if arguments.bug:
        return []
    several = (seed for seed in numbers if plan(seed).processes)
    return sorted({*numbers[:TWICE], *islice(several, 1)})


def _drawn(arguments: argparse.Namespace) -> Callable[..., Plan]:
    """What draws the plans: only ones with several processes, or with somebody who plays alone, if that is asked for,
    or the planted bug needs them."""
    needs = [bugs.bug(arguments.bug)] if arguments.bug else []
    several, alone = arguments.several or any(it.several for it in needs), any(it.alone for it in needs)
    return _drawing(several=several, alone=arguments.alone or alone)


def _drawing(*, several: bool, alone: bool) -> Callable[..., Plan]:
    """What draws plans: with *several* processes in all, with somebody who plays *alone* in all."""
    draw = shared if several else plan
    return (lambda *given: with_soloist(draw(*given))) if alone else draw


def _report(given: Plan, outcome: Outcome, bug: str) -> None:
    """Print what was wrong, with the *bug* of that name planted, and write the plan to a file."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"seed-{given.seed}.json"
    path.write_text(given.text())
    words = f"--bug {bug} " if bug else ""
    _say(f"seed {given.seed}: {outcome.kind}: {outcome.said[:2000]}")
    _say(f"  python -m tests.simulation {words}--plan {path} --shrink --tell")


def one(arguments: argparse.Namespace) -> int:
    """Run the plan of a file, and shrink it if that is asked for; 1 if it is red."""
    given = read(arguments.plan.read_text())
    outcome = run(given, arguments.bug)
    _say(f"{outcome.kind or 'fine'}: {outcome.said}\n{outcome.traceback}digest {outcome.digest}")
    if arguments.tell:
        _tell(arguments.plan, given)
    if arguments.shrink and outcome.kind:
        path = arguments.plan.with_suffix(".shrunk.json")
        shorter = _shrink(given, outcome, arguments.bug, path)
        if arguments.tell:
            _tell(path, shorter)
    return bool(outcome.kind)


def _shrink(given: Plan, outcome: Outcome, bug: str, path: Path) -> Plan:
    """*given*, which ended in *outcome* with the *bug* of that name planted, made as short as possible; written to
    *path* with every step."""
    now = outcome.said

    def fails(shorter: Plan) -> bool:
        """Whether the same kind of thing is wrong."""
        nonlocal now
        ((_, tried),) = runs(iter([shorter]), 1, bug, float("inf"))
        if tried.kind != outcome.kind:
            return False
        now = tried.said
        path.write_text(shorter.text())
        size = f"{len(shorter.troubles)} troubles, {len(shorter.guests)} people, {shorter.seconds:g} s"
        _say(f"  {size}{', orderly' if shorter.orderly else ''}: {_first(now)}")
        return True

    shorter, tried = shrunk(given, fails)
    path.write_text(shorter.text())
    _say(f"{tried} plans tried; {path}:\n{shorter.text()}at first: {_first(outcome.said)}\nnow:      {_first(now)}")
    return shorter


def _first(said: str) -> str:
    """The first line of a report."""
    return said.partition("\n")[0][:200]


def _tell(path: Path, given: Plan) -> None:
    """Write what happens in the run of *given* beside its file, *path*."""
    from tests.simulation.timeline import told  # after the bug was planted

    path.with_suffix(".txt").write_text("\n".join(told(given)) + "\n")
    _say(f"what happened: {path.with_suffix('.txt')}")


def planted(arguments: argparse.Namespace) -> int:
    """Plant every bug in turn, print in how many seeds it is found and as what, and for each kind how many seeds that
    takes at most; the number of those that are not found."""
    # By its name: a process that is spawned does not import the program's own ``__main__``.
    search = import_module("tests.simulation.__main__").search
    found: dict[str, list[int]] = {}
    for name in bugs.names():
        began = time.monotonic()
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as another:  # where no other bug is planted
            kind, tried = another.submit(search, name, arguments, began + arguments.seconds).result()
        found.setdefault(kind or MISSED, []).append(tried)
        _say(f"{kind or MISSED:<12} {tried:>5} seeds {time.monotonic() - began:>6.0f} s  {name}")
    for kind, tries in sorted(found.items()):
        _say(f"{kind}: {len(tries)} bugs, {max(tries)} seeds at most")
    return len(found.get(MISSED, ()))


def search(name: str, arguments: argparse.Namespace, until: float) -> tuple[str, int]:
    """(as what the bug of that *name* is found, empty: not at all; how many seeds were tried). No run is begun after
    *until*. A seed that is red without the bug as well does not count."""
    tried = 0
    drawn = _drawing(several=bugs.bug(name).several, alone=bugs.bug(name).alone)
    plans = (drawn(seed) for seed in range(arguments.first, arguments.first + arguments.seeds))
    for given, outcome in runs(plans, arguments.at_once, name, until):
        tried = max(tried, given.seed - arguments.first + 1)
        if outcome.kind and not any(it.kind for _, it in runs(iter([given]), 1, "", float("inf"), start="spawn")):
            return outcome.kind, given.seed - arguments.first + 1
    return "", tried


def toy(arguments: argparse.Namespace) -> int:
    """Run the seeds in a copy of the project with a toy game, which is played."""
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        make(TOY, Path(folder))
        words = ["--seeds", str(arguments.seeds), "--first", str(arguments.first), "--games", TOY]
        return subprocess.run([sys.executable, "-m", "tests.simulation", *words], cwd=folder, check=False).returncode


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    """The command line; exits with 1 if anything was red."""
    if sys.version_info < (3, 12):
        sys.exit("The simulation needs Python 3.12 or newer; this is " + sys.version.split()[0])
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many (100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--games", nargs="*", default=[], help="play these games, not those of the plan")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no run after so long")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="how many at a time (one a core)")
    parser.add_argument("--several", action="store_true", help="several processes in every run, not in one of five")
    parser.add_argument("--alone", action="store_true", help="somebody plays alone in every run, not in one of sixteen")
    parser.add_argument("--bug", default="", choices=["", *bugs.names()], metavar="NAME", help="plant this bug")
    parser.add_argument("--bugs", action="store_true", help="plant every bug in turn, and see whether it is found")
    parser.add_argument("--toy", action="store_true", help="play a toy game, in a copy of the project")
    parser.add_argument("--plan", type=Path, help="run the plan of this file")
    parser.add_argument("--shrink", action="store_true", help="make that plan shorter, if it is red")
    parser.add_argument("--tell", action="store_true", help="write what happened, line by line, beside the plan")
    arguments = parser.parse_args()
    if arguments.plan is not None:
        red = one(arguments)
    elif arguments.bugs:
        red = planted(arguments)
    elif arguments.toy:
        red = toy(arguments)
    else:
        red = seeds(arguments)
    sys.exit(bool(red))


if __name__ == "__main__":
    main()
