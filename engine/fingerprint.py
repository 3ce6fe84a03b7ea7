"""A fingerprint of the computer players of a game: it changes when they might play a day's deal differently.

It is a hash of everything from which their actions follow:

- the version of the rules, and what the game's ``daily`` says: seats, options, level;
- every file in the game's folder that is no Python module: the trained networks;
- the Python modules ``computers``, ``memory``, ``rules`` and ``view`` of the game, with all modules in its folder that
  they import, and ``engine.network`` if they import it. Comments, docstrings and the layout of the code do not count.

So it stays the same if a text, the coach, the highlights or the training changes. Another version of Python or numpy
may also play differently; that is not noticed.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engine.fair import canonical_json
from engine.registry import GAMES, PACKAGES

_ROOTS: Final = ("computers", "memory", "rules", "view")
_NETWORK: Final = "engine.network"


@cache
def computers_fingerprint(game: str) -> str:
    """The fingerprint of the computer players in the deals of the day of *game*: 64 hexadecimal digits. Cached.

    Raises:
        LookupError: *game* has no deals of the day.
    """
    rules = GAMES[game]
    daily = rules.daily
    if daily is None:
        raise LookupError(f"{game} has no deals of the day")
    package = PACKAGES[game]
    said = {
        "rules": rules.rules_version,
        "seats": daily.SEATS,
        "options": rules.check_options(daily.OPTIONS),
        "level": daily.LEVEL,
        "code": _code_hashes(package),
        "data": {
            it.name: hashlib.sha256(it.read_bytes()).hexdigest()
            for it in files(package).iterdir()
            if it.is_file() and not it.name.endswith((".py", ".pyc"))
        },
    }
    return hashlib.sha256(canonical_json(said)).hexdigest()


def _code_hashes(package: str) -> dict[str, str]:
    """Module -> hash of its code, of the modules of *package* from which the actions of computer players follow."""
    found: dict[str, str] = {}
    waiting = [f"{package}.{root}" for root in _ROOTS]
    while waiting:
        module = waiting.pop()
        parent = package if module.startswith(f"{package}.") else "engine"
        source = files(parent).joinpath(f"{module.removeprefix(parent + '.').replace('.', '/')}.py")
        if module in found or not source.is_file():  # what is no module may be a function in one
            continue
        tree = ast.parse(source.read_bytes())
        waiting += [it for it in _imported_names(tree, package) if it.startswith(f"{package}.") or it == _NETWORK]
        found[module] = hashlib.sha256(code_without_texts(tree).encode()).hexdigest()
    return found


def _imported_names(tree: ast.Module, package: str) -> Iterator[str]:
    """All names that *tree*, a module of *package*, imports anywhere, also in functions: modules and what is in
    them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = ".".join(filter(None, (package, node.module))) if node.level else node.module or ""
            yield parent
            yield from (f"{parent}.{name.name}" for name in node.names)


def code_without_texts(tree: Any) -> str:
    """The code of the syntax tree *tree* as text, without comments, docstrings and the layout of the source.

    >>> code_without_texts(ast.parse("def f():\\n    'Say.'\\n    return  1  # one"))
    'def f():\\n    return 1'
    """
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [it for it in body if not (isinstance(it, ast.Expr) and isinstance(it.value, ast.Constant))]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined] # it has one
    return ast.unparse(tree)
