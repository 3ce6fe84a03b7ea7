"""17 put together: two to six players, first to three victory tokens."""

from collections.abc import Mapping
from typing import Final

from engine.games.diciassette import (
    calls,
    coach,
    computer,
    highlights,
    ladder,
    memory,
    past,
    rules,
    tallies,
    transcript,
    view,
)
from engine.games.diciassette.actions import Action
from engine.games.diciassette.errors import Refused
from engine.games.diciassette.events import Event, PileShuffled, Revealed
from engine.games.diciassette.state import SEATS, State
from engine.games.diciassette.view import View
from engine.turns import TurnGame


def _usual_minutes(seats: int, options: Mapping[str, str]) -> float:
    """Measured, with 2 to 6 seats: 7.6, 6.6, 7.8, 8.9, 8.9."""
    return 6 + 0.5 * seats


GAME: Final = TurnGame[State, Action, Event, View](
    seats=SEATS,
    state=State,
    action=Action,
    event=Event,
    refused=Refused,
    rules=rules,
    views=view,
    computer=computer,
    ladder=ladder,
    memory=memory,
    usual_minutes=_usual_minutes,
    calls=calls,
    shuffled=PileShuffled,
    concludes_with=(Revealed,),
    transcript=transcript,
    highlights=highlights,
    coach=coach,
    past=past,
    tallies=tallies,
)
