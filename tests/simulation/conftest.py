"""Without simloom, which needs Python 3.12, only what does not import it is collected."""

from importlib.util import find_spec
from typing import Final

NEED_IT: Final = "checks guests histories machine test_runs timeline troubles universe virtual".split()
    "checks",
    "guests",
    "histories",
    "machine",
    "test_runs",
    "timeline",
    "troubles",
    "universe",
    "virtual",
)

if find_spec("simloom") is None:
    collect_ignore = [f"{name}.py" for name in NEED_IT]
