"""What may be told again of a round while it is played: what lies in the queue, and of a trashed card that it went."""

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette import rules, view
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import Card
from engine.games.diciassette.events import CardPlayed, DirectionReversed, Doubled, PileShuffled
from engine.games.diciassette.history import Drawn, PlayedThenTrashed, RetoldEvent, Trashed, readable_events
from engine.games.diciassette.state import State
from engine.registry import GAMES
from tests.games import CASES
from tests.games.diciassette import DOWN, UP, state

FAIR = SeededChance(bytes(32))
GAME = GAMES["diciassette"]


def told(before: State, *actions: Action) -> list[tuple[RetoldEvent, ...]]:
    """What may be told of *actions*, which lead on from *before*."""
    steps = []
    for action in actions:
        before, events = rules.apply(before, action, FAIR)
        steps.append(GAME.events_as_seen(events, None))
    return list(readable_events(steps))


START = state(["1 2= T", "R 4= 1", "2 X P"], turn=0, draw="5= 1 2 1 2 3= 4 5")


@pytest.mark.parametrize("seed", range(6))
def test_it_names_the_cards_that_everybody_sees_in_the_queue_and_no_other_d2_d19(seed: int) -> None:
    steps = [GAME.new(4, {}, SeededChance(seed.to_bytes(32, "big"))).events]
    trashed = 0
    for _, _, step in CASES["diciassette"].steps(4, seed):
        steps.append(step.events)
        public = view.view(step.state, None)
        if public.winners:
            break
        round_ = [it for events in readable_events([GAME.events_as_seen(it, None) for it in steps]) for it in events]
        laid = [it for it in round_ if isinstance(it, CardPlayed)]
        assert [(it.seat, it.card, it.face) for it in laid] == [tuple(seen) for seen in public.queue]
        others = {type(it) for it in round_} - {CardPlayed}
        assert others <= {PlayedThenTrashed, Trashed, Drawn, DirectionReversed, Doubled, PileShuffled}
        reversed_by = [it for it in laid if it.card is Card.REVERSE and it.face is UP]
        assert len(reversed_by) == sum(isinstance(it, DirectionReversed) for it in round_)
        trashed += sum(isinstance(it, PlayedThenTrashed) for it in round_)
    assert trashed


def test_of_a_trashed_card_only_that_it_went_d11_d19() -> None:
    """What it did is not told either: that would name it."""
    for card, face in ((Card.REVERSE, UP), (Card.FOUR_OPEN, DOWN), (Card.ONE, DOWN)):
        before = START._replace(turn=Seat(1), hands=(*START.hands[:1], (card, Card.TRASH), START.hands[2]))
        after = rules.apply(before, Play(Seat(1), card, face), FAIR).state
        thrower = after.turn
        hands = tuple((Card.TRASH,) if seat == thrower else hand for seat, hand in enumerate(after.hands))
        before = before._replace(hands=tuple(hands[s] if s == thrower else h for s, h in enumerate(before.hands)))
        first, second = told(before, Play(Seat(1), card, face), Play(thrower, Card.TRASH, UP))
        assert first == (PlayedThenTrashed(Seat(1)), Drawn(Seat(1), 1))
        assert second == (Trashed(thrower, Seat(1)), Drawn(thrower, 1))


def test_a_trash_on_an_empty_queue_takes_nothing_d11() -> None:
    assert told(START, Play(Seat(0), Card.TRASH, UP)) == [(Trashed(Seat(0), None), Drawn(Seat(0), 1))]


def test_a_face_down_trash_lies_there_hidden_d12() -> None:
    assert told(START, Play(Seat(0), Card.TRASH, DOWN)) == [(CardPlayed(Seat(0), None, DOWN), Drawn(Seat(0), 1))]


def test_an_x2_and_how_many_cards_are_drawn_after_it_d6() -> None:
    plays = (Play(Seat(2), Card.X2, UP), Play(Seat(0), Card.ONE, UP), Play(Seat(0), Card.TWO_OPEN, UP))
    first, second, third = told(START._replace(turn=Seat(2)), *plays)
    assert first == (CardPlayed(Seat(2), Card.X2, UP), Doubled(), Drawn(Seat(2), 1))
    assert second == (CardPlayed(Seat(0), Card.ONE, UP),)
    assert third == (CardPlayed(Seat(0), Card.TWO_OPEN, UP), Drawn(Seat(0), 2))


def test_an_ended_round_is_not_told_again_d19() -> None:
    assert told(START, Play(Seat(0), Card.ONE, UP), Call((Seat(1),))) == []
