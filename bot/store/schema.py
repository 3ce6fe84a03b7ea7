"""The tables of the database, the same on SQLite and PostgreSQL. Times are ms since 1970."""

from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData()

tables: Final = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("live_channel_id", sa.BigInteger, unique=True, comment="the channel while live: one table each"),
    sa.Column("updated_at", sa.BigInteger, nullable=False),
    sa.Column("due_at", sa.BigInteger, comment="when the first of its timers is due (NULL: it has none)"),
    sa.Column("timer", sa.String(16), comment="which one that is; the others follow from the snapshot"),
    sa.Column("last", sa.Text, nullable=False, comment="what was done last, as JSON"),
    sa.Column("snapshot", sa.LargeBinary, nullable=False, comment="the whole table, as JSON, compressed"),
    sa.Column("shown", sa.Text, comment="what its messages show at this version, as JSON (NULL: not known)"),
    sa.Column("guild_id", sa.BigInteger, comment="its server (NULL: a game of version 0.1.0)"),
    sa.Column("opened_by", sa.BigInteger, comment="who has opened it (NULL: as above, or they were erased)"),
    sa.Column("opened_at", sa.BigInteger, comment="when (NULL: a game of version 0.1.0)"),
)
"""One row per table, replaced with every version."""

due: Final = sa.Index(
    "ix_tables_due_at",
    tables.c.due_at,
    sqlite_where=tables.c.due_at.is_not(None),
    postgresql_where=tables.c.due_at.is_not(None),
)
"""Finds the live tables among all."""

openers: Final = sa.Index(
    "ix_tables_opened_by",
    tables.c.opened_by,
    tables.c.opened_at,
    sqlite_where=tables.c.opened_by.is_not(None),
    postgresql_where=tables.c.opened_by.is_not(None),
)
"""Finds what somebody has opened."""

moves: Final = sa.Table(
    "moves",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("entries", sa.Text, nullable=False, comment="what this version adds to the record, as JSON"),
    sqlite_with_rowid=False,
)
"""What has been done in the games that run, until their records are written."""

records: Final = sa.Table(
    "records",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("data", sa.LargeBinary, nullable=False, comment="engine.record, compressed"),
    sa.Column("counted_at", sa.BigInteger, comment="when it was added to totals and ratings (NULL: to be; 0: never)"),
)
"""What remains of every game that is over."""

uncounted: Final = sa.Index(
    "ix_records_uncounted",
    records.c.ended_at,
    sqlite_where=records.c.counted_at.is_(None),
    postgresql_where=records.c.counted_at.is_(None),
)
"""Finds the records that are to be counted, the oldest first."""

record_people: Final = sa.Table(
    "record_people",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("records.table_id"), primary_key=True),
    sa.Column("id", sa.String(16), primary_key=True, comment="what the record calls them"),
    sa.Column("user_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False, comment="what they were called"),
    sa.Column("place", sa.Integer, comment="their place for the ratings, leavers last (NULL: not rated)"),
    sa.Column("username", sa.Text, comment="their Discord user name (NULL: not known)"),
    sqlite_with_rowid=False,
)
"""Who the people of the records are. To erase somebody, their rows here are deleted."""

