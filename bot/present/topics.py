"""Rules pages that every game shares."""

from typing import Final

from bot.i18n import N_
from bot.present.presenter import Topic

FAIR: Final = Topic(
    "fair",
    N_("Fair shuffling"),
    N_(
        "Every shuffle follows from one secret seed. Its SHA-256 stands under the table before the first card is "
        "dealt; the seed itself is shown after the game. So anybody can recompute every deal and see that nothing "
        "was changed."
    ),
)
