"""17, sentence by sentence: golden scenarios worked out by hand from the printed rules and the rulings.

Tests named after a ruling (d6 ...) follow docs/rulings.md; the others quote the printed rule in their name.
"""

import pytest

from engine.errors import General, IllegalAction, Reason
from engine.fair import SeededChance
from engine.game import Seat, Step
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import DECK, Card, Face, copies_in_deck
from engine.games.diciassette.errors import Refused
from engine.games.diciassette.events import (
    Because,
    Called,
    CardsDrawn,
    CardTrashed,
    GameEnded,
    PenaltiesDiscarded,
    PileShuffled,
    Revealed,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.state import State
from engine.registry import GAMES
from tests.games.diciassette import DOWN, UP, card, cards, queue, state

FAIR = SeededChance(bytes(32))
GAME = GAMES["diciassette"]


def lay(before: State, what: str, face: Face = UP, seat: int | None = None) -> Step:
    return GAME.apply(before, Play(Seat(before.turn if seat is None else seat), card(what), face), FAIR)


def call(before: State, *seats: int) -> Step:
    return GAME.apply(before, Call(tuple(Seat(seat) for seat in seats)), FAIR)


def refused(before: State, action: Play | Call) -> Reason:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(before, action, FAIR)
    return caught.value.reason


def tokens(step: Step) -> list[tuple[int, str, str]]:
    """(seat, token, why) of every token given, in order."""
    return [(e.seat, e.token.value, e.because.value) for e in step.events if isinstance(e, TokenGiven)]


# Components and setup


def test_seventy_cards_15_one_sided_35_two_sided_20_special_d1() -> None:
    assert len(DECK) == 70
    one_sided = [c for c in DECK if c.number and not c.open_back]
    two_sided = [c for c in DECK if c.open_back]
    special = [c for c in DECK if not c.number]
    assert (len(one_sided), len(two_sided), len(special)) == (15, 35, 20)
    assert {copies_in_deck(c) for c in one_sided} == {3}
    assert {copies_in_deck(c) for c in two_sided} == {7}
    assert {copies_in_deck(c) for c in special} == {5}


@pytest.mark.parametrize("seats", range(2, 7))
def test_deal_three_cards_to_each_player_the_rest_is_the_draw_pile(seats: int) -> None:
    start = GAME.new(seats, {}, FAIR).state
    assert [len(hand) for hand in start.hands] == [3] * seats
    assert len(start.draw) == 70 - 3 * seats
    assert sorted(c.value for hand in start.hands for c in hand) + sorted(c.value for c in start.draw) != []
    everything = [c for hand in start.hands for c in hand] + list(start.draw)
    assert sorted(everything, key=lambda c: c.index) == sorted(DECK, key=lambda c: c.index)
    assert start.victory == start.penalty == (0,) * seats


def test_every_seat_can_draw_the_victory_token_from_the_bag_d4() -> None:
    starters = [GAME.new(3, {}, SeededChance(bytes([n]) * 32)).state.starter for n in range(60)]
    assert {starters.count(seat) > 8 for seat in range(3)} == {True}


def test_no_token_supply_limit_d3() -> None:
    """Six players may hold twelve victory tokens at once, and a token is still given."""
    before = state(["1"] * 6, turn=1, last=0, lies="0:5", victory=[2] * 6, penalty=[1] * 6)
    assert sum(call(before, 1).state.victory) >= 12


# Playing a card


def test_play_goes_clockwise() -> None:
    step = lay(state(["1 2 3", "4 5 1", "2 3 4"]), "1")
    assert step.state.turn == 1


def test_a_card_is_added_to_the_right_side_of_the_queue_face_up_or_down() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:2")
    assert lay(before, "5", UP).state.queue == queue("0:2 1:5")
    assert lay(before, "5", DOWN).state.queue == queue("0:2 1:5?")


def test_after_playing_a_card_a_new_one_is_drawn_d6() -> None:
    before = state(["1 2 3", "4 5 1"], draw="X 3= 2")
    step = lay(before, "2")
    assert step.state.hands[0] == cards("1 3 X")
    assert step.state.draw == cards("3= 2")
    assert CardsDrawn(Seat(0), (Card.X2,)) in step.events


def test_all_cards_are_played_this_way_specials_too() -> None:
    for special in ("R", "X", "P"):
        assert lay(state([f"{special} 1 2", "3 4 5"]), special, DOWN).state.queue == queue(f"0:{special}?")


def test_only_the_player_on_turn_plays() -> None:
    assert refused(state(["1 2 3", "4 5 1"]), Play(Seat(1), Card.FOUR, UP)) is General.NOT_YOUR_TURN


def test_only_a_card_of_the_own_hand_is_played() -> None:
    assert refused(state(["1 2 3", "4 5 1"]), Play(Seat(0), Card.FOUR, UP)) is General.NOT_IN_HAND


# Drawing


def test_an_empty_draw_pile_is_replaced_by_the_shuffled_discard_pile_d7() -> None:
    before = state(["1 2 3", "4 5 1"], draw="", discard="X 5= 2")
    step = lay(before, "1")
    shuffled = next(e for e in step.events if isinstance(e, PileShuffled))
    assert shuffled.order == FAIR.shuffle(1, cards("X 5= 2"))
    assert step.state.hands[0] == (*cards("2 3"), shuffled.order[0])
    assert step.state.draw == shuffled.order[1:]
    assert step.state.discard == ()


def test_every_shuffle_of_a_game_is_another_one_d7() -> None:
    many = "1 2 3 4 5 R T X P"
    once = lay(state(["1 2 3", "4 5 1"], draw="", discard=many), "1").state
    again = lay(once._replace(draw=(), discard=cards(many)), "4")
    shuffled = next(e for e in again.events if isinstance(e, PileShuffled))
    assert shuffled.order == FAIR.shuffle(2, cards(many)) != FAIR.shuffle(1, cards(many))
    assert again.state.shuffles == 3


def test_with_too_few_cards_left_all_of_them_are_drawn_d7() -> None:
    before = state(["1 2 3", "4 5 1"], draw="R", discard="", owed=1, duty=2, last=0)
    step = lay(before, "1")
    assert (step.state.hands[0], step.state.draw) == (cards("2 3 R"), ())


def test_the_queue_is_never_shuffled_in_and_an_impossible_draw_is_skipped_d7() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:2 0:3=", draw="")
    step = lay(before, "4")
    assert step.state.hands[1] == cards("5 1")
    assert step.state.queue == queue("0:2 0:3= 1:4")


def test_two_draws_may_take_the_last_card_then_shuffle_d7() -> None:
    before = state(["1 2 3", "4 5 1"], draw="R", discard="2=", owed=1, duty=2, last=0)
    step = lay(before, "1")
    assert step.state.hands[0] == cards("2 3 R 2=")


def test_owing_two_and_holding_one_plays_one_then_draws_two_d7() -> None:
    before = state(["1", "4 5 1"], owed=2, last=1, lies="1:X", draw="R 2= 5")
    step = lay(before, "1")
    assert step.state.turn == 1
    assert step.state.hands[0] == cards("R 2=")


# Reverse, x2


def test_reverse_face_up_turns_the_order_around() -> None:
    step = lay(state(["R 1 2", "3 4 5", "1 2 3"]), "R")
    assert (step.state.direction, step.state.turn) == (-1, 2)


def test_the_first_card_of_a_round_may_be_a_reverse_d5() -> None:
    """The German rules say so: then play begins counter-clockwise."""
    assert lay(state(["R 1 2", "3 4 5", "1 2 3"]), "R").state.turn == 2


def test_a_second_reverse_turns_it_back_d5() -> None:
    before = state(["R 1 2", "3 4 5", "1 2 3"], direction=-1, last=1, lies="1:R")
    assert (lay(before, "R").state.direction, lay(before, "R").state.turn) == (1, 1)


def test_with_two_players_a_reverse_changes_nobodys_turn_d5() -> None:
    step = lay(state(["R 1 2", "3 4 5"]), "R")
    assert (step.state.direction, step.state.turn) == (-1, 1)


def test_reverse_face_down_does_nothing_d12() -> None:
    step = lay(state(["R 1 2", "3 4 5", "1 2 3"]), "R", DOWN)
    assert (step.state.direction, step.state.turn) == (1, 1)


def test_x2_face_up_makes_the_next_player_play_two_then_draw_two_d6() -> None:
    before = lay(state(["X 1 2", "3 4 5", "1 2 3"]), "X").state
    assert (before.turn, before.owed) == (1, 2)
    first = lay(before, "3")
    assert (first.state.turn, first.state.owed) == (1, 1)
    assert not any(isinstance(e, CardsDrawn) for e in first.events)
    second = lay(first.state, "4", DOWN)
    assert (second.state.turn, second.state.owed) == (2, 1)
    assert len(second.state.hands[1]) == 3
    assert second.state.queue == queue("0:X 1:3 1:4?")


def test_x2_face_down_does_nothing_d12() -> None:
    assert lay(state(["X 1 2", "3 4 5"]), "X", DOWN).state.owed == 1


def test_two_x2_in_one_turn_do_not_stack_d6() -> None:
    before = state(["X X 2", "3 4 5"], owed=2, last=1, lies="1:X")
    after = lay(lay(before, "X").state, "X").state
    assert (after.turn, after.owed) == (1, 2)


def test_an_x2_as_first_of_two_cards_still_counts_for_the_next_player_d6() -> None:
    before = state(["X 1 2", "3 4 5"], owed=2, last=1, lies="1:X")
    assert lay(lay(before, "X").state, "1").state.owed == 2


def test_the_next_player_is_found_in_the_direction_at_the_end_of_the_turn_d6() -> None:
    before = state(["R 1 2", "3 4 5", "1 2 3"], owed=2, last=2, lies="2:X")
    assert lay(lay(before, "R").state, "1").state.turn == 2


def test_a_pending_x2_ends_with_the_round_d6() -> None:
    before = state(["1 2 3", "3 4 5"], turn=1, last=0, lies="0:X", owed=2)
    assert call(before, 1).state.owed == 1


# Trash


def test_trash_discards_the_last_card_and_itself_d11() -> None:
    before = state(["T 1 2", "3 4 5"], last=1, lies="1:4 1:5=")
    step = lay(before, "T")
    assert step.state.queue == queue("1:4")
    assert step.state.discard == cards("5= T")
    assert CardTrashed(Seat(1), Card.FIVE_OPEN, UP) in step.events


def test_a_face_down_card_is_trashed_face_down_d11() -> None:
    before = state(["T 1 2", "3 4 5"], last=1, lies="1:4?")
    assert CardTrashed(Seat(1), Card.FOUR, DOWN) in lay(before, "T").events


def test_trash_on_an_empty_queue_discards_only_itself_d11() -> None:
    step = lay(state(["T 1 2", "3 4 5"]), "T")
    assert (step.state.queue, step.state.discard) == ((), cards("T"))


def test_who_played_the_trash_played_the_most_recent_card_d11() -> None:
    step = lay(state(["T 1 2", "3 4 5"], last=1, lies="1:5"), "T")
    assert step.state.last == 0
    assert tokens(call(step.state, 1))[0] == (0, "victory", "wrong_call")


def test_trash_face_down_does_nothing_d12() -> None:
    step = lay(state(["T 1 2", "3 4 5"], last=1, lies="1:5"), "T", DOWN)
    assert step.state.queue == queue("1:5 0:T?")


def test_a_trashed_reverse_stays_reversed_d6() -> None:
    before = state(["1 2 3", "3 4 5", "T 1 2"], turn=2, direction=-1, last=0, lies="0:R")
    step = lay(before, "T")
    assert (step.state.direction, step.state.turn) == (-1, 1)


def test_a_trashed_x2_stays_pending_d6() -> None:
    before = state(["X T 2", "3 4 5"], owed=2, last=1, lies="1:X")
    assert lay(lay(before, "X").state, "T").state.owed == 2


# Calling


def test_17_cannot_be_called_before_the_first_card_of_the_round_d8() -> None:
    assert refused(state(["1 2 3", "4 5 1"]), Call((Seat(1),))) is General.NOTHING_TO_CALL


def test_17_cannot_be_called_after_the_own_turn_d8() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:5")
    assert refused(before, Call((Seat(0),))) is Refused.OWN_TURN_JUST_ENDED


def test_whose_turn_has_ended_cannot_call_together_with_everybody_else_d8() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:2")
    assert refused(before, Call((Seat(0), Seat(1)))) is Refused.OWN_TURN_JUST_ENDED


def test_only_who_sits_there_calls_and_each_once() -> None:
    before = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:2")
    for seats in ((3,), (-1,), (1, 3), (1, 1), ()):
        assert refused(before, Call(tuple(map(Seat, seats)))) is General.MALFORMED


def test_anybody_else_may_call_the_next_player_included_d8() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:5")
    for seat in (1, 2):
        assert Called(Seat(seat), Seat(0), ()) in call(before, seat).events


def test_17_cannot_be_called_in_the_middle_of_an_x2_turn_d8() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=1, lies="0:X 1:5", owed=1, duty=2)
    assert refused(before, Call((Seat(2),))) is Refused.MID_TURN


