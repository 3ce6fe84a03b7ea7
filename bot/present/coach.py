"""What the coach says of a game that is over as a whole.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.i18n import Words
from bot.pictures import chances, standings
from bot.pictures.picture import Picture, in_words, picture
from bot.present.advice import LITTLE, SMALL, change
from bot.present.ending import tie_line, winner_line
from bot.present.lines import dotted
from bot.present.presenter import AnyPresenter
from bot.present.sheet import bold, escaped, plain
from bot.present.table_message import LEVELS
from bot.tables.coached import MISTAKE, Coached, Deciding, Points
from bot.tables.judging import Judged
from bot.tables.reviewing import Open
from engine.coaching import Balance, Decision, about
from engine.game import Seat
from engine.percents import percent, percents
from engine.swings import Swing

LUCK: Final = ("🍀", "🌧️", "🎲")
"""A line that begins so says how likely it was: the reason would say it again."""
GREAT: Final = 15
"""Where no moment has changed a chance by as many points, the game was decided bit by bit."""


def told(it: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool = True) -> list[str]:
    """What the coach says of a game as a whole, one paragraph each: of the reader, of everybody, of the moments that
    decided it, with *reasons* or without; of one that was ended before the first move only that."""
    if not it.began:
        return [words("The game ended before the first move.")]
    paragraphs = []
    if it.own is not None:
        paragraphs.append("\n".join(_own(it, it.balances[it.own], presenter, words)))
    lines = ["### " + words("Luck and skill")]
    lines += [_balance(it, Seat(seat), one, words) for seat, one in enumerate(it.in_points)]
    counted = (
        words("A win counts 100 points, a shared one its share of them.")
        if it.finished
        else words("The game was ended early: the chances at that moment stand in for a result.")
    )
    parts = words(
        "Results are counted from the {start} that everyone has before the deal. Skill sets your own mistakes against"
        " those of the others: it is above 0 if yours cost less; what a mistake costs is shared out equally among the"
        " others. Luck is the rest: the cards, what nobody could know, and whom mistakes helped. Skill and luck"
        " together are the result.",
        start=percent(1 / len(it.balances)),
    )
    lines.append(f"-# {counted} {parts}")
    if any(one.grade is not None and not _level(it, Seat(seat)) for seat, one in enumerate(it.balances)):
        share = words("Levels go by that share of all that a player’s decisions could have cost.")
        lines.append(f"-# {share}")
    lines.append("-# " + words("Mistakes are judged by what each player could know, chances by all cards."))
    paragraphs.append("\n".join(lines))
    if it.deciding:
        title = words("What decided the game") if it.finished else words("What changed the chances most")
        lines = [f"### {title}"]
        if it.finished and all(one.swing.size[0] < GREAT for one in it.deciding):
            lines.append(words("No single action decided it: the chances changed bit by bit."))
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
        paragraphs.append("\n".join(lines))
    return paragraphs


def _dealt(it: Coached, swing: Swing, words: Words) -> str:
    """That new cards are none of the moments that decided the game, and what the best and worst of them changed."""
    shown = change(it.end.scene, swing.foremost, swing.before, swing.after, words)
    return words(
        "New cards do not count here. Those of step {n} changed the chances most: {change}.",
        n=swing.number,
        change=shown,
    )


def _own(it: Coached, balance: Balance, presenter: AnyPresenter, words: Words) -> list[str]:
    """How the reader has played, and their decisions that have cost most."""
    lines = ["### " + words("How you played")]
    if balance.grade is not None:
        least, most = about(balance.grade, it.end.scene.levels)
        lines.append(
            words(
                "In this game you played about as well as a computer player of level **{least}** to **{most}** ({first}"
                " is the weakest, {last} the strongest). One game says little about how strong you are.",
                least=LEVELS[least - 1],
                most=LEVELS[most - 1],
                first=LEVELS[0],
                last=LEVELS[it.end.scene.levels - 1],
            )
        )
    elif it.finished:
        lines.append(words("Too few of your decisions mattered for a grade."))
    else:
        lines.append(words("No grade: the game was ended early."))
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
        cost=it.points,
    )
    ignored = board.ignored(it.made, judged.happened, of.end.scene, words)
    return " ".join(filter(None, [f"{line}.", board.reason(it, judged.view, words), ignored]))


def _balance(of: Coached, seat: Seat, it: Points, words: Words) -> str:
    """The result of *seat*, taken apart, and about how well it was played."""
    scene, grade, player = of.end.scene, of.balances[seat].grade, of.end.scene.people[seat]
    parts = words(
        "own mistakes {own}, others’ {others}: skill {skill} · luck {luck} · result {result}",
        result=_signed(it.result),
        luck=_signed(it.luck),
        skill=_signed(it.skill),
        others=_signed(it.others),
        own=_signed(it.own),
    )
    if level := _level(of, seat):
        return f"- **{escaped(player.name)}** 🤖{level}: {parts}"
    line = f"- **{escaped(player.name)}**: {parts}"
    if grade is None:
        return line
    least, most = about(grade, scene.levels)
    found = of.balances[seat]
    level = words(
        "lost {share}% of what was at stake: level {least} to {most}",
        share=percent(found.cost / found.stake),
        least=LEVELS[least - 1],
        most=LEVELS[most - 1],
    )
    return f"{line} · {level}"


def _level(of: Coached, seat: Seat) -> str:
    """The level of the computer player in *seat*, as the lobby shows it; empty: it is a person's, or not known."""
    level = of.end.scene.people[seat].level
    return LEVELS[level - 1] if 0 < level <= of.end.scene.levels else ""


