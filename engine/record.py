"""The record of a finished game as canonical JSON: what it was dealt from, every action, and how it ended.

``encode_record`` and ``decode_record`` write and read it; ``compress_record`` and ``decompress_record`` also
compress. Every fault in a record raises ``BadRecord`` with a text that says in one line what is wrong and where. No
bytes lead to another error. ``decode_record`` checks the form, ``engine.replay`` checks the actions against the rules,
and ``engine.verify`` checks that all parts fit together.

The form is a contract (docs/fairness.md). Version 0 was for games that were dealt before there were cuts, by version
0.1 of this program. Version 0.3 was the last that read it.
"""

import re
import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from engine import strict
from engine.errors import BadRecord, UnsupportedVersion
from engine.fair import MAX_INTEGER, SEED_BYTES, VERSION, Deal, DealtSeat, PlayerKind, canonical_json, commitment
from engine.game import Json, Seat, Standing
from engine.registry import GAMES

FINISHED: Final = "finished"
"""The ending of a game that was played to its end."""
LATEST_TIME_MS: Final = 253_402_300_799_999
"""The last millisecond of the year 9999: later times have no date."""
ENTRY_KEYS: Final = frozenset({"at", "by", "sits"})
"""The names that no game may use for a field of its actions: in a record they mean something else."""

_SHEET_KEYS: Final = frozenset({"v", "game", "rules", "options", "seats"})
_RECORD_KEYS: Final = _SHEET_KEYS | {"message", "secret", "commitment", "actions", "ending", "standings"}
_HASH = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[0-9a-f]{16}")
_WORD = re.compile(r"[!-~]{1,40}")
_ENDING = re.compile(r"[a-z_]{1,40}")
_SNOWFLAKE = re.compile(r"[1-9][0-9]{0,19}")
_SECRET = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")


class ActionEntry(NamedTuple):
    """An action in a record: its time, the action as JSON, and whether a computer made it as the time was up."""

    at: int
    """When the action was made, in ms since 1970."""
    action: Json
    """In the form of audit transcripts."""
    by_clock: bool = False
    """Whether the player's time was up, so that a computer made this action for the person."""


class SeatChangeEntry(NamedTuple):
    """A change of the player in a seat, in a record: the time, the seat, and who sits there from then on."""

    at: int
    """As in ``ActionEntry``."""
    seat: Seat
    sits: PlayerKind
    id: str = ""
    """The id of the person who sits down or comes back (``DealtSeat.id``); a computer that takes over needs none."""
    level: str = ""
    """As in ``DealtSeat``."""


Entry = ActionEntry | SeatChangeEntry


class Record(NamedTuple):
    """The record of a game that is over: the deal, the secret, all actions and changes of seats, ending and ranking."""

    deal: Deal
    secret: bytes
    commitment: str
    """The shuffle code."""
    entries: tuple[Entry, ...]
    ending: str
    """``FINISHED``, or a word for the reason why the game ended early."""
    standings: tuple[Standing, ...]
    """Best first; empty unless the game is finished."""

    @property
    def message(self) -> int:
        """The id of the table message."""
        assert self.deal.message is not None
        return self.deal.message


def make_record(
    deal: Deal, secret: bytes, entries: Sequence[Entry], ending: str, standings: Sequence[Standing]
) -> Record:
    """Make the record of a game that was dealt from *deal* and *secret*, and compute its shuffle code. The arguments
    are as in ``Record``."""
    return Record(deal, secret, commitment(secret), tuple(entries), ending, tuple(standings))


def record_to_json(record: Record) -> Json:
    """Convert *record* to an object for JSON: the form of a record, as docs/fairness.md describes it."""
    return {
        **record.deal.to_json(),
        "secret": record.secret.hex(),
        "commitment": record.commitment,
        "actions": [_entry_to_json(entry) for entry in record.entries],
        "ending": record.ending,
        "standings": [{"seat": it.seat, "place": it.place, "score": list(it.score)} for it in record.standings],
    }


