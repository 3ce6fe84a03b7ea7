"""What the modules in the folder of a game with turns must hold: the *rooms* of a game, alike in every game.

They are protocols for modules: mypy checks the functions where ``engine/games/<name>/game.py`` hands the modules over,
so a missing or misspelt function is an error there.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from engine.game import Chance, Json, Option, Seat, Step


class TurnState(Protocol):
    """What the state of every game with turns holds, besides the game's own fields."""

    @property
    def ply(self) -> int:
        """The number of actions applied since the deal."""

    @property
    def turn(self) -> Seat:
        """The seat that has to act; when the game is over, the last one that had to."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won, together if several; empty while the game runs."""


class TurnView(Protocol):
    """What the view of every game with turns holds, besides the game's own fields."""

    @property
    def seat(self) -> Seat | None:
        """The seat that sees it; ``None``: a spectator."""

    @property
    def turn(self) -> Seat:
        """As in the state."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """As in the state."""


S = TypeVar("S", bound=TurnState)
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V", bound=TurnView)
S_in = TypeVar("S_in", contravariant=True)
A_in = TypeVar("A_in", contravariant=True)
A_out = TypeVar("A_out", covariant=True)
V_in = TypeVar("V_in", contravariant=True)
E_in = TypeVar("E_in", contravariant=True)


class Rules(Protocol[S, A_in, E]):
    """The module ``rules``: dealing, and what actions lead to."""

    __name__: str

    def deal(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Step[S, E]:
        """A new game for *seats* players: the state after the deal, and its events. *options* are complete and
        valid."""

    def apply(self, state: S, action: A_in, chance: Chance, /) -> Step[S, E]:
        """The step that *action* leads to. Check first, then build; *state* itself does not change.

        A trick, a hand or a round that is finished ends in the same step, with the next deal. What people should still
        see of it afterwards, such as the last trick, must be in an event: the state is that of the next deal.

        The caller has checked that the game runs, that every field of *action* has its declared type, and that the
        action's ``seat``, if it has such a field, is on turn.

        Raises:
            IllegalAction: the rules forbid it.
        """

    def scores(self, state: S, /) -> Sequence[tuple[int, int]]:
        """The score of every seat, in seat order, as (what counts, tie-break), more being better."""


class Views(Protocol[S_in, A_out, E, V]):
    """The module ``view``: what a seat may know, and do."""

    def view(self, state: S_in, seat: Seat | None, /) -> V:
        """What *seat* may know of *state*, built from what it may see; ``None``: a spectator."""

    def actions(self, view: V, seat: Seat, /) -> tuple[A_out, ...]:
        """What *seat*, which is on turn and sees *view*, may do, calls left out; none twice."""

    def witness(self, event: E, seat: Seat | None, /) -> E:
        """*event* as *seat* saw it happen; ``None``: as a spectator saw it."""


class Computer(Protocol[V_in, A_out]):
    """The module ``computer``: players of several levels that see only their view."""

    @property
    def LEVELS(self) -> int:
        """How many levels there are, ``MOST_LEVELS`` at most: 1 is the weakest."""

    def decide(self, view: V_in, seat: Seat, rng: Random, level: int, memory: Any, /) -> A_out | None:
        """The action of a computer player of *level* in *seat*; ``None``: it does nothing.

        It is asked on its turn, and in a game with calls also off turn. *memory* is what it keeps in mind of what it
        has witnessed (``Memory``); ``None``: nothing, as in a game without that room. Equal arguments, *rng* in the
        same state, lead to the same action.
        """


class Ladder(Protocol):
    """The module ``ladder``, in a game of whose computer players it was measured how strong they are."""

    @property
    def SHARES(self) -> Sequence[float]:
        """As ``Game.ladder``: one for each level but the weakest, 0 to 1."""

    def luck(self, seats: int, options: Mapping[str, str], /) -> float:
        """As ``Game.luck``."""


class Memory(Protocol[E_in]):
    """The module ``memory``, in a game whose computer players keep in mind what they have witnessed."""

    @property
    def NOTHING(self) -> Any:
        """What a player keeps in mind who has witnessed nothing: a NamedTuple of what states may hold."""

    def remember(self, memory: Any, events: Sequence[E_in], seat: Seat, /) -> Any:
        """*memory* with what *seat* keeps in mind of *events*, those of one step as it witnessed them."""


class Calls(Protocol[S_in, A_out]):
    """The module ``calls``, in a game where anybody may call between turns."""

    def may_call(self, state: S_in, /) -> tuple[Seat, ...]:
        """The seats that may call now, in seat order. The game runs."""

    def call(self, seats: tuple[Seat, ...], /) -> A_out:
        """The action of all *seats* that called at the same time, in click order. It must have no field ``seat``, and
        a field ``seats``: these."""

    def forced(self, state: S_in, /) -> A_out | None:
        """The call that the player on turn has to make, since nothing else is possible; ``None``: there is a choice.

        The table makes it for them, so return ``None`` where that would tell the others a secret.
        """


class Highlights(Protocol[S_in, E]):
    """The module ``highlights``, in a game that tells at its end what was worth remembering."""

    @property
    def NOTHING(self) -> Any:
        """The highlights of a game in which nothing has happened: a NamedTuple of what states may hold."""

    def highlights(self, so_far: Any, before: S_in, step: Step[Any, E], /) -> Any:
        """*so_far* with what is added by *step*, which an action led to from the state *before*.

        What it says of somebody's decision should come from their view of *before*, never from what they could not see.
        """


class Coach(Protocol[S_in, A, E, V_in]):
    """The module ``coach``, in a game whose players can be told how they played, and what would have been better."""

    @property
    def LOST(self) -> Mapping[int, Sequence[float]]:
        """Number of seats -> for every level, from 1, what share of what was at stake in their decisions its computer
        players lose, as ``engine.coaching`` measures it: falling. For other numbers the nearest one holds."""

    def chances(self, state: S_in, /) -> Sequence[float]:
        """Every seat's chance to win *state*, all cards open: as ``Game.chances``."""

    def foregone(self, state: S_in, action: A, /) -> bool:
        """Whether *action*, made in *state*, was bound to be made: as ``Game.foregone``."""

    def undealt(self, step: Step[Any, E], /) -> Sequence[float] | None:
        """Every seat's chance to win after *step* before the cards that it dealt were known: as ``Game.undealt``."""

    def options(self, view: V_in, seat: Seat, memory: Any, /) -> Sequence[Option[A]]:
        """What *seat*, which sees *view*, may do now, the best first: as ``Game.advice``."""

    def insight(self, view: V_in, seat: Seat, memory: Any, /) -> Any:
        """What *seat*, which sees *view*, should think of what it cannot see: a NamedTuple of the game's own;
        ``None``: nothing is to be said."""


