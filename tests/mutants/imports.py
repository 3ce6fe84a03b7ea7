"""Which module imports from which."""

import ast
import functools
from pathlib import Path
from typing import Final

from tests.mutants.operators import ROOT

SOURCES: Final = ("engine", "bot", "cogs")


@functools.cache
def users(path: str) -> tuple[str, ...]:
    """The modules that import something from the one at *path*."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return tuple(user for user, imported in _imports().items() if module in imported)


@functools.cache
def _imports() -> dict[str, set[str]]:
    """Module, by its path -> the modules that it imports from."""
    found: dict[str, set[str]] = {}
    for top in (*SOURCES, "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
            names = {node.module for node in froms} | {
                f"{node.module}.{it.name}" for node in froms for it in node.names
            }
            found[path.relative_to(ROOT).as_posix()] = names
    return found


def used(name: str) -> set[str]:
    """The files of tests that tests in the file *name* use, directly or not; with itself."""
    waiting, found = {name}, set[str]()
    while waiting:
        path = waiting.pop()
        found.add(path)
        parents = [parent.as_posix() for parent in Path(path).parents]
        conftests = {f"{parent}/conftest.py" for parent in parents} & _imports().keys()
        imported = set().union(*(_files_of(module) for module in _imports()[path]))
        waiting |= (conftests | imported) & _imports().keys() - found
    return found


def _files_of(module: str) -> set[str]:
    """Where *module* is, if it is one of tests; of a package all that is in it, as it may import that by name."""
    path = Path(module.replace(".", "/"))
    if path.parts[0] != "tests":
        return set()
    return {f"{path}.py", *(it.relative_to(ROOT).as_posix() for it in (ROOT / path).glob("*.py"))}
