"""What is public and what is hidden (D2, D11, D19)."""

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette import rules, view
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Card
from engine.games.diciassette.events import CardPlayed, CardsDrawn, CardTrashed, PileShuffled
from engine.games.diciassette.state import State
from engine.registry import GAMES
from tests.games.diciassette import DOWN, UP, cards, state

FAIR = SeededChance(bytes(32))
GAME = GAMES["diciassette"]
BEFORE = state(["1 2= 5=", "R 4= 1", "2 3 P"], turn=1, last=0, lies="0:3? 1:4=? 2:X 0:P?", draw="5= 1 2", discard="T")


def test_two_sided_cards_are_never_hidden_d2() -> None:
    public = view.view(BEFORE, None)
    assert [seen.card for seen in public.queue] == [None, Card.FOUR_OPEN, Card.X2, None]
    assert public.open_backs == ((2, 5), (4,), ())
    assert public.draw_top == 5


def test_a_plain_back_on_the_draw_pile_shows_nothing_d2() -> None:
    assert view.view(BEFORE._replace(draw=cards("1 5=")), None).draw_top is None


def test_a_player_sees_the_own_face_down_cards_in_the_queue_d2() -> None:
    mine = view.view(BEFORE, Seat(0))
    assert [seen.card for seen in mine.queue] == [Card.THREE, Card.FOUR_OPEN, Card.X2, Card.TRAP]
    assert (mine.visible_sum, mine.hidden_count) == (7, 0)
    assert (view.view(BEFORE, Seat(1)).visible_sum, view.view(BEFORE, Seat(1)).hidden_count) == (4, 2)


def test_a_player_sees_the_own_hand_and_only_sizes_of_the_others_d2() -> None:
    mine = view.view(BEFORE, Seat(2))
    assert mine.hand == cards("2 3 P")
    assert mine.hand_sizes == (3, 3, 3)
    assert view.view(BEFORE, None).hand == ()


def test_the_discard_pile_shows_only_its_size_d19() -> None:
    public = view.view(BEFORE, None)
    assert public.discard_size == 1
    assert "discard" not in public._fields


def test_a_face_down_play_is_seen_by_its_player_alone_d2() -> None:
    step = rules.apply(BEFORE, Play(Seat(1), Card.ONE, DOWN), FAIR)
    assert GAME.events_as_seen(step.events, None)[0] == CardPlayed(Seat(1), None, DOWN)
    assert GAME.events_as_seen(step.events, Seat(1))[0] == CardPlayed(Seat(1), Card.ONE, DOWN)
    assert GAME.events_as_seen(step.events, Seat(2))[0] == CardPlayed(Seat(1), None, DOWN)


def test_a_drawn_open_back_is_seen_by_everybody_a_plain_one_by_nobody_d2() -> None:
    drawn = CardsDrawn(Seat(1), cards("5= 1"))
    assert GAME.events_as_seen([drawn], None) == (CardsDrawn(Seat(1), (Card.FIVE_OPEN, None)),)
    assert GAME.events_as_seen([drawn], Seat(1)) == (drawn,)


def test_a_trashed_plain_back_stays_hidden_an_open_one_is_seen_at_that_moment_d11() -> None:
    hidden = CardTrashed(Seat(0), Card.TRAP, DOWN)
    assert GAME.events_as_seen([hidden], Seat(1)) == (CardTrashed(Seat(0), None, DOWN),)
    seen = CardTrashed(Seat(0), Card.FOUR_OPEN, DOWN)
    assert GAME.events_as_seen([seen], None) == (seen,)
    assert GAME.events_as_seen([CardTrashed(Seat(0), Card.ONE, UP)], None) == (CardTrashed(Seat(0), Card.ONE, UP),)


def test_nobody_sees_the_order_of_a_shuffle() -> None:
    shuffled = PileShuffled(2, cards("1 2"))
    assert GAME.events_as_seen([shuffled], Seat(0)) == (PileShuffled(2, None),)


def test_the_fields_stand_in_the_order_in_which_they_are_taken_apart_and_put_together() -> None:
    """``rules._play_card`` and ``view.view`` go by position, for speed: who moves a field changes both."""
    assert State._fields == (
        "ply", "round", "starter", "direction", "turn", "owed", "duty", "doubled", "last",
        "draw", "discard", "queue", "hands", "victory", "penalty", "shuffles", "winners",
    )  # fmt: skip
    assert view.View._fields == (
        "seat", "seats", "ply", "round", "starter", "direction", "turn", "owed", "duty", "doubled", "last", "may_call",
        "queue", "hand", "hand_sizes", "open_backs", "draw_size", "draw_top", "discard_size", "victory", "penalty",
        "winners",
    )  # fmt: skip
    seen = view.view(BEFORE, Seat(1))
    for name in set(view.View._fields) & set(State._fields) - {"queue"}:
        assert getattr(seen, name) == getattr(BEFORE, name), name
