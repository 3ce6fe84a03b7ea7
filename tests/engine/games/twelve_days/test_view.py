"""What is public and what is hidden (T11)."""

from engine.fair import Fair
from engine.game import Seat
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.combinations import Kind, Lead
from engine.games.twelve_days.events import DeckShuffled
from engine.games.twelve_days.view import view
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
    events = GAME.new(2, {}, Fair(bytes(32))).events
    assert any(isinstance(event, DeckShuffled) and event.order for event in events)
    assert DeckShuffled(None) in GAME.witnessed(events, None)
    assert not any(isinstance(event, DeckShuffled) and event.order for event in GAME.witnessed(events, None))
