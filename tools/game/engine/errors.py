"""Why an action is illegal in Zebra, besides the general reasons."""

from engine.errors import Reason


class Refused(Reason):
    """What only the rules of Zebra forbid. Each has its sentence in the presenter (``illegal``)."""

    MUST_BEAT = "must_beat"
