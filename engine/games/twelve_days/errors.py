"""Why an action is illegal in 12 Days of Christmas, besides the general reasons."""

from engine.errors import Reason


class Refused(Reason):
    """The reasons for illegal actions that only 12 Days of Christmas has."""

    NO_COMBINATION = "no_combination"
    OTHER_TYPE = "other_type"
    NOT_LOW_ENOUGH = "not_low_enough"
    LEADER_PASSES = "leader_passes"
