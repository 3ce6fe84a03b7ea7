"""Computes ratings from rated games, and the points that people read. Pure.

A rating is a strength ``mu`` and its uncertainty ``sigma``. The model is openskill's *Bradley-Terry, full pairing*,
since it takes a game apart into pairs of people: so the result of each pair can have its own weight.
``docs/ratings.md`` says in plain words why each pair has its weight.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import isfinite, log, sqrt
from typing import Any, Final, NamedTuple

from openskill.models import BradleyTerryFull

from bot.tables.names import MIDDLE_LEVEL
from engine.game import Seat
from engine.record import FINISHED, Record, SeatChangeEntry
from engine.registry import AnyGame

_BETA: Final = 25 / 6
"""How much luck there is in what one player does in a game: openskill's own measure."""
NOISE: Final = sqrt(2) * _BETA
"""Between two certain people whose strengths differ by this, the stronger is ahead in 73 % of the games."""
POINTS_PER_MU: Final = 100 / (log(1.5) * NOISE)
"""So 100 points more means to be ahead in three games out of five."""
AVERAGE_POINTS: Final = 1400
"""The points of somebody of average strength, if that strength were certain."""
SUBTRACTED_SIGMAS: Final = 3
"""How many sigmas are subtracted from the strength that people read."""


class Rating(NamedTuple):
    """The estimated strength of a person in a game: mean, uncertainty, and the number of rated games."""

    mu: float
    """The strength that is most likely."""
    sigma: float
    """How uncertain that is: the standard deviation."""
    games: int
    """How many rated games it was made of."""


START_RATING: Final = Rating(25.0, 3.0, 0)
"""The rating of somebody who has played no rated game. Strengths of people differ about so much: a wider start would
let a few games decide.
"""
MIN_SIGMA: Final = 1.0
"""The smallest sigma: people change, so nobody is more certain than this."""
CERTAIN_SIGMA: Final = 2.8
"""A rating is provisional while its sigma is larger ..."""
CERTAIN_GAMES: Final = 10
"""... and for so many games."""

HALF_LIFE_MS: Final = 60 * 24 * 60 * 60 * 1000
"""After this time an earlier meeting counts half."""
HALF_WEIGHT_MEETINGS: Final = 40
"""After so many recent games together a pair's next game counts half."""
FULL_CREDIT_OPPONENTS: Final = 18
"""Results against somebody who has met so many others recently count in full ..."""
MIN_CREDIT: Final = 0.2
"""... and results against somebody who has met hardly anybody count this much."""


DELETED_USER: Final = 0
"""The user id for all who have deleted their rating since, or were erased."""
HIGHEST_COMPUTER_ID: Final = -1000
"""User ids from here down belong to computer players: a thousand for every level."""


class RatedPlayer(NamedTuple):
    """A person in a rated game, or a computer player to compare with: user id, rating before, place.

    Of places, which are equal for ties, only the order matters.
    """

    user: int
    """The person's id, or that of a computer player (``computer_user_id``)."""
    rating: Rating
    place: int


class EarlierMeeting(NamedTuple):
    """One opponent of a person in one earlier rated game: who, when, and who was ahead. A game with four gives
    three.
    """

    other: int
    """The id of the other: ``DELETED_USER`` for somebody erased, ``computer_user_id`` of the level for a computer."""
    at: int
    """When the game ended, ms."""
    ahead: int
    """1: they had the better place, -1: the other had, 0: the same place."""


class _MeetingTotals(NamedTuple):
    """The weighted sums of a person's earlier meetings, by opponent: how often, how often ahead, how recent."""

    often: Mapping[int, float]
    """How many meetings there were."""
    lead: Mapping[int, float]
    """How often they were ahead, minus how often the other was."""
    last: Mapping[int, float]
    """How much the last meeting still counts, 0 to 1."""

    def balance_weight_against(self, among: Callable[[int], bool]) -> float:
        """Return the weight (0 to 1) of results against all opponents whose user id *among* accepts: the lower, the
        more often one side was ahead in the meetings with them.
        """
        often, lead = (sum(now for user, now in it.items() if among(user)) for it in (self.often, self.lead))
        return _balance_weight(often, lead)


