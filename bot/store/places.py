"""Rows of messages, people and servers. One that holds what this program never writes counts as none: its message is
sent again, the person is asked again, the server speaks Discord's language."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.i18n import LOCALES
from bot.store.database import Damaged
from bot.store.schema import guilds, messages, outages, people, pulse
from bot.tables.model import TableId
from bot.tables.possible import END_OF_TIME, LARGEST_ID

_IDS: Final = range(1, LARGEST_ID + 1)
_TIMES: Final = range(END_OF_TIME)

KnownSlot = Callable[[str], bool]
"""Whether a table has such a slot: slots are the delivery's."""


class Sorted(NamedTuple):
    """The rows of a table's messages."""

    good: list[Any]
    bad: int
    """How many others there are."""


def messages_of(connection: Connection, table: TableId, known: KnownSlot) -> Sorted:
    """The rows of *table*'s messages, those apart that are damaged, or of a slot that is not *known*."""
    here = messages.c.table_id == table
    count = connection.execute(sa.select(sa.func.count()).select_from(messages).where(here)).scalar_one()
    try:
        rows = connection.execute(sa.select(messages).where(here)).all()
    except Damaged:  # some text in them is no text, and nobody can say in which
        return Sorted([], count)
    good = [row for row in rows if _is_message(row, known)]
    return Sorted(good, count - len(good))


def keep_messages(connection: Connection, table: TableId, good: list[Any]) -> None:
    """Delete the rows of *table*'s messages but those that are *good*."""
    others = messages.c.slot.not_in([row.slot for row in good])
    connection.execute(messages.delete().where(messages.c.table_id == table, others))


def locale_of(connection: Connection, guild: int) -> str | None:
    """The language that was chosen for *guild*; ``None``: none was, or there is no such language."""
    try:
        found = connection.execute(sa.select(guilds.c.locale).where(guilds.c.guild_id == guild)).scalar()
    except Damaged:
        return None
    return found if found in LOCALES else None


def person(connection: Connection, user: int) -> tuple[int | None, int | None]:
    """(the channel of direct messages with *user*, when they last turned out to take none, ms); ``None`` for what is
    not known."""
    try:
        row = connection.execute(sa.select(people).where(people.c.user_id == user)).first()
    except Damaged:
        row = None
    return (None, None) if row is None else _person_of(row)


def bad_rows(connection: Connection) -> list[str]:
    """What this program would leave out of the tables of people, servers and outages, in words."""
    rights: list[tuple[sa.Table, Callable[[Any], bool]]] = [
        (people, lambda row: _is(row.user_id, _IDS) and (row.dm_channel_id, row.dms_closed_at) == _person_of(row)),
        (guilds, lambda row: _is(row.guild_id, _IDS) and row.locale in LOCALES),
        (outages, lambda row: _is(row.began_at, _TIMES) and _is(row.ended_at, _TIMES)),
        (pulse, lambda row: row.id == 1 and _is(row.at, _TIMES)),
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


def _person_of(row: Any) -> tuple[int | None, int | None]:
    """What ``person`` makes of *row*."""
    channel, closed_at = row.dm_channel_id, row.dms_closed_at
    return channel if _is(channel, _IDS) else None, closed_at if _is(closed_at, _TIMES) else None


def _is_message(row: Any, known: KnownSlot) -> bool:
    """Whether *row* can be that of a message in a slot that is *known*."""
    return (
        isinstance(row.slot, str)
        and known(row.slot)
        and _is(row.channel_id, _IDS)
        and _is(row.message_id, _IDS)
        and (row.token is None or isinstance(row.token, str))
        and _is(row.token_at, _TIMES)
        and type(row.told) is int
    )


def _is(value: Any, possible: range) -> bool:
    """Whether *value* is one of the numbers that are *possible*."""
    return type(value) is int and value in possible
