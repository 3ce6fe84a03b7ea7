"""The engine is pure: only the standard library, nothing of Discord, clocks or storage; numpy once a computer player
thinks."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from engine import games, registry
from engine.game import MOST_LEVELS
from engine.registry import GAMES
from tests.rulings import RULINGS

ROOT = Path(__file__).parents[2]

every_game = pytest.mark.parametrize("game", sorted(GAMES))

PROBE = """
import sys
before = set(sys.modules)
import engine.__main__
own = {*sys.stdlib_module_names, "engine", "__mp_main__"}
outside = {name.split(".")[0] for name in set(sys.modules) - before} - own
print(sorted(outside))
"""


def test_importing_the_engine_needs_the_standard_library_alone() -> None:
    result = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True, cwd=ROOT)
    assert result.stdout.strip() == "[]"


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@every_game
def test_the_rules_know_no_clock_no_io_and_no_global_chance(game: str) -> None:
    forbidden = {"asyncio", "time", "datetime", "os", "pathlib", "io", "socket", "secrets"}
    for path in (ROOT / "engine" / "games" / game).glob("*.py"):
        assert not forbidden & {name.split(".")[0] for name in imported(tree(path))}, path
        for node in ast.walk(tree(path)):
            assert not (isinstance(node, ast.ImportFrom) and node.module == "random" and node.names[0].name != "Random")


def imported(program: ast.AST) -> set[str]:
    """The full names of every module that *program* imports, or imports something from."""
    names: set[str] = set()
    for node in ast.walk(program):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def compared(program: ast.AST) -> set[str]:
    """Every text that *program* compares something with."""
    compares = [node for node in ast.walk(program) if isinstance(node, ast.Compare)]
    parts = [part for node in compares for side in (node.left, *node.comparators) for part in ast.walk(side)]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


@every_game
def test_nobody_knows_a_game_but_its_own_folders(game: str) -> None:
    """A game is a folder in engine/games and one in bot/ui/games, and perhaps one in engine/train: nothing else
    imports them (the registries find them by listing the folders), and there is no ``if game ==``."""
    homes = (f"engine.games.{game}", f"bot.ui.games.{game}", f"engine.train.{game}")
    own = {ROOT.joinpath(*home.split(".")) for home in homes}
    for path in (path for top in ("engine", "bot", "cogs", "local_discord") for path in (ROOT / top).rglob("*.py")):
        assert game not in compared(tree(path)), path
        if not own & set(path.parents):
            assert not {name for name in imported(tree(path)) if name.startswith(homes)}, path


@cache
def cited() -> set[str]:
    """Every part of the name of every test, in capital letters."""
    names = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"def (test_\w+)", path.read_text("utf-8")):
            names |= {part.upper() for part in name.split("_")}
    return names


@pytest.mark.parametrize("page", RULINGS, ids=lambda page: page.parent.name)
def test_every_ruling_is_cited_by_a_test(page: Path) -> None:
    """A ruling such as D9 is tested where a test's name ends, or goes on, with _d9."""
    rulings = re.findall(r"\*\*([A-Z]+\d+a?)\b", page.read_text("utf-8"))
    assert rulings
    assert not [ruling for ruling in rulings if ruling.upper() not in cited()], f"no test cites them: {page}"


@contextmanager
def a_folder(says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In the block there is a folder ``copied`` among the games, whose module ``game`` says *says*."""
    folder = tmp_path / "copied"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "game.py").write_text(says + "\n", "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    try:
        yield
    finally:
        for name in ("engine.games.copied", "engine.games.copied.game"):
            sys.modules.pop(name, None)


@pytest.mark.parametrize("says", ["from engine.games.diciassette.game import GAME", "GAME = 17"])
def test_a_folder_whose_game_is_not_its_own_is_refused(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a folder is copied for a new game, and its imports are not."""
    refused = pytest.raises(TypeError, match=r"engine/games/copied/game\.py must set GAME")
    with a_folder(says, tmp_path, monkeypatch), refused:
        registry._import_game("copied", "engine.games.copied")


@pytest.mark.parametrize("levels", [0, MOST_LEVELS + 1])
def test_a_game_with_more_levels_than_a_lobby_offers_is_refused(
    levels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when somebody opens a table of it."""
    says = f"""\
from dataclasses import replace
from types import SimpleNamespace
from engine.games.{sorted(GAMES)[0]}.game import GAME as OTHER
GAME = replace(OTHER, name="copied", computers=SimpleNamespace(LEVELS={levels}))"""
    refused = pytest.raises(ValueError, match=rf"copied/computers\.py: LEVELS must be from 1 to 6, not {levels}")
    with a_folder(says, tmp_path, monkeypatch), refused:
        registry._import_game("copied", "engine.games.copied")


@pytest.mark.parametrize("seats", ["range(2, 3)", "range(3, 7)"])
def test_a_game_that_the_suites_cannot_play_at_their_tables_is_refused(
    seats: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = f"""\
from dataclasses import replace
from engine.games.{sorted(GAMES)[0]}.game import GAME as OTHER
GAME = replace(OTHER, name="copied", seats={seats})"""
    refused = pytest.raises(ValueError, match=r"copied/game\.py: seats must include 2 to 4")
    with a_folder(says, tmp_path, monkeypatch), refused:
        registry._import_game("copied", "engine.games.copied")
