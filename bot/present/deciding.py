"""The moments that decided a game, in words: in short, and in detail."""

from collections.abc import Sequence
from typing import Any, Final

from bot.i18n import Words
from bot.present.advice import LITTLE, SMALL, change
from bot.present.commentary import named_in
from bot.present.ending import tie_line, winner_line
from bot.present.presenter import AnyPresenter
from bot.present.sheet import bold, dotted
from bot.review.coach import MISTAKE, Coached, Deciding, Part
from bot.review.decisions import Judged
from bot.tables.scene import AnyScene
from engine.decision import Decision
from engine.game import Seat
from engine.percents import percent, percents
from engine.swings import TOLD, Swing

LUCK: Final = ("🍀", "🌧️", "🎲")
"""A line that begins so says how likely it was: the reason would say it again."""
MARKED: Final = (*LUCK, "🎭")
"""So begin the lines on luck and bluffs. What else is said of an outcome stands in the deed already."""
GREAT: Final = 15
"""Where no moment has changed a chance by as many points, the game was decided bit by bit."""


def gradual(it: Coached) -> bool:
    """Whether the game was decided bit by bit: it was played to its end, and no moment has changed a chance by
    ``GREAT`` points."""
    return it.finished and all(one.swing.size[0] < GREAT for one in it.deciding)


def in_short(it: Deciding, mistake: Judged[Any, Any] | None, presenter: AnyPresenter, words: Words) -> str:
    """What happened at a moment that decided the game, how it changed the reader's chance, if it did, or else that of
    whoever it changed most for, and what would have been better than their *mistake* there, or that what they did was
    good, in a few short sentences."""
    told = [part for part in it.parts if part == it.main or part.shown.scene.just_ended]
    said = [presenter.in_short(part.shown.scene, words) for part in told]
    said.append(_chance(it, words))
    own = [one for part in told for one in part.made if one.decision.seat == it.own]
    if mistake is not None and mistake not in own:
        own.append(mistake)
    return " ".join(filter(None, [*said, *(_own(one, it, presenter, words) for one in own)]))


def _chance(it: Deciding, words: Words) -> str:
    """How the chance of the reader has changed, or of whoever it changed most for if it hardly did, in a sentence."""
    swing, own = it.swing, it.own
    mine = own is not None and abs(swing.points[own]) >= TOLD
    seat = own if own is not None and mine else swing.foremost
    facts = {"before": percents(swing.before)[seat], "after": percents(swing.after)[seat]}
    if mine:
        return words("Your chance: {before}% → {after}%.", **facts)
    name = bold(it.main.shown.scene.name(seat))
    return words("{name}’s chance: {before}% → {after}%.", name=name, **facts)


def _own(judged: Judged[Any, Any], of: Deciding, presenter: AnyPresenter, words: Words) -> str:
    """Whether what the reader decided at the moment *of* was good, or what would have been better, in a sentence;
    empty: it made no difference."""
    it, board, scene = judged.decision, presenter.board, of.main.shown.scene
    if it.settled or not it.mattered or board.ignored(it.made, judged.happened, scene, words):
        return ""
    points = of.points[it.seat] if judged in of.main.made else 0
    if it.points >= SMALL and points >= MISTAKE and it.well:
        return _better(it, points, presenter, words)
    best = f"**{board.done(it.best, words)}**"
    if it.points >= SMALL and of.swing.first == of.swing.last == it.shown_at:
        return words("Better for you: {best}.", best=best)
    if it.points >= SMALL:
        return words("Better for you at step {n}: {best}.", n=it.shown_at, best=best)
    return words("Your choice was good.") if percent(it.best_chance) >= LITTLE else ""


def decisive(it: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool) -> list[str]:
    """What decided the game, a title first: its moments, with *reasons* or without, how it ended, and what does not
    count."""
    title = words("What decided the game") if it.finished else words("What changed the chances most")
    lines = [f"### {title}"]
    if gradual(it):
        lines.append(bit_by_bit(words))
    numbered = enumerate(it.deciding, start=1)
    lines += [_deciding(number, one, presenter, words, reasons=reasons) for number, one in numbered]
    if it.finished:
        lines.append(_end(it, presenter, words))
    lines += filter(None, [tie_line(it.end.scene, presenter, words)])
    if it.dealt is not None:
        lines.append("-# " + _dealt(it, it.dealt, words))
    if it.passing:
        lines.append(
            "-# " + words("The picture also shows changes that were undone within two actions: they do not count.")
        )
    return lines


def bit_by_bit(words: Words) -> str:
    """That the game was decided so, in a sentence."""
    return words("No single action decided it: the chances changed bit by bit.")


def _end(it: Coached, presenter: AnyPresenter, words: Words) -> str:
    """How the game ended, if none of its moments shows that, and who has won."""
    scene, how = it.end.scene, list[str]()
    if it.deciding[-1].swing.last < it.ended_at:
        luck = [line for one in it.ended for line in _turned_out(one, scene, presenter, words)]
        how = [presenter.deed(scene, words), *luck]
    return words("The end: {what}", what=dotted(*how, winner_line(scene, bold, words)))


def _dealt(it: Coached, swing: Swing, words: Words) -> str:
    """That new cards are none of the moments that decided the game, and what the best and worst of them changed."""
    shown = change(it.end.scene, swing.foremost, swing.before, swing.after, words)
    return words(
        "New cards do not count here. Those of step {n} changed the chances most: {change}.",
        n=swing.number,
        change=shown,
    )


