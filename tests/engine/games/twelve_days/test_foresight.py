"""What a seat can be certain of, and what its choices are worth then."""

from random import Random

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.certain import only_sensible_action
from engine.games.twelve_days.coach import chances, is_foregone, rated_actions
from engine.games.twelve_days.events import HandWon
from engine.games.twelve_days.forced import wins_hand_by_force
from engine.games.twelve_days.foresight import CertainEnd, Foresight
from engine.games.twelve_days.memory import NOTHING, Memory, remember
from engine.games.twelve_days.prospects import win_chances_from_gifts
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import actions, view
from tests.games.twelve_days import CASE, cards, state


def worth(before: State, seat: Seat, memory: Memory | None = None) -> dict[str, float]:
    """What the choices of *seat* in *before* are worth; "-" is the pass."""
    return {
        " ".join(map(str, it.action.cards)) if isinstance(it.action, Play) else "-": it.chance
        for it in rated_actions(view(before, seat), seat, memory)
    }


def after(before: State, *played: str) -> State:
    """*before* after what its players have *played* one after the other."""
    for text in played:
        action = Pass(before.turn) if text == "-" else Play(before.turn, cards(text))
        before = rules.apply(before, action, SeededChance(bytes(32))).state
    return before


def test_who_is_last_to_act_knows_who_will_give_a_gift_t9() -> None:
    """Seat 3 has won the last hand. With 7 cards seat 0 keeps its gift, since seat 2 holds 8; with 8 it gives one."""
    hands = ["1 6 8 8 8 9 9 10 11 12 12 12", "2 2 5 10 11 11", "3 3 5 7 11 11 11 11", ""]
    lies = "1:10 11 12, 2:7 8, 3:5 6 7 8 9 10"
    before = state(hands, lies=lies, hand=3, hands_total=3, gifts=(3, 1, 0, 2))
    said = worth(before, Seat(0))
    assert said["8 9 10 11 12"] == 0.5
    assert {it: chance for it, chance in said.items() if it != "8 9 10 11 12"} == {
        "8 9": 0, "8 9 10": 0, "8 9 10 11": 0, "9 10": 0, "9 10 11": 0, "9 10 11 12": 0, "10 11": 0, "10 11 12": 0,
        "-": 0,
    }  # fmt: skip
    earlier = worth(before._replace(hand_number=2), Seat(0))
    assert earlier["8 9 10 11 12"] == win_chances_from_gifts((3, 1, 0, 3), Seat(3), 1)[0]
    assert earlier["8 9 10 11"] == win_chances_from_gifts((2, 1, 0, 4), Seat(3), 1)[0]


def test_a_hand_that_is_lost_for_certain_is_lost() -> None:
    """The 8 is somebody's last card, and the 7 beats it."""
    before = state(["7", ""], lies="1:8", hand=12, gifts=(3, 3), supply=1)
    assert worth(before, Seat(0)) == {"7": 1, "-": 0}


def test_who_wins_with_all_leads_to_come_has_won_the_hand_t8() -> None:
    """The 6 goes back to its player, and answers no set, no straight, and no lower card."""
    before = state(["5 6 7 8 8 9 9 10 11 11 12 12", ""], lies="1:6", hand=2, hands_total=3, gifts=(0, 3), supply=9)
    won = win_chances_from_gifts((2, 2), Seat(0), 1)[0]
    assert worth(before, Seat(0)) == {"5": won, "6": won, "-": 0}
    assert win_chances_from_gifts((0, 4), Seat(1), 1)[0] == 0, (
        "in the last hand it would get two gifts at most, to three"
    )
    assert worth(after(before, "5"), Seat(0))["6 7 8 9 10 11 12"] == won


def test_cards_that_were_taken_back_are_known_t8() -> None:
    """Against a 7 the pair of 9s and the 6 win in any order. Of a card that nobody has seen nothing is certain."""
    before = state(["6 9 9", "7"], hand=12, gifts=(3, 3), supply=1)
    said = worth(before, Seat(0), known("7"))
    assert said["9 9"] == said["6"] == 1
    assert said["9"] < 0.1
    assert max(worth(before, Seat(0)).values()) < 1
    lost = worth(state(["9 9 11", "7"], hand=12, gifts=(3, 3), supply=1), Seat(0), known("7"))
    assert max(lost.values()) < 0.1, "only a mistake of the other could change that"


def test_what_wins_by_force_against_known_cards_wins_t8() -> None:
    """On a single card whoever holds the 8s must pass, or be left with an 8 that the 1 beats."""
    before = state(["1 9 10 10", "8 8"], hand=12, gifts=(3, 3), supply=1)
    said = worth(before, Seat(0), known("8 8"))
    for lead, chance in said.items():
        then = after(before, lead)
        assert (chance == 1) is (wins_hand_by_force(Seat(0), then.hands, then.trick, then.turn) is True)
    assert {"9 10"} < {lead for lead, chance in said.items() if chance == 1} < set(said)


def known(text: str) -> Memory:
    """A memory of the cards that seat 1 has taken back."""
    return NOTHING._replace(known=((), cards(text), *NOTHING.known[2:]))


