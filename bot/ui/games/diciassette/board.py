"""The game's part of the table message: players, queue, what has just happened, how a round ended."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PIL import Image

from bot.i18n import Words
from bot.review.decisions import JudgedDecision
from bot.review.moments import OpenMoment
from bot.ui import presenter
from bot.ui.components import (
    PLAIN_NO_BREAK_SPACE,
    WORD_JOINER,
    Component,
    bold_name,
    cached_by_public_scene,
    escaped_name,
    plain_name,
    text_display,
)
from bot.ui.games.diciassette import cards, coach
from bot.ui.games.diciassette.coach import sprung_trap_owners
from bot.ui.games.diciassette.reveal import (
    Scene17,
    last_round_call_and_tokens_texts,
    match_point_line,
    reveal_lines,
    viewer_has_card_in_queue,
)
from bot.ui.pictures.canvas import GOLD, GROUND, PAPER, QUIET, Canvas
from bot.ui.pictures.drawings import Picture, alt_text, make_lazy_picture
from bot.ui.pictures.standings import Highlight, TokenCounts
from bot.ui.pictures.symbols import join_symbols
from bot.ui.pictures.text import text_width
from bot.ui.players import card_count_text, player_lines
from bot.ui.presenter import SeatName
from engine.decision import Decision
from engine.game import Seat, Standing
from engine.games.diciassette.actions import Action
from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.coach import Insight
from engine.games.diciassette.events import (
    Called,
    CardPlayed,
    CardTrashed,
    DirectionReversed,
    Doubled,
    Event,
    PileShuffled,
    Revealed,
    RoundStarted,
)
from engine.games.diciassette.highlights import CERTAIN
from engine.games.diciassette.history import Drawn, PlayedThenTrashed, RetoldEvent, Trashed
from engine.games.diciassette.odds import estimate_17_and_traps_in_queue
from engine.games.diciassette.view import Seen, View

# A picture of a whole game of 17: the sum of the queue card by card, and how likely 17 or more looked.


Open17 = OpenMoment[View, Action, Event]

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them."""
_LEFT: Final = 44
_RIGHT: Final = 12
_TEXT: Final = 25
"""The height of text, in pixels."""
_SUMS: Final = 190
_CHANCES: Final = 110
"""The heights of the two charts, in pixels."""
_ROW: Final = 34
"""The height of a line of text, in pixels."""
_BAND: Final = "#2b2f3a"
_LINE: Final = "#5a6070"
_RIGHT_CALL: Final = "#5fd08a"
_WRONG_CALL: Final = "#ff8a80"


class Lying(NamedTuple):
    """The cards that lie in the queue after one was played: their sums, and how likely 17 looked."""

    visible: int
    """The sum that everybody saw."""
    total: int
    """The sum of all cards."""
    chance: int
    """The chance of 17 or more for somebody who saw only what everybody saw, in percent."""


class PlayedRound(NamedTuple):
    """A round of a finished game, for its picture: the queue card by card, and how the round ended."""

    queue_points: tuple[Lying, ...]
    """The queue after every card."""
    caller: str
    """The name of the caller; empty: the game ended before anybody called."""
    total: int
    """The sum of the cards that were turned over."""


def queue_with_all_cards(shown: Open17) -> tuple[Seen, ...]:
    """The queue at a moment of a finished game, with every card known; each player's own view shows their cards."""
    return tuple(shown.views[seen.seat].queue[place] for place, seen in enumerate(shown.scene.view.queue))


