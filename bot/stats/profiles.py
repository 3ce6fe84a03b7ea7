"""What people read of results: a profile, a leaderboard."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.stats.ratings import Rating


class Partner(NamedTuple):
    """Somebody with whom a person has played."""

    name: str
    games: int
    """At the same table, as far as records are kept."""


class Profile(NamedTuple):
    """What is known of somebody in one game."""

    totals: Mapping[str, int]
    """By what is counted: ``engine.tallies.PLAYED``, ``WON``, ``Tallies.COUNTS``; what is missing is 0."""
    partners: Sequence[Partner] = ()
    """The most frequent first; without those who are hidden."""
    rating: Rating | None = None
    """``None``: no game was rated for them."""
    ratings: Sequence[Rating] = ()
    """Their rating after each of the last games that were rated for them, oldest first; ``games`` is 0 in it."""


class LeaderboardEntry(NamedTuple):
    """Somebody in a leaderboard."""

    place: int
    """From 1, equal for ties."""
    user: int
    name: str
    """What they were last called at a table in this server, told apart from the others in the list; empty: no record
    of theirs is kept there any more."""
    rating: Rating


class Leaderboard(NamedTuple):
    """The leaderboard of a game in a server."""

    top: Sequence[LeaderboardEntry]
    """The first places, best first."""
    own: LeaderboardEntry | None
    """The person who asks; ``None``: they are not in it."""
