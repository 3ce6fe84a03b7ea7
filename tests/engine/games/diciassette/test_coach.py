"""What the coach of 17 says: chances that add up, and fit how games end; advice that is legal, and right;
what is certain."""

from itertools import chain, islice
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.coaching import coach_game
from engine.game import RatedAction, Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.calling import win_chances_by_call_correctness
from engine.games.diciassette.cards import KINDS, Card, Face
from engine.games.diciassette.coach import MIN_CALL_GAIN, UNLIKELY_CALL, believed_chance_of_17, insight, rated_actions
from engine.games.diciassette.computers import LEVELS
from engine.games.diciassette.foresight import cards_forced_to_show_17, shows_17_to_all, view_after_forced_17
from engine.games.diciassette.memory import Discarded, Memory, remember
from engine.games.diciassette.outlook import MIN_CHANCE, apply_certain_calls, chances, is_foregone
from engine.games.diciassette.state import State
from engine.games.diciassette.styles import MASTER
from engine.games.diciassette.view import view, witness
from engine.record import ActionEntry, SeatChangeEntry
from engine.registry import GAMES
from engine.replay import Moment, SeatOccupant
from tests.engine.games.diciassette.moments import moments
from tests.games.diciassette import CASE, FAIR, state

GAME = GAMES["diciassette"]


@pytest.mark.parametrize("seats", range(2, 7))
def test_chances_add_up_to_1_and_options_are_what_is_legal(seats: int) -> None:
    for moment in moments(seats, seats):
        said = chances(moment.state)
        assert len(said) == seats
        assert sum(said) == pytest.approx(1)
        assert min(said) >= 0
        for seat in map(Seat, range(seats)):
            advice = rated_actions(view(moment.state, seat), seat, moment.memories[seat])
            legal = set(GAME.legal_actions(moment.state, seat))
            if seat != moment.state.turn and legal:
                legal.add(None)
            assert {option.action for option in advice} == legal
            assert len(advice) == len(legal)
            ordered = [option.chance for option in advice]
            assert ordered == sorted(ordered, reverse=True)
            assert all(0 <= chance <= 1 for chance in ordered)


def test_chances_are_exact_when_the_game_is_over() -> None:
    over = state(["1", "2", "3"], victory=(3, 0, 3))._replace(winners=(Seat(0), Seat(2)))
    assert chances(over) == (0.5, 0.0, 0.5)


def test_whoever_is_far_ahead_is_the_favourite() -> None:
    ahead = state(["1 2 3", "1 2 3"], victory=(2, 0), penalty=(0, 1))
    assert chances(ahead)[0] > 0.75
    behind = state(["1 2 3", "1 2 3"], victory=(0, 2), penalty=(1, 0))
    assert chances(behind)[0] < 0.25


def test_a_winning_call_is_the_best_there_is() -> None:
    """The queue holds 17 for all to see, and a right call wins the game."""
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5 1:5 0:5", victory=(2, 0))
    best, *others = rated_actions(view(before, Seat(0)), Seat(0), None)
    assert best.action == Call((Seat(0),))
    assert best.chance == 1.0
    assert max(option.chance for option in others) < 0.95


def test_a_call_that_cannot_be_right_is_the_worst_there_is() -> None:
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:4", victory=(0, 2))
    worst = rated_actions(view(before, Seat(0)), Seat(0), None)[-1]
    assert worst.action == Call((Seat(0),))
    assert worst.chance == 0.0


def test_a_two_sided_card_is_worth_the_same_either_way_d2() -> None:
    before = state(["5= 1= 2=", "4 5 1"], turn=0, last=None)
    said = {option.action: option.chance for option in rated_actions(view(before, Seat(0)), Seat(0), None)}
    for card in (Card.FIVE_OPEN, Card.ONE_OPEN):
        assert said[Play(Seat(0), card, Face.UP)] == said[Play(Seat(0), card, Face.DOWN)]


def test_whoever_may_do_nothing_has_no_options() -> None:
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:4")
    assert rated_actions(view(before, Seat(1)), Seat(1), None) == ()


def test_a_seat_off_turn_may_call_or_not() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:1")
    first, second = rated_actions(view(before, Seat(1)), Seat(1), None)
    assert first == RatedAction(None, first.chance)
    assert second.action == Call((Seat(1),))


def test_belief_is_certain_where_the_cards_are() -> None:
    assert (
        believed_chance_of_17(view(state(["1", "2"], last=1, lies="1:5= 0:5 1:5 0:2"), Seat(0)), Seat(0), None) == 1.0
    )
    assert believed_chance_of_17(view(state(["1", "2"], last=1, lies="1:5? 0:5 1:5"), Seat(0)), Seat(0), None) == 0.0
    unsure = view(state(["1 2 3", "2 3 4"], last=1, lies="0:5 1:5 0:4 1:5?"), Seat(0))
    assert 0.0 < believed_chance_of_17(unsure, Seat(0), None) < 1.0


