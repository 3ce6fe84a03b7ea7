"""What the coach says of a game that is over, in short and in figures: bad calls, bad luck, the moments that mattered.
It adds up."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from bot.i18n import LOCALES, words
from bot.review.coach import MAX_SHOWN, MIN_SHOWN_POINTS, MISTAKE_POINTS, GameReview, review_game
from bot.review.decisions import seat_decisions
from bot.review.moments import moment_with_open_cards, review_page
from bot.review.replay import replay_packed_record
from bot.ui import advice
from bot.ui import coach as present
from bot.ui.coach import LUCKY_POINTS, VERY_LUCKY_POINTS, deciding_moment_lines, summary_paragraphs
from bot.ui.components import bold_name
from bot.ui.custom_ids import Verb
from bot.ui.lobby import LEVELS
from bot.ui.registry import PRESENTERS
from bot.ui.review import coach_figures_sheet, coach_summary_sheet, review_page_sheet
from engine import record
from engine.coaching import MIN_GRADED_DECISIONS, coach_game
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.cards import TARGET, Card
from engine.games.diciassette.events import CardsDrawn, Revealed
from engine.percents import percent, percents
from local_discord.components import walk
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
            shown = review_page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=False, coaching=said)
            lines = "\n".join(advice.coach_judgement_lines(shown, presenter, EN))
            own = lines.partition(f"**player {it.seat}**: ")[2]
            revealed = next((event for event in shown.scene.recent if isinstance(event, Revealed)), None)
            if it.made is None:
                continue
            if "was a mistake" in own.partition("\n")[0] and isinstance(it.made, Call):
                told["bad call"] += 1
                assert it.points >= MISTAKE_POINTS
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
        shown = review_page(TABLE, course, cast(course), number, {person_id(1)}, own=True, coaching=said)
        assert all(it.decision.seat == 1 for it in shown.decisions)
        assert shown.before == shown.after == ()
        lines = "\n".join(advice.coach_judgement_lines(shown, PRESENTERS[game], EN))
        assert "Chances to win" not in lines
        assert "player 0**: " not in lines


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_parts_of_a_result_add_up_as_written(game: str, locale: str) -> None:
    course, said = judged(game, 2)
    it = review_game(TABLE, course, said, cast(course), {person_id(2)})
    told = balances(present.detailed_review_paragraphs(it, PRESENTERS[game], words(locale)))
    assert len(told) == len(MIXED)
    costs = [round(100 * balance.cost) for balance in said.balances]
    for cost, (own, others, skill, luck, result) in zip(costs, told, strict=True):
        assert result == skill + luck
        assert skill == others + own
        assert own == -cost
        assert others == round((sum(costs) - cost) / (len(costs) - 1)), "it is shared out equally"
    assert any(costs)
    assert sorted(result for *_, result in told) == [-33, -33, 67], "who won, less the third that everybody began with"


@pytest.mark.parametrize("game", COACHED)
@pytest.mark.parametrize("locale", LOCALES)
def test_the_figures_are_all_explained_or_none(game: str, locale: str) -> None:
    """In a message that would be too long, one explanation alone would mislead: "all the rest" of what?"""
    t = words(locale)
    for seed in (1, 2):
        course, said = judged(game, seed)
        for seat in range(len(MIXED)):
            it = review_game(TABLE, course, said, cast(course), {person_id(seat)})
            page = "\n".join(texts(coach_figures_sheet(it, t).payload))
            assert len({f"**{t(title)}**: " in page for title in ("Skill", "Luck", "Result")}) == 1


@pytest.mark.parametrize("game", COACHED)
def test_of_a_game_that_was_ended_early_the_chances_stand_in_for_the_result(game: str) -> None:
    """Nobody has won, nothing was decided, and nobody gets a grade."""
    found = record.decompress_record(played(game, 1))
    entries = found.entries
    for most in (len(entries) - 1, 1):
        course = replay_packed_record(
            record.compress_record(found._replace(entries=entries[:most], ending="ended", standings=()))
        )
        it = review_game(TABLE, course, coach_game(course.rules, course.moments), cast(course), {person_id(0)})
        text = "\n".join(present.detailed_review_paragraphs(it, PRESENTERS[game], EN))
        assert "The game was ended early, so it is the chance to win at that moment, less the 33% that" in text
        assert "### What changed the chances most" in text
        page = str(coach_figures_sheet(it, EN).payload)
        assert "Look at what changed the chances most:" in page
        short = "\n".join(present.summary_paragraphs(it, PRESENTERS[game], EN))
        stranger = review_game(TABLE, course, coach_game(course.rules, course.moments), cast(course), frozenset())
        seen = "\n".join(present.summary_paragraphs(stranger, PRESENTERS[game], EN))
        assert "The game was ended early: nobody has won." in seen
        for said in (short, text):
            assert "The game was ended early, so it cannot be said how well you played." in said
        for said in (short, text, seen):
            for untrue in ("A win is", "decided", "level", "too few", "wins!"):
                assert untrue not in said
        assert "decided it" not in page


@pytest.mark.parametrize("game", COACHED)
def test_of_a_game_that_was_ended_before_the_first_move_there_is_nothing_to_tell(game: str) -> None:
    found = record.decompress_record(played(game, 1))
    course = replay_packed_record(record.compress_record(found._replace(entries=(), ending="ended", standings=())))
    it = review_game(TABLE, course, coach_game(course.rules, course.moments), cast(course), {person_id(0)})
    for said in (present.summary_paragraphs, present.detailed_review_paragraphs):
        assert said(it, PRESENTERS[game], EN) == ["The game ended before the first move."]
    assert set(buttons(coach_summary_sheet(it, EN), Verb.STEP)) == {"game.whole"}
    assert "Luck and skill" not in str(coach_figures_sheet(it, EN).payload)


@pytest.mark.parametrize("game", COACHED)
def test_whoever_decided_little_gets_no_grade(game: str) -> None:
    course, said = judged(game, 1)
    few = [it._replace(grade=None, mattered=MIN_GRADED_DECISIONS - 1) for it in said.balances]
    it = review_game(TABLE, course, said._replace(balances=tuple(few)), cast(course), {person_id(0)})
    own, everybody, *_ = present.detailed_review_paragraphs(it, PRESENTERS[game], EN)
    short = present.summary_paragraphs(it, PRESENTERS[game], EN)[0]
    for line in (own, short):
        assert "How well you played cannot be said: only 7 of your decisions could change much, and it takes 8." in line
    assert "level" not in own + everybody + short


@pytest.mark.parametrize("game", COACHED)
def test_whoever_s_seat_somebody_else_has_now_is_not_told_how_that_one_played(game: str) -> None:
    course, said = judged(game, 1)
    other = tuple(it._replace(sitter="f" * 16) if not seat else it for seat, it in enumerate(said.balances))
    it = review_game(TABLE, course, said._replace(balances=other), cast(course), {person_id(0)})
    assert (it.own, it.worst) == (None, ())


@pytest.mark.parametrize("game", COACHED)
def test_ones_costliest_decisions_are_ones_own_and_cost_something_the_worst_first(game: str) -> None:
    course, said = judged(game, 3)
    for seat in map(Seat, range(len(MIXED))):
        it = review_game(TABLE, course, said, cast(course), {person_id(seat)})
        assert it.own == seat
        assert len(it.worst) <= MAX_SHOWN
        own = [it for it in seat_decisions(said, seat) if it.points >= MIN_SHOWN_POINTS]
        assert [one.decision for one in it.worst] == sorted(own, key=lambda one: (-one.points, -one.cost))[:MAX_SHOWN]
        text = present.detailed_review_paragraphs(it, PRESENTERS[game], EN)[0]
        costs = [int(cost) for cost in re.findall(r"\(−\u2060(\d+) points\)", text)]
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
    stranger = review_game(TABLE, course, said, cast(course), frozenset())
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
            gained = [
                event.seat
                for event in drawn
                if said.chance_change_by_action(it.number)[event.seat] >= advice.LUCK_CHANGE
            ]
            shown = review_page(TABLE, course, cast(course), it.number, frozenset(), own=False, coaching=said)
            lines = [
                line
                for line in advice.coach_judgement_lines(shown, PRESENTERS["diciassette"], EN)
                if "drew a Trap" in line
            ]
            if lines:
                steps += 1
                assert [f"🍀 Lucky: {bold_name(shown.scene.name(seat))} drew a Trap." for seat in gained] == lines
        it = review_game(TABLE, course, said, cast(course), frozenset())
        decided += sum(
            "drew a Trap" in line for line in deciding_moment_lines(it, PRESENTERS["diciassette"], EN, reasons=True)
        )
    assert steps
    assert decided


USUAL, LONGEST = 130, 180
"""So many characters has a line, without markup: most of them, and all, with the greatest combinations."""

every_game = pytest.mark.parametrize("game", COACHED)


def read_by(game: str, seed: int, seat: int | None) -> GameReview:
    """What the coach says of a game to whoever had *seat*; ``None``: they did not play."""
    course, said = judged(game, seed)
    return review_game(TABLE, course, said, cast(course), frozenset() if seat is None else {person_id(seat)})


def lines(it: GameReview, locale: str = "en") -> list[str]:
    """The lines of the moments that mattered."""
    said = summary_paragraphs(it, PRESENTERS[it.end.scene.game], words(locale))[-1].splitlines()
    return [line for line in said if re.match(r"\d\. ", line)]


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (-VERY_LUCKY_POINTS, "You were very unlucky."),
        (1 - VERY_LUCKY_POINTS, "You were unlucky."),
        (-LUCKY_POINTS, "You were unlucky."),
        (1 - LUCKY_POINTS, "You were neither lucky nor unlucky."),
        (LUCKY_POINTS - 1, "You were neither lucky nor unlucky."),
        (LUCKY_POINTS, "You were lucky."),
        (VERY_LUCKY_POINTS - 1, "You were lucky."),
        (VERY_LUCKY_POINTS, "You were very lucky."),
    ],
)
def test_luck_is_told_in_words_by_what_it_came_to(points: int, said: str) -> None:
    it = read_by(COACHED[0], 2, 0)
    two = [
        one._replace(cost=0.0, result=sign * points / 100) for one, sign in zip(it.balances[:2], (1, -1), strict=True)
    ]
    changed = it._replace(balances=tuple(two))
    assert changed.luck_and_skill_points_by_seat[0].luck == points
    assert summary_paragraphs(changed, PRESENTERS[COACHED[0]], EN)[0].endswith(f"**{said}**")


@every_game
def test_ones_costliest_mistake_is_among_them_and_the_greatest_moments_are(game: str) -> None:
    both = 0
    for seed in range(8):
        for seat in range(len(MIXED)):
            it = read_by(game, seed, seat)
            found = [one.mistake for one in it.important_moments if one.mistake is not None]
            assert len({one.place for one in it.important_moments}) == len(it.important_moments)
            if it.worst and it.worst[0].decision.points >= MISTAKE_POINTS:
                assert it.worst[0] in found
            both += any(one.deciding and one.mistake for one in it.important_moments)
            told_of = [one.deciding for one in it.important_moments if one.deciding is not None]
            left = [one for one in it.deciding if one not in told_of]
            assert len(it.important_moments) == MAX_SHOWN or not left
            for one in it.important_moments:
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
            for one, line in zip(it.important_moments, lines(it), strict=True):
                if one.deciding is None:
                    assert one.mistake is not None
                    it_was = one.mistake.decision
                    assert f"({percent(it_was.best_chance)}% to win instead of {percent(it_was.chance)}%)" in line
                    continue
                swing = one.deciding.swing
                own = seat is not None and abs(swing.points[seat]) >= 10
                whose = seat if own and seat is not None else swing.most_affected_seat
                way = f"{percents(swing.before)[whose]}%\u00a0→\u00a0{percents(swing.after)[whose]}%."
                name = bold_name(it.end.scene.name(whose))
                assert (f"Your chance: {way}" if own else f"{name}’s chance: {way}") in line
                mine, others = mine + own, others + (not own)
    assert mine
    assert others


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
        shown = review_page(TABLE, course, cast(course), number, frozenset(), own=False, coaching=said)
        for line in texts(review_page_sheet(shown, EN).payload):
            if "Chances to win, all cards open: " in line:
                told += 1
                assert [sum(them) for them in shares(line)] == [100, 100], line
    assert told


# Who plays how well


# In one line


# Who did what


def texts(payload: Sequence[object]) -> list[str]:
    """The lines of a message."""
    return [line for part in walk(list(payload)) for line in str(part.get("content", "")).splitlines()]


@pytest.mark.parametrize(
    ("game", "seeds", "silent"), [("diciassette", (104, 107, 109), 1), ("twelve_days", (103, 104, 106), 0)]
)
def test_what_would_have_gone_better_as_the_cards_lay_is_told(game: str, seeds: Sequence[int], silent: int) -> None:
    """But not of wrong calls, where everybody sees it."""
    for course, said in (judged(game, seed) for seed in seeds):
        it = review_game(TABLE, course, said, cast(course), frozenset())
        text = present.detailed_review_paragraphs(it, PRESENTERS[game], EN)[-1]
        for found in said.hindsight:
            action, name = PRESENTERS[game].board.action_text(found.action, EN), f"**player {found.seat}**"
            chance = percents(found.chances)[found.seat]
            told = f"As the cards lay, **{action}** would have left {name} {chance}%" in text
            shown = moment_with_open_cards(TABLE, course, cast(course), course.moments[found.number])
            assert told != ("– wrong" in PRESENTERS[game].action_review_line(shown.scene, EN))
            silent -= not told
    assert silent == 0


# The pictures


# The moments that decided a game


@pytest.mark.about("twelve_days")
def test_new_cards_that_changed_the_chances_are_those_of_the_step_that_is_named() -> None:
    for seed in range(12):
        course, said = judged("twelve_days", seed)
        it = review_game(TABLE, course, said, cast(course), frozenset())
        text = "\n".join(deciding_moment_lines(it, PRESENTERS["twelve_days"], EN, reasons=False))
        step = re.search(r"Those of step (\d+) changed the chances most", text)
        if step is not None:
            assert int(step[1]) in course.rounds
            break
    else:
        raise AssertionError("no new cards changed the chances much")


@pytest.mark.parametrize("game", COACHED)
def test_every_moment_says_whether_it_was_a_mistake(game: str) -> None:
    """And where it was none, whether it went badly for whoever acted, so that nobody wonders why chances fell."""
    told = {"better": 0, "good": 0, "badly": 0}
    for seed in range(8):
        course, said = judged(game, seed)
        it = review_game(TABLE, course, said, cast(course), frozenset())
        lines = "\n".join(present.detailed_review_paragraphs(it, PRESENTERS[game], EN)).splitlines()
        for number, one in enumerate(it.deciding, start=1):
            (at,) = (at for at, line in enumerate(lines) if line.startswith(f"{number}. "))
            line = lines[at + 1]
            good = [made.decision for part in one.parts for made in part.made if made.decision.points < 2]
            if "A good choice by what was known" in line:
                assert any(decision.mattered for decision in good)
                own = [judged_.decision.seat for judged_ in one.main_action.made if judged_.decision.points < 2]
                fell = [seat for seat in own if one.points[seat] <= -5]
                assert ("but it went badly" in line) is bool(fell)
                assert all(f"badly for **player {seat}**" in line for seat in fell)
                told["badly" if fell else "good"] += 1
            told["better"] += "etter: " in line
            turned_out = [it.decision.points >= 2 and one.points[it.decision.seat] >= 5 for it in one.main_action.made]
            if "did not count" not in line:
                assert ("It turned out well" in line) is any(turned_out), line
    assert all(told.values())
