"""What has happened at a running table, as everybody may read it again: played anew from its moves. Pure.

Whatever it holds everybody has seen, and the game lets it be told again (``History.retold``): it is made of public
events alone, so a call that nobody may know of yet and a card that has not landed are not in it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.tables.model import Handover, SeatChange, Table
from bot.tables.record import record_of
from engine.errors import BadRecord
from engine.game import Json, Seat
from engine.record import ActionEntry, SeatChangeEntry
from engine.replay import Moment, replay


class Done(NamedTuple):
    """An action of the game."""

    ply: int
    """How many actions had been made before."""
    told: tuple[Any, ...]
    """What may be told of it, in the game's own types."""
    by_clock: bool
    """Whether a computer has made it because the time was up."""


class Past(NamedTuple):
    """What has happened in the round or trick that is being played, oldest first."""

    happened: tuple[Done | Handover, ...]
    whole: bool
    """Whether it is all that has happened since it began: else only the last step is known."""


def past(table: Table, entries: Sequence[Json]) -> Past:
    """What has happened at *table*, whose game runs and has a history; *entries* is what has been done there since the
    deal."""
    rules, history = table.rules, table.rules.history
    assert history is not None
    moments = _moments(table, entries)
    if moments is None:
        told = history.retold([rules.witnessed(table.recent, None)])
        ply = table.state.ply - 1
        return Past(tuple(Done(ply, step, by_clock=table.overdue is not None) for step in told), whole=not told)
    steps = [rules.witnessed(it.events, None) for it in moments if not isinstance(it.entry, SeatChangeEntry)]
    told = history.retold(steps)
    first = len(steps) - len(told)
    happened: list[Done | Handover] = []
    ids = {sitting.id for sitting in moments[0].seats}
    step = -1
    for it in moments:
        if isinstance(it.entry, SeatChangeEntry):
            change = _change(it.entry, ids)
            if step >= first - 1:
                happened.append(_handover(table, it.entry.seat, change, it.after.ply))
            continue
        step += 1
        if step >= first:
            by_clock = isinstance(it.entry, ActionEntry) and it.entry.by_clock
            happened.append(Done(it.after.ply - 1, told[step - first], by_clock))
    return Past(tuple(happened), whole=True)


def _moments(table: Table, entries: Sequence[Json]) -> list[Moment] | None:
    """The game of *table* until now; ``None``: it has not gone as *entries* say, so not all of them are known."""
    try:
        moments = list(replay(record_of(table, entries)))
    except BadRecord:
        return None
    return moments if moments[-1].after == table.state else None


def _change(entry: SeatChangeEntry, ids: set[str]) -> SeatChange:
    """How a seat has changed hands; *ids* are those that have sat at the table until then, and are brought up to
    date."""
    if entry.sits == "computer":
        return SeatChange.REPLACED
    change = SeatChange.BACK if entry.id in ids else SeatChange.SAT_DOWN
    ids.add(entry.id)
    return change


def _handover(table: Table, seat: Seat, change: SeatChange, ply: int) -> Handover:
    """That *seat* of *table* has changed hands after so many actions."""
    player = table.players[seat]
    return Handover(change, player.name, player.before if change is SeatChange.SAT_DOWN else "", ply)
