"""``requirements.lock``, ``pyproject.toml`` and ``docs/licences.md`` as data."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
LOCK: Final = ROOT / "requirements.lock"


class Pin(NamedTuple):
    """One distribution in the lock: its version, where it is needed (``None``: everywhere), hashes of its files."""

    name: str
    version: str
    marker: Marker | None
    hashes: tuple[str, ...]


def pins(text: str) -> list[Pin]:
    """The distributions in *text*, which is a lock."""
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    found = []
    for line in joined.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        wanted, *hashes = line.split(" --hash=")
        requirement = Requirement(wanted)
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        found.append(Pin(canonicalize_name(requirement.name), specifier.version, requirement.marker, tuple(hashes)))
    return found


def project() -> dict[str, Any]:
    """The table ``project`` of ``pyproject.toml``."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def wanted() -> dict[str, Requirement]:
    """What the program asks for, the driver for PostgreSQL included, by its normal name."""
    lines = [*project()["dependencies"], *project()["optional-dependencies"]["postgresql"]]
    return {canonicalize_name(it.name): it for it in map(Requirement, lines)}


def licences() -> dict[str, list[str]]:
    """The table of ``docs/licences.md``: normal name of a distribution -> its other columns."""
    text = (ROOT / "docs" / "licences.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", text, re.M)]
    return {canonicalize_name(name.strip("`")): rest for name, *rest in rows[2:]}
