"""What happened in a run, line by line: clicks, troubles, what the bot logged and asked of Discord."""

import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from bot.log import LineFormatter
from local_discord.components import walk
from tests.process.person import Person
from tests.simulation import virtual
from tests.simulation.plan import Plan
from tests.simulation.reading import HEAD
from tests.simulation.universe import Universe, simulate

OURS: Final = ("bot", "cogs", "tests.simulation")
"""Whose log is told from INFO; what libraries say from WARNING."""
WIDTH: Final = 100
"""How much of a message's text is told, characters."""


log = logging.getLogger("tests.simulation.requests")


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
        said = self.format(record).lstrip().removeprefix("INFO ").removeprefix("tests.simulation.")
        which = virtual.here().removeprefix("bot-") if "." in virtual.here() else ""  # one of several processes
        self.lines.append((at, f"{which:4}{said}" if which else said))


class _Line(LineFormatter):
    """The bot's own lines, without the time of day."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """Nothing: the virtual time stands in front."""
        return ""


def told(plan: Plan) -> list[str]:
    """The run that follows from *plan*: a line each for what happened, with the seconds since the cards were dealt. A
    request stands where it was answered."""
    recorder, root, seen = _Recorder(), logging.getLogger(), list[Universe]()

    def watch(universe: Universe) -> None:
        """Have every request of the bot told when it is answered."""
        seen.append(universe)
        add = universe.server.requests.add

        def adding(method: str, path: str, authorization: str, status: int, body: Any, *more: str) -> None:
            before = universe.server.requests.count
            add(method, path, authorization, status, body, *more)
            if universe.server.requests.count > before:
                log.info("%s", _request(method, path, status, body, universe.people))

        universe.server.requests.add = adding  # type: ignore[method-assign]

    before = root.level
    root.addHandler(recorder)
    root.setLevel(logging.INFO)
    try:
        with tempfile.TemporaryDirectory() as folder:
            ended = simulate(plan, Path(folder) / "run", watch)
    finally:
        root.removeHandler(recorder)
        root.setLevel(before)
    (universe,) = seen
    lines = [f"{at - universe.dealt:8.3f} {text}" for at, text in recorder.lines]
    return [*lines, f"{type(ended.error).__name__}: {ended.error}" if ended.error else "nothing was wrong"]


def _request(method: str, path: str, status: int, body: Any, people: Iterable[Person]) -> str:
    """What the bot asked of Discord, and whose message it is about, if one person's alone."""
    message = path.rpartition("/")[2]
    names = [person.name for person in people if message.isdigit() and int(message) in person.messages]
    whose = f" ({names[0]}'s)" if len(names) == 1 else ""
    said = next((str(part["content"]) for part in walk(_components(body)) if part.get("content")), "")
    text = " / ".join(HEAD.sub("hand:", said).splitlines())[:WIDTH]
    return f"{method} {path}{whose} {status} {text}".rstrip()


def _components(body: Any) -> list[Any]:
    """The components of the message in a request's *body*, or of what it answers with."""
    if not isinstance(body, dict):
        return []
    data = body.get("data") or body
    return data.get("components") or [] if isinstance(data, dict) else []
