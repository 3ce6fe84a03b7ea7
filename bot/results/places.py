"""Who has come in where in a game that is over, for the ratings: leavers last (L6). Pure."""

from collections.abc import Sequence
from typing import Final

from bot.tables.model import Ending, Table
from engine.game import Json, Seat

FEWEST: Final = 2
"""A game is rated among so many people at least."""
AWAY_MS: Final = 3_600_000
"""If nobody could be served for longer than that while a game lay idle, that was the bot's fault."""
NOBODYS: Final = frozenset({Ending.CANCELLED, Ending.REMOVED})
"""Endings that count for nobody; so does *End* by a moderator who does not play."""

_STAYED: Final = 0
_LEFT: Final = 1


def places(table: Table, entries: Sequence[Json]) -> dict[Seat, int]:
    """The places, from 1 and equal for ties, of the people at *table*, which is over, whose game is rated (L6); empty
    if it is rated for nobody. *entries* is all that has been done there since the cards were dealt.

    Those who stayed come first: as the game was won, or together if it was ended by leaving. Whoever has left, and is
    not back, comes after those who left later. A player leaves with their *End*, and whoever lets a game lie on their
    own turn until it is closed leaves then. So does one of these people who has given another's seat to a computer
    although their time had not run out, unless that one is back. A person is left out who did not want a rating when
    the cards were dealt, sat down later, or whose seat went to a computer for another reason. An unfinished game that
    nobody of the others has left is rated for nobody, nor is any in a server where no statistics are kept.
    """
    if not table.counted or _nobodys(table):
        return {}
    left = {Seat(it["seat"]): number for number, it in enumerate(entries) if it.get("sits") == "computer"}
    leaver = _leaves_last(table)
    scores = {it.seat: it.place for it in table.rules.standings(table.state)}
    replacing = {player.replaced_by for player in table.players if player.away}
    ranks: dict[Seat, tuple[int, int]] = {}
    for number, player in enumerate(table.players):
        seat = Seat(number)
        if not player.rated or player.replaced:
            continue
        if player.away and player.replaced_by is None:
            ranks[seat] = (_LEFT, -left.get(seat, 0))
        elif seat == leaver or seat in replacing:
            ranks[seat] = (_LEFT, -len(entries))
        else:
            ranks[seat] = (_STAYED, scores.get(seat, 0))
    if len(ranks) < FEWEST or (table.ending is not Ending.FINISHED and len(set(ranks.values())) == 1):
        return {}
    return {seat: 1 + sum(other < rank for other in ranks.values()) for seat, rank in ranks.items()}


def _nobodys(table: Table) -> bool:
    """Whether the way in which *table* ended counts for nobody."""
    if table.ending is Ending.ENDED:
        return table.ended_from is None
    return table.ending in NOBODYS or (table.ending is Ending.IDLE and table.turn_credit > AWAY_MS)


def _leaves_last(table: Table) -> Seat | None:
    """The seat whose person has left by the way in which *table* ended; ``None``: nobody has."""
    if table.ending is Ending.ENDED:
        return table.ended_from
    return table.rules.on_turn(table.state) if table.ending is Ending.IDLE else None
