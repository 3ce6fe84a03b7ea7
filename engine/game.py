"""The type of a game: ``Game``, made of parts, and the types of its states, views and results.

A *state* is everything, hidden cards included. An *action* is what a seat asks for, an *event* is what happened. A
*view* is what one seat may know. Output and computer players use only views.

The parts are modules in the game's folder, with the same names in every game. Each part has a protocol here, which says
what it must contain. mypy checks this where ``engine/games/<name>/game.py`` passes the modules to ``Game``, so a
missing or misspelt function is an error there. A part is used through the game (``game.coach.chances(state)``); a part
that a game lacks is ``None``. ``Game`` itself adds what all games share. It refuses malformed actions, actions after
the end and actions off turn; it ranks by score; it refuses decisions of spectators; it writes states, actions and
events as JSON.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeVar

from engine import codec
from engine.errors import General, IllegalAction, Reason

Seat = NewType("Seat", int)
"""A position at the table, 0 .. seats - 1, clockwise."""

MOST_LEVELS: Final = 6
"""The most levels that a game's computer players can have: the lobby offers that many."""

Json = dict[str, Any]


class TurnState(Protocol):
    """The fields that the state of every game has, besides the game's own."""

    @property
    def ply(self) -> int:
        """The number of actions applied since the deal; it never decreases."""

    @property
    def turn(self) -> Seat:
        """The seat that has to act; when the game is over, the last one that had to."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won, together if several; empty while the game runs."""


class TurnView(Protocol):
    """The fields that the view of every game has, besides the game's own."""

    @property
    def seat(self) -> Seat | None:
        """The viewer's seat; ``None`` for a spectator."""

    @property
    def turn(self) -> Seat:
        """The seat that has to act; when the game is over, the last one that had to."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won, together if several; empty while the game runs."""


T = TypeVar("T")
S = TypeVar("S", bound=TurnState)
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V", bound=TurnView)
S_in = TypeVar("S_in", contravariant=True)
A_in = TypeVar("A_in", contravariant=True)
A_out = TypeVar("A_out", covariant=True)
V_in = TypeVar("V_in", contravariant=True)
E_in = TypeVar("E_in", contravariant=True)


build_namedtuple: Final[Callable[[type[Any], tuple[Any, ...]], Any]] = tuple.__new__
"""Build a NamedTuple from its fields, in order. It is three times as fast as calling the class, so it is used for what
is built at every move."""


class Chance(Protocol):
    """The source of a game's shuffles and random numbers: ``fair.SeededChance`` in every real game."""

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in the order of the game's shuffle number *index*, from 0. The same index gives the same
        order."""
        ...

    def pick(self, name: str, n: int) -> int:
        """A random number from 0 to *n* - 1 for the game's random choice called *name*, such as "starter". The same
        name gives the same number."""
        ...


class Step(NamedTuple, Generic[S, E]):
    """The result of an action or of the deal: the new state, and the events in the order in which they happened."""

    state: S
    events: tuple[E, ...]


class RatedAction(NamedTuple, Generic[A]):
    """An action that a seat may take, with the coach's rating."""

    action: A | None
    """``None``: the seat does not call."""
    chance: float
    """The chance to win the game after this action, 0 to 1; joint wins are shared. If even the best action leaves
    exactly 0, the rules make it certain that the game is lost."""
    futile: bool = False
    """Whether the action cannot achieve its purpose, such as a call that cannot be right. No coach proposes it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat in the final ranking.

    ``place`` counts from 1 and is equal for ties; ``score`` is (main score, tie-break), and more is better.
    """

    seat: Seat
    place: int
    score: tuple[int, int]


# The parts that every game has


