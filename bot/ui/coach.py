"""What the coach says about a finished game as a whole: in short, and in detail with its figures.

Chances are written in percent, the cost of decisions in points: hundredths of a win.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.i18n import Words
from bot.review.coach import (
    MISTAKE_POINTS,
    BalanceInPoints,
    DecidingAction,
    DecidingMoment,
    GameReview,
    ImportantMoment,
)
from bot.review.decisions import JudgedDecision
from bot.tables.scene import AnyScene
from bot.ui.advice import LOW_CHANCE_PERCENT, SMALL_LOSS_POINTS, chance_change_text, others_choices_text
from bot.ui.components import WORD_JOINER, bold_name, escaped_name, join_with_dots, plain_name
from bot.ui.end_message import tie_break_line, winner_line
from bot.ui.lobby import LEVELS
from bot.ui.pictures import chances, standings
from bot.ui.pictures.drawings import Picture, alt_text, make_lazy_picture
from bot.ui.presenter import AnyPresenter, make_bold_name_function
from engine.coaching import MIN_GRADED_DECISIONS, Balance, grade_range
from engine.decision import Decision
from engine.game import Seat
from engine.percents import percent, percents
from engine.swings import MIN_DECISIVE_POINTS, Swing

# Text on the moments that decided a game: in short, and in detail.


LUCK_SYMBOLS: Final = ("🍀", "🌧️", "🎲")
"""A line that begins with one of these says how likely the outcome was, so the reason is left out."""
LUCK_AND_BLUFF_SYMBOLS: Final = (*LUCK_SYMBOLS, "🎭")
"""Lines on luck and bluffs begin with these. The action's line already tells everything else about the outcome."""
DECISIVE_POINTS: Final = 15
"""If no moment changed a chance by this many points, the game was decided bit by bit."""


def was_decided_gradually(review: GameReview) -> bool:
    """Whether the game was finished and no single moment changed a chance to win by ``DECISIVE_POINTS`` points."""
    return review.finished and all(one.swing.size[0] < DECISIVE_POINTS for one in review.deciding)


def deciding_moment_summary_text(
    moment: DecidingMoment, mistake: JudgedDecision[Any, Any] | None, presenter: AnyPresenter, words: Words
) -> str:
    """Return what happened at a moment that decided the game, how the reader's chance changed (or the most affected
    player's), and whether the reader chose well (*mistake*: if not).

    Of the reader's choice it says what would have been better, or that it was good.
    """
    told = [part for part in moment.parts if part == moment.main_action or part.shown.scene.just_ended]
    said = [presenter.short_action_line(part.shown.scene, words) for part in told]
    said.append(_chance_change_sentence(moment, words))
    own = [one for part in told for one in part.made if one.decision.seat == moment.own]
    if mistake is not None and mistake not in own:
        own.append(mistake)
    return " ".join(filter(None, [*said, *(_reader_choice_sentence(one, moment, presenter, words) for one in own)]))


def _chance_change_sentence(moment: DecidingMoment, words: Words) -> str:
    """A sentence on how the reader's chance to win changed; if it hardly did, on the most affected player's."""
    swing, own = moment.swing, moment.own
    mine = own is not None and abs(swing.points[own]) >= MIN_DECISIVE_POINTS
    seat = own if own is not None and mine else swing.most_affected_seat
    facts = {"before": percents(swing.before)[seat], "after": percents(swing.after)[seat]}
    if mine:
        return words("Your chance: {before}%\u00a0→\u00a0{after}%.", **facts)
    name = bold_name(moment.main_action.shown.scene.name(seat))
    return words("{name}’s chance: {before}%\u00a0→\u00a0{after}%.", name=name, **facts)


def _reader_choice_sentence(
    judged: JudgedDecision[Any, Any], moment: DecidingMoment, presenter: AnyPresenter, words: Words
) -> str:
    """A sentence that calls the reader's choice at *moment* good or names a better one; empty if it hardly mattered."""
    decision, board, scene = judged.decision, presenter.board, moment.main_action.shown.scene
    if (
        decision.outcome_was_certain_anyway
        or not decision.mattered
        or board.ignored_action_text(decision.made, judged.happened, scene, words)
    ):
        return ""
    points = moment.points[decision.seat] if judged in moment.main_action.made else 0
    if decision.points >= SMALL_LOSS_POINTS and points >= MISTAKE_POINTS and decision.turned_out_well:
        return _better_choice_sentence(decision, points, presenter, words)
    best = f"**{board.action_text(decision.best, words)}**"
    if decision.points >= SMALL_LOSS_POINTS and moment.swing.first == moment.swing.last == decision.review_moment:
        return words("Better for you: {best}.", best=best)
    if decision.points >= SMALL_LOSS_POINTS:
        return words("Better for you at step {n}: {best}.", n=decision.review_moment, best=best)
    return words("Your choice was good.") if percent(decision.best_chance) >= LOW_CHANCE_PERCENT else ""