def computer_user_id(level: int, number: int = 0) -> int:
    """Return the user id (negative) that stands for a computer player of *level*, from 1; *number*, 0 to 999, tells
    those at one table apart.
    """
    return HIGHEST_COMPUTER_ID * level - number


def pooled_opponent_id(user: int) -> int:
    """Return the id under which meetings with *user* are summed up: one for each computer level, one for all deleted
    people.

    >>> pooled_opponent_id(5), pooled_opponent_id(-3), pooled_opponent_id(computer_user_id(6, 2)) == computer_user_id(6)
    (5, 0, True)
    """
    return computer_user_id(user // HIGHEST_COMPUTER_ID) if user <= HIGHEST_COMPUTER_ID else max(user, DELETED_USER)


def rating_or_default(mu: Any, sigma: Any, games: Any) -> Rating:
    """Make a rating of the stored values *mu*, *sigma* and *games*, with sigma at least ``MIN_SIGMA``; ``START_RATING``
    if a value is invalid.
    """
    if type(mu) not in (float, int) or type(sigma) not in (float, int) or type(games) is not int:
        return START_RATING
    if not isfinite(mu) or not isfinite(sigma) or abs(mu) > 1000 or not 0 < sigma <= START_RATING.sigma or games < 0:
        return START_RATING
    return Rating(float(mu), max(float(sigma), MIN_SIGMA), games)


def new_ratings(
    players: Sequence[RatedPlayer],
    earlier: Callable[[int], Iterable[EarlierMeeting]],
    *,
    began: int,
    ended: int,
    usual_minutes: float,
    luck: float = 1.0,
) -> dict[int, Rating]:
    """Compute the new rating of each person, not of computer players, in one finished game from places and earlier
    meetings: user id -> rating.

    Ratings of computer players do not change. *players* are the rated people of the game and the computer players with
    whom they are compared, each there once; somebody alone keeps the old rating. *earlier* gives a person's meetings in
    earlier rated games of this kind, in any order. The game was dealt at *began* and ended at *ended* (ms);
    *usual_minutes* is what such a game usually takes (``Game.usual_minutes``), *luck* how much luck decides in it
    (``game.Ladder``): strengths of computer players were measured, so that matters against them.
    """
    people = [one._replace(rating=rating_or_default(*one.rating)) for one in players if one.user > HIGHEST_COMPUTER_ID]
    if len(players) < 2:
        return {one.user: one.rating for one in people}
    known = [one for one in players if one.user <= HIGHEST_COMPUTER_ID]
    past = {one.user: _sum_meetings(earlier(one.user), ended) for one in people}
    usual = _duration_weight(ended - began, usual_minutes)
    strength = {one.user: one.rating.mu for one in people}
    precision = {one.user: one.rating.sigma**-2 for one in people}
    for one, other in (*combinations(people, 2), *product(people, known)):
        against_computer = other.user <= HIGHEST_COMPUTER_ID
        changes = _pair_changes(one, other, luck if against_computer else 1.0)
        short = 1.0 if against_computer else usual  # a computer player loses no game on purpose
        for (mine, theirs), (change, told) in zip(((one, other), (other, one)), changes, strict=True):
            if mine.user not in strength:
                continue
            # A game of n has n - 1 results for each person, which are not independent: they count as 2 (n - 1) / n.
            weight = _pair_weight(mine, theirs, past) * 2 / len(players)
            # Whoever loses a short game loses in full, so leaving at once is no way out.
            strength[mine.user] += weight * change * (short if change > 0 or one.place == other.place else 1.0)
            precision[mine.user] += weight * short * told
    return {
        one.user: Rating(strength[one.user], max(MIN_SIGMA, 1 / sqrt(precision[one.user])), one.rating.games + 1)
        for one in people
    }


def displayed_points(rating: Rating) -> int:
    """Return the points that people read for *rating*: a cautious estimate, at least 0; ``START_RATING`` is 1023."""
    return max(
        0, round(AVERAGE_POINTS + POINTS_PER_MU * (rating.mu - START_RATING.mu - SUBTRACTED_SIGMAS * rating.sigma))
    )


def is_provisional(rating: Rating) -> bool:
    """Whether *rating* is too uncertain for a leaderboard: made of fewer than 10 games, or its sigma is above 2.8."""
    return rating.games < CERTAIN_GAMES or rating.sigma > CERTAIN_SIGMA


def _sum_meetings(meetings: Iterable[EarlierMeeting], at: int) -> _MeetingTotals:
    """Sum up *meetings* by opponent; each counts half for every 60 days that it lies before *at* (ms since 1970)."""
    often: dict[int, float] = defaultdict(float)
    lead: dict[int, float] = defaultdict(float)
    latest: dict[int, int] = defaultdict(int)
    for other, when, ahead in meetings:
        now = 0.5 ** ((at - when) / HALF_LIFE_MS) if when < at else 1.0
        often[other] += now
        lead[other] += now * ahead
        if when > latest[other]:
            latest[other] = when
    return _MeetingTotals(
        often, lead, {other: 0.5 ** (max(0, at - when) / HALF_LIFE_MS) for other, when in latest.items()}
    )


@cache
def _rating_model(luck: float) -> BradleyTerryFull:
    """Return openskill's Bradley-Terry model for games in which luck decides *luck* times as much as usual. Cached.

    Tau is 0: ``MIN_SIGMA`` keeps ratings moving, and games that tell nothing must not make anybody less certain. With
    gamma 1 the uncertainty falls by what a result tells; openskill's own gamma makes it fall more slowly.
    """
    return BradleyTerryFull(beta=_BETA * luck, tau=0.0, gamma=lambda *_: 1.0)


def _pair_changes(one: RatedPlayer, other: RatedPlayer, luck: float) -> list[tuple[float, float]]:
    """Compute the changes of (mu, 1 / sigma^2) for *one* and *other* by their result alone, unweighted.

    *luck* is how much of the game is luck. A tie is half a win and half a loss: openskill itself gives people who tie
    the same change, so that a weak player would gain nothing from a tie with a strong one.
    """
    orders = {-1: [(1, 2)], 1: [(2, 1)], 0: [(1, 2), (2, 1)]}[(one.place > other.place) - (one.place < other.place)]
    changes = [(0.0, 0.0), (0.0, 0.0)]
    model = _rating_model(luck)
    for order in orders:
        teams = [[model.rating(mu=it.rating.mu, sigma=it.rating.sigma)] for it in (one, other)]
        rated = model.rate(teams, ranks=[float(rank) for rank in order])
        for i, (it, [new]) in enumerate(zip((one, other), rated, strict=True)):
            mu, told = changes[i]
            mu += (new.mu - it.rating.mu) / len(orders)
            changes[i] = mu, told + (new.sigma**-2 - it.rating.sigma**-2) / len(orders)
    return changes


def _duration_weight(lasted_ms: int, usual_minutes: float) -> float:
    """Return the weight (0 to 1) of a game that lasted *lasted_ms*: 1 from half of *usual_minutes* on; a shorter one
    counts by the square of its duration.
    """
    part = max(0, lasted_ms) / 60_000 / (usual_minutes / 2)
    return min(1.0, part * part)


def _balance_weight(meetings: float, lead: float) -> float:
    """Return the weight (0 to 1) of one more result after *meetings*: the lower, the larger *lead* is, how much more
    often one side was ahead than the other.

    It does not depend on who is ahead now, so it favours neither.
    """
    even = (2 + meetings - abs(lead)) / (2 + meetings + abs(lead))
    return even * sqrt(even)


def _pair_weight(mine: RatedPlayer, theirs: RatedPlayer, past: Mapping[int, _MeetingTotals]) -> float:
    """Return the weight (0 to 1) of the result against *theirs* for the rating of *mine*: lower if they have met often
    or one was mostly ahead, or if *theirs* is uncertain or has met few others.
    """
    known = past[mine.user]
    often = known.often.get(pooled_opponent_id(theirs.user), 0.0)
    even = _balance_weight(often, known.lead.get(pooled_opponent_id(theirs.user), 0.0))
    if theirs.user <= HIGHEST_COMPUTER_ID:
        # Who is nearly always ahead, at whatever level, has found a way: by choosing levels they could repeat it.
        return min(even, known.balance_weight_against(lambda user: user <= HIGHEST_COMPUTER_ID)) / (
            1 + often / HALF_WEIGHT_MEETINGS
        )
    circle = sum(
        now
        for user, now in past[theirs.user].last.items()
        if user > HIGHEST_COMPUTER_ID and user not in (mine.user, DELETED_USER)
    )
    credit = min(1.0, circle / FULL_CREDIT_OPPONENTS) ** 3
    if credit < MIN_CREDIT:
        # Accounts that have met hardly anybody may all be the same person's, so they are not told apart.
        even = min(even, known.balance_weight_against(lambda user: user > HIGHEST_COMPUTER_ID))
    certain = min(1.0, mine.rating.sigma / theirs.rating.sigma) ** 4
    return even / (1 + often / HALF_WEIGHT_MEETINGS) * max(MIN_CREDIT, credit) * certain


# Computer players as anchors of the ratings: every level has a strength that no result changes. Pure.
#
# What was measured is how often each level wins against the one below it (``game.Ladder``). Where people stand beside
# them was not: that ``MIDDLE_LEVEL`` is a little weaker than the average person is an assumption (docs/ratings.md).


MIDDLE_SHARE: Final = 0.4
"""The assumed share of games that a computer player of the middle level wins against an average person."""


def level_ratings(game: AnyGame) -> tuple[Rating, ...]:
    """Return the fixed rating of each computer level of *game*, the weakest first; empty if their strengths were not
    measured (``Game.ladder``).
    """
    if game.ladder is None:
        return ()
    steps = [_log_odds(share) * NOISE for share in game.ladder.SHARES]
    middle = START_RATING.mu + _log_odds(MIDDLE_SHARE) * NOISE
    heights = [sum(steps[:level]) for level in range(len(steps) + 1)]
    return tuple(Rating(middle + it - heights[_middle_level(game)], MIN_SIGMA, 0) for it in heights)


def computer_opponents(game_record: Record, game: AnyGame, person: str, place: int) -> list[RatedPlayer]:
    """List the computer players with whom the only person in *game_record* is compared for their rating; empty if
    several people played, or strengths were not measured.

    *person* is that person's id in the record, *place* their place (``bot.stats.places``). The computer players get
    places that are right beside *place*. Those whose seat somebody has taken since are left out. If anybody has, it may
    have been to help: then only those count who came before the person.
    """
    known = level_ratings(game)
    seats = game_record.deal.seats
    mine = next((Seat(n) for n, sheet in enumerate(seats) if sheet.id == person), None)
    if not known or mine is None or any(sheet.kind != "computer" for n, sheet in enumerate(seats) if n != mine):
        return []
    taken = {it.seat for it in game_record.entries if isinstance(it, SeatChangeEntry)} - {mine}
    still = [Seat(n) for n in range(len(seats)) if n != mine and n not in taken]
    places = {it.seat: it.place for it in game_record.standings} if game_record.ending == FINISHED else {}
    before = [seat for seat in still if mine in places and places[seat] < places[mine]]
    left = place != 1 + len(before)
    met = []
    for number, seat in enumerate(still):
        order = -1 if left else _compare(places.get(seat, 0), places.get(mine, 0))
        level = int(seats[seat].level) if seats[seat].level.isdecimal() else 0
        if 1 <= level <= len(known) and (not taken or order < 0):
            met.append(RatedPlayer(computer_user_id(level, number), known[level - 1], place + order))
    return met


def _compare(one: int, other: int) -> int:
    """Return -1 if *one* is less than *other*, 1 if it is more, else 0."""
    return (one > other) - (one < other)


def _log_odds(share: float) -> float:
    """Return the natural logarithm of the odds of winning *share* (between 0 and 1) of the games."""
    return log(share / (1 - share))


def _middle_level(game: AnyGame) -> int:
    """Return the index, from 0, of the middle computer level of *game*, or of the highest if it has fewer."""
    return min(MIDDLE_LEVEL, game.computers.LEVELS) - 1
