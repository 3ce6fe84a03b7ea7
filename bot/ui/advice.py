"""What the coach says about single decisions in a finished game, on the pages of its review.

Chances are written in percent.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.daily.choices import ComparedChoice
from bot.i18n import Words
from bot.review.coach import MIN_SHOWN_POINTS, MISTAKE_POINTS
from bot.review.decisions import JudgedDecision
from bot.review.moments import OpenMoment, ReviewPage
from bot.tables.scene import AnyScene
from bot.ui.components import bold_name, capitalize_sentence, escaped_name
from bot.ui.hints import COACH_SYMBOL
from bot.ui.presenter import AnyBoard, AnyPresenter, make_bold_name_function
from engine.decision import MIN_STAKE, Decision
from engine.game import Seat
from engine.percents import percent, percents

NEARLY_BEST_COST: Final = MIN_STAKE
"""A decision that cost less of a win than this is as good as the best."""
SMALL_LOSS_POINTS: Final = MIN_SHOWN_POINTS
"""A decision that cost fewer points (hundredths of a win) than this is good. A missed call that cost as many is told:
whatever the text on the whole game tells must stand on the page too."""
LOW_CHANCE_PERCENT: Final = 5
"""The best choice is not praised if it left a lower chance than this, in percent."""
LUCK_CHANGE: Final = 0.10
"""With all cards open a chance must change by this much to be good or bad luck."""


def coach_judgement_lines(page: ReviewPage, presenter: AnyPresenter, words: Words) -> list[str]:
    """Return lines in which the coach judges the decisions on a review page and says how chances to win changed; where
    the game was as good as decided, only that, once. May be empty."""
    told = [
        it
        for it in page.decisions
        if not it.decision.outcome_was_certain_anyway
        and (it.decision.made is not None or it.decision.points >= SMALL_LOSS_POINTS)
    ]
    lines = [line for it in told for line in _decision_judgement_lines(it, page, presenter, words)]
    if (
        page.late is not None
        and not page.late.decision.outcome_was_certain_anyway
        and page.late.decision.points >= SMALL_LOSS_POINTS
    ):
        lines += _late_call_judgement_lines(page.late, presenter, words)
    judged = bool(lines)
    lines += [*_as_good_as_over_lines(page, words), *_certain_winner_lines(page, words)]
    if not any(_action_took_effect(it, page, presenter, words) for it in told):
        lines += presenter.board.bluff_result_lines(page.acted, page.scene, words)
    if page.before:
        if judged:
            lines.append(
                "-# " + words("The advice goes by what the player could know, the chances below by all cards.")
            )
        lines.append(_chance_changes_line(page.scene, page.before, page.after, words))
    return lines


def others_choices_lines(page: ReviewPage, presenter: AnyPresenter, words: Words) -> list[str]:
    """Lines on a review page of a day's deal that compare the reader's choices with those of others; may be empty."""
    return [f"👥 {said}" for it in page.compared if (said := others_choices_text(it, presenter, words))]


def others_choices_text(compared: ComparedChoice, presenter: AnyPresenter, words: Words) -> str:
    """A few words on how many chose the same as the reader, and what was chosen most; if the reader did not call, on
    how many called. Empty if nobody called: then everybody did what is no news.
    """
    board = presenter.board
    if compared.made is None:
        called = percent(compared.called_share)
        return (
            words("{percent}% of {people} people called here.", percent=called, people=compared.people)
            if called
            else ""
        )
    same = words(
        "{percent}% of {people} people chose the same as you.", percent=percent(compared.same), people=compared.people
    )
    if compared.favourite == compared.made:
        return same
    most = words(
        "Most often: {choice} ({percent}%).",
        choice=f"**{board.action_text(compared.favourite, words)}**",
        percent=percent(compared.favourite_share),
    )
    return f"{same} {most}"


def _action_took_effect(
    judged: JudgedDecision[Any, Any], page: ReviewPage, presenter: AnyPresenter, words: Words
) -> bool:
    """Whether the player of *judged* acted and the action counted: no simultaneous action of another player came
    first."""
    return judged.decision.made is not None and not presenter.board.ignored_action_text(
        judged.decision.made, judged.happened, page.scene, words
    )


def new_deal_chance_change_lines(page: ReviewPage, words: Words) -> list[str]:
    """A line that says how a new deal changed the chances to win; empty if there was none, or cards are hidden."""
    return [_chance_changes_line(page.scene, page.after, page.dealt, words)] if page.dealt else []


def _as_good_as_over_lines(page: ReviewPage, words: Words) -> list[str]:
    """Lines that name the players who are sure to win at the moment of *page*, or have hardly a chance; empty if
    none."""
    won, lost = ([bold_name(page.scene.name(it.seat)) for it in page.over if it.won == one] for one in (True, False))
    lines = []
    if won:
        lines.append(words("From here on, the coach was sure that {names} would win.", names=words.list_and(won)))
    if lost:
        lines.append(
            words("From here on, the coach saw hardly any chance left for {names}.", names=words.list_and(lost))
        )
    return [f"{COACH_SYMBOL.text} {line}" for line in lines]


def _certain_winner_lines(page: ReviewPage, words: Words) -> list[str]:
    """A line that names the player who, all cards open, is sure to win from *page* on; empty if nobody is."""
    if page.unstoppable is None or page.scene.standings:
        return []
    name = bold_name(page.scene.name(page.unstoppable))
    return [
        f"{COACH_SYMBOL.text} "
        + words("From here on, the coach was sure, all cards open, that {name} would win.", name=name)
    ]


def _chance_changes_line(scene: AnyScene, before: Sequence[float], after: Sequence[float], words: Words) -> str:
    """Return one line with every player's chance to win before and after a change, in percent; *before* and *after* are
    from 0 to 1, by seat."""
    changed = [chance_change_text(scene, seat, before, after, words) for seat in range(len(after))]
    return "-# " + words("Chances to win, all cards open: {chances}", chances=" · ".join(changed))


def _decision_judgement_lines(
    judged: JudgedDecision[Any, Any], page: ReviewPage, presenter: AnyPresenter, words: Words
) -> list[str]:
    """The coach's lines on one decision: verdict, cards held then, reasons, luck; empty if there was no real choice."""
    decision, board, scene = judged.decision, presenter.board, page.scene
    who = f"{bold_name(scene.name(decision.seat))}: " if page.before and decision.mattered else ""
    verdict = _decision_verdict(decision, presenter, scene, words, own=not page.before)
    ignored = board.ignored_action_text(decision.made, judged.happened, scene, words)
    if not decision.mattered and (decision.stake == 0 or (scene.just_ended and decision.insight is None)):
        return []  # there was no real choice, or what the end of a round came to stands above
    lines = [f"{COACH_SYMBOL.text} {who}{ignored or verdict}"]
    lines += [f"-# {verdict}"] if ignored else []
    held = board.own_cards(judged.view)
    chosen_from = decision.made is not None and (scene.just_ended or decision.points >= SMALL_LOSS_POINTS)
    if chosen_from and held not in (
        _hand_at_review_moment_text(page, decision.seat, board),
        board.action_text(decision.made, words),
    ):
        lines.append("-# " + words("In hand then: {cards}", cards=held))
    said = ""
    chose = decision.cost >= NEARLY_BEST_COST and type(decision.made) is not type(
        decision.best
    )  # between calling and not
    if decision.insight is not None and (scene.just_ended or chose or not page.before):
        always = scene.just_ended or chose or decision.made is None
        played = decision.made is not None and not scene.just_ended
        said = board.insight_text(decision.insight, words, always=always, own=not page.before, played=played)
    told = decision.points >= SMALL_LOSS_POINTS and not (said and chose)  # of a call, that says why
    name = bold_name(scene.name(decision.seat)) if page.before else ""
    reason = (
        board.better_choice_reason(decision, judged.view, make_bold_name_function(scene), words, name=name)
        if told
        else ""
    )
    lines += [f"-# {line}" for line in (reason, said) if line]
    if not ignored:
        lines += board.call_luck_lines(judged, scene, words)
        if page.before and decision.made is not None and not scene.just_ended:
            lines += _luck_lines(judged, page, board, words)
    return lines