def test_the_nearest_in_turn_order_has_priority_d9() -> None:
    before = state(["1 2 3"] * 3 + ["4 5 1"], turn=2, last=1, lies="1:5")
    called = call(before, 0, 3).events[0]
    assert called == Called(Seat(3), Seat(1), (Seat(0),))


def test_priority_follows_the_current_direction_d9() -> None:
    before = state(["1 2 3"] * 3 + ["4 5 1"], turn=0, last=1, lies="1:R", direction=-1)
    assert call(before, 3, 0).events[0] == Called(Seat(0), Seat(1), (Seat(3),))


def test_the_other_callers_are_not_affected_d9() -> None:
    before = state(["1 2 3"] * 4, turn=2, last=1, lies="1:5")
    after = call(before, 0, 3).state
    assert (after.penalty[3], after.penalty[0], after.victory[0]) == (1, 0, 0)


def test_an_empty_hand_must_call_d10() -> None:
    before = state(["", "4 5 1", "1 2 3"], last=2, lies="2:5", draw="")
    assert GAME.legal_actions(before, Seat(0)) == (Call((Seat(0),)),)
    assert refused(before, Play(Seat(0), Card.ONE, UP)) is Refused.MUST_CALL


def test_others_may_call_while_an_empty_hand_is_on_turn_d10() -> None:
    before = state(["", "4 5 1", "1 2 3"], last=2, lies="2:5", draw="")
    assert Call((Seat(1),)) in GAME.legal_actions(before, Seat(1))


