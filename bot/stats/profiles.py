"""The types of a profile and a leaderboard, as people read them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.stats.ratings import Rating


class Partner(NamedTuple):
    """Somebody with whom a person has often played, and how many games."""

    name: str
    games: int
    """At the same table, as far as records are kept."""


class Profile(NamedTuple):
    """What a person reads of themselves in one game: totals, favourite partners, rating and its history."""

    totals: Mapping[str, int]
    """By what is counted: ``engine.tallies.PLAYED``, ``WON``, ``Tallies.COUNTS``; what is missing is 0."""
    partners: Sequence[Partner] = ()
    """The most frequent first; without those who are hidden."""
    rating: Rating | None = None
    """``None``: no game was rated for them."""
    ratings: Sequence[Rating] = ()
    """Their rating after each of the last games that were rated for them, oldest first; ``games`` is 0 in it."""


class LeaderboardEntry(NamedTuple):
    """A person in a leaderboard: place, name and rating."""

    place: int
    """From 1, equal for ties."""
    user: int
    name: str
    """Their latest name at a table in this server, made different from the others in the list.

    Empty: no record of theirs is kept there any more.
    """
    rating: Rating


class Leaderboard(NamedTuple):
    """The leaderboard of one game on one server: the first places, and the reader's own entry."""

    top: Sequence[LeaderboardEntry]
    """The first places, best first."""
    own: LeaderboardEntry | None
    """The entry of the person who asks; ``None``: they are not in it."""
