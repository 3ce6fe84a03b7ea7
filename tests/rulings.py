"""Where the rulings stand: those of the project, and of each game that keeps its own beside its rules."""

from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
RULINGS: Final = (_ROOT / "docs" / "rulings.md", *sorted((_ROOT / "engine" / "games").glob("*/rulings.md")))
