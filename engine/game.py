"""What every game offers: its rules as one class, ``Game``, and the types that it deals in.

A *state* is everything, hidden cards included. An *action* is what a seat asks for, an *event* is what happened. A
*view* is what one seat may know: whatever makes output, and every computer player, gets a view.

Most games have turns; ``engine.turns`` implements nearly all of this page for them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeVar

from engine.errors import Reason

Seat = NewType("Seat", int)
"""A position at the table, 0 .. seats - 1, clockwise."""

MOST_LEVELS: Final = 6
"""How many levels a game's computer players can have: a lobby has so many characters to offer."""

Json = dict[str, Any]

T = TypeVar("T")
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


made: Final[Callable[[type[Any], tuple[Any, ...]], Any]] = tuple.__new__
"""Makes a NamedTuple of its fields, in order: three times as fast as its class, which can take them by name. For what
is made at every move."""


class Chance(Protocol):
    """Where the shuffles and draws of a game come from: ``fair.Fair`` in every real game."""

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """*items* in the order of the game's shuffle number *index* (from 0); the same index gives the same order."""
        ...

    def pick(self, name: str, n: int) -> int:
        """A number from 0 to *n* - 1 for the draw called *name*; the same name gives the same number."""
        ...


class Step(NamedTuple, Generic[S, E]):
    """What an action, or the deal, led to: the new state, and the events in the order in which they happened."""

    state: S
    events: tuple[E, ...]


class Option(NamedTuple, Generic[A]):
    """Something that a seat may do, as the coach sees it."""

    action: A | None
    """``None``: not to call."""
    chance: float
    """The chance to win the game that it leaves, 0 to 1, joint wins shared. If even the best choice leaves exactly 0,
    the rules make it certain that the game is lost."""
    futile: bool = False
    """Whether it cannot bring what it is for, such as a call that cannot be right: no coach proposes it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat in the final ranking.

    ``place`` counts from 1 and is equal for ties; ``score`` is (what counts, tie-break), more being better.
    """

    seat: Seat
    place: int
    score: tuple[int, int]