def test_who_gives_is_open_while_others_may_still_play_t9() -> None:
    """Seat 2 has won the hand with the only 1. Seat 0, which acts after seat 3, holds 3 cards, and may keep 2."""
    before = state(["7 10 11", "8 9", "", "8 9 10"], lies="1:9, 2:1", hand=12, gifts=(0, 3, 2, 3), supply=1)
    foresight = Foresight(view(before, Seat(3)), Seat(3))
    passed, played = foresight.certain_hand_end(Pass(Seat(3))), foresight.certain_hand_end(Play(Seat(3), (8,)))
    assert passed == CertainEnd(Seat(2), (2, 2, 0, 3), (3, 2, 0, 3))
    assert played == CertainEnd(Seat(2), (2, 2, 0, 2), (3, 2, 0, 2))
    assert (passed.is_giver(Seat(3)), played.is_giver(Seat(3))) == (True, None)
    said = worth(before, Seat(3))
    assert said["-"] == 0
    assert 0 < said["8"] < 1 / 3


def test_who_holds_the_most_cards_may_be_certain_though_the_rest_is_not_t9() -> None:
    assert CertainEnd(Seat(0), (0, 2, 1), (0, 2, 3)).is_giver(Seat(1)) is None
    assert CertainEnd(Seat(0), (0, 2, 1), (0, 2, 2)).is_giver(Seat(1)) is True
    assert CertainEnd(Seat(0), (0, 2, 3), (0, 2, 4)).is_giver(Seat(1)) is False
    assert CertainEnd(Seat(0), (0, 2, 1), (0, 2, 3)).is_giver(Seat(0)) is False
    assert CertainEnd(Seat(0), (0, 2, 1), (0, 2, 3)).givers() is None
    assert CertainEnd(Seat(0), (0, 2, 2), (0, 2, 2)).givers() == (1, 2)
    assert CertainEnd(Seat(0), (0, 2, 1, 1), (0, 2, 3, 1)).possible_givers() == [1, 2]


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_what_is_certain_comes_true_whatever_the_others_hold_and_do(seats: int) -> None:
    """Hidden cards are dealt anew, and the others play anything; who is certain to win plays on well."""
    foreseen = 0
    for seed in range(40 // seats):
        rng, chance = Random(seed), SeededChance(bytes([seed]) * 32)
        step = rules.deal(seats, {"length": "short"}, chance)
        memory: Memory | None = None
        while not step.state.winners:
            now = step.state
            memory = remember(memory, step.events, now.turn)
            legal = actions(view(now, now.turn), now.turn)
            foresight = Foresight(view(now, now.turn), now.turn)
            for action in legal:
                fate = foresight.certain_hand_end(action)
                if fate is not None:
                    foreseen += 1
                    check(CASE.redealt(now, now.turn, rng), action, fate, rng)
            step = rules.apply(now, rng.choice(legal), chance)
    assert foreseen > 20


def check(before: State, action: Action, fate: CertainEnd, rng: Random) -> None:
    """*fate* comes true after *action*, the others doing anything."""
    me, memory = before.turn, NOTHING
    while True:
        step = rules.apply(before, action, SeededChance(bytes(32)))
        ended = next((it for it in step.events if isinstance(it, HandWon)), None)
        if ended is not None:
            break
        before, memory = step.state, remember(memory, step.events, me)
        legal = actions(view(before, before.turn), before.turn)
        if before.turn == me and fate.winner == me:
            seen = Foresight(view(before, me), me, memory)
            action = next(it for it in legal if (then := seen.certain_hand_end(it)) is not None and then.winner == me)
        else:
            action = rng.choice(legal)
    assert ended.seat == fate.winner
    assert all(least <= had <= most for least, had, most in zip(fate.least, ended.unplayed, fate.most, strict=True))


def test_last_cards_that_are_beaten_already_are_worth_no_more_than_a_pass_t8() -> None:
    """They go back at once; all cards open it is the same, so nothing is decided there."""
    before = state(["8 9 10 11 12", "3 7 7 12 12", "2 8 9 9"], lies="1:9 10, 2:5 6")
    found = rated_actions(view(before, Seat(0)), Seat(0), None)
    chance = {option.action: option.chance for option in found}
    assert chance[Play(Seat(0), (8, 9, 10, 11, 12))] <= chance[Pass(Seat(0))]
    assert found[0].action != Play(Seat(0), (8, 9, 10, 11, 12))
    single = state(["5", "3 7 7 12 12", "2 8 9 9"], lies="1:9, 2:3")
    assert only_sensible_action(single) == Pass(Seat(0))
    for action in (Pass(Seat(0)), Play(Seat(0), (5,))):
        assert chances(rules.apply(single, action, SeededChance(bytes(32))).state) == chances(single)
        assert is_foregone(single, action)


@pytest.mark.parametrize(("card", "matters"), [(2, True), (3, True), (4, False)])
def test_last_cards_that_take_the_trick_are_a_choice_t7(card: int, matters: bool) -> None:
    """Of equally low cards those that are played later win."""
    before = state([str(card), "3 7 7 12 12", "2 8 9 9"], lies="1:9, 2:3")
    assert only_sensible_action(before) == (None if matters else Pass(Seat(0)))
    assert is_foregone(before, Play(Seat(0), (card,))) is not matters
