"""The game 12 Days of Christmas: two to eight players, the most gifts after the last hand win.

It has no forced action: an immediate pass by the table would reveal that nothing in the hand fits. If a player wants
it, the table passes for them after a while, so that it looks like their own pass.
"""

from collections.abc import Mapping
from typing import Final

from engine.game import Game
from engine.games.twelve_days import (
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
from engine.games.twelve_days.actions import Action, Pass
from engine.games.twelve_days.errors import Refused
from engine.games.twelve_days.events import DeckShuffled, Event, HandWon, TrickWon
from engine.games.twelve_days.state import SEATS, State
from engine.games.twelve_days.view import View


def _usual_minutes(seats: int, options: Mapping[str, str]) -> float:
    """The usual length of a game of *seats* with these *options* in minutes.

    Measured, with 2 to 8 seats: 20, 31, 43, 56, 68, 79, 80; short games: 5, 7, 11, 13, 17, 20, 20.
    """
    return (2.8 if options[rules.LENGTH] == rules.SHORT else 11) * min(seats, 7)


GAME: Final = Game[State, Action, Event, View](
    name="twelve_days",
    seats=SEATS,
    options={rules.LENGTH: ("full", rules.SHORT)},
    state=State,
    action=Action,
    event=Event,
    refused=Refused,
    rules=rules,
    views=view,
    computers=computers,
    memory=memory,
    ladder=ladder,
    passes=Pass,
    coach=coach,
    history=history,
    highlights=highlights,
    tallies=tallies,
    daily=daily,
    transcript=transcript,
    usual_minutes=_usual_minutes,
    shuffled=DeckShuffled,
    concludes_with=(HandWon,),
    rests_after=(TrickWon,),
)
