"""What the coach says on a step as one player saw it: whom a decision mattered to, in which words, and why it is silent
from some step on."""

import pytest

from bot.i18n import words
from bot.present import advice as present
from bot.present.registry import PRESENTERS
from bot.tables.course import Course
from bot.tables.judging import over_of, unstoppable_from
from bot.tables.reviewing import Open, Page, page
from engine.coaching import Coaching
from engine.decision import Decision
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.coach import Insight
from engine.registry import GAMES
from tests.bot.judged import COACHED, judged
from tests.bot.reviews import TABLE, cast, person_id
from tests.bot.test_bluffs import after_call, lines_for
from tests.games.diciassette import state

EN = words("en")


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(("otherwise", "told"), [(0.06, True), (0.08, False), (None, False)])
def test_an_unlikely_call_that_was_right_comes_with_what_not_calling_would_have_left(
    otherwise: float | None, told: bool
) -> None:
    course, said = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 1:2= 1:R?"), 2)
    call = Call((Seat(2),))
    tried = Decision(1, Seat(2), call, call, 0.08, 0.08, 0.06, Insight(0.04, 0.04), otherwise)
    lines = lines_for(course, said._replace(decisions=(tried,)), 2)
    assert ("It was worth a try: not calling would have left 6% to win the game." in lines) is told


def worded(best: float, chance: float) -> str:
    """What is said of a decision that left *chance* where *best* was possible."""
    course, said = judged("twelve_days", 0)
    it = next(it for it in said.decisions if it.cost > 0 and it.mattered)
    shown = page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=True, said=said)
    other = it._replace(best_chance=best, chance=chance, worst_chance=0.1)
    shown = shown._replace(decisions=(shown.decisions[0]._replace(decision=other),))
    return present.advice(shown, PRESENTERS["twelve_days"], EN)[0]


@pytest.mark.about("twelve_days")
@pytest.mark.parametrize(
    ("best", "chance", "verdict"),
    [
        (0.644, 0.626, "was good: 63%"),
        (0.646, 0.634, "was not the best: 63%"),  # of 65
        (0.534, 0.506, "was not the best: 51%"),
        (0.526, 0.519, "was good: 52%"),
        (0.504, 0.496, "was the best choice: 50%"),
        (0.5449, 0.4951, "was not the best: 50%"),
        (0.5451, 0.4949, "was a mistake: 49%"),
    ],
)
def test_the_words_follow_from_the_numbers_that_people_read(best: float, chance: float, verdict: str) -> None:
    assert verdict in worded(best, chance)


@pytest.mark.about("diciassette")
def test_with_all_cards_open_a_call_always_comes_with_what_the_caller_could_think() -> None:
    """How likely 17 was, or the sum, if they knew it. No bluff is said to have worked on somebody who did not believe
    in 17, whatever the others thought."""
    known = doubted = 0
    for seed in range(10):
        course, said = judged("diciassette", seed)
        for it in said.decisions:
            if not isinstance(it.made, Call) or it.settled:
                continue
            shown = page(TABLE, course, cast(course), it.number, frozenset(), own=False, said=said)
            lines = present.advice(shown, PRESENTERS["diciassette"], EN)
            if "did not count" in "".join(lines):
                continue
            thought = [line for line in lines if line.startswith(("-# Chance of 17 or more: ", "-# Known sum: "))]
            assert len(thought) == 1, lines
            known += "Known" in thought[0]
            if it.insight.odds < 0.1:
                doubted += 1
                assert not [line for line in lines if "🎭" in line]
    assert known
    assert doubted


@pytest.mark.about("diciassette")
def test_with_all_cards_open_calls_that_somebody_missed_are_told_too() -> None:
    """They cost points, so people look for them. It is told on the queue on which they could have called."""
    told = 0
    for seed in range(8):
        course, said = judged("diciassette", seed)
        for it in said.decisions:
            if it.made is None and it.points >= present.SMALL and not it.settled:
                shown = page(TABLE, course, cast(course), it.number - 1, frozenset(), own=False, said=said)
                lines = present.advice(shown, PRESENTERS["diciassette"], EN)
                assert [line for line in lines if f"**player {it.seat}**: **Calling 17!** was better here" in line]
                told += 1
    assert told


