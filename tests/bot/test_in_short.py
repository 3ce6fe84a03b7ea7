"""The coach's first page on a game that is over: two sentences on how the reader played, and the moments that
mattered."""

import re

import pytest

from bot.i18n import words
from bot.present.coach import LUCKY, VERY, told
from bot.present.registry import PRESENTERS
from bot.present.sheet import bold
from bot.tables.coached import MISTAKE, SHOWN, Coached, coached
from engine.game import Seat
from engine.percents import percent, percents
from tests.bot.judged import COACHED, MIXED, judged
from tests.bot.reviews import TABLE, cast, person_id

EN = words("en")
USUAL, LONGEST = 130, 180
"""So many characters has a line, without markup: most of them, and all, with the greatest combinations."""

every_game = pytest.mark.parametrize("game", COACHED)


def read_by(game: str, seed: int, seat: int | None) -> Coached:
    """What the coach says of a game to whoever had *seat*; ``None``: they did not play."""
    course, said = judged(game, seed)
    return coached(TABLE, course, said, cast(course), frozenset() if seat is None else {person_id(seat)})


def lines(it: Coached, locale: str = "en") -> list[str]:
    """The lines of the moments that mattered."""
    said = told(it, PRESENTERS[it.end.scene.game], words(locale))[-1].splitlines()
    return [line for line in said if re.match(r"\d\. ", line)]


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (-VERY, "You were very unlucky."),
        (1 - VERY, "You were unlucky."),
        (-LUCKY, "You were unlucky."),
        (1 - LUCKY, "You were neither lucky nor unlucky."),
        (LUCKY - 1, "You were neither lucky nor unlucky."),
        (LUCKY, "You were lucky."),
        (VERY - 1, "You were lucky."),
        (VERY, "You were very lucky."),
    ],
)
def test_luck_is_told_in_words_by_what_it_came_to(points: int, said: str) -> None:
    it = read_by(COACHED[0], 2, 0)
    two = [
        one._replace(cost=0.0, result=sign * points / 100) for one, sign in zip(it.balances[:2], (1, -1), strict=True)
    ]
    changed = it._replace(balances=tuple(two))
    assert changed.in_points[0].luck == points
    assert told(changed, PRESENTERS[COACHED[0]], EN)[0].endswith(f"**{said}**")


@every_game
def test_ones_costliest_mistake_is_among_them_and_the_greatest_moments_are(game: str) -> None:
    both = 0
    for seed in range(8):
        for seat in range(len(MIXED)):
            it = read_by(game, seed, seat)
            found = [one.mistake for one in it.mattered if one.mistake is not None]
            assert len({one.place for one in it.mattered}) == len(it.mattered)
            if it.worst and it.worst[0].decision.points >= MISTAKE:
                assert it.worst[0] in found
            both += any(one.deciding and one.mistake for one in it.mattered)
            told_of = [one.deciding for one in it.mattered if one.deciding is not None]
            left = [one for one in it.deciding if one not in told_of]
            assert len(it.mattered) == SHOWN or not left
            for one in it.mattered:
                if one.deciding is None and one.mistake != it.worst[0]:
                    assert one.mistake is not None
                    assert all(one.mistake.decision.points >= other.swing.size[0] for other in left)
    assert both


@every_game
def test_what_a_line_says_is_what_the_figures_say(game: str) -> None:
    """The reader's chance, where the moment changed it by ten points, or else whoever's it changed most; of a mistake
    what it and the better choice left, as far as the reader could know."""
    mine = others = 0
    for seed in range(6):
        for seat in (None, *map(Seat, range(len(MIXED)))):
            it = read_by(game, seed, seat)
            for one, line in zip(it.mattered, lines(it), strict=True):
                if one.deciding is None:
                    assert one.mistake is not None
                    it_was = one.mistake.decision
                    assert f"({percent(it_was.best_chance)}% to win instead of {percent(it_was.chance)}%)" in line
                    continue
                swing = one.deciding.swing
                own = seat is not None and abs(swing.points[seat]) >= 10
                whose = seat if own and seat is not None else swing.foremost
                way = f"{percents(swing.before)[whose]}% → {percents(swing.after)[whose]}%."
                name = bold(it.end.scene.name(whose))
                assert (f"Your chance: {way}" if own else f"{name}’s chance: {way}") in line
                mine, others = mine + own, others + (not own)
    assert mine
    assert others
