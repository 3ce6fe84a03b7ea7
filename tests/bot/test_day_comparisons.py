"""The deal of the day in reviews: a choice is compared with what others chose at the same moment; whose day it was."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli import verify as verify_cli
from bot.cli.verify import report_lines
from bot.daily.choices import (
    MIN_AT_MOMENT,
    Choice,
    ComparedChoice,
    choice_frequencies_at_moment,
    compare_choices,
    extract_game_choices,
    replay_daily_attempt,
)
from bot.daily.days import PERSON_SEAT
from bot.daily.results import MIN_PEOPLE
from bot.i18n import words
from bot.review.coach import GameReview, review_game
from bot.review.moments import review_page
from bot.review.replay import GameCourse, replay_packed_record
from bot.ui.advice import others_choices_text
from bot.ui.components import Sheet
from bot.ui.registry import PRESENTERS
from bot.ui.review import DAY_REMARKS, REMARKS, coach_summary_sheet, record_verified_sheet, review_page_sheet
from engine import record
from engine.registry import GAMES
from engine.verify import SAFE_CODE_DIGITS, PlayerNotes, Remark, verify
from tests.bot.reviews import TABLE, cast, person_id, said_of
from tests.bot.test_days import DAILY, DAY, day_record, every_game

EN = words("en")
READER = frozenset({person_id(0)})


def course_of(game: str, seed: int = 0) -> GameCourse:
    """An attempt, replayed."""
    return replay_packed_record(record.compress_record(day_record(game, seed)))


def compared_with(course: GameCourse, attempts: Sequence[Sequence[Choice]]) -> dict[int, ComparedChoice]:
    return compare_choices(course.rules, course.moments, attempts)


def others(course: GameCourse, same: int, different: int, choice: str = "") -> list[tuple[Choice, ...]]:
    """Attempts of people who came to all moments of *course*: so many chose the same, so many always *choice*, or if it
    is empty what the person had chosen at the moment before."""
    own = replay_daily_attempt(course.record).choices
    before = ["-", *(it.chosen for it in own)]
    last = tuple(Choice(it.moment, choice or chosen) for it, chosen in zip(own, before[:-1], strict=True))
    return [own] * same + [last] * different


def page_of(course: GameCourse, number: int, compared: dict[int, ComparedChoice], *, own: bool = True) -> Sheet:
    shown = review_page(
        TABLE, course, cast(course), number, READER, own=own, coaching=said_of(course), compared=compared
    )
    return review_page_sheet(shown, EN)


def judged(course: GameCourse, compared: dict[int, ComparedChoice]) -> GameReview:
    said = said_of(course)
    assert said is not None
    return review_game(TABLE, course, said, cast(course), READER, compared)


# How many chose the same


@every_game
@given(seeds=st.lists(st.integers(0, 5), min_size=MIN_PEOPLE - 1, max_size=40), own=st.integers(0, 5))
def test_every_choice_is_compared_with_those_at_the_same_moment(game: str, seeds: list[int], own: int) -> None:
    course = course_of(game, own)
    attempts = [replay_daily_attempt(day_record(game, seed)).choices for seed in (own, *seeds)]
    found = compared_with(course, attempts)
    for it in extract_game_choices(course.rules, course.moments):
        shares = choice_frequencies_at_moment(attempts, it.choice.moment)
        assert shares is not None, "the person's own attempt came there"
        assert (it.number in found) is (shares.people >= MIN_AT_MOMENT)
        if it.number not in found:
            continue
        one = found[it.number]
        assert (one.people, one.same) == (shares.people, shares.shares[it.choice.chosen])
        assert one.favourite_share == max(shares.shares.values())
        assert (one.favourite == one.made) is (one.same == one.favourite_share), "of equals it is one's own"
        made = course.rules.action_of_seat(PERSON_SEAT, course.moments[it.number].action)
        assert one.made == made


@every_game
def test_nobody_is_compared_before_twenty_have_played_or_where_few_came(game: str) -> None:
    course = course_of(game)
    assert compared_with(course, others(course, 15, 4)) == {}
    assert len(compared_with(course, others(course, 15, 5))) == len(extract_game_choices(course.rules, course.moments))
    elsewhere = [(Choice("ff", "-"),)] * 16
    assert compared_with(course, [*others(course, 4, 0), *elsewhere]) == {}
    assert {it.people for it in compared_with(course, [*others(course, 5, 0), *elsewhere]).values()} == {5}


@every_game
def test_practice_is_compared_though_it_counts_nowhere(game: str) -> None:
    course = course_of(game)
    found = compared_with(course, others(course, 0, 20, '{"pass":true,"seat":0}' if game == "twelve_days" else "-"))
    assert found
    assert min(it.same for it in found.values()) == 0


@every_game
@pytest.mark.parametrize("damaged", ["", "x", "[" * 100_000, "{}", '{"seat":0}', "7"])
def test_a_damaged_choice_is_compared_with_nothing(game: str, damaged: str) -> None:
    course = course_of(game)
    own = replay_daily_attempt(course.record).choices
    bad = tuple(Choice(it.moment, damaged) for it in own)
    assert compared_with(course, [own] * 5 + [bad] * 15) == {}
    assert compared_with(course, [own] * 15 + [bad] * 5), "few chose it, so it is not named"


# On the pages


@every_game
def test_a_step_says_it_where_the_reader_chose_and_nowhere_else(game: str) -> None:
    course = course_of(game)
    found = compared_with(course, others(course, 15, 5))
    told = {number - (it.made is None) for number, it in found.items() if it.made is not None or it.same < 1}
    for number in range(len(course.moments)):
        for own in (True, False):
            said = str(page_of(course, number, found, own=own).payload)
            assert ("👥" in said) is (number in told)
        assert "👥" not in str(page_of(course, number, {}).payload)


@every_game
def test_the_text_names_what_most_chose(game: str) -> None:
    course = course_of(game)
    presenter = PRESENTERS[game]
    few, many = (compared_with(course, others(course, same, 20 - same)) for same in (5, 15))
    number = next(at for at, it in few.items() if it.made is not None and it.favourite != it.made)
    most = presenter.board.action_text(few[number].favourite, EN)
    said = others_choices_text(few[number], presenter, EN)
    assert said == f"25% of 20 people chose the same as you. Most often: **{most}** (75%)."
    assert others_choices_text(many[number], presenter, EN) == "75% of 20 people chose the same as you."


def test_who_did_not_call_reads_how_many_did() -> None:
    course = course_of("diciassette")
    compared = compared_with(course, others(course, 13, 7, '{"call":[0]}'))
    found = [it for it in compared.values() if it.made is None]
    assert {others_choices_text(it, PRESENTERS["diciassette"], EN) for it in found} == {"35% of 20 people called here."}
    nobody = [it for it in compared_with(course, others(course, 20, 0)).values() if it.made is None]
    assert {others_choices_text(it, PRESENTERS["diciassette"], EN) for it in nobody} == {""}


@every_game
def test_the_coach_says_it_beside_the_moments_that_mattered(game: str) -> None:
    told = 0
    for seed in range(6):
        course = course_of(game, seed)
        found = compared_with(course, others(course, 15, 5, '{"call":[0]}' if game == "diciassette" else ""))
        review = judged(course, found)
        sheet = coach_summary_sheet(review, EN)
        assert not sheet.cut
        said = str(sheet.payload)
        shown = [it for one in review.important_moments if (it := review.compared_choice_at(one)) is not None]
        assert said.count(" of 20 people ") == len([it for it in shown if it.made is not None or it.same < 1])
        for it in review.important_moments:
            if it.mistake is not None:
                assert review.compared_choice_at(it) == found[it.mistake.decision.number]
        told += len(shown)
        assert " people " not in str(coach_summary_sheet(judged(course, {}), EN).payload)
    assert told


# Records


@every_game
def test_a_record_of_a_day_tells_the_day_and_nothing_of_cuts_and_messages(game: str) -> None:
    found = day_record(game)
    for noted in (PlayerNotes(), PlayerNotes(found.commitment, found.deal.deal_code(found.commitment), 20261128)):
        said = str(record_verified_sheet(found, verify(found, noted), EN, compared=noted != PlayerNotes()).payload)
        assert f"Day of the deal: `{DAY}`" in said
        assert "the seats and the day." in said
        assert "20261128" not in said
        assert REMARKS[Remark.NOBODY_CUT] not in said
        assert "table message" not in said
        assert (EN(DAY_REMARKS[Remark.NOT_NOTED]) in said) is (noted == PlayerNotes())
    few = PlayerNotes(found.commitment[:8], message=20261128)
    said = str(record_verified_sheet(found, verify(found, few), EN, compared=True).payload)
    assert EN(DAY_REMARKS[Remark.FEW_DIGITS], digits=SAFE_CODE_DIGITS) in said


@every_game
def test_the_command_line_says_nothing_of_cuts_either(game: str) -> None:
    found = day_record(game)
    assert verify(found).remarks == (Remark.NOT_NOTED, Remark.NOBODY_CUT)
    said = report_lines(found, PlayerNotes())
    assert said[-1] == verify_cli.REMARKS[Remark.NOT_NOTED]
    assert verify_cli.REMARKS[Remark.NOBODY_CUT] not in said


def test_every_remark_on_a_day_has_words() -> None:
    assert set(DAY_REMARKS) == set(Remark) - {Remark.NOBODY_CUT}
    assert {game for game in GAMES if GAMES[game].daily is not None} == set(DAILY)
