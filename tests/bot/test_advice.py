"""What the coach says of single decisions, of bluffs and of Traps: true, without contradiction, on the page whose cards
it is about, and silent where a player could not know it or where nothing is open any more."""

from collections import Counter

import pytest

from bot.i18n import words
from bot.review.coach import review_game
from bot.review.decisions import (
    certain_win_moment_and_seat,
    players_with_outcome_settled_at,
    settling_moment_and_outcome,
)
from bot.review.moments import OpenMoment, ReviewPage, review_page
from bot.review.replay import GameCourse
from bot.ui import advice as present
from bot.ui import coach as whole
from bot.ui.components import Sheet, capitalize_sentence
from bot.ui.custom_ids import Verb
from bot.ui.hints import COACH_SYMBOL
from bot.ui.registry import PRESENTERS
from bot.ui.review import OWN_VIEW_MODE, coach_figures_sheet, review_page_sheet
from engine.coaching import Coaching, coach_game
from engine.decision import MIN_STAKE, Decision
from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Action, Call
from engine.games.diciassette.coach import Insight
from engine.games.diciassette.state import State
from engine.record import ActionEntry
from engine.registry import GAMES
from engine.replay import Moment, SeatOccupant
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
            it = review_game(TABLE, course, said, cast(course), ids)
            ways = buttons(coach_figures_sheet(it, EN), Verb.STEP)
            for place, one in enumerate(it.worst):
                number = ways[f"{OWN_VIEW_MODE}.worst{place}"].ply
                shown = review_page(TABLE, course, cast(course), number, ids, own=True, coaching=said)
                told = next(part for part in texts(review_page_sheet(shown, EN)) if COACH_SYMBOL.text in part)
                best = PRESENTERS[game].board.action_text(one.decision.best, EN)
                chance, other = (round(100 * it) for it in (one.decision.chance, one.decision.best_chance))
                made = PRESENTERS[game].board.action_text(one.decision.made, EN)
                if one.decision.made is None:
                    better = f"**{best}** was better here: {other}% to win the game instead of {chance}%"
                    assert capitalize_sentence(better) in told
                    assert shown.scene.view == one.view
                else:
                    assert capitalize_sentence(f"**{made}** was") in told
                    assert f"Better: **{best}**, {other}%" in told
                parts = texts(review_page_sheet(shown, EN))
                held = PRESENTERS[game].board.table_components(shown.scene, EN)[0]
                if not shown.scene.standings:
                    assert parts.index(told) < parts.index(held["content"])
                found[one.decision.made is None] += 1
    assert found[False]
    assert found[True] or GAMES[game].calls is None


def stepped(before: State, action: Action) -> tuple[GameCourse, Coaching]:
    """A game of 17 of three that begins with *before* and ends with *action*, and what the coach says of it."""
    seats = tuple(SeatOccupant("person", person_id(seat), "") for seat in range(3))
    course, _ = judged("diciassette", 0)
    deal = Moment(0, None, None, None, before, (), seats)
    step = course.rules.apply(before, action, SeededChance(bytes(32)))
    acted = ActionEntry(BEGAN, course.rules.encode_action(action), by_clock=False)
    course = course._replace(moments=(deal, Moment(1, acted, action, before, step.state, step.events, seats)))
    return course, coach_game(course.rules, course.moments)


@pytest.mark.about("diciassette")
def test_a_call_that_did_not_count_is_said_not_to_have_counted() -> None:
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 1:1?")
    course, said = stepped(before, Call((Seat(0), Seat(2))))
    for seat, counts in ((0, False), (2, True)):
        shown = review_page(TABLE, course, cast(course), 1, {person_id(seat)}, own=True, coaching=said)
        lines = present.coach_judgement_lines(shown, PRESENTERS["diciassette"], EN)
        assert ("This call did not count: player 2 called" in lines[0]) != counts
        assert any("**Calling 17!** was" in line for line in lines)
        it = review_game(TABLE, course, said, cast(course), {person_id(seat)})
        assert len(it.worst) == 1
        assert ("did not count" in whole.detailed_review_paragraphs(it, PRESENTERS["diciassette"], EN)[0]) != counts


