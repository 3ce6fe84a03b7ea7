"""What the coach says in words: of bad calls, good bluffs, bad luck, and of a game as a whole."""

import re
from collections import Counter
from functools import cache
from random import Random

import pytest

from bot.i18n import LOCALES, words
from bot.present import coach as present
from bot.present.registry import PRESENTERS
from bot.tables.coached import SHOWN, WORTH_IT, coached
from bot.tables.course import Course, coaching_of, course_of
from bot.tables.reviewing import page
from engine import record
from engine.coaching import Coaching
from engine.fair import Deal, Fair, SeatSheet
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.events import Revealed
from engine.policies import policy
from engine.record import FINISHED, Acted
from engine.registry import GAMES
from engine.simulate import Match
from tests.bot.reviews import BEGAN, SECRET, TABLE, cast, person_id

EN = words("en")
COACHED = sorted(name for name, game in GAMES.items() if game.has_coach)
MIXED = ("computer:1", "computer:3", "computer:6")


@cache
def played(game: str, seed: int) -> bytes:
    """A game between people who play like computers of several levels, as its record, packed."""
    rules, policies = GAMES[game], MIXED
    sheets = tuple(SeatSheet(person_id(seat), "person") for seat in range(len(policies)))
    options = {name: values[-1] for name, values in rules.options.items()}
    deal = Deal(game, rules.rules_version, options, sheets, (seed + 1) << 50, 1)
    chance = Fair(deal.seed(SECRET))
    match = Match(rules, [policy(rules, name) for name in policies], options, chance, Random(seed))
    entries = []
    while not match.over:
        action = match.next_action()
        entries.append(Acted(BEGAN + 1000 * len(entries), rules.encode_action(action), by_clock=False))
        match.apply(action)
    return record.pack(record.record_of(deal, SECRET, entries, FINISHED, rules.standings(match.state)))


def judged(game: str, seed: int) -> tuple[Course, Coaching]:
    """A game, and what the coach says of it."""
    said = coaching_of(played(game, seed))
    assert said is not None
    return course_of(played(game, seed)), said


@pytest.mark.about("diciassette")
def test_bad_calls_good_bluffs_and_bad_luck_are_told_and_true() -> None:
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
            if "A good bluff" in lines:
                told["good bluff"] += 1
                assert revealed is not None
                assert revealed.total < TARGET
                assert max(max(one.insight) for one in shown.decisions if one.insight is not None) >= 0.4
            if "Bad luck" in lines:
                told["bad luck"] += 1
                acted = [one for one in shown.decisions if one.made is not None]
                assert any(shown.after[one.seat] < shown.before[one.seat] for one in acted)
    assert set(told) == {"bad call", "good bluff", "bad luck"}


@pytest.mark.parametrize("game", COACHED)
def test_as_one_saw_it_the_coach_speaks_of_ones_own_decisions_alone(game: str) -> None:
    """And says nothing of chances with all cards open."""
    course, said = judged(game, 1)
    for number in range(1, course.last, 3):
        shown = page(TABLE, course, cast(course), number, {person_id(1)}, own=True, said=said)
        assert all(it.seat == 1 for it in shown.decisions)
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
def test_ones_costliest_decisions_are_ones_own_and_cost_something(game: str) -> None:
    course, said = judged(game, 3)
    for seat in map(Seat, range(len(MIXED))):
        it = coached(TABLE, course, said, cast(course), {person_id(seat)})
        assert it.own == seat
        assert len(it.worst) <= SHOWN
        own = sorted((one.cost for one in said.decisions if one.seat == seat), reverse=True)
        assert sorted((one.cost for one in it.worst), reverse=True) == [
            cost for cost in own[:SHOWN] if cost >= WORTH_IT
        ]
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