def played_rounds(moments: Sequence[Open17]) -> list[PlayedRound]:
    """The rounds of a game of 17 (queue card by card, caller, sum), from all its *moments*; may be empty."""
    rounds: list[PlayedRound] = []
    lying: list[Lying] = []
    for shown in moments:
        scene = shown.scene
        called = next((event for event in scene.recent if isinstance(event, Called)), None)
        if called is not None:
            total = next(event.total for event in scene.recent if isinstance(event, Revealed))
            rounds.append(PlayedRound(tuple(lying), scene.name(called.caller), total))
            lying = []
        elif scene.view.last is not None:
            total = sum(seen.card.number for seen in queue_with_all_cards(shown) if seen.card is not None)
            lying.append(
                Lying(scene.view.visible_sum, total, round(100 * estimate_17_and_traps_in_queue(scene.view).seventeen))
            )
    return [*rounds, PlayedRound(tuple(lying), "", 0)] if lying else rounds


def queues_by_round_picture(moments: Sequence[Open17], words: Words) -> Picture | None:
    """The picture of a game of 17: the queue of each round, from all *moments*; ``None`` if nothing was played."""
    rounds = played_rounds(moments)
    if not rounds:
        return None
    labels = (
        words("Sum in the queue"),
        words("visible"),
        words("hidden"),
        words("Chance of 17 for someone who sees no hand"),
    )
    head = words(
        "The queue of every round, card by card, and the chance of 17 or more for somebody who sees nobody’s hand."
    )
    told = [_round_outcome_line(number, it, plain_name(it.caller), words) for number, it in enumerate(rounds, start=1)]
    instead = [
        _round_outcome_line(number, it, escaped_name(it.caller), words) for number, it in enumerate(rounds, start=1)
    ]
    shows = [(it.queue_points, it.caller != "", it.total) for it in rounds]
    return make_lazy_picture(
        "tension",
        (shows, labels),
        lambda: draw_rounds_chart(rounds, labels),
        alt_text([head, *told]),
        "\n".join(instead[-12:]),
    )


def _round_outcome_line(number: int, played: PlayedRound, caller: str, words: Words) -> str:
    """Return a sentence on how round *number* ended: that *caller* called at which sum, right or wrong, or that nobody
    called."""
    if not played.caller:
        count = len(played.queue_points)
        return words.plural("Round {number}: {n} card, no call.", "Round {number}: {n} cards, no call.", count,
                            number=number)  # fmt: skip
    facts = {
        "number": number,
        "name": caller,
        "total": played.total,
        "percent": played.queue_points[-1].chance if played.queue_points else 0,
    }
    if played.total >= TARGET:
        return words(
            "Round {number}: {name} calls 17! at {total} – right. Chance for someone who sees no hand: {percent}%.",
            **facts,
        )
    return words(
        "Round {number}: {name} calls 17! at {total} – wrong. Chance for someone who sees no hand: {percent}%.",
        **facts,
    )


