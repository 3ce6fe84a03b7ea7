"""Which games that are over somebody may look for: their own, and those whose people have agreed."""

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.store import archive
from bot.store.archive import Kept
from bot.store.schema import preferences, record_people, records
from bot.tables.model import TableId

YES = "yes"


def own_games(connection: Connection, user: int, guild: int | None, most: int) -> list[Kept]:
    """The last games that *user* has played in the server *guild* (``None``: anywhere), at most so many, the newest
    first."""
    theirs = sa.select(record_people.c.table_id).where(record_people.c.user_id == user)
    return _newest(connection, records.c.table_id.in_(theirs), guild, most)


def agreed_games(connection: Connection, user: int, guild: int, most: int) -> list[Kept]:
    """The last games in the server *guild* that *user* has not played, and whose people, as far as they are known, all
    want that everybody may see them; at most so many, the newest first.

    Whether all of them are known only the record itself says (``bot.tables.course.is_public``).
    """
    chosen = record_people.outerjoin(preferences, preferences.c.user_id == record_people.c.user_id)
    unwilling = sa.func.coalesce(preferences.c.replays, "") != YES
    keeps = sa.select(record_people.c.table_id).select_from(chosen)
    keeps = keeps.where(
        record_people.c.table_id == records.c.table_id, sa.or_(record_people.c.user_id == user, unwilling)
    )
    return _newest(connection, ~keeps.exists(), guild, most)


def _newest(connection: Connection, which: sa.ColumnElement[bool], guild: int | None, most: int) -> list[Kept]:
    """The newest of the records for which *which* holds, in the server *guild* (``None``: anywhere)."""
    here = which if guild is None else sa.and_(which, records.c.guild_id == guild)
    query = (
        sa.select(records.c.table_id).where(here).order_by(records.c.ended_at.desc(), records.c.table_id).limit(most)
    )
    found = [archive.read(connection, TableId(row.table_id)) for row in connection.execute(query)]
    return [kept for kept in found if kept is not None]
