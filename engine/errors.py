"""The errors of the rules: illegal actions with their reasons, and unusable records of games."""

from enum import Enum


class Reason(Enum):
    """The reason why an action is illegal. ``General`` holds the reasons of any game; each game's ``errors`` adds its
    own.

    The sentences for players are in ``bot/ui``.
    """


class General(Reason):
    """Reasons that any game may give."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    NOTHING_TO_CALL = "nothing_to_call"
    """Nobody can call before something has happened."""
    MALFORMED = "malformed"
    """It is not an action of this game: a field of the wrong type, a seat that does not exist, the same seat twice."""


class IllegalAction(Exception):
    """The rules forbid the action. Nothing has changed: the state on which it was tried is still valid.

    ``reason`` says which rule; players read a sentence made from it. ``str()`` is for logs only.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class BadRecord(Exception):
    """A record of a game is invalid or does not fit. The text says in one line of English what is wrong, and where."""


class UnsupportedVersion(BadRecord):
    """A record has a version that this program does not know."""