@pytest.mark.parametrize("game", COACHED)
def test_nothing_is_called_bad_luck_that_the_next_action_undid_or_that_was_a_mistake(game: str) -> None:
    luck = 0
    for seed in range(9):
        course, said = judged(game, seed)
        for it in said.decisions:
            shown = review_page(TABLE, course, cast(course), it.number, frozenset(), own=False, coaching=said)
            if len(shown.decisions) != 1 or shown.scene.just_ended:
                continue
            lines = "\n".join(present.coach_judgement_lines(shown, PRESENTERS[game], EN))
            if "Bad luck" in lines:
                luck += 1
                seat = shown.decisions[0].decision.seat
                assert len(shown.later) <= 2
                assert all(now[seat] <= shown.before[seat] - present.LUCK_CHANGE for now in shown.later)
                assert " was the best choice" in lines or " was good" in lines
                assert "the best of bad choices" not in lines
                assert said.decision_at(it.number, seat) is not None
                assert shown.decisions[0].decision.best_chance >= MIN_STAKE, "there was nothing to lose"
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
            shown = review_page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=own, coaching=said)
            if [one.decision for one in shown.decisions] != [it]:
                continue
            lines = "\n".join(present.coach_judgement_lines(shown, PRESENTERS[game], EN))
            lost, won = it.best_chance < 0.005, it.worst_chance > 0.995
            if lost or won:
                told["lost" if lost else "won"] += 1
                assert COACH_SYMBOL.text not in "\n".join(it for it in lines.splitlines() if "From here on" not in it)
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
                assert COACH_SYMBOL.text in lines
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
    shown = review_page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=True, coaching=said)
    other = it._replace(best_chance=best, chance=chance, worst_chance=worst)
    shown = shown._replace(decisions=(shown.decisions[0]._replace(decision=other),))
    assert bool(present.coach_judgement_lines(shown, PRESENTERS[game], EN)) == told


def after_call(before: State, caller: int) -> tuple[GameCourse, Coaching]:
    """The course of a game that goes on from *before* with a call of *caller*, and what the coach says of it."""
    course, _ = judged("diciassette", 0)
    seats = tuple(SeatOccupant("person", person_id(seat), "") for seat in range(3))
    action = Call((Seat(caller),))
    step = course.rules.apply(before, action, SeededChance(bytes(32)))
    acted = ActionEntry(BEGAN, course.rules.encode_action(action), by_clock=False)
    deal = Moment(0, None, None, None, before, (), seats)
    course = course._replace(moments=(deal, Moment(1, acted, action, before, step.state, step.events, seats)))
    return course, coach_game(course.rules, course.moments)


def lines_for(course: GameCourse, said: Coaching, seat: int, number: int = 1) -> str:
    """What the coach says on a step as *seat* saw it."""
    shown = review_page(TABLE, course, cast(course), number, {person_id(seat)}, own=True, coaching=said)
    return "\n".join(present.coach_judgement_lines(shown, PRESENTERS[course.record.deal.game], EN))


@pytest.mark.about("diciassette")
def test_whoever_s_bluff_worked_is_told_so_when_the_cards_lie_open() -> None:
    """And so is the caller, and whoever looked on: with the chance that the caller saw."""
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 1:5= 1:R? 1:R?")
    course, said = after_call(before, 2)
    assert (
        "🎭 A bluff by **player 1** worked: by the cards that **player 2** had seen, 17 or more had a chance of 51%."
        in lines_for(course, said, 0)
    )
    assert (
        "🎭 Your bluff worked: by the cards that **player 2** had seen, 17 or more had a chance of 51%."
        in lines_for(course, said, 1)
    )
    assert "🎭 It could have been 17: a bluff by **player 1** worked." in lines_for(course, said, 2)


