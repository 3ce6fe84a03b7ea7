"""12 Days of Christmas, sentence by sentence: golden scenarios worked out by hand from the printed rules and the
rulings. Tests named after a ruling (t6 ...) follow docs/rulings.md; the others quote the printed rule in their name.
"""

from collections import Counter

import pytest

from engine.errors import General, IllegalAction, Reason
from engine.fair import SeededChance
from engine.game import Seat, Step
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import DECK
from engine.games.twelve_days.combinations import Kind, combination_kind, playable_combinations
from engine.games.twelve_days.errors import Refused
from engine.games.twelve_days.events import (
    DeckShuffled,
    GameEnded,
    GiftClaimed,
    GiftGiven,
    HandDealt,
    HandWon,
    NoGiftToGive,
    Passed,
    Played,
    TakenBack,
    TrickWon,
)
from engine.games.twelve_days.state import State
from engine.registry import GAMES
from tests.games.twelve_days import cards, state, trick

FAIR = SeededChance(bytes(32))
GAME = GAMES["twelve_days"]


def lay(before: State, what: str, seat: int | None = None) -> Step[State, object]:
    return GAME.apply(before, Play(Seat(before.turn if seat is None else seat), cards(what)), FAIR)


def passes(before: State) -> Step[State, object]:
    return GAME.apply(before, Pass(before.turn), FAIR)


def run(before: State, *moves: str) -> Step[State, object]:
    """The moves one after the other, "-" being a pass; the last step, with the events of all."""
    events: list[object] = []
    for move in moves:
        step = passes(before) if move == "-" else lay(before, move)
        before = step.state
        events += step.events
    return Step(before, tuple(events))


def refused(before: State, action: Action) -> Reason:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(before, action, FAIR)
    return caught.value.reason


def kinds(step: Step[State, object], kind: type) -> list[object]:
    return [event for event in step.events if isinstance(event, kind)]


# Components and setup


def test_78_cards_one_1_two_2s_and_so_on_to_twelve_12s_t1() -> None:
    assert len(DECK) == 78
    assert Counter(DECK) == {rank: rank for rank in range(1, 13)}


@pytest.mark.parametrize(("seats", "size"), [(2, 12), (3, 12), (4, 12), (5, 12), (6, 12), (7, 11), (8, 9)])
def test_everybody_gets_12_cards_11_with_seven_players_9_with_eight_t2(seats: int, size: int) -> None:
    now = GAME.new(seats, {}, FAIR).state
    assert {len(hand) for hand in now.hands} == {size}
    assert len(now.aside) == 78 - seats * size
    assert Counter([*now.aside, *(card for hand in now.hands for card in hand)]) == Counter(DECK)


def test_the_deal_follows_from_the_shuffled_deck_block_by_block_t2() -> None:
    deck = FAIR.shuffle(0, DECK)
    now = GAME.new(3, {}, FAIR).state
    assert now.hands == tuple(tuple(sorted(deck[12 * seat : 12 * seat + 12])) for seat in range(3))


def test_the_players_sort_their_cards() -> None:
    assert all(hand == tuple(sorted(hand)) for hand in GAME.new(8, {}, FAIR).state.hands)


def test_the_full_game_has_twelve_hands_and_nobody_starts_with_a_gift_t3() -> None:
    now = GAME.new(4, {"length": "full"}, FAIR).state
    assert (now.hand_number, now.hands_total, now.gifts, now.supply) == (1, 12, (0, 0, 0, 0), 12)


def test_in_the_short_game_everybody_starts_with_a_gift_of_the_twelve_and_plays_three_hands_t3() -> None:
    now = GAME.new(8, {"length": "short"}, FAIR).state
    assert (now.hand_number, now.hands_total, now.gifts, now.supply) == (1, 3, (1,) * 8, 4)


def test_the_seat_left_of_a_dealer_drawn_at_random_leads_first_t4() -> None:
    leaders = set()
    for number in range(60):
        chance = SeededChance(number.to_bytes(32, "big"))
        now = GAME.new(5, {}, chance).state
        assert now.leader == now.turn == (chance.pick("dealer", 5) + 1) % 5
        leaders.add(now.leader)
    assert leaders == {0, 1, 2, 3, 4}


# Combinations


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("10", Kind.SINGLETON),
        ("8 8 8 8", Kind.SET),
        ("2 2", Kind.SET),
        ("6 5 4 3 2", Kind.STRAIGHT),
        ("1 2", Kind.STRAIGHT),
        ("11 12", Kind.STRAIGHT),
        ("12 1", None),
        ("11 12 1", None),
        ("2 4", None),
        ("2 2 3", None),
        ("2 3 4 4", None),
        ("3 3 4 4", None),
        ("", None),
    ],
)
def test_a_singleton_a_set_or_a_straight_without_wrap_t5(what: str, kind: Kind | None) -> None:
    assert combination_kind(cards(what)) is kind
    before = state([what or "7", "9 9"])
    if kind:
        assert lay(before, what).state.trick == (Play(Seat(0), cards(what)),)
    else:
        assert refused(before, Play(Seat(0), cards(what))) is Refused.NO_COMBINATION


