"""What the coach makes of moments in which somebody called, or did not, and of those in which nobody acted."""

import pytest

from engine.coaching import coach
from engine.game import Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.coach import options
from engine.games.diciassette.foresight import bound_to_open_17, must_open_17
from engine.games.diciassette.outlook import NEVER, chances
from engine.games.diciassette.state import State
from engine.games.diciassette.view import view
from engine.record import Acted, SeatChanged
from engine.registry import GAMES
from engine.replay import Moment, Sitting
from tests.games.diciassette import FAIR, state

GAME = GAMES["diciassette"]
SEATS = (Sitting("person", "p", ""),) * 3
SEEN = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
"""Everybody sees 17."""


def played(before: State, action: Action, *, by_clock: bool = False) -> list[Moment]:
    """The deal, which is *before*, and *action*."""
    step = rules.apply(before, action, FAIR)
    entry = Acted(1, GAME.encode_action(action), by_clock=by_clock)
    deal = Moment(0, None, None, None, before, (), SEATS)
    return [deal, Moment(1, entry, action, before, step.state, step.events, SEATS)]


def test_whoever_called_at_the_same_moment_has_called_though_another_call_counted_d9() -> None:
    said = coach(GAME, played(SEEN, Call((Seat(0), Seat(1)))))
    for seat in (Seat(0), Seat(1)):
        made = said.of(1, seat)
        assert made is not None
        assert made.made == Call((seat,))
    assert said.late == ()


def test_a_decision_knows_what_the_best_of_another_kind_would_have_left() -> None:
    said = coach(GAME, played(SEEN, Play(Seat(0), Card.ONE, Face.UP)))
    found = options(view(SEEN, Seat(0)), Seat(0), None)
    made, missed = said.of(1, Seat(0)), said.of(1, Seat(1))
    assert made is not None
    assert missed is not None
    assert made.otherwise == next(it.chance for it in found if isinstance(it.action, Call))
    assert missed.otherwise == missed.best_chance > missed.chance


@pytest.mark.parametrize("by_clock", [False, True])
def test_what_was_done_because_the_time_was_up_nobody_decided(by_clock: bool) -> None:
    said = coach(GAME, played(SEEN, Play(Seat(0), Card.ONE, Face.UP), by_clock=by_clock))
    assert (said.of(1, Seat(0)) is None) is by_clock
    assert said.of(1, Seat(1)) is not None


def test_a_moment_in_which_nobody_acted_changes_no_chance() -> None:
    deal, acted = played(SEEN, Play(Seat(0), Card.ONE, Face.UP))
    came = Moment(1, SeatChanged(1, Seat(1), "person", "q"), None, None, SEEN, (), SEATS)
    said = coach(GAME, [deal, came, acted._replace(number=2)])
    plain = coach(GAME, [deal, acted])
    assert said.courses == (plain.courses[0], plain.courses[0], plain.courses[1])
    assert said.undealt == (plain.undealt[0], plain.courses[0], plain.undealt[1])
    assert [it._replace(number=1) for it in said.decisions] == list(plain.decisions)
    assert [(it.number, it.before, it.after) for it in said.decisive] == [
        (2, it.before, it.after) for it in plain.decisive
    ]


def test_who_does_not_call_where_everybody_sees_17_leaves_the_token_to_whoever_does() -> None:
    """Here it is their last one (D16): the player on turn is nearest, and comes first nine times of ten."""
    found = {it.action: it.chance for it in options(view(SEEN._replace(victory=(2, 0, 0)), Seat(1)), Seat(1), None)}
    assert found[None] == NEVER
    alone = SEEN._replace(turn=Seat(2), last=Seat(1), victory=(0, 0, 2))
    (call,) = (it.chance for it in options(view(alone, Seat(0)), Seat(0), None) if it.action is not None)
    (left,) = (it.chance for it in options(view(alone, Seat(0)), Seat(0), None) if it.action is None)
    assert left < 0.05 < call


BOUND = state(["3= 3= 4=", "1 2 3", "x2 1 5"], turn=2, last=1, lies="0:5 1:5 2:3", victory=(0, 2, 0))
"""13 lies there. Seat 0 is next and holds nothing but two-sided cards: two of them make 19 or more (D2)."""


def test_who_has_to_show_two_cards_that_everybody_knows_lets_everybody_see_17_and_that_is_foreseen() -> None:
    """Seat 1 comes first then, and it is its last token."""
    seen = view(BOUND, Seat(2))
    assert must_open_17(view(BOUND, Seat(0))) == (), "it is not its turn"
    known = {it.action: it.chance for it in options(seen, Seat(2), None)}
    twice = Play(Seat(2), Card.X2, Face.UP)
    assert known[twice] < 0.05 < known[Play(Seat(2), Card.ONE, Face.DOWN)]
    after = rules.apply(BOUND, twice, FAIR).state
    assert must_open_17(view(after, Seat(1))) == (Card.THREE_OPEN, Card.THREE_OPEN)
    assert chances(after)[1] > 0.8
    shown = rules.apply(after, Play(Seat(0), Card.THREE_OPEN, Face.DOWN), FAIR).state
    assert chances(shown)[1] == pytest.approx(chances(after)[1], abs=0.05)


@pytest.mark.parametrize("hand", ["3= 3= 4", "1= 2= 1=", "3= trash 4="])
def test_who_can_hide_a_card_or_stay_below_17_need_not(hand: str) -> None:
    before = BOUND._replace(hands=(state([hand, "1", "1"]).hands[0], *BOUND.hands[1:]))
    after = rules.apply(before, Play(Seat(2), Card.X2, Face.UP), FAIR).state
    assert must_open_17(view(after, Seat(1))) == ()
    assert bound_to_open_17(view(before, Seat(2)), Play(Seat(2), Card.X2, Face.UP)) is None


def test_one_card_is_enough_where_it_makes_17() -> None:
    before = BOUND._replace(queue=state(["1", "1", "1"], lies="0:5 1:5 2:3 1:1").queue, turn=Seat(2))
    play = Play(Seat(2), Card.ONE, Face.UP)
    assert bound_to_open_17(view(before, Seat(2)), play) is not None
    assert bound_to_open_17(view(before, Seat(2)), play._replace(face=Face.DOWN)) is not None, "14 and 3"
    assert bound_to_open_17(view(BOUND, Seat(2)), play) is not None, "14 and 3"
    assert bound_to_open_17(view(BOUND, Seat(2)), play._replace(face=Face.DOWN)) is None, "13 and 3"