def draw_rounds_chart(rounds: Sequence[PlayedRound], labels: tuple[str, str, str, str]) -> Image.Image:
    """Draw a game's *rounds*: sums in the queue as bars, a line at 17, right and wrong calls, the chance of 17.

    *labels* are for the sums, the visible part of them, the hidden part, and the chances.
    """
    top = _ROW + 6
    calls = top + _SUMS
    chances = calls + 2 * _ROW + _ROW + 4
    height = chances + _CHANCES + _ROW + 4
    unit = 100 / height
    canvas = Canvas(_WIDTH * unit, height, 2, GROUND)

    def box(x: float, y: float, width: float, tall: float, fill: str) -> None:
        canvas.rectangle(x * unit, y * unit, max(width, 0.5) * unit, tall * unit, fill)

    def write(x: float, y: float, text: str, colour: str, anchor: str = "mm") -> None:
        canvas.text(x * unit, y * unit, text, _TEXT * unit, colour, anchor=anchor)

    def line(points: Sequence[tuple[float, float]], colour: str, width: float) -> None:
        canvas.line([(x * unit, y * unit) for x, y in points], colour, width * unit)

    most = max(20, *(it.total + 1 for one in rounds for it in one.queue_points))
    step = (_WIDTH - _LEFT - _RIGHT) / sum(len(it.queue_points) + 1 for it in rounds)

    def sum_at(value: int) -> float:
        return top + _SUMS * (1 - value / most)

    def chance_at(percent: int) -> float:
        return chances + _CHANCES * (1 - percent / 100)

    x = float(_LEFT)
    for number, it in enumerate(rounds, start=1):
        width = (len(it.queue_points) + 1) * step
        if number % 2:
            box(x, top, width, height - top, _BAND)
        x += width
    for percent in (0, 50, 100):
        line([(_LEFT, chance_at(percent)), (_WIDTH - _RIGHT, chance_at(percent))], _LINE, 1)
    x = float(_LEFT)
    for number, it in enumerate(rounds, start=1):
        middle = x + (len(it.queue_points) + 1) * step / 2
        points = []
        for lying in it.queue_points:
            bar = x + step * 0.5
            wide = step * 0.84
            high = sum_at(lying.total)
            if lying.total > lying.visible:  # a frame
                box(bar, high, wide, sum_at(lying.visible) - high, GOLD)
                rim = min(2.0, wide / 4)
                box(bar + rim, high + rim, wide - 2 * rim, sum_at(lying.visible) - high - rim, GROUND)
            box(bar, sum_at(lying.visible), wide, top + _SUMS - sum_at(lying.visible), GOLD)
            points.append((bar + wide / 2, chance_at(lying.chance)))
            x += step
        if len(points) == 1:
            points = [(points[0][0] - step * 0.4, points[0][1]), (points[0][0] + step * 0.4, points[0][1])]
        if points:
            line(points, PAPER, 4)
        if it.caller:
            right = it.total >= TARGET
            colour = _RIGHT_CALL if right else _WRONG_CALL
            write(middle, calls + _ROW / 2, str(it.total), colour)
            y = calls + _ROW * 1.45
            if right:
                line([(middle - 9, y), (middle - 2, y + 8), (middle + 10, y - 9)], colour, 4)
            else:
                line([(middle - 8, y - 8), (middle + 8, y + 8)], colour, 4)
                line([(middle - 8, y + 8), (middle + 8, y - 8)], colour, 4)
        if (len(it.queue_points) + 1) * step >= _TEXT * 0.6 * len(str(number)):
            write(middle, chances + _CHANCES + _ROW / 2 + 2, str(number), QUIET)
        x += step
    for start in range(_LEFT, _WIDTH - _RIGHT, 14):
        line([(start, sum_at(TARGET)), (start + 7, sum_at(TARGET))], PAPER, 2)
    write(_LEFT - 6, sum_at(TARGET), str(TARGET), PAPER, "rm")
    write(_LEFT - 6, chance_at(50), "½", QUIET, "rm")
    title, visible, hidden, chance = labels
    write(_LEFT, 21, title, PAPER, "lm")
    x = _LEFT + text_width(title, _TEXT) + 22
    for label, hollow in ((visible, False), (hidden, True)):
        box(x, 12, 18, 18, GOLD)
        if hollow:
            box(x + 3, 15, 12, 12, GROUND)
        write(x + 25, 21, label, QUIET, "lm")
        x += 25 + text_width(label, _TEXT) + 18
    write(_LEFT, chances - _ROW / 2 - 2, chance, PAPER, "lm")
    return canvas.finish()


