"""Counts what people did in a finished game, for their totals over all games."""

from collections import Counter
from typing import Final

from engine.record import FINISHED, ActionEntry, Record
from engine.registry import GAMES
from engine.replay import Moment, replay

PLAYED: Final = "games"
"""Finished games in which the person had a seat at the end."""
WON: Final = "wins"
"""Those of them that the person has won, alone or with others."""


def totals_by_person(record: Record) -> dict[str, Counter[str]]:
    """What the game of *record* adds to each person's totals (games, wins, calls ...), by person id; or raise
    BadRecord.

    These are ``PLAYED``, ``WON``, and what ``game.Tallies`` counts. A person with nothing to count is left out.

    Everything is counted for the player who had the seat at that moment. An action that a computer made after a
    player's time was up counts for nobody.

    Raises:
        BadRecord: it cannot be replayed.
    """
    game = GAMES[record.deal.game]
    found: dict[str, Counter[str]] = {}

    def add_count(moment: Moment, seat: int, name: str) -> None:
        who = moment.seats[seat]
        if who.kind == "person":
            found.setdefault(who.id, Counter())[name] += 1

    for moment in replay(record):
        if game.tallies is not None and isinstance(moment.entry, ActionEntry):
            idle = game.on_turn(moment.before) if moment.entry.by_clock else None
            for seat, name in game.tallies.count_increments(moment.before, moment.step):
                if seat != idle:
                    add_count(moment, seat, name)
    if record.ending == FINISHED:
        for standing in record.standings:
            add_count(moment, standing.seat, PLAYED)
            if standing.place == 1:
                add_count(moment, standing.seat, WON)
    return found
