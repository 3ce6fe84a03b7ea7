"""What the coach says of a game that is over as a whole: in short, and in detail with its figures.

Chances are written in percent, what decisions cost in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.i18n import Words
from bot.review.coach import MISTAKE, Coached, Deciding, Mattered, Part, Points
from bot.review.decisions import Judged
from bot.tables.scene import AnyScene
from bot.ui.advice import LOW_CHANCE_PERCENT, SMALL_LOSS_POINTS, chance_change
from bot.ui.components import bold_name, escaped_name, join_with_dots, plain_name
from bot.ui.end_message import tie_break_line, winner_line
from bot.ui.lobby import LEVELS
from bot.ui.pictures import chances, standings
from bot.ui.pictures.drawings import Picture, alt_text, make_picture
from bot.ui.presenter import AnyPresenter, bold_seat_names
from engine.coaching import ENOUGH, Balance, about
from engine.decision import Decision
from engine.game import Seat
from engine.percents import percent, percents
from engine.swings import TOLD, Swing

# The moments that decided a game, in words: in short, and in detail.


LUCK_SYMBOLS: Final = ("🍀", "🌧️", "🎲")
"""A line that begins so says how likely it was: the reason would say it again."""
LUCK_AND_BLUFF_SYMBOLS: Final = (*LUCK_SYMBOLS, "🎭")
"""So begin the lines on luck and bluffs. What else is said of an outcome stands in the deed already."""
DECISIVE_POINTS: Final = 15
"""Where no moment has changed a chance by as many points, the game was decided bit by bit."""


def was_decided_gradually(it: Coached) -> bool:
    """Whether the game was decided bit by bit: it was played to its end, and no moment has changed a chance by
    ``GREAT`` points."""
    return it.finished and all(one.swing.size[0] < DECISIVE_POINTS for one in it.deciding)


def short_moment_text(it: Deciding, mistake: Judged[Any, Any] | None, presenter: AnyPresenter, words: Words) -> str:
    """What happened at a moment that decided the game, how it changed the reader's chance, if it did, or else that of
    whoever it changed most for, and what would have been better than their *mistake* there, or that what they did was
    good, in a few short sentences."""
    told = [part for part in it.parts if part == it.main or part.shown.scene.just_ended]
    said = [presenter.short_action_line(part.shown.scene, words) for part in told]
    said.append(_chance_change_sentence(it, words))
    own = [one for part in told for one in part.made if one.decision.seat == it.own]
    if mistake is not None and mistake not in own:
        own.append(mistake)
    return " ".join(filter(None, [*said, *(_own_choice_sentence(one, it, presenter, words) for one in own)]))


def _chance_change_sentence(it: Deciding, words: Words) -> str:
    """How the chance of the reader has changed, or of whoever it changed most for if it hardly did, in a sentence."""
    swing, own = it.swing, it.own
    mine = own is not None and abs(swing.points[own]) >= TOLD
    seat = own if own is not None and mine else swing.foremost
    facts = {"before": percents(swing.before)[seat], "after": percents(swing.after)[seat]}
    if mine:
        return words("Your chance: {before}% → {after}%.", **facts)
    name = bold_name(it.main.shown.scene.name(seat))
    return words("{name}’s chance: {before}% → {after}%.", name=name, **facts)


def _own_choice_sentence(judged: Judged[Any, Any], of: Deciding, presenter: AnyPresenter, words: Words) -> str:
    """Whether what the reader decided at the moment *of* was good, or what would have been better, in a sentence;
    empty: it made no difference."""
    it, board, scene = judged.decision, presenter.board, of.main.shown.scene
    if it.settled or not it.mattered or board.ignored_action_text(it.made, judged.happened, scene, words):
        return ""
    points = of.points[it.seat] if judged in of.main.made else 0
    if it.points >= SMALL_LOSS_POINTS and points >= MISTAKE and it.well:
        return _better_choice_sentence(it, points, presenter, words)
    best = f"**{board.action_text(it.best, words)}**"
    if it.points >= SMALL_LOSS_POINTS and of.swing.first == of.swing.last == it.shown_at:
        return words("Better for you: {best}.", best=best)
    if it.points >= SMALL_LOSS_POINTS:
        return words("Better for you at step {n}: {best}.", n=it.shown_at, best=best)
    return words("Your choice was good.") if percent(it.best_chance) >= LOW_CHANCE_PERCENT else ""


def deciding_moment_lines(it: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool) -> list[str]:
    """What decided the game, a title first: its moments, with *reasons* or without, how it ended, and what does not
    count."""
    title = words("What decided the game") if it.finished else words("What changed the chances most")
    lines = [f"### {title}"]
    if was_decided_gradually(it):
        lines.append(gradual_sentence(words))
    numbered = enumerate(it.deciding, start=1)
    lines += [_deciding_moment_text(number, one, presenter, words, reasons=reasons) for number, one in numbered]
    if it.finished:
        lines.append(_game_end_line(it, presenter, words))
    lines += filter(None, [tie_break_line(it.end.scene, presenter, words)])
    if it.dealt is not None:
        lines.append("-# " + _new_cards_line(it, it.dealt, words))
    if it.passing:
        lines.append(
            "-# " + words("The picture also shows changes that were undone within two actions: they do not count.")
        )
    return lines


def gradual_sentence(words: Words) -> str:
    """That the game was decided so, in a sentence."""
    return words("No single action decided it: the chances changed bit by bit.")


def _game_end_line(it: Coached, presenter: AnyPresenter, words: Words) -> str:
    """How the game ended, if none of its moments shows that, and who has won."""
    scene, how = it.end.scene, list[str]()
    if it.deciding[-1].swing.last < it.ended_at:
        luck = [line for one in it.ended for line in _luck_or_bluff_line(one, scene, presenter, words)]
        how = [presenter.action_review_line(scene, words), *luck]
    return words("The end: {what}", what=join_with_dots(*how, winner_line(scene, bold_name, words)))


def _new_cards_line(it: Coached, swing: Swing, words: Words) -> str:
    """That new cards are none of the moments that decided the game, and what the best and worst of them changed."""
    shown = chance_change(it.end.scene, swing.foremost, swing.before, swing.after, words)
    return words(
        "New cards do not count here. Those of step {n} changed the chances most: {change}.",
        n=swing.number,
        change=shown,
    )


def _deciding_moment_text(number: int, it: Deciding, presenter: AnyPresenter, words: Words, *, reasons: bool) -> str:
    """What happened at one of the moments that decided the game: where, and how the chances changed; below it, what
    somebody did there."""
    swing = it.swing
    step = steps_label(swing, words)
    star = "⭐ " if it.greatest else ""
    told = []
    for part in it.parts:
        points = it.points if part == it.main else None
        told += [
            presenter.action_review_line(part.shown.scene, words),
            *_decision_remarks(part, points, presenter, words, reasons=reasons),
        ]
        told += _better_in_hindsight_lines(it, presenter, words) if reasons and part == it.main else []
    heading = " · ".join([f"{number}. {star}**{step}**", *_chance_changes(it, words)])
    return "\n".join(filter(None, [heading, join_with_dots(*told, *_missed_call_lines(it, presenter, words))]))


def _chance_changes(it: Deciding, words: Words) -> list[str]:
    """How the chance changed of whoever it changed most for, and on the way there; with more than two players also that
    of whoever it went the other way for."""
    scene, swing, points = it.main.shown.scene, it.swing, it.swing.points
    found = [chance_change(scene, swing.foremost, swing.before, swing.after, words, between=it.between or None)]
    sign = 1 if points[swing.foremost] < 0 else -1
    other = max(range(len(points)), key=lambda seat: sign * points[seat])
    shown = [swing.foremost]
    if len(points) > 2 and sign * points[other] >= MISTAKE:
        shown.append(Seat(other))
    if len(points) > 2:  # whoever it is said to have gone badly or well for
        shown += [one.decision.seat for one in it.main.made if abs(it.points[one.decision.seat]) >= MISTAKE]
    return found + [
        chance_change(scene, seat, swing.before, swing.after, words) for seat in list(dict.fromkeys(shown))[1:]
    ]


def _missed_call_lines(it: Deciding, presenter: AnyPresenter, words: Words) -> list[str]:
    """Who could have called before the moment *it*, and should have."""
    better: dict[str, list[str]] = {}
    for one in it.missed:
        name = bold_name(it.main.shown.scene.name(one.decision.seat))
        better.setdefault(f"**{presenter.board.action_text(one.decision.best, words)}**", []).append(name)
    return [
        words("By what was known, this was better for {name} before that: {best}.", name=words.all_of(names), best=best)
        for best, names in better.items()
    ]


def steps_label(swing: Swing, words: Words) -> str:
    """Where a review shows *swing*."""
    if swing.first < swing.last:
        return words("Steps {first}–{last}", first=swing.first, last=swing.last)
    return words("Step {n}", n=swing.first)


def _decision_remarks(
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
        one, name = judged.decision, bold_name(scene.name(judged.decision.seat))
        if one.settled or board.ignored_action_text(one.made, judged.happened, scene, words):
            continue
        turned_out = _luck_or_bluff_line(judged, scene, presenter, words)
        if not one.mattered:
            said += [words("By what {name} knew, it made no difference.", name=name)] if one.stake else []
        elif one.points >= SMALL_LOSS_POINTS:
            said.append(_better_choice_sentence(one, points[one.seat] if points else 0, presenter, words))
            if points and points[one.seat] < 0 and one.in_vain:
                said.append(words("As the cards lay, it would have gone no better."))
            if reasons and not any(line.startswith(LUCK_SYMBOLS) for line in turned_out):
                said.append(board.better_choice_reason(one, judged.view, bold_seat_names(scene), words, name=name))
        else:
            said.append(_good_choice_sentence(one, points[one.seat] if points else 0, name, words))
        said += turned_out
        if points and points[one.seat] >= MISTAKE:
            said.append(board.lucky_draw_line(judged, scene, words))
    return said


def _luck_or_bluff_line(judged: Judged[Any, Any], scene: AnyScene, presenter: AnyPresenter, words: Words) -> list[str]:
    """Whether what came of a decision was luck or a bluff, in a line; none if it was neither."""
    return [
        line
        for line in presenter.board.luck_and_bluff_lines(judged, scene, words)
        if line.startswith(LUCK_AND_BLUFF_SYMBOLS)
    ][-1:]


def _better_in_hindsight_lines(it: Deciding, presenter: AnyPresenter, words: Words) -> list[str]:
    """What would have gone better at the moment *it*, though nobody could know; none if it is known to all: that a call
    was wrong, or what was better by what could be known."""
    if it.better is None:
        return []
    judged = next((one for one in it.main.made if one.decision.seat == it.better.seat), None)
    if judged is not None:
        one, scene = judged.decision, it.main.shown.scene
        advised = one.points >= SMALL_LOSS_POINTS and type(one.best) is type(it.better.action)
        if advised or _luck_or_bluff_line(judged, scene, presenter, words):
            return []
    return [
        words(
            "As the cards lay, {best} would have left {name} {chance}%.",
            best=f"**{presenter.board.action_text(it.better.action, words)}**",
            name=bold_name(it.main.shown.scene.name(it.better.seat)),
            chance=percents(it.better.chances)[it.better.seat],
        )
    ]


def _better_choice_sentence(one: Decision, points: int, presenter: AnyPresenter, words: Words) -> str:
    """What would have been better than what was decided, after which the chance of whoever did changed by so many
    *points*."""
    best = f"**{presenter.board.action_text(one.best, words)}**"
    if points >= MISTAKE and one.well:
        return words("It turned out well, but by what was known this was better: {best}.", best=best)
    if one.points >= MISTAKE:
        return words("A mistake; better: {best}.", best=best)
    return words("Better: {best}.", best=best)


def _good_choice_sentence(one: Decision, points: int, name: str, words: Words) -> str:
    """That what *name* decided was good, and whether it went badly: their chance changed by so many *points*."""
    if percent(one.best_chance) < LOW_CHANCE_PERCENT:
        return words("The best of bad choices.")
    if points <= -MISTAKE:
        return words("A good choice by what was known, but it went badly for {name}.", name=name)
    return words("A good choice by what was known.")


LUCKY_POINTS: Final = 10
"""Whoever has gained or lost as many points by luck was lucky or unlucky ..."""
VERY_LUCKY_POINTS: Final = 50
"""... and by as many, half a win, very."""


def summary_paragraphs(it: Coached, presenter: AnyPresenter, words: Words) -> list[str]:
    """What the coach says of a game as a whole, one paragraph each: how the reader has played, or, if they did not, who
    has won; and the moments that mattered, a line each; of one that was ended before the first move only that."""
    if not it.began:
        return [words("The game ended before the first move.")]
    mattered = it.mattered
    if it.own is not None:
        lucky = _luck_sentence(it.in_points[it.own].luck, words)
        first = [_playing_strength_sentence(it, it.balances[it.own], words), f"**{lucky}**"]
        title = words.plural("The moment that mattered", "The moments that mattered", len(mattered))
    elif it.finished:
        first, title = [winner_line(it.end.scene, bold_name, words)], words("What decided the game")
    else:
        first, title = [words("The game was ended early: nobody has won.")], words("What changed the chances most")
    lines = [f"### {title}"]
    if was_decided_gradually(it):
        lines.append(gradual_sentence(words))
    elif it.own is None and it.finished:
        first += [
            words("What decided it most: {step}.", step=f"**{steps_label(one.swing, words)}**")
            for one in it.deciding
            if one.greatest
        ]
    lines += [
        f"{number}. {_important_moment_line(one, presenter, it, words)}" for number, one in enumerate(mattered, start=1)
    ]
    return [" ".join(first), *(["\n".join(lines)] if mattered else [])]


def _playing_strength_sentence(of: Coached, it: Balance, words: Words) -> str:
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


def _luck_sentence(points: int, words: Words) -> str:
    """Whether somebody was lucky, to whom luck has given so many *points*."""
    if abs(points) < LUCKY_POINTS:
        return words("You were neither lucky nor unlucky.")
    if points > 0:
        return words("You were lucky.") if points < VERY_LUCKY_POINTS else words("You were very lucky.")
    return words("You were unlucky.") if points > -VERY_LUCKY_POINTS else words("You were very unlucky.")


def _important_moment_line(it: Mattered, presenter: AnyPresenter, of: Coached, words: Words) -> str:
    """What happened at a moment that mattered, and what it changed, or what the reader should have done."""
    if it.deciding is not None:
        return f"**{steps_label(it.deciding.swing, words)}**: {short_moment_text(it.deciding, it.mistake, presenter, words)}"
    assert it.mistake is not None  # one of the two is told
    one, board = it.mistake.decision, presenter.board
    line = words(
        "Your choice: {made}. Better: {best} ({other}% to win instead of {chance}%).",
        made=board.action_text(one.made, words),
        best=f"**{board.action_text(one.best, words)}**",
        other=percent(one.best_chance),
        chance=percent(one.chance),
    )
    ignored = board.ignored_action_text(one.made, it.mistake.happened, of.end.scene, words)
    step = words("Step {n}", n=one.shown_at)
    return " ".join(filter(None, [f"**{step}**: {line}", ignored]))


def figures_paragraphs(it: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool = True) -> list[str]:
    """What the coach says of a game in detail, one paragraph each: of the reader, of everybody, of the moments that
    decided it, with *reasons* or without; of one that was ended before the first move only that."""
    if not it.began:
        return [words("The game ended before the first move.")]
    paragraphs = []
    if it.own is not None:
        paragraphs.append("\n".join(_own_play_lines(it, it.balances[it.own], presenter, words, reasons=reasons)))
    lines = ["### " + words("Luck and skill"), *_figure_explanations(it, words)]
    lines += [_skill_and_luck_text(it, Seat(seat), one, words) for seat, one in enumerate(it.in_points)]
    paragraphs.append("\n".join(lines))
    if it.deciding:
        paragraphs.append("\n".join(deciding_moment_lines(it, presenter, words, reasons=reasons)))
    return paragraphs


def _figure_explanations(it: Coached, words: Words) -> list[str]:
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
    if any(one.grade is not None and not _computer_level(it, Seat(seat)) for seat, one in enumerate(it.balances)):
        said[words("Level")] = words(
            "by the share of the points at stake (all that a player’s decisions could have cost) that was lost. One"
            " game says little, so it is a range."
        )
    return [f"-# **{title}**: {line}" for title, line in said.items()]


def _own_play_lines(
    it: Coached, balance: Balance, presenter: AnyPresenter, words: Words, *, reasons: bool
) -> list[str]:
    """How the reader has played, and their decisions that have cost most, with *reasons* or without."""
    lines = ["### " + words("How you played"), _playing_strength_sentence(it, balance, words)]
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
    return [*lines, *(f"- {_costly_decision_line(one, it, presenter, words, reasons=reasons)}" for one in it.worst)]


def _costly_decision_line(
    judged: Judged[Any, Any], of: Coached, presenter: AnyPresenter, words: Words, *, reasons: bool
) -> str:
    """A decision that has cost much, and, with *reasons*, why, where that can be said."""
    it, board = judged.decision, presenter.board
    line = words(
        "Step {n}: {made} instead of {best} (−{cost} points)",
        n=judged.decision.shown_at,
        made=board.action_text(it.made, words),
        best=f"**{board.action_text(it.best, words)}**",
        cost=it.points,
    )
    ignored = board.ignored_action_text(it.made, judged.happened, of.end.scene, words)
    why = board.better_choice_reason(it, judged.view, bold_seat_names(of.end.scene), words) if reasons else ""
    return " ".join(filter(None, [f"{line}.", why, ignored]))


def _skill_and_luck_text(of: Coached, seat: Seat, it: Points, words: Words) -> str:
    """The result of *seat*, taken apart, and about how well it was played: a line, and small ones below it."""
    scene, found, player = of.end.scene, of.balances[seat], of.end.scene.people[seat]
    level = _computer_level(of, seat)
    name = f"**{escaped_name(player.name)}**" + (f" 🤖{level}" if level else "")
    parts = words(
        "skill {skill} · luck {luck} · result {result}",
        skill=_signed_points(it.skill),
        luck=_signed_points(it.luck),
        result=_signed_points(it.result),
    )
    lines = [
        f"- {name}: {parts}",
        "  - "
        + words("own mistakes {own}, others’ {others}", own=_signed_points(it.own), others=_signed_points(it.others)),
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


def _computer_level(of: Coached, seat: Seat) -> str:
    """The level of the computer player in *seat*, as the lobby shows it; empty: it is a person's, or not known."""
    level = of.end.scene.people[seat].level
    return LEVELS[level - 1] if 0 < level <= of.end.scene.levels else ""