def _history_event_text(event: RetoldEvent, scene: Scene17, words: Words) -> str:
    """A few words on one *event* of a past action; empty if it follows from the card that was played.

    The current direction is not told: that would tell what a card that is gone has done.
    """
    match event:
        case CardPlayed(_, Card.REVERSE, Face.UP):
            return words("{card} direction changes", card=cards.front_symbol(Card.REVERSE))
        case CardPlayed(_, Card.X2, Face.UP):
            return words("{card} next turn: two cards", card=cards.front_symbol(Card.X2))
        case CardPlayed(_, card, Face.UP) if card is not None:
            return words(
                "{card} face up", card=cards.front_symbol(card) if card.number else cards.symbol_and_name(card, words)
            )
        case CardPlayed(_, card, _):
            return words(
                "{card} face down", card=cards.PLAIN_BACK if card is None else cards.own_face_down_symbol(card)
            )
        case PlayedThenTrashed():
            return words("a card (gone now)")
        case Trashed(_, victim) if victim is not None:
            return words(
                "{card} takes {name}’s card", card=cards.front_symbol(Card.TRASH), name=escaped_name(scene.name(victim))
            )
        case Trashed():
            return words("{card} face up", card=cards.symbol_and_name(Card.TRASH, words))
        case Drawn(_, size) if size != 1:  # one card, as nearly always, is not worth a word
            return words.plural("draws {n}", "draws {n}", size)
        case PileShuffled():
            return words("pile shuffled")
        case _:
            return ""


