"""Rows of messages and people. A damaged row counts as none.

Then its message is sent again, and the person is asked again or has the defaults.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.i18n import LOCALES
from bot.store import daily, servers, stats
from bot.store.database import Damaged
from bot.store.schema import (
    bans,
    daily_attempts,
    daily_days,
    dms_pause,
    guilds,
    messages,
    outages,
    people,
    preferences,
    pulse,
    rating_steps,
    ratings,
    tables,
    totals,
)
from bot.tables.model import END_OF_TIME, LARGEST_ID, TableId, TurnNotice
from bot.tables.preferences import DEFAULTS, Preferences

_IDS: Final = range(1, LARGEST_ID + 1)
_TIMES: Final = range(END_OF_TIME)

_BY_DM: Final = {"dm": True, "here": False}
_PASSES: Final = {"yes": True, "no": False}
_YES_OR_NO: Final = {"yes": True, "no": False, None: False}
_YES_NO_UNKNOWN: Final = {"yes": True, "no": False, None: None}

KnownSlot = Callable[[str], bool]
"""Whether a table has a slot of this name; ``bot.delivery`` defines the slots."""


class CheckedRows(NamedTuple):
    """The valid message rows of a table, and how many invalid ones there are."""

    good: list[Any]
    bad: int
    """How many other rows there are."""


class ShownMessage(NamedTuple):
    """A message and the fingerprint of the content that it shows."""

    message: int
    fingerprint: bytes


class DmsPause(NamedTuple):
    """A time until which the bot opens no direct message channels, because Discord refused one."""

    until: int
    """ms since 1970."""
    code: int
    """Discord's error code that caused it."""


def read_valid_message_rows(connection: Connection, table: TableId, known: KnownSlot) -> CheckedRows:
    """Read the rows of the Discord messages of *table* that are valid and whose slot is *known*, and count the others;
    if one cannot be decoded, none counts as valid.
    """
    here = messages.c.table_id == table
    count = connection.execute(sa.select(sa.func.count()).select_from(messages).where(here)).scalar_one()
    try:
        rows = connection.execute(sa.select(messages).where(here)).all()
    except Damaged:  # some text in them is no text, and nobody can say in which
        return CheckedRows([], count)
    good = [row for row in rows if _is_valid_message(row, known)]
    return CheckedRows(good, count - len(good))


def delete_message_rows_except(connection: Connection, table: TableId, good: list[Any]) -> None:
    """Delete the rows of the Discord messages of *table* that are not in *good*; the messages on Discord stay."""
    others = messages.c.slot.not_in([row.slot for row in good])
    connection.execute(messages.delete().where(messages.c.table_id == table, others))


