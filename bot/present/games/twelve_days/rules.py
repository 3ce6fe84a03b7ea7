"""The rules of 12 Days of Christmas by topic, in the project's own words."""

from typing import Final

from bot.i18n import N_
from bot.present.games.twelve_days.pictures import combinations_picture, ranks_picture
from bot.present.topics import FAIR, Topic

TOPICS: Final = (
    Topic(
        "goal",
        N_("The goal"),
        N_(
            "Collect the most gifts 🎁.\n"
            "A game has several hands. Whoever gets rid of all their cards first wins the hand, takes a gift from the "
            "supply, and gets another one from whoever is left with the most cards.\n"
            "Players: 2 to 8, everyone for themselves. **Full game**: 12 hands, you start with nothing. "
            "**Short game**: 3 hands, everyone starts with one gift."
        ),
    ),
    Topic(
        "cards",
        N_("The cards"),
        N_(
            "As in the song there is **one** 1, there are **two** 2s, **three** 3s ... and **twelve** 12s: 78 cards. "
            "Low cards are strong, and rare.\n"
            "1🍐 partridge · 2🕊️ turtle doves · 3🐔 French hens · 4🐦 calling birds · 5💍 golden rings · "
            "6🥚 geese a-laying · 7🦢 swans · 8🥛 maids a-milking · 9💃 ladies dancing · 10🤸 lords a-leaping · "
            "11🎶 pipers · 12🥁 drummers\n"
            "Everyone gets 12 cards (11 with seven players, 9 with eight). The rest is set aside unseen. "
            "For every hand all cards are shuffled and dealt anew."
        ),
        ranks_picture,
    ),
    Topic(
        "combinations",
        N_("What can be played"),
        N_(
            "**Single card**: any one card.\n"
            "**Set**: two or more of one rank, such as 8🥛×3.\n"
            "**Straight**: two or more ranks in a row, one card of each, such as 2🕊️ 3🐔 4🐦 5💍. "
            "It does not go around from 12 to 1."
        ),
        combinations_picture,
    ),
    Topic(
        "trick",
        N_("A trick"),
        N_(
            "The leader plays any combination. Then everyone in turn, once around, **answers or passes**.\n"
            "An answer is of the **same type** as the lead, and its lowest card is **as low as the lead's low card, "
            "or lower**. Sets and straights may be longer or shorter than the lead.\n"
            "Example: on 11🎶×4 you may answer 8🥛×2, but not 12🥁×3 (too high), and not a straight.\n"
            "You may always pass, even if you could play. Only the leader must play."
        ),
    ),
    Topic(
        "winning",
        N_("Who takes the trick"),
        N_(
            "The **lowest card** takes the trick; if two are equally low, the one played **later**. "
            "Whoever takes it leads next. The cards are gone.\n"
            "**Your last cards must win their trick.** If they do not, you take them back into your hand."
        ),
    ),
    Topic(
        "end_of_hand",
        N_("The end of a hand"),
        N_(
            "When you take a trick and have no card left, the hand is yours: you claim **one gift** from the supply. "
            "Then whoever holds the **most cards** gives you one of theirs, if they have any; if several hold equally "
            "many, each of them does.\n"
            "You lead the next hand. After the last one the most gifts win; if equal, you win together."
        ),
    ),
    Topic(
        "example",
        N_("A trick as an example"),
        N_(
            "Ada leads two 9s. Only sets count now, with 9 as their highest low card.\n"
            "Ben answers with three 7s: that is lower, and a set may be longer. Cleo holds two 12s: too high, so she "
            "passes. Dan answers with two 7s, his last cards.\n"
            "The lowest card is a 7, played twice: the later one counts, so Dan takes the trick. He has no card left "
            "and wins the hand: he claims a gift. Cleo holds the most cards and gives him one of hers.\n"
            "Had Dan played first and Ben after him, Ben would have taken the trick - and Dan his two 7s back."
        ),
    ),
    Topic(
        "table",
        N_("At this table"),
        N_(
            "Your hand comes as a direct message; **My hand** shows it here as well, only to you.\n"
            "On your turn a list offers every play that the rules allow. One click plays it. If there are very many, "
            "choose the type first - or pick the cards one by one.\n"
            "After a trick there is a short beat before the next lead, so that everybody sees who took it.\n"
            "What was played before lies face down: remembering it is part of the game.\n"
            "If you are away, a computer player takes your turn, and after the second time your seat; you can take "
            "it back."
        ),
    ),
    FAIR,
)
