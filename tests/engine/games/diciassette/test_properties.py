"""Properties of every game of 17, over random playthroughs; those of all games are in ``test_every_game``."""

from hypothesis import given
from hypothesis import strategies as st

from engine.games.diciassette.cards import Face
from engine.games.diciassette.events import CardPlayed, CardsDrawn, CardTrashed
from tests.games.diciassette import CASE

GAMES_OF_17 = st.tuples(st.integers(2, 6), st.integers(0, 2**32))


@given(GAMES_OF_17)
def test_tokens_stay_in_bounds_and_one_victory_token_a_round_d15_d16(game: tuple[int, int]) -> None:
    for before, _, step in CASE.steps(*game):
        after = step.state
        assert all(0 <= tokens <= 3 for tokens in after.victory)
        assert all(0 <= tokens <= 1 for tokens in after.penalty)
        assert all(new - old <= 1 for new, old in zip(after.victory, before.victory, strict=True))


@given(GAMES_OF_17)
def test_hands_are_full_at_the_start_of_every_round_d18a(game: tuple[int, int]) -> None:
    for _, _, step in CASE.steps(*game):
        if step.state.last is None and not step.state.winners:
            assert {len(hand) for hand in step.state.hands} == {3}


@given(GAMES_OF_17)
def test_events_show_no_plain_back_to_others_d2(game: tuple[int, int]) -> None:
    for _, _, step in CASE.steps(*game):
        for event in CASE.rules.events_as_seen(step.events, None):
            match event:
                case CardPlayed(_, card, Face.DOWN) | CardTrashed(_, card, Face.DOWN):
                    assert card is None or card.open_back
                case CardsDrawn(_, drawn):
                    assert all(card is None or card.open_back for card in drawn)
