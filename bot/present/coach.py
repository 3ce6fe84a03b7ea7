"""What the coach says of a game that is over: of single decisions, and of the game as a whole.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.pictures import chances, standings
from bot.pictures.picture import Picture, in_words, picture
from bot.present.hints import COACH
from bot.present.presenter import AnyPresenter
from bot.present.sheet import bold, escaped, plain
from bot.present.table_message import LEVELS
from bot.tables.coached import Coached, Deciding
from bot.tables.reviewing import Page
from bot.tables.scene import AnyScene
from engine.coaching import Balance, Decision
from engine.game import Seat

BEST: Final = 0.005
"""A decision that has cost less is as good as the best."""
SMALL: Final = 0.02
"""One that has cost less is good ..."""
MISTAKE: Final = 0.05
"""... and one that has cost as much is a mistake."""
MISSED: Final = 0.03
"""Of a call that was not made something is said if that has cost as much."""
LUCK: Final = 0.10
"""With all cards open a chance must change by so much to be good or bad luck."""


def advice(page: Page, presenter: AnyPresenter, words: Words) -> list[str]:
    """What the coach says of the decisions that are shown on *page*, and how it has changed the chances to win."""
    own = not page.before
    lines = []
    for it in page.decisions:
        if it.made is None and it.cost < MISSED:
            continue
        who = "" if own else f"{bold(page.scene.name(it.seat))}: "
        lines.append(f"{COACH.text} {who}{_judged(it, presenter, words)}")
        if it.insight is not None and (page.scene.just_ended or own):
            said = presenter.board.insight(it.insight, words, always=page.scene.just_ended)
            lines += [f"-# {said}"] if said else []
        if it.insight is not None and it.made is not None:
            lines += presenter.board.aftermath(it.insight, page.scene, words)
        if page.before and not page.scene.just_ended:
            lines += _luck(it, page.after[it.seat] - page.before[it.seat], words)
    if page.before:
        changed = [_change(page.scene, seat, page.before, page.after, words) for seat in range(len(page.after))]
        lines.append("-# " + words("Chances to win, all cards open: {chances}", chances=" · ".join(changed)))
    return lines


def _judged(it: Decision, presenter: AnyPresenter, words: Words) -> str:
    """Whether the decision was good, or what would have been better."""
    facts = {
        "made": f"**{presenter.board.done(it.made, words)}**",
        "best": f"**{presenter.board.done(it.best, words)}**",
        "chance": _percent(it.chance),
        "other": _percent(it.best_chance),
    }
    if it.made is None:
        return words("Better just before: {best}, {other}% to win the game instead of {chance}%.", **facts)
    if it.cost < BEST or facts["chance"] == facts["other"]:
        return words("{made} was the best choice: {chance}% to win the game.", **facts)
    if it.cost < SMALL:
        return words("{made} was good: {chance}% to win the game. A little better: {best}, {other}%.", **facts)
    if it.cost < MISTAKE:
        return words("{made} was inaccurate: {chance}% to win the game. Better: {best}, {other}%.", **facts)
    return words("{made} was a mistake: {chance}% to win the game. Better: {best}, {other}%.", **facts)


def _luck(it: Decision, change: float, words: Words) -> list[str]:
    """Whether a good decision has turned out badly, or a bad one well."""
    if it.cost < BEST and change <= -LUCK:
        return [words("🌧️ Bad luck: good as far as one could know, bad with all cards open.")]
    if it.cost >= MISTAKE and change >= LUCK:
        return [words("🍀 Lucky: with all cards open it was good.")]
    return []


def _change(scene: AnyScene, seat: int, before: Sequence[float], after: Sequence[float], words: Words) -> str:
    """How the chance of *seat* has changed."""
    name, then, now = escaped(scene.name(Seat(seat))), _percent(before[seat]), _percent(after[seat])
    return words("{name} {before}→{after}%", name=name, before=then, after=now)


def _percent(chance: float) -> int:
    """A chance in percent."""
    return round(100 * chance)


def told(it: Coached, presenter: AnyPresenter, words: Words) -> list[str]:
    """What the coach says of a game as a whole, one paragraph each: of the reader, of everybody, of the moments that
    decided it."""
    scene = it.end.scene
    paragraphs = []
    if it.own is not None:
        paragraphs.append("\n".join(_own(it, it.balances[it.own], presenter, words)))
    lines = ["### " + words("Luck and skill")]
    lines += [_balance(escaped(scene.name(Seat(seat))), one, words) for seat, one in enumerate(it.balances)]
    lines.append(
        "-# "
        + words(
            "100 points are a win. Everyone starts with {start}. Skill: what others’ mistakes gave, minus what your own"
            " cost. Luck: the rest, such as the cards, and what nobody could know.",
            start=_percent(1 / len(it.balances)),
        )
    )
    paragraphs.append("\n".join(lines))
    if it.deciding:
        lines = ["### " + words("What decided the game")]
        lines += [_deciding(number, one, presenter, words) for number, one in enumerate(it.deciding, start=1)]
        paragraphs.append("\n".join(lines))
    return paragraphs


def _own(it: Coached, balance: Balance, presenter: AnyPresenter, words: Words) -> list[str]:
    """How the reader has played, and their decisions that have cost most."""
    lines = ["### " + words("How you played")]
    if balance.grade is None:
        return [*lines, words("You had nothing to decide.")]
    level, levels = LEVELS[balance.grade - 1], it.end.scene.levels
    lines.append(
        words(
            "Your mistakes cost {cost} of the {stake} points that were at stake: about as much as those of a computer"
            " player of level **{level}** (1 is the weakest, {levels} the strongest). One game says little.",
            cost=round(100 * balance.cost),
            stake=round(100 * balance.stake),
            level=level,
            levels=levels,
        )
    )
    if it.worst:
        lines.append(words("Your costliest decisions:"))
    return [*lines, *(f"- {_costly(one, presenter, words)}" for one in it.worst)]


def _costly(it: Decision, presenter: AnyPresenter, words: Words) -> str:
    """A decision that has cost much."""
    return words(
        "Step {n}: {made} instead of {best} (−{cost} points)",
        n=it.number,
        made=presenter.board.done(it.made, words),
        best=f"**{presenter.board.done(it.best, words)}**",
        cost=_percent(it.best_chance) - _percent(it.chance),
    )


def _balance(name: str, it: Balance, words: Words) -> str:
    """The result of *name*, taken apart: as written, the parts add up."""
    result, skill, own = round(100 * it.result), round(100 * it.skill), round(100 * it.cost)
    parts = words(
        "{result} = luck {luck}, skill {skill} (others’ mistakes {others}, own {own} of {stake} at stake)",
        result=_signed(result),
        luck=_signed(result - skill),
        skill=_signed(skill),
        others=_signed(skill + own),
        own=_signed(-own),
        stake=round(100 * it.stake),
    )
    level = "" if it.grade is None else " · " + words("level {level}", level=LEVELS[it.grade - 1])
    return f"- **{name}**: {parts}{level}"


def _signed(points: int) -> str:
    """*points* with its sign.

    >>> _signed(5), _signed(0), _signed(-5)
    ('+5', '±0', '−5')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "±0"


