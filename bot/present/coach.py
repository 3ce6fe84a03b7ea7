"""What the coach says of a game that is over: of single decisions, and of the game as a whole.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.i18n import Words
from bot.pictures import chances, standings
from bot.pictures.picture import Picture, in_words, picture
from bot.present.hints import COACH
from bot.present.presenter import AnyBoard, AnyPresenter
from bot.present.sheet import bold, escaped, plain
from bot.present.table_message import LEVELS
from bot.tables.coached import WORTH_IT, Coached, Deciding, about, points
from bot.tables.judging import Judged
from bot.tables.reviewing import Open, Page
from bot.tables.scene import AnyScene
from engine.coaching import Balance, Decision
from engine.game import Seat

BEST: Final = 0.005
"""A decision that has cost less is as good as the best."""
SMALL: Final = WORTH_IT
"""One that has cost less is good. Of a call that was not made something is said from here on: whatever is told of the
whole game is told on its page too."""
MISTAKE: Final = 0.05
"""One that has cost as much is a mistake."""
LUCK: Final = 0.10
"""With all cards open a chance must change by so much to be good or bad luck."""


def advice(page: Page, presenter: AnyPresenter, words: Words) -> list[str]:
    """What the coach says of the decisions that are shown on *page*, and how it has changed the chances to win."""
    lines = []
    for it in page.decisions:
        if it.decision.made is not None or it.decision.cost >= SMALL:
            lines += _advice(it, page, presenter, words)
    if page.before:
        if lines:
            lines.append("-# " + words("Advice: by what one could know. Chances below: by all cards."))
        lines.append(_changes(page.scene, page.before, page.after, words))
    return lines


def after_deal(page: Page, words: Words) -> list[str]:
    """How a new hand has changed the chances to win; empty: none was dealt, or not all cards are open."""
    return [_changes(page.scene, page.after, page.dealt, words)] if page.dealt else []


def _changes(scene: AnyScene, before: Sequence[float], after: Sequence[float], words: Words) -> str:
    """How everybody's chance to win has changed."""
    changed = [_change(scene, seat, before, after, words) for seat in range(len(after))]
    return "-# " + words("Chances to win, all cards open: {chances}", chances=" · ".join(changed))


def _advice(judged: Judged[Any, Any], page: Page, presenter: AnyPresenter, words: Words) -> list[str]:
    """What the coach says of one decision on *page*."""
    it, board, scene = judged.decision, presenter.board, page.scene
    who = f"{bold(scene.name(it.seat))}: " if page.before else ""
    verdict = _verdict(it, presenter, words)
    ignored = board.ignored(it.made, judged.happened, scene, words)
    lines = [f"{COACH.text} {who}{ignored or verdict}"]
    lines += [f"-# {verdict}"] if ignored else []
    held = board.cards(judged.view)
    if scene.just_ended and it.made is not None and _held_now(page, it.seat, board) != held:
        lines.append("-# " + words("In hand then: {cards}", cards=held))
    said = ""
    if it.insight is not None and (scene.just_ended or not page.before):
        said = board.insight(it.insight, words, always=scene.just_ended or it.made is None)
    reason = "" if said or it.cost < SMALL else board.reason(it, judged.view, words)
    lines += [f"-# {said or reason}"] if said or reason else []
    if not ignored:
        lines += board.aftermath(judged, scene, words)
        if page.before and not scene.just_ended:
            lines += _luck(it, page, words)
    return lines


def _held_now(page: Page, seat: Seat, board: AnyBoard) -> str:
    """What *seat* holds at the moment of *page*, which shows that."""
    view = page.shown.views[seat] if isinstance(page.shown, Open) else page.shown.view
    return board.cards(view)


def _verdict(it: Decision, presenter: AnyPresenter, words: Words) -> str:
    """Whether the decision was good, or what would have been better."""
    facts = {
        "made": f"**{presenter.board.done(it.made, words)}**",
        "best": f"**{presenter.board.done(it.best, words)}**",
        "chance": _percent(it.chance),
        "other": _percent(it.best_chance),
    }
    if it.made is None:
        return words("{best} was better here: {other}% to win the game instead of {chance}%.", **facts)
    if it.cost < BEST or facts["chance"] == facts["other"]:
        return words("{made} was the best choice: {chance}% to win the game.", **facts)
    if it.cost < SMALL:
        return words("{made} was good: {chance}% to win the game. A little better: {best}, {other}%.", **facts)
    if it.cost < MISTAKE:
        return words("{made} was not the best: {chance}% to win the game. Better: {best}, {other}%.", **facts)
    return words("{made} was a mistake: {chance}% to win the game. Better: {best}, {other}%.", **facts)