def test_everything_that_may_be_led_t5() -> None:
    assert playable_combinations(cards("2 3 3 3 4 9")) == (
        (3, 3, 3), (3, 3),
        (2, 3, 4), (2, 3), (3, 4),
        (2,), (3,), (4,), (9,),
    )  # fmt: skip


# Following the lead


def test_the_leader_must_play_t6() -> None:
    before = state(["3 3", "4"])
    assert refused(before, Pass(Seat(0))) is Refused.LEADER_PASSES
    assert Pass(Seat(0)) not in GAME.legal_actions(before, Seat(0))


def test_once_around_clockwise_each_other_player_plays_or_passes_t6() -> None:
    before = state(["9 9", "8 10", "3 10", "7 10"], leader=2)
    step = run(before, "10", "7", "9")
    assert step.state.turn == 1
    assert kinds(step, TrickWon) == []
    step = run(before, "10", "7", "-", "10")
    assert step.events[-1] == TrickWon(Seat(3), trick("2:10, 3:7, 0:-, 1:10"))


def test_nobody_acts_twice_in_a_trick_t6() -> None:
    before = state(["9 9", "8 10", "3 10"])
    step = run(before, "9", "8", "-")
    assert step.state.trick == ()
    assert step.state.turn == 1


@pytest.mark.parametrize(
    ("lead", "answer", "reason"),
    [
        ("8 8", "7 6", Refused.OTHER_TYPE),
        ("8 8", "5", Refused.OTHER_TYPE),
        ("8 9", "6 6", Refused.OTHER_TYPE),
        ("8 9", "5", Refused.OTHER_TYPE),
        ("8", "6 6", Refused.OTHER_TYPE),
        ("8", "6 7", Refused.OTHER_TYPE),
        ("8 8", "9 9", Refused.NOT_LOW_ENOUGH),
        ("8 9", "9 10 11", Refused.NOT_LOW_ENOUGH),
        ("8", "9", Refused.NOT_LOW_ENOUGH),
    ],
)
def test_an_answer_is_of_the_leads_type_and_as_low_as_its_low_card_t6(lead: str, answer: str, reason: Refused) -> None:
    before = lay(state([f"{lead} 12", "5 6 6 7 9 9 10 11"]), lead).state
    assert refused(before, Play(Seat(1), cards(answer))) is reason
    assert Play(Seat(1), cards(answer)) not in GAME.legal_actions(before, Seat(1))


@pytest.mark.parametrize(
    ("lead", "answer"),
    [
        ("8 8", "8 8"),
        ("8 8", "7 7 7"),
        ("8 8 8 8", "7 7"),
        ("8 9 10", "8 9"),
        ("8 9", "7 8 9 10 11"),
        ("8 9", "5 6"),
        ("8", "8"),
        ("8", "5"),
    ],
)
def test_sets_and_straights_may_be_longer_or_shorter_than_the_lead_t6(lead: str, answer: str) -> None:
    before = lay(state([f"{lead} 12", "5 6 7 7 7 8 8 9 10 11"]), lead).state
    assert Play(Seat(1), cards(answer)) in GAME.legal_actions(before, Seat(1))
    lay(before, answer)


def test_what_counts_is_the_leads_low_card_not_the_lowest_so_far_t6() -> None:
    before = run(state(["10 12", "3 12", "9 12"]), "10", "3").state
    assert lay(before, "9").events[1] == TrickWon(Seat(1), trick("0:10, 1:3, 2:9"))


def test_one_may_always_pass_t6() -> None:
    before = lay(state(["9 9 12", "3 3"]), "9 9").state
    step = passes(before)
    assert step.events[0] == Passed(Seat(1))
    assert step.state.hands[1] == cards("3 3")


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    assert refused(state(["3 3", "4"]), Play(Seat(0), cards("3 3 3"))) is General.NOT_IN_HAND
    assert refused(state(["3 3", "4"]), Play(Seat(0), cards("4"))) is General.NOT_IN_HAND


def test_out_of_turn_is_refused() -> None:
    before = state(["3 3", "4"])
    assert refused(before, Play(Seat(1), cards("4"))) is General.NOT_YOUR_TURN
    assert refused(before, Pass(Seat(1))) is General.NOT_YOUR_TURN
    assert GAME.legal_actions(before, Seat(1)) == ()


# Who wins the trick


