"""What a person has chosen for themselves, on all servers; a player at a table is given a copy."""

from typing import Any, Final, NamedTuple

from bot.tables.model import Telling


class Preferences(NamedTuple):
    """What one person has chosen; the defaults are what holds for everybody who has chosen nothing."""

    locale: str | None = None
    """The language of what only they read; ``None``: the one that Discord reports."""
    by_dm: bool = True
    """Whether their hand comes by direct message; else it opens behind *My hand*."""
    telling: Telling = Telling.EVERY_TURN
    passes: bool = False
    """Whether the table passes for them where that is all they can do."""
    rated: bool | None = None
    """Whether they want a rating, and so games to count for it; ``None``: they were not asked yet."""
    replays: bool = False
    """Whether everybody may see the games that they have played, where all who played agree."""
    hidden: bool = False
    """Whether others never read of them: they are in no leaderboard, and nobody's favourite partner."""

    def player(self, locale: str) -> dict[str, Any]:
        """The fields of a ``Player`` that follow from it, by name; *locale* is what Discord reports."""
        return {
            "locale": self.locale or locale,
            "by_dm": self.by_dm,
            "telling": self.telling,
            "passes": self.passes,
            "rated": self.rated is True,
        }


DEFAULTS: Final = Preferences()
"""What somebody has chosen who has chosen nothing."""
