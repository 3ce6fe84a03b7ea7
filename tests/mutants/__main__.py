"""``make mutants``: tries changes and says which of them no test notices. Exits with 1 if there are too many."""

import argparse
import hashlib
import os
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

from tests.mutants.known import known
from tests.mutants.lines import Lines, folders
from tests.mutants.measuring import preload
from tests.mutants.operators import ROOT, Mutant, mutants
from tests.mutants.trying import Outcome, begin, tried

GOALS: Final = {"engine": 95, "bot/tables": 95, "bot/review": 95, "bot/delivery": 85, "cogs": 85}
"""Part of the program -> percent of its changes that are to be noticed, or named with a reason."""

OFFLINE: Final = ROOT / "engine" / "train"
"""What is run now and then to make data, and is judged by how well the data does."""


def area(path: str) -> str:
    """The part of the program in which the module at *path* is."""
    return next(part for part in GOALS if Path(path).is_relative_to(part))


def all_mutants(places: list[str]) -> list[Mutant]:
    """Every change to the modules in *places*, which are files and folders in the repository."""
    files = [Path(place) for place in places]
    paths = [path for file in files for path in ([file] if file.suffix else sorted((ROOT / file).rglob("*.py")))]
    paths = [path for path in paths if path.name != "__main__.py" and not (ROOT / path).is_relative_to(OFFLINE)]
    return [mutant for path in paths for mutant in mutants((ROOT / path).relative_to(ROOT).as_posix())]


def sample(found: list[Mutant], size: int, seed: str) -> list[Mutant]:
    """*size* of *found*, the same for the same *seed*. A change of the program changes little of it: each is drawn by
    its own words."""

    def drawn(mutant: Mutant) -> bytes:
        words = "\0".join((seed, mutant.path, mutant.function, mutant.before, mutant.after))
        return hashlib.sha256(words.encode()).digest()

    return sorted(sorted(found, key=drawn)[:size])


@cache
def _lines(tests: tuple[str, ...]) -> Lines:
    return Lines(tests)


def lines(mutant: Mutant) -> Lines:
    """What the tests run that belong to the module of *mutant*."""
    return _lines(folders(mutant.path))


def check_unchanged(mutant: Mutant) -> None:
    """Raise RuntimeError if the tests of *mutant* fail without it: then nothing could be learned from them."""
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        child = begin(None, [lines(mutant).tests(mutant)[:50]], Path(folder) / "none")
        if os.waitpid(child, 0)[1]:
            raise RuntimeError("tests fail although nothing is changed")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Try the changes that are asked for, and print those that no test notices. Gives the status to exit with."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", default=list(GOALS), help="files or folders of the program; all if none")
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="only N changes; all of them must be noticed or named",
    )
    parser.add_argument("--seed", default="17", help="which sample")
    parser.add_argument("--without", metavar="TESTS", help="leave out what the tests in this folder belong to")
    arguments = parser.parse_args()
    chosen = [it for it in all_mutants(arguments.paths) if arguments.without not in folders(it.path)]
    if arguments.sample is not None:
        chosen = sample(chosen, arguments.sample, arguments.seed)
    named = {(it.file, it.function, it.change) for it in known()}
    fresh = [it for it in chosen if (it.path, it.function, f"{it.before} -> {it.after}") not in named]
    preload()
    for mutant in fresh:
        lines(mutant)  # so that nothing is measured while changes are tried
    check_unchanged(fresh[0])
    reasoned = Counter(area(it.path) for it in chosen) - Counter(area(it.path) for it in fresh)
    total, bad = Counter(reasoned), Counter[str]()
    for mutant, outcome in tried(fresh, lines):
        total[area(mutant.path)] += 1
        if outcome is not Outcome.NOTICED:
            bad[area(mutant.path)] += 1
            note = " (no test runs it)" if outcome is Outcome.NO_TEST else ""
            say(f"{mutant}{note}")
    return report(total, reasoned, bad, all_of_them=arguments.sample is not None)


def report(total: Counter[str], reasoned: Counter[str], bad: Counter[str], *, all_of_them: bool) -> int:
    """Print how many changes were noticed, by part. Gives 1 if they are too few: under the goal, or *all_of_them* were
    to be."""
    low = False
    for part, count in sorted(total.items()):
        percent = 100 * (count - bad[part]) / count
        goal = 100 if all_of_them else GOALS[part]
        low = low or percent < goal
        noticed = f"{count - bad[part]} of {count} noticed or named ({reasoned[part]} named)"
        say(f"{part}: {noticed}, {percent:.1f} %; the goal is {goal} %")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