@pytest.mark.about("diciassette")
def test_whoever_hid_cards_and_got_no_token_for_it_is_not_said_to_have_bluffed_well() -> None:
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 0:R? 0:R? 1:5=")
    course, said = after_call(before, 2)
    assert "🎭 What you had hidden made 17 look possible: 51% by the cards that **player 2** had seen." in lines_for(
        course, said, 0
    )
    theirs = "🎭 What **player 0** had hidden made 17 look possible: 51% by the cards that **player 2** had seen."
    assert theirs in lines_for(course, said, 1)
    assert "🎭 What **player 0** had hidden made 17 look possible." in lines_for(course, said, 2)


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "told"),
    [
        ("0:5 1:4= 1:R?", False),  # nobody could think of 17
        ("0:5 2:5= 1:2= 1:R?", False),  # hardly anybody
        ("0:5 2:5= 1:5= 1:1=", False),  # nothing was hidden
        ("0:5 2:5= 1:5= 1:R? 1:3?", False),  # the call was right
        ("0:5 2:5= 2:R? 2:T? 1:5=", False),  # the caller was not taken in by their own card
        ("0:5 2:5= 0:T? 0:R? 1:5=", True),
    ],
)
def test_a_bluff_is_told_only_where_something_was_hidden_that_made_17_look_likely(lies: str, told: bool) -> None:
    course, said = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies=lies), 2)
    for seat in range(3):
        assert ("🎭" in lines_for(course, said, seat)) is told


@pytest.mark.about("diciassette")
def test_a_bluff_that_made_somebody_else_win_has_not_worked() -> None:
    """The token goes to whoever played the last card, who is not always the one who hid something."""
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 0:R? 0:R? 1:5=", victory=(0, 2, 0))
    lines = lines_for(*after_call(before, 2), 0)
    assert "🎭 What you had hidden made 17 look possible" in lines
    own = before._replace(last=Seat(0), victory=(0, 2, 0))
    assert "🎭 Your bluff worked" in lines_for(*after_call(own, 2), 0)


@pytest.mark.about("diciassette")
def test_a_trap_that_snapped_at_a_right_call_is_told_to_all() -> None:
    course, said = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 0:P? 1:4= 1:3="), 2)
    assert "Your Trap caught **player 2**." in lines_for(course, said, 0)
    assert "The call was right, but a Trap was sprung, set by **player 0**." in lines_for(course, said, 1)
    both = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 2:P? 0:P? 1:4= 1:3="), 2)
    assert "it sprang the caller’s own Trap and one set by **player 0**." in lines_for(*both, 1)
    assert "it sprang your own Trap and one set by **player 0**." in lines_for(*both, 2)
    two = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 1:P? 0:P? 1:4= 1:3="), 2)
    assert "Traps were sprung, set by **player 1** and **player 0**." in lines_for(*two, 2)
    own = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 2:P? 1:4= 1:3="), 2)
    assert "The call was right, but it sprang the caller’s own Trap." in lines_for(*own, 0)
    assert "Your call was right, but it sprang your own Trap." in lines_for(*own, 2)


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
    shown = review_page(TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=True, coaching=said)
    other = it._replace(best_chance=best, chance=chance, worst_chance=0.1)
    shown = shown._replace(decisions=(shown.decisions[0]._replace(decision=other),))
    return present.coach_judgement_lines(shown, PRESENTERS["twelve_days"], EN)[0]


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
            if not isinstance(it.made, Call) or it.outcome_was_certain_anyway:
                continue
            shown = review_page(TABLE, course, cast(course), it.number, frozenset(), own=False, coaching=said)
            lines = present.coach_judgement_lines(shown, PRESENTERS["diciassette"], EN)
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