def deciding_moment_lines(review: GameReview, presenter: AnyPresenter, words: Words, *, reasons: bool) -> list[str]:
    """Lines on the moments that decided the game, how it ended, and which changes do not count; *reasons* adds why."""
    title = words("What decided the game") if review.finished else words("What changed the chances most")
    lines = [f"### {title}"]
    if was_decided_gradually(review):
        lines.append(decided_gradually_sentence(words))
    numbered = enumerate(review.deciding, start=1)
    lines += [_deciding_moment_text(number, one, presenter, words, reasons=reasons) for number, one in numbered]
    if review.finished:
        lines.append(_game_end_and_winner_line(review, presenter, words))
    lines += filter(None, [tie_break_line(review.end.scene, presenter, words)])
    if review.dealt is not None:
        lines.append("-# " + _new_cards_not_counted_line(review, review.dealt, words))
    if review.passing:
        lines.append(
            "-# " + words("The picture also shows changes that were undone within two actions: they do not count.")
        )
    return lines


def decided_gradually_sentence(words: Words) -> str:
    """Return the sentence that says that no single action decided the game: it was decided bit by bit."""
    return words("No single action decided it: the chances changed bit by bit.")


def _game_end_and_winner_line(review: GameReview, presenter: AnyPresenter, words: Words) -> str:
    """Return a line that says who won and, unless the last deciding moment shows it, how the game ended. The game must
    be finished."""
    scene, how = review.end.scene, list[str]()
    if review.deciding[-1].swing.last < review.ended_at:
        luck = [line for one in review.ended for line in _luck_or_bluff_line(one, scene, presenter, words)]
        how = [presenter.action_review_line(scene, words), *luck]
    return words("The end: {what}", what=join_with_dots(*how, winner_line(scene, bold_name, words)))


def _new_cards_not_counted_line(review: GameReview, swing: Swing, words: Words) -> str:
    """A line that says that new cards do not count as deciding moments, and how those of *swing* changed a chance."""
    shown = chance_change_text(review.end.scene, swing.most_affected_seat, swing.before, swing.after, words)
    return words(
        "New cards do not count here. Those of step {n} changed the chances most: {change}.",
        n=swing.number,
        change=shown,
    )


def _deciding_moment_text(
    number: int, moment: DecidingMoment, presenter: AnyPresenter, words: Words, *, reasons: bool
) -> str:
    """Numbered text on one deciding moment: steps, changed chances, what players did and should have done."""
    swing = moment.swing
    step = steps_label(swing, words)
    star = "⭐ " if moment.greatest else ""
    told = []
    for part in moment.parts:
        points = moment.points if part == moment.main_action else None
        told += [
            presenter.action_review_line(part.shown.scene, words),
            *_deciding_moment_choice_remarks(part, points, presenter, words, reasons=reasons),
        ]
        told += _better_in_hindsight_lines(moment, presenter, words) if reasons and part == moment.main_action else []
    heading = " · ".join([f"{number}. {star}**{step}**", *_chance_change_texts(moment, words)])
    return "\n".join(filter(None, [heading, join_with_dots(*told, *_missed_call_lines(moment, presenter, words))]))


def _chance_change_texts(moment: DecidingMoment, words: Words) -> list[str]:
    """How chances to win changed at *moment*, a text for each player concerned; the most affected player comes first.

    With more than two players also for the player for whom they went most the other way, and for those of whom the text
    says that it went well or badly.
    """
    scene, swing, points = moment.main_action.shown.scene, moment.swing, moment.swing.points
    found = [
        chance_change_text(
            scene, swing.most_affected_seat, swing.before, swing.after, words, between=moment.between or None
        )
    ]
    sign = 1 if points[swing.most_affected_seat] < 0 else -1
    other = max(range(len(points)), key=lambda seat: sign * points[seat])
    shown = [swing.most_affected_seat]
    if len(points) > 2 and sign * points[other] >= MISTAKE_POINTS:
        shown.append(Seat(other))
    if len(points) > 2:  # players of whom the text says that it went badly or well
        shown += [
            one.decision.seat
            for one in moment.main_action.made
            if abs(moment.points[one.decision.seat]) >= MISTAKE_POINTS
        ]
    return found + [
        chance_change_text(scene, seat, swing.before, swing.after, words) for seat in list(dict.fromkeys(shown))[1:]
    ]


