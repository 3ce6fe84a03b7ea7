"""The rules of 17 by topic, in the project's own words."""

from typing import Final

from bot.i18n import N_
from bot.ui.games.diciassette.pictures import all_cards_picture, revealed_queue_picture
from bot.ui.presenter import AWAY_PAGE, FAIR_SHUFFLING_PAGE, RulesPage
from engine.games.diciassette.cards import Card, Face

_EXAMPLE: Final = (
    (Card.FOUR_OPEN, Face.UP),
    (Card.FIVE, Face.DOWN),
    (Card.THREE, Face.UP),
    (Card.THREE_OPEN, Face.UP),
    (Card.TWO_OPEN, Face.UP),
)

RULES_PAGES: Final = (
    RulesPage(
        "goal",
        N_("The goal"),
        N_(
            "Be the first to have **three victory tokens** {victory}.\n"
            "You win one by calling **17!** when the queue really holds 17 or more, when someone calls wrongly right "
            "after your card, or with a Trap.\n"
            "2 to 6 players, everyone for themselves. Everyone is dealt three cards and draws back up to three after "
            "each turn; the rest is the draw pile. Who starts is drawn by lot. Play goes clockwise, that is, down the "
            "list of players; every round begins in that direction."
        ),
    ),
    RulesPage(
        "turn",
        N_("Your turn"),
        N_(
            "Play **one card** at the right end of the queue, **face up** or **face down**. It takes effect, and you "
            "draw a new one.\n"
            "Number cards count their value, special cards 0.\n"
            "When the draw pile is empty, the discard pile is shuffled and becomes the new one. If there is nothing "
            "left to draw, you have fewer cards until the next round.\n"
            "If you have no card left on your turn, you must call. If you wait, the bot calls for you."
        ),
    ),
    RulesPage(
        "cards",
        N_("The cards"),
        N_(
            "{one}–{five} **Numbers.** Three of each have a plain back {plain_back}: face down, only whoever played "
            "them knows what they are. Seven of each are two-sided, with their number on the back too "
            "({one_back}–{five_back}): everyone knows them, even face down, in your hand and on top of the draw pile.\n"
            "{reverse} **Reverse** ×5. Face up: play changes direction until the next Reverse or the end of the "
            "round. It works as the first card of a round too.\n"
            "{trash} **Trash** ×5. Face up: the card to its left leaves the queue, and the Trash with it; with an "
            "empty queue only the Trash goes. A face-down card stays hidden. What a discarded Reverse or x2 has done "
            "stays done. You still count as the one who played the last card.\n"
            "{x2} **x2** ×5. Face up: the next player plays two cards, then draws two. Two or more x2 do not stack: "
            "it stays at two cards. Whoever has only one plays that one.\n"
            "{trap} **Trap** ×5. Face down: when it is turned over, you get {victory} and the caller gets {penalty}. "
            "Face up: nothing.\n"
            "All special cards have a plain back. Face down, each of them but the Trap is just a 0. "
            "In all there are 70 cards."
        ),
        all_cards_picture,
    ),
    RulesPage(
        "calling",
        N_("Calling 17!"),
        N_(
            "Between turns anyone may call **17!** – except whoever played the last card. "
            "So you cannot call before the first card of a round, in the middle of a double turn, or right after "
            "your own turn.\n"
            "If several call at the same moment, the call of whoever comes first in turn order after the player of "
            "the last card counts; nothing happens to the others.\n"
            "Then all cards are turned over and added up. A card that lay face down has its back showing behind it."
        ),
    ),
    RulesPage(
        "end_of_round",
        N_("The end of a round"),
        N_(
            "First every Trap that lay face down, from left to right: {victory} for whoever played it, {penalty} for "
            "the caller. Then the sum:\n"
            "**17 or more:** the caller gets {victory}, whoever played the last card gets {penalty}. "
            "The caller starts the next round.\n"
            "**Less than 17:** the caller gets {penalty}, whoever played the last card gets {victory} and starts the "
            "next round.\n"
            "Nobody gets more than one {victory} in a round; that does not change who starts the next one.\n"
            "The queue goes to the discard pile, which nobody may look through: remembering it is part of the game. "
            "Everyone keeps their cards, and whoever has fewer than three draws up to three."
        ),
    ),
    RulesPage(
        "example",
        N_("A round as an example"),
        N_(
            "Ada plays a 4 face up. Ben plays a card with a plain back face down: it is a 5, but only he knows. "
            "Cleo plays a 3 face up, Ada a 3 face up, then Ben a 2 face up.\n"
            "Everyone sees 12 and one hidden card. Cleo believes that it is a 5, and calls **17!**\n"
            "The cards are turned over: 4 + 5 + 3 + 3 + 2 = **17**. Cleo was right: she gets {victory} and starts the "
            "next round. Ben, who played the last card, gets {penalty}.\n"
            "Had Ben’s hidden card been a Reverse, worth 0, the sum would have been 12: {penalty} for Cleo, and "
            "{victory} for Ben."
        ),
        lambda words: revealed_queue_picture(_EXAMPLE, sum(card.number for card, _ in _EXAMPLE), words),
    ),
    RulesPage(
        "penalties",
        N_("Penalties and winning"),
        N_(
            "When you get a second {penalty}, both go back, and one {victory} with them if you have one.\n"
            "When all tokens have been given, whoever has three {victory} wins. If several do, the one of them with "
            "the fewest {penalty} wins; if still tied, you win together."
        ),
    ),
    RulesPage(
        "table",
        N_("At this table"),
        N_(
            "Your hand comes by direct message; **{My hand}** shows it here as well (only you can see it).\n"
            "After every turn there is a short pause in which no card can be played, so that there is time to call. "
            "A card you choose in the meantime is played when the pause is over.\n"
            "Discord’s clock decides who was first, not your connection. Calls within ¾ of a second of the first one "
            "count as simultaneous; until then nobody sees that someone has called."
        ),
    ),
    AWAY_PAGE,
    FAIR_SHUFFLING_PAGE,
)
