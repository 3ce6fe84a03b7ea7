"""Computes the places of a finished game for the ratings: leavers come last (L6). Pure."""

from collections.abc import Sequence
from typing import Final

from bot.tables.contest import MIN_CONTESTANTS, determine_rated_contest
from bot.tables.model import Ending, Table
from engine.game import Json, Seat

MAX_OUTAGE_MS: Final = 3_600_000
"""If the bot was away for longer than that while a game lay idle, that was the bot's fault."""
UNRATED_ENDINGS: Final = frozenset({Ending.CANCELLED, Ending.REMOVED})
"""Endings after which a game counts for nobody; the same holds for *End* by a moderator who does not play."""

_STAYED: Final = 0
_LEFT: Final = 1


def rating_places(table: Table, entries: Sequence[Json]) -> dict[Seat, int]:
    """Compute who did better in the finished game of *table*, for the ratings: seat -> place, 1 is the best, ties share
    one; empty if the game is not rated.

    They are the places of those between whom the game of *table* is rated (``determine_rated_contest``, L6): people, or
    one of them and computer players. *entries* is all that has been done there since the cards were dealt.

    Those who stayed come first: as the game was won, or together if it was ended by leaving. Whoever has left, and is
    not back, comes after those who left later. A player leaves with their *End*, and whoever lets a game lie on their
    own turn until it is closed leaves then. So does one of these people who has given another's seat to a computer
    although their time had not run out, unless that one is back. A person is left out whose seat went to a computer for
    another reason. An unfinished game that nobody of the others has left is rated for nobody.
    """
    between = determine_rated_contest(table)
    if _is_never_rated(table):
        return {}
    left = {Seat(it["seat"]): number for number, it in enumerate(entries) if it.get("sits") == "computer"}
    leaver = _seat_that_ended_game(table)
    scores = {it.seat: it.place for it in table.rules.standings(table.state)}
    replacing = {player.replaced_by for player in table.players if player.away}
    ranks: dict[Seat, tuple[int, int]] = {}
    for seat in between.people:
        player = table.players[seat]
        if player.replaced:
            continue
        if player.away and player.replaced_by is None:
            ranks[seat] = (_LEFT, -left.get(seat, 0))
        elif seat == leaver or seat in replacing:
            ranks[seat] = (_LEFT, -len(entries))
        else:
            ranks[seat] = (_STAYED, scores.get(seat, 0))
    if ranks:
        ranks |= {seat: (_STAYED, scores.get(seat, 0)) for seat in between.computers}
    if len(ranks) < MIN_CONTESTANTS or (table.ending is not Ending.FINISHED and len(set(ranks.values())) == 1):
        return {}
    return {seat: 1 + sum(other < rank for other in ranks.values()) for seat, rank in ranks.items()}


def _is_never_rated(table: Table) -> bool:
    """Whether *table* ended in a way that is rated for nobody: cancelled, removed, ended by somebody without a seat, or
    idle because the bot was away for more than an hour.
    """
    if table.ending is Ending.ENDED:
        return table.ended_from is None
    return table.ending in UNRATED_ENDINGS or (table.ending is Ending.IDLE and table.turn_credit > MAX_OUTAGE_MS)


def _seat_that_ended_game(table: Table) -> Seat | None:
    """Return the seat of the person who ended the game of *table* early, or let it lie on their turn until it was
    closed; ``None`` if nobody did.
    """
    if table.ending is Ending.ENDED:
        return table.ended_from
    return table.rules.on_turn(table.state) if table.ending is Ending.IDLE else None
