"""Days in UTC, the deal that everybody gets on a day, and days in a row. Pure.

A day is text in the form of ISO 8601, "2026-11-28". It begins and ends at 00:00 UTC. Times are ms since 1970. The
callers take them from Discord's snowflakes, never from the machine's clock.
"""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.clock import snowflake_time
from engine.fair import Deal, DealtSeat
from engine.game import Seat
from engine.record import Record
from engine.registry import GAMES

PERSON_SEAT: Final = Seat(0)
"""The seat of the person in the deal of every day; all other seats are computer players'."""
_ONE_DAY: Final = timedelta(days=1)
_LAST_MESSAGE: Final = 9999_12_31
"""The largest number that stands for a day. The ids of Discord's messages are larger."""


def utc_day(ms: int) -> str:
    """Return the day in UTC of the time *ms* (ms since 1970), in ISO 8601: "2026-11-28".

    >>> utc_day(0), utc_day(86_399_999), utc_day(86_400_000)
    ('1970-01-01', '1970-01-01', '1970-01-02')
    """
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


def next_day(day: str) -> str:
    """Return the day after *day*; days are text in ISO 8601: "2026-11-28".

    >>> next_day("2026-12-31")
    '2027-01-01'
    """
    return (date.fromisoformat(day) + _ONE_DAY).isoformat()


def previous_day(day: str) -> str:
    """Return the day before *day*; days are text in ISO 8601: "2026-11-28".

    >>> previous_day("2028-03-01")
    '2028-02-29'
    """
    return (date.fromisoformat(day) - _ONE_DAY).isoformat()


def day_start_ms(day: str) -> int:
    """Return when *day* ("2026-11-28") begins: 00:00 UTC, in ms since 1970."""
    return int(datetime.combine(date.fromisoformat(day), time(), UTC).timestamp()) * 1000


def day_end_ms(day: str) -> int:
    """Return when *day* ("2026-11-28") ends and the next one begins: 00:00 UTC, in ms since 1970.

    >>> day_end_ms("1970-01-01")
    86400000
    """
    return day_start_ms(next_day(day))


def count_days_in_a_row(days: Collection[str], today: str) -> int:
    """Count how many of *days* follow each other without a gap up to *today*, or up to yesterday if *today* is not
    among them; else 0.

    >>> count_days_in_a_row({"2026-11-25", "2026-11-27", "2026-11-28"}, "2026-11-28")
    2
    >>> count_days_in_a_row({"2026-11-26", "2026-11-27"}, "2026-11-28")
    2
    """
    day, count = today if today in days else previous_day(today), 0
    while day in days:
        day, count = previous_day(day), count + 1
    return count


def make_day_deal(game: str, day: str) -> Deal:
    """Return the deal of *game* on *day*, the same for everybody: rules, options, seats and the day's number. Raise
    LookupError if the game has no deal of the day.

    The ids of the seats are their numbers, nobody cuts, and the number of the day ("20261128") stands in the place of
    the table message's id: no message decides anything.

    Raises:
        LookupError: *game* has no deals of the day.
    """
    rules = GAMES[game]
    daily = rules.daily
    if daily is None:
        raise LookupError(f"{game} has no deals of the day")
    seats = tuple(
        DealtSeat(_day_seat_player_id(seat), "person")
        if seat == PERSON_SEAT
        else DealtSeat(_day_seat_player_id(seat), "computer", level=str(daily.LEVEL))
        for seat in range(daily.SEATS)
    )
    number = int(date.fromisoformat(day).strftime("%Y%m%d"))
    return Deal(game, rules.rules_version, rules.check_options(daily.OPTIONS), seats, number)


def _day_seat_player_id(seat: int) -> str:
    """Return the id of the player in *seat* in the record of a day's deal: its number as 16 hexadecimal digits.

    >>> _day_seat_player_id(1)
    '0000000000000001'
    """
    return f"{seat:016x}"


def day_of_deal(deal: Deal) -> str | None:
    """Return the day ("2026-11-28") of which *deal* is the deal of the day; ``None`` if it is an ordinary table's deal.

    Also if it was dealt by earlier rules.
    """
    if deal.message is None or deal.message > _LAST_MESSAGE:
        return None
    if any(it.id != _day_seat_player_id(seat) for seat, it in enumerate(deal.seats)):
        return None
    try:
        return datetime.strptime(f"{deal.message:08}", "%Y%m%d").replace(tzinfo=UTC).date().isoformat()
    except ValueError:
        return None


def deal_time_ms(record: Record) -> int:
    """Return when the cards of the game of *record* were dealt, in ms since 1970: when its table message was sent; in a
    day's deal the time of the first entry, else the begin of the day."""
    day = day_of_deal(record.deal)
    if day is None:
        return snowflake_time(record.message)
    return record.entries[0].at if record.entries else day_start_ms(day)
