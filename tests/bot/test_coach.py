"""What the coach says in words: of bad calls, good bluffs, bad luck, and of a game as a whole."""

import re
from collections import Counter

import pytest

from bot.i18n import LOCALES, words
from bot.present import coach as present
from bot.present.registry import PRESENTERS
from bot.present.table_message import LEVELS
from bot.tables.coached import SHOWN, WORTH_IT, coached, points
from bot.tables.judging import judged_of
from bot.tables.reviewing import page
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.events import Revealed
from tests.bot.judged import COACHED, MIXED, judged
from tests.bot.reviews import TABLE, cast, person_id

EN = words("en")


@pytest.mark.about("diciassette")
def test_bad_calls_bluffs_and_bad_luck_are_told_and_true() -> None:
    """Whatever is said of a decision fits what happened and what could be known."""
    told: Counter[str] = Counter()
    presenter = PRESENTERS["diciassette"]
    for seed in range(12):
        course, said = judged("diciassette", seed)
        for it in said.decisions:
            shown = page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=False, said=said)
            lines = "\n".join(present.advice(shown, presenter, EN))
            own = lines.partition(f"**player {it.seat}**: ")[2]
            revealed = next((event for event in shown.scene.recent if isinstance(event, Revealed)), None)
            if it.made is None:
                continue
            if "was a mistake" in own.partition("\n")[0] and isinstance(it.made, Call):
                told["bad call"] += 1
                assert it.cost >= present.MISTAKE
                assert it.made != it.best
            if "a bluff by" in lines:
                told["bluff"] += 1
                assert revealed is not None
                assert revealed.total < TARGET
                insights = [one.decision.insight for one in shown.decisions]
                assert max(max(one.odds, one.believed) for one in insights if one is not None) >= 0.4
            if "Bad luck" in lines:
                told["bad luck"] += 1
                acted = [one.decision.seat for one in shown.decisions]
                assert any(shown.after[seat] < shown.before[seat] for seat in acted)
    assert set(told) == {"bad call", "bluff", "bad luck"}


@pytest.mark.parametrize("game", COACHED)
def test_as_one_saw_it_the_coach_speaks_of_ones_own_decisions_alone(game: str) -> None:
    """And says nothing of chances with all cards open."""
    course, said = judged(game, 1)
    for number in range(1, course.last, 3):
        shown = page(TABLE, course, cast(course), number, {person_id(1)}, own=True, said=said)
        assert all(it.decision.seat == 1 for it in shown.decisions)
        assert shown.before == shown.after == ()
        lines = "\n".join(present.advice(shown, PRESENTERS[game], EN))
        assert "Chances to win" not in lines
        assert "player 0**: " not in lines


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_parts_of_a_result_add_up_as_written(game: str, locale: str) -> None:
    course, said = judged(game, 2)
    it = coached(TABLE, course, said, cast(course), {person_id(2)})
    text = "\n".join(present.told(it, PRESENTERS[game], words(locale)))
    lines = [line for line in text.splitlines() if line.startswith("- **player ")]
    assert len(lines) == len(MIXED)
    for line in lines:
        numbers = [int(found.replace("−", "-").replace("±", "")) for found in re.findall(r"[+−±]\d+", line)]
        result, luck, skill, others, own = numbers
        assert result == luck + skill
        assert skill == others + own


@pytest.mark.parametrize("game", COACHED)
def test_ones_costliest_decisions_are_ones_own_and_cost_something_the_worst_first(game: str) -> None:
    course, said = judged(game, 3)
    for seat in map(Seat, range(len(MIXED))):
        it = coached(TABLE, course, said, cast(course), {person_id(seat)})
        assert it.own == seat
        assert len(it.worst) <= SHOWN
        own = [one.decision for one in judged_of(said, course, seat) if one.decision.cost >= WORTH_IT]
        assert [one.decision for one in it.worst] == sorted(own, key=lambda one: (-points(one), -one.cost))[:SHOWN]
        text = present.told(it, PRESENTERS[game], EN)[0]
        costs = [int(cost) for cost in re.findall(r"\(−(\d+) points\)", text)]
        assert len(costs) == len(it.worst)
        assert costs == sorted(costs, reverse=True)
        assert "at stake" not in text
        levels = re.search(r"level \*\*(.)\*\* to \*\*(.)\*\*", text)
        assert levels is not None
        least, most = (LEVELS.index(level) + 1 for level in levels.groups())
        grade = it.balances[seat].grade
        assert grade is not None
        assert least <= grade <= most
        assert most - least == 2
    stranger = coached(TABLE, course, said, cast(course), frozenset())
    assert stranger.own is None
    assert stranger.worst == ()


@pytest.mark.parametrize("game", COACHED)
def test_the_picture_shows_the_chances_and_says_so_in_words(game: str) -> None:
    course, said = judged(game, 4)
    it = coached(TABLE, course, said, cast(course), {person_id(0)})
    shown = present.course_picture(it, EN)
    assert shown is not None
    assert shown.draw().width == 600
    assert shown.alt.startswith("Everyone’s chance to win")
    assert "At the end: " in shown.alt
    deal_alone = it._replace(courses=it.courses[:1], deciding=(), marks=())
    assert present.course_picture(deal_alone, EN) is None
