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
    for path in (path for game in GAMES for path in (ROOT / "engine" / game).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not forbidden & {name.split(".")[0] for name in names}, path
            assert not (isinstance(node, ast.ImportFrom) and node.module == "random" and node.names[0].name != "Random")


def test_nobody_names_a_game_but_its_own_folders_and_the_registry() -> None:
    """A game is one folder in engine/, one in bot/present/ and one line in the registry: no ``if game ==``."""
    for game in GAMES:
        own = {ROOT / "engine" / game, ROOT / "bot" / "present" / game}
        for path in (path for top in ("engine", "bot", "cogs") for path in (ROOT / top).rglob("*.py")):
            if path != ROOT / "engine" / "registry.py" and not own & set(path.parents):
                assert game not in path.read_text("utf-8"), path


def test_every_ruling_is_cited_by_a_test() -> None:
    """A ruling Dn, Tn or Ln is tested where a test's name ends or goes on with _dn."""
    rulings = set(re.findall(r"\*\*([DTL]\d+a?)\b", (ROOT / "docs" / "rulings.md").read_text("utf-8")))
    assert len(rulings) >= 32
    names = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"def (test_\w+)", path.read_text("utf-8")):
            names |= {part.upper() for part in name.split("_")}
    missing = {ruling for ruling in rulings if ruling.upper() not in names}
    assert not missing
