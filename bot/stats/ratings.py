"""Ratings: what a rated game makes of them, and what people read of them. Pure.

A rating is a strength ``mu`` and how uncertain that is, ``sigma``. openskill's *Bradley-Terry, full pairing* is the
model, since it takes a game apart into pairs of people: so what a pair's result tells can be weighed pair by pair.
``docs/ratings.md`` says in plain words why each pair is weighed as it is.
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
"""What somebody of average strength would have if there were no doubt about it."""
DOUBTS: Final = 3
"""So many sigmas are taken off the strength that people read."""


class Rating(NamedTuple):
    """How strong somebody is in a game, as far as their rated games tell."""

    mu: float
    """The strength that is most likely."""
    sigma: float
    """How uncertain that is: the standard deviation."""
    games: int
    """How many rated games it was made of."""


START: Final = Rating(25.0, 3.0, 0)
"""The rating of somebody who has played no rated game. Strengths of people differ about so much: a wider start would
let a few games decide."""
LEAST_SIGMA: Final = 1.0
"""Nobody is more certain than this, since people change."""
CERTAIN_SIGMA: Final = 2.8
"""A rating is provisional while its sigma is larger ..."""
CERTAIN_GAMES: Final = 10
"""... and for so many games."""

HALF_LIFE_MS: Final = 60 * 24 * 60 * 60 * 1000
"""After so long an earlier game counts half when it is asked how often a pair has met and whom somebody knows."""
MANY_MEETINGS: Final = 40
"""After so many recent games together a pair's next game counts half."""
WIDE_CIRCLE: Final = 18
"""Whoever has met so many others of late is a full witness of others' strength ..."""
LEAST_CREDIT: Final = 0.2
"""... and who has met hardly anybody counts so much of one."""


GONE: Final = 0
"""The user id under which all stand who have deleted their rating since, or were erased."""
COMPUTERS: Final = -1000
"""User ids from here down are those of computer players: for every level a thousand."""


class Met(NamedTuple):
    """A rated person in a game, or a computer player with whom one is compared. Of places, which are equal for ties,
    only the order matters."""

    user: int
    """The person's id, or that of a computer player (``computer``)."""
    rating: Rating
    place: int


class Earlier(NamedTuple):
    """Somebody's meeting with one *other* in an earlier rated game: a rated person, or computer players of one level. A
    game with four gives each three."""

    other: int
    """``GONE``: somebody who has deleted their rating since, or was erased. Of a level: ``computer`` of it."""
    at: int
    """When the game ended, ms."""
    ahead: int
    """1: they had the better place, -1: the other had, 0: the same place."""


class _Past(NamedTuple):
    """Somebody's earlier meetings, recent ones counting more, by the other person."""

    often: Mapping[int, float]
    """How many there were."""
    lead: Mapping[int, float]
    """How often they were ahead, less how often the other was."""
    last: Mapping[int, float]
    """How much the last meeting still counts, 0 to 1."""

    def evenness(self, among: Callable[[int], bool]) -> float:
        """How much a result counts after all these meetings with those *among* whom the other is."""
        often, lead = (sum(now for user, now in it.items() if among(user)) for it in (self.often, self.lead))
        return _evenness(often, lead)


def computer(level: int, number: int = 0) -> int:
    """The user id of a computer player of *level*; *number*, 0 to 999, tells those at one table apart."""
    return COMPUTERS * level - number


