"""Rows of totals and ratings: adding every record once, and reading profiles and leaderboards. A damaged row counts as
none.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from bot.daily.choices import ReplayedAttempt
from bot.stats import ratings
from bot.stats.profiles import Leaderboard, LeaderboardEntry, Partner, Profile
from bot.stats.ratings import (
    DELETED_USER,
    HIGHEST_COMPUTER_ID,
    START_RATING,
    EarlierMeeting,
    RatedPlayer,
    Rating,
    pooled_opponent_id,
)
from bot.store.records import NEVER_COUNTED, StoredRecord
from bot.store.schema import preferences, rating_steps, record_people, records, totals
from bot.store.schema import ratings as ratings_
from bot.tables.model import TableId
from bot.tables.names import unique_names

PARTNER_LIMIT: Final = 3
"""How many favourite partners a profile shows."""
MIN_GAMES_TOGETHER: Final = 2
"""The least games together that make somebody a favourite partner."""
LEADERBOARD_SIZE: Final = 20
"""How many places a leaderboard shows."""
MEETING_LIMIT: Final = 400
"""How many of somebody's latest rated games are read for their earlier opponents, when a game is rated."""
HISTORY_LIMIT: Final = 60
"""How many of the newest steps of a rating are read."""

_NEXT: Final = (
    sa.select(records.c.table_id)
    .where(records.c.counted_at.is_(None))
    .order_by(records.c.ended_at, records.c.table_id)
    .limit(1)
)
_ADD: Final = sa.text(
    "INSERT INTO totals (user_id, game, what, n) VALUES (:user_id, :game, :what, :n) "
    "ON CONFLICT (user_id, game, what) DO UPDATE SET n = totals.n + excluded.n"
)
_RATE: Final = sa.text(
    "INSERT INTO ratings (user_id, game, mu, sigma, games) VALUES (:user_id, :game, :mu, :sigma, :games) "
    "ON CONFLICT (user_id, game) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games"
)


class CountedRecord(NamedTuple):
    """What one record adds to the totals, and the facts about the game that its ratings are computed from."""

    kept: StoredRecord
    began: int
    """When its game began, ms."""
    usual_minutes: float
    """How long such a game usually takes with as many seats."""
    luck: float
    """How much of it is luck (``game.Ladder``)."""
    computers: Sequence[RatedPlayer]
    """The computer players with whom its only person is compared; empty unless there was only one person."""
    done: Mapping[str, Mapping[str, int]]
    """The counts of each of its people, by their id in the record (``engine.tallies``)."""
    attempt: ReplayedAttempt | None = None
    """What it shows of an attempt at a day's deal; ``None``: it was none."""


class RatingChanges(NamedTuple):
    """The rated people of one game with their ratings before, and their new ratings."""

    rated_players: Sequence[RatedPlayer]
    """The people who have a place in it, with their ratings before."""
    ratings: Mapping[int, Rating]
    """Their new ones; empty: it is rated for nobody."""
    computers: Sequence[RatedPlayer] = ()
    """The computer players with whom its only person was compared."""


NOT_RATED: Final = RatingChanges((), {})
"""A game that is rated for nobody."""


# Counting


def next_record_not_in_stats(connection: Connection) -> TableId | None:
    """Return the id of the table with the oldest record that is not in totals and ratings yet; ``None`` if all are."""
    found = connection.execute(_NEXT).scalar()
    return None if found is None else TableId(found)


def rated_players(connection: Connection, table: TableId) -> list[RatedPlayer]:
    """List the people with a rating place in the game of *table* who want a rating now, with their current ratings, in
    the order of their ids.
    """
    people, chosen = record_people.c, preferences.c
    query = (
        sa.select(people.user_id, people.place, records.c.game)
        .select_from(record_people.join(records).join(preferences, people.user_id == chosen.user_id))
        .where(people.table_id == table, people.place.is_not(None), chosen.rated == "yes")
        .order_by(people.user_id)
    )
    found = [
        (user, place, _read_rating(connection, user, game)) for user, place, game in connection.execute(query).all()
    ]
    return [RatedPlayer(user, rating or START_RATING, place) for user, place, rating in found]


def earlier_meetings(connection: Connection, user: int, game: str) -> list[EarlierMeeting]:
    """List every opponent of *user* in their latest 400 rated games of *game*, once for each game, with the time and
    who was ahead.

    Opponents who have deleted their rating since count as one, ``DELETED_USER``: so a new account does not change how
    much repeated games count. Computer players of one level are one opponent.
    """
    mine, theirs = rating_steps.c, rating_steps.alias("theirs")
    query = sa.select(mine.table_id, mine.at, mine.place).where(mine.user_id == user, mine.game == game)
    own = query.order_by(mine.at.desc()).limit(MEETING_LIMIT).subquery()
    both = own.join(theirs, sa.and_(own.c.table_id == theirs.c.table_id, theirs.c.user_id != user))
    pairs = sa.select(theirs.c.user_id, own.c.at, own.c.place, theirs.c.place).select_from(both)
    found = []
    for other, at, place, others in connection.execute(pairs):
        if type(other) is type(at) is type(place) is type(others) is int:
            found.append(EarlierMeeting(pooled_opponent_id(other), at, (place < others) - (place > others)))
    return found


