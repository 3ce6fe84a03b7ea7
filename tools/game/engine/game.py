"""Zebra put together: two to four players, three or two cards each, most tricks win."""

from typing import Final

from engine.game import Game
from engine.games.zebra import computers, rules, view
from engine.games.zebra.actions import Action
from engine.games.zebra.errors import Refused
from engine.games.zebra.events import Event, GameEnded, Shuffled, TrickTaken
from engine.games.zebra.state import State
from engine.games.zebra.view import View

GAME: Final = Game[State, Action, Event, View](
    name="zebra",
    seats=range(2, 5),
    options={"cards": ("3", "2")},
    state=State,
    action=Action,
    event=Event,
    refused=Refused,
    rules=rules,
    views=view,
    computers=computers,
    usual_minutes=lambda seats, options: seats * int(options["cards"]) * 9 / 60,  # a card an action, 9 s each
    shuffled=Shuffled,
    concludes_with=(GameEnded,),
    rests_after=(TrickTaken,),
)