def _signed_points(points: int) -> str:
    """*points* with its sign.

    >>> _signed(5), _signed(0), _signed(-5)
    ('+5', '±0', '−5')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "±0"


def chances_picture(it: Coached, presenter: AnyPresenter, words: Words, *, decisive: bool = False) -> Picture | None:
    """The picture of everybody's chances, where the moments that mattered are marked, or those that were *decisive*;
    ``None``: nothing was played."""
    if not it.began:
        return None
    scene = it.end.scene
    names = [plain_name(scene.name(Seat(seat))) for seat in range(len(it.balances))]
    written = standings.drawn_names(names)
    head = words("Everyone’s chance to win after every step, all cards open.")
    shown = [Mattered(mark, one, None) for mark, one in zip(it.marks, it.deciding, strict=True)]
    shown = shown if decisive else list(it.mattered)
    marks = [one.place for one in shown]
    said = [head]
    for number, one in enumerate(shown, start=1):
        last, now = _step_and_chances_after(one, it)
        said.append(
            f"{number}: " + words("after step {n}: {chances}.", n=last, chances=_all_chances_text(names, now, words))
        )
    said.append(words("At the end: {chances}.", chances=_all_chances_text(names, it.courses[-1], words)))
    title, part = words("Chance to win, all cards open"), words(presenter.part)
    rounds = it.rounds if len(it.rounds) > 1 else ()
    shows = ([[round(chance, 3) for chance in now] for now in it.courses], written, marks, rounds, title, part)
    return make_picture(
        "chances",
        shows,
        lambda: chances.draw_chances(it.courses, written, marks, rounds, title, part),
        alt_text(said),
        said[0],
        standings.number_legend(written, [escaped_name(name) for name in names]),
    )


def _step_and_chances_after(it: Mattered, of: Coached) -> tuple[int, Sequence[float]]:
    """The step after which the moment *it* was over, and everybody's chances then."""
    if it.deciding is not None:
        return it.deciding.swing.last, it.deciding.swing.after
    assert it.mistake is not None  # one of the two is told
    return it.mistake.decision.shown_at, of.courses[it.place]


def _all_chances_text(names: Sequence[str], now: Sequence[float], words: Words) -> str:
    """The chances of all *names*."""
    return ", ".join(
        words("{name} {percent}%", name=name, percent=chance) for name, chance in zip(names, percents(now), strict=True)
    )