def _missed_call_lines(moment: DecidingMoment, presenter: AnyPresenter, words: Words) -> list[str]:
    """Lines that name players for whom another action (a call) was better before *moment*; empty if none."""
    better: dict[str, list[str]] = {}
    for one in moment.missed:
        name = bold_name(moment.main_action.shown.scene.name(one.decision.seat))
        better.setdefault(f"**{presenter.board.action_text(one.decision.best, words)}**", []).append(name)
    return [
        words(
            "By what was known, this was better for {name} before that: {best}.", name=words.list_and(names), best=best
        )
        for best, names in better.items()
    ]


def steps_label(swing: Swing, words: Words) -> str:
    """Return the label for the steps at which a review shows *swing*: "Step 4" or "Steps 4–6"."""
    if swing.first < swing.last:
        return words("Steps {first}–{last}", first=swing.first, last=swing.last)
    return words("Step {n}", n=swing.first)


def _deciding_moment_choice_remarks(
    part: DecidingAction,
    points: Sequence[int] | None,
    presenter: AnyPresenter,
    words: Words,
    *,
    reasons: bool,
) -> list[str]:
    """Remarks on each choice in *part*, which belongs to a moment that decided the game: right or not, what was better,
    luck or a bluff.

    *points* are the changes of all seats' chances, in hundredths of a win; ``None`` for a part that is not the main
    one.
    """
    said = []
    scene, board = part.shown.scene, presenter.board
    for judged in part.made:
        one, name = judged.decision, bold_name(scene.name(judged.decision.seat))
        if one.outcome_was_certain_anyway or board.ignored_action_text(one.made, judged.happened, scene, words):
            continue
        turned_out = _luck_or_bluff_line(judged, scene, presenter, words)
        if not one.mattered:
            said += [words("By what {name} knew, it made no difference.", name=name)] if one.stake else []
        elif one.points >= SMALL_LOSS_POINTS:
            said.append(_better_choice_sentence(one, points[one.seat] if points else 0, presenter, words))
            if points and points[one.seat] < 0 and one.best_would_not_have_helped:
                said.append(words("As the cards lay, it would have gone no better."))
            if reasons and not any(line.startswith(LUCK_SYMBOLS) for line in turned_out):
                said.append(
                    board.better_choice_reason(one, judged.view, make_bold_name_function(scene), words, name=name)
                )
        else:
            said.append(_good_choice_sentence(one, points[one.seat] if points else 0, name, words))
        said += turned_out
        if points and points[one.seat] >= MISTAKE_POINTS:
            said.append(board.lucky_draw_line(judged, scene, words))
    return said


def _luck_or_bluff_line(
    judged: JudgedDecision[Any, Any], scene: AnyScene, presenter: AnyPresenter, words: Words
) -> list[str]:
    """The last line that says that a decision turned out by luck or as a bluff, in a list; empty if it did not."""
    return [
        line
        for line in presenter.board.call_luck_lines(judged, scene, words)
        if line.startswith(LUCK_AND_BLUFF_SYMBOLS)
    ][-1:]


def _better_in_hindsight_lines(moment: DecidingMoment, presenter: AnyPresenter, words: Words) -> list[str]:
    """Return one line that names an action that would have gone better as the cards lay, though nobody could know;
    empty if there is none or the text already faults the action.

    Empty also if it need not be said: a call was wrong, or another action was better by what could be known.
    """
    if moment.better is None:
        return []
    judged = next((one for one in moment.main_action.made if one.decision.seat == moment.better.seat), None)
    if judged is not None:
        one, scene = judged.decision, moment.main_action.shown.scene
        advised = one.points >= SMALL_LOSS_POINTS and type(one.best) is type(moment.better.action)
        if advised or _luck_or_bluff_line(judged, scene, presenter, words):
            return []
    return [
        words(
            "As the cards lay, {best} would have left {name} {chance}%.",
            best=f"**{presenter.board.action_text(moment.better.action, words)}**",
            name=bold_name(moment.main_action.shown.scene.name(moment.better.seat)),
            chance=percents(moment.better.chances)[moment.better.seat],
        )
    ]