@pytest.mark.parametrize("game", COACHED)
def test_where_something_better_is_named_the_page_shows_the_cards_to_choose_from(game: str) -> None:
    """The step shows the hand after the move: whoever reads "better: 5 6" looks for them."""
    told = 0
    for course, coaching in (judged(game, seed) for seed in range(4)):
        for it in coaching.decisions:
            if (
                it.made is None
                or it.outcome_was_certain_anyway
                or course.rules.ends_round(course.moments[it.number].events)
            ):
                continue
            shown = review_page(
                TABLE, course, cast(course), it.number, {person_id(it.seat)}, own=True, coaching=coaching
            )
            lines = present.coach_judgement_lines(shown, PRESENTERS[game], EN)
            held = PRESENTERS[game].board.own_cards(course.rules.views.view(course.moments[it.number].before, it.seat))
            now = PRESENTERS[game].board.own_cards(shown.scene.view)
            whole = held == PRESENTERS[game].board.action_text(it.made, EN)  # then it has been said
            named = it.points >= present.SMALL_LOSS_POINTS and held != now and not whole
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
                present.coach_judgement_lines(
                    review_page(
                        TABLE, course, cast(course), it.number - 1, {person_id(it.seat)}, own=own, coaching=said
                    ),
                    PRESENTERS["diciassette"],
                    EN,
                )
                for own in (True, False)
            )
            assert not [line for line in openly if "Somebody else was faster" in line]
            at = [n for n, line in enumerate(own) if "Somebody else was faster: that costs you nothing." in line]
            assert len(at) == (it.points >= present.SMALL_LOSS_POINTS and not it.outcome_was_certain_anyway)
            for n in at:
                assert own[n].startswith("🎓 **Calling 17!** was better here: ")
                assert own[n + 1].startswith(("-# Chance of 17 or more: ", "-# Known sum: "))
                told += 1
    assert told