class Board(presenter.Board[View, Action, Event]):
    """What 17 adds to the table message and to reviews: players, queue, news, how a round ended, the coach's texts."""

    def table_components(self, scene: Scene17, words: Words) -> Sequence[Component]:
        """The components that show the table: round, direction, players' tokens and hand sizes, queue, piles."""
        view = scene.view

        def said(seat: Seat) -> str:
            backs = join_symbols(map(cards.two_sided_back_symbol, view.open_backs[seat]), WORD_JOINER)
            held = card_count_text(view.hand_sizes[seat], words).replace(" ", PLAIN_NO_BREAK_SPACE)
            return f"{held}{PLAIN_NO_BREAK_SPACE}{WORD_JOINER}{backs}" if backs else held

        total = words("Visible: **{sum}**", sum=view.visible_sum)
        if hidden := view.hidden_count:
            total += " + " + words.plural("**{n}** hidden card", "**{n}** hidden cards", hidden)
        return (
            text_display(*_title_and_player_lines(scene, said, words)),
            text_display(*_card_queue_lines(scene, total, words)),
        )

    def own_cards(self, view: View) -> str:
        """Return the fronts of the viewer's cards as symbols in one line; empty if they hold none."""
        return join_symbols(map(cards.front_symbol, view.hand), WORD_JOINER)

    def all_cards_components(self, shown: Open17, words: Words) -> Sequence[Component]:
        """The components that show the table with all cards open: everybody's hand, the whole queue and its sum."""
        queue = queue_with_all_cards(shown)
        scene = shown.scene._replace(view=shown.scene.view._replace(queue=queue))
        total = words("Sum: **{sum}**", sum=scene.view.visible_sum)
        if shown.scene.view.hidden_count:
            total += " · " + words("visible to everyone: {sum}", sum=shown.scene.view.visible_sum)
        lines = _title_and_player_lines(scene, lambda seat: self.own_cards(shown.views[seat]) or "–", words)
        return (text_display(*lines), text_display(*_card_queue_lines(scene, total, words)))

    def action_text(self, action: Action | None, words: Words) -> str:
        """Return *action* in a few words: the card and if it lies face up or down, or "calling 17!"; for ``None`` "not
        calling"."""
        return coach.action_text(action, words)

    def insight_text(
        self, insight: Insight, words: Words, *, always: bool = True, own: bool = True, played: bool = False
    ) -> str:
        """Return a text on how likely 17 was, by the cards seen and as good players read the others, and what was at
        stake; may be empty without *always*."""
        return coach.insight_text(insight, words, always=always, own=own, played=played)

    def ignored_action_text(self, made: Action | None, happened: Sequence[Event], scene: Scene17, words: Words) -> str:
        """A sentence that says that a call did not count, as another player's came first (D9); empty if it counted."""
        return coach.ignored_call_text(made, happened, scene, words)

    def better_choice_reason(
        self, decision: Decision, view: View, seat_name: SeatName, words: Words, *, name: str = ""
    ) -> str:
        """Why the best choice was better: how likely 17 was, or that a card lets all see it; empty if unclear."""
        return coach.better_choice_reason(decision, view, words, name=name)

    def certain_consequence_sentence(self, action: Action | None, view: View, words: Words) -> str:
        """Return a sentence that says that everybody sees 17 after *action*, and for whom that is good; empty if they
        do not."""
        return coach.certain_consequence_sentence(action, view, words)

    def call_luck_lines(self, judged: JudgedDecision[View, Event], scene: Scene17, words: Words) -> Sequence[str]:
        """Lines on whether the call that ended a round was lucky, and on bluffs; empty for other decisions."""
        return coach.call_luck_lines(judged, scene, words)

    def lucky_draw_line(self, judged: JudgedDecision[View, Event], scene: Scene17, words: Words) -> str:
        """Return a line that says that the player drew a Trap, the luckiest card, after acting; empty if they did
        not."""
        return coach.drawn_trap_line(judged, scene, words)

    def bluff_result_lines(
        self, acted: Sequence[JudgedDecision[View, Event]], scene: Scene17, words: Words
    ) -> Sequence[str]:
        """Return lines for all but the caller: whose bluff worked, or that a Trap was sprung; empty if neither, and for
        the caller."""
        return coach.bluff_result_lines(acted, scene, words)

    def round_start_review_line(self, scene: Scene17, words: Words) -> str:
        """Return a line for a review that says that the next round begins here; empty if none does."""
        return words("**The next round begins:**") if any(isinstance(it, RoundStarted) for it in scene.outcome) else ""

    def game_course_picture(self, moments: Sequence[Open17], words: Words) -> Picture | None:
        """Build the picture of the queue's sum and the chance of 17, card by card over the whole game; ``None`` if
        nothing was played."""
        return queues_by_round_picture(moments, words)

    def score_token_counts(self, standing: Standing) -> TokenCounts:
        """Return a player's final victory and penalty tokens: (symbol, how many) of both kinds."""
        won, lost = standing.score
        return ((cards.VICTORY, won), (cards.PENALTY, -lost))

    def turn_line(self, scene: Scene17, words: Words) -> str:
        """Return a line that says whose turn it is and who may call 17; once somebody has called, only who called."""
        view = scene.view
        if scene.callers:
            names = words.list_and([bold_name(scene.name(seat)) for seat in scene.callers])
            return words("📣 {names}: **17!** The cards are turned over…", names=names)
        line = _turn_line(scene, words)
        asked = scene.awaits_next and scene.seat is not None  # then the hand asks them whether they call
        if scene.may_call and view.last is not None and not (view.must_call or asked):
            line += " " + _may_call_line(scene, view.last, words)
        return line

    def event_line(self, event: Event, scene: Scene17, words: Words) -> str | None:
        """A line on a card played or discarded, a new direction, a shuffle, who starts; ``None`` for other events."""
        match event:
            case CardPlayed(seat, card, Face.UP) if card is not None:
                return words(
                    "{name} plays {card} face up.",
                    name=bold_name(scene.name(seat)),
                    card=cards.front_symbol(card) if card.number else cards.symbol_and_name(card, words),
                )
            case CardPlayed(seat, None, _):
                return words("{name} plays a card face down.", name=bold_name(scene.name(seat)))
            case CardPlayed(seat, card, _) if card is not None:
                return words(
                    "{name} plays {card} face down.",
                    name=bold_name(scene.name(seat)),
                    card=cards.own_face_down_symbol(card),
                )
            case CardTrashed(seat, card, face):
                if card is None:
                    return words("A face-down card by {name} is discarded.", name=bold_name(scene.name(seat)))
                symbol = cards.front_symbol(card) if face is Face.UP else cards.own_face_down_symbol(card)
                return words("{name}’s {card} is discarded.", name=bold_name(scene.name(seat)), card=symbol)
            case DirectionReversed(direction):
                return words("Now clockwise.") if direction == 1 else words("Now counter-clockwise.")
            case Doubled():
                return words("The next player plays two cards.")
            case PileShuffled(size, _) if scene.ply:
                return words("The discard pile was shuffled: {n} new cards to draw.", n=size)
            case RoundStarted(1, seat):
                return words("By lot: {name} goes first.", name=bold_name(scene.name(seat)))
            case _:
                return None

    def history_line(self, happened: Sequence[RetoldEvent], scene: Scene17, words: Words) -> str:
        """One line on a past action: who played which card, what it did, how many they drew; empty without a card."""
        seat = next((it.seat for it in happened if isinstance(it, CardPlayed | PlayedThenTrashed | Trashed)), None)
        if seat is None:
            return ""
        said = [few for it in happened if (few := _history_event_text(it, scene, words))]
        return f"{bold_name(scene.name(seat))}: {' · '.join(said)}"

    def round_end_lines(self, scene: Scene17, words: Words) -> Sequence[str]:
        """Return lines on how the last round ended: who called, every card turned over, the sum, Traps, tokens; empty
        while none has ended."""
        return reveal_lines(scene, words)

    def round_end_lines_in_hand_message(self, scene: Scene17, words: Words) -> Sequence[str]:
        """Lines for a hand message on the round's end: who called (unless told above), the cards, sum, Traps, tokens.

        Who called is left out for the caller and the player of the last card: ``Hand.viewer_result_line`` says it.
        """
        called = next((event for event in scene.outcome if isinstance(event, Called)), None)
        concerned = called is not None and scene.seat in (called.caller, called.last)
        return reveal_lines(scene, words, called=not concerned)

    def last_round_line(self, scene: Scene17, words: Words) -> str:
        """Return one line on how the last round ended: who called, the sum, who got or returned which tokens; empty
        before that, and for a player who has played since."""
        said = " ".join(filter(None, last_round_call_and_tokens_texts(scene, words)))
        if not said or (scene.seat is not None and viewer_has_card_in_queue(scene)):
            return ""
        return words("Last round: {what}", what=said)

    def round_end_review_line(self, scene: Scene17, words: Words) -> str:
        """One line on a round's end: who called, the sum, whose Traps were sprung, who got or returned which tokens."""
        called, tokens = last_round_call_and_tokens_texts(scene, words)
        owners = sprung_trap_owners(scene.outcome)
        names = words.list_and([bold_name(scene.name(seat)) for seat in dict.fromkeys(owners)])
        traps = ""
        if len(owners) == 1:
            traps = words("A Trap by {names}!", names=names)
        elif owners:
            traps = words.plural("{n} Trap by {names}!", "{n} Traps by {names}!", len(owners), names=names)
        return " ".join(filter(None, [called, traps, tokens]))

    def short_action_line(self, scene: Scene17, words: Words) -> str:
        """Return who called in the round that has just ended, at which sum, right or wrong; empty if no round has just
        ended."""
        return last_round_call_and_tokens_texts(scene, words)[0] if scene.just_ended else ""

    def highlights(self, scene: Scene17, seat_name_at: presenter.SeatNameAtPly, words: Words) -> Sequence[Highlight]:
        """Return the game's bravest call, its best bluff, and whose Traps were sprung how often; what did not happen is
        left out."""
        found: list[Highlight] = []
        if (bravest := scene.highlights.bravest) is not None:
            said = words(
                "{name}, with a chance of {percent}%",
                name=seat_name_at(bravest.caller, bravest.ply),
                percent=_chance_percent(bravest.chance),
            )
            found.append(Highlight(cards.BRAVEST_CALL, words("Bravest call"), said))
        if (bluff := scene.highlights.bluff) is not None:
            said = words(
                "{name}: {caller} called, with a chance of {percent}%",
                name=words.list_and([seat_name_at(seat, bluff.ply) for seat in bluff.hid]),
                caller=seat_name_at(bluff.caller, bluff.ply),
                percent=_chance_percent(bluff.chance),
            )
            found.append(Highlight(cards.BEST_BLUFF, words("Best bluff"), said))
        if snaps := scene.highlights.snaps:
            counts = Counter(seat_name_at(snap.owner, snap.ply) for snap in snaps)
            said = ", ".join(f"{owner}: {count}" for owner, count in counts.most_common())
            found.append(Highlight(cards.front_symbol(Card.TRAP), words("Traps sprung"), said))
        return found

    def helpful_rules_page_key(self, scene: Scene17) -> str | None:
        """The key of the rules page that helps now: a round's end, a turn (first card), cards (on turn), or calling."""
        if not scene.view.queue:
            return "end_of_round" if scene.outcome else "turn"
        return "calling" if scene.on_turn != scene.seat else "cards"


