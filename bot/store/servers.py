"""Rows of servers: their settings, and who is banned from their tables.

A damaged setting counts as the default, a damaged ban as none.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.i18n import LOCALES
from bot.store.database import Damaged
from bot.store.schema import bans, guilds
from bot.tables.model import END_OF_TIME, LARGEST_ID, NO_SERVER
from bot.tables.options import TURN_SECONDS, Pace
from bot.tables.preferences import (
    LONGEST_REASON,
    MOST_DAYS,
    MOST_PLACES,
    MOST_TABLES,
    Ban,
    GuildSettings,
    Server,
    banned_user_pseudonym,
)

_BOARDS: Final = {"yes": True, "no": False, None: False}
_DEFAULTS: Final = GuildSettings()


class ServerRows(NamedTuple):
    """The settings and bans of a server, and the names of what was damaged in its rows."""

    server: Server
    bad: tuple[str, ...]
    """What was damaged, and so counts as the default, or as none."""


def _int_validator(most: int) -> Callable[[Any], bool]:
    """Return a function that says whether a value is an int from 0 to *most*."""
    return lambda value: type(value) is int and 0 <= value <= most


def _is_id_list(value: Any) -> bool:
    """Whether *value* is a list of at most ``MOST_PLACES`` Discord ids."""
    return isinstance(value, list) and len(value) <= MOST_PLACES and all(_is_id(it) for it in value)


def _is_id(value: Any) -> bool:
    """Whether *value* is an int in the range of Discord ids."""
    return type(value) is int and 1 <= value <= LARGEST_ID


_VALIDATORS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "channels": _is_id_list,
    "roles": _is_id_list,
    "pace": lambda value: value in [pace.value for pace in Pace],
    "turn_seconds": lambda value: type(value) is int and value in TURN_SECONDS,
    "late": lambda value: type(value) is bool,
    "tables": _int_validator(MOST_TABLES),
    "threads": lambda value: type(value) is bool,
    "counted": lambda value: type(value) is bool,
    "records_days": _int_validator(MOST_DAYS),
    "hints": lambda value: type(value) is bool,
    "daily": lambda value: _is_id(value),
}
"""For each field of ``GuildSettings`` in the JSON document, a check of its value."""
_FROM_JSON: Final[Mapping[str, Callable[[Any], Any]]] = {"channels": tuple, "roles": tuple, "pace": Pace}
_TO_JSON: Final[Mapping[str, Callable[[Any], Any]]] = {"channels": list, "roles": list, "pace": lambda it: it.value}


def read_guild_settings_and_bans(connection: Connection, guild: int) -> ServerRows:
    """Read the settings and bans of the server *guild*, and the names of what is damaged: a damaged setting has the
    default, a damaged ban is left out.
    """
    settings, bad = _read_settings(connection, guild)
    found = []
    for (id_,) in connection.execute(sa.select(bans.c.id).where(bans.c.guild_id == guild)).all():
        try:
            row = connection.execute(sa.select(bans).where(bans.c.id == id_)).first()
        except Damaged:
            row = None
        ban = None if row is None else _ban_from_row(row)
        if ban is None:
            bad.append("ban")
        else:
            found.append(ban)
    return ServerRows(Server(settings, tuple(sorted(found, key=lambda it: (it.until, it.id)))), tuple(bad))


def _read_settings(connection: Connection, guild: int) -> tuple[GuildSettings, list[str]]:
    """Read (the settings of the server *guild*, the names of damaged ones); damaged ones, and those not chosen, have
    the default.
    """
    try:
        row = connection.execute(sa.select(guilds).where(guilds.c.guild_id == guild)).first()
    except Damaged:
        return _DEFAULTS, ["guilds"]
    return (_DEFAULTS, []) if row is None else settings_from_row(row)


def settings_from_row(row: Any) -> tuple[GuildSettings, list[str]]:
    """Decode *row* of the SQL table ``guilds`` as (settings, names of damaged ones); damaged ones have the default."""
    locale, boards = row.locale, row.boards
    bad = [*([] if locale in (*LOCALES, None) else ["locale"]), *([] if boards in _BOARDS else ["boards"])]
    said, broken = _parse_settings(row.settings)
    bad += broken + [key for key, value in said.items() if key not in _VALIDATORS or not _VALIDATORS[key](value)]
    chosen = {key: _FROM_JSON.get(key, lambda it: it)(value) for key, value in said.items() if key not in bad}
    locale = locale if locale in LOCALES else None
    return GuildSettings(locale=locale, boards=_BOARDS.get(boards, False), **chosen), bad


def _parse_settings(text: Any) -> tuple[dict[str, Any], list[str]]:
    """Parse *text* as JSON: (the object, []), with an empty object for ``None``; or ({}, ["settings"]) if it is no JSON
    object.
    """
    try:
        said = json.loads(text) if text is not None else {}
    except (ValueError, TypeError, RecursionError):
        said = None
    return (said, []) if isinstance(said, dict) else ({}, ["settings"])


def _ban_from_row(row: Any) -> Ban | None:
    """Decode the ban in *row*; ``None`` if a value is invalid."""
    whom = _is_id(row.user_id) or (row.user_id is None and isinstance(row.mark, str) and ":" in row.mark)
    right = whom and isinstance(row.reason, str) and (row.by_id is None or _is_id(row.by_id))
    if not right or type(row.until) is not int or not 0 <= row.until < END_OF_TIME:
        return None
    return Ban(row.id, row.user_id, row.mark, row.until, row.by_id, row.reason[:LONGEST_REASON])


def is_valid_guild_row(row: Any) -> bool:
    """Whether every value in *row* of the SQL table ``guilds``, the settings of a server, is valid."""
    return _is_id(row.guild_id) and not settings_from_row(row)[1]


def is_valid_ban_row(row: Any) -> bool:
    """Whether every value in *row* of the SQL table ``bans`` is valid."""
    return (row.guild_id == NO_SERVER or _is_id(row.guild_id)) and _ban_from_row(row) is not None


# Writing


def write_guild_settings(connection: Connection, guild: int, changes: Mapping[str, Any]) -> GuildSettings:
    """Set *changes*, names of fields of ``GuildSettings`` and their values, in the stored settings of *guild*, and
    return all its settings; the defaults need no row.
    """
    settings = _read_settings(connection, guild)[0]._replace(**changes)
    other = {
        key: _TO_JSON.get(key, lambda it: it)(value)
        for key, value in settings._asdict().items()
        if key in _VALIDATORS and value != getattr(_DEFAULTS, key)
    }
    row = {
        "locale": settings.locale,
        "boards": "yes" if settings.boards else None,
        "settings": json.dumps(other, sort_keys=True) if other else None,
    }
    connection.execute(guilds.delete().where(guilds.c.guild_id == guild))
    if any(row.values()):
        connection.execute(guilds.insert(), {"guild_id": guild, **row})
    return settings


def write_ban(connection: Connection, guild: int, new: Ban) -> None:
    """Save the ban *new* in the server *guild*, and delete any other ban of the same person there."""
    assert new.user is not None
    others = [
        other.id
        for other in read_guild_settings_and_bans(connection, guild).server.bans
        if other.bans_user(guild, new.user)
    ]
    connection.execute(bans.delete().where(bans.c.id.in_(others)))
    row = {"user_id": new.user, "mark": new.mark, "until": new.until, "by_id": new.by, "reason": new.reason}
    connection.execute(bans.insert(), {"id": new.id, "guild_id": guild, **row})


def delete_ban(connection: Connection, guild: int, id_: str) -> bool:
    """Delete the ban with the id *id_* in the server *guild*; return whether there was one."""
    this = sa.and_(bans.c.id == id_, bans.c.guild_id == guild)
    return connection.execute(bans.delete().where(this)).rowcount > 0


def delete_expired_bans(connection: Connection, before: int) -> int:
    """Delete the bans on all servers that ended before the time *before* (ms since 1970); return how many."""
    return connection.execute(bans.delete().where(bans.c.until < before)).rowcount


def record_retention_days_by_guild(connection: Connection) -> dict[int, int]:
    """Read for how many days each server keeps records: server id -> days, only for servers that have chosen a
    number.
    """
    rows = connection.execute(sa.select(guilds.c.guild_id).where(guilds.c.settings.like('%"records_days"%'))).all()
    found = {guild: _read_settings(connection, guild)[0].records_days for (guild,) in rows if _is_id(guild)}
    return {guild: days for guild, days in found.items() if days}


def day_board_channels(connection: Connection) -> dict[int, int]:
    """Read which channel each server has chosen for the board with a day's results: server id -> channel id, only for
    servers that have.
    """
    rows = connection.execute(sa.select(guilds.c.guild_id).where(guilds.c.settings.like('%"daily"%'))).all()
    found = {guild: _read_settings(connection, guild)[0].daily for (guild,) in rows if _is_id(guild)}
    return {guild: channel for guild, channel in found.items() if channel}


# One person


def bans_of_person(connection: Connection, user: int) -> list[dict[str, Any]]:
    """List the bans of *user* as dicts: server id, end (ms since 1970) and reason, but not the moderator."""
    query = sa.select(bans.c.guild_id, bans.c.until, bans.c.reason).where(bans.c.user_id == user)
    return [{"guild_id": row.guild_id, "ends_at": row.until, "reason": row.reason} for row in connection.execute(query)]


def bans_by_moderator(connection: Connection, user: int) -> list[dict[str, Any]]:
    """List the bans that *user* has made as a moderator, as dicts: server id and end (ms since 1970), but not who is
    banned.
    """
    query = sa.select(bans.c.guild_id, bans.c.until).where(bans.c.by_id == user)
    return [{"guild_id": row.guild_id, "ends_at": row.until} for row in connection.execute(query)]


def anonymize_person_in_bans(connection: Connection, user: int) -> list[int]:
    """Replace the id of *user* in their own bans by a salted hash, delete the reasons, and remove them as the moderator
    of other bans; return the ids of the servers of all these bans.

    A ban of theirs goes on to its end.
    """
    about = sa.or_(bans.c.user_id == user, bans.c.by_id == user)
    touched = connection.execute(sa.select(bans.c.id, bans.c.guild_id, bans.c.user_id).where(about)).all()
    for row in touched:
        this = bans.update().where(bans.c.id == row.id)
        if row.user_id == user:
            mark = banned_user_pseudonym(secrets.token_hex(8), row.guild_id, user)
            connection.execute(this, {"user_id": None, "mark": mark, "reason": ""})
    connection.execute(bans.update().where(bans.c.by_id == user), {"by_id": None})
    return sorted({row.guild_id for row in touched})
