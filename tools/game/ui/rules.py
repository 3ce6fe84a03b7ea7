"""The pages of the rules of Zebra."""

from typing import Final

from bot.i18n import N_
from bot.ui.presenter import AWAY_PAGE, FAIR_SHUFFLING_PAGE, RulesPage

RULES_PAGES: Final = (
    RulesPage(
        "goal",
        N_("The goal of Zebra"),
        N_("Win the most tricks. Everyone gets three or two of the cards 1 to 12; the rest is set aside unseen."),
    ),
    RulesPage(
        "turn",
        N_("Your turn in Zebra"),
        N_(
            "The leader plays any card, then everyone else plays one, in turn. If you can beat the highest card on the "
            "table, you must.\n"
            "The highest card takes the trick, and its player leads the next one."
        ),
    ),
    AWAY_PAGE,
    FAIR_SHUFFLING_PAGE,
)