def _late_call_judgement_lines(judged: JudgedDecision[Any, Any], presenter: AnyPresenter, words: Words) -> list[str]:
    """Lines that say that the reader was right to call although another player's call was faster, and why."""
    decision, board = judged.decision, presenter.board
    faster = words("Somebody else was faster: that costs you nothing.")
    line = f"{capitalize_sentence(_comparison_with_best(decision, presenter, words))} {faster}"
    why = (
        board.insight_text(decision.insight, words, always=True, own=True, played=False)
        if decision.insight is not None
        else ""
    )
    return [f"{COACH_SYMBOL.text} {line}", *([f"-# {why}"] if why else [])]


def _hand_at_review_moment_text(page: ReviewPage, seat: Seat, board: AnyBoard) -> str:
    """Return the cards that *seat* holds at the moment that *page* shows, as symbols."""
    view = page.shown.views[seat] if isinstance(page.shown, OpenMoment) else page.shown.view
    return board.own_cards(view)


def _decision_verdict(decision: Decision, presenter: AnyPresenter, scene: AnyScene, words: Words, *, own: bool) -> str:
    """A sentence that says if *decision* was good, what was better, or that it hardly mattered; *own*: the reader's.

    A decision that mattered little to its player may have decided the game for others, so that player is named.
    """
    if not decision.mattered and own:
        chance = percent(decision.chance)
        return words("For you it hardly mattered: every choice left about {chance}% to win the game.", chance=chance)
    if not decision.mattered:
        facts = {"name": bold_name(scene.name(decision.seat)), "chance": percent(decision.chance)}
        return words("For {name} it hardly mattered: every choice left about {chance}% to win the game.", **facts)
    return capitalize_sentence(_comparison_with_best(decision, presenter, words))