@pytest.mark.about("diciassette")
def test_a_call_that_was_a_mistake_and_right_is_said_to_have_been_lucky_on_the_page_of_the_game_too() -> None:
    course, said = after_call(state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 1:4= 1:3?"), 2)
    call = Call((Seat(2),))
    wrong = Decision(1, Seat(2), call, None, 0.3, 0.4, 0.3, Insight(0.3, 0.3))
    said = said._replace(decisions=(wrong,))
    it = review_game(TABLE, course, said, cast(course), frozenset())
    better = "It turned out well, but by what was known this was better: **not calling**"
    lucky = f"{better} · 🍀 Lucky: 17 or more had a chance of 30%, and it was 17."
    assert lucky in whole.detailed_review_paragraphs(it, PRESENTERS["diciassette"], EN)[-1]


def won_by(course: GameCourse, said: Coaching, number: int) -> bool:
    """Whether it was said by step *number* that somebody had won."""
    found = [settling_moment_and_outcome(said, Seat(seat)) for seat in range(len(said.balances))]
    return any(it is not None and it.won and it.number <= number for it in found)


def test_of_several_who_are_settled_those_who_have_lost_are_not_named_after_a_winner() -> None:
    """Seat 0 has lost from 1 on, seat 1 has won from 2 on, seat 2 has lost from 3 on."""
    _, said = judged(COACHED[0], 0)
    settled = [(1, 0, 0.0), (2, 1, 1.0), (3, 2, 0.0), (4, 0, 0.0), (5, 1, 1.0), (6, 2, 0.0)]
    decisions = tuple(Decision(n, Seat(seat), "a", "a", chance, chance, chance, None) for n, seat, chance in settled)
    said = said._replace(courses=((0.0, 1.0, 0.0),) * 7, decisions=decisions, balances=said.balances[:1] * 3)
    named = {n: [it.seat for it in players_with_outcome_settled_at(said, n, None)] for n in range(7)}
    assert {n: seats for n, seats in named.items() if seats} == {1: [0], 2: [1]}


@pytest.mark.parametrize(
    ("end", "thought", "settled"),
    [
        (MIN_STAKE - 1e-9, 0.0, True),
        (MIN_STAKE, 0.0, False),
        (1 - MIN_STAKE, 0.0, False),
        (1 - MIN_STAKE, 1.0, False),
        (1 - MIN_STAKE + 1e-9, 1.0, True),
    ],
)
def test_of_a_game_that_was_ended_early_nothing_was_settled_where_somebody_had_a_chance(
    end: float, thought: float, settled: bool
) -> None:
    """Whatever they *thought* of their chance."""
    _, said = judged(COACHED[0], 0)
    decisions = tuple(Decision(n, Seat(0), "a", "a", thought, thought, thought, None) for n in (1, 2))
    said = said._replace(courses=((end, 1 - end, 0.0),) * 3, decisions=decisions)
    assert (settling_moment_and_outcome(said, Seat(0)) is not None) is settled


@pytest.mark.about("diciassette")
def test_whoever_did_not_call_when_another_did_is_not_said_to_have_acted() -> None:
    beside = 0
    for seed in range(3):
        course, said = judged("diciassette", seed)
        there = {it.number for it in said.decisions if it.made is None} & {
            it.number for it in said.decisions if it.made is not None
        }
        for number in sorted(there):
            beside += 1
            shown = review_page(TABLE, course, cast(course), number, frozenset(), own=False, coaching=said)
            assert [it.decision for it in shown.acted] == [
                it for it in said.decisions if it.number == number and it.made is not None
            ]
    assert beside


@pytest.mark.about("twelve_days")
def test_where_nothing_is_open_any_more_that_is_said_once() -> None:
    """At the first decision of which nothing is said from there on; and that is how it ended."""
    told = {"lost": 0, "won": 0}
    for seed in range(12):
        course, said = judged("twelve_days", seed)
        for seat in range(len(said.balances)):
            own = [it for it in said.decisions if it.seat == seat]
            pages = [
                review_page(TABLE, course, cast(course), number, {person_id(seat)}, own=True, coaching=said)
                for number in range(course.last + 1)
            ]
            where = [(it.number, one) for it in pages for one in it.over]
            last = [it.number for it in own if not it.outcome_was_certain_anyway]
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
                assert present.coach_judgement_lines(pages[number], PRESENTERS["twelve_days"], EN) == [line]
                shown: ReviewPage = review_page(
                    TABLE, course, cast(course), number, frozenset(), own=False, coaching=said
                )
                assert isinstance(shown.shown, OpenMoment)
                openly = [
                    it
                    for it in present.coach_judgement_lines(shown, PRESENTERS["twelve_days"], EN)
                    if "From here on" in it
                ]
                if (sure := certain_win_moment_and_seat(said)) is not None and sure[0] <= number:
                    assert line not in openly  # all cards open it was said before
                elif one.won:
                    assert openly == [line]
                else:  # said in one line with others who have lost, or not at all after somebody has won
                    assert [name in it for it in openly] == [True] * (not won_by(course, said, number))
    assert told["lost"]
    assert GAMES["twelve_days"].coach is not None


@pytest.mark.about("twelve_days")
def test_from_where_on_the_winner_was_sure_is_said_once_and_only_with_all_cards_open() -> None:
    told = 0
    for seed in range(8):
        course, said = judged("twelve_days", seed)
        found = certain_win_moment_and_seat(said)
        for number in range(course.last + 1):
            line = "the coach was sure, all cards open, that"
            for own in (True, False):
                shown = review_page(TABLE, course, cast(course), number, {person_id(0)}, own=own, coaching=said)
                lines = "\n".join(present.coach_judgement_lines(shown, PRESENTERS["twelve_days"], EN))
                here = not own and found is not None and found[0] == number < course.last
                assert (line in lines) is here
                if here and found is not None:
                    told += 1
                    assert f"that **player {found[1]}** would win." in lines
                    assert {chances[found[1]] for chances in said.courses[number:]} == {1}
                    assert said.courses[number - 1][found[1]] < 1
    assert told