def _luck(it: Decision, page: Page, words: Words) -> list[str]:
    """Whether a good decision has turned out badly, or a bad one well; nothing where the next action undid it."""
    changes = [now[it.seat] - page.before[it.seat] for now in (page.after, page.later)]
    if it.cost < BEST and max(changes) <= -LUCK:
        return [words("🌧️ Bad luck: right on what one could know, wrong with all cards open.")]
    if it.cost >= SMALL and min(changes) >= LUCK:
        return [words("🍀 But it turned out well: with all cards open it was right.")]
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
    lines += [_balance(scene, Seat(seat), one, words) for seat, one in enumerate(it.balances)]
    lines.append(
        "-# "
        + words(
            "A win counts 100 points. Everyone starts with {start}. Skill: what others’ mistakes gave, minus what your"
            " own cost. Luck: the rest, such as the cards, and what nobody could know.",
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
    least, most = about(balance.grade, it.end.scene.levels)
    lines.append(
        words(
            "In this game you played about as well as a computer player of level **{least}** to **{most}** (1 is the"
            " weakest, {levels} the strongest). One game says little about how strong you are.",
            least=LEVELS[least - 1],
            most=LEVELS[most - 1],
            levels=it.end.scene.levels,
        )
    )
    if it.worst:
        lines.append(words("Your costliest decisions:"))
    return [*lines, *(f"- {_costly(one, it, presenter, words)}" for one in it.worst)]


def _costly(judged: Judged[Any, Any], of: Coached, presenter: AnyPresenter, words: Words) -> str:
    """A decision that has cost much, and why, where that can be said."""
    it, board = judged.decision, presenter.board
    line = words(
        "Step {n}: {made} instead of {best} (−{cost} points)",
        n=judged.shown_at,
        made=board.done(it.made, words),
        best=f"**{board.done(it.best, words)}**",
        cost=points(it),
    )
    ignored = board.ignored(it.made, judged.happened, of.end.scene, words)
    return " ".join(filter(None, [f"{line}.", board.reason(it, judged.view, words), ignored]))


def _balance(scene: AnyScene, seat: Seat, it: Balance, words: Words) -> str:
    """The result of *seat*, taken apart: as written, the parts add up."""
    result, skill, own = round(100 * it.result), round(100 * it.skill), round(100 * it.cost)
    parts = words(
        "{result} = luck {luck}, skill {skill} (others’ mistakes {others}, own {own})",
        result=_signed(result),
        luck=_signed(result - skill),
        skill=_signed(skill),
        others=_signed(skill + own),
        own=_signed(-own),
    )
    line = f"- **{escaped(scene.name(seat))}**: {parts}"
    if it.grade is None:
        return line
    least, most = about(it.grade, scene.levels)
    return f"{line} · " + words("level {least} to {most}", least=LEVELS[least - 1], most=LEVELS[most - 1])


def _signed(points: int) -> str:
    """*points* with its sign.

    >>> _signed(5), _signed(0), _signed(-5)
    ('+5', '±0', '−5')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "±0"


def _deciding(number: int, it: Deciding, presenter: AnyPresenter, words: Words) -> str:
    """What happened at one of the moments that decided the game."""
    scene = it.shown.scene
    step = words("Step {n}", n=it.number)
    star = "⭐ " if it.greatest else ""
    what = " · ".join([presenter.deed(scene, words), *_remarks(it, presenter, words)])
    return f"{number}. {star}**{step}** · {what} · {_change(scene, it.favoured, it.before, it.after, words)}"


def _remarks(it: Deciding, presenter: AnyPresenter, words: Words) -> list[str]:
    """What would have been better at a moment that decided the game; if nothing, whether it was luck or a bluff."""
    said = []
    for judged in it.made:
        one, scene = judged.decision, it.shown.scene
        best = f"**{presenter.board.done(one.best, words)}**"
        if presenter.board.ignored(one.made, judged.happened, scene, words):
            continue
        if one.cost >= MISTAKE:
            said.append(words("A mistake; better: {best}.", best=best))
        elif one.cost >= SMALL:
            said.append(words("Better: {best}.", best=best))
        else:
            said += presenter.board.aftermath(judged, scene, words)[-1:]
    return said


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
