"""12 Days of Christmas on Discord, put together."""

from typing import Final

from bot.i18n import N_
from bot.ui.games.twelve_days import rules
from bot.ui.games.twelve_days.board import Board
from bot.ui.games.twelve_days.drawings import DRAWINGS
from bot.ui.games.twelve_days.hand import Hand
from bot.ui.presenter import OptionText, Presenter
from engine.errors import General
from engine.games.twelve_days import tallies
from engine.games.twelve_days.actions import Action
from engine.games.twelve_days.errors import Refused
from engine.games.twelve_days.events import Event
from engine.games.twelve_days.view import View

PRESENTER: Final = Presenter[View, Action, Event](
    board=Board(),
    hand=Hand(),
    title=N_("12 Days of Christmas"),
    teaser=N_(
        "Get rid of your cards with single cards, sets and straights. **Low cards win tricks**, and they are rare: "
        "there is one 1, there are twelve 12s. Whoever wins a trick with their last cards claims a gift – and gets "
        "one from whoever holds the most cards. Whoever has the most gifts wins."
    ),
    accent=0x1F8B4C,
    rules_pages=rules.RULES_PAGES,
    drawings=DRAWINGS,
    pace_text=N_("{seconds} s after a trick"),
    round_labels=(N_("Previous hand"), N_("Next hand")),
    round_word=N_("Hand"),
    pages_for={
        General.NOT_YOUR_TURN: "trick",
        Refused.NO_COMBINATION: "combinations",
        Refused.OTHER_TYPE: "trick",
        Refused.NOT_LOW_ENOUGH: "trick",
        Refused.LEADER_PASSES: "trick",
    },
    options={
        "length": OptionText(N_("Length"), {"full": N_("Full game: 12 hands"), "short": N_("Short game: 3 hands")})
    },
    outcome_legend=N_("{won} hand won · {lost} most cards left · {other} neither"),
    history_title=N_("What happened in this trick"),
    count_labels={
        tallies.HANDS: N_("Hands won"),
        tallies.TRICKS: N_("Tricks won"),
        tallies.GIFTS: N_("Gifts received"),
    },
    levels=(
        N_("Wants every trick and spends low cards on it, remembers nothing."),
        N_("Holds on to low cards for too long, remembers nothing."),
        N_("Hurries to get rid of cards; remembers only the 1 and the 2s."),
        N_("A little stingy; remembers which low cards were played."),
        N_("Remembers what was played, but not by whom."),
        N_("Plays like a master: remembers everything, and makes the best of it."),
    ),
    waiting_text=N_("It is not your turn yet. The trick is at the table."),
    illegal={
        General.NOT_YOUR_TURN: N_("It is {turn}’s turn. Wait for yours."),
        General.NOT_IN_HAND: N_("You do not hold these cards. You may play {wanted}."),
        Refused.NO_COMBINATION: N_("These cards do not go together. You may play {wanted}."),
        Refused.OTHER_TYPE: N_("That is not the same type as the lead. You may play {wanted} – or pass."),
        Refused.NOT_LOW_ENOUGH: N_("That is not low enough. You may play {wanted} – or pass."),
        Refused.LEADER_PASSES: N_("You lead, so you cannot pass. You may play {wanted}."),
    },
)
