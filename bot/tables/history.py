"""The history of a running game, as everybody may read it again: replayed from its moves. Pure.

It holds only public events that the game lets people read again (``History.readable_events``): so no call that nobody
may know of yet, and no card that has not landed.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.tables.model import Handover, SeatChange, Table
from bot.tables.record import make_record
from engine.errors import BadRecord
from engine.game import Json, Seat
from engine.record import ActionEntry, SeatChangeEntry
from engine.replay import Moment, replay


class PastAction(NamedTuple):
    """An action of the running game that everybody may read again: its number, events, and whether the clock
    made it.
    """

    ply: int
    """How many actions had been made before."""
    told: tuple[Any, ...]
    """What may be told of it, in the game's own types."""
    by_clock: bool
    """Whether a computer has made it because the time was up."""


class TableHistory(NamedTuple):
    """The actions and seat changes in the current round or trick, oldest first, and whether they are complete."""

    happened: tuple[PastAction | Handover, ...]
    whole: bool
    """Whether it is complete since its beginning; else only the last step is known."""


def current_round_history(table: Table, entries: Sequence[Json]) -> TableHistory:
    """List what everybody may read again of the current round or trick, by replaying *entries*; only the last step if
    they are incomplete.

    *entries* is what has been done at *table* since the deal. Its game runs and has a history.
    """
    rules, history = table.rules, table.rules.history
    assert history is not None
    moments = _replay_game_moments(table, entries)
    if moments is None:
        told = history.readable_events([rules.events_as_seen(table.recent, None)])
        ply = table.state.ply - 1
        return TableHistory(
            tuple(PastAction(ply, step, by_clock=table.overdue is not None) for step in told), whole=not told
        )
    steps = [rules.events_as_seen(it.events, None) for it in moments if not isinstance(it.entry, SeatChangeEntry)]
    told = history.readable_events(steps)
    first = len(steps) - len(told)
    happened: list[PastAction | Handover] = []
    ids = {sitting.id for sitting in moments[0].seats}
    step = -1
    for it in moments:
        if isinstance(it.entry, SeatChangeEntry):
            change = _classify_seat_change(it.entry, ids)
            if step >= first - 1:
                happened.append(_make_seat_handover(table, it.entry.seat, change, it.after.ply))
            continue
        step += 1
        if step >= first:
            by_clock = isinstance(it.entry, ActionEntry) and it.entry.by_clock
            happened.append(PastAction(it.after.ply - 1, told[step - first], by_clock))
    return TableHistory(tuple(happened), whole=True)


def _replay_game_moments(table: Table, entries: Sequence[Json]) -> list[Moment] | None:
    """Replay *entries* and return the deal and each entry with the state after it; ``None`` if that does not lead to
    the present state of *table*."""
    try:
        moments = list(replay(make_record(table, entries)))
    except BadRecord:
        return None
    return moments if moments[-1].after == table.state else None


def _classify_seat_change(entry: SeatChangeEntry, ids: set[str]) -> SeatChange:
    """Return how a seat changed hands in *entry*: replaced, back or sat down; a new person's id is added to *ids*,
    those who have sat in any seat of the table so far."""
    if entry.sits == "computer":
        return SeatChange.REPLACED
    change = SeatChange.BACK if entry.id in ids else SeatChange.SAT_DOWN
    ids.add(entry.id)
    return change


def _make_seat_handover(table: Table, seat: Seat, change: SeatChange, ply: int) -> Handover:
    """Make the record of a seat change for players to read: *seat*, kind of *change*, after *ply* actions, with the
    present names."""
    player = table.players[seat]
    return Handover(change, player.name, player.before if change is SeatChange.SAT_DOWN else "", ply)
