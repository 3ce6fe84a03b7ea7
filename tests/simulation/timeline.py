"""What happened in a run, line by line: clicks, troubles, what the bot logged and asked of Discord."""

import logging
import re
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from bot.log import LineFormatter
from local_discord.components import walk
from tests.simulation import virtual
from tests.simulation.plan import Plan
from tests.simulation.reading import HEAD
from tests.simulation.universe import Universe, simulate

OURS: Final = ("bot", "cogs", "tests.simulation")
"""Whose log is told from INFO; what libraries say from WARNING."""
TOKEN: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)([\w-]{6})[\w-]+")
WIDTH: Final = 100
"""How much of a message's text is told, characters."""


class _Recorder(logging.Handler):
    """Keeps what is logged during a run, with the virtual time."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[float, str]] = []
        self.setFormatter(_Line())

    def emit(self, record: logging.LogRecord) -> None:
        """Keep *record*, if it was logged in the run."""
        if not record.name.startswith(OURS) and record.levelno < logging.WARNING:
            return
        try:
            at = virtual.now()
        except RuntimeError:  # the run has ended
            return
        self.lines.append((at, self.format(record).lstrip()))


class _Line(LineFormatter):
    """The bot's own lines, without the time of day."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """Nothing: the virtual time stands in front."""
        return ""


def told(plan: Plan) -> list[str]:
    """The run that follows from *plan*: a line each for what happened, with the seconds since the cards were dealt."""
    recorder, root, seen = _Recorder(), logging.getLogger(), list[Universe]()
    before = root.level
    root.addHandler(recorder)
    root.setLevel(logging.INFO)
    try:
        with tempfile.TemporaryDirectory() as folder:
            simulate(plan, Path(folder) / "run", seen.append)
    finally:
        root.removeHandler(recorder)
        root.setLevel(before)
    (universe,) = seen
    readers = _readers(universe)
    lines = recorder.lines + [_request(entry, readers) for entry in universe.server.requests.after(0)]
    return [f"{at - universe.dealt:8.3f} {text}" for at, text in sorted(lines, key=lambda line: line[0])]


def _readers(universe: Universe) -> dict[str, set[str]]:
    """The names of those who received it, by the message's id."""
    found = defaultdict[str, set[str]](set)
    for person in universe.discord.people:
        for event in person.received:
            if event["t"] == "MESSAGE_CREATE":
                found[event["d"]["id"]].add(person.name)
    return found


def _request(entry: dict[str, Any], readers: dict[str, set[str]]) -> tuple[float, str]:
    """(when, what) of a request that the bot made, and whose message it is, if one person's."""
    path = TOKEN.sub(r"\1\2...", entry["path"])
    names = readers.get(path.rpartition("/")[2], set())
    whose = f" ({min(names)}'s)" if len(names) == 1 else ""
    said = next((str(part["content"]) for part in walk(_components(entry["body"])) if part.get("content")), "")
    text = " / ".join(HEAD.sub("hand:", said).splitlines())[:WIDTH]
    return entry["time"] / 1000 - virtual.EPOCH, f"{entry['method']} {path}{whose} {entry['status']} {text}".rstrip()


def _components(body: Any) -> list[Any]:
    """The components of the message in a request's *body*, or of what it answers with."""
    if not isinstance(body, dict):
        return []
    data = body.get("data") or body
    return data.get("components") or [] if isinstance(data, dict) else []
