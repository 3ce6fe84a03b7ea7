"""What is told of a game that is over adds up, and says who did what."""

import re
from collections.abc import Sequence
from random import Random

import pytest

from bot.i18n import words
from bot.present import coach as present
from bot.present.registry import PRESENTERS
from bot.present.review import page_sheet
from bot.tables.coached import coached
from bot.tables.course import course_of
from bot.tables.reviewing import opened, page
from engine import record
from engine.coaching import coach
from engine.percents import percents
from local_discord.components import walk
from tests.bot.judged import COACHED, judged, played
from tests.bot.reviews import TABLE, cast, recorded

EN = words("en")


# What adds up


def test_parts_of_a_whole_add_up_in_percent_and_equal_ones_are_equal() -> None:
    rng = Random(1)
    for seats in (2, 3, 4, 6, 8) * 40:
        parts = [rng.random() ** 3 for _ in range(seats)]
        chances = [it / sum(parts) for it in parts]
        found = percents(chances)
        assert sum(found) == 100
        raised = sum(chance < 0.01 for chance in chances)  # to 1%: none is 0 that is not certain
        assert all(0 < one < 100 for one, chance in zip(found, chances, strict=True) if chance > 1e-6)
        assert all(abs(one - 100 * chance) < 1 + raised for one, chance in zip(found, chances, strict=True))
    assert percents([1 / 3] * 3) == [33] * 3
    assert percents([0.5, 0.25, 0.25]) == [50, 25, 25]
    assert percents([0.0, 0.375, 0.625]) == [0, 37, 63]


def shares(line: str) -> list[list[int]]:
    """The chances before and after, where *line* says how everybody's changed."""
    pairs = re.findall(r"(\d+)→(\d+)%", line)
    return [[int(pair[place]) for pair in pairs] for place in (0, 1)]


@pytest.mark.parametrize("game", COACHED)
def test_the_chances_on_a_page_add_up_to_100(game: str) -> None:
    course, said = judged(game, 1)
    told = 0
    for number in range(1, course.last, 2):
        shown = page(TABLE, course, cast(course), number, frozenset(), own=False, said=said)
        for line in texts(page_sheet(shown, EN).payload):
            if "Chances to win, all cards open: " in line:
                told += 1
                assert [sum(them) for them in shares(line)] == [100, 100], line
    assert told


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize("most", [1, 7, 20])
def test_where_a_game_was_ended_early_results_fit_the_chances_that_are_shown(game: str, most: int) -> None:
    found = record.unpack(played(game, 1))
    entries = (found.entries or ())[:most]
    course = course_of(record.pack(found._replace(entries=entries, ending="ended", standings=())))
    it = coached(TABLE, course, coach(course.rules, course.moments), cast(course), frozenset())
    assert [one.result + 33 for one in it.in_points] == percents(it.courses[-1])
    shown = present.course_picture(it, PRESENTERS[game], EN)
    assert shown is not None
    end = [int(one) for one in re.findall(r"(\d+)%", shown.alt.partition("At the end: ")[2])]
    assert sum(end) == 100
    assert end == percents(it.courses[-1])


# Who plays how well


# In one line


# Who did what


def texts(payload: Sequence[object]) -> list[str]:
    """The lines of a message."""
    return [line for part in walk(list(payload)) for line in str(part.get("content", "")).splitlines()]


@pytest.mark.parametrize("game", COACHED)
def test_what_was_undone_is_shown_on_the_way_or_said_not_to_count(game: str) -> None:
    """The picture shows it, so people look for it."""
    sentence = "-# The picture also shows changes that were undone within two actions: they do not count."
    noted = set()
    games = [course_of(recorded(game, 2, seed)) for seed in (1, 2, 3)]
    played_well = [judged(game, seed) for seed in (0, 1, 2, 3, 21)]
    for course, said in [*((course, coach(course.rules, course.moments)) for course in games), *played_well]:
        it = coached(TABLE, course, said, cast(course), frozenset())
        lines = "\n".join(present.figures(it, PRESENTERS[game], EN)).splitlines()
        for number, one in enumerate(it.deciding, start=1):
            (line,) = (line for line in lines if line.startswith(f"{number}. "))
            seat = one.swing.foremost
            peak = one.swing.detour(seat)
            between = [percents(it)[seat] for it in one.swing.way if peak is not None and it[seat] == peak][:1]
            way = [percents(one.swing.before)[seat], *between]
            assert "→".join(map(str, [*way, percents(one.swing.after)[seat]])) + "%" in line
        assert lines.count(sentence) == it.passing
        noted.add(it.passing)
    assert noted == {False, True}


@pytest.mark.parametrize(
    ("game", "seeds", "silent"), [("diciassette", (104, 107, 109), 1), ("twelve_days", (103, 104, 106), 0)]
)
def test_what_would_have_gone_better_as_the_cards_lay_is_told(game: str, seeds: Sequence[int], silent: int) -> None:
    """But not of wrong calls, where everybody sees it."""
    for course, said in (judged(game, seed) for seed in seeds):
        it = coached(TABLE, course, said, cast(course), frozenset())
        text = present.figures(it, PRESENTERS[game], EN)[-1]
        for found in said.hindsight:
            action, name = PRESENTERS[game].board.done(found.action, EN), f"**player {found.seat}**"
            chance = percents(found.chances)[found.seat]
            told = f"As the cards lay, **{action}** would have left {name} {chance}%" in text
            shown = opened(TABLE, course, cast(course), course.moments[found.number])
            assert told != ("– wrong" in PRESENTERS[game].deed(shown.scene, EN))
            silent -= not told
    assert silent == 0


# The pictures


# The moments that decided a game


@pytest.mark.parametrize("game", COACHED)
def test_every_moment_says_whether_it_was_a_mistake(game: str) -> None:
    """And where it was none, whether it went badly for whoever acted, so that nobody wonders why chances fell."""
    told = {"better": 0, "good": 0, "badly": 0}
    for seed in range(8):
        course, said = judged(game, seed)
        it = coached(TABLE, course, said, cast(course), frozenset())
        lines = "\n".join(present.figures(it, PRESENTERS[game], EN)).splitlines()
        for number, one in enumerate(it.deciding, start=1):
            (at,) = (at for at, line in enumerate(lines) if line.startswith(f"{number}. "))
            line = lines[at + 1]
            good = [made.decision for part in one.parts for made in part.made if made.decision.points < 2]
            if "A good choice by what was known" in line:
                assert any(decision.mattered for decision in good)
                own = [judged_.decision.seat for judged_ in one.main.made if judged_.decision.points < 2]
                fell = [seat for seat in own if one.points[seat] <= -5]
                assert ("but it went badly" in line) is bool(fell)
                assert all(f"badly for **player {seat}**" in line for seat in fell)
                told["badly" if fell else "good"] += 1
            told["better"] += "etter: " in line
            turned_out = [it.decision.points >= 2 and one.points[it.decision.seat] >= 5 for it in one.main.made]
            if "did not count" not in line:
                assert ("It turned out well" in line) is any(turned_out), line
    assert all(told.values())
