"""``make game NAME=zebra``: make a toy game with that name, which runs at once. Turn it into your own from there."""

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TEMPLATE: Final = Path(__file__).parent / "game"
ROOT: Final = Path(__file__).parents[1]
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST: Final = 20
"""So that the names of its emojis stay within Discord's 32 characters."""


def homes(name: str) -> dict[str, Path]:
    """Where each folder of the template is copied to, for a game called *name*: template folder -> path below the
    root."""
    return {
        "engine": Path("engine/games") / name,
        "ui": Path("bot/ui/games") / name,
        "tests": Path("tests/engine/games") / name,
    }


def problem(name: str, root: Path) -> str | None:
    """Why no new game can be called *name* in the project at *root*, in one line; ``None``: it can."""
    if not _NAME.fullmatch(name):
        return f"NAME is lower-case letters, digits and underscores, such as red_fox; not {name!r}"
    if keyword.iskeyword(name):
        return f"NAME becomes the name of Python packages, and {name!r} is a word of Python's own"
    if len(name) > LONGEST:
        return f"NAME has {LONGEST} characters at most, not {len(name)}"
    there = [path for path in (*homes(name).values(), Path("tests/games") / f"{name}.py") if (root / path).exists()]
    return f"there is a game {name!r} already: {there[0]}" if there else None


def files(name: str) -> Iterator[tuple[Path, str]]:
    """(path below the root, content) of every file of a new game called *name*, made from the template."""
    title = name.replace("_", " ").capitalize()
    camel = "".join(part.capitalize() for part in name.split("_"))
    rulings = name.replace("_", "").upper()

    def adapted(text: str) -> str:
        text = re.sub(r"\bZebra(?=Case|Scene)", camel, text)
        text = text.replace("Zebra", title).replace("zebra", name)
        return re.sub(r"ZZ(?=\d)", rulings, re.sub(r"zz(?=\d)", rulings.lower(), text))

    for folder, home in homes(name).items():
        for path in sorted((TEMPLATE / folder).iterdir()):
            if path.suffix in (".py", ".md"):
                to = Path("tests/games") / f"{name}.py" if path.name == "case.py" else home / path.name
                yield to, adapted(path.read_text("utf-8"))
    yield homes(name)["tests"] / "__init__.py", ""


def make(name: str, root: Path = ROOT) -> list[Path]:
    """Write a new game called *name* into the project at *root*; return the paths of its files, relative to *root*."""
    written = []
    for path, content in files(name):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, "utf-8")
        written.append(path)
    return written


def main() -> None:
    """Run the command line: make the game, format it, record its playthroughs. Exits with code 2 for an unusable
    name."""
    parser = argparse.ArgumentParser(prog="make game NAME=...", description=__doc__)
    parser.add_argument("name")
    name = parser.parse_args().name
    no = problem(name, ROOT)
    if no is not None:
        sys.stderr.write(f"{no}\n")
        sys.exit(2)
    written = make(name)
    for command in (["ruff", "check", "-q", "--fix"], ["ruff", "format", "-q"]):  # a longer name breaks lines elsewhere
        python = [str(ROOT / path) for path in written if path.suffix == ".py"]
        subprocess.run([sys.executable, "-m", *command, *python], cwd=ROOT, check=False)
    subprocess.run([sys.executable, "-m", "tests.playthroughs"], cwd=ROOT, check=True)
    written += (ROOT / "tests" / "playthroughs").glob(f"{name}-*.txt")
    sys.stdout.write(f"{len(written)} files written. Start reading in engine/games/{name}/__init__.py.\n")


if __name__ == "__main__":
    main()