def add_record_to_stats(
    connection: Connection, table: TableId, facts: CountedRecord | None, changes: RatingChanges, at: int
) -> bool:
    """Mark the record of *table* as counted at *at* (ms since 1970), and add *facts* and *changes* to totals and
    ratings; return False, with nothing written, if ratings have changed since *changes* was computed.

    False is returned too if other people want a rating now. If the record is counted already, nothing changes. If
    *facts* is ``None``, the record cannot be read, and nothing is added.
    """
    if facts is not None and rated_players(connection, table) != list(changes.rated_players):
        return False
    this = records.update().where(records.c.table_id == table, records.c.counted_at.is_(None))
    if connection.execute(this, {"counted_at": at}).rowcount != 1 or facts is None:
        return True
    kept = facts.kept
    people = sa.select(record_people.c.id, record_people.c.user_id).where(record_people.c.table_id == table)
    added = [
        {"user_id": user, "game": kept.game, "what": what, "n": n}
        for id_, user in connection.execute(people).all()
        for what, n in facts.done.get(id_, {}).items()
    ]
    if added:
        added.sort(key=lambda row: (row["user_id"], row["what"]))  # or two processes might wait for each other
        connection.execute(_ADD, added)
    if not changes.ratings:
        return True
    for one in (*changes.rated_players, *changes.computers):
        rating = changes.ratings.get(one.user, one.rating)
        row = {"user_id": one.user, "game": kept.game, "mu": rating.mu, "sigma": rating.sigma}
        if one.user > HIGHEST_COMPUTER_ID:
            connection.execute(_RATE, {**row, "games": rating.games})
        step = {"table_id": table, "guild_id": kept.guild, "at": kept.ended_at, "place": one.place}
        connection.execute(rating_steps.insert(), {**row, **step})
    return True


def delete_ratings_of_user(connection: Connection, user: int) -> None:
    """Delete the ratings of *user* in all games and their rated games against computers; in rated games with people an
    id that names nobody replaces theirs (``DELETED_USER`` or below).

    Otherwise the earlier meetings of the others would be lost with it, and new games with the same person would count
    as the first.
    """
    connection.execute(ratings_.delete().where(ratings_.c.user_id == user))
    others, computers = rating_steps.alias("others"), rating_steps.alias("computers")
    alone = (
        sa.select(others.c.table_id)
        .join(computers, others.c.table_id == computers.c.table_id)
        .where(others.c.user_id == user, computers.c.user_id <= HIGHEST_COMPUTER_ID)
    )
    connection.execute(rating_steps.delete().where(rating_steps.c.table_id.in_(alone)))
    gone = sa.select(sa.func.count()).where(
        others.c.table_id == rating_steps.c.table_id, others.c.user_id <= DELETED_USER
    )
    nobody = {"user_id": DELETED_USER - gone.scalar_subquery(), "mu": 0.0, "sigma": 0.0}
    connection.execute(rating_steps.update().where(rating_steps.c.user_id == user).values(nobody))


# What people read


def read_profiles(connection: Connection, user: int) -> dict[str, Profile]:
    """Read totals, favourite partners, rating and its history of *user*: game -> profile; empty if they have played
    nothing.
    """
    rated = connection.execute(sa.select(ratings_.c.game).where(ratings_.c.user_id == user)).scalars()
    found: dict[str, dict[str, int]] = {game: {} for game in rated}
    for row in connection.execute(sa.select(totals).where(totals.c.user_id == user)):
        if type(row.n) is int:
            found.setdefault(row.game, {})[row.what] = row.n
    return {
        game: Profile(
            known,
            _favourite_partners(connection, user, game),
            _read_rating(connection, user, game),
            _rating_history(connection, user, game),
        )
        for game, known in found.items()
    }


def _favourite_partners(connection: Connection, user: int, game: str) -> list[Partner]:
    """List up to three people with whom *user* has played *game* most often, at least twice; those who hide are left
    out.
    """
    own, other = record_people.alias(), record_people.alias()
    hidden = sa.select(preferences.c.user_id).where(preferences.c.hidden == "yes")
    games = sa.func.count().label("games")
    query = (
        sa.select(other.c.user_id, games)
        .select_from(own.join(other, own.c.table_id == other.c.table_id).join(records))
        .where(own.c.user_id == user, other.c.user_id != user, records.c.game == game, other.c.user_id.not_in(hidden))
        .where(sa.func.coalesce(records.c.counted_at, NEVER_COUNTED + 1) != NEVER_COUNTED)
        .group_by(other.c.user_id)
        .having(games >= MIN_GAMES_TOGETHER)
        .order_by(games.desc(), other.c.user_id)
        .limit(PARTNER_LIMIT)
    )
    met = sa.select(own.c.table_id).where(own.c.user_id == user)
    found = connection.execute(query).all()
    names = read_latest_names_in_records(connection, [row.user_id for row in found], records.c.table_id.in_(met))
    return [Partner(names[row.user_id], row.games) for row in found]


