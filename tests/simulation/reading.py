"""What each reader received: every table message and every hand is what the bot would show had everything that this
reader cannot see been dealt otherwise. So it follows from their view alone, and shows a moment that there was."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher, unified_diff
from random import Random
from typing import Any, Final

from bot.delivery.discord_api import COMPONENTS_V2
from bot.delivery.plan import render_slot
from bot.delivery.slots import DEAL, TABLE, dm_hand_slot
from bot.tables.model import Phase, Table
from bot.ui.components import COLOUR_WARNING
from bot.ui.custom_ids import Verb, parse_custom_id
from engine.game import Seat
from local_discord.components import walk
from tests.discord.messages import components_json
from tests.games.tables import otherwise
from tests.process.person import Person, Seen
from tests.process.world import World

HEAD: Final = re.compile(r"### \[[^\]]+\]\(https://discord\.com/channels/\d+/\d+/(\d+)\)")
"""How a hand begins: with a link to the table message."""
MOMENT: Final = re.compile(r"<t:\d+:R>")
"""When a turn ends: a process that starts credits the time in which nobody could be served, and writes no version for
that."""


class Reader:
    """Knows what messages may say. *steps*: by the table's id, every version so far, oldest first."""

    def __init__(self, world: World, steps: Mapping[str, Sequence[Table]]) -> None:
        self._world = world
        self._steps = steps
        self._boards: dict[int, str] = {}
        """Table message -> its table."""
        starting = [table for tables in steps.values() for table in tables if table.starting]
        self._started = {
            text_of_payload(render_slot(it, slot, None).payload) for it in starting for slot in (DEAL, TABLE)
        }
        self._picked: dict[tuple[str, int, Seat], Sequence[str]] = {}
        self._sheets: dict[tuple[Any, ...], list[str]] = {}

    def shows(self, message: Seen) -> tuple[str, bool] | None:
        """(table, whether *message* is a hand) that *message* shows, ``None``: neither a hand nor a table message."""
        if not message.private and not message.direct(self._world):
            presses = (parse_custom_id(str(part.get("custom_id", ""))) for part in walk(message.components))
            found = next((press.table for press in presses if press is not None and press.table in self._steps), None)
            if found is not None:
                self._boards.setdefault(message.id, found)
            return None if found is None else (found, False)
        if (solo := self._solo(message)) is not None:
            return solo, True
        for part in walk(message.components):
            link = HEAD.match(str(part.get("content", "")))
            if link is not None and int(link[1]) in self._boards:
                return self._boards[int(link[1])], True
        return None

    def is_solo(self, message: Seen) -> bool:
        """Whether *message* is that of a solo table."""
        return self._solo(message) is not None

    def _solo(self, message: Seen) -> str | None:
        """The solo table whose message is *message*; ``None``: none's."""
        if message.private or not message.direct(self._world):
            return None
        presses = (parse_custom_id(str(part.get("custom_id", ""))) for part in walk(message.components))
        named = (press.table for press in presses if press is not None and press.table in self._steps)
        return next((name for name in named if self._steps[name][-1].solo), None)

    def astray(self, message: Seen) -> bool:
        """Whether *message*, which is neither a hand nor a table message, is one of components that everybody sees: an
        answer that was meant for one person. Mentions are plain text, an old table message links to the new one, and at
        *Start* the deal is fixed in public."""
        if message.private or message.direct(self._world) or not message.data["flags"] & COMPONENTS_V2:
            return False
        if bare(message) in self._started:
            return False
        links = (str(part.get("url", "")).rpartition("/")[2] for part in walk(message.components))
        moved = message.id in self._boards and any(it.isdigit() and int(it) in self._boards for it in links)
        return not moved

    def version(self, person: Person, message: Seen) -> int | None:
        """A version that *message* shows as *person* should see it; ``None``: there is none."""
        said = bare(message)
        return next((version for version, sheet in self._candidates(person, message) if sheet == said), None)

    def nearest(self, person: Person, message: Seen) -> str:
        """How *message* differs from the most similar one that *person* could receive, line by line."""
        said = _lines(bare(message))
        sheets = ((version, _lines(sheet)) for version, sheet in self._candidates(person, message))
        alike = [(SequenceMatcher(None, said, lines).ratio(), version, lines) for version, lines in sheets]
        _, version, lines = max(alike, default=(0, "none", []))
        return "\n".join(unified_diff(lines, said, f"version {version}", "received", lineterm="", n=0))

    def _candidates(self, person: Person, message: Seen) -> Iterator[tuple[int, str]]:
        """(version of the table, what the message may say of it to *person*), the likely ones first."""
        found = self.shows(message)
        assert found is not None
        name, hand = found
        for table in self._likely(self._steps[name], message):
            seat = table.seat_of(person.id) if hand else None
            if hand and not table.solo and (seat is None or table.phase is Phase.LOBBY):
                continue
            for picked in ["", *(() if seat is None else self._picks(table, seat))]:
                for sheet in self._sheets_of(table, seat, message, picked):
                    yield table.version, sheet

    def _likely(self, steps: Sequence[Table], message: Seen) -> list[Table]:
        """The versions in *steps*, the likely ones first: what had been committed when *message* was sent or edited,
        newest first. Then the others, as the bot's clock may have been wrong."""
        at = (message.data.get("edited_timestamp") or message.data["timestamp"]).replace("Z", "+00:00")
        ms = datetime.fromisoformat(at).timestamp() * 1000
        before = [table for table in steps if table.changed_at <= ms]
        after = [table for table in steps if table.changed_at > ms]
        return [*reversed(before), *after]

    def _sheets_of(self, table: Table, seat: Seat | None, message: Seen, picked: str) -> list[str]:
        """What *message* may say of *table* to *seat*."""
        links = (HEAD.match(str(part.get("content", ""))) for part in walk(message.components))
        board = next((int(link[1]) for link in links if link), message.id)
        key = (table.id, table.version, seat, board, picked)
        if key not in self._sheets:
            slot, other = _slot(table, seat), otherwise(table, seat, Random(table.version))
            ways = [{}] if slot == TABLE else [{"live": False}, {"live": True}]
            sheets = [render_slot(other, slot, board, picked=picked, **way) for way in ways]
            if slot != TABLE:  # one that rests may have been edited for the last time
                sheets.append(render_slot(other._replace(phase=Phase.PLAYING), slot, board, rests=True))
            self._sheets[key] = [text_of_payload(sheet.payload) for sheet in sheets]
        return self._sheets[key]

    def _picks(self, table: Table, seat: Seat) -> Sequence[str]:
        """What *seat* can pick on the way to a move."""
        if table.state is None or table.rules.on_turn(table.state) != seat:
            return ()
        key = table.id, table.version, seat
        if key not in self._picked:
            parts = walk(render_slot(table, _slot(table, seat), 1, live=True).payload)
            picks = [
                it
                for it in parts
                if (press := parse_custom_id(str(it.get("custom_id", "")))) and press.verb is Verb.PICK
            ]
            self._picked[key] = [option["value"] for part in picks for option in part.get("options", [])]
        return self._picked[key]


def _slot(table: Table, seat: Seat | None) -> str:
    """The message of *table* that shows what *seat* sees (``None``: what everybody does)."""
    return TABLE if seat is None or table.solo else dm_hand_slot(seat)


def text_of_payload(payload: Sequence[dict[str, Any]]) -> str:
    """Components as text that can be compared with what was received."""

    class Payload:
        components = payload

    return MOMENT.sub("<t>", components_json(Payload))


def _lines(text: str) -> list[str]:
    """What ``_text`` gave, in lines that can be compared."""
    return json.dumps(json.loads(text), indent=1, ensure_ascii=False).replace("\\n", "\n").splitlines()


def bare(message: Seen) -> str:
    """What *message* says, without the notice above it."""
    parts = message.components
    return text_of_payload(parts[1:] if parts and parts[0].get("accent_color") == COLOUR_WARNING else parts)
