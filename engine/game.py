"""The vocabulary every game speaks, and what a table asks of a game.

A *state* is everything, hidden cards included. An *action* is what a seat asks for, an *event* is what
happened. A *view* is what one seat may know: whatever makes output, and every computer player, gets a view.

Most games have turns; ``engine.turns`` implements nearly all of this page for them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, NewType, Protocol, TypeVar

from engine.errors import Reason

Seat = NewType("Seat", int)
"""A position at the table, 0 .. seats - 1, clockwise."""

Json = dict[str, Any]

T = TypeVar("T")
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


class Chance(Protocol):
    """Where shuffles come from; ``fair.Fair`` in every real game."""

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """*items* in the order of the game's shuffle number *index* (from 0)."""
        ...

    def pick(self, name: str, n: int) -> int:
        """One of 0 .. *n* - 1, the draw called *name*."""
        ...


class Step(NamedTuple, Generic[S, E]):
    """What an action led to: the new state, and the events in order."""

    state: S
    events: tuple[E, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat in the final ranking: ``place`` from 1, equal for ties; ``score`` as (what counts, tie-break)."""

    seat: Seat
    place: int
    score: tuple[int, int]


class Game(ABC, Generic[S, A, E, V]):
    """One game's rules as tables, stores and simulations know them."""

    name: str
    """The name of the game's folder in ``engine/games``."""
    seats: range
    options: Mapping[str, tuple[str, ...]]
    """Option name -> allowed values, the default first."""
    refused: type[Reason]
    """What only this game's rules refuse."""
    has_calls: bool = False
    """Whether anybody may call in between turns, as with "17!"."""

    @abstractmethod
    def new(self, seats: int, options: Mapping[str, str], chance: Chance) -> Step[S, E]:
        """The game set up and dealt for *seats* players."""

    @abstractmethod
    def apply(self, state: S, action: A, chance: Chance) -> Step[S, E]:
        """What *action* leads to; the only way to a new state.

        Raises:
            IllegalAction: the rules forbid it, or it is no action at all; *state* still holds.
        """

    @abstractmethod
    def actions(self, view: V) -> tuple[A, ...]:
        """What the viewer, on turn, may do now: the same actions in the same order for equal views, none twice.
        Empty off turn. A call is not among them: see ``may_call``."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Everything *seat* may do now, a call of its own included; none twice."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """What *seat* may know (``None``: a spectator, that is the public)."""

    @abstractmethod
    def witnessed(self, events: Iterable[E], seat: Seat | None) -> tuple[E, ...]:
        """*events* as *seat* saw them happen, hidden cards left out."""

    @abstractmethod
    def ply(self, state: S) -> int:
        """How many actions have been applied since the deal; never decreases."""

    @abstractmethod
    def on_turn(self, state: S) -> Seat | None:
        """The seat that has to act, ``None`` when the game is over."""

    @abstractmethod
    def concludes(self, events: Iterable[E]) -> bool:
        """Whether *events* end a round, a hand or the game, so that their result stays in sight for a while."""

    @abstractmethod
    def rests(self, step: Step[S, E]) -> bool:
        """Whether everybody needs a beat after *step* before the next move lands: to call, or to see how
        something ended."""

    @abstractmethod
    def standings(self, state: S) -> tuple[Standing, ...]:
        """The final ranking, best first; empty while the game runs."""

    @abstractmethod
    def decide(self, view: V, rng: Random) -> A | None:
        """What a computer player in that seat does; ``None``: nothing (only when not on turn).

        Raises:
            ValueError: *view* is the public's.
        """

    @abstractmethod
    def encode_action(self, action: A) -> Json:
        """*action* as an audit transcript writes it."""

    @abstractmethod
    def decode_action(self, data: Any) -> A:
        """The action that ``encode_action`` wrote.

        Raises:
            ValueError: *data* is anything else.
        """

    @abstractmethod
    def encode_state(self, state: S) -> Json:
        """*state* for the store."""

    @abstractmethod
    def decode_state(self, data: Json) -> S:
        """The state that ``encode_state`` wrote."""

    @abstractmethod
    def encode_event(self, event: E) -> Json:
        """*event* for the store."""

    @abstractmethod
    def decode_event(self, data: Json) -> E:
        """The event that ``encode_event`` wrote."""

    @abstractmethod
    def audit_state(self, state: S) -> Json:
        """*state* as an audit transcript writes it."""

    @abstractmethod
    def shuffles(self, events: Iterable[E]) -> list[list[Any]]:
        """Every pile shuffled in *events*, as an audit transcript writes it."""

    @abstractmethod
    def may_call(self, state: S) -> tuple[Seat, ...]:
        """The seats that may call now, in seat order; none in a game without calls."""

    @abstractmethod
    def call(self, seats: Sequence[Seat]) -> A:
        """The one action of all *seats* (in click order) that called at the same time.

        Raises:
            LookupError: there are no calls in this game.
        """

    @abstractmethod
    def forced(self, state: S) -> A | None:
        """The action that the table makes for the player on turn, who has no choice; ``None``: there is none."""

    def check_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """*options* completed with the defaults.

        Raises:
            ValueError: an unknown option or value; the text says what is allowed.
        """
        for key, value in options.items():
            if key not in self.options:
                allowed = ", ".join(sorted(self.options)) or "none"
                raise ValueError(f"unknown option {key!r} for {self.name}; its options: {allowed}")
            if value not in self.options[key]:
                raise ValueError(f"option {key} takes {', '.join(self.options[key])}, not {value!r}")
        return {key: options.get(key, values[0]) for key, values in self.options.items()}
