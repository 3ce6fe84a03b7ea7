"""The game's part of the hand message: the viewer's cards, a button each."""

from collections.abc import Sequence

from bot.i18n import Words
from bot.ui import presenter
from bot.ui.components import Component, action_row, text_display
from bot.ui.games.zebra import cards
from bot.ui.games.zebra.board import ZebraScene
from bot.ui.presenter import MoveControls
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.events import Event
from engine.games.zebra.view import View


class Hand(presenter.Hand[View, Action, Event]):
    """The viewer's cards, and on their turn a button for each."""

    def hand_components(
        self, scene: ZebraScene, controls: MoveControls[View, Action], words: Words
    ) -> Sequence[Component]:
        """The cards; on the viewer's turn a button for each, disabled where the rules forbid it."""
        view = scene.view
        if not view.hand:
            return (text_display(words("You have no card left.")),)
        shown = text_display("### " + "  ".join(str(cards.symbol(card)) for card in view.hand))
        if not scene.allowed:
            return (shown,)
        buttons = [controls.button(str(card), Play(view.turn, card), symbol=cards.symbol(card)) for card in view.hand]
        return (shown, action_row(*buttons))

    def move_takes_effect_soon_line(self, action: Action, words: Words) -> str:
        """A sentence that says which card the viewer is about to play."""
        return words("You play {card}, in a moment.", card=cards.symbol(action.card))
