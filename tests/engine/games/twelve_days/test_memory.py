"""What a seat keeps in mind of a hand of 12 Days of Christmas."""

from collections.abc import Sequence

from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.events import DeckShuffled, HandDealt
from engine.games.twelve_days.memory import NOTHING, Memory, remember
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import witness
from tests.games.twelve_days import FAIR, cards, state


def watched(before: State, actions: Sequence[Action], seat: int = 0) -> tuple[State, Memory]:
    """The state after *actions*, and what *seat* remembers of them."""
    memory = remember(None, (), Seat(seat))
    for action in actions:
        before, events = rules.apply(before, action, FAIR)
        memory = remember(memory, [witness(event, Seat(seat)) for event in events], Seat(seat))
    return before, memory


def test_it_knows_who_passed_on_what_the_highest_counts() -> None:
    start = state(["1 8 9 9", "2 2 12", "3 4 12"])
    _, memory = watched(
        start,
        [
            *(Play(Seat(0), (8,)), Pass(Seat(1)), Pass(Seat(2))),
            *(Play(Seat(0), (1,)), Pass(Seat(1)), Pass(Seat(2))),
            *(Play(Seat(0), (9, 9)), Pass(Seat(1))),
        ],
    )
    assert memory.declined[:3] == ((0, 0, 0), (8, 9, 0), (8, 0, 0))
    assert memory.played[:3] == (cards("1 8 9 9"), (), ())


def test_the_lead_is_kept_in_mind_until_somebody_wins_the_trick() -> None:
    before = state(["1 8 9", "2 2 12", "3 4 12"])
    actions: list[Action] = [Play(Seat(0), (8,)), Play(Seat(1), (2,)), Pass(Seat(2))]
    leads = [watched(before, actions[:acted])[1].lead for acted in range(4)]
    assert leads == [(), (8,), (8,), ()]


def test_a_hand_that_was_taken_back_is_known_until_it_is_played_t8() -> None:
    back = state(["5 12", "5", "4 9 9"])
    after, memory = watched(back, [Play(Seat(0), (5,)), Play(Seat(1), (5,)), Play(Seat(2), (4,))])
    assert memory.known[:3] == ((), (5,), ())
    assert memory.played[:3] == ((5,), (), (4,))
    assert after.hands[1] == (5,)
    step = rules.apply(after, Play(Seat(2), (9,)), FAIR)
    step = rules.apply(step.state, Pass(Seat(0)), FAIR)
    played = rules.apply(step.state, Play(Seat(1), (5,)), FAIR).events[:1]
    assert remember(memory, played, Seat(0)).known[1] == ()


def test_a_new_hand_begins_with_nothing_in_mind() -> None:
    _, memory = watched(state(["1 8", "2 2"]), [Play(Seat(0), (8,)), Pass(Seat(1))])
    assert memory != NOTHING
    assert remember(memory, (DeckShuffled(None), HandDealt(2, 12, Seat(0))), Seat(0)) == NOTHING


def test_every_seat_remembers_the_same_as_nothing_that_it_witnesses_is_hidden_t11() -> None:
    start = state(["1 8 9 9", "2 2 12", "3 4 12"])
    actions: list[Action] = [Play(Seat(0), (8,)), Pass(Seat(1)), Play(Seat(2), (3,))]
    assert len({watched(start, actions, seat)[1] for seat in range(3)}) == 1


def test_who_comes_in_the_middle_remembers_what_came_since() -> None:
    before = state(["8", "2 3 4", "5 5"], lies="0:9, 1:-")
    memory = remember(None, rules.apply(before, Play(Seat(2), (5,)), FAIR).events, Seat(0))
    assert memory.played[2] == (5,)
    passed = rules.apply(state(["8", "2 3", "5"], lies="0:9"), Pass(Seat(1)), FAIR).events
    assert remember(None, passed, Seat(0)) == NOTHING
