"""The rooms of a game with turns: what each module in its folder must hold.

They are protocols for modules: mypy checks the functions where ``engine/games/<name>/game.py`` hands the modules over,
so a missing or misspelt function is an error there.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from engine.game import Chance, Json, Seat, Step


class TurnState(Protocol):
    """What every state of a game with turns holds, besides its own."""

    @property
    def ply(self) -> int:
        """Actions applied since the deal."""

    @property
    def turn(self) -> Seat:
        """Who has to act; when the game is over, whoever had to last."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Empty while the game runs."""


class TurnView(Protocol):
    """What every view of a game with turns holds, besides its own."""

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; ``None``: the public's."""

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


class Rules(Protocol[S, A_in, E]):
    """The room ``rules``: dealing, and what actions lead to."""

    __name__: str

    def deal(self, seats: int, options: Mapping[str, str], chance: Chance, /) -> Step[S, E]:
        """The game set up and dealt for *seats* players; *options* are complete."""

    def apply(self, state: S, action: A_in, chance: Chance, /) -> Step[S, E]:
        """What *action* leads to: check first, then build. The game runs, and *action* is well formed: every field
        has its declared type. Whoever has a ``seat`` in it is on turn.

        Raises:
            IllegalAction: the rules forbid it.
        """

    def scores(self, state: S, /) -> Sequence[tuple[int, int]]:
        """By seat: (what counts, tie-break), more being better."""


class Views(Protocol[S_in, A_out, E, V]):
    """The room ``view``: what a seat may know, and do."""

    def view(self, state: S_in, seat: Seat | None, /) -> V:
        """What *seat* may know (``None``: the public), built from what it may see."""

    def actions(self, view: V, seat: Seat, /) -> tuple[A_out, ...]:
        """What *seat*, which is on turn and sees *view*, may do: none twice."""

    def witness(self, event: E, seat: Seat | None, /) -> E:
        """*event* as *seat* saw it happen."""


class Computer(Protocol[V_in, A_out]):
    """The room ``computer``: a player that sees only its view."""

    def decide(self, view: V_in, seat: Seat, rng: Random, /) -> A_out | None:
        """What *seat* does; ``None``: nothing. Asked on its turn, and off turn where the game has calls."""


class Calls(Protocol[S_in, A_out]):
    """The room ``calls``, where anybody may call between turns."""

    def may_call(self, state: S_in, /) -> tuple[Seat, ...]:
        """Who may, in seat order."""

    def call(self, seats: tuple[Seat, ...], /) -> A_out:
        """The action of all *seats* that called at the same time, in click order. It has no field ``seat``."""

    def forced(self, state: S_in, /) -> A_out | None:
        """The call of a player on turn who can do nothing else. Do not name what must stay a secret."""


class Transcript(Protocol[S_in, A]):
    """The room ``transcript``, where the audit format is not just the fields of state and actions."""

    def audit_state(self, state: S_in, /) -> Json:
        """The whole *state*, hidden cards included."""

    def encode_action(self, action: A, /) -> Json:
        """*action* in the audit format."""

    def decode_action(self, data: Any, /) -> A:
        """The action that ``encode_action`` wrote; any exception but AttributeError, LookupError, TypeError and
        ValueError is a bug."""
