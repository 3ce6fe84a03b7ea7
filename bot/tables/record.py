"""What the record of a game says: who its people are called there, and the whole of it when the game is over. Pure."""

import hmac
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from bot.tables.model import Ending, Table
from engine import record
from engine.game import Json, Seat
from engine.record import ActionEntry, Entry, Record, SeatChangeEntry
from engine.replay import SeatOccupant

_ID_BYTES: Final = 8


class Person(NamedTuple):
    """Somebody in a record."""

    id: str
    """What the record calls them."""
    user: int
    name: str
    """What they were called at the table."""
    place: int | None = None
    """Their place for the ratings (``bot.stats.places``); ``None``: the game is not rated for them."""
    username: str = ""
    """Their Discord user name; empty: it is not known."""


def record_id(table: Table, seat: Seat, since: int) -> str:
    """What the record of *table* calls whoever has *seat* from the deal on (*since* is 0) or from a later moment, which
    *since* tells from all others. It follows from the secret: before that is public it tells nobody who it is, and no
    other record has it."""
    key = bytes.fromhex(table.secret)
    return hmac.digest(key, f"id/{seat}/{since}".encode(), "sha256")[:_ID_BYTES].hex()


def record_name(table: Table, seat: Seat) -> str:
    """What the record of *table*, whose game has begun, calls the player in *seat*."""
    player = table.players[seat]
    return player.record or record_id(table, seat, player.since)


def people_of(table: Table, places: Mapping[Seat, int]) -> list[Person]:
    """The people in the record of *table*, which is over, with their *places*."""
    return [
        Person(record_name(table, Seat(seat)), player.user, player.name, places.get(Seat(seat)), player.username)
        for seat, player in enumerate(table.players)
        if player.user is not None
    ]


def record_of(table: Table, entries: Sequence[Json]) -> Record:
    """The record of *table*, which is over; *entries* is all that has been done there since the cards were dealt."""
    finished = table.ending is Ending.FINISHED
    return record.make_record(
        record.parse_deal(table.deal),
        bytes.fromhex(table.secret),
        [_entry(it) for it in entries],
        table.ending.value if table.ending is not None else "",
        table.rules.standings(table.state) if finished else (),
    )


def without_returns(written: Record) -> Record:
    """*written* but for changes of seats that came to nothing: before anything else was done, the same player had the
    seat again. Somebody could leave and come back until no record holds it (``engine.strict.MAX_RECORD_BYTES``)."""
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


def _entry(data: Json) -> Entry:
    """The entry of a record that *data* says."""
    at = cast(int, data["at"])
    if "sits" in data:
        return SeatChangeEntry(at, Seat(data["seat"]), data["sits"], data.get("id", ""), data.get("level", ""))
    action = {key: value for key, value in data.items() if key not in ("at", "by")}
    return ActionEntry(at, action, by_clock="by" in data)
