"""What the coach says of a game that is over as a whole: in short, and in detail with its figures.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.i18n import Words
from bot.pictures import chances, standings
from bot.pictures.picture import Picture, in_words, picture
from bot.present.commentary import named_in
from bot.present.deciding import bit_by_bit, decisive, gradual, in_short, steps
from bot.present.ending import winner_line
from bot.present.presenter import AnyPresenter
from bot.present.sheet import bold, escaped, plain
from bot.present.table_options import LEVELS
from bot.review.coach import Coached, Mattered, Points
from bot.review.decisions import Judged
from engine.coaching import ENOUGH, Balance, about
from engine.game import Seat
from engine.percents import percent, percents

LUCKY: Final = 10
"""Whoever has gained or lost as many points by luck was lucky or unlucky ..."""
VERY: Final = 50
"""... and by as many, half a win, very."""


def told(it: Coached, presenter: AnyPresenter, words: Words) -> list[str]:
    """What the coach says of a game as a whole, one paragraph each: how the reader has played, or, if they did not, who
    has won; and the moments that mattered, a line each; of one that was ended before the first move only that."""
    if not it.began:
        return [words("The game ended before the first move.")]
    mattered = it.mattered
    if it.own is not None:
        lucky = _luck(it.in_points[it.own].luck, words)
        first = [_how_well(it, it.balances[it.own], words), f"**{lucky}**"]
        title = words.plural("The moment that mattered", "The moments that mattered", len(mattered))
    elif it.finished:
        first, title = [winner_line(it.end.scene, bold, words)], words("What decided the game")
    else:
        first, title = [words("The game was ended early: nobody has won.")], words("What changed the chances most")
    lines = [f"### {title}"]
    if gradual(it):
        lines.append(bit_by_bit(words))
    elif it.own is None and it.finished:
        first += [
            words("What decided it most: {step}.", step=f"**{steps(one.swing, words)}**")
            for one in it.deciding
            if one.greatest
        ]
    lines += [f"{number}. {_moment(one, presenter, it, words)}" for number, one in enumerate(mattered, start=1)]
    return [" ".join(first), *(["\n".join(lines)] if mattered else [])]


def _how_well(of: Coached, it: Balance, words: Words) -> str:
    """About how well the reader has played, or why that cannot be said, in a sentence."""
    if it.grade is not None:
        return words(
            "In this game you played about as well as a computer of level **{level}** ({first} is the weakest, {last}"
            " the strongest).",
            level=LEVELS[it.grade - 1],
            first=LEVELS[0],
            last=LEVELS[of.end.scene.levels - 1],
        )
    if of.finished:
        return words(
            "How well you played cannot be said: only {n} of your decisions could change much, and it takes {enough}.",
            n=it.mattered,
            enough=ENOUGH,
        )
    return words("The game was ended early, so it cannot be said how well you played.")


def _luck(points: int, words: Words) -> str:
    """Whether somebody was lucky, to whom luck has given so many *points*."""
    if abs(points) < LUCKY:
        return words("You were neither lucky nor unlucky.")
    if points > 0:
        return words("You were lucky.") if points < VERY else words("You were very lucky.")
    return words("You were unlucky.") if points > -VERY else words("You were very unlucky.")


def _moment(it: Mattered, presenter: AnyPresenter, of: Coached, words: Words) -> str:
    """What happened at a moment that mattered, and what it changed, or what the reader should have done."""
    if it.deciding is not None:
        return f"**{steps(it.deciding.swing, words)}**: {in_short(it.deciding, it.mistake, presenter, words)}"
    assert it.mistake is not None  # one of the two is told
    one, board = it.mistake.decision, presenter.board
    line = words(
        "Your choice: {made}. Better: {best} ({other}% to win instead of {chance}%).",
        made=board.done(one.made, words),
        best=f"**{board.done(one.best, words)}**",
        other=percent(one.best_chance),
        chance=percent(one.chance),
    )
    ignored = board.ignored(one.made, it.mistake.happened, of.end.scene, words)
    step = words("Step {n}", n=one.shown_at)
    return " ".join(filter(None, [f"**{step}**: {line}", ignored]))


def figures(it: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool = True) -> list[str]:
    """What the coach says of a game in detail, one paragraph each: of the reader, of everybody, of the moments that
    decided it, with *reasons* or without; of one that was ended before the first move only that."""
    if not it.began:
        return [words("The game ended before the first move.")]
    paragraphs = []
    if it.own is not None:
        paragraphs.append("\n".join(_own(it, it.balances[it.own], presenter, words, reasons=reasons)))
    lines = ["### " + words("Luck and skill"), *_explained(it, words)]
    lines += [_balance(it, Seat(seat), one, words) for seat, one in enumerate(it.in_points)]
    paragraphs.append("\n".join(lines))
    if it.deciding:
        paragraphs.append("\n".join(decisive(it, presenter, words, reasons=reasons)))
    return paragraphs


def _explained(it: Coached, words: Words) -> list[str]:
    """What the figures of a balance mean, a small line each: in the longest messages the figures are worth more."""
    start = percent(1 / len(it.balances))
    said = {
        words("Skill"): words(
            "what the mistakes of the others gave a player, less what their own cost. Small mistakes count too. They"
            " are judged by what each player could know; what they cost is shared out equally among the others."
        ),
        words("Luck"): words("all the rest: the cards, what nobody could know, and who gained by mistakes."),
    }
    if it.finished:
        said[words("Result")] = words(
            "skill and luck together. A win is 100 points (if several win, they share them), less the {start} that"
            " everyone has before the deal.",
            start=start,
        )
    else:
        said[words("Result")] = words(
            "skill and luck together. The game was ended early, so it is the chance to win at that moment, less the"
            " {start}% that everyone has before the deal.",
            start=start,
        )
    if any(one.grade is not None and not _computers_level(it, Seat(seat)) for seat, one in enumerate(it.balances)):
        said[words("Level")] = words(
            "by the share of the points at stake (all that a player’s decisions could have cost) that was lost. One"
            " game says little, so it is a range."
        )
    return [f"-# **{title}**: {line}" for title, line in said.items()]


def _own(it: Coached, balance: Balance, presenter: AnyPresenter, words: Words, *, reasons: bool) -> list[str]:
    """How the reader has played, and their decisions that have cost most, with *reasons* or without."""
    lines = ["### " + words("How you played"), _how_well(it, balance, words)]
    if balance.grade is not None:
        least, most = about(balance.grade, it.end.scene.levels)
        likely = words(
            "One game says little about how strong you are: level **{least}** to **{most}** is likely.",
            least=LEVELS[least - 1],
            most=LEVELS[most - 1],
        )
        lines.append(f"-# {likely}")
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
    """The result of *seat*, taken apart, and about how well it was played: a line, and small ones below it."""
    scene, found, player = of.end.scene, of.balances[seat], of.end.scene.people[seat]
    level = _computers_level(of, seat)
    name = f"**{escaped(player.name)}**" + (f" 🤖{level}" if level else "")
    parts = words(
        "skill {skill} · luck {luck} · result {result}",
        skill=_signed(it.skill),
        luck=_signed(it.luck),
        result=_signed(it.result),
    )
    lines = [
        f"- {name}: {parts}",
        "  - " + words("own mistakes {own}, others’ {others}", own=_signed(it.own), others=_signed(it.others)),
    ]
    if found.grade is not None and not level:
        least, most = about(found.grade, scene.levels)
        lost = words(
            "lost {share}% of the {stake} points at stake: level {least} to {most}",
            share=percent(found.cost / found.stake),
            stake=round(100 * found.stake),
            least=LEVELS[least - 1],
            most=LEVELS[most - 1],
        )
        lines.append(f"  - {lost}")
    return "\n".join(lines)


def _computers_level(of: Coached, seat: Seat) -> str:
    """The level of the computer player in *seat*, as the lobby shows it; empty: it is a person's, or not known."""
    level = of.end.scene.people[seat].level
    return LEVELS[level - 1] if 0 < level <= of.end.scene.levels else ""


