"""The fingerprint of computer players changes with what they do, and with nothing else."""

import ast
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

from engine import fingerprint
from engine.fingerprint import code_without_texts, computers_fingerprint
from engine.registry import GAMES, PACKAGES

DAILY = sorted(name for name, game in GAMES.items() if game.daily is not None)
every_game = pytest.mark.parametrize("game", DAILY)


@pytest.fixture
def folder(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the folder of *game* in a package of its own, whose fingerprint is taken."""
    own = tmp_path / f"copied_{game}"
    shutil.copytree(Path(GAMES[game].rules.__file__).parent, own, ignore=shutil.ignore_patterns("__pycache__"))  # type: ignore[attr-defined]
    for module in own.glob("*.py"):
        module.write_text(module.read_text().replace(PACKAGES[game], own.name))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(fingerprint, "PACKAGES", MappingProxyType({**PACKAGES, game: own.name}))
    yield own
    for name in [it for it in sys.modules if it.partition(".")[0] == own.name]:
        del sys.modules[name]


def taken(game: str) -> str:
    return computers_fingerprint.__wrapped__(game)


@every_game
def test_it_changes_with_a_network(game: str, folder: Path) -> None:
    before = taken(game)
    file = min(folder.glob("*.npz"))
    file.write_bytes(file.read_bytes() + b"\0")
    assert taken(game) != before


@every_game
@pytest.mark.parametrize("module", ["rules", "computers", "styles", "features", "memory"])
def test_it_changes_with_the_code_that_decides(game: str, folder: Path, module: str) -> None:
    before = taken(game)
    with (folder / f"{module}.py").open("a") as file:
        file.write("\n\nSOMETHING = 1\n")
    assert taken(game) != before


@every_game
def test_it_stays_with_texts_and_with_what_decides_nothing(game: str, folder: Path) -> None:
    before = taken(game)
    (folder / "rulings.md").unlink(missing_ok=True)
    for module in ("coach", "highlights", "tallies", "history", "transcript", "game"):
        with (folder / f"{module}.py").open("a") as file:
            file.write("\n\nSOMETHING = 1\n")
    computers = folder / "computers.py"
    said = ast.get_docstring(ast.parse(computers.read_text()), clean=False)
    assert said
    computers.write_text(computers.read_text().replace(said, "Other words.", 1) + "# A remark.\n")
    assert taken(game) == before


@every_game
def test_it_is_the_same_twice_and_another_for_each_game(game: str) -> None:
    assert taken(game) == taken(game) == computers_fingerprint(game)
    assert len({computers_fingerprint(it) for it in DAILY}) == len(DAILY)


def test_comments_docstrings_and_layout_are_no_code() -> None:
    one = (
        'class A:\n    """Says."""\n    x: int = 1\n    """What."""\n\n\ndef f(): # why\n    "Says."\n    return (\n 1)'
    )
    other = "class A:\n    x: int = 1\ndef f():\n    return 1"
    assert code_without_texts(ast.parse(one)) == code_without_texts(ast.parse(other))
    assert code_without_texts(ast.parse(other)) != code_without_texts(ast.parse(other.replace("1", "2")))
