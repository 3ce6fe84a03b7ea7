"""Without simloom, which needs Python 3.12, only what does not import it is collected."""

from importlib.util import find_spec

if find_spec("simloom") is None:
    collect_ignore = [
        "checks.py", "guests.py", "histories.py", "machine.py", "timeline.py", "troubles.py", "universe.py", "virtual.py"
    ]  # fmt: skip
