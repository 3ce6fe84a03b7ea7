"""12 Days of Christmas put together: two to eight players, most gifts after the last hand.

It has no forced action: a pass that the table made by itself would tell everybody that nothing in the hand fits.
"""

from typing import Final

from engine.games.twelve_days import computer, highlights, rules, transcript, view
from engine.games.twelve_days.actions import Action
from engine.games.twelve_days.errors import Refused
from engine.games.twelve_days.events import DeckShuffled, Event, HandWon, TrickWon
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import View
from engine.turns import TurnGame

GAME: Final = TurnGame[State, Action, Event, View](
    seats=range(2, 9),
    options={rules.LENGTH: ("full", rules.SHORT)},
    state=State,
    action=Action,
    event=Event,
    refused=Refused,
    rules=rules,
    views=view,
    computer=computer,
    shuffled=DeckShuffled,
    concludes_with=(HandWon,),
    rests_after=(TrickWon,),
    transcript=transcript,
    highlights=highlights,
)