class Game(ABC, Generic[S, A, E, V]):
    """The rules of one game: all that tables, the store and simulations ask of it."""

    name: str
    """The name of the game's folder in ``engine/games``."""
    seats: range
    """How many can play."""
    options: Mapping[str, tuple[str, ...]]
    """Option name -> allowed values, the default first."""
    refused: type[Reason]
    """The enum of the reasons that only this game's rules give."""
    rules_version: int = 1
    """Counts the changes of these rules by which a record of a game would no longer play as it did."""
    levels: int
    """How many levels computer players have, ``MOST_LEVELS`` at most: 1 is the weakest."""
    ladder: Sequence[float] = ()
    """With two players, the part of the games that each level from the second on wins against the level below it, as it
    was measured; empty: how strong the levels are is not known, so nobody is rated against them."""
    has_calls: bool = False
    """Whether players may call between turns, as with "17!"."""
    has_passes: bool = False
    """Whether a player on turn may pass, or must where nothing else is possible."""
    has_coach: bool = False
    """Whether a coach can say what chances everybody has, and what each choice is worth."""
    has_past: bool = False
    """Whether people may read again what has happened while the game runs."""
    counts: Sequence[str] = ()
    """What ``counted`` counts, in the order in which people read it."""

    @abstractmethod
    def new(self, seats: int, options: Mapping[str, str], chance: Chance) -> Step[S, E]:
        """A new game for *seats* players: the state after the deal, and the deal's events. *options* may be incomplete.

        *seats* must be one of ``self.seats``; that is not checked.

        Raises:
            ValueError: an unknown option or value.
        """

    @abstractmethod
    def apply(self, state: S, action: A, chance: Chance) -> Step[S, E]:
        """The step that *action* leads to. There is no other way to a new state.

        Raises:
            IllegalAction: the rules forbid it, or it is no action at all; *state* still holds.
        """

    @abstractmethod
    def actions(self, view: V) -> tuple[A, ...]:
        """What the viewer may do now on their turn, none twice: the same actions in the same order for equal views.

        Empty off turn, for a spectator and after the end. A call is not among them: see ``may_call``.
        """

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Everything *seat* may do now, on turn or off turn, a call of its own included; none twice."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """What *seat* may know of *state*; ``None``: a spectator, who knows what is public."""

    @abstractmethod
    def witnessed(self, events: Iterable[E], seat: Seat | None) -> tuple[E, ...]:
        """*events* as *seat* saw them, hidden cards left out; ``None``: as a spectator saw them."""

    @abstractmethod
    def usual_minutes(self, seats: int, options: Mapping[str, str]) -> float:
        """How long *seats* people usually take for a game with *options*, which are complete and valid.

        Measured in games of computer players, with 9 s for an action, beats included. Far shorter games count little
        for ratings.
        """

    def luck(self, seats: int, options: Mapping[str, str]) -> float:
        """How much luck decides who is ahead of whom in a game of *seats* with *options*, which are complete and valid:
        1 as in the games of the ``ladder``. With 2, the same advantage in strength is worth half as much (of the
        logarithm of the odds)."""
        return 1.0

    @abstractmethod
    def ply(self, state: S) -> int:
        """The number of actions applied since the deal; it never decreases."""

    @abstractmethod
    def on_turn(self, state: S) -> Seat | None:
        """The seat that has to act; ``None`` when the game is over."""

    @abstractmethod
    def concludes(self, events: Iterable[E]) -> bool:
        """Whether *events*, all of one step, end a round, a hand or the game, so that they stay in sight for a
        while. Those of the step that ends the game always do."""

    @abstractmethod
    def rests(self, step: Step[S, E]) -> bool:
        """Whether a pause (the *beat*) must follow *step* before the next move, so that people can call or see a
        result."""

    @abstractmethod
    def standings(self, state: S) -> tuple[Standing, ...]:
        """The final ranking, best first, ties in seat order; empty while the game runs."""

    @abstractmethod
    def decide(self, view: V, rng: Random, level: int | None = None, memory: Any = None) -> A | None:
        """What a computer player of *level* (1 to ``levels``; ``None``: the strongest) in the viewer's seat does;
        ``None``: nothing, which happens only off turn or after the end.

        *memory* is what ``remember`` has made of what it has witnessed; ``None``: nothing.

        Raises:
            ValueError: *view* is a spectator's, or there is no such level.
        """

    def remember(self, memory: Any, events: Iterable[E], seat: Seat) -> Any:
        """*memory* (``None``: nothing yet) with what a computer player in *seat* keeps in mind of *events*, those of
        one step, of which it learns only what the seat has witnessed.

        An immutable value of the game's own type. ``None`` in a game whose computer players keep nothing in mind.
        """
        return None

    def encode_memory(self, memory: Any) -> Json:
        """*memory*, which is not ``None``, as JSON for the store."""
        raise LookupError(f"nothing is kept in mind in {self.name}")

    def decode_memory(self, data: Json) -> Any:
        """The memory that ``encode_memory`` wrote as *data*."""
        raise LookupError(f"nothing is kept in mind in {self.name}")

    @abstractmethod
    def encode_action(self, action: A) -> Json:
        """*action* as JSON, in the form of audit transcripts."""

    @abstractmethod
    def decode_action(self, data: Any) -> A:
        """The action that ``encode_action`` wrote as *data*.

        Raises:
            ValueError: *data* is anything else.
        """

    @abstractmethod
    def encode_state(self, state: S) -> Json:
        """*state* as JSON for the store, hidden cards included."""

    @abstractmethod
    def decode_state(self, data: Json) -> S:
        """The state that ``encode_state`` wrote as *data*."""

    @abstractmethod
    def encode_event(self, event: E) -> Json:
        """*event* as JSON for the store, hidden cards included."""

    @abstractmethod
    def decode_event(self, data: Json) -> E:
        """The event that ``encode_event`` wrote as *data*."""

    @abstractmethod
    def audit_state(self, state: S) -> Json:
        """*state* as JSON in the form of audit transcripts, hidden cards included."""

    @abstractmethod
    def shuffles(self, events: Iterable[E]) -> list[list[Any]]:
        """The new order of every pile shuffled in *events*, in the form of audit transcripts."""

    @abstractmethod
    def may_call(self, state: S) -> tuple[Seat, ...]:
        """The seats that may call now, in seat order; none in a game without calls."""

    @abstractmethod
    def call(self, seats: Sequence[Seat]) -> A:
        """The one action with which all *seats*, in click order, call at the same time.

        Raises:
            LookupError: there are no calls in this game.
        """

    @abstractmethod
    def part(self, action: A, seat: Seat) -> A | None:
        """What *seat* did in *action*: the action itself, in a common call a call of its own, ``None``: nothing."""

    @abstractmethod
    def forced(self, state: S) -> A | None:
        """The action that the table makes for the player on turn, who has no choice; ``None``: there is a choice."""

    def highlights(self, so_far: Any, before: S, step: Step[S, E]) -> Any:
        """What is worth telling of the game when it is over: *so_far* (``None``: nothing yet) with what is added by
        *step*, which an action led to from the state *before*.

        An immutable value of the game's own type. It may hold what players must not know while the game runs. ``None``
        in a game that has no highlights.
        """
        return None

    def encode_highlights(self, highlights: Any) -> Json:
        """*highlights*, which are not ``None``, as JSON for the store."""
        raise LookupError(f"there are no highlights in {self.name}")

    def decode_highlights(self, data: Json) -> Any:
        """The highlights that ``encode_highlights`` wrote as *data*."""
        raise LookupError(f"there are no highlights in {self.name}")

    def chances(self, state: S) -> Sequence[float]:
        """Every seat's chance to win *state*, all cards open, joint wins shared, against strong players: they add up to
        1, and are exact when the game is over. What is bound to happen next has happened in them: it changes no
        chances. Only in a game with a coach."""
        raise LookupError(f"there is no coach in {self.name}")

    def foregone(self, state: S, action: A) -> bool:
        """Whether *action*, which was made in *state*, was bound to be made: it was the only legal one, or anybody
        would have made it. It decides nothing, whatever comes of it."""
        return False

    def undealt(self, step: Step[S, E]) -> Sequence[float] | None:
        """Every seat's chance to win after *step*, to which an action led, before anybody knew the cards that it dealt
        for a new hand or round: what came of the action, without the luck of the deal. ``None``: it dealt none, as in a
        game without a coach."""
        return None

    def advice(self, view: V, memory: Any) -> Sequence[Option[A]]:
        """Everything that the viewer may do now - off turn to call, or not to - each with the chance to win that it
        leaves, as far as they can know; the best first. Empty: they may do nothing, or see as spectators.

        *memory* is what ``remember`` has made of what they have witnessed; ``None``: nothing. Only in a game with a
        coach.
        """
        raise LookupError(f"there is no coach in {self.name}")

    def insight(self, view: V, memory: Any) -> Any:
        """What the viewer should have thought of what they could not see, in the game's own type; ``None``: nothing is
        to be said. *memory* is as in ``advice``."""
        return None

    def grade(self, seats: int, lost: float) -> int:
        """The level whose computer players, at tables with *seats*, lose about the share *lost* of what is at stake in
        their decisions (``engine.coaching``). Only in a game with a coach."""
        raise LookupError(f"there is no coach in {self.name}")

    def retold(self, steps: Sequence[tuple[E, ...]]) -> Sequence[tuple[Any, ...]]:
        """The newest of *steps* - events as everybody saw them, the deal's first, oldest first - as what may still be
        told of them while the game runs, in the game's own types. Nothing in a game without a past."""
        return ()

    def counted(self, before: S, step: Step[S, E]) -> Sequence[tuple[Seat, str]]:
        """What *step*, which an action led to from the state *before*, adds to what is counted of people over all their
        games: (seat, one of ``counts``), one for each time. Empty in a game that counts nothing of its own."""
        return ()

    @abstractmethod
    def is_pass(self, action: A) -> bool:
        """Whether *action* is a pass."""

    @abstractmethod
    def only_pass(self, state: S) -> A | None:
        """The pass of the player on turn, if it is all they can do; else ``None``, as in a game without passes.

        It tells what the player holds, so the table may make it only in such a way that it looks like any other pass.
        """

    def check_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """*options* completed with the defaults, in the order of ``self.options``.

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
