"""Properties of every game of 17, over random playthroughs."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.diciassette import view
from engine.diciassette.cards import DECK, Card, Face
from engine.diciassette.events import CardPlayed, CardsDrawn, CardTrashed
from engine.diciassette.state import Laid, State
from engine.errors import IllegalAction
from engine.fair import Fair
from engine.game import Seat, Step
from engine.registry import GAMES

GAME = GAMES["diciassette"]
GAMES_OF_17 = st.tuples(st.integers(2, 6), st.integers(0, 2**32))


def steps(seats: int, seed: int, shy: int = 6) -> Iterator[tuple[State, Any, Step[Any, Any]]]:
    """(state, action, step) of a random game; calls are one chance in *shy*, so that queues grow."""
    rng = Random(seed)
    chance = Fair(seed.to_bytes(32, "big"))
    state = GAME.new(seats, {}, chance).state
    while not state.winners:
        actions = [action for seat in range(seats) for action in GAME.legal_actions(state, Seat(seat))]
        plays = [action for action in actions if not hasattr(action, "seats")]
        action = rng.choice(plays if plays and rng.randrange(shy) else actions)
        step = GAME.apply(state, action, chance)
        yield state, action, step
        state = step.state


def everything(state: State) -> Counter[Card]:
    held = [card for hand in state.hands for card in hand]
    return Counter([*held, *state.draw, *state.discard, *(laid.card for laid in state.queue)])


@settings(max_examples=60, deadline=None)
@given(GAMES_OF_17)
def test_seventy_cards_always_d1(game: tuple[int, int]) -> None:
    for _, _, step in steps(*game):
        assert everything(step.state) == Counter(DECK)


@settings(max_examples=40, deadline=None)
@given(GAMES_OF_17, st.sampled_from([2, 6, 60]))
def test_never_stuck_somebody_can_always_act_and_the_game_ends(game: tuple[int, int], shy: int) -> None:
    count = 0
    for state, _, _ in steps(*game, shy):
        assert GAME.legal_actions(state, state.turn)
        count += 1
    assert 0 < count < 20_000


@settings(max_examples=30, deadline=None)
@given(GAMES_OF_17)
def test_legal_actions_and_apply_agree(game: tuple[int, int]) -> None:
    chance = Fair(bytes(32))
    for state, _, _ in steps(*game):
        for seat in map(Seat, range(game[0])):
            legal = set(GAME.legal_actions(state, seat))
            for card in Card:
                for face in Face:
                    _agree(state, _play(seat, card, face), legal, chance)
            _agree(state, GAME.shout((seat,)), legal, chance)


def _play(seat: Seat, card: Card, face: Face) -> Any:
    return GAME.decode_action({"seat": seat, "play": card.value, "face": face.value})


def _agree(state: State, action: Any, legal: set[Any], chance: Fair) -> None:
    if action in legal:
        GAME.apply(state, action, chance)
    else:
        with pytest.raises(IllegalAction):
            GAME.apply(state, action, chance)


@settings(max_examples=30, deadline=None)
@given(GAMES_OF_17)
def test_tokens_stay_in_bounds_and_one_victory_token_a_round_d15_d16(game: tuple[int, int]) -> None:
    for before, _, step in steps(*game):
        after = step.state
        assert all(0 <= tokens <= 3 for tokens in after.victory)
        assert all(0 <= tokens <= 1 for tokens in after.penalty)
        assert all(new - old <= 1 for new, old in zip(after.victory, before.victory, strict=True))


@settings(max_examples=30, deadline=None)
@given(GAMES_OF_17)
def test_hands_are_full_at_the_start_of_every_round_d18a(game: tuple[int, int]) -> None:
    for _, _, step in steps(*game):
        if step.state.last is None and not step.state.winners:
            assert {len(hand) for hand in step.state.hands} == {3}


@settings(max_examples=20, deadline=None)
@given(GAMES_OF_17)
def test_json_round_trips(game: tuple[int, int]) -> None:
    for state, action, step in steps(*game):
        assert GAME.decode_state(GAME.encode_state(state)) == state
        assert GAME.decode_action(GAME.encode_action(action)) == action
        assert [GAME.decode_event(GAME.encode_event(event)) for event in step.events] == list(step.events)


@settings(max_examples=20, deadline=None)
@given(GAMES_OF_17)
def test_a_replay_from_seed_and_actions_is_the_same_game(game: tuple[int, int]) -> None:
    chance = Fair(game[1].to_bytes(32, "big"))
    state = GAME.new(game[0], {}, chance).state
    for before, action, step in steps(*game):
        assert state == before
        state = GAME.apply(state, action, chance).state
        assert state == step.state


@settings(max_examples=20, deadline=None)
@given(GAMES_OF_17)
def test_the_old_state_is_unchanged(game: tuple[int, int]) -> None:
    for before, action, _ in steps(*game):
        frozen = GAME.encode_state(before)
        GAME.apply(before, action, Fair(bytes(32)))
        assert GAME.encode_state(before) == frozen


def redealt(state: State, seat: Seat | None, rng: Random) -> State:
    """*state* with everything that *seat* cannot see dealt anew (D2): plain backs stay plain, open backs stay;
    cards in the draw pile below its top and in the discard pile may be anything."""
    plain: list[Card] = []
    free: list[Card] = [*state.draw[1:], *state.discard]
    if state.draw and not state.draw[0].open_back:
        plain.append(state.draw[0])
    for other, hand in enumerate(state.hands):
        if other != seat:
            plain += [card for card in hand if not card.open_back]
    for laid in state.queue:
        if laid.face is Face.DOWN and laid.seat != seat and not laid.card.open_back:
            plain.append(laid.card)
    pool = plain + [card for card in free if not card.open_back]
    rng.shuffle(pool)
    hidden = iter(pool[: len(plain)])
    rest = pool[len(plain) :] + [card for card in free if card.open_back]
    rng.shuffle(rest)

    def other(card: Card) -> Card:
        return card if card.open_back else next(hidden)

    top = tuple(other(card) for card in state.draw[:1])
    hands = tuple(
        hand if owner == seat else tuple(rng.sample([other(card) for card in hand], len(hand)))
        for owner, hand in enumerate(state.hands)
    )
    queue = tuple(
        Laid(laid.seat, other(laid.card), laid.face) if laid.face is Face.DOWN and laid.seat != seat else laid
        for laid in state.queue
    )
    below = len(state.draw) - len(top)
    return state._replace(draw=(*top, *rest[:below]), discard=tuple(rest[below:]), hands=hands, queue=queue)


@settings(max_examples=60, deadline=None)
@given(GAMES_OF_17, st.integers(0, 2**32))
def test_dealing_anew_what_a_seat_cannot_see_leaves_its_view_equal_d2(game: tuple[int, int], deal: int) -> None:
    rng = Random(deal)
    changed = 0
    for _, _, step in steps(*game):
        for seat in (None, *map(Seat, range(game[0]))):
            other = redealt(step.state, seat, rng)
            assert everything(other) == everything(step.state)
            assert view.view(other, seat) == view.view(step.state, seat)
            changed += other != step.state
    assert changed


@settings(max_examples=30, deadline=None)
@given(GAMES_OF_17)
def test_events_show_no_plain_back_to_others_d2(game: tuple[int, int]) -> None:
    for _, _, step in steps(*game):
        for event in GAME.witnessed(step.events, None):
            match event:
                case CardPlayed(_, card, Face.DOWN) | CardTrashed(_, card, Face.DOWN):
                    assert card is None or card.open_back
                case CardsDrawn(_, drawn):
                    assert all(card is None or card.open_back for card in drawn)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_thousand_long_games_end(seats: int) -> None:
    for seed in range(200):
        *_, (_, _, last) = steps(seats, seed, shy=12)
        assert last.state.winners
