"""What the coach of 12 Days of Christmas says: how a game stands, what each choice is worth, what is
certain."""

from random import Random
from typing import Any

import pytest

from engine.coaching import coach_game
from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.certain import (
    LowestCards,
    apply_certain_actions,
    can_keep_lead,
    certain_hand_winner,
    hand_winning_play,
)
from engine.games.twelve_days.coach import chances, chances_before_deal, rated_actions
from engine.games.twelve_days.computers import decide
from engine.games.twelve_days.events import TakenBack
from engine.games.twelve_days.forced import forced_hand_winner
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.memory import Memory, remember
from engine.games.twelve_days.prospects import (
    chances_by_single_giver,
    gifts_after_hand,
    hand_prospect,
    win_chances_from_gifts,
)
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import actions, view
from engine.registry import GAMES
from engine.replay import Moment, SeatOccupant
from tests.games.twelve_days import CASE, state


def near(*expected: float) -> Any:
    """Chances, of which 0 and 1 are such that only an error can change."""
    return pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_chances_add_up_to_one_and_are_exact_at_the_end_t10(seats: int) -> None:
    chance, rng = SeededChance(bytes([seats]) * 32), Random(seats)
    now = rules.deal(seats, {"length": "short"}, chance).state
    while not now.winners:
        found = chances(now)
        assert sum(found) == pytest.approx(1)
        assert min(found) >= 0
        action = decide(view(now, now.turn), now.turn, rng)
        assert action is not None
        now = rules.apply(now, action, chance).state
    assert chances(now) == tuple(1 / len(now.winners) if seat in now.winners else 0 for seat in range(seats))


def test_who_is_about_to_go_out_in_the_last_hand_wins() -> None:
    before = state(["1", "5 6 9 9"], hand=12, gifts=(3, 3), supply=1)
    assert chances(before)[0] > 0.9
    behind = state(["1", "5 6 9 9"], hand=12, gifts=(1, 5), supply=1)
    assert chances(behind)[0] < 0.1


def test_more_gifts_are_better_and_with_fewer_hands_to_go_more_so() -> None:
    early, late = win_chances_from_gifts((4, 2, 2), Seat(0), 8), win_chances_from_gifts((4, 2, 2), Seat(0), 1)
    assert win_chances_from_gifts((2, 2, 2), Seat(0), 8)[0] < early[0] < late[0]
    assert win_chances_from_gifts((4, 2, 4), Seat(0), 0) == (0.5, 0, 0.5)


def test_only_who_has_a_gift_gives_one_t9() -> None:
    assert gifts_after_hand((0, 1, 2), 2, (0, 1)) == (0, 0, 4)
    after = chances_by_single_giver((5, 0, 0), 0)
    assert after[1, 2].tolist() == [1, 0, 0]
    assert chances_by_single_giver((2, 0, 0), 0)[1, 0].tolist() == [0, 1, 0]


def test_who_can_win_only_if_several_give_has_a_chance_t9() -> None:
    """With one gift of one of the others seat 2 has 3, and the third player still 4; with one of each it has 4, and
    they 3."""
    before = state(["5 9 10", "6 9 11", "3 7 7"], hand=12, gifts=(4, 4, 1), supply=1, leader=2)
    assert chances(before)[2] > 0.05
    assert rated_actions(view(before, Seat(2)), Seat(2), None)[0].chance > 0.05
    assert chances(before._replace(gifts=(6, 4, 1)))[2] == 0


def test_only_with_ones_last_cards_one_wins_by_the_cards_that_the_others_hold_now_t9() -> None:
    """As both hold six now, both would give a gift; with one from either alone seat 0 wins nothing in the last hand."""
    gifts, others = (1, 4, 4), ("6 7 9 9 11 12", "5 7 7 8 10 12")
    usual = hand_prospect(gifts, 0, Seat(0)).won
    assert 0 < usual < 0.5
    for hand in ("2 3", "3 3 4"):
        seen = view(state([hand, *others], hand=3, hands_total=3, gifts=gifts), Seat(0))
        said = {it.action: it.chance for it in rated_actions(seen, Seat(0), None)}
        assert (said.pop(Play(Seat(0), seen.hand), 0) > 0.9) == (hand == "2 3")
        assert 0 < max(said.values()) < usual