def _deciding(number: int, it: Deciding, presenter: AnyPresenter, words: Words, *, reasons: bool) -> str:
    """What happened at one of the moments that decided the game: where, and how the chances changed; below it, what
    somebody did there."""
    swing = it.swing
    step = steps(swing, words)
    star = "⭐ " if it.greatest else ""
    told = []
    for part in it.parts:
        points = it.points if part == it.main else None
        told += [presenter.deed(part.shown.scene, words), *_remarks(part, points, presenter, words, reasons=reasons)]
        told += _better_as_it_lay(it, presenter, words) if reasons and part == it.main else []
    heading = " · ".join([f"{number}. {star}**{step}**", *_changed(it, words)])
    return "\n".join(filter(None, [heading, dotted(*told, *_missed(it, presenter, words))]))


def _changed(it: Deciding, words: Words) -> list[str]:
    """How the chance changed of whoever it changed most for, and on the way there; with more than two players also that
    of whoever it went the other way for."""
    scene, swing, points = it.main.shown.scene, it.swing, it.swing.points
    found = [change(scene, swing.foremost, swing.before, swing.after, words, between=it.between or None)]
    sign = 1 if points[swing.foremost] < 0 else -1
    other = max(range(len(points)), key=lambda seat: sign * points[seat])
    shown = [swing.foremost]
    if len(points) > 2 and sign * points[other] >= MISTAKE:
        shown.append(Seat(other))
    if len(points) > 2:  # whoever it is said to have gone badly or well for
        shown += [one.decision.seat for one in it.main.made if abs(it.points[one.decision.seat]) >= MISTAKE]
    return found + [change(scene, seat, swing.before, swing.after, words) for seat in list(dict.fromkeys(shown))[1:]]


def _missed(it: Deciding, presenter: AnyPresenter, words: Words) -> list[str]:
    """Who could have called before the moment *it*, and should have."""
    better: dict[str, list[str]] = {}
    for one in it.missed:
        name = bold(it.main.shown.scene.name(one.decision.seat))
        better.setdefault(f"**{presenter.board.done(one.decision.best, words)}**", []).append(name)
    return [
        words("By what was known, this was better for {name} before that: {best}.", name=words.all_of(names), best=best)
        for best, names in better.items()
    ]


def steps(swing: Swing, words: Words) -> str:
    """Where a review shows *swing*."""
    if swing.first < swing.last:
        return words("Steps {first}–{last}", first=swing.first, last=swing.last)
    return words("Step {n}", n=swing.first)


def _remarks(
    part: Part,
    points: Sequence[int] | None,
    presenter: AnyPresenter,
    words: Words,
    *,
    reasons: bool,
) -> list[str]:
    """What would have been better than what was done in *part* of a moment that decided the game, and why, or that it
    was no mistake; how it turned out, if the chances of the seats have changed by *points*; and whether it was luck or
    a bluff."""
    said = []
    scene, board = part.shown.scene, presenter.board
    for judged in part.made:
        one, name = judged.decision, bold(scene.name(judged.decision.seat))
        if one.settled or board.ignored(one.made, judged.happened, scene, words):
            continue
        turned_out = _turned_out(judged, scene, presenter, words)
        if not one.mattered:
            said += [words("By what {name} knew, it made no difference.", name=name)] if one.stake else []
        elif one.points >= SMALL:
            said.append(_better(one, points[one.seat] if points else 0, presenter, words))
            if points and points[one.seat] < 0 and one.in_vain:
                said.append(words("As the cards lay, it would have gone no better."))
            if reasons and not any(line.startswith(LUCK) for line in turned_out):
                said.append(board.reason(one, judged.view, named_in(scene), words, name=name))
        else:
            said.append(_good(one, points[one.seat] if points else 0, name, words))
        said += turned_out
        if points and points[one.seat] >= MISTAKE:
            said.append(board.drew(judged, scene, words))
    return said


def _turned_out(judged: Judged[Any, Any], scene: AnyScene, presenter: AnyPresenter, words: Words) -> list[str]:
    """Whether what came of a decision was luck or a bluff, in a line; none if it was neither."""
    return [line for line in presenter.board.aftermath(judged, scene, words) if line.startswith(MARKED)][-1:]


def _better_as_it_lay(it: Deciding, presenter: AnyPresenter, words: Words) -> list[str]:
    """What would have gone better at the moment *it*, though nobody could know; none if it is known to all: that a call
    was wrong, or what was better by what could be known."""
    if it.better is None:
        return []
    judged = next((one for one in it.main.made if one.decision.seat == it.better.seat), None)
    if judged is not None:
        one, scene = judged.decision, it.main.shown.scene
        advised = one.points >= SMALL and type(one.best) is type(it.better.action)
        if advised or _turned_out(judged, scene, presenter, words):
            return []
    return [
        words(
            "As the cards lay, {best} would have left {name} {chance}%.",
            best=f"**{presenter.board.done(it.better.action, words)}**",
            name=bold(it.main.shown.scene.name(it.better.seat)),
            chance=percents(it.better.chances)[it.better.seat],
        )
    ]


def _better(one: Decision, points: int, presenter: AnyPresenter, words: Words) -> str:
    """What would have been better than what was decided, after which the chance of whoever did changed by so many
    *points*."""
    best = f"**{presenter.board.done(one.best, words)}**"
    if points >= MISTAKE and one.well:
        return words("It turned out well, but by what was known this was better: {best}.", best=best)
    if one.points >= MISTAKE:
        return words("A mistake; better: {best}.", best=best)
    return words("Better: {best}.", best=best)


def _good(one: Decision, points: int, name: str, words: Words) -> str:
    """That what *name* decided was good, and whether it went badly: their chance changed by so many *points*."""
    if percent(one.best_chance) < LITTLE:
        return words("The best of bad choices.")
    if points <= -MISTAKE:
        return words("A good choice by what was known, but it went badly for {name}.", name=name)
    return words("A good choice by what was known.")