def _signed(points: int) -> str:
    """*points* with its sign.

    >>> _signed(5), _signed(0), _signed(-5)
    ('+5', '±0', '−5')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "±0"


def _end(it: Coached, presenter: AnyPresenter, words: Words) -> str:
    """How the game ended, if none of its moments shows that, and who has won."""
    scene, how = it.end.scene, list[str]()
    if it.deciding[-1].swing.last < it.ended_at:
        luck = [line for one in it.ended for line in presenter.board.aftermath(one, scene, words)[-1:]]
        how = [presenter.deed(scene, words), *luck]
    return words("The end: {what}", what=dotted(*how, winner_line(scene, bold, words)))


def _deciding(number: int, it: Deciding, presenter: AnyPresenter, words: Words, *, reasons: bool) -> str:
    """What happened at one of the moments that decided the game."""
    swing = it.swing
    step = steps(swing, words)
    star = "⭐ " if it.greatest else ""
    told = []
    for shown, made, points in (
        *((one.shown, one.made, None) for one in it.earlier),
        (it.shown, it.made, it.points),
        *((one.shown, one.made, None) for one in it.then),
    ):
        told += [presenter.deed(shown.scene, words), *_remarks(shown, made, points, presenter, words, reasons=reasons)]
    return f"{number}. {star}**{step}** · {dotted(*told, *_missed(it, presenter, words), *_changed(it, words))}"


def _changed(it: Deciding, words: Words) -> list[str]:
    """How the chance changed of whoever it changed most for, and on the way there; with more than two players also that
    of whoever it went the other way for."""
    scene, swing, points = it.shown.scene, it.swing, it.swing.points
    peak = swing.detour(swing.foremost)
    between = next((one for one in swing.way if peak is not None and one[swing.foremost] == peak), None)
    found = [change(scene, swing.foremost, swing.before, swing.after, words, between=between)]
    sign = 1 if points[swing.foremost] < 0 else -1
    other = max(range(len(points)), key=lambda seat: sign * points[seat])
    shown = [swing.foremost]
    if len(points) > 2 and sign * points[other] >= MISTAKE:
        shown.append(Seat(other))
    if len(points) > 2:  # whoever it is said to have gone badly or well for
        shown += [one.decision.seat for one in it.made if abs(it.points[one.decision.seat]) >= MISTAKE]
    return found + [change(scene, seat, swing.before, swing.after, words) for seat in list(dict.fromkeys(shown))[1:]]


def _missed(it: Deciding, presenter: AnyPresenter, words: Words) -> list[str]:
    """Who could have called before the moment *it*, and should have."""
    found = []
    for one in it.missed:
        name = bold(it.shown.scene.name(one.decision.seat))
        best = f"**{presenter.board.done(one.decision.best, words)}**"
        found.append(words("Better for {name} before that: {best}.", name=name, best=best))
    return found


def steps(swing: Swing, words: Words) -> str:
    """Where a review shows *swing*."""
    if swing.first < swing.last:
        return words("Steps {first}–{last}", first=swing.first, last=swing.last)
    return words("Step {n}", n=swing.first)


def _remarks(
    shown: Open[Any, Any, Any],
    made: Sequence[Judged[Any, Any]],
    points: Sequence[int] | None,
    presenter: AnyPresenter,
    words: Words,
    *,
    reasons: bool,
) -> list[str]:
    """What would have been better than what was *made* at a moment that decided the game, and why, or that it was no
    mistake; how it turned out, if the chances of the seats have changed by *points*; and whether it was luck or a
    bluff."""
    said = []
    scene, board = shown.scene, presenter.board
    for judged in made:
        one, name = judged.decision, bold(scene.name(judged.decision.seat))
        if one.settled or board.ignored(one.made, judged.happened, scene, words):
            continue
        turned_out = list(board.aftermath(judged, scene, words)[-1:])
        if not one.mattered:
            said += [words("By what {name} knew, it made no difference.", name=name)] if one.stake else []
        elif one.points >= SMALL:
            said.append(_better(one, points[one.seat] if points else 0, presenter, words))
            if reasons and not any(line.startswith(LUCK) for line in turned_out):
                said.append(board.reason(one, judged.view, words, name=name))
        else:
            said.append(_good(one, points[one.seat] if points else 0, name, words))
        said += turned_out
    return said


def _better(one: Decision, points: int, presenter: AnyPresenter, words: Words) -> str:
    """What would have been better than what was decided, after which the chance of whoever did changed by so many
    *points*."""
    best = f"**{presenter.board.done(one.best, words)}**"
    if points >= MISTAKE:
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


def course_picture(it: Coached, presenter: AnyPresenter, words: Words) -> Picture | None:
    """The picture of everybody's chances; ``None``: nothing was played."""
    if not it.began:
        return None
    scene = it.end.scene
    names = [plain(scene.name(Seat(seat))) for seat in range(len(it.balances))]
    written = [standings.drawable(name, number) for number, name in enumerate(names, start=1)]
    head = words("Everyone’s chance to win after every step, all cards open.")
    said = [head]
    for number, one in enumerate(it.deciding, start=1):
        after = _everyone(names, one.swing.after, words)
        said.append(f"{number}: " + words("after step {n}: {chances}.", n=one.swing.last, chances=after))
    said.append(words("At the end: {chances}.", chances=_everyone(names, it.courses[-1], words)))
    title, part = words("Chance to win, all cards open"), words(presenter.part)
    rounds = it.rounds if len(it.rounds) > 1 else ()
    shows = ([[round(chance, 3) for chance in now] for now in it.courses], written, it.marks, rounds, title, part)
    return picture(
        "chances",
        shows,
        lambda: chances.draw(it.courses, written, it.marks, rounds, title, part),
        in_words(said),
        said[0],
    )


def _everyone(names: Sequence[str], now: Sequence[float], words: Words) -> str:
    """The chances of all *names*."""
    return ", ".join(
        words("{name} {percent}%", name=name, percent=chance) for name, chance in zip(names, percents(now), strict=True)
    )
