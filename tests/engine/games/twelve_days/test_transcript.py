"""How actions of 12 Days stand in transcripts and records."""

import pytest

from engine.game import Seat
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.transcript import decode_action, encode_action


def test_cards_come_back_as_they_were_played() -> None:
    play = Play(Seat(2), (3, 3, 12))
    assert decode_action(encode_action(play)) == play


@pytest.mark.parametrize("cards", [[2, 1], [0], [13], [1, 13], ["1"], [None]])
def test_what_no_card_is_or_not_sorted_is_refused(cards: list[object]) -> None:
    with pytest.raises(ValueError, match="no cards"):
        decode_action({"seat": 0, "play": cards})