# The reveal


def test_all_face_down_cards_are_turned_and_added_up_d13() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5 1:4? 0:3= 1:5=? 0:P")
    revealed = next(e for e in call(before, 1).events if isinstance(e, Revealed))
    assert revealed.total == 17
    assert [(t.card, t.face) for t in revealed.queue][1] == (Card.FOUR, DOWN)


def test_specials_hold_a_value_of_0_d12() -> None:
    assert rules.queue_total(queue("0:R 0:T? 0:X 0:P 1:3")) == 3


def test_17_or_more_penalises_the_last_player_and_rewards_the_caller_d14() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:5 1:5 2:5 0:2")
    step = call(before, 2)
    assert tokens(step) == [(0, "penalty", "right_call"), (2, "victory", "right_call")]
    assert (step.state.penalty, step.state.victory) == ((1, 0, 0), (0, 0, 1))


def test_less_than_17_rewards_the_last_player_and_penalises_the_caller_d14() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:5 1:5 2:5 0:1")
    step = call(before, 2)
    assert tokens(step) == [(0, "victory", "wrong_call"), (2, "penalty", "wrong_call")]


def test_a_face_down_trap_rewards_its_player_and_penalises_the_caller_first_d14() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="2:P? 0:5 1:5 2:5 0:2")
    step = call(before, 1)
    assert tokens(step) == [
        (2, "victory", "trap"),
        (1, "penalty", "trap"),
        (0, "penalty", "right_call"),
        (1, "victory", "right_call"),
    ]