totals: Final = sa.Table(
    "totals",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("what", sa.String(32), primary_key=True, comment="games, wins, or what the game itself counts"),
    sa.Column("n", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""How often somebody has done something, over all their games; records may be gone by now."""

ratings: Final = sa.Table(
    "ratings",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False, comment="the strength that is most likely"),
    sa.Column("sigma", sa.Float, nullable=False, comment="how uncertain that is"),
    sa.Column("games", sa.Integer, nullable=False, comment="how many games it was made of"),
    sqlite_with_rowid=False,
)
"""The ratings of those who want one."""

rating_steps: Final = sa.Table(
    "rating_steps",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True),
    sa.Column("table_id", sa.String(16), primary_key=True, index=True, comment="its record may be gone by now"),
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, comment="when the game ended"),
    sa.Column("place", sa.Integer, nullable=False, comment="their place in it"),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)
"""What every rated game has made of somebody's rating. Of whoever has deleted theirs since, their places alone stay:
such rows have a ``user_id`` of 0 or below, in every game another, and stand for nobody. Ids from
``bot.stats.ratings.HIGHEST_COMPUTER_ID`` down are those of computer players with whom somebody was compared."""

daily_days: Final = sa.Table(
    "daily_days",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True, comment="in UTC, as 2026-11-28"),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False, comment="hexadecimal, public when the day is over"),
    sa.Column("drawn_at", sa.BigInteger, nullable=False),
    sa.Column("computers", sa.String(64), comment="engine.fingerprint (NULL: nobody has asked for the day's deal)"),
    sqlite_with_rowid=False,
)
"""The secrets of the deals of the day. That of a day is drawn when somebody asks for the deal of the day before."""

daily_attempts: Final = sa.Table(
    "daily_attempts",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, index=True),
    sa.Column("table_id", sa.String(16), nullable=False, index=True, comment="its record may be gone by now"),
    sa.Column("guild_id", sa.BigInteger, nullable=False, comment="the server where they asked for it (0: none)"),
    sa.Column("started_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger, comment="NULL: it is not over"),
    sa.Column("place", sa.Integer, comment="their place (NULL: not over, or they have not played it to the end)"),
    sa.Column("score", sa.Text, comment="their score, as JSON (NULL: as place)"),
    sa.Column("rounds", sa.Text, comment="a letter for every round: bot.daily.days (NULL: not counted yet)"),
    sa.Column("choices", sa.LargeBinary, comment="what they chose: bot.daily.choices (NULL: not counted yet)"),
    sqlite_with_rowid=False,
)
"""The one attempt of each person at the deal of a day. To erase somebody, their rows are deleted."""

daily_boards: Final = sa.Table(
    "daily_boards",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("message_id", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Where the message with the results of a day is, in every server that has one."""

messages: Final = sa.Table(
    "messages",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("slot", sa.String(32), primary_key=True, comment="what the message shows: table, hand:SEAT ..."),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("message_id", sa.BigInteger, nullable=False),
    sa.Column("token", sa.Text, comment="an interaction token that can edit it, for 15 minutes"),
    sa.Column("token_at", sa.BigInteger, nullable=False),
    sa.Column("told", sa.BigInteger, nullable=False, comment="the turn its owner was told of"),
)
"""Where every table's messages are."""

pulse: Final = sa.Table(
    "pulse",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, comment="always 1"),
    sa.Column("at", sa.BigInteger, nullable=False),
)
"""When a process last recorded that it is alive."""

outages: Final = sa.Table(
    "outages",
    metadata,
    sa.Column("began_at", sa.BigInteger, primary_key=True),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
)
"""When nobody could be served."""

guilds: Final = sa.Table(
    "guilds",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True),
    sa.Column("locale", sa.String(8), comment="what its tables speak (NULL: what Discord says of the server)"),
    sa.Column("boards", sa.String(8), comment="whether it has leaderboards: yes, no (NULL: no)"),
    sa.Column("settings", sa.Text, comment="what else they have chosen, as JSON (NULL: nothing)"),
)
"""What those who manage a server have chosen for it."""

bans: Final = sa.Table(
    "bans",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("user_id", sa.BigInteger, index=True, comment="who is banned (NULL: they were erased)"),
    sa.Column("mark", sa.String(128), nullable=False, comment="what is left of who was erased (Ban.mark), else empty"),
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("by_id", sa.BigInteger, comment="the moderator (NULL: they were erased)"),
    sa.Column("reason", sa.Text, nullable=False, comment="what the moderator wrote"),
)
"""Who may not sit at tables of a server (0: anywhere) for a time. Rows that are over are deleted within a day."""

people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True),
    sa.Column("dm_channel_id", sa.BigInteger, comment="the channel of direct messages with them, once opened"),
    sa.Column("dms_closed_at", sa.BigInteger, comment="when they last turned out to take none"),
)
"""Where people get direct messages: Discord restricts bots that ask for it again and again."""

dms_pause: Final = sa.Table(
    "dms_pause",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, comment="always 1"),
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("code", sa.Integer, nullable=False, comment="Discord's error code: 40003 or 20026"),
)
"""Until when no conversation is opened, since Discord has said that there were too many."""

preferences: Final = sa.Table(
    "preferences",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True),
    sa.Column("locale", sa.String(8), comment="the language of what only they read (NULL: what Discord reports)"),
    sa.Column("hand", sa.String(8), nullable=False, comment="where it is shown: dm, here"),
    sa.Column("telling", sa.String(8), nullable=False, comment="when they are told of their turn: turn, late, never"),
    sa.Column("passes", sa.String(8), nullable=False, comment="whether the table passes for them: yes, no"),
    sa.Column("rated", sa.String(8), comment="whether they want a rating: yes, no (NULL: they were not asked)"),
    sa.Column("replays", sa.String(8), comment="whether everybody may see games they played: yes, no (NULL: no)"),
    sa.Column("hidden", sa.String(8), comment="whether others never read of them: yes, no (NULL: no)"),
)
"""What people have chosen for themselves; of whoever has chosen nothing there is no row."""

set_aside: Final = sa.Table(
    "set_aside",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("error", sa.String(64), nullable=False, comment="the class of the error; its text may hold hidden cards"),
    sa.Column("told_at", sa.BigInteger, comment="when the channel was told (NULL: it is to be told)"),
)
"""Tables that could not be read. They are not served, and their channels are free."""

interactions: Final = sa.Table(
    "interactions",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True),
)
"""The interactions of the last minutes that have changed a table: each counts once."""
