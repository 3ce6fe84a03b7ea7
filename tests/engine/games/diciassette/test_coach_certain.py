"""What the coach of 17 knows for certain: a call that is bound to come, to be right, or cannot be right."""

from itertools import chain, islice

import pytest

from engine.coaching import coach
from engine.game import Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.calling import worth
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.coach import GAINS, UNLIKELY, believed, insight, options
from engine.games.diciassette.computer import LEVELS
from engine.games.diciassette.outlook import NEVER, called, chances
from engine.games.diciassette.view import view
from engine.registry import GAMES
from engine.replay import Moment, Sitting
from tests.engine.games.diciassette.moments import moments
from tests.games.diciassette import FAIR, state

GAME = GAMES["diciassette"]
TOKENS = {"victory": (1, 2), "penalty": (1, 1)}


def test_a_play_after_which_everybody_sees_17_is_worth_what_the_call_leaves() -> None:
    """Nothing but a call can follow, and it ends the game: seat 1 gets its third token."""
    before = state(["2= 1 3", "4 5 1"], turn=0, last=1, lies="0:R? 0:5 1:4 0:2 1:5", **TOKENS)
    said = {option.action: option.chance for option in options(view(before, Seat(0)), Seat(0), None)}
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
        next(it.chance for it in options(view(before, Seat(0)), Seat(0), None) if it.action == play)
        for before in (plain, trapped)
    )
    assert second > first + 0.2


@pytest.mark.parametrize(
    ("hand", "play", "owed"),
    [
        ("1 2 3", Play(Seat(0), Card.ONE, Face.DOWN), 1),  # nobody sees it
        ("T 2 3", Play(Seat(0), Card.TRASH, Face.UP), 1),  # the 5 goes
        ("1 2 3", Play(Seat(0), Card.ONE, Face.UP), 2),  # a second card follows
    ],
)
def test_where_17_is_not_seen_by_all_after_the_turn_the_network_tells(hand: str, play: Play, owed: int) -> None:
    before = state(
        [hand, "4 5 1"], turn=0, last=1, owed=owed, duty=2 if owed == 2 else 1, lies="0:5 1:4 0:2 1:5", **TOKENS
    )
    assert next(it.chance for it in options(view(before, Seat(0)), Seat(0), None) if it.action == play) > 0


def test_with_more_players_the_next_one_is_likely_to_call_where_everybody_sees_17_d9() -> None:
    before = state(["1 2 3", "4 5 1", "1 1 1"], turn=0, last=2, lies="0:5 1:4 0:2 1:5", victory=(1, 2, 0))
    said = {option.action: option.chance for option in options(view(before, Seat(0)), Seat(0), None)}
    assert 0 < said[Play(Seat(0), Card.ONE, Face.UP)] < 0.05
    behind = before._replace(victory=(1, 0, 2), direction=-1)
    said = {option.action: option.chance for option in options(view(behind, Seat(0)), Seat(0), None)}
    assert 0 < said[Play(Seat(0), Card.ONE, Face.UP)] < 0.05


def test_a_call_that_is_sure_to_be_right_is_worth_its_parts() -> None:
    """The network knows less of it."""
    for seats in (2, 4):
        for moment in moments(seats, 90 + seats):
            for seat in map(Seat, GAME.may_call(moment.state)):
                seen, memory = view(moment.state, seat), moment.memories[seat]
                if seen.visible_sum >= 17:
                    (call,) = (it for it in options(seen, seat, memory) if it.action == Call((seat,)))
                    assert call.chance == pytest.approx(worth(seen, seat, memory).right)