def _better_choice_sentence(decision: Decision, points: int, presenter: AnyPresenter, words: Words) -> str:
    """A sentence that names the best action in place of the one made, and whether that was a mistake.

    *points* is by how much the player's chance changed after it: it may have turned out well.
    """
    best = f"**{presenter.board.action_text(decision.best, words)}**"
    if points >= MISTAKE_POINTS and decision.turned_out_well:
        return words("It turned out well, but by what was known this was better: {best}.", best=best)
    if decision.points >= MISTAKE_POINTS:
        return words("A mistake; better: {best}.", best=best)
    return words("Better: {best}.", best=best)


def _good_choice_sentence(decision: Decision, points: int, name: str, words: Words) -> str:
    """A sentence that calls a decision good or the best of bad ones; it adds if the choice went badly for *name*.

    *points* is by how much their chance changed after it.
    """
    if percent(decision.best_chance) < LOW_CHANCE_PERCENT:
        return words("The best of bad choices.")
    if points <= -MISTAKE_POINTS:
        return words("A good choice by what was known, but it went badly for {name}.", name=name)
    return words("A good choice by what was known.")


LUCKY_POINTS: Final = 10
"""A player who gained or lost this many points by luck was lucky or unlucky."""
VERY_LUCKY_POINTS: Final = 50
"""A player who gained or lost this many, half a win, was very lucky or very unlucky."""


def summary_paragraphs(review: GameReview, presenter: AnyPresenter, words: Words) -> list[str]:
    """Return the coach's short text on a whole game, a list of paragraphs: how well the reader played or who won, then
    the key moments. Without any move it says only that."""
    if not review.has_moves:
        return [words("The game ended before the first move.")]
    mattered = review.important_moments
    if review.own is not None:
        lucky = _luck_sentence(review.luck_and_skill_points_by_seat[review.own].luck, words)
        first = [_reader_level_sentence(review, review.balances[review.own], words), f"**{lucky}**"]
        title = words.plural("The moment that mattered", "The moments that mattered", len(mattered))
    elif review.finished:
        first, title = [winner_line(review.end.scene, bold_name, words)], words("What decided the game")
    else:
        first, title = [words("The game was ended early: nobody has won.")], words("What changed the chances most")
    lines = [f"### {title}"]
    if was_decided_gradually(review):
        lines.append(decided_gradually_sentence(words))
    elif review.own is None and review.finished:
        first += [
            words("What decided it most: {step}.", step=f"**{steps_label(one.swing, words)}**")
            for one in review.deciding
            if one.greatest
        ]
    lines += [
        f"{number}. {_important_moment_line(one, presenter, review, words)}"
        for number, one in enumerate(mattered, start=1)
    ]
    return [" ".join(first), *(["\n".join(lines)] if mattered else [])]


def _reader_level_sentence(review: GameReview, balance: Balance, words: Words) -> str:
    """A sentence that gives the level of computer player at which the reader played, or says why none can be given."""
    if balance.grade is not None:
        return words(
            "In this game you played about as well as a computer of level **{level}** ({first} is the weakest, {last}"
            " the strongest).",
            level=LEVELS[balance.grade - 1],
            first=LEVELS[0],
            last=LEVELS[review.end.scene.levels - 1],
        )
    if review.finished:
        return words(
            "How well you played cannot be said: only {n} of your decisions could change much, and it takes {enough}.",
            n=balance.mattered,
            enough=MIN_GRADED_DECISIONS,
        )
    return words("The game was ended early, so it cannot be said how well you played.")


def _luck_sentence(points: int, words: Words) -> str:
    """A sentence that says whether the reader was lucky or unlucky, when luck gave them so many *points*."""
    if abs(points) < LUCKY_POINTS:
        return words("You were neither lucky nor unlucky.")
    if points > 0:
        return words("You were lucky.") if points < VERY_LUCKY_POINTS else words("You were very lucky.")
    return words("You were unlucky.") if points > -VERY_LUCKY_POINTS else words("You were very unlucky.")


def _important_moment_line(moment: ImportantMoment, presenter: AnyPresenter, review: GameReview, words: Words) -> str:
    """Return one line on a key moment: what happened and how chances changed, or what the reader should have done; in a
    day's deal also how many chose the same."""
    found = review.compared_choice_at(moment)
    compared = others_choices_text(found, presenter, words) if found is not None else ""
    if moment.deciding is not None:
        told = deciding_moment_summary_text(moment.deciding, moment.mistake, presenter, words)
        return " ".join(filter(None, [f"**{steps_label(moment.deciding.swing, words)}**: {told}", compared]))
    assert moment.mistake is not None  # a moment has at least one of the two
    one, board = moment.mistake.decision, presenter.board
    line = words(
        "Your choice: {made}. Better: {best} ({other}% to win instead of {chance}%).",
        made=board.action_text(one.made, words),
        best=f"**{board.action_text(one.best, words)}**",
        other=percent(one.best_chance),
        chance=percent(one.chance),
    )
    ignored = board.ignored_action_text(one.made, moment.mistake.happened, review.end.scene, words)
    step = words("Step {n}", n=one.review_moment)
    return " ".join(filter(None, [f"**{step}**: {line}", ignored, compared]))


