"""The rules of 12 Days of Christmas by topic, in the project's own words."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.i18n import N_, Words
from bot.ui.games.twelve_days import cards
from bot.ui.games.twelve_days.drawings import DRAWINGS
from bot.ui.pictures.canvas import GROUND
from bot.ui.pictures.drawings import Picture, make_lazy_picture
from bot.ui.presenter import AWAY_PAGE, FAIR_SHUFFLING_PAGE, RulesPage
from engine.games.twelve_days.cards import RANKS, Card

_CARD: Final = 84
_EXAMPLES: Final[Sequence[Sequence[Card]]] = ((1,), (8, 8, 8), (2, 3, 4, 5))


def ranks_picture(words: Words) -> Picture:
    """Build the picture of the twelve ranks, for the rules page about the cards."""
    alt = words("The cards 1 to 12, each with a picture of its own.")
    return make_lazy_picture("ranks", RANKS, lambda: _draw_card_rows_image([RANKS[:6], RANKS[6:]]), alt)


def combinations_picture(words: Words) -> Picture:
    """Build the picture of a single card, a set and a straight, for the rules page about combinations."""
    alt = words("A single card: 1. A set: 8, 8, 8. A straight: 2, 3, 4, 5.")
    return make_lazy_picture("combinations", _EXAMPLES, lambda: _draw_card_rows_image(_EXAMPLES), alt)


def _draw_card_rows_image(rows: Sequence[Sequence[Card]]) -> Image.Image:
    """Draw the images of cards, given by their ranks, in *rows*."""
    across = max(map(len, rows))
    image = Image.new("RGB", (across * _CARD + 16, len(rows) * (_CARD + 6) + 10), GROUND)
    for down, row in enumerate(rows):
        for right, rank in enumerate(row):
            small = DRAWINGS[cards.rank_symbol(rank).key]().resize((_CARD - 8, _CARD - 8))
            image.paste(small, (12 + right * _CARD, 8 + down * (_CARD + 6)), small)
    return image


RULES_PAGES: Final = (
    RulesPage(
        "goal",
        N_("The goal"),
        N_(
            "Collect the most gifts {gift}.\n"
            "A game has several hands. Whoever wins a trick with their last cards wins the hand, takes a gift from the "
            "supply, and gets another one from whoever is left with the most cards.\n"
            "2 to 8 players, everyone for themselves. There are 12 gifts in the supply. **Full game**: 12 hands, "
            "nobody has a gift at the start. **Short game**: 3 hands, everyone starts with one gift from the supply."
        ),
    ),
    RulesPage(
        "cards",
        N_("The cards"),
        N_(
            "As in the song there is **one** 1, there are **two** 2s, **three** 3s… and **twelve** 12s: 78 cards. "
            "Low cards are strong, and rare.\n"
            "{one_pear} partridge · {two_doves} turtle doves · {three_hen} French hens · {four_bird} calling birds · "
            "{five_ring} golden rings · {six_goose} geese a-laying · {seven_swan} swans · {eight_milk} maids a-milking "
            "· {nine_dancer} ladies dancing · {ten_lord} lords a-leaping · {eleven_pipes} pipers · "
            "{twelve_drum} drummers\n"
            "Everyone gets 12 cards (11 with seven players, 9 with eight). The rest is set aside face down. "
            "All cards are shuffled and dealt afresh for every hand."
        ),
        ranks_picture,
    ),
    RulesPage(
        "combinations",
        N_("What can be played"),
        N_(
            "**Single card**: any one card.\n"
            "**Set**: two or more of one rank, such as {eight_milk}×3.\n"
            "**Straight**: two or more ranks in a row, one card of each, such as {two_doves} {three_hen} {four_bird} "
            "{five_ring}. It cannot wrap around from 12 to 1."
        ),
        combinations_picture,
    ),
    RulesPage(
        "trick",
        N_("A trick"),
        N_(
            "The first leader of the game is drawn by lot. The leader plays any combination. Then everyone in turn, "
            "once around and down the list of players, **answers or passes**.\n"
            "An answer must be of the **same type** as the lead, and its lowest card must be **no higher than the "
            "lead’s**. You need not beat the other answers. Sets and straights may be longer or shorter than the "
            "lead.\n"
            "Example: on {eleven_pipes}×4 you may answer {eight_milk}×2, but not {twelve_drum}×3 (too high), and not "
            "a straight.\n"
            "You may always pass, even if you could play. Only the leader must play."
        ),
    ),
    RulesPage(
        "winning",
        N_("Who takes the trick"),
        N_(
            "The **lowest card** takes the trick; if two are equally low, the one played **later**. "
            "Whoever takes it leads next. The cards played are out for the rest of the hand.\n"
            "**Your last cards must win their trick.** If they do not, you take them back into your hand."
        ),
    ),
    RulesPage(
        "end_of_hand",
        N_("The end of a hand"),
        N_(
            "When you take a trick and have no card left, the hand is yours: you claim **one gift** from the supply. "
            "Then whoever holds the **most cards** (cards taken back count too) gives you one of their gifts, if they "
            "have any; if several are tied, each of them does.\n"
            "You lead the next hand. After the last hand, whoever has the most gifts wins; if tied, you win together."
        ),
    ),
    RulesPage(
        "example",
        N_("A trick as an example"),
        N_(
            "Ada leads two 9s. From now on only sets may be played, of 9 or lower.\n"
            "Ben answers with three 7s: that is lower, and a set may be longer. Cleo holds two 12s: too high, so she "
            "passes. Dan answers with two 7s, his last cards.\n"
            "The lowest card is a 7, played twice: the later one counts, so Dan takes the trick. He has no card left "
            "and wins the hand: he claims a gift. Cleo holds the most cards and gives him one of her gifts.\n"
            "Had Dan played first and Ben after him, Ben would have taken the trick – and Dan his two 7s back."
        ),
    ),
    RulesPage(
        "table",
        N_("At this table"),
        N_(
            "Your hand comes by direct message; **{My hand}** shows it here as well (only you can see it).\n"
            "On your turn a list offers every play that the rules allow. One click plays it. If there are very many, "
            "choose the type first – or pick the cards one by one.\n"
            "After a trick there is a short pause before the next lead, so that everyone sees who took it.\n"
            "You cannot look at earlier tricks again: remembering them is part of the game."
        ),
    ),
    AWAY_PAGE,
    FAIR_SHUFFLING_PAGE,
)
