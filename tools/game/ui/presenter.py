"""Zebra on Discord, put together."""

from typing import Final

from bot.i18n import N_
from bot.ui.games.zebra.board import Board
from bot.ui.games.zebra.drawings import DRAWINGS
from bot.ui.games.zebra.hand import Hand
from bot.ui.games.zebra.rules import RULES_PAGES
from bot.ui.presenter import OptionText, Presenter
from engine.games.zebra.actions import Action
from engine.games.zebra.errors import Refused
from engine.games.zebra.events import Event
from engine.games.zebra.view import View

PRESENTER: Final = Presenter[View, Action, Event](
    board=Board(),
    hand=Hand(),
    title=N_("Zebra"),
    teaser=N_("A toy game: a few cards each, the highest card takes the trick, the most tricks win."),
    accent=0x4B5263,
    rules_pages=RULES_PAGES,
    drawings=DRAWINGS,
    options={"cards": OptionText(N_("Cards"), {"3": N_("Three cards each"), "2": N_("Two cards each")})},
    illegal={Refused.MUST_BEAT: N_("You can beat the highest card on the table, so you must.")},
    pages_for={Refused.MUST_BEAT: "turn"},
    draft=True,
)
