"""What is public and what is hidden (T11)."""

from itertools import combinations, product

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.combinations import Kind, Lead
from engine.games.twelve_days.events import DeckShuffled
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import View, view
from engine.registry import GAMES
from tests.games.twelve_days import cards, state

GAME = GAMES["twelve_days"]
BEFORE = state(["2 2 5", "3 3 9 9", "4"], lies="2:10 10, 0:-", gone="1 2 3", gifts=(1, 0, 4), supply=7)


def test_hand_sizes_gifts_the_trick_and_who_passed_are_public_t11() -> None:
    public = view(BEFORE, None)
    assert public.hand_sizes == (3, 4, 1)
    assert (public.gifts, public.supply) == ((1, 0, 4), 7)
    assert public.trick == (Play(Seat(2), (10, 10)), Pass(Seat(0)))
    assert public.lead == Lead(Kind.SET, 10)
    assert public.lowest == Play(Seat(2), (10, 10))


def test_a_player_sees_the_own_hand_alone_t11() -> None:
    assert view(BEFORE, Seat(1)).hand == cards("3 3 9 9")
    assert view(BEFORE, None).hand == ()
    assert "hands" not in view(BEFORE, None)._fields
    assert "aside" not in view(BEFORE, Seat(1))._fields


def test_plays_are_offered_to_the_player_on_turn_alone() -> None:
    assert view(BEFORE, Seat(1)).plays == ((3, 3), (9, 9))
    assert view(BEFORE, Seat(0)).plays == ()
    assert view(BEFORE, None).plays == ()


def test_nobody_sees_the_order_of_the_deck_t11() -> None:
    events = GAME.new(2, {}, SeededChance(bytes(32))).events
    assert any(isinstance(event, DeckShuffled) and event.order for event in events)
    assert DeckShuffled(None) in GAME.events_as_seen(events, None)
    assert not any(isinstance(event, DeckShuffled) and event.order for event in GAME.events_as_seen(events, None))


def after_the_last_hand(gifts: tuple[int, ...], winner: int, most: tuple[int, ...]) -> set[int]:
    """Who wins the game if *winner* wins its last hand and *most* are left with the most cards."""
    own = list(gifts)
    own[winner] += 1
    for seat in most:
        if own[seat]:
            own[seat] -= 1
            own[winner] += 1
    return {seat for seat, count in enumerate(own) if count == max(own)}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_can_still_win_in_the_last_hand_is_who_wins_after_one_of_its_ends_t9_t10(seats: int) -> None:
    everybody = 0
    for gifts in product(range(12), repeat=seats):
        if sum(gifts) != 11:
            continue
        able: set[int] = set()
        for winner in range(seats):
            others = [seat for seat in range(seats) if seat != winner]
            for size in range(1, seats):
                for most in combinations(others, size):
                    able |= after_the_last_hand(gifts, winner, most)
        last = state(["1", "2", "3", "4"][:seats], gifts=gifts, hand=12, supply=1)
        assert set(view(last, None).possible_winners) == able, gifts
        everybody += len(able) == seats
    assert everybody


def test_before_the_last_hand_nobody_is_counted_out() -> None:
    assert view(state(["1", "2"], gifts=(0, 10), hand=11), None).possible_winners == ()


def test_the_fields_stand_in_the_order_in_which_they_are_taken_apart_and_put_together() -> None:
    """``rules._finish_action`` and ``view.view`` go by position, for speed: whoever moves a field changes these two as
    well."""
    assert State._fields == (
        "ply", "hand_number", "hands_total", "leader", "turn", "trick", "hands", "aside", "gone", "gifts", "supply",
        "shuffles", "winners",
    )  # fmt: skip
    assert View._fields == (
        "seat", "seats", "hand_number", "hands_total", "leader", "turn", "trick", "hand", "hand_sizes", "gone", "gifts",
        "supply", "winners",
    )  # fmt: skip
    step = GAME.new(3, {}, SeededChance(bytes(32)))
    seen = view(step.state, Seat(1))
    for name in set(View._fields) & set(State._fields):
        assert getattr(seen, name) == getattr(step.state, name), name
