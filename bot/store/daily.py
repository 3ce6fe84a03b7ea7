"""Rows of the deal of the day: secrets, everybody's attempts, and where the results are shown. A damaged row counts as
none.
"""

import json
import re
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.daily.choices import Choice, ReplayedAttempt, decode_choices, encode_choices
from bot.daily.days import day_start_ms, next_day
from bot.daily.results import DayResult, day_result, decode_round_outcomes, encode_round_outcomes
from bot.store import postgresql, servers
from bot.store.database import Damaged
from bot.store.schema import daily_attempts, daily_boards, daily_days, preferences, records, set_aside, tables
from bot.store.stats import read_latest_names_in_records
from bot.tables.model import Table, TableId
from engine.fair import SEED_BYTES, commitment
from engine.game import RoundOutcome

_SECRET: Final = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
_NO_CHOICES: Final = encode_choices(())
_DRAW: Final = sa.text(
    "INSERT INTO daily_days (day, game, secret, drawn_at) VALUES (:day, :game, :secret, :drawn_at) "
    "ON CONFLICT (day, game) DO NOTHING"
)
_SET_BOARD: Final = sa.text(
    "INSERT INTO daily_boards (guild_id, day, channel_id, message_id) "
    "VALUES (:guild_id, :day, :channel_id, :message_id) "
    "ON CONFLICT (guild_id, day) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id"
)


class DayRow(NamedTuple):
    """What the deal of one day is made of."""

    secret: bytes
    """The secret of the day; nobody may see it while the day goes on."""
    next_code: str
    """The shuffle code of the day after, to be published with this day's deals."""
    announced: bool
    """Whether the secret was drawn before the day began, so that its code could be published the day before."""
    open: bool
    """Whether the computer players are those with which the day began; else nobody may begin any more."""


class Attempt(NamedTuple):
    """The one attempt of a person at the deal of a day."""

    day: str
    game: str
    user: int
    table: TableId
    guild: int
    """The server where they asked for it; 0: none."""
    started_at: int
    """ms since 1970."""
    ended_at: int | None
    """ms; ``None``: it is not over."""
    result: DayResult | None
    """``None``: it is not over."""
    rounds: tuple[RoundOutcome, ...] | None
    """How each of its rounds ended for them; ``None``: its record is not counted yet, or it had none."""


class ServerResult(NamedTuple):
    """The result of somebody who has asked for the deal of the day in a server."""

    user: int
    name: str
    """As in ``profiles.LeaderboardEntry``."""
    result: DayResult


class BoardWish(NamedTuple):
    """A server that wants a board of the day, and what is to stand there."""

    guild: int
    channel: int
    """The channel that it has chosen."""
    finished: Mapping[str, int]
    """Game -> how many who asked for its deal here have finished it today, named or not."""


class Board(NamedTuple):
    """The message in a server that shows the results of a day."""

    channel: int
    message: int


# Days


def get_or_draw_day_secret(connection: Connection, day: str, game: str, computers: str, at: int) -> DayRow:
    """Read the secret from which *game* is dealt on *day* (as "2026-11-28"); draw and save the secrets of *day* and of
    the day after if there are none yet.

    *computers* is the fingerprint of the computer players now (``engine.fingerprint``); the first call for *day* keeps
    it. *at* is the time (ms). Processes that draw at the same time get the same secrets. A damaged secret is drawn
    anew: nothing can be dealt from it.
    """
    after = next_day(day)
    for one in (day, after):
        drawn = {"secret": secrets.token_hex(SEED_BYTES), "drawn_at": at}
        connection.execute(_DRAW, {"day": one, "game": game, **drawn})
        row = _day_row(connection, one, game)
        if not _is_secret(row.secret):
            this = _update_of_day(one, game).where(daily_days.c.secret == row.secret)
            connection.execute(this, {**drawn, "computers": None})
    fixed = _update_of_day(day, game).where(daily_days.c.computers.is_(None))
    connection.execute(fixed, {"computers": computers})
    today, tomorrow = _day_row(connection, day, game), _day_row(connection, after, game)
    secret = bytes.fromhex(today.secret)
    announced = isinstance(today.drawn_at, int) and today.drawn_at < day_start_ms(day)
    next_code = commitment(bytes.fromhex(tomorrow.secret))
    return DayRow(secret, next_code, announced, today.computers == computers)


