"""12 Days of Christmas behind the face that tables, stores and simulations know."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from engine.game import Chance, Game, Json, Seat, Standing, Step
from engine.twelve_days import computer, rules, transcript, view
from engine.twelve_days.actions import Action
from engine.twelve_days.errors import Refused
from engine.twelve_days.events import Event, HandWon, TrickWon
from engine.twelve_days.state import State
from engine.twelve_days.view import View

SHORT = "short"


class TwelveDays(Game[State, Action, Event, View]):
    """12 Days of Christmas: two to eight players, most gifts after the last hand."""

    name = "twelve_days"
    seats = range(2, 9)
    options: Mapping[str, tuple[str, ...]] = {"length": ("full", SHORT)}
    reasons = Refused
    state = State
    event = Event

    def new(self, seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
        return rules.new(seats, short=options.get("length") == SHORT, chance=chance)

    def apply(self, state: State, action: Action, chance: Chance) -> Step[State, Event]:
        return rules.apply(state, action, chance)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        return rules.legal_actions(state, seat)

    def view(self, state: State, seat: Seat | None) -> View:
        return view.view(state, seat)

    def witnessed(self, events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
        return view.witnessed(events)

    def ply(self, state: State) -> int:
        return state.ply

    def on_turn(self, state: State) -> Seat | None:
        return None if state.winners else state.turn

    def concludes(self, events: Iterable[Event]) -> bool:
        return any(isinstance(event, HandWon) for event in events)

    def rests(self, step: Step[State, Event]) -> bool:
        """After a trick, so that everybody sees who took it before the next lead."""
        return any(isinstance(event, TrickWon) for event in step.events)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Most gifts first (T10)."""
        if not state.winners:
            return ()
        order = sorted(range(len(state.gifts)), key=lambda seat: -state.gifts[seat])
        return tuple(
            Standing(Seat(seat), 1 + sum(gifts > state.gifts[seat] for gifts in state.gifts), (state.gifts[seat], 0))
            for seat in order
        )

    # No ``forced``: a pass that the table made by itself would tell everybody that nothing in the hand fits.

    def decide(self, view: View, rng: Random) -> Action | None:
        return computer.decide(view, rng)

    def encode_action(self, action: Action) -> Json:
        return transcript.encode_action(action)

    def decode_action(self, data: Json) -> Action:
        return transcript.decode_action(data)

    def audit_state(self, state: State) -> Json:
        return transcript.audit_state(state)

    def shuffles(self, events: Iterable[Event]) -> list[list[Any]]:
        return transcript.shuffles(events)
