"""What the coach says in words: of bad calls, good bluffs, bad luck, and of a game as a whole."""

import re
from collections import Counter

import pytest

from bot.custom_ids import Verb
from bot.i18n import LOCALES, words
from bot.present import advice
from bot.present import coach as present
from bot.present.deciding import decisive
from bot.present.registry import PRESENTERS
from bot.present.review import coach_sheet, figures_sheet
from bot.present.sheet import bold
from bot.present.table_options import LEVELS
from bot.tables.coached import SHOWN, WORTH_IT, coached
from bot.tables.course import course_of
from bot.tables.judging import decisions_of
from bot.tables.reviewing import page
from engine import record
from engine.coaching import coach
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.cards import TARGET, Card
from engine.games.diciassette.events import CardsDrawn, Revealed
from tests.bot.judged import COACHED, MIXED, balances, judged, played
from tests.bot.reviews import TABLE, buttons, cast, person_id

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
            lines = "\n".join(advice.advice(shown, presenter, EN))
            own = lines.partition(f"**player {it.seat}**: ")[2]
            revealed = next((event for event in shown.scene.recent if isinstance(event, Revealed)), None)
            if it.made is None:
                continue
            if "was a mistake" in own.partition("\n")[0] and isinstance(it.made, Call):
                told["bad call"] += 1
                assert it.points >= advice.MISTAKE
                assert it.made != it.best
            if "🎭" in lines:
                told["bluff"] += 1
                assert revealed is not None
                assert revealed.total < TARGET
                assert max(one.decision.insight.odds for one in shown.acted) >= 0.2
            for untrue in ("all cards open it was right", "wrong with all cards"):
                assert untrue not in lines
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
        lines = "\n".join(advice.advice(shown, PRESENTERS[game], EN))
        assert "Chances to win" not in lines
        assert "player 0**: " not in lines


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_parts_of_a_result_add_up_as_written(game: str, locale: str) -> None:
    course, said = judged(game, 2)
    it = coached(TABLE, course, said, cast(course), {person_id(2)})
    told = balances(present.figures(it, PRESENTERS[game], words(locale)))
    assert len(told) == len(MIXED)
    for own, others, skill, luck, result in told:
        assert result == skill + luck
        assert skill == others + own


@pytest.mark.parametrize("game", COACHED)
def test_of_a_game_that_was_ended_early_the_chances_stand_in_for_the_result(game: str) -> None:
    """Nobody has won, nothing was decided, and nobody gets a grade."""
    found = record.unpack(played(game, 1))
    entries = found.entries or ()
    for most in (len(entries) - 1, 1):
        course = course_of(record.pack(found._replace(entries=entries[:most], ending="ended", standings=())))
        it = coached(TABLE, course, coach(course.rules, course.moments), cast(course), {person_id(0)})
        text = "\n".join(present.figures(it, PRESENTERS[game], EN))
        assert "The game was ended early, so it is the chance to win at that moment, less the 33% that" in text
        assert "### What changed the chances most" in text
        page = str(figures_sheet(it, EN).payload)
        assert "Look at what changed the chances most:" in page
        short = "\n".join(present.told(it, PRESENTERS[game], EN))
        stranger = coached(TABLE, course, coach(course.rules, course.moments), cast(course), frozenset())
        seen = "\n".join(present.told(stranger, PRESENTERS[game], EN))
        assert "The game was ended early: nobody has won." in seen
        for said in (short, text):
            assert "The game was ended early, so it cannot be said how well you played." in said
        for said in (short, text, seen):
            for untrue in ("A win is", "decided", "level", "too few", "wins!"):
                assert untrue not in said
        assert "decided it" not in page


@pytest.mark.parametrize("game", COACHED)
def test_of_a_game_that_was_ended_before_the_first_move_there_is_nothing_to_tell(game: str) -> None:
    found = record.unpack(played(game, 1))
    course = course_of(record.pack(found._replace(entries=(), ending="ended", standings=())))
    it = coached(TABLE, course, coach(course.rules, course.moments), cast(course), {person_id(0)})
    for said in (present.told, present.figures):
        assert said(it, PRESENTERS[game], EN) == ["The game ended before the first move."]
    assert set(buttons(coach_sheet(it, EN), Verb.STEP)) == {"game.whole"}
    assert "Luck and skill" not in str(figures_sheet(it, EN).payload)


@pytest.mark.parametrize("game", COACHED)
def test_whoever_s_seat_somebody_else_has_now_is_not_told_how_that_one_played(game: str) -> None:
    course, said = judged(game, 1)
    other = tuple(it._replace(sitter="f" * 16) if not seat else it for seat, it in enumerate(said.balances))
    it = coached(TABLE, course, said._replace(balances=other), cast(course), {person_id(0)})
    assert (it.own, it.worst) == (None, ())


@pytest.mark.parametrize("game", COACHED)
def test_ones_costliest_decisions_are_ones_own_and_cost_something_the_worst_first(game: str) -> None:
    course, said = judged(game, 3)
    for seat in map(Seat, range(len(MIXED))):
        it = coached(TABLE, course, said, cast(course), {person_id(seat)})
        assert it.own == seat
        assert len(it.worst) <= SHOWN
        own = [it for it in decisions_of(said, seat) if it.points >= WORTH_IT]
        assert [one.decision for one in it.worst] == sorted(own, key=lambda one: (-one.points, -one.cost))[:SHOWN]
        text = present.figures(it, PRESENTERS[game], EN)[0]
        costs = [int(cost) for cost in re.findall(r"\(−(\d+) points\)", text)]
        assert len(costs) == len(it.worst)
        assert costs == sorted(costs, reverse=True)
        assert "at stake" not in text
        grade = it.balances[seat].grade
        if grade is None:
            assert "How well you played cannot be said: too few of your decisions could change much (" in text
            continue
        levels = re.search(r"a computer of level \*\*(.)\*\* .* level \*\*(.)\*\* to \*\*(.)\*\*", text, re.S)
        assert levels is not None
        named, least, most = (LEVELS.index(level) + 1 for level in levels.groups())
        assert named == grade
        assert least <= grade <= most
        assert most - least == 2
    stranger = coached(TABLE, course, said, cast(course), frozenset())
    assert stranger.own is None
    assert stranger.worst == ()


@pytest.mark.about("diciassette")
def test_that_somebody_drew_a_trap_is_told_where_it_changed_their_chances() -> None:
    """On the page of that step, and among what decided the game."""
    steps, decided = 0, 0
    for seed in (104, 105):
        course, said = judged("diciassette", seed)
        for it in course.moments[1:]:
            drawn = [event for event in it.events if isinstance(event, CardsDrawn) and Card.TRAP in event.cards]
            gained = [event.seat for event in drawn if said.change(it.number)[event.seat] >= advice.LUCK]
            shown = page(TABLE, course, cast(course), it.number, frozenset(), own=False, said=said)
            lines = [line for line in advice.advice(shown, PRESENTERS["diciassette"], EN) if "drew a Trap" in line]
            if lines:
                steps += 1
                assert [f"🍀 Lucky: {bold(shown.scene.name(seat))} drew a Trap." for seat in gained] == lines
        it = coached(TABLE, course, said, cast(course), frozenset())
        decided += sum("drew a Trap" in line for line in decisive(it, PRESENTERS["diciassette"], EN, reasons=True))
    assert steps
    assert decided
