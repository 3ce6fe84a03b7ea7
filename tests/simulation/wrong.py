"""What can be wrong with a run."""


class Wrong(AssertionError):
    """Something in a run that must not be."""


class Stale(Wrong):
    """Somebody sees something old although nothing goes wrong any more."""


class Stuck(Wrong):
    """A game does not go on, or the bot does not come back."""


class Lost(Wrong):
    """A move that was answered has had no effect."""


class Homeless(Wrong):
    """A table has two homes at a time, or none for too long, or somebody else changes it."""


class Unanswered(Wrong):
    """A click was shown as failed although nothing prevented an answer."""


class Unexplained(Wrong):
    """A change that does not follow from the rules, or that nobody asked for."""


class Leaked(Wrong):
    """Somebody received what does not follow from their view."""


class Unrecorded(Wrong):
    """The record of a game does not lead to where it is."""


class Miscounted(Wrong):
    """The totals of people are not the sum over the records that count."""


class Attempted(Wrong):
    """The deal of a day was played twice for a result, its result is not that of its table, or a server has two
    boards."""


class Failed(Wrong):
    """The program met a bug of its own, and went on."""


class Ended(Wrong):
    """The bot ended by itself."""


class Nondeterministic(Wrong):
    """The same plan went another way in another process."""
