"""Rows of totals and ratings: every record is added to them once, and what people read of them. A row that holds what
this program never writes counts as none."""

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.results import ratings
from bot.results.profiles import Leaderboard, Partner, Profile, Ranked
from bot.results.ratings import START, Earlier, Met, Rating
from bot.store.archive import Kept
from bot.store.schema import preferences, rating_steps, record_people, records, totals
from bot.store.schema import ratings as ratings_
from bot.tables.model import TableId

PARTNERS: Final = 3
"""So many favourite partners are found."""
FEWEST_TOGETHER: Final = 2
"""So many games make somebody a favourite partner."""
TOP: Final = 20
"""So many of a leaderboard are shown."""
MEETINGS: Final = 400
"""As many of somebody's latest rated games are looked at, when a game is rated, for whom they have met."""
STEPS: Final = 60
"""As many steps of a rating are read, the newest."""

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


class Counted(NamedTuple):
    """What there is to be added of one record."""

    kept: Kept
    began: int
    """When its game began, ms."""
    usual_minutes: float
    """What such a game takes with as many seats."""
    done: Mapping[str, Mapping[str, int]]
    """By the id of each of its people (``engine.tallies``)."""


# Counting


def next_uncounted(connection: Connection) -> TableId | None:
    """The table of the oldest record that is to be counted; ``None``: there is none."""
    found = connection.execute(_NEXT).scalar()
    return None if found is None else TableId(found)


def count(connection: Connection, table: TableId, found: Counted | None, at: int) -> bool:
    """Mark the record of *table* as counted at the time *at* (ms) and add what was *found* in it to totals and ratings;
    return whether it was still to be counted. ``None``: it cannot be read, so nothing is added.

    People who were erased meanwhile, or do not want a rating any more, are left out.
    """
    this = records.update().where(records.c.table_id == table, records.c.counted_at.is_(None))
    if connection.execute(this, {"counted_at": at}).rowcount != 1:
        return False
    if found is None:
        return True
    kept = found.kept
    query = sa.select(record_people.c.id, record_people.c.user_id, record_people.c.place)
    people = connection.execute(query.where(record_people.c.table_id == table)).all()
    added = [
        {"user_id": row.user_id, "game": kept.game, "what": what, "n": n}
        for row in people
        for what, n in found.done.get(row.id, {}).items()
    ]
    if added:
        connection.execute(_ADD, added)
    placed = {row.user_id: row.place for row in people if row.place is not None}
    wanting = sa.select(preferences.c.user_id).where(preferences.c.user_id.in_(placed), preferences.c.rated == "yes")
    _rate(connection, found, {user: placed[user] for user in sorted(connection.execute(wanting).scalars())})
    return True


def _rate(connection: Connection, found: Counted, placed: Mapping[int, int]) -> None:
    """Rate the game that was *found* for the people *placed* in it, if there are two at least."""
    if len(placed) < 2:
        return
    kept = found.kept
    met = [Met(user, _rating(connection, user, kept.game) or START, place) for user, place in placed.items()]

    def earlier(user: int) -> list[Earlier]:
        """The meetings of *user* in their latest rated games of this kind."""
        mine, theirs = rating_steps.c, rating_steps.alias("theirs")
        query = sa.select(mine.table_id, mine.at, mine.place).where(mine.user_id == user, mine.game == kept.game)
        own = query.order_by(mine.at.desc()).limit(MEETINGS).subquery()
        both = own.join(theirs, sa.and_(own.c.table_id == theirs.c.table_id, theirs.c.user_id != user))
        pairs = sa.select(theirs.c.user_id, own.c.at, own.c.place, theirs.c.place.label("other")).select_from(both)
        return [
            Earlier(row.user_id, row.at, (row.place < row.other) - (row.place > row.other))
            for row in connection.execute(pairs)
            if all(type(it) is int for it in row)
        ]

    new = ratings.rate(met, earlier, began=found.began, at=kept.ended_at, usual_minutes=found.usual_minutes)
    for user, rating in new.items():
        row = {"user_id": user, "game": kept.game, "mu": rating.mu, "sigma": rating.sigma}
        connection.execute(_RATE, {**row, "games": rating.games})
        step = {"table_id": kept.table, "guild_id": kept.guild, "at": kept.ended_at, "place": placed[user]}
        connection.execute(rating_steps.insert(), {**row, **step})


def forget_rating(connection: Connection, user: int) -> None:
    """Delete the ratings of *user* in all games, with every step on the way."""
    connection.execute(ratings_.delete().where(ratings_.c.user_id == user))
    connection.execute(rating_steps.delete().where(rating_steps.c.user_id == user))


