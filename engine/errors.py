"""What the rules refuse, and why."""

from enum import Enum


class Reason(Enum):
    """Why an action is illegal. ``General`` holds what any game may say; each game's ``errors`` adds its own. The
    texts for players live with the presenters."""


class General(Reason):
    """Reasons that any game may give."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    NOTHING_TO_CALL = "nothing_to_call"
    """Nobody can call before something has happened."""
    MALFORMED = "malformed"
    """It is no action of this game: a field of another type, a seat that nobody has, the same seat twice."""


class IllegalAction(Exception):
    """The rules forbid the action; the state it was tried on still holds.

    ``reason`` says which rule, for the player's ears; ``str()`` is for logs only.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