def _update_of_day(day: str, game: str) -> sa.Update:
    """Return an UPDATE statement for the row of *game* on *day*; the caller gives the new values."""
    return daily_days.update().where(daily_days.c.day == day, daily_days.c.game == game)


def _day_row(connection: Connection, day: str, game: str) -> Any:
    """Read the row of *game* on *day*, which must be there."""
    query = sa.select(daily_days).where(daily_days.c.day == day, daily_days.c.game == game)
    return connection.execute(query).one()


# Attempts


def claim_day_attempt(
    connection: Connection, day: str, game: str, user: int, table: TableId, guild: int, at: int
) -> TableId | None:
    """Record *table* as the one where *user* makes their only attempt at *game* on *day*, unless they have one already;
    return the id of their table; ``None``: *table* is closed by now.

    *table* must be in the store already, with no cards dealt. *guild* is the server where they asked for it (0: none),
    *at* the time (ms). A table that is gone, or over without cards, has no attempt any more.
    """
    postgresql.acquire_locks(connection, [user])
    this = _attempt_condition(day, game, user)
    found = connection.execute(sa.select(daily_attempts.c.table_id, daily_attempts.c.ended_at).where(this)).first()
    if found is not None and (found.ended_at is not None or _is_live_or_quarantined(connection, found.table_id)):
        return TableId(found.table_id)
    if not _is_live_or_quarantined(connection, table):
        return None
    connection.execute(daily_attempts.delete().where(this))
    key = {"day": day, "game": game, "user_id": user}
    connection.execute(daily_attempts.insert(), {**key, "table_id": table, "guild_id": guild, "started_at": at})
    return table


def _attempt_condition(day: str, game: str, user: int) -> sa.ColumnElement[bool]:
    """Return the SQL condition for the row of the attempt of *user* at *game* on *day*."""
    it = daily_attempts.c
    return sa.and_(it.day == day, it.game == game, it.user_id == user)


def _is_live_or_quarantined(connection: Connection, table: TableId) -> bool:
    """Whether *table* is live, or in quarantine: then nobody knows whether its cards were dealt. PostgreSQL locks the
    row of a live one.
    """
    live = sa.select(tables.c.id).where(tables.c.id == table, tables.c.due_at.is_not(None)).with_for_update()
    aside = sa.select(set_aside.c.table_id).where(set_aside.c.table_id == table)
    return any(connection.execute(query).first() is not None for query in (live, aside))


def write_attempt_result_or_delete(connection: Connection, table: Table, at: int) -> None:
    """Write the result of the day's attempt at the finished *table*, which ended at *at* (ms since 1970); delete the
    attempt if no cards were dealt; do nothing if it was practice or no deal of the day.
    """
    if not table.day or table.practice:
        return
    this = sa.and_(daily_attempts.c.table_id == table.id, daily_attempts.c.ended_at.is_(None))
    if table.state is None:
        connection.execute(daily_attempts.delete().where(this))
        return
    result = day_result(table)
    score = json.dumps(result.score) if result.finished else None
    connection.execute(daily_attempts.update().where(this), {"ended_at": at, "place": result.place, "score": score})


def write_attempt_rounds_and_choices(connection: Connection, table: TableId, found: ReplayedAttempt) -> None:
    """Save the rounds and choices that the replay of its record has *found* in the attempt at *table*; do nothing if
    *table* has no attempt.
    """
    row = {"rounds": encode_round_outcomes(found.rounds), "choices": encode_choices(found.choices)}
    connection.execute(daily_attempts.update().where(daily_attempts.c.table_id == table), row)


_ATTEMPTS: Final = sa.select(*(column for column in daily_attempts.c if column.name != "choices"))


