"""12 Days of Christmas behind the face that the shared frame knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.i18n import N_, Words
from bot.pictures.picture import Picture, picture
from bot.pictures.standings import Line, Won, draw
from bot.present.presenter import OptionText, Presenter
from bot.present.sheet import Item, bold, plain
from bot.present.twelve_days import board, cards, hand, rules
from bot.present.twelve_days.drawings import DRAWINGS
from bot.refusals import Why
from bot.tables.model import Phase
from bot.tables.scene import Scene
from engine.errors import General, Reason
from engine.game import Seat, Standing
from engine.twelve_days.actions import Action
from engine.twelve_days.errors import Refused
from engine.twelve_days.events import HandWon
from engine.twelve_days.view import View


class TwelveDaysPresenter(Presenter):
    """12 Days of Christmas on Discord."""

    game = "twelve_days"
    english_title = N_("12 Days of Christmas")
    accent = 0x1F8B4C
    topics = rules.TOPICS
    drawings = DRAWINGS
    pages_for: Mapping[Reason | Why, str] = {
        General.NOT_YOUR_TURN: "trick",
        Refused.NO_COMBINATION: "combinations",
        Refused.OTHER_TYPE: "trick",
        Refused.NOT_LOW_ENOUGH: "trick",
        Refused.LEADER_PASSES: "trick",
    }
    options: Mapping[str, OptionText] = {
        "length": OptionText(N_("Length"), {"full": N_("Full game: 12 hands"), "short": N_("Short game: 3 hands")})
    }
    waiting = N_("It is not your turn yet. The trick is at the table.")
    illegal: Mapping[Reason, str] = {
        General.NOT_YOUR_TURN: N_("It is not your turn: {turn} is. Wait until it comes round to you."),
        General.NOT_IN_HAND: N_("You do not hold these cards. You may play {wanted}."),
        Refused.NO_COMBINATION: N_("These cards do not go together. You may play {wanted}."),
        Refused.OTHER_TYPE: N_("That is another type of play than the lead. You may play {wanted} - or pass."),
        Refused.NOT_LOW_ENOUGH: N_("That is not low enough. You may play {wanted} - or pass."),
        Refused.LEADER_PASSES: N_("You lead, so you cannot pass. You may play {wanted}."),
    }

    def teaser(self, words: Words) -> str:
        return words(
            "Get rid of your cards with single cards, sets and straights. **Low cards win tricks**, and they are rare: "
            "there is one 1, there are twelve 12s. Whoever goes out first claims a gift - and gets one from whoever "
            "holds the most cards. Most gifts win."
        )

    def pace(self, seconds: int, words: Words) -> str:
        return words("{seconds} s after a trick", seconds=seconds)

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
        if scene.on_turn != scene.seat:
            return "winning" if view.trick else None
        return "trick" if view.lead is not None else "combinations"

    def outcome_picture(self, scene: Scene, words: Words) -> Picture | None:
        view: View = scene.view
        ended = any(isinstance(event, HandWon) for event in scene.outcome)
        if not ended or scene.phase is Phase.OVER:  # then the standings say it
            return None
        lines = [Line(0, plain(scene.name(Seat(n))), ((cards.GIFT, gifts),)) for n, gifts in enumerate(view.gifts)]
        said = "; ".join(f"{line.name}: {count}" for line in lines for _, count in line.won)
        alt = words("Gifts so far: {list}", list=said)
        return picture("gifts", lines, lambda: draw(lines, self.drawings), alt)

    def won(self, standing: Standing) -> Won:
        return ((cards.GIFT, standing.score[0]),)

    def last_round(self, scene: Scene, words: Words) -> str:
        return board.last_hand(scene.outcome, scene, words)

    def concerns(self, scene: Scene) -> bool:
        return False  # whoever won the hand leads the next, and is told so anyway

    def hand(self, scene: Scene, words: Words) -> Sequence[Item]:
        return hand.hand(scene, words)

    def own_move(self, scene: Scene, words: Words) -> str:
        return hand.own_move(scene, words)

    def score(self, standing: Standing, words: Words) -> str:
        return f"{cards.GIFT} {standing.score[0]}"

    def move(self, view: Any, arg: str, values: Sequence[str]) -> Action:
        return hand.move(view, arg, values)

    def facts(self, scene: Scene, words: Words) -> Mapping[str, Any]:
        view: View = scene.view
        return {"turn": bold(scene.name(view.turn)), "wanted": cards.wanted(view.lead, words)}


PRESENTER = TwelveDaysPresenter()
