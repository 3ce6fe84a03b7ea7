"""17 on Discord, put together."""

from typing import Final

from bot.i18n import N_
from bot.tables.errors import Why
from bot.ui.games.diciassette import rules
from bot.ui.games.diciassette.board import Board
from bot.ui.games.diciassette.drawings import DRAWINGS
from bot.ui.games.diciassette.hand import Hand
from bot.ui.games.diciassette.lesson import LESSON
from bot.ui.presenter import Presenter
from engine.errors import General
from engine.games.diciassette import tallies
from engine.games.diciassette.actions import Action
from engine.games.diciassette.errors import Refused
from engine.games.diciassette.events import Event
from engine.games.diciassette.view import View

PRESENTER: Final = Presenter[View, Action, Event](
    board=Board(),
    hand=Hand(),
    title=N_("17 (Diciassette)"),
    teaser=N_(
        "Play cards to a queue, face up or face down, and bluff. When you think the queue holds **17 or more**, "
        "slam **17!** Right: you win a victory token. Wrong: you get a penalty, and whoever played the last card "
        "gets the victory token. Three victory tokens win."
    ),
    accent=0xE4572E,
    rules_pages=rules.RULES_PAGES,
    drawings=DRAWINGS,
    count_labels={
        tallies.RIGHT_CALLS: N_("Right calls"),
        tallies.WRONG_CALLS: N_("Wrong calls"),
        tallies.BLUFFS: N_("Bluffs that worked"),
        tallies.TRAPS: N_("Traps sprung"),
    },
    levels=(
        N_("Goes by instinct, calls too late, forgets the discarded cards."),
        N_("Calls too soon, plays every Trap at once, forgets the discarded cards."),
        N_("Bluffs: plays too much face down, and misjudges the queue."),
        N_("Fears that hidden cards are high, and calls a little too soon."),
        N_("Thinks well and forgets nothing, but still trusts its instinct too often."),
        N_("Plays like a master: remembers everything, bluffs and calls as often as is good."),
    ),
    lesson=LESSON,
    waiting_text=N_("It is not your turn yet. To call now, press **Show the queue** first, or **17!** in the channel."),
    history_title=N_("What happened in this round"),
    pace_text=N_("{seconds} s to call 17!"),
    call="17!",
    tie_break=N_("Equal in victory tokens: whoever has fewer penalty tokens wins."),
    outcome_legend=N_("{won} victory token · {lost} penalty token · {other} neither, or both"),
    called_text=N_("**Your 17! is in.** In a moment everyone sees who was first."),
    pages_for={
        Why.ROUND_OVER: "calling",
        Why.CALLED_TOO_LATE: "calling",
        General.NOTHING_TO_CALL: "calling",
        General.NOT_YOUR_TURN: "turn",
        Refused.MUST_CALL: "turn",
        Refused.OWN_TURN_JUST_ENDED: "calling",
        Refused.MID_TURN: "calling",
    },
    follow_label=N_("Show the queue"),
    refusals={
        Why.ROUND_OVER: N_("The round is over: there is nothing to call before the next card is played."),
        Why.MOVED_ON: N_("A card has been played since then. Look again: this is how it stands now."),
        Why.CARD_WAS_FIRST: N_("{name} was faster: a card is being played. Look again, then call."),
        Why.CALL_STANDS: N_("{names} called {call} first, so no card can be played now."),
    },
    illegal={
        General.NOTHING_TO_CALL: N_("No card has been played in this round yet, so there is nothing to call."),
        Refused.MUST_CALL: N_("You have no card left, so you must call 17."),
        Refused.OWN_TURN_JUST_ENDED: N_("You have just played a card, so you cannot call. The others can."),
        Refused.MID_TURN: N_("{turn} is in the middle of a double turn. You can call when it is over."),
    },
)