def test_the_options_are_everything_that_is_legal_the_best_first() -> None:
    before = state(["4 4", "5 6"], lies="1:9 9", hand=12, gifts=(3, 3), supply=1)
    found = rated_actions(view(before, Seat(0)), Seat(0), None)
    assert {option.action for option in found} == set(actions(view(before, Seat(0)), Seat(0)))
    assert found[0].action == Play(Seat(0), (4, 4))
    assert found[0].chance > 0.95
    assert [option.chance for option in found] == sorted((option.chance for option in found), reverse=True)
    assert rated_actions(view(before, Seat(1)), Seat(1), None) == ()


@pytest.mark.parametrize(
    ("hand", "lies", "others"), [("8 8 8 8", "1:10 10", {(8, 8), (8, 8, 8)}), ("5 6 7", "1:10 11 12", {(5, 6), (6, 7)})]
)
def test_of_options_that_surely_win_the_hand_the_one_that_wins_it_at_once_is_the_first(
    hand: str, lies: str, others: set[tuple[int, ...]]
) -> None:
    seen = view(state([hand, ""], lies=lies, hands_total=3, gifts=(1, 1)), Seat(0))
    first, *found = rated_actions(seen, Seat(0), None)
    assert first.action == Play(Seat(0), seen.hand)
    assert {it.action.cards for it in found if isinstance(it.action, Play) and it.chance == first.chance} == others
    assert (found[-1].action, found[-1].chance < first.chance) == (Pass(Seat(0)), True)


def test_options_know_nothing_of_what_is_hidden() -> None:
    before = state(["4 4 9 12", "5 6 7", "2 2 3"], lies="1:9 9", gifts=(1, 2, 0), supply=9)
    before = before._replace(trick=before.trick, turn=Seat(2))
    for seed in range(5):
        other = CASE.redealt(before, Seat(2), Random(seed))
        assert rated_actions(view(before, Seat(2)), Seat(2), None) == rated_actions(view(other, Seat(2)), Seat(2), None)


@pytest.mark.parametrize(("seats", "said"), [(2, [0.47, 0.26, 0.12]), (3, [0.25, 0.20, 0.18]), (5, [0.12, 0.12, 0.16])])
def test_what_it_says_of_a_game_is_what_it_has_learnt(seats: int, said: list[float]) -> None:
    """Whoever trains it anew looks at what it says now."""
    states = [step.state for _, _, step in CASE.steps(seats, 0, CASE.quick)]
    assert [chances(states[number])[0] for number in (3, 11, 20)] == pytest.approx(said, abs=0.006)


def after(before: State, *actions: Action) -> State:
    """*before* after *actions* of its players on turn, in a game that is played on."""
    for action in actions:
        before = rules.apply(before, action, SeededChance(bytes(32))).state
    return before


def test_who_can_only_pass_has_passed_t6() -> None:
    """The pair of 12s cannot be answered: the chances are those after the pass, and the pass changes nothing."""
    before = state(["5 8 12 12", "9 10 11"], hand=5, gifts=(3, 2), supply=7)
    played = after(before, Play(Seat(0), (12, 12)))
    assert chances(played) == chances(after(played, Pass(Seat(1))))


def test_a_hand_that_ends_by_what_somebody_has_to_do_has_ended_t9() -> None:
    """The last card beats everything, and then the new hand counts as if nobody had seen it yet."""
    before = state(["4", "5 6 9"], hand=5, gifts=(3, 2), supply=7)
    known = win_chances_from_gifts((5, 1), Seat(0), 7)
    assert chances(before) == known
    done = rules.apply(after(before, Play(Seat(0), (4,))), Pass(Seat(1)), SeededChance(bytes(32)))
    assert chances_before_deal(done) == known
    assert chances(done.state) != known
    assert chances_before_deal(rules.apply(before, Play(Seat(0), (4,)), SeededChance(bytes(32)))) is None


def test_a_game_that_the_gifts_have_settled_before_the_last_deal_is_certain_t10() -> None:
    before = state(["4", "5 6 9"], hand=11, gifts=(8, 1), supply=3)
    assert chances(before) == (1, 0)
    done = rules.apply(after(before, Play(Seat(0), (4,))), Pass(Seat(1)), SeededChance(bytes(32)))
    assert chances_before_deal(done) == chances(done.state) == (1, 0)
    assert all(0 < it < 1 for it in chances(state(["4", "5 6 9"], hand=11, gifts=(2, 2), supply=8)))


