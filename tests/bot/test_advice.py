"""What the coach says of single decisions, and where: on the page whose cards it is about, true, and without
contradiction."""

from collections import Counter

import pytest

from bot.custom_ids import Verb
from bot.i18n import words
from bot.present import advice as present
from bot.present import coach as whole
from bot.present.hints import COACH
from bot.present.registry import PRESENTERS
from bot.present.review import OWN, figures_sheet, page_sheet
from bot.present.sheet import Sheet, capital
from bot.tables.coached import coached
from bot.tables.course import Course
from bot.tables.reviewing import page
from engine.coaching import Coaching, coach
from engine.decision import MATTERS
from engine.fair import Fair
from engine.game import Seat
from engine.games.diciassette.actions import Action, Call
from engine.games.diciassette.state import State
from engine.record import Acted
from engine.registry import GAMES
from engine.replay import Moment, Sitting
from local_discord.components import walk
from tests.bot.judged import COACHED, MIXED, judged
from tests.bot.reviews import BEGAN, TABLE, buttons, cast, person_id
from tests.games.diciassette import state

EN = words("en")


def texts(sheet: Sheet) -> list[str]:
    """The texts of *sheet*, in their order."""
    return [str(part["content"]) for part in walk(sheet.payload) if "content" in part]


@pytest.mark.parametrize("game", COACHED)
def test_the_button_of_a_costly_decision_opens_the_page_that_tells_it_first_thing(game: str) -> None:
    """And if a call was missed, the queue of that page is the one that could have been called."""
    found: Counter[bool] = Counter()
    for seed in range(6):
        course, said = judged(game, seed)
        for seat in map(Seat, range(len(MIXED))):
            ids = {person_id(seat)}
            it = coached(TABLE, course, said, cast(course), ids)
            ways = buttons(figures_sheet(it, EN), Verb.STEP)
            for place, one in enumerate(it.worst):
                number = ways[f"{OWN}.worst{place}"].ply
                shown = page(TABLE, course, cast(course), number, ids, own=True, said=said)
                told = next(part for part in texts(page_sheet(shown, EN)) if COACH.text in part)
                best = PRESENTERS[game].board.done(one.decision.best, EN)
                chance, other = (round(100 * it) for it in (one.decision.chance, one.decision.best_chance))
                made = PRESENTERS[game].board.done(one.decision.made, EN)
                if one.decision.made is None:
                    better = f"**{best}** was better here: {other}% to win the game instead of {chance}%"
                    assert capital(better) in told
                    assert shown.scene.view == one.view
                else:
                    assert capital(f"**{made}** was") in told
                    assert f"Better: **{best}**, {other}%" in told
                parts = texts(page_sheet(shown, EN))
                held = PRESENTERS[game].board.show(shown.scene, EN)[0]
                if not shown.scene.standings:
                    assert parts.index(told) < parts.index(held["content"])
                found[one.decision.made is None] += 1
    assert found[False]
    assert found[True] or not GAMES[game].has_calls


def stepped(before: State, action: Action) -> tuple[Course, Coaching]:
    """A game of 17 of three that begins with *before* and ends with *action*, and what the coach says of it."""
    seats = tuple(Sitting("person", person_id(seat), "") for seat in range(3))
    course, _ = judged("diciassette", 0)
    deal = Moment(0, None, None, None, before, (), seats)
    step = course.rules.apply(before, action, Fair(bytes(32)))
    acted = Acted(BEGAN, course.rules.encode_action(action), by_clock=False)
    course = course._replace(moments=(deal, Moment(1, acted, action, before, step.state, step.events, seats)))
    return course, coach(course.rules, course.moments)


@pytest.mark.about("diciassette")
def test_a_call_that_did_not_count_is_said_not_to_have_counted() -> None:
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 1:1?")
    course, said = stepped(before, Call((Seat(0), Seat(2))))
    for seat, counts in ((0, False), (2, True)):
        shown = page(TABLE, course, cast(course), 1, {person_id(seat)}, own=True, said=said)
        lines = present.advice(shown, PRESENTERS["diciassette"], EN)
        assert ("This call did not count: player 2 called" in lines[0]) != counts
        assert any("**Calling 17!** was" in line for line in lines)
        it = coached(TABLE, course, said, cast(course), {person_id(seat)})
        assert len(it.worst) == 1
        assert ("did not count" in whole.figures(it, PRESENTERS["diciassette"], EN)[0]) != counts


@pytest.mark.parametrize("game", COACHED)
def test_nothing_is_called_bad_luck_that_the_next_action_undid_or_that_was_a_mistake(game: str) -> None:
    luck = 0
    for seed in range(9):
        course, said = judged(game, seed)
        for it in said.decisions:
            shown = page(TABLE, course, cast(course), it.number, frozenset(), own=False, said=said)
            if len(shown.decisions) != 1 or shown.scene.just_ended:
                continue
            lines = "\n".join(present.advice(shown, PRESENTERS[game], EN))
            if "Bad luck" in lines:
                luck += 1
                seat = shown.decisions[0].decision.seat
                assert len(shown.later) <= 2
                assert all(now[seat] <= shown.before[seat] - present.LUCK for now in shown.later)
                assert " was the best choice" in lines or " was good" in lines
                assert "the best of bad choices" not in lines
                assert said.of(it.number, seat) is not None
                assert shown.decisions[0].decision.best_chance >= MATTERS, "there was nothing to lose"
    assert luck


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize("own", [True, False])
def test_where_nothing_could_change_any_more_nothing_is_said_and_where_little_could_that_it_hardly_mattered(
    game: str, own: bool
) -> None:
    told: Counter[str] = Counter()
    for seed in range(8):
        course, said = judged(game, seed)
        for it in said.decisions:
            if it.made is None:
                continue
            shown = page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=own, said=said)
            if [one.decision for one in shown.decisions] != [it]:
                continue
            lines = "\n".join(present.advice(shown, PRESENTERS[game], EN))
            lost, won = it.best_chance < 0.005, it.worst_chance > 0.995
            if lost or won:
                told["lost" if lost else "won"] += 1
                assert COACH.text not in "\n".join(it for it in lines.splitlines() if "From here on" not in it)
                assert "luck" not in lines
            elif it.stake < 0.005:
                told["alike"] += 1
                percent = round(100 * it.chance)
                who = "For you" if own else f"For **player {it.seat}**"
                if it.stake == 0:  # two-sided cards of one number: no choice at all
                    assert "hardly" not in lines
                elif it.insight is not None or not shown.scene.just_ended:  # else it says what the round came to
                    assert f"{who} it hardly mattered: every choice left about {percent}% to win" in lines
                assert "best choice" not in lines
            else:
                told["told"] += 1
                assert COACH.text in lines
                assert "hardly mattered" not in lines
    assert set(told) >= {"told", "alike"}


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize(
    ("best", "chance", "worst", "told"),
    [
        (0.004, 0.001, 0.0, False),
        (0.006, 0.001, 0.0, True),
        (1.0, 1.0, 0.996, False),
        (1.0, 1.0, 0.9, True),
        (0.14, 0.139, 0.137, True),
    ],
)
def test_a_game_is_as_good_as_lost_or_won_within_half_a_percent(
    game: str, best: float, chance: float, worst: float, told: bool
) -> None:
    course, said = judged(game, 0)
    it = next(it for it in said.decisions if it.made is not None and it.mattered)
    shown = page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=True, said=said)
    other = it._replace(best_chance=best, chance=chance, worst_chance=worst)
    shown = shown._replace(decisions=(shown.decisions[0]._replace(decision=other),))
    assert bool(present.advice(shown, PRESENTERS[game], EN)) == told
