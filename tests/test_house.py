"""The house is as its maps say: every package names its modules, nothing of any size in the program goes without a
docstring; every ruling that is cited stands in docs/rulings.md.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.ui.pictures.canvas import Canvas
from engine.registry import GAMES
from tests.rulings import RULINGS

ROOT = Path(__file__).parents[1]
PROGRAM = ("engine", "bot", "cogs", "local_discord", "tools")
SHORT = 15
"""Lines up to which a private function needs no docstring."""

GAMES_FOLDERS = {ROOT / "engine" / "games", ROOT / "bot" / "ui" / "games", ROOT / "tests" / "games"}
"""In these a folder or module per game is found by its name; the map names what every game has."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All that stands in the module at *path*."""
    return list(ast.walk(tree(path)))


def modules(*tops: str) -> list[Path]:
    """Every module below *tops*, but what is only a template or a step of the database's history."""
    found = [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]
    return [path for path in found if "versions" not in path.parts and (ROOT / "tools" / "game") not in path.parents]


def packages() -> list[Path]:
    """Every package but those with one game's scenarios, which mirror its rooms."""
    found = [path.parent for path in modules(*PROGRAM, "tests") if path.name == "__init__.py"]
    return [path for path in found if path.parent != ROOT / "tests" / "engine" / "games"]


