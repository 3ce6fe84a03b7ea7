"""The decision that mattered most in a game of 17: the call that was the greatest surprise when most was at stake."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.game import Seat, Step
from engine.games.diciassette.cards import TARGET, VICTORIES_TO_WIN
from engine.games.diciassette.events import Because, Called, Event, Revealed, Token, TokenGiven
from engine.games.diciassette.highlights import CERTAIN
from engine.games.diciassette.odds import estimate
from engine.games.diciassette.state import State
from engine.games.diciassette.view import view


class TurningPoint(NamedTuple):
    """A call, and how it looked to the caller."""

    ply: int
    caller: Seat
    chance: int
    """How likely the caller, from what they could see, had to think 17 or more, in ten-thousandths."""
    total: int
    winner: Seat
    """Who got a victory token by it, and won the game."""


def turning_point(course: Sequence[tuple[State, Step[Any, Event]]]) -> TurningPoint | None:
    """The call of *course* that decided the game; ``None``: nobody has won.

    Looked at are the calls that brought a winner of the game their last three victory tokens. Each counts as much as it
    was a surprise, times how many victory tokens the winner had by it (1 to 3). The surprise is judged by what the
    caller could see: of a right call how likely it was to be wrong, and the other way round; if a trap of the winner
    brought the token, how few traps there were to expect. A call that had to be made (D10) surprises nobody. Of equal
    ones it is the latest.
    """
    winners = course[-1][1].state.winners if course else ()
    found: list[tuple[int, TurningPoint]] = []
    for winner in winners:
        brought = [it for before, step in course if (it := _weighed(before, step, winner)) is not None]
        found += brought[-VICTORIES_TO_WIN:]
    return max(found, key=lambda it: (it[0], it[1].ply))[1] if found else None


def _weighed(before: State, step: Step[Any, Event], winner: Seat) -> tuple[int, TurningPoint] | None:
    """(how much it counts, the call) if *step* brought *winner* a victory token; else ``None``."""
    given = [it for it in step.events if isinstance(it, TokenGiven) and it[:2] == (winner, Token.VICTORY)]
    if not given:
        return None
    caller = next(it.caller for it in step.events if isinstance(it, Called))
    total = next(it.total for it in step.events if isinstance(it, Revealed))
    seen = view(before, caller)
    likely = estimate(seen)
    chance = round(likely.seventeen * CERTAIN)
    if not seen.hand and caller == seen.turn:
        surprise = 0
    elif given[0].because is Because.TRAP and caller != winner:
        surprise = max(0, CERTAIN - round(likely.traps * CERTAIN))
    else:
        surprise = CERTAIN - chance if total >= TARGET else chance
    return surprise * step.state.victory[winner], TurningPoint(before.ply, caller, chance, total, winner)
