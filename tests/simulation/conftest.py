"""Without simloom, which needs Python 3.12, only what does not import it is collected."""

from importlib.util import find_spec
from typing import Final

NEED_IT: Final = (
    *("alone", "checks", "days", "guests", "histories", "homes", "machine", "noted", "shared", "standing", "timeline"),
    *("troubles", "universe", "virtual"),
)

if find_spec("simloom") is None:
    collect_ignore = ["test_runs.py", *(f"{name}.py" for name in NEED_IT)]