def opponent(user: int) -> int:
    """Under which id meetings with *user* are counted: computer players of one level are one opponent, and so are all
    who are ``GONE``.

    >>> opponent(5), opponent(-3), opponent(computer(6, 2)) == computer(6)
    (5, 0, True)
    """
    return computer(user // COMPUTERS) if user <= COMPUTERS else max(user, GONE)


def checked(mu: Any, sigma: Any, games: Any) -> Rating:
    """The rating that these values of the store say; ``START`` if they cannot be one."""
    if type(mu) not in (float, int) or type(sigma) not in (float, int) or type(games) is not int:
        return START
    if not isfinite(mu) or not isfinite(sigma) or abs(mu) > 1000 or not 0 < sigma <= START.sigma or games < 0:
        return START
    return Rating(float(mu), max(float(sigma), LEAST_SIGMA), games)


def rate(
    met: Sequence[Met],
    earlier: Callable[[int], Iterable[Earlier]],
    *,
    began: int,
    at: int,
    usual_minutes: float,
    luck: float = 1.0,
) -> dict[int, Rating]:
    """The new rating of each person among *met*, the rated people of one game and the computer players with whom they
    are compared, each there once; of one alone: the old one. Ratings of computer players do not change.

    *earlier* gives a person's meetings in earlier rated games of this kind, in any order. The game was dealt at *began*
    and ended at *at* (ms); *usual_minutes* is what such a game usually takes (``Game.usual_minutes``), *luck* how much
    luck decides in it (``game.Ladder``): strengths of computer players were measured, so that matters against them.
    """
    people = [one._replace(rating=checked(*one.rating)) for one in met if one.user > COMPUTERS]
    if len(met) < 2:
        return {one.user: one.rating for one in people}
    known = [one for one in met if one.user <= COMPUTERS]
    past = {one.user: _past(earlier(one.user), at) for one in people}
    usual = _shortness(at - began, usual_minutes)
    strength = {one.user: one.rating.mu for one in people}
    precision = {one.user: one.rating.sigma**-2 for one in people}
    for one, other in (*combinations(people, 2), *product(people, known)):
        against_computer = other.user <= COMPUTERS
        changes = _changes(one, other, luck if against_computer else 1.0)
        short = 1.0 if against_computer else usual  # a computer player loses no game on purpose
        for (mine, theirs), (change, told) in zip(((one, other), (other, one)), changes, strict=True):
            if mine.user not in strength:
                continue
            # A game of n has n - 1 results for each person, which are not independent: they count as 2 (n - 1) / n.
            weight = _weight(mine, theirs, past) * 2 / len(met)
            # Whoever loses a short game loses in full, so leaving at once is no way out.
            strength[mine.user] += weight * change * (short if change > 0 or one.place == other.place else 1.0)
            precision[mine.user] += weight * short * told
    return {
        one.user: Rating(strength[one.user], max(LEAST_SIGMA, 1 / sqrt(precision[one.user])), one.rating.games + 1)
        for one in people
    }


def points(rating: Rating) -> int:
    """What people read of *rating*: a strength that it is very likely not below, ``START`` being 1023."""
    return max(0, round(AVERAGE_POINTS + POINTS_PER_MU * (rating.mu - START.mu - DOUBTS * rating.sigma)))


def provisional(rating: Rating) -> bool:
    """Whether *rating* is too uncertain to stand among others'."""
    return rating.games < CERTAIN_GAMES or rating.sigma > CERTAIN_SIGMA


def _past(meetings: Iterable[Earlier], at: int) -> _Past:
    """What *meetings* amount to at the time *at*."""
    often: dict[int, float] = defaultdict(float)
    lead: dict[int, float] = defaultdict(float)
    latest: dict[int, int] = defaultdict(int)
    for other, when, ahead in meetings:
        now = 0.5 ** ((at - when) / HALF_LIFE_MS) if when < at else 1.0
        often[other] += now
        lead[other] += now * ahead
        if when > latest[other]:
            latest[other] = when
    return _Past(often, lead, {other: 0.5 ** (max(0, at - when) / HALF_LIFE_MS) for other, when in latest.items()})


@cache
def _model(luck: float) -> BradleyTerryFull:
    """openskill's model for games of which so much is *luck*.

    Tau is 0: ``LEAST_SIGMA`` keeps ratings moving, and games that tell nothing must not make anybody less certain. With
    gamma 1 the uncertainty falls by what a result tells; openskill's own gamma makes it fall more slowly.
    """
    return BradleyTerryFull(beta=_BETA * luck, tau=0.0, gamma=lambda *_: 1.0)


def _changes(one: Met, other: Met, luck: float) -> list[tuple[float, float]]:
    """What openskill makes of the result of *one* and *other*, were it the only one, in a game of which so much is
    *luck*: for each the change of mu and of the precision, which is 1 / sigma^2.

    A tie is half a win and half a loss: openskill itself gives people who tie the same change, so that a weak player
    would gain nothing from a tie with a strong one.
    """
    orders = {-1: [(1, 2)], 1: [(2, 1)], 0: [(1, 2), (2, 1)]}[(one.place > other.place) - (one.place < other.place)]
    changes = [(0.0, 0.0), (0.0, 0.0)]
    model = _model(luck)
    for order in orders:
        teams = [[model.rating(mu=it.rating.mu, sigma=it.rating.sigma)] for it in (one, other)]
        rated = model.rate(teams, ranks=[float(rank) for rank in order])
        for i, (it, [new]) in enumerate(zip((one, other), rated, strict=True)):
            mu, told = changes[i]
            mu += (new.mu - it.rating.mu) / len(orders)
            changes[i] = mu, told + (new.sigma**-2 - it.rating.sigma**-2) / len(orders)
    return changes


def _shortness(lasted_ms: int, usual_minutes: float) -> float:
    """How much a game of this duration counts: in full from half of the usual time on, then ever less."""
    part = max(0, lasted_ms) / 60_000 / (usual_minutes / 2)
    return min(1.0, part * part)


def _evenness(meetings: float, lead: float) -> float:
    """How much a result counts after so many *meetings*: the less, the more often the same side was ahead. It does not
    depend on who is ahead now, so it favours neither."""
    even = (2 + meetings - abs(lead)) / (2 + meetings + abs(lead))
    return even * sqrt(even)


def _weight(mine: Met, theirs: Met, past: Mapping[int, _Past]) -> float:
    """How much a result against *theirs* tells of the strength of *mine*, 0 to 1."""
    known = past[mine.user]
    often = known.often.get(opponent(theirs.user), 0.0)
    even = _evenness(often, known.lead.get(opponent(theirs.user), 0.0))
    if theirs.user <= COMPUTERS:
        # Who is nearly always ahead, at whatever level, has found a way: by choosing levels they could repeat it.
        return min(even, known.evenness(lambda user: user <= COMPUTERS)) / (1 + often / MANY_MEETINGS)
    circle = sum(
        now for user, now in past[theirs.user].last.items() if user > COMPUTERS and user not in (mine.user, GONE)
    )
    credit = min(1.0, circle / WIDE_CIRCLE) ** 3
    if credit < LEAST_CREDIT:
        # Accounts that have met hardly anybody may all be the same person's, so they are not told apart.
        even = min(even, known.evenness(lambda user: user > COMPUTERS))
    certain = min(1.0, mine.rating.sigma / theirs.rating.sigma) ** 4
    return even / (1 + often / MANY_MEETINGS) * max(LEAST_CREDIT, credit) * certain


# Computer players as anchors of the ratings: every level has a strength that no result changes. Pure.
#
# What was measured is how often each level wins against the one below it (``game.Ladder``). Where people stand beside
# them was not: that ``MIDDLE_LEVEL`` is a little weaker than the average person is an assumption (docs/ratings.md).


MIDDLE_SHARE: Final = 0.4
"""The part of its games against an average person that a computer player of the middle level is taken to win."""


def anchors(game: AnyGame) -> tuple[Rating, ...]:
    """The ratings of the levels of *game*, the weakest first; empty: they are not known."""
    if game.ladder is None:
        return ()
    steps = [_odds(share) * NOISE for share in game.ladder.SHARES]
    middle = START.mu + _odds(MIDDLE_SHARE) * NOISE
    heights = [sum(steps[:level]) for level in range(len(steps) + 1)]
    return tuple(Rating(middle + it - heights[_middle(game)], LEAST_SIGMA, 0) for it in heights)


def computers(found: Record, game: AnyGame, person: str, place: int) -> list[Met]:
    """The computer players with whom the person whose id in the record *found* is *person* is compared, who was the
    only one when the cards were dealt, and came in at *place* (``bot.stats.places``); with places that are right
    beside *place*. Empty: there are none.

    Computer players whose seat somebody has taken since are left out. If anybody has, it may have been to help: then
    only those count who came before the person.
    """
    known = anchors(game)
    seats = found.deal.seats
    mine = next((Seat(n) for n, sheet in enumerate(seats) if sheet.id == person), None)
    if not known or mine is None or any(sheet.kind != "computer" for n, sheet in enumerate(seats) if n != mine):
        return []
    taken = {it.seat for it in found.entries if isinstance(it, SeatChangeEntry)} - {mine}
    still = [Seat(n) for n in range(len(seats)) if n != mine and n not in taken]
    places = {it.seat: it.place for it in found.standings} if found.ending == FINISHED else {}
    before = [seat for seat in still if mine in places and places[seat] < places[mine]]
    left = place != 1 + len(before)
    met = []
    for number, seat in enumerate(still):
        order = -1 if left else _order(places.get(seat, 0), places.get(mine, 0))
        level = int(seats[seat].level) if seats[seat].level.isdecimal() else 0
        if 1 <= level <= len(known) and (not taken or order < 0):
            met.append(Met(computer(level, number), known[level - 1], place + order))
    return met


def _order(one: int, other: int) -> int:
    """-1 if *one* is less than *other*, 1 if it is more, else 0."""
    return (one > other) - (one < other)


def _odds(share: float) -> float:
    """The logarithm of the odds of winning *share* of the games."""
    return log(share / (1 - share))


def _middle(game: AnyGame) -> int:
    """The middle level of *game*, from 0."""
    return min(MIDDLE_LEVEL, game.computers.LEVELS) - 1