@pytest.mark.parametrize("seats", [2, 4])
def test_belief_and_advice_follow_from_what_the_seat_saw(seats: int) -> None:
    rng = Random(seats)
    for moment in moments(seats, 50 + seats):
        for seat in map(Seat, range(seats)):
            mine, other = view(moment.state, seat), view(CASE.redealt(moment.state, seat, rng), seat)
            memory = moment.memories[seat]
            assert rated_actions(mine, seat, memory) == rated_actions(other, seat, memory)
            assert believed_chance_of_17(mine, seat, memory) == believed_chance_of_17(other, seat, memory)


def test_chances_and_beliefs_fit_how_it_ends() -> None:
    """Of what is said to happen in 60 %, 60 % happens, within a few points, in games that nobody has learnt from.

    All play by the network alone.
    """
    said, ended, thought, full = [], [], [], []
    for seed in range(160):
        game = list(moments(2, 1000 + seed, style=MASTER))
        winners = game[-1].after.winners
        for moment in game[::3]:
            said.append(chances(moment.state)[0])
            ended.append(0 in winners)
            seat = moment.state.turn
            belief = believed_chance_of_17(view(moment.state, seat), seat, moment.memories[seat])
            if 0 < belief < 1:
                thought.append(belief)
                full.append(sum(laid.card.number for laid in moment.state.queue) >= 17)
    assert abs(float(np.mean(said)) - float(np.mean(ended))) < 0.1
    better = np.abs(np.array(said) - np.array(ended)) < 0.5
    assert better.mean() > 0.65
    assert abs(float(np.mean(thought)) - float(np.mean(full))) < 0.06


@pytest.mark.parametrize(("seats", "said"), [(2, [0.641, 0.705, 0.406]), (4, [0.235, 0.24, 0.142])])
def test_what_it_says_of_a_game_is_what_it_has_learnt(seats: int, said: list[float]) -> None:
    """Whoever trains it anew looks at what it says now."""
    states = [step.state for _, _, step in CASE.steps(seats, 0)]
    assert [chances(states[number])[0] for number in (3, 11, 20)] == pytest.approx(said, abs=0.006)


def after_call(before: State) -> tuple[float, ...]:
    return chances(rules.apply(before, Call((before.turn,)), FAIR).state)


@pytest.mark.parametrize(
    "lies",
    [
        "0:5 1:5 0:5 1:5=",
        "0:5? 1:5 0:5 1:5=?",  # it sees its own card
        "0:5 1:5 1:P? 0:5 1:5",
    ],
)
def test_who_sees_17_calls(lies: str) -> None:
    """The chances are those after it, traps and all, so that the call changes none (D13, D14)."""
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, victory=(1, 1), penalty=(1, 0))
    assert chances(before) == after_call(before)
    last = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5 0:5 1:5", victory=(2, 0))
    assert chances(last) == (1, 0)


def test_a_call_that_would_end_the_game_is_not_certain_where_another_may_call_first_d9() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5? 1:5 0:5 2:5", victory=(2, 1, 1))
    assert apply_certain_calls(before).winners == (0,)
    assert chances(before) == pytest.approx((0.998, 0.001, 0.001))


def test_who_cannot_be_sure_of_17_or_would_spring_their_own_trap_has_not_called_d14() -> None:
    """Its cards are open to the coach, but not to the player on turn."""
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5? 0:5 1:5", victory=(1, 1))
    assert apply_certain_calls(before) == before
    late = state(["1 2 3", "4 5 1"], turn=1, last=1, owed=1, duty=2, lies="0:5 1:5 0:5 1:5")
    assert apply_certain_calls(late) == late
    own = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5 0:P? 0:5 1:5", victory=(1, 1))
    assert apply_certain_calls(own) == own
    assert not is_foregone(own, Call((Seat(0),)))


def test_with_more_players_the_nearest_who_sees_17_is_likely_to_be_first_d9() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 1:5", victory=(2, 2, 0))
    assert apply_certain_calls(before) == before
    first, second, third = chances(before)
    assert (first, second) == pytest.approx((0.91, 0.09), abs=0.01)
    assert third == pytest.approx(0.001)
    turned = before._replace(direction=-1, turn=Seat(1))
    assert chances(turned)[:2] == pytest.approx((second, first))
    own = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:P? 0:5 1:5 0:5 1:5", victory=(2, 2, 0))
    assert apply_certain_calls(own) == own  # whoever's own trap lies there need not call


def test_who_has_no_card_has_called_d10() -> None:
    before = state(["", "4 5 1"], turn=0, last=1, lies="0:5 1:2", draw="1 2 3 4", victory=(1, 1))
    assert chances(before) == after_call(before)


