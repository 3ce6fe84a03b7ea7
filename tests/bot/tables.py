"""Running tables without Discord: a table, a click, a time. Seat s is user 100 + s, and is called "player s"."""

from collections.abc import Sequence
from typing import Any

from bot.tables import lobby, play
from bot.tables.model import Options, Phase, Player, Table, TableId
from bot.tables.play import Clicked
from bot.tables.ticking import tick
from bot.tables.timers import next_due
from engine.game import Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Face
from engine.games.diciassette.state import State
from tests.games import CASES
from tests.games.diciassette import state

NOW = 1_800_000_000_000
NORMAL = Options(turn_seconds=120)


# Of every game


def opened(game: str, options: Options = NORMAL) -> Table:
    """The lobby of a table of *game*, with its host alone."""
    host = Player("player 0", 100, active_at=NOW)
    return lobby.new_table(TableId("abc"), (1, 2), game, host, "en", options, NOW)._replace(players=(host,))


def started(game: str, options: Options = NORMAL, *, people: int | None = None, computers: int = 0) -> Table:
    """A game that has just been dealt to *people* (as few as it takes) and *computers*, who sit last."""
    count = people or CASES[game].rules.seats[0] - computers
    seated = tuple(Player(f"player {seat}", 100 + seat, active_at=NOW) for seat in range(count))
    seated += tuple(Player(f"computer {count + number}") for number in range(computers))
    return lobby.start(opened(game, options)._replace(players=seated), 100, bytes(32), NOW)


def on_turn(t: Table) -> Seat:
    """Who has to act."""
    seat = t.rules.on_turn(t.state)
    assert seat is not None
    return seat


def running(game: str, before: Any, players: Sequence[Player], options: Options = NORMAL) -> Table:
    """A running table of *game* in the state *before*."""
    return opened(game, options)._replace(
        version=3,
        phase=Phase.PLAYING,
        players=tuple(players),
        seed="00" * 32,
        state=before,
        turn_began=NOW,
        beat_ends=NOW,
    )


def pass_time(t: Table, until: int) -> Table:
    """Everything that is due by *until*, at its time."""
    while (due := next_due(t)) is not None and due.at <= until:
        t = tick(t, due.at)
    return t


# Of 17, which has calls

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


def lay(t: Table, seat: int, *, at: int, now: int | None = None, ply: int | None = None, slot: int = 0) -> Clicked:
    """*seat* clicks *at* on the button that lays card *slot* face up; the click arrives *now*."""

    def choose(mine: Seat) -> Any:
        return Play(mine, t.state.hands[mine][slot], Face.UP)

    current = t.state.ply if ply is None else ply
    return play.move(t, 100 + seat, current, choose, at, at if now is None else now)


def call(t: Table, seat: int, *, at: int, now: int | None = None, ply: int | None = None) -> Clicked:
    """*seat* calls *at*; the click arrives *now*."""
    return play.call(t, 100 + seat, t.state.ply if ply is None else ply, at, at if now is None else now)