def test_who_cannot_be_beaten_wins_the_hand_for_sure() -> None:
    """The 6 and the pair of 12s can be led in any order; the other has no answer, and gives a gift."""
    known = win_chances_from_gifts((5, 1), Seat(0), 7)
    before = state(["6 12 12", "10 11 12"], hand=5, gifts=(3, 2), supply=7)
    for done in ((), (Play(Seat(0), (6,)),), (Play(Seat(0), (12, 12)),), (Play(Seat(0), (6,)), Pass(Seat(1)))):
        assert chances(after(before, *done)) == known
    assert chances(state(["6 12", "10 11 12"], hand=5, gifts=(3, 2), supply=7)) != known


def test_who_goes_out_with_an_answer_that_nobody_can_beat_wins_the_hand_for_sure() -> None:
    before = state(["4 4", "5 6", "8 9 10"], lies="1:9 9, 2:-", hand=5, gifts=(1, 2, 1), supply=8)
    assert chances(before) == win_chances_from_gifts((3, 2, 0), Seat(0), 7)


def test_who_only_follows_chooses_who_gives_the_gift_t9() -> None:
    """Nobody can beat the 1, its player's last card. If seat 1 passes, it gives a gift too, and loses the game."""
    before = state(["", "4 9", "7 8"], lies="2:9, 0:1", hand=12, gifts=(0, 3, 1), supply=1)
    assert certain_hand_winner(before) == 0
    assert apply_certain_actions(before) == before
    assert near(0, 1, 0) == chances(before) and near(0, 1, 0) == chances(after(before, Play(Seat(1), (9,))))
    assert chances(after(before, Pass(Seat(1)))) == near(1, 0, 0)
    assert certain_hand_winner(before._replace(hands=((), (1, 9), (7, 8)))) is None
    one_of_two = state(["", "3 9", "7 8", "5"], lies="3:9, 0:4", hand=12, gifts=(0, 3, 1, 0), supply=1)
    assert certain_hand_winner(one_of_two) is None
    assert certain_hand_winner(one_of_two._replace(hands=((), (6, 9), (3, 8), (5,)))) is None
    assert certain_hand_winner(one_of_two._replace(hands=((), (6, 9), (7, 8), (5,)))) == 0


def test_who_would_lose_the_game_by_winning_the_hand_is_not_certain_to_win_it_t9_t10() -> None:
    """Seat 1 could take the trick and the hand with its last card; then seat 2 gives a gift, and seat 0 has won."""
    many = ["6 12", "2", "6 6 8 8 8 9 9 10 10 11 11 11"]
    before = state(many, lies="0:3", gifts=(3, 0, 2), hand=3, hands_total=3)
    assert hand_winning_play(before) == Play(Seat(1), (2,))
    assert apply_certain_actions(before) == before
    assert chances(before)[0] < 0.99
    assert apply_certain_actions(before._replace(gifts=(2, 1, 2))).winners == (1,)


def test_who_does_not_care_may_do_anything_t9() -> None:
    """Seat 0 has won the hand. Seat 2, which has no gift, may play either card, or pass; then seat 1 gives none."""
    before = state(["", "6 8", "7 9", "10"], lies="3:9, 0:4", hand=12, gifts=(2, 3, 0, 0), supply=1)
    assert chances(before) == chances(after(before, Play(Seat(1), (8,)))) == near(5 / 6, 1 / 6, 0, 0)
    assert chances(after(before, Pass(Seat(1)))) == near(1, 0, 0, 0)
    assert chances(after(before, Play(Seat(1), (8,)), Pass(Seat(2)))) == near(0.5, 0.5, 0, 0)