def test_the_lowest_card_wins_and_its_player_leads_next_t7() -> None:
    step = run(state(["10 12", "9 12", "5 12", "7 12"]), "10", "9", "5", "7")
    assert step.events[-1] == TrickWon(Seat(2), trick("0:10, 1:9, 2:5, 3:7"))
    assert (step.state.leader, step.state.turn) == (2, 2)


def test_tied_for_the_lowest_card_who_played_it_last_wins_t7() -> None:
    assert run(state(["8 12", "5 12", "5 12"]), "8", "5", "5").state.leader == 2
    assert run(state(["5 5 12", "5 5 5 12", "12 12"]), "5 5", "5 5 5", "-").state.leader == 1


def test_only_the_lowest_card_of_a_straight_counts_t7() -> None:
    assert run(state(["3 4 5 6 12", "2 3 12"]), "3 4 5 6", "2 3").state.leader == 1
    assert run(state(["2 3 12", "2 3 4 5 12"]), "2 3", "2 3 4 5").state.leader == 1


def test_the_leader_wins_when_everybody_passes_t7() -> None:
    step = run(state(["12 12", "1 2", "1 1"]), "12", "-", "-")
    assert step.state.leader == 0
    assert step.state.hands == ((12,), (1, 2), (1, 1))


def test_all_cards_played_leave_the_hand_t7() -> None:
    step = run(state(["8 8 12", "7 7 7 9"]), "8 8", "7 7 7")
    assert step.state.hands == ((12,), (9,))
    assert step.state.gone == cards("7 7 7 8 8")


def test_the_printed_example_of_alvin_betty_carl_and_daniella_t6_t7() -> None:
    """Alvin leads four 11s; Betty plays two 8s; Carl's three 12s are not low enough; Daniella does not want to break
    up her straight to play her two 3s. Betty's 8s were the lowest: she leads next."""
    alvin, betty, carl, daniella = map(Seat, range(4))
    before = state(["5 11 11 11 11", "8 8 9", "10 12 12 12", "2 3 3 4 5"], leader=alvin)
    now = lay(before, "11 11 11 11").state
    now = lay(now, "8 8").state
    assert refused(now, Play(carl, cards("12 12 12"))) is Refused.NOT_LOW_ENOUGH
    assert GAME.legal_actions(now, carl) == (Pass(carl),)
    now = passes(now).state
    assert Play(daniella, cards("3 3")) in GAME.legal_actions(now, daniella)
    step = passes(now)
    assert step.events[-1] == TrickWon(betty, trick("0:11 11 11 11, 1:8 8, 2:-, 3:-"))
    assert (step.state.leader, step.state.turn) == (betty, betty)


# The last cards


def test_last_cards_that_do_not_win_the_trick_are_taken_back_t8() -> None:
    step = run(state(["9 9 12", "8 8", "4 4 12"]), "9 9", "8 8", "4 4")
    assert TakenBack(Seat(1), (8, 8)) in step.events
    assert step.state.hands == ((12,), (8, 8), (12,))
    assert step.state.gone == cards("4 4 9 9")


def test_the_leaders_last_cards_are_taken_back_too_t8() -> None:
    step = run(state(["9", "8 12"]), "9", "8")
    assert step.state.hands == ((9,), (12,))
    assert step.state.hand_number == 1


def test_only_exactly_the_last_cards_are_taken_back_t8() -> None:
    step = run(state(["9 10 11", "8 9", "7 8 12"]), "9 10", "8 9", "7 8")
    assert kinds(step, TakenBack) == [TakenBack(Seat(1), (8, 9))]
    assert step.state.hands == ((11,), (8, 9), (12,))


def test_two_out_of_cards_in_one_trick_one_wins_the_other_takes_back_t8_t9() -> None:
    step = run(state(["9", "8", "10 12"]), "9", "8", "-")
    assert TakenBack(Seat(0), (9,)) in step.events
    assert HandWon(1, Seat(1), (1, 0, 2)) in step.events


# The end of a hand


def test_the_hand_ends_when_the_trick_winner_has_no_cards_and_claims_a_gift_t9() -> None:
    step = run(state(["4", "5 6"]), "4", "-")
    assert step.events[:4] == (
        Played(Seat(0), (4,), True),
        Passed(Seat(1)),
        TrickWon(Seat(0), trick("0:4, 1:-")),
        HandWon(1, Seat(0), (0, 2)),
    )
    assert GiftClaimed(Seat(0), 11) in step.events
    assert (step.state.gifts, step.state.supply) == ((1, 0), 11)


def test_who_holds_the_most_unplayed_cards_gives_the_winner_a_gift_t9() -> None:
    step = run(state(["4", "5 6", "7 8 9"], gifts=(0, 2, 3), supply=7), "4", "-", "-")
    assert kinds(step, GiftGiven) == [GiftGiven(Seat(2), Seat(0))]
    assert step.state.gifts == (2, 2, 2)


