"""A game with turns, put together from the modules in its folder.

``TurnGame`` adds what all such games share: it refuses malformed actions, actions after the end and actions off turn;
it ranks by score; it keeps spectators and the wrong seats from deciding; it writes states, actions and events as JSON.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from types import MappingProxyType
from typing import Any, Final

from engine import codec, rooms
from engine.errors import General, IllegalAction, Reason
from engine.game import Chance, Game, Json, Option, Seat, Standing, Step
from engine.rooms import A, E, S, V

_DECODING_ERRORS: Final = (AttributeError, LookupError, TypeError, ValueError)
"""What decoding raises for data that we did not write."""
NO_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})


def _sorted_json(data: Any) -> str:
    """*data* as JSON text that is equal for equal data: keys are sorted."""
    return json.dumps(data, sort_keys=True)


class TurnGame(Game[S, A, E, V]):
    """A game with turns. Its name is that of the folder which holds its modules; ``Game`` says what its methods do.

    *state*, *action* and *event* are its types (a NamedTuple, or a union of NamedTuples); *rules*, *views*, *computer*,
    *ladder*, *memory*, *calls*, *transcript*, *highlights*, *coach*, *past* and *tallies* are modules
    (``engine.rooms`` says what each must hold). After the events in *rests_after* the table pauses for a beat, as it
    does whenever somebody may call. *passes* is the kind of action with which a player passes, in a game where that is
    possible.
    *shuffled* is the event of a shuffle: its field ``order`` holds the new pile. *rules_version* grows by 1 with every
    change after which a recorded game would play differently: other cards, another order of draws, a play that was
    legal and is not.
    *usual_minutes* gives what ``Game.usual_minutes`` says.

    *concludes_with* are the events that end a round or hand. The table shows the step with such an event as the outcome
    of the round: all its events, with those of the next deal, if they are in the same step. The step that ends the game
    must have one of them too; an event for that end need not be listed if a round ends in the same step.
    """

    def __init__(
        self,
        *,
        seats: range,
        state: type[S],
        action: Any,
        event: Any,
        refused: type[Reason],
        rules: rooms.Rules[S, A, E],
        views: rooms.Views[S, A, E, V],
        computer: rooms.Computer[V, A],
        ladder: rooms.Ladder | None = None,
        usual_minutes: Callable[[int, Mapping[str, str]], float],
        options: Mapping[str, tuple[str, ...]] = NO_OPTIONS,
        shuffled: type[E] | None = None,
        concludes_with: tuple[type[E], ...] = (),
        rests_after: tuple[type[E], ...] = (),
        passes: type[A] | None = None,
        memory: rooms.Memory[E] | None = None,
        calls: rooms.Calls[S, A] | None = None,
        transcript: rooms.Transcript[S, A] | None = None,
        highlights: rooms.Highlights[S, E] | None = None,
        coach: rooms.Coach[S, A, E, V] | None = None,
        past: rooms.Past[E] | None = None,
        tallies: rooms.Tallies[S, E] | None = None,
        rules_version: int = 1,
    ) -> None:
        self.name = rules.__name__.split(".")[-2]
        self.seats = seats
        self.options = options
        self.refused = refused
        self.rules_version = rules_version
        self.levels = computer.LEVELS
        self.ladder = () if ladder is None else tuple(ladder.SHARES)
        self.has_calls = calls is not None
        self.has_passes = passes is not None
        self.has_coach = coach is not None
        self.has_past = past is not None
        self.counts = () if tallies is None else tuple(tallies.COUNTS)
        self._rules = rules
        self._views = views
        self._computer = computer
        self._ladder = ladder
        self._memory = memory
        self._usual_minutes = usual_minutes
        self._shuffled = shuffled
        self._concluding = concludes_with
        self._resting = rests_after
        self._passes = passes
        self._calls = calls
        self._transcript = transcript
        self._highlights = highlights
        self._coach = coach
        self._past = past
        self._tallies = tallies
        self._encode_state, self._decode_state = codec.encoder(state), codec.decoder(state)
        self._encode_event, self._decode_event = codec.encoder(event), codec.decoder(event)
        self._encode_action, self._decode_action = codec.encoder(action), codec.decoder(action)
        self._well_formed = codec.checker(action)
        self._turn_bound = frozenset(kind for kind in codec.members(action) if "seat" in kind._fields)
        """The kinds of action that only the seat on turn may do."""
        self._checks = {kind: codec.checker(kind) for kind in codec.members(action)}
        """For every kind of action, whether all its fields have their types: quicker than ``_well_formed``."""

    # The rules

    def new(self, seats: int, options: Mapping[str, str], chance: Chance) -> Step[S, E]:
        return self._rules.deal(seats, self.check_options(options), chance)

    def apply(self, state: S, action: A, chance: Chance) -> Step[S, E]:
        kind = type(action)
        well_formed = self._checks.get(kind)
        if well_formed is None or not well_formed(action):
            raise IllegalAction(General.MALFORMED)
        if state.winners:
            raise IllegalAction(General.GAME_OVER)
        if kind in self._turn_bound and action.seat != state.turn:  # type: ignore[attr-defined] # it is a field
            raise IllegalAction(General.NOT_YOUR_TURN)
        return self._rules.apply(state, action, chance)

    def actions(self, view: V) -> tuple[A, ...]:
        if view.seat is None or view.seat != view.turn or view.winners:
            return ()
        return self._views.actions(view, view.seat)

    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        own = self.actions(self._views.view(state, seat)) if seat == state.turn else ()
        return (*own, self.call((seat,))) if seat in self.may_call(state) else own

    def view(self, state: S, seat: Seat | None) -> V:
        return self._views.view(state, seat)

    def witnessed(self, events: Iterable[E], seat: Seat | None) -> tuple[E, ...]:
        witness = self._views.witness
        return tuple([witness(event, seat) for event in events])

    def usual_minutes(self, seats: int, options: Mapping[str, str]) -> float:
        return self._usual_minutes(seats, options)

    def luck(self, seats: int, options: Mapping[str, str]) -> float:
        return 1.0 if self._ladder is None else self._ladder.luck(seats, options)

    def ply(self, state: S) -> int:
        return state.ply

    def on_turn(self, state: S) -> Seat | None:
        return None if state.winners else state.turn

    def concludes(self, events: Iterable[E]) -> bool:
        return any(isinstance(event, self._concluding) for event in events)

    def rests(self, step: Step[S, E]) -> bool:
        return any(isinstance(event, self._resting) for event in step.events) or bool(self.may_call(step.state))

    def standings(self, state: S) -> tuple[Standing, ...]:
        if not state.winners:
            return ()
        scores = self._rules.scores(state)
        order = sorted(range(len(scores)), key=lambda seat: scores[seat], reverse=True)
        return tuple(
            Standing(Seat(seat), 1 + sum(score > scores[seat] for score in scores), scores[seat]) for seat in order
        )

    # Computer players

    def decide(self, view: V, rng: Random, level: int | None = None, memory: Any = None) -> A | None:
        if view.seat is None:
            raise ValueError("a spectator decides nothing")
        if level is not None and not 1 <= level <= self.levels:
            raise ValueError(f"{self.name} has levels 1 to {self.levels}, not {level}")
        if view.winners or (view.seat != view.turn and self._calls is None):
            return None
        return self._computer.decide(view, view.seat, rng, level or self.levels, memory)

    def remember(self, memory: Any, events: Iterable[E], seat: Seat) -> Any:
        if self._memory is None:
            return None
        before = self._memory.NOTHING if memory is None else memory
        return self._memory.remember(before, self.witnessed(events, seat), seat)

    def encode_memory(self, memory: Any) -> Json:
        if self._memory is None:
            return super().encode_memory(memory)
        kind: Any = type(self._memory.NOTHING)
        encoded: Json = codec.encoder(kind)(memory)
        return encoded

    def decode_memory(self, data: Json) -> Any:
        if self._memory is None:
            return super().decode_memory(data)
        kind: Any = type(self._memory.NOTHING)
        return codec.decoder(kind)(data)

    # Calls

    def may_call(self, state: S) -> tuple[Seat, ...]:
        return () if self._calls is None or state.winners else self._calls.may_call(state)

    def call(self, seats: Sequence[Seat]) -> A:
        if self._calls is None:
            raise LookupError(f"there are no calls in {self.name}")
        return self._calls.call(tuple(seats))

    def part(self, action: A, seat: Seat) -> A | None:
        if type(action) in self._turn_bound:
            return action if action.seat == seat else None  # type: ignore[attr-defined] # it is a field
        return self.call((seat,)) if seat in action.seats else None  # type: ignore[attr-defined] # of a call

    def forced(self, state: S) -> A | None:
        return None if self._calls is None or state.winners else self._calls.forced(state)

    # Highlights

    def highlights(self, so_far: Any, before: S, step: Step[S, E]) -> Any:
        if self._highlights is None:
            return None
        return self._highlights.highlights(self._highlights.NOTHING if so_far is None else so_far, before, step)

    # The coach

    def chances(self, state: S) -> Sequence[float]:
        return super().chances(state) if self._coach is None else self._coach.chances(state)

    def foregone(self, state: S, action: A) -> bool:
        return self._coach is not None and self._coach.foregone(state, action)

    def undealt(self, step: Step[S, E]) -> Sequence[float] | None:
        return None if self._coach is None else self._coach.undealt(step)

    def advice(self, view: V, memory: Any) -> Sequence[Option[A]]:
        if self._coach is None:
            return super().advice(view, memory)
        return () if view.seat is None else self._coach.options(view, view.seat, memory)

    def insight(self, view: V, memory: Any) -> Any:
        if self._coach is None or view.seat is None:
            return None
        return self._coach.insight(view, view.seat, memory)

    def grade(self, seats: int, lost: float) -> int:
        if self._coach is None:
            return super().grade(seats, lost)
        measured = self._coach.LOST
        by_level = measured[min(measured, key=lambda known: abs(known - seats))]
        return 1 + sum(lost < sqrt(worse * better) for worse, better in pairwise(by_level))

    def encode_highlights(self, highlights: Any) -> Json:
        if self._highlights is None:
            return super().encode_highlights(highlights)
        kind: Any = type(self._highlights.NOTHING)
        encoded: Json = codec.encoder(kind)(highlights)
        return encoded

    def decode_highlights(self, data: Json) -> Any:
        if self._highlights is None:
            return super().decode_highlights(data)
        kind: Any = type(self._highlights.NOTHING)
        return codec.decoder(kind)(data)

    def retold(self, steps: Sequence[tuple[E, ...]]) -> Sequence[tuple[Any, ...]]:
        return () if self._past is None else self._past.retold(steps)

    # Tallies

    def counted(self, before: S, step: Step[S, E]) -> Sequence[tuple[Seat, str]]:
        return () if self._tallies is None else self._tallies.counted(before, step)

    # Passes

    def is_pass(self, action: A) -> bool:
        return self._passes is not None and isinstance(action, self._passes)

    def only_pass(self, state: S) -> A | None:
        if self._passes is None or state.winners:
            return None
        possible = self.legal_actions(state, state.turn)
        return possible[0] if len(possible) == 1 and self.is_pass(possible[0]) else None

    # JSON

    def encode_action(self, action: A) -> Json:
        encode = self._encode_action if self._transcript is None else self._transcript.encode_action
        encoded: Json = encode(action)
        return encoded

    def decode_action(self, data: Any) -> A:
        decode = self._decode_action if self._transcript is None else self._transcript.decode_action
        try:
            action: A = decode(data)
            # As text, since True and 1.0 are equal to 1.
            if self._well_formed(action) and _sorted_json(self.encode_action(action)) == _sorted_json(data):
                return action
        except _DECODING_ERRORS as error:
            raise ValueError(f"no action of {self.name}: {data!r}") from error
        raise ValueError(f"no action of {self.name}: {data!r}")

    def encode_state(self, state: S) -> Json:
        encoded: Json = self._encode_state(state)
        return encoded

    def decode_state(self, data: Json) -> S:
        state: S = self._decode_state(data)
        return state

    def encode_event(self, event: E) -> Json:
        encoded: Json = self._encode_event(event)
        return encoded

    def decode_event(self, data: Json) -> E:
        event: E = self._decode_event(data)
        return event

    def audit_state(self, state: S) -> Json:
        if self._transcript is not None:
            return self._transcript.audit_state(state)
        return {**self.encode_state(state), "over": bool(state.winners)}

    def shuffles(self, events: Iterable[E]) -> list[list[Any]]:
        if self._shuffled is None:
            return []
        orders = [self.encode_event(event)["order"] for event in events if isinstance(event, self._shuffled)]
        return [order for order in orders if order is not None]