def test_with_two_players_and_few_cards_a_hand_is_theirs_who_can_win_it_whatever_the_other_does() -> None:
    """Of 9 9 11 every lead loses to the 7 (T8): the hand was lost by the straight that left them."""
    before = state(["1 9 9 11 11", "7 7"], hand=3, hands_total=3, gifts=(2, 2), supply=8)
    assert chances(before) == chances(after(before, Play(Seat(0), (11,)))) == near(0, 1)
    assert chances(state(["9 9 11", "7"], hand=5, gifts=(3, 2), supply=7)) == win_chances_from_gifts((2, 4), Seat(1), 7)
    assert chances(state(["9 9 6", "7"], hand=5, gifts=(3, 2), supply=7)) == win_chances_from_gifts((5, 1), Seat(0), 7)


def test_a_hand_is_lost_by_the_pass_that_lost_it_and_not_by_what_follows() -> None:
    """On the 5 a 4 or the 1 would have won; after the pass nothing does, whatever is played."""
    hands, lost = ["7 7 8 9 10 11", "1 4 5 6 9 9 11 11"], near(1, 0)
    before = state(hands, lies="0:5", hand=3, hands_total=3, gifts=(2, 2), supply=8)
    assert chances(before) == near(0, 1)
    passed = after(before, Pass(Seat(1)))
    assert chances(passed) == lost
    straight = after(passed, Play(Seat(0), (8, 9, 10, 11)))
    assert chances(straight) == chances(after(straight, Play(Seat(1), (4, 5, 6)))) == lost


def test_whose_last_cards_nobody_can_beat_has_won_before_the_others_have_passed_t9() -> None:
    """Seat 1 is left to answer, and holds the most cards whatever it does."""
    before = state(["", "5 9 10 11", "7 8"], lies="2:6, 0:4", hand=12, gifts=(1, 4, 1), supply=1)
    assert near(0.5, 0.5, 0) == chances(before) and chances(after(before, Pass(Seat(1)))) == (0.5, 0.5, 0)


def test_who_will_go_out_with_an_answer_has_won_the_hand_before_it_is_their_turn_t7() -> None:
    """Seat 2 holds a 6. An equal card counts only if it is played later."""
    around = ["7 8 8", "8 9", "6", "10 11 12"]
    before = state(around, lies="3:9", leader=3, hand=12, gifts=(2, 2, 2, 2), supply=1)
    assert certain_hand_winner(before) == 2
    assert chances(before) == near(0, 0, 1, 0)
    assert certain_hand_winner(before._replace(hands=((6, 8), *before.hands[1:]))) == 2
    assert certain_hand_winner(before._replace(hands=((5, 8), *before.hands[1:]))) is None
    assert certain_hand_winner(before._replace(hands=((7, 8), (8, 9), (6, 9), (10, 11)))) is None
    last = after(before, Pass(Seat(0)), Pass(Seat(1)))
    assert hand_winning_play(last) == Play(Seat(2), (6,))
    earlier = state(["6", "8 9", "6 8", "10 11 12"], lies="3:9", leader=3)
    assert certain_hand_winner(earlier) is None


def test_of_many_players_who_can_win_the_hand_whatever_the_others_do_wins_it() -> None:
    """Whoever takes the 12 has a single card to lead then, which the 4 beats; a pair it could not beat."""
    sure, open_ = (state(["4 12", "6 6", it], hand=12, gifts=(2, 2, 2), supply=1) for it in ("7 8", "7 8 8"))
    assert forced_hand_winner(sure) == forced_hand_winner(after(sure, Play(Seat(0), (12,)))) == 0
    assert chances(sure) == near(1, 0, 0)
    assert forced_hand_winner(open_) is None
    assert chances(open_)[0] < 0.99


def test_only_what_nobody_can_beat_is_sure_t7() -> None:
    """An equally low card wins if it is played later."""
    assert hand_winning_play(state(["9 9", "8 8 5", "10 11"])) is None
    assert hand_winning_play(state(["9 9", "7 10", "10 11"])) == Play(Seat(0), (9, 9))
    assert hand_winning_play(state(["5", "6 7", "8 10"], lies="1:9, 2:3")) is None
    assert hand_winning_play(state(["4 4", "5 6", "8 9 10"], lies="1:4 4, 2:-")) == Play(Seat(0), (4, 4))
    assert hand_winning_play(state(["8 12", ""], lies="1:9")) is None, (
        "the 9 goes back to its player (T8), and answers the 12"
    )
    assert hand_winning_play(state(["8 12 12", ""], lies="1:9")) == Play(Seat(0), (8,))
    assert can_keep_lead((6,), LowestCards(13, 13, 7), 1)
    assert not can_keep_lead((6,), LowestCards(13, 13, 6), 1)


