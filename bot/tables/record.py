"""The record of a finished game: the ids of its people there, and all that was done. Pure."""

import hmac
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from bot.tables.model import Ending, Table
from engine import record
from engine.game import Json, Seat
from engine.record import ActionEntry, Entry, Record, SeatChangeEntry
from engine.replay import SeatOccupant

_ID_BYTES: Final = 8


class RecordedPerson(NamedTuple):
    """A person in the record of a game: their id there, user id, names, and place for the ratings."""

    id: str
    """Their id in the record."""
    user: int
    name: str
    """Their name at the table."""
    place: int | None = None
    """Their place for the ratings (``bot.stats.places``); ``None``: the game is not rated for them."""
    username: str = ""
    """Their Discord user name; empty: it is not known."""


def compute_player_id_in_record(table: Table, seat: Seat, since: int) -> str:
    """Compute the id in the record of *table* of the player who has *seat* from the moment *since* on: a hash with the
    table's secret.

    *since* is 0 for the deal; every later moment has another number. Before the secret is public the id tells nobody
    who it is, and no other record has it.
    """
    key = bytes.fromhex(table.secret)
    return hmac.digest(key, f"id/{seat}/{since}".encode(), "sha256")[:_ID_BYTES].hex()


def player_id_in_record(table: Table, seat: Seat) -> str:
    """Return the id that the player in *seat* has in the record of *table*, whose game must have begun."""
    player = table.players[seat]
    return player.record or compute_player_id_in_record(table, seat, player.since)


def people_in_record(table: Table, places: Mapping[Seat, int]) -> list[RecordedPerson]:
    """List the people at the finished *table*, without computer players, for its record; *places* are their places for
    the ratings, by seat."""
    return [
        RecordedPerson(
            player_id_in_record(table, Seat(seat)), player.user, player.name, places.get(Seat(seat)), player.username
        )
        for seat, player in enumerate(table.players)
        if player.user is not None
    ]


def make_record(table: Table, entries: Sequence[Json]) -> Record:
    """Make the game's record from *table* (deal, secret, ending, standings once finished) and all *entries* since the
    deal."""
    finished = table.ending is Ending.FINISHED
    return record.make_record(
        record.parse_deal(table.deal),
        bytes.fromhex(table.secret),
        [_entry_from_json(it) for it in entries],
        table.ending.value if table.ending is not None else "",
        table.rules.standings(table.state) if finished else (),
    )


def without_undone_seat_changes(written: Record) -> Record:
    """Remove from *written* seat changes that were undone before the next action, so that the record stays small.

    Otherwise somebody could leave and come back until the record is too large (``engine.strict.LARGEST_RECORD``).
    """
    sitting = [SeatOccupant(sheet.kind, sheet.id, sheet.level) for sheet in written.deal.seats]
    kept = list[Entry]()
    since = list[tuple[SeatChangeEntry, SeatOccupant]]()  # changes since the last action, with who had the seat before
    for entry in written.entries:
        if isinstance(entry, ActionEntry):
            kept += [change for change, _ in since]
            kept.append(entry)
            since.clear()
            continue
        now, seat = SeatOccupant(entry.sits, entry.id, entry.level), entry.seat
        since.append((entry, sitting[seat]))
        sitting[seat] = now
        back = next((at for at, (it, before) in enumerate(since) if (it.seat, before) == (seat, now)), len(since))
        since = [it for at, it in enumerate(since) if at < back or it[0].seat != seat]
    return written._replace(entries=(*kept, *(change for change, _ in since)))


def _entry_from_json(data: Json) -> Entry:
    """Decode *data* as an entry of a record: a seat change or a game action."""
    at = cast(int, data["at"])
    if "sits" in data:
        return SeatChangeEntry(at, Seat(data["seat"]), data["sits"], data.get("id", ""), data.get("level", ""))
    action = {key: value for key, value in data.items() if key not in ("at", "by")}
    return ActionEntry(at, action, by_clock="by" in data)
