"""Tables of 17, where people may call, and their clicks there: a table, a click, a time."""

from typing import Any

from bot.tables import play
from bot.tables.model import Player, Table
from bot.tables.options import Options
from bot.tables.play import ClickResult
from engine.game import Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Face
from engine.games.diciassette.state import State
from tests.bot.tables import NORMAL, NOW, running
from tests.games.diciassette import state

THREE = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:5")
FOUR = state(["1 2 3", "4 5 1", "2 3 4", "5 5 5"], turn=1, last=0, lies="0:5")


def table(before: State, options: Options = NORMAL, computers: tuple[int, ...] = ()) -> Table:
    """A running table of 17 in the state *before*."""
    players = [
        Player(f"computer {seat}") if seat in computers else Player(f"player {seat}", 100 + seat, active_at=NOW)
        for seat in range(len(before.hands))
    ]
    return running("diciassette", before, players, options)


def beat(before: Table, ends: int) -> Table:
    """The same while nothing lands before *ends*."""
    return before._replace(beat_ends=ends)


def lay(t: Table, seat: int, *, at: int, now: int | None = None, ply: int | None = None, slot: int = 0) -> ClickResult:
    """*seat* clicks *at* on the button that lays card *slot* face up; the click arrives *now*."""

    def choose(mine: Seat) -> Any:
        return Play(mine, t.state.hands[mine][slot], Face.UP)

    current = t.state.ply if ply is None else ply
    return play.make_move(t, 100 + seat, current, choose, at, at if now is None else now)


def call(t: Table, seat: int, *, at: int, now: int | None = None, ply: int | None = None) -> ClickResult:
    """*seat* calls *at*; the click arrives *now*."""
    return play.make_call(t, 100 + seat, t.state.ply if ply is None else ply, at, at if now is None else now)
