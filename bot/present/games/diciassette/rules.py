"""The rules of 17 by topic, in the project's own words."""

from typing import Final

from bot.i18n import N_
from bot.present.games.diciassette.pictures import cards_picture, queue_picture
from bot.present.topics import FAIR, Topic
from engine.games.diciassette.cards import Card, Face

_EXAMPLE: Final = (
    (Card.FOUR_OPEN, Face.UP),
    (Card.FIVE, Face.DOWN),
    (Card.THREE, Face.UP),
    (Card.THREE_OPEN, Face.UP),
    (Card.TWO_OPEN, Face.UP),
)

TOPICS: Final = (
    Topic(
        "goal",
        N_("The goal"),
        N_(
            "Be the first with **three victory tokens** 🏆.\n"
            "You win one by calling **17!** when the queue really holds 17 or more, or when somebody calls wrongly "
            "right after your card.\n"
            "Players: 2 to 6, everyone for themselves. Everyone always holds three cards."
        ),
    ),
    Topic(
        "turn",
        N_("Your turn"),
        N_(
            "Lay **one card** at the right end of the queue, **face up** or **face down**, then you draw a new one.\n"
            "Numbers count their value. Specials count 0.\n"
            "When the draw pile runs out, the discard pile is shuffled. "
            "If you have no card left on your turn, you must call."
        ),
    ),
    Topic(
        "cards",
        N_("The cards"),
        N_(
            "1️⃣–5️⃣ **Numbers.** 15 have a plain back ⬛: face down only you know them. "
            "35 show their number on the back too (❶–❺): everyone knows them, even in your hand and on the pile.\n"
            "🔄 **Reverse** ×5. Face up: the direction turns around, until the end of the round.\n"
            "🗑️ **Trash** ×5. Face up: the card to its left leaves the queue, and the Trash with it.\n"
            "⏩ **x2** ×5. Face up: the next player lays two cards, then draws two. Several do not add up.\n"
            "🪤 **Trap** ×5. Face down: when it is turned, you get 🏆 and the caller gets ❌. Face up: nothing.\n"
            "All specials have a plain back. Face down, everything but the Trap is just a 0."
        ),
        cards_picture,
    ),
    Topic(
        "calling",
        N_("Calling 17!"),
        N_(
            "Between two turns, anybody may call **17!** - only not whoever laid the last card. "
            "So you cannot call before the first card of a round, in the middle of a double turn, or right after "
            "your own turn.\n"
            "If several call at the same moment, the one who comes first in turn order after the last player counts.\n"
            "Then all cards are turned and added up."
        ),
    ),
    Topic(
        "end_of_round",
        N_("The end of a round"),
        N_(
            "First the traps that lay face down, left to right: 🏆 for whoever laid it, ❌ for the caller.\n"
            "**17 or more:** the caller gets 🏆, whoever laid the last card gets ❌. "
            "The caller starts the next round.\n"
            "**Less than 17:** the caller gets ❌, whoever laid the last card gets 🏆 and starts the next round.\n"
            "Nobody gets more than one 🏆 in a round."
        ),
    ),
    Topic(
        "example",
        N_("A round as an example"),
        N_(
            "Ada lays a 4 face up. Ben lays a card with a plain back face down: it is a 5, but only he knows. "
            "Cleo lays a 3 face up, Ada a 3 face up, then Ben a 2 face up.\n"
            "Everybody sees 12 and one hidden card. Cleo believes that it is a 5, and calls **17!**\n"
            "The cards are turned: 4 + 5 + 3 + 3 + 2 = **17**. Cleo was right: she gets 🏆 and starts the next round, "
            "Ben, who laid the last card, gets ❌.\n"
            "Had Ben's hidden card been a Reverse, worth 0, the sum would have been 12: ❌ for Cleo, and 🏆 for Ben."
        ),
        lambda words: queue_picture(_EXAMPLE, sum(card.number for card, _ in _EXAMPLE), words),
    ),
    Topic(
        "penalties",
        N_("Penalties and winning"),
        N_(
            "A second ❌ costs you: both go back, and one 🏆 with them if you have one.\n"
            "When all tokens are given, whoever has three 🏆 wins. Several? The one with fewer ❌; "
            "still equal, you win together."
        ),
    ),
    Topic(
        "table",
        N_("At this table"),
        N_(
            "Your hand comes as a direct message; **My hand** shows it here as well, only to you.\n"
            "After every turn there is a short beat in which nobody can lay a card, so that there is time to call. "
            "A card you choose in the meantime is laid when the beat is over.\n"
            "Who was first is decided by Discord's clock, not by your connection.\n"
            "If you are away, a computer player takes your turn, and after the second time your seat; you can take "
            "it back."
        ),
    ),
    FAIR,
)