def _comparison_with_best(decision: Decision, presenter: AnyPresenter, words: Words) -> str:
    """A sentence that compares the choice made with the best one by the chances to win; it may begin in lower case."""
    facts = {
        "made": f"**{presenter.board.action_text(decision.made, words)}**",
        "best": f"**{presenter.board.action_text(decision.best, words)}**",
        "chance": percent(decision.chance),
        "other": percent(decision.best_chance),
    }
    if decision.made is None:
        return words("{best} was better here: {other}% to win the game instead of {chance}%.", **facts)
    if percent(decision.best_chance) < LOW_CHANCE_PERCENT and decision.points < SMALL_LOSS_POINTS:
        return words("{made} was the best of bad choices: {chance}% to win the game.", **facts)
    if decision.cost < NEARLY_BEST_COST or facts["chance"] == facts["other"]:
        return words("{made} was the best choice: {chance}% to win the game.", **facts)
    if decision.points < SMALL_LOSS_POINTS:
        return words("{made} was good: {chance}% to win the game. A little better: {best}, {other}%.", **facts)
    if decision.points < MISTAKE_POINTS:
        return words("{made} was not the best: {chance}% to win the game. Better: {best}, {other}%.", **facts)
    return words("{made} was a mistake: {chance}% to win the game. Better: {best}, {other}%.", **facts)


def _luck_lines(judged: JudgedDecision[Any, Any], page: ReviewPage, board: AnyBoard, words: Words) -> list[str]:
    """Return one line that says that luck turned a good decision out badly or a bad one well, or by which card; empty
    if not, or if the next step undid that.

    Empty also where all choices seemed alike, or where the recommended choice would have turned out better still
    (``Decision.turned_out_well``).
    """
    decision = judged.decision
    changes = [now[decision.seat] - page.before[decision.seat] for now in (page.after, *page.later)]
    praised = percent(decision.best_chance) >= LOW_CHANCE_PERCENT
    if min(changes) >= LUCK_CHANGE and (drew := board.lucky_draw_line(judged, page.scene, words)):
        return [drew]
    if decision.mattered and praised and decision.points < SMALL_LOSS_POINTS and max(changes) <= -LUCK_CHANGE:
        return [words("🌧️ Bad luck: a good choice by what was known, but it went badly as the cards lay.")]
    if decision.points >= SMALL_LOSS_POINTS and min(changes) >= LUCK_CHANGE and decision.turned_out_well:
        return [words("🍀 But it turned out well, as the cards lay.")]
    return []


def chance_change_text(
    scene: AnyScene,
    seat: int,
    before: Sequence[float],
    after: Sequence[float],
    words: Words,
    *,
    between: Sequence[float] | None = None,
) -> str:
    """Return how the chance to win of *seat* changed, in a few characters: "Ada 10→25%"; with *between*, the chances on
    the way, "Ada 10→40→25%"."""
    name, way = escaped_name(scene.name(Seat(seat))), [it for it in (before, between) if it is not None]
    then = "→".join(str(percents(it)[seat]) for it in way)
    return words("{name} {before}→{after}%", name=name, before=then, after=percents(after)[seat])