def test_a_hand_is_sure_with_two_more_leads_and_open_with_three() -> None:
    soon, later = (state([hand, "12 12"], hand=5, gifts=(3, 2), supply=7) for hand in ("2 4 6", "2 4 6 8"))
    assert apply_certain_actions(soon).hand_number == 6
    assert apply_certain_actions(later) == later


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_what_is_certain_ends_with_the_hand_since_the_next_one_is_not_shuffled_yet(seats: int) -> None:
    """In an unshuffled deck the winner would hold the lowest cards, and of eight players win that hand as well."""
    before = state(["2", "12 12", *("12",) * (seats - 2)], hand=5, gifts=(1,) * seats, supply=4)
    later, won = apply_certain_actions(before), (3, 0, *(1,) * (seats - 2))
    assert (later.hand_number, later.trick, later.gifts) == (6, (), won)
    assert chances(before) == win_chances_from_gifts(won, Seat(0), 7)


@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_what_somebody_has_to_do_changes_no_chances(seats: int) -> None:
    chance, rng = SeededChance(bytes([seats]) * 32), Random(seats)
    now = rules.deal(seats, {"length": "short"}, chance).state
    forced = 0
    while not now.winners:
        before = chances(now)
        action = decide(view(now, now.turn), now.turn, rng)
        assert action is not None
        only = len(actions(view(now, now.turn), now.turn)) == 1
        step = rules.apply(now, action, chance)
        if only:
            assert (chances_before_deal(step) or chances(step.state)) == before
            forced += 1
        now = step.state
    assert forced > 5


