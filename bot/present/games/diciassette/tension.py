"""A picture of a whole game of 17: card by card, what lay in the queue, and how likely it looked that it held 17."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image

from bot.i18n import Words
from bot.pictures.canvas import GOLD, GROUND, PAPER, QUIET, Canvas
from bot.pictures.picture import Picture, in_words, picture
from bot.pictures.writing import length
from bot.present.sheet import escaped, plain
from bot.review.moments import Open
from engine.games.diciassette.actions import Action
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.events import Called, Event, Revealed
from engine.games.diciassette.odds import estimate
from engine.games.diciassette.view import Seen, View

Open17 = Open[View, Action, Event]

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
    """The queue after a card."""

    visible: int
    """The sum that everybody saw."""
    total: int
    """The sum of all cards."""
    chance: int
    """How likely 17 or more was for somebody who saw only what everybody saw, in percent."""


class Round(NamedTuple):
    """A round of the game."""

    lying: tuple[Lying, ...]
    """After every card."""
    caller: str
    """The name of who called; empty: nobody has, as the game ended before."""
    total: int
    """The sum that was turned over."""


def open_queue(shown: Open17) -> tuple[Seen, ...]:
    """The queue of *shown* with every card known: whoever laid it saw it."""
    return tuple(shown.views[seen.seat].queue[place] for place, seen in enumerate(shown.scene.view.queue))


def rounds_of(moments: Sequence[Open17]) -> list[Round]:
    """The rounds of a game, of which *moments* is all."""
    rounds: list[Round] = []
    lying: list[Lying] = []
    for shown in moments:
        scene = shown.scene
        called = next((event for event in scene.recent if isinstance(event, Called)), None)
        if called is not None:
            total = next(event.total for event in scene.recent if isinstance(event, Revealed))
            rounds.append(Round(tuple(lying), scene.name(called.caller), total))
            lying = []
        elif scene.view.last is not None:
            total = sum(seen.card.number for seen in open_queue(shown) if seen.card is not None)
            lying.append(Lying(scene.view.visible_sum, total, round(100 * estimate(scene.view).seventeen)))
    return [*rounds, Round(tuple(lying), "", 0)] if lying else rounds


def tension_picture(moments: Sequence[Open17], words: Words) -> Picture | None:
    """The picture of the game of which *moments* is all; ``None``: no card was played."""
    rounds = rounds_of(moments)
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
    told = [_round_line(number, it, plain(it.caller), words) for number, it in enumerate(rounds, start=1)]
    instead = [_round_line(number, it, escaped(it.caller), words) for number, it in enumerate(rounds, start=1)]
    shows = [(it.lying, it.caller != "", it.total) for it in rounds]
    return picture(
        "tension", (shows, labels), lambda: draw(rounds, labels), in_words([head, *told]), "\n".join(instead[-12:])
    )


def _round_line(number: int, it: Round, caller: str, words: Words) -> str:
    """What happened in round *number*, in a sentence."""
    if not it.caller:
        return words.plural("Round {number}: {n} card, no call.", "Round {number}: {n} cards, no call.", len(it.lying),
                            number=number)  # fmt: skip
    facts = {"number": number, "name": caller, "total": it.total, "percent": it.lying[-1].chance if it.lying else 0}
    if it.total >= TARGET:
        return words(
            "Round {number}: {name} calls 17! at {total} – right. Chance for someone who sees no hand: {percent}%.",
            **facts,
        )
    return words(
        "Round {number}: {name} calls 17! at {total} – wrong. Chance for someone who sees no hand: {percent}%.",
        **facts,
    )


def draw(rounds: Sequence[Round], labels: tuple[str, str, str, str]) -> Image.Image:
    """Draw *rounds*: bars for the sums, with a line at 17; below, whether each call was right; below that, a line for
    the chances. *labels* are for the sums, what of them everybody saw, what was hidden, and the chances."""
    top = _ROW + 6
    calls = top + _SUMS
    chances = calls + 2 * _ROW + _ROW + 4
    height = chances + _CHANCES + _ROW + 4
    unit = 100 / height
    canvas = Canvas(_WIDTH * unit, height, 2, GROUND)

    def box(x: float, y: float, width: float, tall: float, fill: str) -> None:
        canvas.box(x * unit, y * unit, max(width, 0.5) * unit, tall * unit, fill)

    def write(x: float, y: float, text: str, colour: str, anchor: str = "mm") -> None:
        canvas.text(x * unit, y * unit, text, _TEXT * unit, colour, anchor=anchor)

    def line(points: Sequence[tuple[float, float]], colour: str, width: float) -> None:
        canvas.line([(x * unit, y * unit) for x, y in points], colour, width * unit)

    most = max(20, *(it.total + 1 for one in rounds for it in one.lying))
    step = (_WIDTH - _LEFT - _RIGHT) / sum(len(it.lying) + 1 for it in rounds)

    def sum_at(value: int) -> float:
        return top + _SUMS * (1 - value / most)

    def chance_at(percent: int) -> float:
        return chances + _CHANCES * (1 - percent / 100)

    x = float(_LEFT)
    for number, it in enumerate(rounds, start=1):
        width = (len(it.lying) + 1) * step
        if number % 2:
            box(x, top, width, height - top, _BAND)
        x += width
    for percent in (0, 50, 100):
        line([(_LEFT, chance_at(percent)), (_WIDTH - _RIGHT, chance_at(percent))], _LINE, 1)
    x = float(_LEFT)
    for number, it in enumerate(rounds, start=1):
        middle = x + (len(it.lying) + 1) * step / 2
        points = []
        for lying in it.lying:
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
        if (len(it.lying) + 1) * step >= _TEXT * 0.6 * len(str(number)):
            write(middle, chances + _CHANCES + _ROW / 2 + 2, str(number), QUIET)
        x += step
    for start in range(_LEFT, _WIDTH - _RIGHT, 14):
        line([(start, sum_at(TARGET)), (start + 7, sum_at(TARGET))], PAPER, 2)
    write(_LEFT - 6, sum_at(TARGET), str(TARGET), PAPER, "rm")
    write(_LEFT - 6, chance_at(50), "½", QUIET, "rm")
    title, visible, hidden, chance = labels
    write(_LEFT, 21, title, PAPER, "lm")
    x = _LEFT + length(title, _TEXT) + 22
    for label, hollow in ((visible, False), (hidden, True)):
        box(x, 12, 18, 18, GOLD)
        if hollow:
            box(x + 3, 15, 12, 12, GROUND)
        write(x + 25, 21, label, QUIET, "lm")
        x += 25 + length(label, _TEXT) + 18
    write(_LEFT, chances - _ROW / 2 - 2, chance, PAPER, "lm")
    return canvas.finish()
