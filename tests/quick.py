"""``make quick``: the tests that are nearest to what has changed since the last commit, or in it if nothing has."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.mutants.imports import used, users

ROOT: Final = Path(__file__).parents[1]
MOST: Final = 100
"""So many tests are run, drawn by the commit, but at least all in files of tests that have changed."""


def _changed() -> set[str]:
    """The Python files that differ from the last commit; if none does, those that it has changed."""

    def git(*command: str) -> set[str]:
        ran = subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True)
        return {line for line in ran.stdout.splitlines() if line.endswith(".py") and (ROOT / line).exists()}

    here = git("diff", "--name-only", "HEAD") | git("ls-files", "--others", "--exclude-standard")
    return here or git("diff", "--name-only", "HEAD~1", "HEAD")


def _is_test(path: str) -> bool:
    return Path(path).parts[0] == "tests" and Path(path).name.startswith("test_")


def near(changed: set[str]) -> list[str]:
    """The files of tests that have *changed*, that use a helper which has, or that import from a module which has."""
    helpers = {path for path in changed if path.startswith("tests/") and not _is_test(path)}
    tests = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    found = {test for test in tests if test in changed or used(test) & helpers}
    found |= {user for path in changed for user in users(path) if _is_test(user)}
    return sorted(it for it in found if not it.startswith("tests/simulation/scenes/"))


def main() -> int:
    """Run them; the status of pytest."""
    changed = _changed()
    files = near(changed)
    if not files:
        sys.stdout.write("No test imports what has changed: make test runs them all.\n")
        return 0
    workers = (os.cpu_count() or 1) + 1
    seed = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    how = ["--sample", seed.stdout.strip(), "--most", str(MOST), "--hypothesis-profile=sample"]
    how += [f"--whole={path}" for path in sorted(changed) if _is_test(path)]
    sys.stdout.write(
        f"All tests in the files of tests that have changed, and with them {MOST} of those in {len(files)} files that "
        "use what has changed, others after each commit. make test runs them all.\n"
    )
    sys.stdout.flush()
    return int(pytest.main(["-q", "-n", str(workers), "--dist", "worksteal", *how, *files]))


if __name__ == "__main__":
    sys.exit(main())
