"""How the last hand of a game ends where everybody plays for the game, all cards open."""

from random import Random

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days import rules
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.coach import chances, rated_actions
from engine.games.twelve_days.endgame import MAX_CARDS, endgame_chances, win_chances_by_action
from engine.games.twelve_days.memory import NOTHING
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import actions, view
from tests.games.twelve_days import CASE, state

LAST = {"hand": 3, "hands_total": 3}


def test_who_can_win_the_hand_and_would_lose_the_game_by_it_does_not_t9_t10() -> None:
    """Seat 1 could take the trick and the hand with its 2: then seat 2 gives a gift, and seat 0 has won."""
    before = state(["6 12", "2", "6 6 8 8"], lies="0:12", gifts=(3, 0, 2), **LAST)
    assert endgame_chances(before) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert chances(before) == endgame_chances(before)
    taken = rules.apply(before, Play(Seat(1), (2,)), SeededChance(bytes(32))).state
    assert endgame_chances(taken) == (1, 0, 0)


def test_who_can_end_the_hand_by_a_pass_and_wins_the_game_by_that_has_won_t9() -> None:
    before = state(["", "6 7", "9 10 11"], lies="0:6", gifts=(1, 4, 0), **LAST)
    assert endgame_chances(before) == (0, 1, 0)


def test_only_the_last_hand_is_played_out_and_only_near_its_end() -> None:
    few = state(["6 12", "2", "6 6 8 8"], gifts=(3, 0, 2), hand=2, hands_total=3)
    assert endgame_chances(few) is None
    many = state(["6 6 6 6 6", "7 7 7 7 7", "8 8 8 8 8"], gifts=(1, 1, 1), **LAST)
    assert sum(map(len, many.hands)) > MAX_CARDS
    tangled = state(["4 5 10 10 11", "4 5 8 10 11", "5 7 11 11"], gifts=(1, 1, 1), **LAST)
    after_the_first = state(["4 5 7 12", "5 10 10 12", "4 5 6 8 11"], gifts=(1, 1, 1), **LAST)
    assert max(sum(map(len, before.hands)) for before in (tangled, after_the_first)) <= MAX_CARDS
    assert endgame_chances(many) is endgame_chances(tangled) is None
    for before in (many, tangled, after_the_first):
        legal = actions(view(before, Seat(0)), Seat(0))
        assert win_chances_by_action(before.gifts, before.hands, (), legal) == []


def best(before: State) -> tuple[float, ...]:
    """The same by the rules alone, every action of every player tried."""
    if before.winners:
        return tuple((seat in before.winners) / len(before.winners) for seat in range(len(before.hands)))
    lead = bool(before.trick)
    tried: list[Action] = [*actions(view(before, before.turn), before.turn)]
    tried += [Pass(before.turn)] if lead and Pass(before.turn) not in tried else []
    ways = [best(rules.apply(before, action, SeededChance(bytes(32))).state) for action in tried]
    most = max(way[before.turn] for way in ways)
    alike = [way for way in ways if way[before.turn] > most - 1e-6]
    return tuple(sum(each) / len(alike) for each in zip(*alike, strict=True))


def test_it_is_what_the_rules_lead_to() -> None:
    compared = 0
    for seed in range(30):
        for _, _, step in CASE.steps(3, seed, {"length": "short"}):
            now = step.state
            if now.winners or now.hand_number < now.hands_total or sum(map(len, now.hands)) > 6:
                continue
            assert endgame_chances(now) == pytest.approx(best(now))
            legal = actions(view(now, now.turn), now.turn)
            found = win_chances_by_action(now.gifts, now.hands, now.trick, legal)
            assert len(found) == len(legal)
            for action, said in zip(legal, found, strict=True):
                assert said == pytest.approx(best(rules.apply(now, action, SeededChance(bytes(32))).state))
            compared += 1
            if Random(compared).random() < 0.5:
                break
    assert compared > 10


def test_who_knows_all_cards_goes_by_what_they_lead_to_t8() -> None:
    """Both others have taken their cards back. After the 9 seat 2 takes the trick with its 5 and goes out with 3-4:
    seat 0 gives its gift, and has none. After the pair seat 1 wins, and seat 2 gives."""
    before = state(["9 12 12", "12 12", "3 4 5"], gifts=(1, 1, 2), **LAST)
    memory = NOTHING._replace(known=((), (12, 12), (3, 4, 5), *NOTHING.known[3:]))
    known = {it.action: it.chance for it in rated_actions(view(before, Seat(0)), Seat(0), memory)}
    for action, chance in known.items():
        after = rules.apply(before, action, SeededChance(bytes(32))).state
        assert chance == pytest.approx(chances(after)[0], abs=2e-3)
    guessed = {it.action: it.chance for it in rated_actions(view(before, Seat(0)), Seat(0), None)}
    assert max(abs(known[it] - guessed[it]) for it in known) > 0.03
