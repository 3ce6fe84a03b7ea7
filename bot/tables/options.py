"""The options of a table, chosen by its host, and the times that follow from them."""

from enum import Enum
from typing import Final, NamedTuple


class Pace(Enum):
    """The speed of a table: how long others can call, and see a result, before the next move takes effect."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    OFF = "off"


BEAT_MS: Final = {Pace.SLOW: 4000, Pace.NORMAL: 2000, Pace.FAST: 1000, Pace.OFF: 0}
REVEAL_DELAY_MS: Final = {Pace.SLOW: 2500, Pace.NORMAL: 1500, Pace.FAST: 1000, Pace.OFF: 0}
RESULT_MS: Final = 5000
"""The least time for which the result of a round is shown."""
TURN_SECONDS: Final = (0, 30, 60, 120, 300, 3600, 86400)
"""The turn limits that can be chosen; 0: none."""
USUAL_TURN_SECONDS: Final = 120
"""The turn limit unless the host chooses one, where several people play."""


class Options(NamedTuple):
    """The options of a table: pace, turn limit, times for calls, the game's own options, hints, level of new computers.

    Waits are in milliseconds; 0 switches one off.
    """

    pace: Pace = Pace.NORMAL
    turn_seconds: int | None = None
    """The turn limit that the host has chosen, 0: none; ``None``: the usual one, and none for one person alone (L3)."""
    window_ms: int = 750
    """Calls stamped this long after the first are simultaneous (D9)."""
    hold_ms: int = 250
    """How long a play waits for a call stamped earlier."""
    game: tuple[tuple[str, str], ...] = ()
    """The game's own options."""
    late: bool = True
    """Whether people may sit down at a computer's seat while the game runs (L4)."""
    breath: bool = True
    """Whether everybody sees for a moment who called before the cards are turned over, in a game with calls."""
    hints: bool = False
    """Whether somebody who plays against computers alone may ask the coach what is best; such a game is not rated
    (L6)."""
    level: int | None = None
    """The level of the next computer player that somebody adds; ``None``: nobody has chosen one."""
    unhurried: bool = False
    """Whether one person alone has as long as they want to call, so that quick fingers change nothing: after each card
    the game waits until they call or press *Next*. Nobody is asked for it: it belongs to the deal of the day."""

    @property
    def beat_ms(self) -> int:
        """The pause after a move in which no other move takes effect (the beat), ms; it follows from the pace, 0 for
        ``Pace.OFF``.

        It comes only after a step that needs a pause (``Game.needs_pause``). Computer players wait as long.
        """
        return BEAT_MS[self.pace]

    @property
    def reveal_delay_ms(self) -> int:
        """How long everybody sees who called before the cards are turned over, in ms; 0: they are turned over at
        once."""
        return REVEAL_DELAY_MS[self.pace] if self.breath else 0

    @property
    def round_result_display_ms(self) -> int:
        """How long the result of a round is shown before the next move takes effect, in ms; 0 for
        ``Pace.OFF``."""
        return max(RESULT_MS, 2 * self.beat_ms) if self.beat_ms else 0
