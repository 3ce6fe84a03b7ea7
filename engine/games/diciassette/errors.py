"""Why an action is illegal in 17, besides the general reasons."""

from engine.errors import Reason


class Refused(Reason):
    """The reasons for illegal actions that only 17 has."""

    MUST_CALL = "must_call"
    OWN_TURN_JUST_ENDED = "own_turn_just_ended"
    MID_TURN = "mid_turn"