class Rules(Protocol[S, A_in, E]):
    """The module ``rules``: dealing, and the results of actions."""

    def deal(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Step[S, E]:
        """Start a new game for *seats* players and return the state after the deal, with its events.

        *options* are complete and valid.
        """

    def apply(self, state: S, action: A_in, chance: Chance, /) -> Step[S, E]:
        """Apply *action* to *state* and return the new state and the events, or raise IllegalAction; *state* itself
        does not change.

        Check first, then build.

        A finished trick, hand or round ends in the same step, with the next deal. What people should still see of it
        afterwards, such as the last trick, must be in an event, because the state is that of the next deal.

        The caller has checked that the game runs, that every field of *action* has its declared type, and that the
        action's ``seat``, if it has such a field, is on turn.

        Raises:
            IllegalAction: the rules forbid it.
        """

    def scores(self, state: S, /) -> Sequence[tuple[int, int]]:
        """Every seat's score, in seat order, as (main score, tie-break). More is better."""


class Views(Protocol[S_in, A_out, E, V]):
    """The module ``view``: what a seat may know, and which actions it may take."""

    def view(self, state: S_in, seat: Seat | None, /) -> V:
        """Build the view of *state* for *seat* from what that seat may see. ``None``: a spectator, who sees what is
        public."""

    def actions(self, view: V, seat: Seat, /) -> tuple[A_out, ...]:
        """Every legal action of *seat*, which is on turn and sees *view*, except calls; none twice, in a fixed order.

        Equal views give the same actions in the same order.
        """

    def witness(self, event: E, seat: Seat | None, /) -> E:
        """*event* as *seat* saw it, without hidden cards. ``None``: as a spectator saw it."""


class Computers(Protocol[V_in, A_out]):
    """The module ``computers``: players of several levels that see only their view."""

    @property
    def LEVELS(self) -> int:
        """The number of levels, ``MOST_LEVELS`` at most. Level 1 is the weakest."""

    def decide(self, view: V_in, seat: Seat, rng: Random, level: int, memory: Any, /) -> A_out | None:
        """The action that a computer player of *level* chooses in *seat* from its view; ``None``: it does not call.

        It is asked on its turn, and in a game with calls also off turn. *memory* is its memory of what it has witnessed
        (``Memory``); ``None``: no memory, as in a game without that part. Equal arguments, with *rng* in the same
        state, give the same action.
        """


# The parts that a game may lack


class Memory(Protocol[E_in]):
    """The module ``memory``, in a game with computer players that remember what they have witnessed."""

    @property
    def NOTHING(self) -> Any:
        """The empty memory of a seat that has witnessed nothing: a NamedTuple that holds only types that states may
        hold."""

    def remember(self, memory: Any, events: Sequence[E_in], seat: Seat, /) -> Any:
        """Add to *memory* what *seat* remembers of *events*, the events of one step as it witnessed them."""


class Ladder(Protocol):
    """The module ``ladder``, in a game with measured strengths of the computer levels. Without it nobody is rated
    against computer players."""

    @property
    def SHARES(self) -> Sequence[float]:
        """For each level from the second on, the share of two-player games that it wins against the level below it."""

    def luck(self, seats: int, options: Mapping[str, str], /) -> float:
        """How much luck decides the ranking in a game of *seats* with *options*: 1 is as much as in the games of
        ``SHARES``.

        With 2, the same advantage in strength counts half as much, in the logarithm of the odds. *options* are complete
        and valid.
        """


class Calls(Protocol[S_in, A_out]):
    """The module ``calls``, in a game in which players may call between turns."""

    def may_call(self, state: S_in, /) -> tuple[Seat, ...]:
        """The seats that may call now, in seat order. The game is still running."""

    def call(self, seats: tuple[Seat, ...], /) -> A_out:
        """Build the one call action of all *seats* that called at the same time, in click order.

        It must have no field ``seat``, and a field ``seats`` that holds *seats*.
        """

    def forced_call(self, state: S_in, /) -> A_out | None:
        """The call that the player on turn has to make, as nothing else is legal; ``None`` if they have a choice, or
        the call would tell a secret.

        The table makes the call for them. So return ``None`` where that would tell the others a secret.
        """


class Coach(Protocol[S_in, A, E, V_in]):
    """The module ``coach``, in a game in which a coach can tell players how well they played and what would have been
    better."""

    @property
    def LOST(self) -> Mapping[int, Sequence[float]]:
        """Number of seats -> for every level, from 1, the share of what was at stake in its decisions that a computer
        player loses. ``engine.coaching`` measures it, and the shares fall from level to level. For other numbers of
        seats the nearest number is used."""

    def chances(self, state: S_in, /) -> Sequence[float]:
        """Every seat's chance to win *state* (0 to 1, by seat, adding up to 1) against strong players, with all cards
        open.

        Joint wins are shared, and the chances are exact when the game is over. Actions that are certain to come next
        are counted as done: making them changes no chances.
        """

    def is_foregone(self, state: S_in, action: A, /) -> bool:
        """Whether *action*, made in *state*, was no decision: it was the only legal action, or everybody would have
        made it."""

    def chances_before_deal(self, step: Step[Any, E], /) -> Sequence[float] | None:
        """Every seat's chance to win after *step*, before anybody knew the cards that it dealt for a new hand or round;
        ``None`` if it dealt none.

        So it shows the effect of the action without the luck of the deal.
        """

    def rated_actions(self, view: V_in, seat: Seat, memory: Any, /) -> Sequence[RatedAction[A]]:
        """Every action that *seat* may take now, each with its chance to win after it, best first; empty if it may do
        nothing.

        The chance is what the seat itself can know from *view*. Off turn the actions are to call and not to call.

        *memory* is the result of ``Game.remember`` for what the seat has witnessed; ``None``: no memory.
        """

    def insight(self, view: V_in, seat: Seat, memory: Any, /) -> Any:
        """What *seat*, which sees *view*, should believe about the hidden cards, as a NamedTuple of the game's own
        type; ``None`` if the coach has nothing to say. *memory* is as in ``rated_actions``."""


class History(Protocol[E_in]):
    """The module ``history``, in a game in which people may read during the game what has happened so far."""

    def readable_events(self, steps: Sequence[tuple[E_in, ...]], /) -> Sequence[tuple[Any, ...]]:
        """What players may read again of the current round or trick: its newest *steps*, as the game's own types.

        *steps* are all steps since the deal, oldest first, each with its events as everybody saw them.

        It must not contain what the rules forbid to look up, above all cards that have left the table.
        """


class Highlights(Protocol[S_in, E]):
    """The module ``highlights``, in a game that shows its memorable moments at the end."""

    @property
    def NOTHING(self) -> Any:
        """The empty highlights of a new game: a NamedTuple that holds only types that states may hold."""

    def add_highlights(self, so_far: Any, before: S_in, step: Step[Any, E], /) -> Any:
        """Add to *so_far* the highlights of *step*, the result of an action in the state *before*. The result may hold
        what players must not know while the game runs.

        Statements about a player's decision should come from their view of *before*, never from what they could not
        see.
        """


class Tallies(Protocol[S_in, E]):
    """The module ``tallies``, in a game that counts what people do over all their games."""

    @property
    def COUNTS(self) -> Sequence[str]:
        """The names of the counts, in the order in which people read them. Each has at most 32 characters, and none is
        ``games`` or ``wins``, which are counted in every game."""

    def count_increments(self, before: S_in, step: Step[Any, E], /) -> Sequence[tuple[Seat, str]]:
        """What *step*, the result of an action in the state *before*, adds to players' counts: (seat, one of
        ``COUNTS``) for each time; empty if nothing."""


class RoundOutcome(Enum):
    """How a round, or a hand of several, has ended for one seat."""

    WON = "won"
    LOST = "lost"
    OTHER = "other"
    """Neither: others have won or lost it, or the seat has done both."""


class Daily(Protocol[E_in]):
    """The module ``daily``, in a game with a deal of the day, which everybody plays alone against computer players."""

    @property
    def SEATS(self) -> int:
        """The number of players: the person, in seat 0, and computer players."""

    @property
    def OPTIONS(self) -> Mapping[str, str]:
        """The options of the game; those that are left out have their defaults."""

    @property
    def LEVEL(self) -> int:
        """The level of all computer players."""

    def round_outcome(self, events: Sequence[E_in], seat: Seat, /) -> RoundOutcome | None:
        """How the round that ended in *events*, all events of one step, has ended for *seat*; ``None`` if none ended.

        Players show it as one symbol for each round, also to those who have not played: it must tell no card.
        """


class Transcript(Protocol[S_in, A]):
    """The module ``transcript``, in a game with an audit format other than the plain fields of its state and
    actions."""

    def encode_audit_state(self, state: S_in, /) -> Json:
        """*state* in the audit format, hidden cards included."""

    def encode_action(self, action: A, /) -> Json:
        """*action* in the audit format."""

    def decode_action(self, data: Any, /) -> A:
        """Decode *data*, which ``encode_action`` wrote, to the game's action.

        For other data it may raise AttributeError, LookupError, TypeError or ValueError; anything else counts as a bug.
        """


_DECODING_ERRORS: Final = (AttributeError, LookupError, TypeError, ValueError)
"""The errors that decoders raise for data that this program did not write."""


def _sorted_json(data: Any) -> str:
    """*data* as JSON text with sorted keys, so equal data gives equal text."""
    return json.dumps(data, sort_keys=True)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Game(Generic[S, A, E, V]):
    """A game as the program uses it: its rules, options, views and computer players, with checks that all games share.
    A part that is ``None`` is one that the game lacks."""

    name: str
    """The name of the game's folder in ``engine/games``."""
    seats: range
    """The possible numbers of players."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Option name -> allowed values, the default first."""
    rules_version: int = 1
    """The version of the rules. It grows by one with every change that makes a recorded game play differently: other
    cards, another order of draws, or a play that was legal and no longer is."""

    state: type[S]
    """The type of a state: a NamedTuple."""
    action: Any
    """The type of an action: a NamedTuple, or a union of NamedTuples."""
    event: Any
    """The type of an event, as ``action``."""
    refused: type[Reason]
    """The enum of the reasons that only this game's rules give."""

    rules: Rules[S, A, E]
    views: Views[S, A, E, V]
    computers: Computers[V, A]
    memory: Memory[E] | None = None
    ladder: Ladder | None = None
    calls: Calls[S, A] | None = None
    passes: type[A] | None = None
    """The kind of action with which a player on turn passes."""
    coach: Coach[S, A, E, V] | None = None
    history: History[E] | None = None
    highlights: Highlights[S, E] | None = None
    tallies: Tallies[S, E] | None = None
    daily: Daily[E] | None = None
    transcript: Transcript[S, A] | None = None

    usual_minutes: Callable[[int, Mapping[str, str]], float]
    """How many minutes a game of that many seats with these options usually takes. The options are complete and valid.

    Measured in games of computer players, with 9 s for an action, beats included. Far shorter games count little for
    ratings.
    """
    shuffled: type[E] | None = None
    """The event of a shuffle: its field ``order`` holds the new pile. ``None``: nothing is ever shuffled."""
    concludes_with: tuple[type[E], ...] = ()
    """The events that end a round or hand. The table shows the step with such an event as the outcome of the round: all
    its events, with those of the next deal if they are in the same step. The step that ends the game must have one of
    them too. An event for the end of the game need not be listed if a round ends in the same step."""
    rests_after: tuple[type[E], ...] = ()
    """The events after which the table pauses for a beat, as it does whenever somebody may call."""

    # Made of the types above

    encode_state: Callable[[S], Json] = field(init=False)
    """A state as JSON for the store, hidden cards included."""
    decode_state: Callable[[Json], S] = field(init=False)
    """The state that ``encode_state`` wrote."""
    encode_event: Callable[[E], Json] = field(init=False)
    """An event as JSON for the store, hidden cards included."""
    decode_event: Callable[[Json], E] = field(init=False)
    """The event that ``encode_event`` wrote."""
    encode_action: Callable[[A], Json] = field(init=False)
    """An action as JSON, in the form of audit transcripts."""
    _checks: Mapping[Any, Callable[[Any], bool]] = field(init=False)
    """For every kind of action, the function that checks the types of all its fields."""
    _turn_bound: frozenset[Any] = field(init=False)
    """The kinds of action that only the seat on turn may take."""

    def __post_init__(self) -> None:
        kinds = codec.union_members(self.action)
        encode_action = codec.build_encoder(self.action) if self.transcript is None else self.transcript.encode_action
        for name, value in (
            ("encode_state", codec.build_encoder(self.state)),
            ("decode_state", codec.build_decoder(self.state)),
            ("encode_event", codec.build_encoder(self.event)),
            ("decode_event", codec.build_decoder(self.event)),
            ("encode_action", encode_action),
            ("_checks", {kind: codec.build_type_checker(kind) for kind in kinds}),
            ("_turn_bound", frozenset(kind for kind in kinds if "seat" in kind._fields)),
        ):
            object.__setattr__(self, name, value)  # it is frozen

    # The rules

    def check_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Complete *options* with the defaults and return them, in the order of ``self.options``; or raise ValueError
        for an unknown option or value.

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

    def new(self, seats: int, options: Mapping[str, str], chance: Chance) -> Step[S, E]:
        """Deal a new game for *seats* players and return the state after the deal, with its events; or raise ValueError
        for an unknown option or value.

        *options* may be incomplete.

        *seats* must be one of ``self.seats``; that is not checked.

        Raises:
            ValueError: an unknown option or value.
        """
        return self.rules.deal(seats, self.check_options(options), chance)

    def apply(self, state: S, action: A, chance: Chance) -> Step[S, E]:
        """Apply *action* to *state* and return the new state and the events, or raise IllegalAction; *state* itself
        does not change.

        No other function makes a new state.

        Raises:
            IllegalAction: the rules forbid it, or it is no action at all; *state* still holds.
        """
        kind = type(action)
        well_formed = self._checks.get(kind)
        if well_formed is None or not well_formed(action):
            raise IllegalAction(General.MALFORMED)
        if state.winners:
            raise IllegalAction(General.GAME_OVER)
        if kind in self._turn_bound and action.seat != state.turn:  # type: ignore[attr-defined] # it is a field
            raise IllegalAction(General.NOT_YOUR_TURN)
        return self.rules.apply(state, action, chance)

    def on_turn(self, state: S) -> Seat | None:
        """The seat that has to act; ``None`` when the game is over."""
        return None if state.winners else state.turn

    def actions(self, view: V) -> tuple[A, ...]:
        """The legal actions of the viewer, none twice, without calls (see ``callers``); empty off turn, for a spectator
        and after the end.

        Equal views give the same actions in the same order.
        """
        if view.seat is None or view.seat != view.turn or view.winners:
            return ()
        return self.views.actions(view, view.seat)

    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Every legal action of *seat* now, on turn or off turn, including its own call, none twice; empty if it may do
        nothing."""
        own = self.actions(self.views.view(state, seat)) if seat == state.turn else ()
        return (*own, self.call((seat,))) if seat in self.callers(state) else own

    def events_as_seen(self, events: Iterable[E], seat: Seat | None) -> tuple[E, ...]:
        """*events* as *seat* saw them, without hidden cards. ``None``: as a spectator saw them."""
        witness = self.views.witness
        return tuple([witness(event, seat) for event in events])

    def ends_round(self, events: Iterable[E]) -> bool:
        """Whether *events*, all of one step, end a round or hand, so that the table keeps them in sight for a while.

        A game names in ``concludes_with`` also what ends the whole game.
        """
        return any(isinstance(event, self.concludes_with) for event in events)

    def needs_pause(self, step: Step[S, E]) -> bool:
        """Whether the table must pause for a *beat* after *step*, before the next move, so that people can call or see
        a result."""
        return any(isinstance(event, self.rests_after) for event in step.events) or bool(self.callers(step.state))

    def standings(self, state: S) -> tuple[Standing, ...]:
        """The final ranking, best first, ties in seat order; empty while the game runs."""
        if not state.winners:
            return ()
        scores = self.rules.scores(state)
        order = sorted(range(len(scores)), key=lambda seat: scores[seat], reverse=True)
        return tuple(
            Standing(Seat(seat), 1 + sum(score > scores[seat] for score in scores), scores[seat]) for seat in order
        )

    # Calls and passes

    def callers(self, state: S) -> tuple[Seat, ...]:
        """The seats that may call now, in seat order. Empty in a game without calls, and when the game is over."""
        return () if self.calls is None or state.winners else self.calls.may_call(state)

    def call(self, seats: Sequence[Seat]) -> A:
        """Build the one call action of all *seats* that call together, in click order; or raise LookupError in a game
        without calls.

        Raises:
            LookupError: there are no calls in this game.
        """
        if self.calls is None:
            raise LookupError(f"there are no calls in {self.name}")
        return self.calls.call(tuple(seats))

    def forced_call(self, state: S) -> A | None:
        """The call that the table makes for a player on turn who has no choice; ``None`` if there is a choice, or no
        calls, or the game is over."""
        return None if self.calls is None or state.winners else self.calls.forced_call(state)

    def action_of_seat(self, seat: Seat, action: A) -> A | None:
        """What *seat* did in *action*: *action* itself, its own part of a common call, or ``None`` if nothing."""
        if type(action) in self._turn_bound:
            return action if action.seat == seat else None  # type: ignore[attr-defined] # it is a field
        return self.call((seat,)) if seat in action.seats else None  # type: ignore[attr-defined] # of a call

    def is_pass(self, action: A) -> bool:
        """Whether *action* is a pass; False in a game without passes."""
        return self.passes is not None and isinstance(action, self.passes)

    def forced_pass(self, state: S) -> A | None:
        """The pass of the player on turn, if nothing else is legal; otherwise ``None``, also in a game without passes
        or after its end.

        It reveals what the player holds. So the table must make it look like any other pass.
        """
        if self.passes is None or state.winners:
            return None
        possible = self.legal_actions(state, state.turn)
        return possible[0] if len(possible) == 1 and self.is_pass(possible[0]) else None

    # Computer players, and what is kept while a game runs

    def decide(self, view: V, rng: Random, level: int | None = None, memory: Any = None) -> A | None:
        """The action that a computer player of *level* (``None``: the strongest) chooses in the viewer's seat; ``None``
        if it does nothing (only off turn or after the end). Or raise ValueError.

        *memory* is the result of ``remember`` for what it has witnessed; ``None``: no memory.

        Raises:
            ValueError: *view* is a spectator's, or there is no such level.
        """
        if view.seat is None:
            raise ValueError("a spectator decides nothing")
        levels = self.computers.LEVELS
        if level is not None and not 1 <= level <= levels:
            raise ValueError(f"{self.name} has levels 1 to {levels}, not {level}")
        if view.winners or (view.seat != view.turn and self.calls is None):
            return None
        return self.computers.decide(view, view.seat, rng, level or levels, memory)

    def remember(self, memory: Any, events: Iterable[E], seat: Seat) -> Any:
        """Add to *memory* (``None``: empty) what a computer player in *seat* witnesses of a step's *events*, and return
        it; ``None`` if the game has no memory.

        It is an immutable value of the game's own type.
        """
        if self.memory is None:
            return None
        before = self.memory.NOTHING if memory is None else memory
        return self.memory.remember(before, self.events_as_seen(events, seat), seat)

    def add_highlights(self, so_far: Any, before: S, step: Step[S, E]) -> Any:
        """Add to *so_far* (``None``: empty) what was memorable in *step*, taken in the state *before*, and return it;
        ``None`` in a game without highlights.

        It is an immutable value of the game's own type.
        """
        if self.highlights is None:
            return None
        return self.highlights.add_highlights(self.highlights.NOTHING if so_far is None else so_far, before, step)

    # Audit transcripts

    def decode_action(self, data: Any) -> A:
        """Decode *data*, which ``encode_action`` wrote, to an action; or raise ValueError for anything else.

        Raises:
            ValueError: *data* is anything else.
        """
        decode = codec.build_decoder(self.action) if self.transcript is None else self.transcript.decode_action
        try:
            action: A = decode(data)
            well_formed = self._checks.get(type(action))
            # As text, since True and 1.0 are equal to 1.
            if (
                well_formed is not None
                and well_formed(action)
                and _sorted_json(self.encode_action(action)) == _sorted_json(data)
            ):
                return action
        except _DECODING_ERRORS as error:
            raise ValueError(f"no action of {self.name}: {data!r}") from error
        raise ValueError(f"no action of {self.name}: {data!r}")

    def encode_audit_state(self, state: S) -> Json:
        """Encode *state* as JSON in the form of audit transcripts, including hidden cards."""
        if self.transcript is not None:
            return self.transcript.encode_audit_state(state)
        return {**self.encode_state(state), "over": bool(state.winners)}

    def shuffle_orders(self, events: Iterable[E]) -> list[list[Any]]:
        """The new order of every pile shuffled in *events*, in the form of audit transcripts; empty if none was."""
        if self.shuffled is None:
            return []
        orders = [self.encode_event(event)["order"] for event in events if isinstance(event, self.shuffled)]
        return [order for order in orders if order is not None]