def test_a_shuffle_is_not_foreseen_d7() -> None:
    """After the call seat 0 would draw from a new pile."""
    before = state(["1 2", "4 5 1"], turn=0, last=1, lies="0:5 1:5 0:5 1:5", draw="", discard="1 2 3")
    assert apply_certain_calls(before) == before
    assert sum(chances(before)) == pytest.approx(1)


def test_a_call_that_is_hardly_ever_right_is_not_the_best_choice() -> None:
    before = state(
        ["5= P 5=", "1= P P", "5= 5= 1=", "2= 3= 4="], turn=0, last=3, lies="1:5= 2:2= 3:4= 0:2= 1:2? 2:X? 3:1="
    )
    seat = before.turn
    seen = view(before, seat)
    assert believed_chance_of_17(seen, seat, None) < 0.2
    best, *others = rated_actions(seen, seat, None)
    assert best.action != Call((seat,))
    (call,) = (option for option in others if option.action == Call((seat,)))
    assert call.chance < best.chance - 0.005


@pytest.mark.parametrize(
    ("lies", "gone", "odds", "counted"),
    [
        ("0:5= 1:5= 0:2 1:1?", {Card.FIVE: 1}, 0, True),  # only a 5 makes 17, and all have been seen
        ("0:5= 1:5= 0:1 1:1?", {}, 0, False),  # no card makes 17
        ("0:5= 1:5= 0:5= 0:1 1:1?", {Card.REVERSE: 5, Card.TRASH: 5, Card.X2: 5, Card.TRAP: 5}, 1, True),
        ("0:5= 1:5= 0:5= 0:2 1:1?", {}, 1, False),  # 17 lies open
        ("0:5= 1:5= 0:2", {}, 0, False),  # nothing is hidden
    ],
)
def test_an_insight_says_whether_only_counting_the_cards_makes_it_certain(
    lies: str, gone: dict[Card, int], odds: int, counted: bool
) -> None:
    before = state(["5 5 3", "4 5 1"], turn=0, last=1, lies=lies)
    memory = Memory(Discarded(seen=tuple(gone.get(kind, 0) for kind in KINDS)))
    said = insight(view(before, Seat(0)), Seat(0), memory)
    assert said is not None
    assert (said.odds, said.believed, said.counted) == (odds, odds, counted)


def test_a_belief_does_not_leave_the_cards_behind() -> None:
    """Only a 5 makes 17, of which one among 32 cards is left; the network alone says 15 %."""
    before = state(
        ["5 4= P", "T 5= 4=", "5= 2 1=", "5= 2 4="],
        turn=3,
        last=2,
        lies="3:3= 0:5 1:2= 2:1= 1:1= 2:X?",
        victory=(0, 1, 1, 1),
        penalty=(1, 1, 0, 0),
    )
    said = insight(view(before, Seat(0)), Seat(0), None)
    assert said is not None
    assert said.odds == pytest.approx(1 / 32)
    assert said.believed < 2.1 / 32
    best, call = rated_actions(view(before, Seat(0)), Seat(0), None)
    assert best.action is None
    assert call.chance < best.chance - 0.005
    gone = tuple(kind is Card.FIVE for kind in KINDS)
    said = insight(view(before, Seat(0)), Seat(0), Memory(Discarded(seen=gone)))
    assert said is not None
    assert said.odds == said.believed == 0  # it was seen going to the discard pile


@pytest.mark.parametrize(
    ("lies", "silent"),
    [
        ("1:2? 0:5 1:5 0:1=? 1:1", False),
        ("1:2? 0:5 1:5 0:2=? 1:1", True),
        ("1:2? 0:5 1:4 0:2 1:1", False),
        ("1:2? 0:5 1:4 0:2? 1:1", True),  # seat 0 knows its own card, and the others do not
        ("1:2? 0:5 1:5 0:1= 0:5 1:1", True),
        ("0:2? 1:5 0:5 1:5 0:1 1:1", False),  # nobody else hid one
    ],
)
def test_who_hid_a_card_could_have_called_if_17_was_possible_by_the_backs_that_everybody_sees_d2(
    lies: str, silent: bool
) -> None:
    """A hidden card may be a 5; one face up, or a two-sided one, shows its number."""
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies)
    said = insight(view(before, Seat(0)), Seat(0), None)
    assert said is not None
    assert said.silent is silent


@pytest.mark.parametrize(
    ("lies", "silent"),
    [
        ("0:5 1:2? 2:5 0:2 1:1 2:1", True),
        ("0:5 1:2? 2:5 0:1 1:5 2:1", False),  # it was their own card
        ("0:5 1:2? 2:2? 0:1 1:5 2:1", True),  # seat 2 could have called
        ("0:5 1:2? 2:1 0:1 1:1 2:5 2:1", False),  # perhaps nobody could between the two cards of seat 2
    ],
)
def test_nobody_calls_after_their_own_card_or_between_two_cards_of_another_d8(lies: str, silent: bool) -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies=lies)
    said = insight(view(before, Seat(0)), Seat(0), None)
    assert said is not None
    assert said.silent is silent


