"""17 behind the face that the shared frame knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.i18n import N_, Words
from bot.pictures.picture import Picture
from bot.pictures.standings import Won
from bot.present.diciassette import board, cards, hand, rules
from bot.present.diciassette.drawings import DRAWINGS
from bot.present.diciassette.lesson import LESSON
from bot.present.diciassette.pictures import queue_picture
from bot.present.presenter import Presenter
from bot.present.sheet import Item, bold, text
from bot.refusals import Why
from bot.tables.scene import Scene
from engine.diciassette.actions import Play
from engine.diciassette.errors import Refused
from engine.diciassette.events import Called, Revealed
from engine.diciassette.view import View
from engine.errors import General, Reason
from engine.game import Standing


class DiciassettePresenter(Presenter):
    """17 on Discord."""

    game = "diciassette"
    english_title = N_("17 (Diciassette)")
    accent = 0xE4572E
    shout = "17!"
    shouted = N_("**You called 17!** The cards are turned in a moment.")
    topics = rules.TOPICS
    drawings = DRAWINGS
    lesson = LESSON
    pages_for: Mapping[Reason | Why, str] = {
        Why.ROUND_OVER: "calling",
        Why.CALLED_TOO_LATE: "calling",
        General.NOTHING_TO_CALL: "calling",
        General.NOT_YOUR_TURN: "turn",
        Refused.MUST_CALL: "turn",
        Refused.OWN_TURN_JUST_ENDED: "calling",
        Refused.MID_TURN: "calling",
    }
    waiting = N_("It is not your turn yet. The queue, and calling, are at the table.")
    refusals: Mapping[Why, str] = {
        Why.ROUND_OVER: N_("The round is over: there is nothing to call before the next card is laid."),
        Why.MOVED_ON: N_("Something was laid since you saw that. Look again: here is how it is now."),
        Why.CARD_WAS_FIRST: N_("{name} was faster: a card is being laid. Look again, then call."),
        Why.CALL_STANDS: N_("{names} called {shout} first, so no card can be laid now."),
    }
    illegal: Mapping[Reason, str] = {
        General.NOTHING_TO_CALL: N_("No card has been laid in this round yet, so there is nothing to call."),
        Refused.MUST_CALL: N_("You have no card left, so you must call 17."),
        Refused.OWN_TURN_JUST_ENDED: N_("You just laid a card, so you cannot call. The others can."),
        Refused.MID_TURN: N_("{turn} is in the middle of a double turn. Call when it is over."),
        Refused.NO_CALLER: N_("This button no longer works."),
    }

    def teaser(self, words: Words) -> str:
        return words(
            "Lay cards in a queue, face up or face down, and bluff. When you think the queue holds **17 or more**, "
            "slam **17!** Right: a victory token for you. Wrong: one for whoever laid the last card. "
            "Three tokens win."
        )

    def pace(self, seconds: int, words: Words) -> str:
        return words("{seconds} s to call", seconds=seconds)

    def board(self, scene: Scene, words: Words) -> Sequence[Item]:
        return board.board(scene, words)

    def news(self, scene: Scene, words: Words) -> Sequence[str]:
        return board.news(scene, words)

    def status(self, scene: Scene, words: Words) -> str:
        return board.status(scene, words)

    def outcome(self, scene: Scene, words: Words) -> Sequence[str]:
        return board.outcome(scene.outcome, scene, words)

    def page_now(self, scene: Scene) -> str | None:
        view: View = scene.view
        if not view.queue:
            return "end_of_round" if scene.outcome else "turn"
        return "calling" if scene.on_turn != scene.seat else "cards"

    def outcome_picture(self, scene: Scene, words: Words) -> Picture | None:
        for event in scene.outcome:
            if isinstance(event, Revealed):
                return queue_picture([(card, face) for _, card, face in event.queue], event.total, words)
        return None

    def won(self, standing: Standing) -> Won:
        won, lost = standing.score
        return ((cards.VICTORY, won), (cards.PENALTY, -lost))

    def last_round(self, scene: Scene, words: Words) -> str:
        return board.last_round(scene.outcome, scene, words)

    def concerns(self, scene: Scene) -> bool:
        # Until they lay a card: then their hand is shown anew anyway, and no request is spent on it.
        view: View = scene.view
        waiting = not any(seen.seat == scene.seat for seen in view.queue)
        return waiting and any(isinstance(event, Called) and event.caller == scene.seat for event in scene.outcome)

    def hand(self, scene: Scene, words: Words) -> Sequence[Item]:
        view: View = scene.view
        items = list(hand.hand(scene, words))
        if scene.on_turn is not None and scene.on_turn == scene.seat:
            items.insert(0, text(hand.queue_line(view, words)))
        return items

    def own_move(self, scene: Scene, words: Words) -> str:
        return hand.own_move(scene, words)

    def score(self, standing: Standing, words: Words) -> str:
        won, lost = standing.score
        return f"{cards.VICTORY} {won}  {cards.PENALTY} {-lost}"

    def move(self, view: Any, arg: str, values: Sequence[str]) -> Play:
        return hand.move(view, arg)

    def facts(self, scene: Scene, words: Words) -> Mapping[str, Any]:
        view: View = scene.view
        return {"turn": bold(scene.name(view.turn))}


PRESENTER = DiciassettePresenter()
