"""The game's part of the table message: players, the trick, what has just happened."""

from collections.abc import Sequence

from bot.i18n import Words
from bot.tables.scene import Scene
from bot.ui import presenter
from bot.ui.components import NO_BREAK_SPACE, Component, bold_name, escaped_name, text_display
from bot.ui.games.zebra import cards
from bot.ui.pictures.standings import TokenCounts
from bot.ui.players import card_count_text, player_lines
from engine.game import Seat, Standing
from engine.games.zebra.actions import Action
from engine.games.zebra.events import Event, GameEnded, Played, Started, TrickTaken
from engine.games.zebra.view import View

ZebraScene = Scene[View, Action, Event]


class Board(presenter.Board[View, Action, Event]):
    """Players and the trick. What is missing here has a default in ``bot.ui.presenter``."""

    def table_components(self, scene: ZebraScene, words: Words) -> Sequence[Component]:
        """The players, and the cards on the table with who played them."""
        view = scene.view

        def said(seat: Seat) -> str:
            return f"{cards.TRICK}{NO_BREAK_SPACE}{view.tricks[seat]} · {card_count_text(view.hand_sizes[seat], words)}"

        trick = [f"{cards.symbol(play.card)} {escaped_name(scene.name(play.seat))}" for play in view.trick]
        return (
            text_display(words("## Zebra"), *player_lines(scene, said)),
            text_display(*(trick or [words("No card lies on the table.")])),
        )

    def own_cards(self, view: View) -> str:
        """The viewer's cards."""
        return "  ".join(str(cards.symbol(card)) for card in view.hand)

    def score_token_counts(self, standing: Standing) -> TokenCounts:
        """A player's tricks."""
        return ((cards.TRICK, standing.score[0]),)

    def event_line(self, event: Event, scene: ZebraScene, words: Words) -> str | None:
        """A line for plays, who takes the trick, and who starts; ``None`` for other events."""
        match event:
            case Started(seat):
                return words("By lot: {name} leads first.", name=bold_name(scene.name(seat)))
            case Played(seat, card):
                return words("{name} plays {card}.", name=bold_name(scene.name(seat)), card=cards.symbol(card))
            case TrickTaken(seat, card):
                name = bold_name(scene.name(seat))
                return words("{name} takes the trick with {card}.", name=name, card=cards.symbol(card))
            case GameEnded():
                return words("All cards are played.")
            case _:
                return None