@pytest.mark.parametrize("seats", [2, 4])
def test_a_call_does_not_contradict_the_belief(seats: int) -> None:
    """It is worth what it is worth if right, and if wrong, as likely as each is believed to be. Where it cannot be
    right, it is not better than anything else."""
    judged = 0
    for moment in chain(*(moments(seats, seed, LEVELS - 1) for seed in range(70, 74))):
        for seat in map(Seat, GAME.callers(moment.state)):
            seen, memory = view(moment.state, seat), moment.memories[seat]
            belief = believed_chance_of_17(seen, seat, memory)
            right, wrong = win_chances_by_call_correctness(seen, seat, memory)
            found = rated_actions(seen, seat, memory)
            (call,) = (it for it in found if it.action == Call((seat,)))
            worth_it = belief * right + (1 - belief) * wrong
            assert call.chance <= max(worth_it + 1e-5, MIN_CHANCE)
            unlikely = belief < UNLIKELY_CALL and found[0].action != call.action
            assert (
                call.futile or unlikely or call.chance == pytest.approx(worth_it, abs=1e-5) or call.chance == MIN_CHANCE
            )
            judged += not call.futile
    assert judged > 20


@pytest.mark.parametrize("seats", [2, 3])
def test_the_first_of_two_cards_is_worth_what_the_best_second_one_leaves(seats: int) -> None:
    """Nobody may act in between, and nothing is drawn."""
    compared = 0
    for seed in range(40):
        for moment in moments(seats, 300 + seed, 3):
            before, after = moment.state, moment.after
            if isinstance(moment.action, Play) and after.turn == before.turn and after.owed < before.owed:
                seat = before.turn
                memory = moment.memories[seat]
                (made,) = (it for it in rated_actions(view(before, seat), seat, memory) if it.action == moment.action)
                witnessed = [witness(event, seat) for event in moment.events]
                best, *_ = rated_actions(view(after, seat), seat, remember(memory, witnessed, seat))
                assert made.chance == pytest.approx(best.chance, abs=1e-6)
                compared += 1
    assert compared > 20


def test_a_call_is_foregone_where_the_caller_sees_17_or_has_no_card() -> None:
    call = Call((Seat(1), Seat(0)))
    seen = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5? 1:5 0:5 2:5")
    assert is_foregone(seen, call)
    assert not is_foregone(seen, Call((Seat(1),)))
    assert not is_foregone(seen, Play(Seat(0), Card.ONE, Face.UP))
    assert is_foregone(state(["", "4 5 1"], turn=0, last=1, lies="0:5"), Call((Seat(0),)))
    assert not is_foregone(state(["", "4 5 1", "1"], turn=0, last=2, lies="0:5"), Call((Seat(1),)))
    assert not is_foregone(state(["", "", "1"], turn=0, last=2, lies="0:5"), Call((Seat(1),)))  # only seat 0 must (D10)
    seats = (SeatOccupant("computer", "c", ""),) * 3
    open_to_all = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
    call = Call((Seat(1),))  # seat 0, who is nearer, was slower
    step = rules.apply(open_to_all, call, FAIR)
    deal = Moment(0, None, None, None, open_to_all, (), seats)
    said = coach_game(GAME, [deal, Moment(1, None, call, open_to_all, step.state, step.events, seats)])
    assert max(said.chance_change_by_action(1)) > 0.05  # who is first is luck
    assert said.decisive == ()
    assert said.turning_point is None


SEATS = (SeatOccupant("person", "p", ""),) * 3
SEEN = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
"""Everybody sees 17."""


def played(before: State, action: Action, *, by_clock: bool = False) -> list[Moment]:
    """The deal, which is *before*, and *action*."""
    step = rules.apply(before, action, FAIR)
    entry = ActionEntry(1, GAME.encode_action(action), by_clock=by_clock)
    deal = Moment(0, None, None, None, before, (), SEATS)
    return [deal, Moment(1, entry, action, before, step.state, step.events, SEATS)]


def test_whoever_called_at_the_same_moment_has_called_though_another_call_counted_d9() -> None:
    said = coach_game(GAME, played(SEEN, Call((Seat(0), Seat(1)))))
    for seat in (Seat(0), Seat(1)):
        made = said.decision_at(1, seat)
        assert made is not None
        assert made.made == Call((seat,))
    assert said.late == ()


