"""17 behind the face that tables, stores and simulations know."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from engine.diciassette import computer, rules, transcript, view
from engine.diciassette.actions import Action, Call
from engine.diciassette.errors import Refused
from engine.diciassette.events import Event, Revealed
from engine.diciassette.state import State
from engine.diciassette.view import View
from engine.game import Chance, Game, Json, Seat, Standing, Step


class Diciassette(Game[State, Action, Event, View]):
    """17: two to six players, first to three victory tokens."""

    name = "diciassette"
    seats = range(2, 7)
    options: Mapping[str, tuple[str, ...]] = {}
    reasons = Refused
    interrupts = True
    state = State
    event = Event

    def new(self, seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
        return rules.deal(seats, chance)

    def apply(self, state: State, action: Action, chance: Chance) -> Step[State, Event]:
        return rules.apply(state, action, chance)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        return rules.legal_actions(state, seat)

    def view(self, state: State, seat: Seat | None) -> View:
        return view.view(state, seat)

    def witnessed(self, events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
        return view.witnessed(events, seat)

    def ply(self, state: State) -> int:
        return state.ply

    def on_turn(self, state: State) -> Seat | None:
        return None if state.winners else state.turn

    def shouters(self, state: State) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat in range(len(state.hands)) if state.may_call(Seat(seat)))

    def shout(self, seats: Sequence[Seat]) -> Action:
        return Call(tuple(seats))

    def forced(self, state: State) -> Action | None:
        """The call of a player with an empty hand (D10)."""
        return Call((state.turn,)) if not state.winners and not state.hands[state.turn] else None

    def concludes(self, events: Iterable[Event]) -> bool:
        return any(isinstance(event, Revealed) for event in events)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Most victory tokens first, fewest penalty tokens next; the winners lead (D17)."""
        if not state.winners:
            return ()
        scores = [(state.victory[seat], -state.penalty[seat]) for seat in range(len(state.hands))]
        order = sorted(range(len(scores)), key=lambda seat: scores[seat], reverse=True)
        return tuple(
            Standing(Seat(seat), 1 + sum(score > scores[seat] for score in scores), scores[seat]) for seat in order
        )

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