def _deciding(number: int, it: Deciding, presenter: AnyPresenter, words: Words) -> str:
    """What happened at one of the moments that decided the game."""
    scene = it.shown.scene
    ended = presenter.board.concluded(scene, words) if scene.just_ended else ""
    what = ended or " ".join(presenter.news(scene, words))
    step = words("Step {n}", n=it.number)
    star = "⭐ " if it.greatest else ""
    return f"{number}. {star}**{step}** · {what} · {_change(scene, it.favoured, it.before, it.after, words)}"


def course_picture(it: Coached, words: Words) -> Picture | None:
    """The picture of everybody's chances; ``None``: nothing was played."""
    if len(it.courses) < 2:
        return None
    scene = it.end.scene
    names = [plain(scene.name(Seat(seat))) for seat in range(len(it.balances))]
    written = [standings.drawable(name, number) for number, name in enumerate(names, start=1)]
    head = words("Everyone’s chance to win after every step, all cards open.")
    said = [head]
    for number, one in enumerate(it.deciding, start=1):
        after = [f"{name} {_percent(chance)}%" for name, chance in zip(names, one.after, strict=True)]
        said.append(f"{number}: " + words("after step {n}: {chances}.", n=one.number, chances=", ".join(after)))
    end = [f"{name} {_percent(chance)}%" for name, chance in zip(names, it.courses[-1], strict=True)]
    said.append(words("At the end: {chances}.", chances=", ".join(end)))
    shows = ([[round(chance, 3) for chance in now] for now in it.courses], written, it.marks)
    return picture("chances", shows, lambda: chances.draw(it.courses, written, it.marks), in_words(said), said[0])
