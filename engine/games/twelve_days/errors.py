"""Why an action is illegal in 12 Days of Christmas, besides the general reasons."""

from engine.errors import Reason


class Refused(Reason):
    """What only the rules of 12 Days of Christmas forbid."""

    NO_COMBINATION = "no_combination"
    OTHER_TYPE = "other_type"
    NOT_LOW_ENOUGH = "not_low_enough"
    LEADER_PASSES = "leader_passes"
