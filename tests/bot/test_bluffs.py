"""Bluffs and Traps in a review: whoever looks at it reads the same of them, and the highlights at the end agree."""

import pytest

from bot.i18n import words
from bot.present import advice as present
from bot.present.registry import PRESENTERS
from bot.tables.course import Course
from bot.tables.reviewing import page
from engine.coaching import Coaching, coach
from engine.fair import Fair
from engine.game import Seat, Step
from engine.games.diciassette.actions import Call
from engine.games.diciassette.highlights import CERTAIN
from engine.games.diciassette.state import State
from engine.percents import percent
from engine.record import Acted
from engine.replay import Moment, Sitting
from tests.bot.judged import judged
from tests.bot.reviews import BEGAN, TABLE, cast, person_id
from tests.games.diciassette import state

EN = words("en")


def after_call(before: State, caller: int) -> tuple[Course, Coaching]:
    """The course of a game that goes on from *before* with a call of *caller*, and what the coach says of it."""
    course, _ = judged("diciassette", 0)
    seats = tuple(Sitting("person", person_id(seat), "") for seat in range(3))
    action = Call((Seat(caller),))
    step = course.rules.apply(before, action, Fair(bytes(32)))
    acted = Acted(BEGAN, course.rules.encode_action(action), by_clock=False)
    deal = Moment(0, None, None, None, before, (), seats)
    course = course._replace(moments=(deal, Moment(1, acted, action, before, step.state, step.events, seats)))
    return course, coach(course.rules, course.moments)


def lines_for(course: Course, said: Coaching, seat: int, number: int = 1) -> str:
    """What the coach says on a step as *seat* saw it."""
    shown = page(TABLE, course, cast(course), number, {person_id(seat)}, own=True, said=said)
    return "\n".join(present.advice(shown, PRESENTERS[course.record.deal.game], EN))


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
def test_everybody_reads_the_same_of_a_bluff_that_the_highlights_tell_at_the_end() -> None:
    """In the review of a game that is over what the caller held is no secret any more."""
    told = 0
    for seed in range(6):
        course, said = judged("diciassette", seed)
        so_far = None
        for moment in course.moments[1:]:
            if moment.action is None:
                continue
            now = course.rules.highlights(so_far, moment.before, Step(moment.after, moment.events))
            claim = now.bluff
            if claim is not None and (so_far is None or claim != so_far.bluff) and said.of(moment.number, claim.caller):
                chance = percent(claim.chance / CERTAIN)
                for seat in range(3):
                    lines = lines_for(course, said, seat, moment.number)
                    if seat != claim.caller and not moment.after.winners:
                        assert f" {chance}%" in next(line for line in lines.splitlines() if "🎭" in line)
                        told += 1
            so_far = now
    assert told


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
