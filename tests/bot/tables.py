"""Running tables without Discord: a table, a click, a time. Seat s is user 100 + s, and is called "player s"."""

from collections.abc import Sequence
from typing import Any

from bot.store.store import Store
from bot.tables import lobby, start
from bot.tables.errors import TakenOverTables
from bot.tables.model import Phase, Player, Table, TableId
from bot.tables.options import Options
from bot.tables.service import Tables
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import next_due
from engine.game import Seat
from tests.games import CASES

NOW = 1_800_000_000_000
SECRET = bytes(32)
MESSAGE = 1 << 60
"""The id of the table message of a game."""
NORMAL = Options(turn_seconds=120)


def opened(game: str, options: Options = NORMAL) -> Table:
    """The lobby of a table of *game*, with its host alone."""
    host = Player("player 0", 100, active_at=NOW)
    return lobby.new_table(TableId("abc"), (1, 2), game, host, "en", options, SECRET, NOW)._replace(players=(host,))


def started(game: str, options: Options = NORMAL, *, people: int | None = None, computers: int = 0) -> Table:
    """A game that has just been dealt to *people* (as few as it takes) and *computers*, who sit last."""
    count = people or CASES[game].rules.seats[0] - computers
    seated = tuple(Player(f"player {seat}", 100 + seat, active_at=NOW) for seat in range(count))
    seated += tuple(Player(f"computer {count + number}") for number in range(computers))
    return dealt(opened(game, options)._replace(players=seated))


async def resume(tables: Tables) -> int:
    """As the only process does after a start: begin to serve all tables; return how many there are."""
    await tables.start_tracking_uptime_and_outages()
    return await tables.take_over_shards()


async def take_over(store: Store, at: int) -> TakenOverTables:
    """What a process finds in *store* that starts at the time *at*."""
    return await store.take_over_tables(await store.tables_to_take_over(), at)


def dealt(lobby: Table, user: int = 100, now: int = NOW) -> Table:
    """The *lobby* after *user* has pressed *Start*, and the cards were dealt."""
    return start.deal_cards(start.start_game(lobby, user, now), MESSAGE, now)


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
        t = serve_due_timer(t, due.at)
    return t
