"""``make try-game``: make a toy game in a copy of the project, and run all checks and suites on it."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tools.new_game import ROOT, make

NAME: Final = "zebra"
SUITES: Final = (
    "tests/process/test_kills.py",
    "tests/process/test_hostile.py",
    "tests/browser",
    "tests/discord",
    "tests/bot",
    "tests/engine",
    "tests/test_house.py",
)
"""The longest tests first, so that no core waits for another. Of those on real processes the broadest two: all of
them would take minutes."""
CHECKS: Final = (
    ("-m", "ruff", "check", "."),
    ("-m", "mypy"),
    ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
    ("-m", "tests.texts", "--check"),
    ("-m", "tests.playthroughs"),
    ("-m", "engine", "simulate", NAME, "--players", "4", "--games", "100", "--policy", "computer"),
    ("-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-k", NAME, *SUITES),
)


def copy(to: Path) -> None:
    """Copy the project's files, all but those that git ignores, to the folder *to*."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (to / name).write_bytes(path.read_bytes())


def main() -> None:
    """Make the game in a copy and run every check there; exits with code 1 at the first that fails."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copy(root)
        make(NAME, root)
        for check in CHECKS:
            sys.stdout.write(f"$ python {' '.join(check)}\n")
            sys.stdout.flush()
            if subprocess.run([sys.executable, *check], cwd=root, check=False).returncode:
                sys.exit(1)


if __name__ == "__main__":
    main()
