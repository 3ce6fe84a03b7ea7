"""What the coach says of a game that is over as a whole.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Any

from bot.i18n import Words
from bot.pictures import chances, standings
from bot.pictures.picture import Picture, in_words, picture
from bot.present.commentary import named_in
from bot.present.deciding import decisive
from bot.present.presenter import AnyPresenter
from bot.present.sheet import escaped, plain
from bot.present.table_message import LEVELS
from bot.tables.coached import Coached, Points
from bot.tables.judging import Judged
from engine.coaching import ENOUGH, Balance, about
from engine.game import Seat
from engine.percents import percent, percents


def told(it: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool = True) -> list[str]:
    """What the coach says of a game as a whole, one paragraph each: of the reader, of everybody, of the moments that
    decided it, with *reasons* or without; of one that was ended before the first move only that."""
    if not it.began:
        return [words("The game ended before the first move.")]
    paragraphs = []
    if it.own is not None:
        paragraphs.append("\n".join(_own(it, it.balances[it.own], presenter, words, reasons=reasons)))
    lines = ["### " + words("Luck and skill")]
    lines += [_balance(it, Seat(seat), one, words) for seat, one in enumerate(it.in_points)]
    counted = (
        words("Winning the game counts 100 points; if several win, they share them.")
        if it.finished
        else words("The game was ended early: the chances at that moment stand in for a result.")
    )
    parts = words(
        "Results are counted from the {start} that everyone has before the deal. Skill sets your own mistakes against"
        " those of the others: it is above 0 if yours cost less; what a mistake costs is shared out equally among the"
        " others. Luck is the rest: the cards, what nobody could know, and who gained by mistakes. Skill and luck"
        " together are the result.",
        start=percent(1 / len(it.balances)),
    )
    lines.append(f"-# {counted} {parts}")
    if any(one.grade is not None and not _level(it, Seat(seat)) for seat, one in enumerate(it.balances)):
        share = words("Levels go by that share of all that a player’s decisions could have cost.")
        lines.append(f"-# {share}")
    judged = words(
        "All mistakes count, small ones too. They are judged by what each player could know, chances by all cards."
    )
    lines.append(f"-# {judged}")
    paragraphs.append("\n".join(lines))
    if it.deciding:
        paragraphs.append("\n".join(decisive(it, presenter, words, reasons=reasons)))
    return paragraphs


def _own(it: Coached, balance: Balance, presenter: AnyPresenter, words: Words, *, reasons: bool) -> list[str]:
    """How the reader has played, and their decisions that have cost most, with *reasons* or without."""
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
        lines.append(
            words(
                "Too few of your decisions mattered for a grade: {n} of the {enough} that it takes.",
                n=balance.mattered,
                enough=ENOUGH,
            )
        )
    else:
        lines.append(words("No grade: the game was ended early."))
    if it.worst:
        lines.append(words("Your costliest decisions:"))
    return [*lines, *(f"- {_costly(one, it, presenter, words, reasons=reasons)}" for one in it.worst)]


def _costly(judged: Judged[Any, Any], of: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool) -> str:
    """A decision that has cost much, and, with *reasons*, why, where that can be said."""
    it, board = judged.decision, presenter.board
    line = words(
        "Step {n}: {made} instead of {best} (−{cost} points)",
        n=judged.decision.shown_at,
        made=board.done(it.made, words),
        best=f"**{board.done(it.best, words)}**",
        cost=it.points,
    )
    ignored = board.ignored(it.made, judged.happened, of.end.scene, words)
    why = board.reason(it, judged.view, named_in(of.end.scene), words) if reasons else ""
    return " ".join(filter(None, [f"{line}.", why, ignored]))


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
        "lost {share}% of the {stake} points at stake: level {least} to {most}",
        share=percent(found.cost / found.stake),
        stake=round(100 * found.stake),
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


def course_picture(it: Coached, presenter: AnyPresenter, words: Words) -> Picture | None:
    """The picture of everybody's chances; ``None``: nothing was played."""
    if not it.began:
        return None
    scene = it.end.scene
    names = [plain(scene.name(Seat(seat))) for seat in range(len(it.balances))]
    written = standings.drawn_names(names)
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
        standings.numbers(written, [escaped(name) for name in names]),
    )


def _everyone(names: Sequence[str], now: Sequence[float], words: Words) -> str:
    """The chances of all *names*."""
    return ", ".join(
        words("{name} {percent}%", name=name, percent=chance) for name, chance in zip(names, percents(now), strict=True)
    )
