"""The computer player of 12 Days of Christmas: legal, at home in every situation, and blind for hidden cards."""

from random import Random

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.choices import NUMBER
from engine.games.twelve_days.computers import LEVELS, decide
from engine.games.twelve_days.judgement import judge_choices
from engine.games.twelve_days.ladder import luck
from engine.games.twelve_days.memory import NOTHING, Memory, remember
from engine.games.twelve_days.state import State
from engine.games.twelve_days.styles import Style
from engine.games.twelve_days.view import actions, view, witness
from engine.registry import GAMES
from tests.games.twelve_days import CASE, cards, state

GAME = GAMES["twelve_days"]
every_level = pytest.mark.parametrize("level", range(1, LEVELS + 1))


def chosen(before: State, level: int = LEVELS) -> Action | None:
    return decide(view(before, before.turn), before.turn, Random(1), level)


@every_level
def test_it_plays_whole_games_by_the_rules_with_and_without_memory(level: int) -> None:
    for seats in (2, 3, 5, 8):
        chance, rng = SeededChance(bytes([seats]) * 32), Random(seats)
        step = rules.deal(seats, {"length": "short"}, chance)
        memories: list[Memory | None] = [None] * seats
        while not step.state.winners:
            now, seat = step.state, step.state.turn
            memories = [remember(it, step.events, Seat(number)) for number, it in enumerate(memories)]
            seen = view(now, seat)
            action = decide(seen, seat, rng, level, memories[seat] if now.hand_number % 2 else None)
            assert action is not None
            assert action in actions(seen, seat)
            step = rules.apply(now, action, chance)


@every_level
def test_it_goes_out_when_nobody_can_beat_its_last_play(level: int) -> None:
    assert chosen(state(["1", "5 6", "7 8"]), level) == Play(Seat(0), (1,))
    assert chosen(state(["4 4", "5 6"], lies="1:9 9"), level) == Play(Seat(0), (4, 4))


def test_it_keeps_the_sure_winner_for_the_end_t8() -> None:
    """The 1 takes any trick of singletons, so it is played last; the twelves go while there is a lead to spare."""
    assert chosen(state(["1 12 12 12", "5 6 7 8"])) == Play(Seat(0), (12, 12, 12))


def test_it_does_not_break_a_straight_in_the_middle_for_a_trick_it_cannot_win() -> None:
    move = chosen(state(["3 4 5 6 7 12 12", "9 9 9", "1 7 7"], lies="1:8, 2:1"))
    assert move in (Pass(Seat(0)), Play(Seat(0), (3,)), Play(Seat(0), (7,)))


def test_it_sheds_high_cards_when_it_leads_with_many() -> None:
    move = chosen(state(["1 2 11 11 11 11 12 12", "3 4 5 6", "7 8 9 10"]))
    assert isinstance(move, Play)
    assert len(move.cards) > 1
    assert move.cards[0] > 2


def test_it_knows_the_hand_that_was_taken_back_t8() -> None:
    """To go out with a pair of 4s is safe from somebody who is known to hold a pair of 5s, not from a pair of 3s."""
    before = state(["4 4", "9 9"])
    expected = []
    for held in ("5 5", "3 3"):
        memory = NOTHING._replace(known=((), cards(held), *NOTHING.known[2:]))
        numbers, outcomes, _ = judge_choices(view(before, Seat(0)), Seat(0), memory, 0.0, Style())
        expected.append(float(outcomes[numbers == NUMBER[4, 4], 0][0]))
    assert expected[0] > expected[1] + 0.3


def test_it_waits_for_its_turn() -> None:
    before = state(["3", "4"])
    assert GAME.decide(view(before, Seat(1)), Random(0)) is None
    assert decide(view(before, Seat(1)), Seat(1), Random(0)) is None


@every_level
def test_decisions_and_memories_are_the_same_whatever_the_others_hold(level: int) -> None:
    """The hidden cards are dealt anew before every decision, under the eyes of the same witnesses."""
    rng = Random(level)
    for seats in (2, 4, 7):
        chance = SeededChance(bytes([level]) * 32)
        step = rules.deal(seats, {"length": "short"}, chance)
        memories: list[Memory | None] = [None] * seats
        for ply in range(80):
            if step.state.winners:
                break
            now, seat = step.state, step.state.turn
            for number in range(seats):
                seen = [witness(event, Seat(number)) for event in step.events]
                other = [witness(CASE.otherwise(event, Seat(number), rng), Seat(number)) for event in step.events]
                before, memories[number] = memories[number], remember(memories[number], seen, Seat(number))
                assert remember(before, other, Seat(number)) == memories[number]
            action = decide(view(now, seat), seat, Random(ply), level, memories[seat])
            assert action is not None
            elsewhere = CASE.redealt(now, seat, rng)
            assert decide(view(elsewhere, seat), seat, Random(ply), level, memories[seat]) == action
            step = rules.apply(now, action, chance)


@pytest.mark.parametrize(
    ("length", "measured"), [("full", {2: 1.0, 3: 1.4, 4: 1.6, 8: 2.0}), ("short", {2: 1.6, 4: 2.5, 8: 2.6})]
)
def test_luck_decides_as_much_as_was_measured(length: str, measured: dict[int, float]) -> None:
    assert {seats: luck(seats, {"length": length}) for seats in measured} == pytest.approx(measured, abs=0.101)