def read_day_attempt(connection: Connection, day: str, game: str, user: int) -> Attempt | None:
    """Read the attempt of *user* at *game* on *day*; ``None`` if there is none or its row is damaged."""
    rows = _readable_rows(connection, _ATTEMPTS.where(_attempt_condition(day, game, user)))
    return _attempt_from_row(rows[0]) if rows else None


def _readable_rows(connection: Connection, query: sa.Select[Any]) -> list[Any]:
    """Run *query* for rows of attempts, and return its rows without those that hold bytes instead of text (possible
    only in SQLite).
    """
    try:
        return list(connection.execute(query))
    except Damaged:  # one by one, to find out in which
        users = query.with_only_columns(daily_attempts.c.user_id).order_by(None)
        found: list[Any] = []
        for user in connection.execute(users).scalars().all():
            with suppress(Damaged):
                found += connection.execute(query.where(daily_attempts.c.user_id == user)).all()
        return found


def is_valid_attempt_row(row: Any) -> bool:
    """Whether all values in *row*, of the SQL table of attempts, are ones that this program writes."""
    if type(row.user_id) is not int or _attempt_from_row(row) is None:
        return False
    try:
        decode_round_outcomes(row.rounds or "")
        decode_choices(row.choices or _NO_CHOICES)
    except (TypeError, ValueError):
        return False
    return True


def is_valid_day_row(row: Any) -> bool:
    """Whether the secret and its time in *row*, of the SQL table of days, are ones that this program writes."""
    return _is_secret(row.secret) and type(row.drawn_at) is int


def _is_secret(value: Any) -> bool:
    """Whether *value*, from a row, is a secret of a day: a text of hex digits of the right length."""
    return isinstance(value, str) and _SECRET.fullmatch(value) is not None


def _attempt_from_row(row: Any) -> Attempt | None:
    """Decode *row* as an attempt; ``None`` if a value is invalid. Invalid rounds count as not known."""
    times = (row.started_at, *(() if row.ended_at is None else (row.ended_at,)))
    if not all(type(it) is int for it in (row.guild_id, *times)) or not isinstance(row.table_id, str):
        return None
    result = None if row.ended_at is None else _result_from_row(row.place, row.score)
    if row.ended_at is not None and result is None:
        return None
    try:
        rounds = None if row.rounds is None else decode_round_outcomes(row.rounds)
    except (TypeError, ValueError):
        rounds = None
    key = (row.day, row.game, row.user_id, TableId(row.table_id), row.guild_id)
    return Attempt(*key, row.started_at, row.ended_at, result, rounds)


def _result_from_row(place: Any, score: Any) -> DayResult | None:
    """Decode the columns *place* and *score* as a result; ``None`` if they are invalid. Without a place the game was
    not played to its end.
    """
    if place is None:
        return DayResult(None)
    try:
        numbers = json.loads(score)
    except (TypeError, ValueError, RecursionError):
        return None
    if type(place) is not int or place < 1 or not isinstance(numbers, list):
        return None
    return DayResult(place, tuple(numbers)) if all(type(it) is int for it in numbers) else None


def day_results(connection: Connection, day: str, game: str) -> list[DayResult]:
    """Read the results of all attempts at *game* on *day* that are over, in no order; damaged ones are left out."""
    it = daily_attempts.c
    query = sa.select(it.place, it.score).where(it.day == day, it.game == game, it.ended_at.is_not(None))
    found = (_result_from_row(*row) for row in _readable_rows(connection, query))
    return [result for result in found if result is not None]


def choices_of_counted_attempts(connection: Connection, day: str, game: str) -> list[bytes]:
    """Read what was chosen in each counted attempt at *game* on *day*, still packed, one for each attempt
    (``unpack_choices``).
    """
    it = daily_attempts.c
    query = sa.select(it.choices).where(it.day == day, it.game == game, it.choices.is_not(None))
    return [packed for packed in connection.execute(query).scalars() if isinstance(packed, bytes)]