def _entry_to_json(entry: Entry) -> Json:
    """Convert *entry*, an action or a change of the player in a seat, to an object for JSON."""
    match entry:
        case ActionEntry(at, action, by_clock):
            return {**action, "at": at, **({"by": "clock"} if by_clock else {})}
        case SeatChangeEntry(at, seat, sits, id_, level):
            said = {"id": id_, "level": level}
            return {"at": at, "seat": seat, "sits": sits, **{key: value for key, value in said.items() if value}}


def encode_record(record: Record) -> bytes:
    """Encode *record* as canonical JSON, uncompressed; or raise ValueError if an action cannot be expressed in it.

    Raises:
        ValueError: an action holds a value that canonical JSON cannot express.
    """
    return canonical_json(record_to_json(record))


def compress_record(record: Record) -> bytes:
    """Encode *record* as canonical JSON and compress it with zlib (RFC 1950); or raise ValueError as
    ``encode_record``."""
    return zlib.compress(encode_record(record), 9)


def decompress_record(data: bytes) -> Record:
    """Decompress the record that ``compress_record`` wrote as *data*, decode it and check its form; or raise
    BadRecord."""
    return decode_record(_decompress(data))


def decompress_json(data: bytes) -> Any:
    """Decompress *data* and parse it as JSON, of any version, but do not check that it is a record; BadRecord if it is
    no JSON."""
    return strict.parse_json(_decompress(data))


def _decompress(data: bytes) -> bytes:
    """Decompress *data* with zlib, or raise BadRecord if it is damaged, cut off, or followed by something.

    Of more than the greatest size of a record it returns one byte more than that.
    """
    opened = zlib.decompressobj()
    try:
        found = opened.decompress(data, strict.MAX_RECORD_BYTES + 1)
    except zlib.error as error:
        raise BadRecord(f"it cannot be decompressed: {error}") from None
    if len(found) <= strict.MAX_RECORD_BYTES and not opened.eof:
        raise BadRecord(f"cut off: it ends in the middle, after {len(data)} bytes")
    if opened.unused_data:
        raise BadRecord("something follows its end")
    return found


def decode_record(data: bytes) -> Record:
    """Decode the record of a game from the JSON *data* and check its form, not the game itself; or raise BadRecord.

    White space and the order of the keys do not matter.

    Raises:
        UnsupportedVersion: the record has a version that this program does not know.
        BadRecord: *data* is not a record, or this program does not know its game.
    """
    found = strict.parse_json(data)
    if type(found) is not dict:
        raise BadRecord(f"it is not a record, but {strict.short_quote(found)}")
    version = found.get("v")
    if type(version) is not int or version != VERSION:
        what = f"of version {strict.short_quote(version)}" if "v" in found else "without a version"
        error = UnsupportedVersion if type(version) is int else BadRecord
        raise error(f"a record {what}; this program knows {VERSION}")
    strict.check_keys(found, "the record", _RECORD_KEYS)
    deal = _parse_deal(found)
    seats = range(len(deal.seats))
    items = strict.get_array(found, "actions", "the record")
    standings = strict.get_array(found, "standings", "the record")
    return Record(
        deal,
        bytes.fromhex(strict.get_string(found, "secret", "the record", _SECRET)),
        strict.get_string(found, "commitment", "the record", _HASH),
        tuple(_parse_record_entry(it, f"action {n}", seats) for n, it in enumerate(items, start=1)),
        strict.get_string(found, "ending", "the record", _ENDING),
        tuple(_parse_standing(it, f"standing {n}", seats) for n, it in enumerate(standings, start=1)),
    )


def _parse_player_kind(data: Json, key: str, where: str) -> PlayerKind:
    """Parse the field *key* of *data* as "person" or "computer", or raise BadRecord."""
    if data[key] not in ("person", "computer"):
        raise BadRecord(f'{where}: {key} must be "person" or "computer", not {strict.short_quote(data[key])}')
    return cast(PlayerKind, data[key])