# What people read


def profiles(connection: Connection, user: int) -> dict[str, Profile]:
    """What is known of *user*, by the name of each game that they have played."""
    found: dict[str, dict[str, int]] = {}
    for row in connection.execute(sa.select(totals).where(totals.c.user_id == user)):
        if type(row.n) is int:
            found.setdefault(row.game, {})[row.what] = row.n
    return {
        game: Profile(
            known, _partners(connection, user, game), _rating(connection, user, game), _course(connection, user, game)
        )
        for game, known in found.items()
    }


def _partners(connection: Connection, user: int, game: str) -> list[Partner]:
    """Those with whom *user* has played *game* most."""
    own, other = record_people.alias(), record_people.alias()
    hidden = sa.select(preferences.c.user_id).where(preferences.c.hidden == "yes")
    games = sa.func.count().label("games")
    query = (
        sa.select(other.c.user_id, games)
        .select_from(own.join(other, own.c.table_id == other.c.table_id).join(records))
        .where(own.c.user_id == user, other.c.user_id != user, records.c.game == game, other.c.user_id.not_in(hidden))
        .group_by(other.c.user_id)
        .having(games >= FEWEST_TOGETHER)
        .order_by(games.desc(), other.c.user_id)
        .limit(PARTNERS)
    )
    return [Partner(_name(connection, row.user_id), row.games) for row in connection.execute(query).all()]


def _name(connection: Connection, user: int) -> str:
    """What *user* was called at their last table of which there is a record; empty: there is none."""
    query = sa.select(record_people.c.name).select_from(record_people.join(records))
    newest = query.where(record_people.c.user_id == user).order_by(records.c.ended_at.desc()).limit(1)
    found = connection.execute(newest).scalar()
    return found if isinstance(found, str) else ""


def _rating(connection: Connection, user: int, game: str) -> Rating | None:
    """The rating of *user* in *game*; ``None``: there is none."""
    this = sa.and_(ratings_.c.user_id == user, ratings_.c.game == game)
    row = connection.execute(sa.select(ratings_.c.mu, ratings_.c.sigma, ratings_.c.games).where(this)).first()
    return None if row is None else rating_of(*row)


def rating_of(mu: Any, sigma: Any, games: Any) -> Rating | None:
    """The rating that a row holds; ``None``: it cannot be one."""
    numbers = all(isinstance(it, float) and math.isfinite(it) for it in (mu, sigma))
    return Rating(mu, sigma, games) if numbers and sigma > 0 and type(games) is int and games >= 0 else None


def _course(connection: Connection, user: int, game: str) -> list[Rating]:
    """The rating of *user* in *game* after each of the last games that counted for it, oldest first."""
    steps = rating_steps.c
    query = sa.select(steps.mu, steps.sigma).where(steps.user_id == user, steps.game == game)
    newest = connection.execute(query.order_by(steps.at.desc(), steps.table_id).limit(STEPS)).all()
    return [it for row in reversed(newest) if (it := rating_of(row.mu, row.sigma, 0)) is not None]


def leaderboard(connection: Connection, guild: int, game: str, own: int) -> Leaderboard:
    """The leaderboard of *game* in *guild*: everybody whose rating is certain, who has played a rated game there, wants
    a rating and is not hidden; and where the person *own* is in it."""
    mine, chosen = ratings_.c, preferences.c
    there = sa.exists().where(
        rating_steps.c.guild_id == guild, rating_steps.c.game == game, rating_steps.c.user_id == mine.user_id
    )
    query = (
        sa.select(mine.user_id, mine.mu, mine.sigma, mine.games)
        .select_from(ratings_.join(preferences, mine.user_id == chosen.user_id))
        .where(mine.game == game, chosen.rated == "yes", sa.func.coalesce(chosen.hidden, "no") == "no", there)
    )
    known = [(row.user_id, rating_of(row.mu, row.sigma, row.games)) for row in connection.execute(query).all()]
    certain = [(ratings.points(it), user, it) for user, it in known if it is not None and not ratings.provisional(it)]
    certain.sort(key=lambda it: (-it[0], it[1]))
    places = {points: place for place, (points, _, _) in reversed(list(enumerate(certain, start=1)))}
    ranked = [Ranked(places[points], user, "", it) for points, user, it in certain]
    top = [it._replace(name=_name(connection, it.user)) for it in ranked[:TOP]]
    found = next((it._replace(name=_name(connection, own)) for it in ranked if it.user == own), None)
    return Leaderboard(top, found)
