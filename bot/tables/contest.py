"""Decides who is compared in a rated game: people who want a rating, or one of them and computer players (L6). Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.tables.model import Table
from bot.tables.names import computer_level
from engine.game import Seat

MIN_CONTESTANTS: Final = 2
"""The least number of people that a rated game needs, or of one person and computer players."""
NO_LEVELS: Final[Mapping[Seat, int]] = MappingProxyType({})


class RatedContest(NamedTuple):
    """The seats that are compared in a rated game: people who want a rating, and perhaps computer players."""

    people: tuple[Seat, ...] = ()
    """The seats of people who want a rating; empty: it counts for nobody."""
    computers: Mapping[Seat, int] = NO_LEVELS
    """The levels of the computer players with whom the only one of the people is compared, by seat."""


NO_CONTEST: Final = RatedContest()


def determine_rated_contest(table: Table) -> RatedContest:
    """Decide which seats of *table* are compared for the ratings, or would be if it began now (L6); ``NO_CONTEST`` if
    it is not rated.

    That is settled at *Start*, except for people who want no rating any more, and computer players whose seat somebody
    has taken since. Two or more people who want a rating are compared with each other. One is compared with computer
    players of known strength, if nobody else was there at *Start* (a second person could help the first against them),
    and if they had no hints. Solo tables are rated for nobody: the cards of a day's deal may have been known, and
    nobody sees who plays.
    """
    if not table.counted or table.has_hints or table.solo:
        return NO_CONTEST
    people = tuple(Seat(n) for n, player in enumerate(table.players) if player.rated and not player.invited)
    if len(people) >= MIN_CONTESTANTS:
        return RatedContest(people)
    if not people or table.rules.ladder is None:
        return NO_CONTEST
    others = _computer_seats_at_start(table)
    if len(others) != len(table.seated_players) - 1:
        return NO_CONTEST
    still = [seat for seat in others if table.players[seat].user is None and not table.players[seat].former]
    return (
        RatedContest(people, {seat: computer_level(table.players[seat], table.rules) for seat in still})
        if still
        else NO_CONTEST
    )


def _computer_seats_at_start(table: Table) -> list[Seat]:
    """The seats that belonged to computer players at *Start*; in the lobby, those that do now."""
    if table.state is None:
        return [Seat(n) for n, player in enumerate(table.players) if player.user is None]
    return [Seat(n) for n, sheet in enumerate(table.deal["seats"]) if sheet["kind"] == "computer"]