def _parse_deal(data: Json) -> Deal:
    """Parse what the game of the record *data* was dealt from: game, options, seats, table message; or BadRecord."""
    game = data["game"]
    if type(game) is not str or game not in GAMES:
        raise BadRecord(f"no game is called {strict.short_quote(game)} here")
    options = data["options"]
    if type(options) is not dict or not all(_WORD.fullmatch(key) for key in options):
        raise BadRecord(f"the record: options cannot be {strict.short_quote(options)}")
    for key in options:
        strict.get_string(options, key, "options", _WORD)
    seats = tuple(_parse_seat(it, f"seat {n}") for n, it in enumerate(strict.get_array(data, "seats", "the record")))
    possible = GAMES[game].seats
    if len(seats) not in possible:
        raise BadRecord(f"{game} takes {possible[0]} to {possible[-1]} players, not {len(seats)}")
    ids = [seat.id for seat in seats]
    if len(set(ids)) < len(ids):
        raise BadRecord("the record: two seats have the same id")
    message = int(strict.get_string(data, "message", "the record", _SNOWFLAKE)) if "message" in data else None
    if message is not None and message >= 2**64:
        raise BadRecord(f"the record: message cannot be {message}, which has more than 64 bits")
    return Deal(game, strict.get_integer(data, "rules", "the record", 1, MAX_INTEGER), options, seats, message)


def _parse_seat(data: Any, where: str) -> DealtSeat:
    """Parse one seat as it was dealt: the player's id, person or computer, level and cut; or raise BadRecord."""
    strict.check_keys(data, where, {"id", "kind"}, {"level", "cut"})
    kind = _parse_player_kind(data, "kind", where)
    if odd := data.keys() & ({"level"} if kind == "person" else {"cut"}):
        raise BadRecord(f"{where}: a {kind} has no {min(odd)}")
    level = strict.get_string(data, "level", where, _WORD) if "level" in data else ""
    cut = strict.get_string(data, "cut", where, _HASH) if "cut" in data else ""
    return DealtSeat(strict.get_string(data, "id", where, _ID), kind, level, cut)


def _parse_record_entry(data: Any, where: str, seats: range) -> Entry:
    """Parse an action or a change of the player in a seat from *data*, or raise BadRecord."""
    if type(data) is not dict or "at" not in data:
        raise BadRecord(f"{where}: it must be an object with a time (at), not {strict.short_quote(data)}")
    at = strict.get_integer(data, "at", where, 0, LATEST_TIME_MS)
    if "sits" not in data:
        if data.get("by", "clock") != "clock":
            raise BadRecord(f'{where}: by must be "clock", not {strict.short_quote(data["by"])}')
        return ActionEntry(at, {key: value for key, value in data.items() if key not in ENTRY_KEYS}, "by" in data)
    strict.check_keys(data, where, {"at", "seat", "sits"}, {"id", "level"})
    sits = _parse_player_kind(data, "sits", where)
    if sits == "person" and ("level" in data or "id" not in data):
        raise BadRecord(f"{where}: a person who sits down has an id and no level")
    return SeatChangeEntry(
        at,
        Seat(strict.get_integer(data, "seat", where, 0, len(seats) - 1)),
        sits,
        strict.get_string(data, "id", where, _ID) if "id" in data else "",
        strict.get_string(data, "level", where, _WORD) if "level" in data else "",
    )


def _parse_standing(data: Any, where: str, seats: range) -> Standing:
    """Parse the final rank and score of one seat from *data*, or raise BadRecord."""
    strict.check_keys(data, where, {"seat", "place", "score"})
    score = strict.get_array(data, "score", where)
    if len(score) != 2 or not all(type(part) is int for part in score):
        raise BadRecord(f"{where}: score must be two whole numbers, not {strict.short_quote(score)}")
    seat = strict.get_integer(data, "seat", where, 0, len(seats) - 1)
    return Standing(Seat(seat), strict.get_integer(data, "place", where, 1, len(seats)), (score[0], score[1]))


def parse_deal(sheet: Json) -> Deal:
    """Parse what a game was dealt from, as ``Deal.to_json`` wrote it to *sheet*; or raise BadRecord.

    That is game, options, seats, and the table message if there is one.

    Raises:
        BadRecord: it is none.
    """
    strict.check_keys(sheet, "the deal", _SHEET_KEYS, {"message"})
    strict.get_integer(sheet, "v", "the deal", VERSION, VERSION)
    return _parse_deal(sheet)