def test_a_call_that_cannot_be_right_is_futile_and_never_the_best() -> None:
    before = state(["5 4 3", "4 5 1"], turn=0, last=1, lies="0:5 1:P?", victory=(0, 2))
    said = options(view(before, Seat(0)), Seat(0), None)
    assert [it.action for it in said if it.futile] == [Call((Seat(0),))]
    assert said[-1].futile or said[-1].chance <= said[0].chance
    assert not said[0].futile
    possible = state(["5 4 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5 0:4 1:4?")
    assert not any(it.futile for it in options(view(possible, Seat(0)), Seat(0), None))
    must = state(["", "4 5 1"], turn=0, last=1, lies="0:5 1:2", draw="1 2 3 4")
    assert not any(it.futile for it in options(view(must, Seat(0)), Seat(0), None))  # D10


def test_who_alone_sees_17_and_comes_first_has_called_also_with_more_players_d9() -> None:
    """Nobody else can know; whoever calls at the same moment comes later in turn order."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5? 1:5 0:5 2:5", victory=(1, 1, 1))
    assert called(before) != before
    assert chances(before) == chances(rules.apply(before, Call((before.turn,)), FAIR).state)
    other = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="1:5? 1:5 0:5 2:5", victory=(1, 1, 1))
    assert called(other) == other  # seat 1 sees it, and seat 0 is nearer


def test_there_is_nothing_to_think_of_the_queue_where_nobody_may_call_d8() -> None:
    middle = state(["1 2 3", "4 5 1"], turn=0, last=0, owed=1, duty=2, lies="1:5 1:5? 0:2")
    assert insight(view(middle, Seat(0)), Seat(0), None) is None


def test_an_insight_says_whether_a_trap_of_ones_own_lies_there() -> None:
    for lies, own in (("0:P? 1:5 1:5?", True), ("0:P 1:5 1:5?", False), ("1:P? 1:5 1:5?", False)):
        said = insight(view(state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies), Seat(0)), Seat(0), None)
        assert said is not None
        assert said.trapped is own


def test_nobody_has_missed_a_call_that_one_of_several_others_made() -> None:
    """Who was only slower nobody can tell. Two others: one calls, one does not."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
    call = Call((Seat(0),))
    step = rules.apply(before, call, FAIR)
    seats = (Sitting("computer", "c", ""),) * 3
    played = [
        Moment(0, None, None, None, before, (), seats),
        Moment(1, None, call, before, step.state, step.events, seats),
    ]
    (best, *_) = options(view(before, Seat(1)), Seat(1), None)
    assert best.action == Call((Seat(1),))
    said = coach(GAME, played)
    assert said.of(1, Seat(1)) is None
    (late,) = said.late
    assert (late.number, late.seat, late.made, late.best) == (1, 1, None, Call((Seat(1),)))
    assert {it.cost for it in said.balances} == {0}
    play = Play(Seat(0), Card.ONE, Face.UP)
    step = rules.apply(before, play, FAIR)
    played[1] = Moment(1, None, play, before, step.state, step.events, seats)
    said = coach(GAME, played)
    missed = said.of(1, Seat(1))
    assert said.late == ()
    assert missed is not None
    assert (missed.made, missed.best) == (None, Call((Seat(1),)))


def test_whoever_was_on_turn_and_slower_could_have_called_too() -> None:
    """Their call would have counted before the other one (D9)."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 0:5 2:5")
    call = Call((Seat(1),))
    step = rules.apply(before, call, FAIR)
    seats = (Sitting("computer", "c", ""),) * 3
    deal = Moment(0, None, None, None, before, (), seats)
    said = coach(GAME, [deal, Moment(1, None, call, before, step.state, step.events, seats)])
    late = next(it for it in said.late if it.seat == 0)
    best, second, *_ = options(view(before, Seat(0)), Seat(0), None)
    assert (late.made, late.best) == (None, best.action) == (None, Call((Seat(0),)))
    assert (late.chance, late.best_chance) == (second.chance, best.chance)
    assert said.of(1, Seat(0)) is None
    unsure = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:1? 1:1? 2:5?")
    step = rules.apply(unsure, call, FAIR)
    deal = Moment(0, None, None, None, unsure, (), seats)
    said = coach(GAME, [deal, Moment(1, None, call, unsure, step.state, step.events, seats)])
    assert [it.seat for it in (*said.late, *said.decisions) if it.seat == 0] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_call_that_is_hardly_ever_right_is_best_only_if_it_gains_much(seats: int) -> None:
    proposed = 0
    for moment in chain(*(moments(seats, seed, LEVELS - 1) for seed in range(70, 76))):
        for seat in map(Seat, GAME.may_call(moment.state)):
            seen, memory = view(moment.state, seat), moment.memories[seat]
            best, *others = options(seen, seat, memory)
            if isinstance(best.action, Call) and others and believed(seen, seat, memory) < UNLIKELY:
                assert best.chance == NEVER or best.chance >= others[0].chance + GAINS
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