def test_a_decision_knows_what_the_best_of_another_kind_would_have_left() -> None:
    said = coach_game(GAME, played(SEEN, Play(Seat(0), Card.ONE, Face.UP)))
    found = rated_actions(view(SEEN, Seat(0)), Seat(0), None)
    made, missed = said.decision_at(1, Seat(0)), said.decision_at(1, Seat(1))
    assert made is not None
    assert missed is not None
    assert made.otherwise == next(it.chance for it in found if isinstance(it.action, Call))
    assert missed.otherwise == missed.best_chance > missed.chance


@pytest.mark.parametrize("by_clock", [False, True])
def test_what_was_done_because_the_time_was_up_nobody_decided(by_clock: bool) -> None:
    said = coach_game(GAME, played(SEEN, Play(Seat(0), Card.ONE, Face.UP), by_clock=by_clock))
    assert (said.decision_at(1, Seat(0)) is None) is by_clock
    assert said.decision_at(1, Seat(1)) is not None


def test_a_moment_in_which_nobody_acted_changes_no_chance() -> None:
    deal, acted = played(SEEN, Play(Seat(0), Card.ONE, Face.UP))
    came = Moment(1, SeatChangeEntry(1, Seat(1), "person", "q"), None, None, SEEN, (), SEATS)
    said = coach_game(GAME, [deal, came, acted._replace(number=2)])
    plain = coach_game(GAME, [deal, acted])
    assert said.courses == (plain.courses[0], plain.courses[0], plain.courses[1])
    assert said.undealt == (plain.undealt[0], plain.courses[0], plain.undealt[1])
    assert [it._replace(number=1) for it in said.decisions] == list(plain.decisions)
    assert [(it.number, it.before, it.after) for it in said.decisive] == [
        (2, it.before, it.after) for it in plain.decisive
    ]


def test_who_does_not_call_where_everybody_sees_17_leaves_the_token_to_whoever_does() -> None:
    """Here it is their last one (D16): the player on turn is nearest, and comes first nine times of ten."""
    found = {
        it.action: it.chance for it in rated_actions(view(SEEN._replace(victory=(2, 0, 0)), Seat(1)), Seat(1), None)
    }
    assert found[None] == MIN_CHANCE
    alone = SEEN._replace(turn=Seat(2), last=Seat(1), victory=(0, 0, 2))
    (call,) = (it.chance for it in rated_actions(view(alone, Seat(0)), Seat(0), None) if it.action is not None)
    (left,) = (it.chance for it in rated_actions(view(alone, Seat(0)), Seat(0), None) if it.action is None)
    assert left < 0.05 < call


BOUND = state(["3= 3= 4=", "1 2 3", "x2 1 5"], turn=2, last=1, lies="0:5 1:5 2:3", victory=(0, 2, 0))
"""13 lies there. Seat 0 is next and holds nothing but two-sided cards: two of them make 19 or more (D2)."""


def test_who_has_to_show_two_cards_that_everybody_knows_lets_everybody_see_17_and_that_is_foreseen() -> None:
    """Seat 1 comes first then, and it is its last token."""
    seen = view(BOUND, Seat(2))
    assert cards_forced_to_show_17(view(BOUND, Seat(0))) == (), "it is not its turn"
    known = {it.action: it.chance for it in rated_actions(seen, Seat(2), None)}
    twice = Play(Seat(2), Card.X2, Face.UP)
    assert known[twice] < 0.05 < known[Play(Seat(2), Card.ONE, Face.DOWN)]
    after = rules.apply(BOUND, twice, FAIR).state
    assert cards_forced_to_show_17(view(after, Seat(1))) == (Card.THREE_OPEN, Card.THREE_OPEN)
    assert chances(after)[1] > 0.8
    shown = rules.apply(after, Play(Seat(0), Card.THREE_OPEN, Face.DOWN), FAIR).state
    assert chances(shown)[1] == pytest.approx(chances(after)[1], abs=0.05)


@pytest.mark.parametrize("hand", ["3= 3= 4", "1= 2= 1=", "3= trash 4="])
def test_who_can_hide_a_card_or_stay_below_17_need_not(hand: str) -> None:
    before = BOUND._replace(hands=(state([hand, "1", "1"]).hands[0], *BOUND.hands[1:]))
    after = rules.apply(before, Play(Seat(2), Card.X2, Face.UP), FAIR).state
    assert cards_forced_to_show_17(view(after, Seat(1))) == ()
    assert view_after_forced_17(view(before, Seat(2)), Play(Seat(2), Card.X2, Face.UP)) is None


def test_who_sees_17_by_a_card_of_their_own_calls_and_shows_nothing() -> None:
    """Though they hold nothing but cards that would make 17 for everybody; here it is their last token."""
    lies = "1:5 0:5? 2:5 1:2"
    before = state(["3= 3= 4=", "1 2 3", "1 2 5"], turn=0, last=1, owed=2, lies=lies, victory=(2, 0, 0))
    assert cards_forced_to_show_17(view(before, Seat(0)))
    assert chances(before)[0] > 0.95
    less = before._replace(queue=state(["1", "1"], lies=lies.replace("0:5?", "0:4?")).queue)
    assert chances(less)[0] < 0.7