def test_whoever_holds_the_most_but_has_no_gift_gives_none_t9() -> None:
    step = run(state(["4", "5 6", "7 8 9"], gifts=(0, 2, 0), supply=10), "4", "-", "-")
    assert kinds(step, GiftGiven) == []
    assert NoGiftToGive(Seat(2)) in step.events
    assert step.state.gifts == (1, 2, 0)


def test_all_who_are_tied_for_the_most_give_one_t9() -> None:
    step = run(state(["4", "5 6", "7 8", "9"], gifts=(0, 1, 3, 2), supply=6), "4", "-", "-", "-")
    assert kinds(step, GiftGiven) == [GiftGiven(Seat(1), Seat(0)), GiftGiven(Seat(2), Seat(0))]
    assert step.state.gifts == (3, 0, 2, 2)


def test_cards_taken_back_count_as_unplayed_t8_t9() -> None:
    step = run(state(["4 4", "5 6", "3 3"], gifts=(1, 1, 0), supply=10), "4 4", "-", "3 3")
    assert TakenBack(Seat(0), (4, 4)) in step.events
    assert kinds(step, GiftGiven) == [GiftGiven(Seat(0), Seat(2)), GiftGiven(Seat(1), Seat(2))]
    assert step.state.gifts == (0, 0, 3)


def test_the_winner_leads_the_next_hand_dealt_from_the_whole_deck_t2_t4() -> None:
    before = state(["4", "5 6", "7"], leader=0)
    step = run(before, "4", "-", "-")
    deck = FAIR.shuffle(1, DECK)
    assert DeckShuffled(deck) in step.events
    assert step.events[-1] == HandDealt(2, 12, Seat(0))
    now = step.state
    assert (now.hand_number, now.leader, now.turn, now.trick, now.gone) == (2, 0, 0, (), ())
    assert now.hands[2] == tuple(sorted(deck[24:36]))


def test_every_hand_of_a_game_is_dealt_from_another_shuffle_t2() -> None:
    """The shuffles of a game are counted from 0, one a hand (docs/fairness.md)."""
    first = GAME.new(3, {}, FAIR).state
    assert first.shuffles == 1
    before = state(["4", "5 6", "7"])._replace(hand_number=5, shuffles=5)
    step = run(before, "4", "-", "-")
    assert DeckShuffled(FAIR.shuffle(5, DECK)) in step.events
    assert step.state.shuffles == 6


# The end of the game


def test_the_game_ends_after_the_last_hand_t10() -> None:
    step = run(state(["4", "5 6"], hand=12, gifts=(3, 8), supply=1), "4", "-")
    assert kinds(step, HandDealt) == []
    assert step.events[-1] == GameEnded((Seat(1),))
    assert (step.state.gifts, step.state.supply, step.state.winners) == ((5, 7), 0, (1,))
    assert GAME.on_turn(step.state) is None
    assert refused(step.state, Pass(Seat(1))) is General.GAME_OVER


def test_most_gifts_win_and_a_tie_is_won_together_t10() -> None:
    step = run(state(["4", "5 6", "7"], hand=12, gifts=(3, 6, 5), supply=1), "4", "-", "-")
    assert step.state.gifts == (5, 5, 5)
    assert step.state.winners == (0, 1, 2)
    assert [(s.seat, s.place, s.score) for s in GAME.standings(step.state)] == [
        (0, 1, (5, 0)), (1, 1, (5, 0)), (2, 1, (5, 0)),
    ]  # fmt: skip


def test_the_short_game_ends_after_the_third_hand_although_gifts_are_left_t3() -> None:
    step = run(state(["4", "5 6"], hand=3, hands_total=3, gifts=(2, 2), supply=8), "4", "-")
    assert step.state.winners == (0,)
    assert (step.state.gifts, step.state.supply) == ((4, 1), 7)


def test_places_of_the_final_standings() -> None:
    step = run(state(["4", "5 6", "7", "8"], hand=12, gifts=(3, 1, 2, 5), supply=1), "4", "-", "-", "-")
    assert step.state.gifts == (5, 0, 2, 5)
    assert [(s.seat, s.place) for s in GAME.standings(step.state)] == [(0, 1), (3, 1), (2, 3), (1, 4)]


# Leaving out nothing: unsorted cards are the same play


def test_the_order_in_which_cards_are_named_does_not_matter() -> None:
    before = state(["2 3 4 9", "5"])
    assert GAME.apply(before, Play(Seat(0), (4, 2, 3)), FAIR).state.trick == (Play(Seat(0), (2, 3, 4)),)
