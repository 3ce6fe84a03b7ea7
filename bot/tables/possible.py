"""What a table can be. A row of the store may hold anything, and what is read from it must not stop this table, or
others, later on."""

from collections.abc import Iterator
from typing import Final

from bot.tables.model import Phase, Table
from bot.tables.options import TURN_SECONDS
from engine.fair import SEED_BYTES, Fair
from engine.record import deal_of

END_OF_TIME: Final = 4_102_444_800_000
"""No table lives this long: the year 2100, ms since 1970."""
LARGEST_ID: Final = 2**63 - 1
"""Discord's ids are numbers of 64 bits; databases keep them with a sign."""
LONGEST_WAIT_MS: Final = 60_000
"""How long a call window or a hold can be, at most."""


def check_possible(table: Table) -> None:
    """Check that every value of *table*, whose types are right, is one that this program can have written.

    Raises:
        ValueError: one is not; its text names no value.
    """
    options, seats = table.options, range(len(table.players))
    users = [player.user for player in table.players if player.user is not None]
    _check("time", _times(table), range(END_OF_TIME))
    _check("id", (table.guild, table.channel, table.host, table.opened_by, *users), range(LARGEST_ID + 1))
    _check("turn limit", (options.turn_seconds or 0,), range(max(TURN_SECONDS) + 1))
    _check("wait", (options.window_ms, options.hold_ms), range(LONGEST_WAIT_MS + 1))
    _check("seat", _seats(table), seats)
    if len(set(users)) < len(users):
        raise ValueError("somebody sits there twice")
    if table.window is not None and not table.window.calls:
        raise ValueError("a call window without a call")
    if table.phase is Phase.LOBBY and (table.state is not None or len(seats) > table.rules.seats[-1]):
        raise ValueError("more than a lobby")
    if table.state is not None:
        Fair(bytes.fromhex(table.seed))
    if table.deal is not None:
        _check_deal(table)
    if table.phase is Phase.PLAYING:
        _check_running(table)


def _check(what: str, found: Iterator[int] | tuple[int, ...], possible: range) -> None:
    """Raise ValueError if one of *found* is not *possible*; it says *what* it is."""
    if not all(value in possible for value in found):
        raise ValueError(f"impossible {what}")


def _times(table: Table) -> Iterator[int]:
    """All times in *table*, and the time that is credited to its turn."""
    yield from (table.created_at, table.changed_at, table.turn_began, table.beat_ends, table.reminded)
    yield from (table.turn_credit, table.offered_at, table.reserved_until)
    yield from (player.active_at for player in table.players)
    if table.held is not None:
        yield from (table.held.lands_at, table.held.due)
    if table.window is not None:
        yield table.window.due
        yield from (call.at for call in table.window.calls)


def _seats(table: Table) -> Iterator[int]:
    """All seats that *table* names."""
    if table.held is not None:
        yield table.held.seat
    if table.window is not None:
        yield from table.window.barred
        yield from (call.seat for call in table.window.calls)
    if table.overdue is not None:
        yield table.overdue


def _check_deal(table: Table) -> None:
    """Raise ValueError or BadRecord if the cards of *table* were not dealt from what it says, or cannot be."""
    found, secret = deal_of(table.deal), bytes.fromhex(table.secret)
    if len(secret) != SEED_BYTES or len(found.seats) != len(table.players) or found.game != table.game:
        raise ValueError("another table's deal")
    if table.state is not None and found.seed(secret).hex() != table.seed:
        raise ValueError("another deal")


def _check_running(table: Table) -> None:
    """Raise ValueError if the game at *table*, which runs, cannot go on."""
    rules = table.rules
    if rules.on_turn(table.state) is None:
        raise ValueError("it runs, but is over")
    if len(table.players) not in rules.seats:
        raise ValueError("too few or too many players")
    if len(table.memories) not in (0, len(table.players)):
        raise ValueError("memories of more or fewer players")