def test_one_card_is_enough_where_it_makes_17() -> None:
    before = BOUND._replace(queue=state(["1", "1", "1"], lies="0:5 1:5 2:3 1:1").queue, turn=Seat(2))
    play = Play(Seat(2), Card.ONE, Face.UP)
    assert view_after_forced_17(view(before, Seat(2)), play) is not None
    assert view_after_forced_17(view(before, Seat(2)), play._replace(face=Face.DOWN)) is not None, "14 and 3"
    assert view_after_forced_17(view(BOUND, Seat(2)), play) is not None, "14 and 3"
    assert view_after_forced_17(view(BOUND, Seat(2)), play._replace(face=Face.DOWN)) is None, "13 and 3"


@pytest.mark.parametrize(
    ("card", "face", "turn", "forced"),
    [
        (Card.X2, Face.UP, {}, True),  # two cards of 3 make 18
        (Card.X2, Face.DOWN, {}, False),
        (Card.ONE, Face.UP, {}, False),  # a single one makes 16
        (Card.ONE, Face.UP, {"doubled": True}, True),
        (Card.ONE, Face.DOWN, {"doubled": True}, True),
        (Card.X2, Face.UP, {"owed": 2}, False),  # the turn goes on
    ],
)
def test_the_next_player_has_to_show_two_cards_only_after_an_x2_that_lies_open(
    card: Card, face: Face, turn: dict[str, Any], forced: bool
) -> None:
    before = BOUND._replace(queue=state(["1", "1", "1"], lies="0:5 1:5 2:2").queue, **turn)
    after = view_after_forced_17(view(before, Seat(2)), Play(Seat(2), card, face))
    assert (after is not None) is forced
    if after is not None:
        assert (after.last, after.turn) == (0, 1)


@pytest.mark.parametrize(
    ("hand", "face", "owed", "shown"),
    [
        ("1 2 3", Face.UP, 1, True),
        ("1 2 3", Face.DOWN, 1, False),
        ("1 2 3", Face.UP, 2, False),  # a second card follows
        ("1", Face.UP, 2, True),  # there is no second card
    ],
)
def test_everybody_sees_17_after_a_play_that_ends_the_turn_and_not_before(
    hand: str, face: Face, owed: int, shown: bool
) -> None:
    before = state([hand, "4 5 1"], turn=0, last=1, owed=owed, duty=owed, lies="0:5 1:4 0:2 1:5")
    assert shows_17_to_all(view(before, Seat(0)), Play(Seat(0), Card.ONE, face)) is shown


TOKENS = {"victory": (1, 2), "penalty": (1, 1)}


def test_a_play_after_which_everybody_sees_17_is_worth_what_the_call_leaves() -> None:
    """Nothing but a call can follow, and it ends the game: seat 1 gets its third token."""
    before = state(["2= 1 3", "4 5 1"], turn=0, last=1, lies="0:R? 0:5 1:4 0:2 1:5", **TOKENS)
    said = {option.action: option.chance for option in rated_actions(view(before, Seat(0)), Seat(0), None)}
    for card, face in (
        (Card.TWO_OPEN, Face.UP),
        (Card.TWO_OPEN, Face.DOWN),
        (Card.ONE, Face.UP),
        (Card.THREE, Face.UP),
    ):
        assert said[Play(Seat(0), card, face)] == 0
    hidden = said[Play(Seat(0), Card.THREE, Face.DOWN)]
    assert hidden > 0  # nobody sees what it adds


def test_such_a_play_is_told_by_the_traps_that_lie_there_d14() -> None:
    """The own trap brings a token, and the caller's second penalty takes one of theirs."""
    lies = "0:5 1:4 0:2 1:5"
    plain, trapped = (
        state(["1 1 3", "4 5 1"], turn=0, last=1, lies=it, victory=(1, 1), penalty=(0, 1))
        for it in (lies, lies + " 0:P?")
    )
    play = Play(Seat(0), Card.ONE, Face.UP)
    first, second = (
        next(it.chance for it in rated_actions(view(before, Seat(0)), Seat(0), None) if it.action == play)
        for before in (plain, trapped)
    )
    assert second > first + 0.2


