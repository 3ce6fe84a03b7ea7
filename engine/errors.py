"""What the rules refuse, and why."""

from enum import Enum


class Reason(Enum):
    """Why an action is illegal. The texts for players live in ``bot.texts``."""

    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    MUST_CALL = "must_call"
    NOTHING_TO_CALL = "nothing_to_call"
    OWN_TURN_JUST_ENDED = "own_turn_just_ended"
    MID_TURN = "mid_turn"
    NO_CALLER = "no_caller"


class IllegalAction(Exception):
    """The rules forbid the action; the state it was tried on still holds.

    ``reason`` says which rule, for the player's ears; ``str()`` is for logs only.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
