"""Computer players as anchors of the ratings: every level has a strength that no result changes. Pure.

What was measured is how often each level wins against the one below it (``game.Ladder``). Where people stand beside
them was not: that ``MIDDLE_LEVEL`` is a little weaker than the average person is an assumption (docs/ratings.md).
"""

from math import log
from typing import Final

from bot.results.ratings import LEAST_SIGMA, NOISE, START, Met, Rating, computer
from bot.tables.names import MIDDLE_LEVEL
from engine.game import Seat
from engine.record import FINISHED, Record, SeatChanged
from engine.registry import AnyGame

MIDDLE_SHARE: Final = 0.4
"""The part of its games against an average person that a computer player of the middle level is taken to win."""


def anchors(game: AnyGame) -> tuple[Rating, ...]:
    """The ratings of the levels of *game*, the weakest first; empty: they are not known."""
    if game.ladder is None:
        return ()
    steps = [_odds(share) * NOISE for share in game.ladder.SHARES]
    middle = START.mu + _odds(MIDDLE_SHARE) * NOISE
    heights = [sum(steps[:level]) for level in range(len(steps) + 1)]
    return tuple(Rating(middle + it - heights[_middle(game)], LEAST_SIGMA, 0) for it in heights)


def computers(found: Record, game: AnyGame, person: str, place: int) -> list[Met]:
    """The computer players with whom the person whose id in the record *found* is *person* is compared, who was the
    only one when the cards were dealt, and came in at *place* (``bot.results.places``); with places that are right
    beside *place*. Empty: there are none.

    Computer players whose seat somebody has taken since are left out. If anybody has, it may have been to help: then
    only those count who came before the person.
    """
    known = anchors(game)
    seats = found.deal.seats
    mine = next((Seat(n) for n, sheet in enumerate(seats) if sheet.id == person), None)
    if not known or mine is None or any(sheet.kind != "computer" for n, sheet in enumerate(seats) if n != mine):
        return []
    taken = {it.seat for it in found.entries if isinstance(it, SeatChanged)} - {mine}
    still = [Seat(n) for n in range(len(seats)) if n != mine and n not in taken]
    places = {it.seat: it.place for it in found.standings} if found.ending == FINISHED else {}
    before = [seat for seat in still if mine in places and places[seat] < places[mine]]
    left = place != 1 + len(before)
    met = []
    for number, seat in enumerate(still):
        order = -1 if left else _order(places.get(seat, 0), places.get(mine, 0))
        level = int(seats[seat].level) if seats[seat].level.isdecimal() else 0
        if 1 <= level <= len(known) and (not taken or order < 0):
            met.append(Met(computer(level, number), known[level - 1], place + order))
    return met


def _order(one: int, other: int) -> int:
    """-1 if *one* is less than *other*, 1 if it is more, else 0."""
    return (one > other) - (one < other)


def _odds(share: float) -> float:
    """The logarithm of the odds of winning *share* of the games."""
    return log(share / (1 - share))


def _middle(game: AnyGame) -> int:
    """The middle level of *game*, from 0."""
    return min(MIDDLE_LEVEL, game.computers.LEVELS) - 1