def detailed_review_paragraphs(
    review: GameReview, presenter: AnyPresenter, words: Words, *, explained: bool = True, reasons: bool = True
) -> list[str]:
    """Return the coach's long text on a whole game, a list of paragraphs: the reader's play, everybody's skill and
    luck, deciding moments; without any move only that.

    *explained* adds what the figures mean, and how little one game says; *reasons* adds why a choice was better.
    """
    if not review.has_moves:
        return [words("The game ended before the first move.")]
    paragraphs = []
    if review.own is not None:
        paragraphs.append(
            "\n".join(
                _reader_play_lines(
                    review, review.balances[review.own], presenter, words, explained=explained, reasons=reasons
                )
            )
        )
    lines = ["### " + words("Luck and skill"), *(_figure_explanations(review, words) if explained else ())]
    lines += [
        _skill_and_luck_text(review, Seat(seat), one, words)
        for seat, one in enumerate(review.luck_and_skill_points_by_seat)
    ]
    paragraphs.append("\n".join(lines))
    if review.deciding:
        paragraphs.append("\n".join(deciding_moment_lines(review, presenter, words, reasons=reasons)))
    return paragraphs


def _figure_explanations(review: GameReview, words: Words) -> list[str]:
    """Lines of small print that explain the figures: skill, luck, result and, if it is shown for anybody, level.

    In the longest messages the figures are worth more than these lines: then all of them are left out, as one alone
    would be misleading.
    """
    start = percent(1 / len(review.balances))
    said = {
        words("Skill"): words(
            "what the mistakes of the others gave a player, less what their own cost. Small mistakes count too. They"
            " are judged by what each player could know; what they cost is shared out equally among the others."
        ),
        words("Luck"): words("all the rest: the cards, what nobody could know, and who gained by mistakes."),
    }
    if review.finished:
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
    if any(
        one.grade is not None and not _computer_level(review, Seat(seat)) for seat, one in enumerate(review.balances)
    ):
        said[words("Level")] = words(
            "by the share of the points at stake (all that a player’s decisions could have cost) that was lost. One"
            " game says little, so it is a range."
        )
    return [f"-# **{title}**: {line}" for title, line in said.items()]


def _reader_play_lines(
    review: GameReview, balance: Balance, presenter: AnyPresenter, words: Words, *, explained: bool, reasons: bool
) -> list[str]:
    """Lines on the reader's play: level, if *explained* the likely range of levels, and costliest decisions; *reasons*
    adds why."""
    lines = ["### " + words("How you played"), _reader_level_sentence(review, balance, words)]
    if balance.grade is not None and explained:
        least, most = grade_range(balance.grade, review.end.scene.levels)
        likely = words(
            "One game says little about how strong you are: level **{least}** to **{most}** is likely.",
            least=LEVELS[least - 1],
            most=LEVELS[most - 1],
        )
        lines.append(f"-# {likely}")
    if review.worst:
        lines.append(words("Your costliest decisions:"))
    return [
        *lines,
        *(f"- {_costly_decision_line(one, review, presenter, words, reasons=reasons)}" for one in review.worst),
    ]


def _costly_decision_line(
    judged: JudgedDecision[Any, Any], review: GameReview, presenter: AnyPresenter, words: Words, *, reasons: bool
) -> str:
    """A line on a decision that cost much: its step, what was done, what was better, the cost; *reasons* adds why."""
    decision, board = judged.decision, presenter.board
    line = words(
        "Step {n}: {made} instead of {best} (−{cost} points)",
        n=judged.decision.review_moment,
        made=board.action_text(decision.made, words),
        best=f"**{board.action_text(decision.best, words)}**",
        cost=f"{WORD_JOINER}{decision.points}",
    )
    ignored = board.ignored_action_text(decision.made, judged.happened, review.end.scene, words)
    why = (
        board.better_choice_reason(decision, judged.view, make_bold_name_function(review.end.scene), words)
        if reasons
        else ""
    )
    return " ".join(filter(None, [f"{line}.", why, ignored]))


