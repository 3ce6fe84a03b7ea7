"""The engine is pure: only the standard library, nothing of Discord, clocks or storage."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from engine.registry import GAMES

ROOT = Path(__file__).parents[2]

PROBE = """
import sys
before = set(sys.modules)
import engine.__main__
outside = {name.split(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names) - {"engine"}
print(sorted(outside))
"""


def test_importing_the_engine_needs_the_standard_library_alone() -> None:
    result = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True, cwd=ROOT)
    assert result.stdout.strip() == "[]"


def test_the_rules_know_no_clock_no_io_and_no_global_chance() -> None:
    forbidden = {"asyncio", "time", "datetime", "os", "pathlib", "io", "socket", "secrets"}
    for path in (path for game in GAMES for path in (ROOT / "engine" / "games" / game).glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        assert not forbidden & {name.split(".")[0] for name in imported(tree)}, path
        for node in ast.walk(tree):
            assert not (isinstance(node, ast.ImportFrom) and node.module == "random" and node.names[0].name != "Random")


def imported(tree: ast.AST) -> set[str]:
    """The full names of every module that *tree* imports, or imports something from."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def compared(tree: ast.AST) -> set[str]:
    """Every text that *tree* compares something with."""
    compares = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    parts = [part for node in compares for side in (node.left, *node.comparators) for part in ast.walk(side)]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def test_nobody_knows_a_game_but_its_own_folders() -> None:
    """A game is a folder in engine/games and one in bot/present/games: nothing else imports them (the registries
    find them by listing the folders), and there is no ``if game ==``."""
    for path in (path for top in ("engine", "bot", "cogs", "local_discord") for path in (ROOT / top).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        assert not compared(tree) & set(GAMES), path
        for game in GAMES:
            homes = (f"engine.games.{game}", f"bot.present.games.{game}")
            own = {ROOT.joinpath(*home.split(".")) for home in homes}
            if not own & set(path.parents):
                assert not {name for name in imported(tree) if name.startswith(homes)}, path


def rulings() -> set[str]:
    """Every ruling: those of docs/rulings.md, and of a game that keeps its own beside its rules."""
    pages = [ROOT / "docs" / "rulings.md", *(ROOT / "engine" / "games").glob("*/rulings.md")]
    return {number for page in pages for number in re.findall(r"\*\*([A-Z]+\d+a?)\b", page.read_text("utf-8"))}


def test_every_ruling_is_cited_by_a_test() -> None:
    """A ruling such as D9 is tested where a test's name ends, or goes on, with _d9."""
    assert len(rulings()) >= 32
    names = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"def (test_\w+)", path.read_text("utf-8")):
            names |= {part.upper() for part in name.split("_")}
    assert not {ruling for ruling in rulings() if ruling.upper() not in names}