@pytest.mark.parametrize("game", COACHED)
def test_where_something_better_is_named_the_page_shows_the_cards_to_choose_from(game: str) -> None:
    """The step shows the hand after the move: whoever reads "better: 5 6" looks for them."""
    told = 0
    for course, coaching in (judged(game, seed) for seed in range(4)):
        for it in coaching.decisions:
            if it.made is None or it.settled or course.rules.concludes(course.moments[it.number].events):
                continue
            shown = page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=True, said=coaching)
            lines = present.advice(shown, PRESENTERS[game], EN)
            held = PRESENTERS[game].board.cards(course.rules.view(course.moments[it.number].before, it.seat))
            now = PRESENTERS[game].board.cards(shown.scene.view)
            whole = held == PRESENTERS[game].board.done(it.made, EN)  # then it has been said
            named = it.points >= present.SMALL and held != now and not whole
            assert [line for line in lines if "In hand then" in line] == [f"-# In hand then: {held}"] * named
            told += named
    assert told > 5


@pytest.mark.about("diciassette")
def test_whoever_could_have_called_where_somebody_else_did_is_told_so_on_their_own_page() -> None:
    """A race that somebody else has won costs nothing, but whether it was right to call is worth knowing."""
    told = 0
    for seed in range(8):
        course, said = judged("diciassette", seed)
        for it in said.late:
            own, openly = (
                present.advice(
                    page(TABLE, course, cast(course), it.number - 1, {person_id(it.seat)}, own=own, said=said),
                    PRESENTERS["diciassette"],
                    EN,
                )
                for own in (True, False)
            )
            assert not [line for line in openly if "Somebody else was faster" in line]
            at = [n for n, line in enumerate(own) if "Somebody else was faster: that costs you nothing." in line]
            assert len(at) == (it.points >= present.SMALL and not it.settled)
            for n in at:
                assert own[n].startswith("🎓 **Calling 17!** was better here: ")
                assert own[n + 1].startswith(("-# Chance of 17 or more: ", "-# Known sum: "))
                told += 1
    assert told


def won_by(course: Course, said: Coaching, number: int) -> bool:
    """Whether it was said by step *number* that somebody had won."""
    found = [over_of(said, Seat(seat)) for seat in range(len(said.balances))]
    return any(it is not None and it.won and it.number <= number for it in found)


@pytest.mark.about("twelve_days")
def test_where_nothing_is_open_any_more_that_is_said_once() -> None:
    """At the first decision of which nothing is said from there on; and that is how it ended."""
    told = {"lost": 0, "won": 0}
    for seed in range(12):
        course, said = judged("twelve_days", seed)
        for seat in range(len(said.balances)):
            own = [it for it in said.decisions if it.seat == seat]
            pages = [
                page(TABLE, course, cast(course), number, {person_id(seat)}, own=True, said=said)
                for number in range(course.last + 1)
            ]
            where = [(it.number, one) for it in pages for one in it.over]
            last = [it.number for it in own if not it.settled]
            after = [it.number for it in own if it.number > max(last, default=0)]
            assert len(where) <= 1
            for number, one in where:
                assert number == after[0]
                assert len(after) > 1
                outcome = "won" if one.won else "lost"
                told[outcome] += 1
                assert said.courses[-1][seat] == (1 if one.won else 0)
                name = f"**player {seat}**"
                said_of = {"won": f"was sure that {name} would win", "lost": f"saw hardly any chance left for {name}"}
                line = f"🎓 From here on, the coach {said_of[outcome]}."
                assert present.advice(pages[number], PRESENTERS["twelve_days"], EN) == [line]
                shown: Page = page(TABLE, course, cast(course), number, frozenset(), own=False, said=said)
                assert isinstance(shown.shown, Open)
                openly = [it for it in present.advice(shown, PRESENTERS["twelve_days"], EN) if "From here on" in it]
                if (sure := unstoppable_from(said)) is not None and sure[0] <= number:
                    assert line not in openly  # all cards open it was said before
                elif one.won:
                    assert openly == [line]
                else:  # said in one line with others who have lost, or not at all after somebody has won
                    assert [name in it for it in openly] == [True] * (not won_by(course, said, number))
    assert told["lost"]
    assert GAMES["twelve_days"].has_coach


@pytest.mark.about("twelve_days")
def test_from_where_on_the_winner_was_sure_is_said_once_and_only_with_all_cards_open() -> None:
    told = 0
    for seed in range(8):
        course, said = judged("twelve_days", seed)
        found = unstoppable_from(said)
        for number in range(course.last + 1):
            line = "the coach was sure, all cards open, that"
            for own in (True, False):
                shown = page(TABLE, course, cast(course), number, {person_id(0)}, own=own, said=said)
                lines = "\n".join(present.advice(shown, PRESENTERS["twelve_days"], EN))
                here = not own and found is not None and found[0] == number < course.last
                assert (line in lines) is here
                if here and found is not None:
                    told += 1
                    assert f"that **player {found[1]}** would win." in lines
                    assert {chances[found[1]] for chances in said.courses[number:]} == {1}
                    assert said.courses[number - 1][found[1]] < 1
    assert told