def test_traps_are_paid_left_to_right_d14() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3", "1 2 3"], turn=1, last=0, lies="3:P? 2:P? 0:1")
    step = call(before, 1)
    assert tokens(step)[:4] == [
        (3, "victory", "trap"),
        (1, "penalty", "trap"),
        (2, "victory", "trap"),
        (1, "penalty", "trap"),
    ]
    assert PenaltiesDiscarded(Seat(1), False) in step.events


def test_a_face_up_trap_does_nothing_d12() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="2:P 0:5")
    assert tokens(call(before, 1)) == [(0, "victory", "wrong_call"), (1, "penalty", "wrong_call")]


def test_nobody_gets_two_victory_tokens_in_a_round_d15() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:P? 1:5 0:1")
    step = call(before, 1)
    assert step.state.victory == (1, 0)
    assert TokenWithheld(Seat(0), Because.WRONG_CALL) in step.events


def test_a_trap_bars_the_token_for_a_right_call_d15() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="1:P? 0:5 1:5 0:5 1:5=")
    step = call(before._replace(last=Seat(0)), 1)
    assert step.state.victory == (0, 1)
    assert TokenWithheld(Seat(1), Because.RIGHT_CALL) in step.events


def test_a_victory_token_lost_again_still_bars_the_next_d15() -> None:
    """Seat 1 gets one for a trap, loses it to a second penalty, calls rightly: no second token."""
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="1:P? 0:5 1:5 0:5 1:5=", penalty=[0, 1])
    step = call(before, 1)
    assert step.state.victory == (0, 0)
    assert PenaltiesDiscarded(Seat(1), True) in step.events