def _signed(points: int) -> str:
    """*points* with its sign.

    >>> _signed(5), _signed(0), _signed(-5)
    ('+5', '±0', '−5')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "±0"


def course_picture(it: Coached, presenter: AnyPresenter, words: Words, *, decisive: bool = False) -> Picture | None:
    """The picture of everybody's chances, where the moments that mattered are marked, or those that were *decisive*;
    ``None``: nothing was played."""
    if not it.began:
        return None
    scene = it.end.scene
    names = [plain(scene.name(Seat(seat))) for seat in range(len(it.balances))]
    written = standings.drawn_names(names)
    head = words("Everyone’s chance to win after every step, all cards open.")
    shown = [Mattered(mark, one, None) for mark, one in zip(it.marks, it.deciding, strict=True)]
    shown = shown if decisive else list(it.mattered)
    marks = [one.place for one in shown]
    said = [head]
    for number, one in enumerate(shown, start=1):
        last, now = _after(one, it)
        said.append(f"{number}: " + words("after step {n}: {chances}.", n=last, chances=_everyone(names, now, words)))
    said.append(words("At the end: {chances}.", chances=_everyone(names, it.courses[-1], words)))
    title, part = words("Chance to win, all cards open"), words(presenter.part)
    rounds = it.rounds if len(it.rounds) > 1 else ()
    shows = ([[round(chance, 3) for chance in now] for now in it.courses], written, marks, rounds, title, part)
    return picture(
        "chances",
        shows,
        lambda: chances.draw(it.courses, written, marks, rounds, title, part),
        in_words(said),
        said[0],
        standings.numbers(written, [escaped(name) for name in names]),
    )


def _after(it: Mattered, of: Coached) -> tuple[int, Sequence[float]]:
    """The step after which the moment *it* was over, and everybody's chances then."""
    if it.deciding is not None:
        return it.deciding.swing.last, it.deciding.swing.after
    assert it.mistake is not None  # one of the two is told
    return it.mistake.decision.shown_at, of.courses[it.place]


def _everyone(names: Sequence[str], now: Sequence[float], words: Words) -> str:
    """The chances of all *names*."""
    return ", ".join(
        words("{name} {percent}%", name=name, percent=chance) for name, chance in zip(names, percents(now), strict=True)
    )
