"""Bugs that are planted one at a time: each must be found by the simulation.

A bug is a place in a module and what stands there instead. It is planted in a process before that module is imported,
so the files stay as they are.
"""

import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

FILE: Final = Path(__file__).with_name("bugs.toml")
ROOT: Final = Path(__file__).parents[2]


class Bug(NamedTuple):
    """A bug to plant."""

    file: str
    """The path of the module, from the root of the project."""
    before: str
    """What stands there, once."""
    after: str
    """What shall stand there."""
    several: bool = False
    """Whether it takes several processes to be noticed."""
    alone: bool = False
    """Whether it takes somebody who plays alone."""

    def planted(self) -> str:
        """The module's text with the bug.

        Raises:
            ValueError: what stands there is not there, or more than once.
        """
        text = (ROOT / self.file).read_text()
        if text.count(self.before) != 1:
            raise ValueError(f"{self.file} holds it {text.count(self.before)} times: {self.before}")
        return text.replace(self.before, self.after)


@cache
def _all() -> dict[str, Bug]:
    return {name: Bug(**given) for name, given in tomllib.loads(FILE.read_text()).items()}


def names() -> list[str]:
    """The names of all bugs."""
    return list(_all())


def bug(name: str) -> Bug:
    """The bug of that *name*."""
    return _all()[name]


class _Planter(MetaPathFinder, Loader):
    """Finds one module, and loads it with a bug in it."""

    def __init__(self, given: Bug) -> None:
        self._bug = given
        self._module = given.file.removesuffix(".py").replace("/", ".")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module with the bug, if it is the one that is asked for."""
        if fullname != self._module:
            return None
        found = PathFinder.find_spec(fullname, path, target)
        assert found is not None
        return spec_from_loader(fullname, self, origin=found.origin)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's text with the bug in it."""
        exec(compile(self._bug.planted(), self._bug.file, "exec"), module.__dict__)


def plant(name: str) -> None:
    """Plant the bug of that *name* in this process; again: nothing.

    Raises:
        ValueError: it does not fit the code.
        RuntimeError: the module has been imported already.
    """
    planter = _Planter(bug(name))
    if any(isinstance(it, _Planter) for it in sys.meta_path):
        return
    if planter._module in sys.modules:
        raise RuntimeError(f"{planter._module} has been imported already")
    planter._bug.planted()
    sys.meta_path.insert(0, planter)
