"""Changes that no test notices for a reason: in ``equivalent.toml``, each with its reason."""

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutants.operators import Mutant

FILE: Final = Path(__file__).with_name("equivalent.toml")


class Named(NamedTuple):
    """Changes to one function that mean nothing, or nothing that could be seen."""

    file: str
    function: str
    change: str
    """As "before -> after"; the line is not named, since it moves."""
    reason: str

    def means(self, mutant: Mutant) -> bool:
        """Whether it is *mutant*, or one with the same words in the same function."""
        return (self.file, self.function, self.change) == (
            mutant.path,
            mutant.function,
            f"{mutant.before} -> {mutant.after}",
        )


def known() -> list[Named]:
    """Every one in the file. There each ``change`` may be a list of several that share their reason."""
    found = []
    for entry in tomllib.loads(FILE.read_text("utf-8")).get("equivalent", []):
        changes = entry["changes"]
        found += [Named(entry["file"], entry["function"], change, entry["reason"]) for change in changes]
    return found