@pytest.mark.parametrize(
    ("hand", "play", "owed"),
    [
        ("1 2 3", Play(Seat(0), Card.ONE, Face.DOWN), 1),  # nobody sees it
        ("T 2 3", Play(Seat(0), Card.TRASH, Face.UP), 1),  # the 5 goes
        ("1 2 3", Play(Seat(0), Card.ONE, Face.UP), 2),  # a second card follows
        ("1 2", Play(Seat(0), Card.ONE, Face.UP), 2),  # and where that is the last one
    ],
)
def test_where_17_is_not_seen_by_all_after_the_turn_the_network_tells(hand: str, play: Play, owed: int) -> None:
    before = state(
        [hand, "4 5 1"], turn=0, last=1, owed=owed, duty=2 if owed == 2 else 1, lies="0:5 1:4 0:2 1:5", **TOKENS
    )
    assert next(it.chance for it in rated_actions(view(before, Seat(0)), Seat(0), None) if it.action == play) > 0


def test_whoever_has_no_second_card_ends_their_turn_with_the_first() -> None:
    before = state(["1", "4 5 1"], turn=0, last=1, owed=2, duty=2, draw="", lies="0:5 1:4 0:2 1:5", **TOKENS)
    play = Play(Seat(0), Card.ONE, Face.UP)
    assert next(it.chance for it in rated_actions(view(before, Seat(0)), Seat(0), None) if it.action == play) == 0


def test_with_more_players_the_next_one_is_likely_to_call_where_everybody_sees_17_d9() -> None:
    before = state(["1 2 3", "4 5 1", "1 1 1"], turn=0, last=2, lies="0:5 1:4 0:2 1:5", victory=(1, 2, 0))
    said = {option.action: option.chance for option in rated_actions(view(before, Seat(0)), Seat(0), None)}
    assert 0 < said[Play(Seat(0), Card.ONE, Face.UP)] < 0.05
    behind = before._replace(victory=(1, 0, 2), direction=-1)
    said = {option.action: option.chance for option in rated_actions(view(behind, Seat(0)), Seat(0), None)}
    assert 0 < said[Play(Seat(0), Card.ONE, Face.UP)] < 0.05


def test_a_call_that_is_sure_to_be_right_is_worth_its_parts() -> None:
    """The network knows less of it."""
    for seats in (2, 4):
        for moment in moments(seats, 90 + seats):
            for seat in map(Seat, GAME.callers(moment.state)):
                seen, memory = view(moment.state, seat), moment.memories[seat]
                if seen.visible_sum >= 17:
                    (call,) = (it for it in rated_actions(seen, seat, memory) if it.action == Call((seat,)))
                    assert call.chance == pytest.approx(win_chances_by_call_correctness(seen, seat, memory).right)