@pytest.mark.parametrize("package", packages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_map_is_true(package: Path) -> None:
    """A package's docstring names every module in it, and none that is not there; that of the folder of the games every
    module that two games have."""
    said = set(re.findall(r"^- ``(\w+)/?``\s+\S", ast.get_docstring(tree(package / "__init__.py")) or "", re.M))
    there = {path.stem for path in package.glob("*.py")} - {"__init__"}
    there |= {path.name for path in package.iterdir() if list(path.glob("*.py")) or path.name in ("page", "game")}
    there -= {"versions"} | (set(GAMES) if package in GAMES_FOLDERS or package.name == "games" else set())
    if package in GAMES_FOLDERS - {ROOT / "tests" / "games"}:
        games = [{path.stem for path in (package / game).glob("*.py")} - {"__init__"} for game in GAMES]
        shared = {it for it in set.union(*games) if sum(it in one for one in games) > 1}
        assert shared <= said <= set.union(*games)
        return
    assert said == there, f"a line for each module: {package.relative_to(ROOT)}/__init__.py"


def loose_zips(path: Path) -> Iterator[str]:
    """The calls of ``zip`` in the module at *path* that are not strict."""
    for it in nodes(path):
        if not isinstance(it, ast.Call) or getattr(it.func, "id", "") != "zip":
            continue
        if [ast.unparse(given.value) for given in it.keywords if given.arg == "strict"] != ["True"]:
            yield f"{path}:{it.lineno}"


def test_every_zip_is_strict() -> None:
    """Else what has no partner is dropped without a word: a game, say, for which there is no channel."""
    assert not [it for path in modules(*PROGRAM, "tests", "examples") for it in loose_zips(path)]


def bases(node: ast.ClassDef) -> Iterator[str]:
    """The names of the classes that *node* is made from."""
    for base in node.bases:
        target = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(target, ast.Attribute):
            yield target.attr
        elif isinstance(target, ast.Name):
            yield target.id


@cache
def documented() -> dict[str, set[str]]:
    """By class, the methods whose docstring is on them or on the class that they come from."""
    classes = [node for path in modules(*PROGRAM) for node in nodes(path) if isinstance(node, ast.ClassDef)]
    found: dict[str, set[str]] = {}
    for node in classes:
        own = {item.name for item in node.body if isinstance(item, Function) and ast.get_docstring(item)}
        found.setdefault(node.name, set()).update(own)
    for node in classes:
        for base in bases(node):
            found[node.name] |= found.get(base, set())
    return found


def undocumented(path: Path) -> Iterator[str]:
    """What in *path* should have a docstring and has none."""
    if not ast.get_docstring(tree(path)) and path.read_text("utf-8").strip():
        yield str(path)
    for owner in (tree(path), *(node for node in nodes(path) if isinstance(node, ast.ClassDef))):
        private = isinstance(owner, ast.ClassDef) and owner.name.startswith("_")
        if isinstance(owner, ast.ClassDef) and not private and not ast.get_docstring(owner):
            yield f"{path}:{owner.lineno} class {owner.name}"
        for item in owner.body:
            if not isinstance(item, Function) or ast.get_docstring(item) or item.name.startswith("__"):
                continue
            if isinstance(owner, ast.ClassDef) and item.name in documented().get(owner.name, ()):
                continue
            lines = (item.end_lineno or item.lineno) - item.lineno + 1
            if lines > SHORT or not (private or item.name.startswith("_")):
                yield f"{path}:{item.lineno} {item.name}"


def test_everything_public_and_everything_long_has_a_docstring() -> None:
    missing = [it for path in modules(*PROGRAM, "examples") for it in undocumented(path)]
    assert not missing, "\n".join(missing)


def test_the_guide_names_the_methods_of_the_canvas_as_they_are() -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    said = set(re.findall(r"^\| `(\w+\(.*?\))` \|", guide, re.M))
    methods = {name: method for name, method in vars(Canvas).items() if name[0] != "_" and name != "finish"}
    there = set()
    for name, method in methods.items():
        _, *parameters = inspect.signature(method).parameters.values()
        bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
        there.add(f"{name}{inspect.Signature(bare)}")
    assert said == there


TRANSLATES = frozenset({"words", "t", "N_"})
"""What a text is given to, to be translated."""


def texts_inside(inner: ast.FormattedValue) -> Iterator[ast.Call]:
    """The calls inside an f-string that translate a text which stands there."""
    for call in ast.walk(inner):
        translates = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in TRANSLATES
        if translates and call.args and isinstance(call.args[0], ast.Constant):
            yield call


def test_no_text_stands_inside_an_f_string() -> None:
    """The catalogues would not have it: Babel does not look into f-strings."""
    inners = [(path, it) for path in modules("bot", "cogs") for it in nodes(path) if isinstance(it, ast.FormattedValue)]
    assert [f"{path}:{call.lineno}" for path, inner in inners for call in texts_inside(inner)] == []


def compared(path: Path) -> list[str]:
    """Where the module at *path* compares something with an event or action made on the spot."""
    made = {
        alias.asname or alias.name
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in ("events", "actions")
        for alias in node.names
    }
    return [
        f"{path}:{node.lineno}"
        for node in nodes(path)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id in made
    ]


def test_no_event_is_looked_for_by_its_fields_alone() -> None:
    """Events and actions are tuples: one equals every other that has the same fields. Ask ``isinstance`` first."""
    assert not [it for path in modules(*PROGRAM) for it in compared(path)]


def test_every_ruling_that_is_cited_is_in_the_book() -> None:
    """They are cited by letters and number: D9, T8, L6, and whatever letters a new game takes."""
    pages = "\n".join(page.read_text("utf-8") for page in RULINGS)
    known = set(re.findall(r"^- \*\*([A-Z]+\d+a?)\b", pages, re.M))
    letters = "|".join(sorted({it.rstrip("0123456789a") for it in known}))
    texts = [path.read_text("utf-8") for path in (*modules(*PROGRAM, "tests"), *sorted((ROOT / "docs").glob("*.md")))]
    cited = {number for text in texts for number in re.findall(rf"\b(?:{letters})\d{{1,2}}a?\b", text)}
    assert {"D9", "T8", "L6"} <= cited and cited - known == set()


def test_every_test_that_a_document_names_is_there() -> None:
    """As ``bot/test_clock.py`` or ``tests/engine``, in the code style of Markdown."""
    pages = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]
    named = {
        (page.name, name)
        for page in pages
        for name in re.findall(
            r"`((?:tests/)?(?:[a-z_]+/)*(?:test|soak)_[a-z_]+\.py|tests/[a-z_/]+)`", page.read_text("utf-8")
        )
    }
    gone = {it for it in named if not any((folder / it[1]).exists() for folder in (ROOT, ROOT / "tests"))}
    assert len(named) > 50 and gone == set()