def test_the_only_legal_action_decides_nothing_and_a_deal_is_not_the_result() -> None:
    """Seat 0 decides the hand by its choice to lead the 12s; seat 1 can only pass, and then a new hand is dealt."""
    seats = (SeatOccupant("computer", "c0", ""), SeatOccupant("computer", "c1", ""))
    now = state(["12 12", "9 10 11"], hand=5, gifts=(3, 2), supply=7)
    game = [Moment(0, None, None, None, now, (), seats)]
    for action in (Play(Seat(0), (12, 12)), Pass(Seat(1))):
        step = rules.apply(now, action, SeededChance(bytes(32)))
        game.append(Moment(len(game), None, action, now, step.state, step.events, seats))
        now = step.state
    said = coach_game(GAMES["twelve_days"], game)
    assert 2 not in [it.number for it in said.decisive]
    assert said.undealt[2] == said.courses[1] == win_chances_from_gifts((5, 1), Seat(0), 7)
    assert said.chance_change_by_action(2) == (0, 0)
    assert any(said.chance_change_by_deal(2))
    assert said.chance_change_by_deal(1) == (0, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_play_that_ends_a_trick_and_takes_it_is_worth_what_the_best_lead_after_it_leaves(seats: int) -> None:
    """Nothing happens in between, and nothing is learnt: what is said of it and what is said next agree. Also where
    somebody takes last cards back (T8). What is certain to bring more, such as to win the hand, is worth that."""
    taken = returned = 0
    for number in range(4):
        memory: Memory | None = None
        for before, action, step in CASE.steps(seats, number):
            after, seat = step.state, before.turn
            remembered = remember(memory, step.events, seat)
            took = len(before.trick) + 1 == seats and isinstance(action, Play) and after.turn == seat
            seen = view(before, seat)
            if took and after.hand_number == before.hand_number and not after.winners:
                (worth,) = (it.chance for it in rated_actions(seen, seat, memory) if it.action == action)
                lead = rated_actions(view(after, seat), seat, remembered)[0].chance
                if Foresight(seen, seat, memory).certain_hand_end(action) is None:
                    assert worth == pytest.approx(lead)
                    taken += 1
                    returned += any(isinstance(it, TakenBack) for it in step.events)
            memory = remembered
    assert taken > 20
    assert returned


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_with_all_cards_open_only_what_no_choice_can_change_is_certain(seats: int) -> None:
    """Who is as good as lost has still won, by an error: 0 % is nobody who wins in the end."""
    sure = 0
    for seed in range(12):
        chance, rng = SeededChance(bytes([seed]) * 32), Random(seed)
        now, lost = rules.deal(seats, {"length": "short"}, chance).state, set[int]()
        while not now.winners:
            found = chances(now)
            assert sum(found) == pytest.approx(1)
            lost |= {seat for seat, it in enumerate(found) if not it}
            sure += bool(lost)
            options_now = CASE.rules.actions(view(now, now.turn))
            action = rng.choice(options_now) if rng.random() < 0.5 else decide(view(now, now.turn), now.turn, rng)
            assert action is not None
            now = rules.apply(now, action, chance).state
        assert not lost & {*now.winners}
    assert sure


@pytest.mark.parametrize(
    ("hands", "gifts"),
    [
        (("3 4 6 7 8 9 9 9", "5 6 7 8 9 10 11 11 11 12", "1 4 6 7 7 8 8 8 10"), (0, 4, 1)),
        (("3 9 9", "11 11", "1 4 7"), (0, 4, 1)),
        (("3 4 9 9", "11 11", "1 4 7"), (0, 5, 1)),
        (("3 4 9 9", "11 11", "1 4 7"), (5, 0, 1)),
    ],
)
def test_the_game_is_lost_only_for_whom_nobody_says_that_they_can_still_win_t9_t10(
    hands: tuple[str, ...], gifts: tuple[int, ...]
) -> None:
    """With 0 gifts against 4 and 1 whoever goes out can share the win: if both others hold equally many cards."""
    before = state(hands, hand=3, hands_total=3, gifts=gifts, supply=6)
    seen = view(before, Seat(0))
    chances = [it.chance for it in rated_actions(seen, Seat(0), None)]
    assert (max(chances) == 0) == (0 not in seen.possible_winners)
    assert (min(chances) == 1) == (seen.possible_winners == (0,))
    assert max(chances) == 0 or min(chances) > 0


def test_whoever_can_still_win_is_never_told_that_all_is_lost() -> None:
    """Whatever a sample of the hands to go says, and the network, for which one player at most gives a gift."""
    told = 0
    for seed in range(12):
        seats = 3 + seed % 3
        chance, rng = SeededChance(bytes([seed]) * 32), Random(seed)
        now = rules.deal(seats, {"length": "short"}, chance).state
        memories = [CASE.rules.remember(None, (), Seat(seat)) for seat in range(seats)]
        while not now.winners:
            seen = view(now, now.turn)
            found = [it.chance for it in rated_actions(seen, now.turn, memories[now.turn])]
            able = not seen.possible_winners or now.turn in seen.possible_winners
            assert able == bool(found[0])
            told += now.hand_number == 3 and found[0] < 0.005
            action = decide(seen, now.turn, rng)
            assert action is not None
            step = rules.apply(now, action, chance)
            memories = [CASE.rules.remember(memories[seat], step.events, Seat(seat)) for seat in range(seats)]
            now = step.state
    assert told


def test_a_card_that_is_beaten_already_gets_rid_of_it_unless_it_is_the_last_one_t8() -> None:
    """The 7 answers the lead, does not win, and does not come back: that is better than to pass."""
    before = after(state(["3 9 9 12", "8 1 4 6", "5 7 2 11 10"], hand=2), Play(Seat(0), (12,)), Play(Seat(1), (4,)))
    worth = {option.action: option.chance for option in rated_actions(view(before, Seat(2)), Seat(2), None)}
    assert worth[Play(Seat(2), (7,))] > worth[Pass(Seat(2))]


@pytest.mark.parametrize(("gifts", "sure"), [((0, 0, 4), True), ((0, 0, 1), False), ((4, 0, 3), False)])
def test_a_hand_before_the_last_settles_the_game_where_nobody_can_catch_up_by_the_gifts_t9(
    gifts: tuple[int, ...], sure: bool
) -> None:
    """Seat 2 plays its last cards, and nobody is left to answer: both others hold two cards then."""
    before = state(["", "9 9", "6 7 8"], lies="0:10 11, 1:-", hand=2, hands_total=3, gifts=gifts, supply=8)
    best = rated_actions(view(before, Seat(2)), Seat(2), None)[0]
    assert best.action == Play(Seat(2), (6, 7, 8))
    assert (best.chance == 1) is sure
