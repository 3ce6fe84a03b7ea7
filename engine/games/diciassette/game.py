"""The game 17: two to six players, the first with three victory tokens wins."""

from collections.abc import Mapping
from typing import Final

from engine.game import Game
from engine.games.diciassette import (
    calls,
    coach,
    computers,
    daily,
    highlights,
    history,
    ladder,
    memory,
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


def _usual_minutes(seats: int, options: Mapping[str, str]) -> float:
    """The usual length of a game of *seats* in minutes.

    Measured, with 2 to 6 seats: 7.6, 6.6, 7.8, 8.9, 8.9.
    """
    return 6 + 0.5 * seats


GAME: Final = Game[State, Action, Event, View](
    name="diciassette",
    seats=SEATS,
    state=State,
    action=Action,
    event=Event,
    refused=Refused,
    rules=rules,
    views=view,
    computers=computers,
    memory=memory,
    ladder=ladder,
    calls=calls,
    coach=coach,
    history=history,
    highlights=highlights,
    tallies=tallies,
    daily=daily,
    transcript=transcript,
    usual_minutes=_usual_minutes,
    shuffled=PileShuffled,
    concludes_with=(Revealed,),
)