def _skill_and_luck_text(review: GameReview, seat: Seat, points: BalanceInPoints, words: Words) -> str:
    """A few lines on one player: the result, split into skill and luck, own and others' mistakes, the likely level."""
    scene, found, player = review.end.scene, review.balances[seat], review.end.scene.people[seat]
    level = _computer_level(review, seat)
    name = f"**{escaped_name(player.name)}**" + (f" 🤖{level}" if level else "")
    parts = words(
        "skill {skill} · luck {luck} · result {result}",
        skill=_signed_points(points.skill),
        luck=_signed_points(points.luck),
        result=_signed_points(points.result),
    )
    lines = [
        f"- {name}: {parts}",
        "  - "
        + words(
            "own mistakes {own}, others’ {others}", own=_signed_points(points.own), others=_signed_points(points.others)
        ),
    ]
    if found.grade is not None and not level:
        least, most = grade_range(found.grade, scene.levels)
        lost = words(
            "lost {share}% of the {stake} points at stake: level {least} to {most}",
            share=percent(found.cost / found.stake),
            stake=round(100 * found.stake),
            least=LEVELS[least - 1],
            most=LEVELS[most - 1],
        )
        lines.append(f"  - {lost}")
    return "\n".join(lines)


def _computer_level(review: GameReview, seat: Seat) -> str:
    """The level of the computer player in *seat*, as the lobby shows it; empty: a person, or not known."""
    level = review.end.scene.people[seat].level
    return LEVELS[level - 1] if 0 < level <= review.end.scene.levels else ""


def _signed_points(points: int) -> str:
    """Return *points* as text with their sign: +5, −5, and ±0 for 0.

    No line breaks after a minus.

    >>> [_signed_points(points).replace(WORD_JOINER, "") for points in (5, 0, -5)]
    ['+5', '±0', '−5']
    """
    return f"+{points}" if points > 0 else f"−{WORD_JOINER}{-points}" if points else "±0"


def win_chances_picture(
    review: GameReview, presenter: AnyPresenter, words: Words, *, decisive: bool = False
) -> Picture | None:
    """Build the picture of every player's chance to win after each step, marking the reader's key moments, or with
    *decisive* those that decided the game; ``None`` if nothing was played."""
    if not review.has_moves:
        return None
    scene = review.end.scene
    names = [plain_name(scene.name(Seat(seat))) for seat in range(len(review.balances))]
    written = standings.unique_drawable_names(names)
    head = words("Everyone’s chance to win after every step, all cards open.")
    shown = [ImportantMoment(mark, one, None) for mark, one in zip(review.marks, review.deciding, strict=True)]
    shown = shown if decisive else list(review.important_moments)
    marks = [one.place for one in shown]
    said = [head]
    for number, one in enumerate(shown, start=1):
        last, now = _step_and_chances_after(one, review)
        said.append(
            f"{number}: " + words("after step {n}: {chances}.", n=last, chances=_all_chances_text(names, now, words))
        )
    said.append(words("At the end: {chances}.", chances=_all_chances_text(names, review.courses[-1], words)))
    title, part = words("Chance to win, all cards open"), words(presenter.round_word)
    rounds = review.rounds if len(review.rounds) > 1 else ()
    shows = ([[round(chance, 3) for chance in now] for now in review.courses], written, marks, rounds, title, part)
    return make_lazy_picture(
        "chances",
        shows,
        lambda: chances.draw_chances_chart(review.courses, written, marks, rounds, title, part),
        alt_text(said),
        said[0],
        standings.numbered_names_legend(written, [escaped_name(name) for name in names]),
    )


def _step_and_chances_after(moment: ImportantMoment, review: GameReview) -> tuple[int, Sequence[float]]:
    """Return (number of the step with which *moment* ended, every player's chance to win after it, from 0 to 1)."""
    if moment.deciding is not None:
        return moment.deciding.swing.last, moment.deciding.swing.after
    assert moment.mistake is not None  # a moment has at least one of the two
    return moment.mistake.decision.review_moment, review.courses[moment.place]


def _all_chances_text(names: Sequence[str], now: Sequence[float], words: Words) -> str:
    """Return the chance to win of each of *names* in percent, in one line; *now* are the chances from 0 to 1, by
    seat."""
    return ", ".join(
        words("{name} {percent}%", name=name, percent=chance) for name, chance in zip(names, percents(now), strict=True)
    )