def test_a_call_that_cannot_be_right_is_futile_and_never_the_best() -> None:
    before = state(["5 4 3", "4 5 1"], turn=0, last=1, lies="0:5 1:P?", victory=(0, 2))
    said = rated_actions(view(before, Seat(0)), Seat(0), None)
    assert [it.action for it in said if it.futile] == [Call((Seat(0),))]
    assert said[-1].futile or said[-1].chance <= said[0].chance
    assert not said[0].futile
    possible = state(["5 4 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5 0:4 1:4?")
    assert not any(it.futile for it in rated_actions(view(possible, Seat(0)), Seat(0), None))
    must = state(["", "4 5 1"], turn=0, last=1, lies="0:5 1:2", draw="1 2 3 4")
    assert not any(it.futile for it in rated_actions(view(must, Seat(0)), Seat(0), None))  # D10


def test_who_alone_sees_17_and_comes_first_has_called_also_with_more_players_d9() -> None:
    """Nobody else can know; whoever calls at the same moment comes later in turn order."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5? 1:5 0:5 2:5", victory=(1, 1, 1))
    assert apply_certain_calls(before) != before
    assert chances(before) == chances(rules.apply(before, Call((before.turn,)), FAIR).state)
    other = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="1:5? 1:5 0:5 2:5", victory=(1, 1, 1))
    assert apply_certain_calls(other) == other  # seat 1 sees it, and seat 0 is nearer


def test_there_is_nothing_to_think_of_the_queue_where_nobody_may_call_d8() -> None:
    middle = state(["1 2 3", "4 5 1"], turn=0, last=0, owed=1, duty=2, lies="1:5 1:5? 0:2")
    assert insight(view(middle, Seat(0)), Seat(0), None) is None


def test_an_insight_says_whether_a_trap_of_ones_own_lies_there() -> None:
    for lies, own in (("0:P? 1:5 1:5?", True), ("0:P 1:5 1:5?", False), ("1:P? 1:5 1:5?", False)):
        said = insight(view(state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies), Seat(0)), Seat(0), None)
        assert said is not None
        assert said.trapped is own


@pytest.mark.parametrize(("open_card", "matters"), [(2, True), (1, False)])
def test_a_trap_at_match_point_matters_only_if_the_other_cards_can_make_17(open_card: int, matters: bool) -> None:
    """A wrong call ends the game for whoever calls at any rate; the other hidden card is a 5 at most."""
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies=f"0:5 1:5? 0:5 0:{open_card} 1:5?", victory=(0, 2))
    said = insight(view(before, Seat(0)), Seat(0), None)
    assert said is not None
    assert said.fatal
    assert said.snare is matters


@pytest.mark.parametrize(
    ("hider", "penalty", "snare"),
    [(1, (0, 0, 0), True), (1, (0, 1, 0), False), (2, (0, 0, 0), True), (2, (0, 1, 1), True)],
)
def test_no_trap_wins_for_whoever_played_last_and_loses_a_token_by_the_call_d16(
    hider: int, penalty: tuple[int, ...], snare: bool
) -> None:
    victory = tuple(2 * (seat == hider) for seat in range(3))
    lies = f"0:5 1:5 0:5 0:2 {hider}:5? 1:1"
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=1, lies=lies, victory=victory, penalty=penalty)
    said = insight(view(before, Seat(0)), Seat(0), None)
    assert said is not None
    assert said.snare is snare


def test_nobody_has_missed_a_call_that_one_of_several_others_made() -> None:
    """Who was only slower nobody can tell. Two others: one calls, one does not."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
    call = Call((Seat(0),))
    step = rules.apply(before, call, FAIR)
    seats = (SeatOccupant("computer", "c", ""),) * 3
    played = [
        Moment(0, None, None, None, before, (), seats),
        Moment(1, None, call, before, step.state, step.events, seats),
    ]
    (best, *_) = rated_actions(view(before, Seat(1)), Seat(1), None)
    assert best.action == Call((Seat(1),))
    said = coach_game(GAME, played)
    assert said.decision_at(1, Seat(1)) is None
    (late,) = said.late
    assert (late.number, late.seat, late.made, late.best) == (1, 1, None, Call((Seat(1),)))
    assert {it.cost for it in said.balances} == {0}
    play = Play(Seat(0), Card.ONE, Face.UP)
    step = rules.apply(before, play, FAIR)
    played[1] = Moment(1, None, play, before, step.state, step.events, seats)
    said = coach_game(GAME, played)
    missed = said.decision_at(1, Seat(1))
    assert said.late == ()
    assert missed is not None
    assert (missed.made, missed.best) == (None, Call((Seat(1),)))


def test_whoever_was_on_turn_and_slower_could_have_called_too() -> None:
    """Their call would have counted before the other one (D9)."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
    call = Call((Seat(1),))
    step = rules.apply(before, call, FAIR)
    seats = (SeatOccupant("computer", "c", ""),) * 3
    deal = Moment(0, None, None, None, before, (), seats)
    said = coach_game(GAME, [deal, Moment(1, None, call, before, step.state, step.events, seats)])
    late = next(it for it in said.late if it.seat == 0)
    best, second, *_ = rated_actions(view(before, Seat(0)), Seat(0), None)
    assert (late.made, late.best) == (None, best.action) == (None, Call((Seat(0),)))
    assert (late.chance, late.best_chance) == (second.chance, best.chance)
    assert said.decision_at(1, Seat(0)) is None
    unsure = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:1? 1:1? 2:5?")
    step = rules.apply(unsure, call, FAIR)
    deal = Moment(0, None, None, None, unsure, (), seats)
    said = coach_game(GAME, [deal, Moment(1, None, call, unsure, step.state, step.events, seats)])
    assert [it.seat for it in (*said.late, *said.decisions) if it.seat == 0] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_call_that_is_hardly_ever_right_is_best_only_if_it_gains_much(seats: int) -> None:
    proposed = 0
    for moment in chain(*(moments(seats, seed, LEVELS - 1) for seed in range(70, 76))):
        for seat in map(Seat, GAME.callers(moment.state)):
            seen, memory = view(moment.state, seat), moment.memories[seat]
            best, *others = rated_actions(seen, seat, memory)
            if isinstance(best.action, Call) and others and believed_chance_of_17(seen, seat, memory) < UNLIKELY_CALL:
                assert best.chance == MIN_CHANCE or best.chance >= others[0].chance + MIN_CALL_GAIN
                proposed += 1
    assert proposed < 20


@pytest.mark.parametrize("seats", [2, 4])
def test_chances_know_no_more_of_the_draw_pile_than_the_back_on_top_d2(seats: int) -> None:
    """A trap on top of it, say, changes them when it is drawn, and not before; a two-sided card lies open."""
    for moment in islice(moments(seats, 4), 0, None, 5):
        pile, said = moment.state.draw, chances(moment.state)
        tops: list[tuple[float, ...]] = []
        for first in (it for it in set(pile) if it.open_back is pile[0].open_back):
            rest = [*pile]
            rest.remove(first)
            top = chances(moment.state._replace(draw=(first, *rest)))
            if not first.open_back:
                assert top == pytest.approx(said)
            elif not moment.state.winners:
                tops.append(top)
        assert len(set(tops)) == len(tops)