def unpack_choices(packed: Collection[bytes]) -> list[tuple[Choice, ...]]:
    """Decode *packed*, from ``choices_of_counted_attempts``: the choices of each attempt, without damaged ones. It
    takes milliseconds: call it in a thread.
    """
    found = []
    for one in packed:
        try:
            found.append(decode_choices(one))
        except ValueError:
            continue
    return found


def days_played(connection: Connection, user: int, game: str) -> list[str]:
    """List the days (as "2026-11-28") of which *user* has begun the deal of *game*, oldest first."""
    it = daily_attempts.c
    query = sa.select(it.day).where(it.user_id == user, it.game == game).order_by(it.day)
    return list(connection.execute(query).scalars())


def day_results_in_server(connection: Connection, guild: int, day: str, game: str) -> list[ServerResult]:
    """Read the results at *game* on *day* of those who asked for it in *guild*, want a rating and are not hidden, in
    the order in which they ended.
    """
    it, chosen = daily_attempts.c, preferences.c
    query = (
        sa.select(it.user_id, it.place, it.score)
        .select_from(daily_attempts.join(preferences, it.user_id == chosen.user_id))
        .where(it.guild_id == guild, it.day == day, it.game == game, it.ended_at.is_not(None))
        .where(chosen.rated == "yes", sa.func.coalesce(chosen.hidden, "no") == "no")
        .order_by(it.ended_at, it.user_id)
    )
    rows = _readable_rows(connection, query)
    found = [(row.user_id, result) for row in rows if (result := _result_from_row(row.place, row.score)) is not None]
    # The records of the deals themselves belong to no server; those who asked for them here are known here.
    asked_here = sa.select(it.table_id).where(it.guild_id == guild, it.day == day)
    here = sa.or_(records.c.guild_id == guild, records.c.table_id.in_(asked_here))
    names: Mapping[int, str] = read_latest_names_in_records(connection, [user for user, _ in found], here)
    return [ServerResult(user, names[user], result) for user, result in found]


# Boards


def servers_wanting_day_board(connection: Connection, day: str) -> list[BoardWish]:
    """List the servers that have chosen a channel for the board with a day's results, with how many have finished each
    game's deal of *day* there.
    """
    it = daily_attempts.c
    counts = sa.select(it.guild_id, it.game, sa.func.count()).where(it.day == day, it.ended_at.is_not(None))
    finished: dict[int, dict[str, int]] = {}
    for guild, game, n in connection.execute(counts.group_by(it.guild_id, it.game)):
        finished.setdefault(guild, {})[game] = n
    wished = servers.day_board_channels(connection)
    return [BoardWish(guild, channel, finished.get(guild, {})) for guild, channel in sorted(wished.items())]


def write_day_board_message_ids(connection: Connection, guild: int, day: str, board: Board) -> None:
    """Record which message shows the results of *day* in the server *guild*, in place of an earlier *board*; nothing is
    sent to Discord.
    """
    row = {"guild_id": guild, "day": day, "channel_id": board.channel, "message_id": board.message}
    connection.execute(_SET_BOARD, row)


def read_day_board_message_ids(connection: Connection, guild: int, day: str) -> Board | None:
    """Read which message shows the results of *day* in the server *guild*; ``None``: there is none, or its row is
    damaged.
    """
    it = daily_boards.c
    row = connection.execute(sa.select(it.channel_id, it.message_id).where(it.guild_id == guild, it.day == day)).first()
    return Board(*row) if row is not None and all(type(number) is int for number in row) else None


# Deleting what is too old. Every function deletes all of it: these are few and small rows, a day's at a time.


def delete_old_days(connection: Connection, before: str) -> int:
    """Delete the secrets and the attempts of all days before *before* (as "2026-11-28"); return how many rows were
    deleted.
    """
    found = (connection.execute(it.delete().where(it.c.day < before)).rowcount for it in (daily_days, daily_attempts))
    return sum(found)


def delete_old_day_board_message_ids(connection: Connection, before: str) -> int:
    """Delete the records of the messages that show results of days before *before*; return how many; the messages on
    Discord stay.
    """
    return connection.execute(daily_boards.delete().where(daily_boards.c.day < before)).rowcount
