"""What the coach says of a game that is over: of single decisions, and of the game as a whole.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.pictures import chances, standings
from bot.pictures.picture import Picture, in_words, picture
from bot.pictures.symbols import Symbol
from bot.present.presenter import AnyPresenter
from bot.present.sheet import bold, escaped, plain
from bot.present.table_message import LEVELS
from bot.tables.coached import Coached, Deciding
from bot.tables.reviewing import Page
from bot.tables.scene import AnyScene
from engine.coaching import Balance, Decision
from engine.game import Seat

COACH: Final = Symbol("coach", "🎓")
BEST: Final = 0.005
"""A decision that has cost less is as good as the best."""
SMALL: Final = 0.05
"""One that has cost less is no mistake."""
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
        if it.insight is not None and (page.scene.just_ended or (own and it.cost >= BEST)):
            said = [presenter.board.insight(it.insight, words)]
            said.append(presenter.board.aftermath(it.insight, page.scene, words) if it.made is not None else "")
            lines.append("-# " + " ".join(filter(None, said)))
        if page.before and (luck := _luck(it, page.after[it.seat] - page.before[it.seat], words)):
            lines.append(f"-# {luck}")
    if page.before:
        changed = [_change(page.scene, seat, page.before, page.after) for seat in range(len(page.after))]
        lines.append("-# " + words("Chances to win: {chances}", chances=" · ".join(changed)))
    return lines


def _judged(it: Decision, presenter: AnyPresenter, words: Words) -> str:
    """Whether the decision was good, or what would have been better."""
    facts = {
        "best": f"**{presenter.board.done(it.best, words)}**",
        "chance": _percent(it.chance),
        "other": _percent(it.best_chance),
    }
    if it.made is None:
        return words("Just before, a missed chance: {best}, {other}% to win instead of {chance}%.", **facts)
    if it.cost < BEST:
        return words("Best choice: {made}, {chance}% to win.", made=presenter.board.done(it.made, words), **facts)
    if it.cost < SMALL:
        return words("Good choice. A little better: {best}, {other}% to win instead of {chance}%.", **facts)
    return words("Mistake. Better: {best}, {other}% to win instead of {chance}%.", **facts)


def _luck(it: Decision, change: float, words: Words) -> str:
    """Whether a good decision has turned out badly, or a bad one well."""
    if it.cost < SMALL and change <= -LUCK:
        return words("🌧️ Bad luck: the decision was good.")
    if it.cost >= SMALL and change >= LUCK:
        return words("🍀 Lucky: it turned out well.")
    return ""


def _change(scene: AnyScene, seat: int, before: Sequence[float], after: Sequence[float]) -> str:
    """How the chance of *seat* has changed."""
    return f"{escaped(scene.name(Seat(seat)))} {_percent(before[seat])}→{_percent(after[seat])}%"


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
            "Points are hundredths of a win. Skill is what others’ mistakes gave, less what one’s own cost. Luck is the"
            " rest: the cards, and what nobody could know."
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
    grade, levels = LEVELS[balance.grade - 1], it.end.scene.levels
    lines.append(
        words(
            "Grade **{grade}** of {levels}: about as well as a computer player of that level.",
            grade=grade,
            levels=levels,
        )
    )
    if it.worst:
        lines.append(words("Your costliest decisions:"))
    return [*lines, *(f"- {_costly(one, presenter, words)}" for one in it.worst)]


def _costly(it: Decision, presenter: AnyPresenter, words: Words) -> str:
    """A decision that has cost much."""
    return words(
        "Step {n}: {made}, better {best} (−{cost} points)",
        n=it.number,
        made=presenter.board.done(it.made, words),
        best=f"**{presenter.board.done(it.best, words)}**",
        cost=_percent(it.cost),
    )


def _balance(name: str, it: Balance, words: Words) -> str:
    """The result of *name*, taken apart: as written, the parts add up."""
    result, skill = round(100 * it.result), round(100 * it.skill)
    grade = "" if it.grade is None else " · " + words("grade {grade}", grade=LEVELS[it.grade - 1])
    parts = words(
        "{result} = luck {luck} and skill {skill}",
        result=_signed(result),
        luck=_signed(result - skill),
        skill=_signed(skill),
    )
    return f"- **{name}**: {parts}{grade}"


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
    return f"{number}. **{step}** · {what} · {_change(scene, it.favoured, it.before, it.after)}"


def course_picture(it: Coached, words: Words) -> Picture | None:
    """The picture of everybody's chances; ``None``: nothing was played."""
    if len(it.courses) < 2:
        return None
    scene = it.end.scene
    names = [plain(scene.name(Seat(seat))) for seat in range(len(it.balances))]
    written = [standings.drawable(name, number) for number, name in enumerate(names, start=1)]
    head = words("Everyone’s chance to win after every move, all cards open.")
    said = [head]
    for number, one in enumerate(it.deciding, start=1):
        after = [f"{name} {_percent(chance)}%" for name, chance in zip(names, one.after, strict=True)]
        said.append(f"{number}: " + words("after step {n}: {chances}.", n=one.number, chances=", ".join(after)))
    end = [f"{name} {_percent(chance)}%" for name, chance in zip(names, it.courses[-1], strict=True)]
    said.append(words("At the end: {chances}.", chances=", ".join(end)))
    shows = ([[round(chance, 3) for chance in now] for now in it.courses], written, it.marks)
    return picture("chances", shows, lambda: chances.draw(it.courses, written, it.marks), in_words(said), said[0])