def test_a_second_penalty_token_costs_both_and_a_victory_token_d16() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5", victory=[0, 2], penalty=[0, 1])
    after = call(before, 1).state
    assert (after.victory[1], after.penalty[1]) == (1, 0)


def test_a_second_penalty_token_without_a_victory_token_costs_only_both_d16() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5", penalty=[0, 1])
    after = call(before, 1).state
    assert (after.victory[1], after.penalty[1]) == (0, 0)


# The end


def test_three_victory_tokens_end_the_game_d17() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5", victory=[2, 0])
    step = call(before, 1)
    assert step.state.winners == (0,)
    assert step.events[-1] == GameEnded((Seat(0),))
    assert step.state.queue == before.queue
    assert GAME.legal_actions(step.state, Seat(0)) == ()
    assert refused(step.state, Call((Seat(1),))) is General.GAME_OVER


def test_penalties_are_applied_before_counting_d17() -> None:
    """The caller's trap makes three, the penalty for it takes one away: no end."""
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="1:P? 0:5", victory=[0, 2], penalty=[0, 1])
    assert call(before, 1).state.winners == ()


def test_a_tie_goes_to_the_fewest_penalty_tokens_d17() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="2:P? 0:5", victory=[2, 0, 2], penalty=[0, 0, 1])
    assert call(before, 1).state.winners == (0,)


def test_a_full_tie_makes_joint_winners_d17() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="2:P? 0:5", victory=[2, 0, 2])
    assert call(before, 1).state.winners == (0, 2)


def test_the_queue_is_discarded_and_hands_are_kept_d18() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5? 1:R", discard="T")
    after = call(before, 1).state
    assert after.queue == ()
    assert after.discard == cards("T 5 R")
    assert after.hands == before.hands
    assert (after.round, after.direction, after.last) == (2, 1, None)


def test_the_caller_starts_after_a_right_call_d18() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:5 1:5 2:5 0:2")
    assert call(before, 2).state.starter == 2


def test_the_last_player_starts_after_a_wrong_call_d18() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:5")
    assert call(before, 2).state.turn == 0


def test_the_winner_of_the_call_starts_even_without_a_token_d18() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=1, last=0, lies="0:P? 0:5")
    assert call(before, 1).state.starter == 0


def test_a_new_round_goes_clockwise_again_d5() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=2, last=0, lies="0:R", direction=-1)
    assert call(before, 1).state.direction == 1


def test_short_hands_are_refilled_clockwise_from_the_starter_d18a() -> None:
    before = state(["1", "4 5 1", "2"], turn=1, last=0, lies="0:5", draw="R T X P")
    after = call(before, 1).state
    assert after.starter == 0
    assert after.hands == (cards("1 R T"), cards("4 5 1"), cards("2 X P"))


def test_the_refill_goes_from_seat_to_seat_and_each_draw_is_told_d18a() -> None:
    before = state(["1 2", "4 5", "2 3"], turn=2, last=1, lies="1:5", draw="R T X", discard="1")
    step = call(before, 2)
    assert step.state.hands == (cards("1 2 X"), cards("4 5 R"), cards("2 3 T"))
    drawn = [e for e in step.events if isinstance(e, CardsDrawn)]
    assert drawn == [(Seat(1), cards("R")), (Seat(2), cards("T")), (Seat(0), cards("X"))]


def test_the_last_card_of_the_draw_pile_is_drawn_before_anything_is_shuffled_d7() -> None:
    before = state(["1 2", "4 5 1"], turn=1, last=0, lies="0:5", draw="R", discard="1")
    step = call(before, 1)
    assert (step.state.draw, step.state.discard) == ((), cards("1 5"))


def test_the_refill_shuffles_the_discarded_queue_in_d18a() -> None:
    before = state(["1", "4 5 1"], turn=1, last=0, lies="0:5", draw="R")
    step = call(before, 1)
    assert step.state.hands[0] == cards("1 R 5")
    assert [e.order for e in step.events if isinstance(e, PileShuffled)] == [cards("5")]


def test_the_events_of_a_reveal_tell_the_whole_story_in_order_d14() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5", penalty=[0, 1])
    kinds = [type(e).__name__ for e in call(before, 1).events]
    assert kinds == ["Called", "Revealed", "TokenGiven", "TokenGiven", "PenaltiesDiscarded", "RoundStarted"]


def test_who_called_gets_the_penalty_token_d14() -> None:
    before = state(["1 2 3", "4 5 1"], turn=1, last=0, lies="0:5")
    assert TokenGiven(Seat(1), Token.PENALTY, Because.WRONG_CALL) in call(before, 1).events