def read_shown_content(connection: Connection, table: TableId) -> dict[str, ShownMessage]:
    """Read what the messages of *table* show, as recorded: slot -> message id and fingerprint of its content; empty if
    that is not recorded or damaged.
    """
    try:
        said = connection.execute(sa.select(tables.c.shown).where(tables.c.id == table)).scalar()
        found = json.loads(said) if said is not None else {}
        return {slot: ShownMessage(message, bytes.fromhex(print_)) for slot, (message, print_) in found.items()}
    except (Damaged, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def read_dm_channel_and_refusal(connection: Connection, user: int) -> tuple[int | None, int | None]:
    """Read (channel id of the direct messages with *user*, when Discord last refused one, ms since 1970); ``None`` for
    what is not known or damaged.
    """
    try:
        row = connection.execute(sa.select(people).where(people.c.user_id == user)).first()
    except Damaged:
        row = None
    return (None, None) if row is None else _dm_channel_and_refusal_from_row(row)


def read_bot_dms_pause(connection: Connection) -> DmsPause | None:
    """Read until when, and after which error of Discord, the bot opens no direct message channels; ``None`` if there
    was no such time or the row is damaged. It may be over.
    """
    row: Any = connection.execute(sa.select(dms_pause)).first()
    return DmsPause(row.until, row.code) if row is not None and _is_valid_pause(row) else None


def read_all_preferences(connection: Connection) -> dict[int, Preferences]:
    """Read the preferences of everybody who has chosen something: user id -> preferences; damaged rows are left out."""
    try:
        rows: list[Any] = list(connection.execute(sa.select(preferences)))
    except Damaged:  # some text in them is no text (only in SQLite): one by one, to find out in which
        users = sa.select(preferences.c.user_id).where(sa.func.typeof(preferences.c.user_id) == "integer")
        rows = [
            row for user in connection.execute(users).scalars().all() for row in _preferences_rows(connection, user)
        ]
    return {row.user_id: it for row in rows if (it := _preferences_from_row(row)) is not None}


def read_preferences(connection: Connection, user: int) -> Preferences | None:
    """Read the preferences of *user*; ``None``: they have chosen nothing, or their row is damaged."""
    return next((_preferences_from_row(row) for row in _preferences_rows(connection, user)), None)


def _preferences_rows(connection: Connection, user: int) -> list[Any]:
    """Read the row of preferences of *user* as a list of one; empty if there is none or it cannot be read."""
    try:
        return list(connection.execute(sa.select(preferences).where(preferences.c.user_id == user)))
    except Damaged:
        return []


def write_preferences(connection: Connection, user: int, chosen: Preferences) -> None:
    """Replace the preferences of *user* by *chosen*, and delete their ratings unless they have agreed to a rating; the
    defaults need no row.
    """
    if chosen.rated is not True:
        stats.delete_ratings_of_user(connection, user)
    connection.execute(preferences.delete().where(preferences.c.user_id == user))
    if chosen != DEFAULTS:
        row = {
            "user_id": user,
            "locale": chosen.locale,
            "hand": next(name for name, value in _BY_DM.items() if value == chosen.by_dm),
            "telling": chosen.telling.value,
            "passes": next(name for name, value in _PASSES.items() if value == chosen.passes),
            "rated": next(name for name, value in _YES_NO_UNKNOWN.items() if value is chosen.rated),
            "replays": next(name for name, value in _YES_OR_NO.items() if value == chosen.replays),
            "hidden": next(name for name, value in _YES_OR_NO.items() if value == chosen.hidden),
        }
        connection.execute(preferences.insert(), row)


def _preferences_from_row(row: Any) -> Preferences | None:
    """Decode *row* as preferences; ``None`` if a value is invalid."""
    tellings = [telling.value for telling in TurnNotice]
    right = _is_int_in(row.user_id, _IDS) and (row.locale is None or row.locale in LOCALES)
    if not right or row.hand not in _BY_DM or row.telling not in tellings or row.passes not in _PASSES:
        return None
    if row.rated not in _YES_NO_UNKNOWN or row.replays not in _YES_OR_NO or row.hidden not in _YES_OR_NO:
        return None
    return Preferences(
        row.locale,
        _BY_DM[row.hand],
        TurnNotice(row.telling),
        _PASSES[row.passes],
        _YES_NO_UNKNOWN[row.rated],
        _YES_OR_NO[row.replays],
        _YES_OR_NO[row.hidden],
    )


def invalid_row_lines(connection: Connection) -> list[str]:
    """Check all rows of the SQL tables of people, servers, results and outages; return a line of text for each SQL
    table with invalid rows; empty if there are none.
    """
    rights: list[tuple[sa.Table, Callable[[Any], bool]]] = [
        (
            people,
            lambda row: (
                _is_int_in(row.user_id, _IDS)
                and (row.dm_channel_id, row.dms_closed_at) == _dm_channel_and_refusal_from_row(row)
            ),
        ),
        (preferences, lambda row: _preferences_from_row(row) is not None),
        (guilds, servers.is_valid_guild_row),
        (bans, servers.is_valid_ban_row),
        (daily_days, daily.is_valid_day_row),
        (daily_attempts, daily.is_valid_attempt_row),
        (totals, lambda row: _is_int_in(row.user_id, _IDS) and type(row.n) is int),
        (
            ratings,
            lambda row: (
                _is_int_in(row.user_id, _IDS) and stats.rating_from_row(row.mu, row.sigma, row.games) is not None
            ),
        ),
        (
            rating_steps,
            lambda row: _is_int_in(row.at, _TIMES) and stats.rating_from_row(row.mu, row.sigma, 0) is not None,
        ),
        (outages, lambda row: _is_int_in(row.began_at, _TIMES) and _is_int_in(row.ended_at, _TIMES)),
        (pulse, lambda row: row.id == 1 and _is_int_in(row.at, _TIMES)),
        (dms_pause, _is_valid_pause),
    ]
    lines = []
    for table, right in rights:
        try:
            bad = sum(not right(row) for row in connection.execute(sa.select(table)))
        except Damaged as error:
            lines.append(f"{table.name}: {error}")
        else:
            lines += [f"{table.name}: {bad} rows that cannot be; the bot leaves them out"] if bad else []
    return lines


def _dm_channel_and_refusal_from_row(row: Any) -> tuple[int | None, int | None]:
    """Decode *row* as (direct message channel id, time of the last refusal, ms since 1970), each ``None`` if it is
    missing or invalid.
    """
    channel, closed_at = row.dm_channel_id, row.dms_closed_at
    return channel if _is_int_in(channel, _IDS) else None, closed_at if _is_int_in(closed_at, _TIMES) else None


def _is_valid_message(row: Any, known: KnownSlot) -> bool:
    """Whether all values in the message *row* are valid, and its slot is *known*."""
    return (
        isinstance(row.slot, str)
        and known(row.slot)
        and _is_int_in(row.channel_id, _IDS)
        and _is_int_in(row.message_id, _IDS)
        and (row.token is None or isinstance(row.token, str))
        and _is_int_in(row.token_at, _TIMES)
        and type(row.told) is int
    )


def _is_valid_pause(row: Any) -> bool:
    """Whether all values in *row* are valid for a time in which no direct message channels are opened."""
    return row.id == 1 and _is_int_in(row.until, _TIMES) and type(row.code) is int


def _is_int_in(value: Any, possible: range) -> bool:
    """Whether *value* is an int in the range *possible*."""
    return type(value) is int and value in possible
