"""``python -m bot verify FILE``: checks a record and reports the result. It needs neither Discord nor a database."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.daily.days import day_of_deal, deal_time_ms
from engine.fair import DealtSeat
from engine.game import Standing
from engine.record import FINISHED, ActionEntry, Record, SeatChangeEntry, decode_record
from engine.strict import MAX_RECORD_BYTES
from engine.verify import SAFE_CODE_DIGITS, PlayerNotes, Remark, Verdict, verify

REMARKS: Final = {
    Remark.NOT_NOTED: "Not everything was compared with what you noted (--code, --deal, --message): what was not, "
    "whoever hosts the bot could have made up afterwards.",
    Remark.FEW_DIGITS: f"A code was compared by fewer than {SAFE_CODE_DIGITS} digits: another may begin so too.",
    Remark.NOBODY_CUT: "Nobody cut: of what the deal depends on, only the id of the table message came from outside "
    "the bot.",
}


def read_record_file(path: Path) -> Record:
    """Read and return the record of a game in the file *path*; raise OSError if the file cannot be read, or BadRecord
    if it is no record.
    """
    with path.open("rb") as file:
        return decode_record(file.read(MAX_RECORD_BYTES + 1))


def report_lines(record: Record, noted: PlayerNotes) -> list[str]:
    """Check *record*, compare it with what the person *noted* during the game, and return the report line by line;
    raise BadRecord if anything does not fit.
    """
    return list(_verification_lines(record, verify(record, noted)))


def _verification_lines(record: Record, verdict: Verdict) -> Iterator[str]:
    """Yield the report on the checked *record* line by line: deal, codes, seed, actions, result, and the remarks of
    *verdict*.
    """
    deal, entries = record.deal, record.entries
    options = "".join(f", {key} {value}" for key, value in sorted(deal.options.items()))
    yield f"game: {deal.game}, rules {deal.rules}{options}"
    yield from (f"seat {seat}: {_seat_text(sheet)}" for seat, sheet in enumerate(deal.seats))
    yield f"shuffle code: {record.commitment}"
    at = datetime.fromtimestamp(deal_time_ms(record) / 1000, UTC).isoformat(" ", "milliseconds")
    yield f"deal code: {verdict.deal_code}"
    day = day_of_deal(deal)
    yield f"table message: {record.message}, sent {at}" if day is None else f"deal of the day: {day}, begun {at}"
    yield f"seed: {verdict.seed.hex()}"
    by_clock = sum(isinstance(entry, ActionEntry) and entry.by_clock for entry in entries)
    changes = sum(isinstance(entry, SeatChangeEntry) for entry in entries)
    yield f"actions: {verdict.actions}, {by_clock} of them by the clock; seats that changed hands: {changes}"
    places = ", ".join(map(_standing_text, record.standings))
    yield f"result: {record.ending}{': ' if places else ''}{places}"
    yield (
        "Everything checks out."
        if record.ending == FINISHED
        else "Everything checks out, as far as the game was played."
    )
    # Nobody can cut in the deal of a day, and no message takes part in it.
    remarks = (it for it in verdict.remarks if day is None or it is not Remark.NOBODY_CUT)
    yield from (REMARKS[remark] for remark in remarks)


def _seat_text(sheet: DealtSeat) -> str:
    """Return in words who sat in a seat at the deal: person or computer, id, level, and whether they cut."""
    level = f", level {sheet.level}" if sheet.level else ""
    return f"{sheet.kind} {sheet.id}{level}{', cut' if sheet.cut else ''}"


def _standing_text(standing: Standing) -> str:
    """Return the place and score of one seat in words."""
    first, second = standing.score
    return f"{standing.place}. seat {standing.seat} ({first}{f', {second}' if second else ''})"