@cached_by_public_scene
def _turn_line(scene: Scene17, words: Words) -> str:
    """A line that says whose turn it is, and how many cards they must play, or that they must call."""
    view = scene.view
    who = bold_name(scene.name(view.turn))
    if view.must_call:
        return words("▶️ {name} has no card left and must call 17.", name=who)
    left = min(view.owed, view.hand_sizes[view.turn])  # whoever owes two and holds one plays the one (D7)
    if left > 1 or view.owed < view.duty:
        return words.plural("▶️ {name} to play {n} more card.", "▶️ {name} to play {n} cards.", left, name=who)
    return words("▶️ {name} to play a card.", name=who)


def _may_call_line(scene: Scene17, last: Seat, words: Words) -> str:
    """A sentence that says who may call 17 after a card of *last*; for a player only whether they may."""
    if scene.seat is None:
        able = [bold_name(person.name) for seat, person in enumerate(scene.people) if seat != last]
        if len(able) == 1:
            return words("{name} may call **17!**", name=able[0])
        return words("Everyone but {name} may call **17!**", name=bold_name(scene.name(last)))
    if scene.seat == last:
        return words("You have played the last card, so you cannot call.")
    return words("You may call **17!**")


def _title_and_player_lines(scene: Scene17, held: Callable[[Seat], str], words: Words) -> Sequence[str]:
    """Lines with round, direction, match point, and each player's tokens and hand (the text that *held* returns)."""
    view = scene.view
    direction = words("↻ clockwise") if view.direction == 1 else words("↺ counter-clockwise")
    title = words("### 17 · Round {round} · {direction}", round=view.round, direction=direction)
    point = match_point_line(scene, words)
    head = [title, f"-# {point}"] if point else [title]
    tokens = [cards.token_counts_text(won, lost) for won, lost in zip(view.victory, view.penalty, strict=True)]
    return [*head, *player_lines(scene, lambda seat: f"{tokens[seat]} · {held(seat)}")]


def _card_queue_lines(scene: Scene17, total: str, words: Words) -> Sequence[str]:
    """Lines with the queue left to right, its sum (*total*, in words), and the sizes of draw pile and discard pile."""
    view = scene.view
    pile = words("Draw pile: {n}", n=view.draw_size)
    if view.draw_size:
        top = cards.two_sided_back_symbol(view.draw_top) if view.draw_top else cards.PLAIN_BACK
        pile += " " + words("(top: {back})", back=top)
    pile += " · " + words("discard pile: {n}", n=view.discard_size)
    if not view.queue:
        return (f"-# {pile}",) if scene.just_ended else (words("The queue is empty."), f"-# {pile}")
    row = words("# Queue: {cards}", cards=cards.queue_text(view.queue))
    return (row, total, f"-# {pile}")


def _chance_percent(chance: int) -> int:
    """Return *chance*, in ten-thousandths and certain neither way, in whole percent: at least 1, at most 99."""
    return min(99, max(1, round(100 * chance / CERTAIN)))