def read_latest_names_in_records(
    connection: Connection, users: Sequence[int], condition: ColumnElement[bool]
) -> dict[int, str]:
    """Read the latest name of each of *users* in records that fulfil the SQL *condition*: user id -> name, all
    different; empty if they have none there.

    The order of *users* decides who keeps a name. Elsewhere people may have a name that is not for these readers.
    """
    found = {user: _latest_name_and_username(connection, user, condition) for user in users}
    known = [user for user, (name, _) in found.items() if name]
    apart = unique_names(found[user] for user in known)
    return dict.fromkeys(users, "") | dict(zip(known, apart, strict=True))


def _latest_name_and_username(connection: Connection, user: int, condition: ColumnElement[bool]) -> tuple[str, str]:
    """(name at the table, Discord user name) of *user* in the newest record that fulfils *condition*; both may be
    empty.
    """
    query = sa.select(record_people.c.name, record_people.c.username).select_from(record_people.join(records))
    newest = query.where(record_people.c.user_id == user, condition).order_by(records.c.ended_at.desc()).limit(1)
    name, username = connection.execute(newest).first() or ("", "")
    return (name if isinstance(name, str) else "", username if isinstance(username, str) else "")


def _read_rating(connection: Connection, user: int, game: str) -> Rating | None:
    """Read the rating of *user* in *game*; ``None`` if there is none or it is damaged."""
    this = sa.and_(ratings_.c.user_id == user, ratings_.c.game == game)
    row = connection.execute(sa.select(ratings_.c.mu, ratings_.c.sigma, ratings_.c.games).where(this)).first()
    return None if row is None else rating_from_row(*row)


def rating_from_row(mu: Any, sigma: Any, games: Any) -> Rating | None:
    """Make a rating of the numbers in a row; ``None`` if one of them is missing or invalid."""
    numbers = all(isinstance(it, float) and math.isfinite(it) for it in (mu, sigma))
    return Rating(mu, sigma, games) if numbers and sigma > 0 and type(games) is int and games >= 0 else None


def _rating_history(connection: Connection, user: int, game: str) -> list[Rating]:
    """List the rating of *user* in *game* after each of their latest 60 rated games, oldest first; ``games`` is 0 in
    it.
    """
    steps = rating_steps.c
    query = sa.select(steps.mu, steps.sigma).where(steps.user_id == user, steps.game == game)
    newest = connection.execute(query.order_by(steps.at.desc(), steps.table_id).limit(HISTORY_LIMIT)).all()
    return [it for row in reversed(newest) if (it := rating_from_row(row.mu, row.sigma, 0)) is not None]


def read_leaderboard(connection: Connection, guild: int, game: str, reader: int) -> Leaderboard:
    """Read the leaderboard of *game* in *guild*: the best 20 by points, and the entry of the person *reader*, if any.

    It lists everybody whose rating is certain, who has played a rated game there, wants a rating and is not hidden.
    """
    mine, chosen = ratings_.c, preferences.c
    there = sa.exists().where(
        rating_steps.c.guild_id == guild, rating_steps.c.game == game, rating_steps.c.user_id == mine.user_id
    )
    query = (
        sa.select(mine.user_id, mine.mu, mine.sigma, mine.games)
        .select_from(ratings_.join(preferences, mine.user_id == chosen.user_id))
        .where(mine.game == game, chosen.rated == "yes", sa.func.coalesce(chosen.hidden, "no") == "no", there)
    )
    known = [(row.user_id, rating_from_row(row.mu, row.sigma, row.games)) for row in connection.execute(query).all()]
    certain = [
        (ratings.displayed_points(it), user, it)
        for user, it in known
        if it is not None and not ratings.is_provisional(it)
    ]
    certain.sort(key=lambda it: (-it[0], it[1]))
    places = {points: place for place, (points, _, _) in reversed(list(enumerate(certain, start=1)))}
    ranked = [LeaderboardEntry(places[points], user, "", it) for points, user, it in certain]
    here = records.c.guild_id == guild
    shown = ranked[:LEADERBOARD_SIZE] + [it for it in ranked[LEADERBOARD_SIZE:] if it.user == reader]
    names = read_latest_names_in_records(connection, [it.user for it in shown], here)
    shown = [it._replace(name=names[it.user]) for it in shown]
    return Leaderboard(shown[:LEADERBOARD_SIZE], next((it for it in shown if it.user == reader), None))
