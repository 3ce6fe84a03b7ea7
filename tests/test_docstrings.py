"""The examples in docstrings and in docs/engine.md are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = ("engine", "bot", "cogs", "local_discord")


def with_examples() -> list[str]:
    """The modules with an example in them, as one imports them."""
    paths = [
        path for top in PROGRAM for path in sorted((ROOT / top).rglob("*.py")) if ">>> " in path.read_text("utf-8")
    ]
    return [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]


@pytest.mark.parametrize("module", with_examples())
def test_the_examples_of_a_module_are_true(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert found.attempted and not found.failed


def test_the_examples_of_the_engine_are_true() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "engine.md"), module_relative=False, encoding="utf-8")
    assert found.attempted and not found.failed
