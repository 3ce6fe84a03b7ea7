"""The preferences of a person, on all servers, and the settings and bans of a server.

A player at a table gets a copy of their preferences.
"""

from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any, Final, NamedTuple

from bot.tables.model import TurnNotice
from bot.tables.options import Options, Pace


class Preferences(NamedTuple):
    """What one person has chosen for all servers: language, hand, notices, automatic pass, rating, privacy.

    The defaults hold for everybody who has chosen nothing.
    """

    locale: str | None = None
    """The language of what only they read; ``None``: the one that Discord reports."""
    by_dm: bool = True
    """Whether their hand comes by direct message; else it opens behind *My hand*."""
    telling: TurnNotice = TurnNotice.EVERY_TURN
    passes: bool = False
    """Whether the table passes for them where that is all they can do."""
    rated: bool | None = None
    """Whether they want a rating, and so games to count for it; ``None``: they were not asked yet."""
    replays: bool = False
    """Whether everybody may see the games that they have played, where all who played agree."""
    hidden: bool = False
    """Whether others never read of them: they are in no leaderboard, and nobody's favourite partner."""

    def player_fields(self, locale: str) -> dict[str, Any]:
        """Return these preferences as values for the fields of a ``Player``; *locale*, which Discord reports, is used
        if no language was chosen."""
        return {
            "locale": self.locale or locale,
            "by_dm": self.by_dm,
            "telling": self.telling,
            "passes": self.passes,
            "rated": self.rated is True,
        }


DEFAULTS: Final = Preferences()
"""The preferences of somebody who has chosen nothing."""


# The settings of a server, chosen by those who manage it, and who is banned from its tables. Pure.


MOST_PLACES: Final = 25
"""How many channels, and how many roles, can be chosen: as many as fit into one list.
https://discord.com/developers/docs/components/reference#channel-select
"""
MOST_TABLES: Final = 1000
"""The largest number of tables at a time that can be chosen."""
MOST_DAYS: Final = 36_500
"""The largest number of days that records can be kept for."""
BAN_SECONDS: Final = (3600, 86_400, 604_800, 2_592_000)
"""How long somebody can be banned from tables: an hour, a day, a week, 30 days."""
LONGEST_REASON: Final = 200
"""Characters of what a moderator writes down with a ban."""


class GuildSettings(NamedTuple):
    """What a server has chosen for its tables: language, places, roles, pace, limits, leaderboards, hints.

    The defaults hold where nothing has been chosen.
    """

    locale: str | None = None
    """The language of its tables; ``None``: the one that Discord reports for the server."""
    channels: tuple[int, ...] = ()
    """Where tables may be opened: channels, with their threads, and categories, with their channels; empty:
    everywhere."""
    roles: tuple[int, ...] = ()
    """Who may open them: people with one of these roles; empty: everybody."""
    pace: Pace | None = None
    """The pace of new tables; ``None``: the usual one. As the next two, the host can choose another in the lobby."""
    turn_seconds: int | None = None
    """The turn limit of new tables, as in ``Options``."""
    late: bool = True
    """Whether people may sit down at new tables while the game runs (L4)."""
    tables: int = 0
    """How many tables there may be at a time, within what the operator allows; 0: as many as that."""
    threads: bool = False
    """Whether every table gets a thread of its own, where that is possible."""
    counted: bool = True
    """Whether games count for totals and ratings."""
    boards: bool = False
    """Whether it has leaderboards."""
    records_days: int = 0
    """How long records are kept, in days, within what the operator allows; 0: as long as that."""
    daily: int = 0
    """The channel of the board of the deal of the day; 0: there is none."""
    hints: bool = False
    """Whether new tables have hints, for people alone against computers (L6); the host can change it in the lobby."""

    def make_new_table_options(self, usual: Options) -> Options:
        """Return the options of a new table on this server; *usual*, the operator's, are used where nothing is
        chosen."""
        return usual._replace(
            pace=self.pace or usual.pace,
            turn_seconds=usual.turn_seconds if self.turn_seconds is None else self.turn_seconds,
            late=usual.late and self.late,
            hints=usual.hints or self.hints,
        )

    def without_deleted(self, channels: Collection[int], roles: Collection[int]) -> "GuildSettings":
        """Return these settings without chosen channels and roles that were deleted; *channels* and *roles* are the ids
        that exist."""
        return self._replace(
            channels=tuple(it for it in self.channels if it in channels),
            roles=tuple(it for it in self.roles if it in roles),
            daily=self.daily if self.daily in channels else 0,
        )

    def allows_tables_in_channel(self, ids: Collection[int]) -> bool:
        """Whether tables may be opened in a channel: *ids* are the ids of itself, its parent channel and its
        category."""
        return not self.channels or not set(self.channels).isdisjoint(ids)

    def allows_roles(self, roles: Collection[int]) -> bool:
        """Whether somebody with these *roles*, the everyone role included, may open tables."""
        return not self.roles or not set(self.roles).isdisjoint(roles)


class Ban(NamedTuple):
    """A ban of one person from the tables of one server, until a time, with reason and moderator."""

    id: str
    user: int | None
    """``None``: they have had their data erased; ``mark`` is what is left of them."""
    mark: str
    """A salt, and the hash of it with server and person; empty unless they were erased."""
    until: int
    """ms since 1970."""
    by: int | None
    """The moderator; ``None``: they have had their data erased."""
    reason: str
    """What the moderator wrote; may be empty."""

    def bans_user(self, guild: int, user: int) -> bool:
        """Whether this ban is of *user* in *guild*, also if *user* was erased since; it may be over."""
        if self.user is not None:
            return self.user == user
        salt, _, _ = self.mark.partition(":")
        return bool(salt) and self.mark == banned_user_pseudonym(salt, guild, user)


def banned_user_pseudonym(salt: str, guild: int, user: int) -> str:
    """Return the salted hash that stands for *user* in a ban in *guild* once they are erased.

    It names nobody, but whoever knows an id can still find out whether it is that one: else the ban could not go on.
    """
    return f"{salt}:{sha256(f'{salt}/{guild}/{user}'.encode()).hexdigest()}"


class Server(NamedTuple):
    """The settings and bans of one server."""

    settings: GuildSettings
    bans: tuple[Ban, ...]
    """The one that ends first comes first; some may be over."""

    def current_ban(self, guild: int, user: int, now: int) -> Ban | None:
        """Return the ban of *user* in *guild* that holds at *now* (ms), the one that ends first; ``None`` if there is
        none."""
        return next((ban for ban in self.bans if ban.until > now and ban.bans_user(guild, user)), None)

    def current_bans(self, now: int) -> tuple[Ban, ...]:
        """The bans that hold at *now* (ms)."""
        return tuple(ban for ban in self.bans if ban.until > now)


def stricter_limit(chosen: int, allowed: int) -> int:
    """Return the smaller of two limits, where 0 means no limit; 0 if both are.

    >>> [stricter_limit(0, 50), stricter_limit(5, 50), stricter_limit(80, 50)]
    [50, 5, 50]
    >>> [stricter_limit(5, 0), stricter_limit(0, 0)]
    [5, 0]
    """
    known: Iterable[int] = (it for it in (chosen, allowed) if it)
    return min(known, default=0)