class Past(Protocol[E_in]):
    """The module ``past``, in a game of which people may read again what has happened while it runs."""

    def retold(self, steps: Sequence[tuple[E_in, ...]], /) -> Sequence[tuple[Any, ...]]:
        """The newest of *steps* - events as everybody saw them, the deal's first, oldest first - as what may still be
        told of them, in the game's own types: as many as belong to what is being played, a round or a trick.

        What the rules forbid to look up must not be in it, above all cards that have left the table.
        """


class Tallies(Protocol[S_in, E]):
    """The module ``tallies``, in a game that counts what people do over all their games."""

    @property
    def COUNTS(self) -> Sequence[str]:
        """The names of what is counted, in the order in which people read it: at most 32 characters each, and neither
        ``games`` nor ``wins``, which are counted in every game."""

    def counted(self, before: S_in, step: Step[Any, E], /) -> Sequence[tuple[Seat, str]]:
        """What *step*, which an action led to from the state *before*, adds: (seat, one of ``COUNTS``), one for each
        time."""


class Transcript(Protocol[S_in, A]):
    """The module ``transcript``, in a game whose audit format is not simply the fields of its state and actions."""

    def audit_state(self, state: S_in, /) -> Json:
        """*state* in the audit format, hidden cards included."""

    def encode_action(self, action: A, /) -> Json:
        """*action* in the audit format."""

    def decode_action(self, data: Any, /) -> A:
        """The action that ``encode_action`` wrote as *data*.

        For other data it may raise AttributeError, LookupError, TypeError or ValueError; anything else counts as a bug.
        """
