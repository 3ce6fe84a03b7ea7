"""How attempts at a day's deal have gone: place, score and rounds, and how one compares with all others. Pure."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from bot.daily.days import PERSON_SEAT
from bot.tables.model import Ending, Table
from engine.game import RoundOutcome
from engine.registry import AnyGame
from engine.replay import Moment

MIN_PEOPLE: Final = 20
"""How many people must have played a day's deal before anybody is compared with all of them."""
_OUTCOMES: Final = {it.value[0]: it for it in RoundOutcome}


class DayResult(NamedTuple):
    """The result of an attempt that is over: place and score in the game."""

    place: int | None
    """From 1; ``None``: the person has not played it to the end."""
    score: tuple[int, ...] = ()
    """As ``game.Standing.score``: more is better; empty: as *place*."""

    @property
    def finished(self) -> bool:
        """Whether the person has played the game to its end themselves; only then it has a place and a score."""
        return self.place is not None


class Percentile(NamedTuple):
    """A result is better than *percent* % of the results of *people*, its own among them."""

    percent: int
    """Rounded down."""
    people: int


def day_result(table: Table) -> DayResult:
    """Return the person's place and score at *table*, whose day's deal is over; no place if the game ended early, or a
    computer finished it for them."""
    person = table.players[PERSON_SEAT]
    if table.ending is Ending.FINISHED and not person.automatic:
        for standing in table.rules.standings(table.state):
            if standing.seat == PERSON_SEAT:
                return DayResult(standing.place, standing.score)
    return DayResult(None)


def percentile(own: DayResult, results: Collection[DayResult]) -> Percentile | None:
    """Return what percentage of all *results* of a day *own* beats, and how many these are, *own* among them; ``None``
    if they are fewer than 20.

    The place counts first, then the score. All who have not played to the end rank equally, behind the others.
    """
    if len(results) < MIN_PEOPLE:
        return None
    mine = _rank_key(own)
    return Percentile(100 * sum(_rank_key(it) > mine for it in results) // len(results), len(results))


def _rank_key(result: DayResult) -> tuple[int, int, tuple[int, ...]]:
    """Return a sort key that puts better results first: by place, then by score; all that were not finished come last,
    as equals."""
    if result.place is None:
        return (1, 0, ())
    return (0, result.place, tuple(-part for part in result.score))


def round_outcomes(game: AnyGame, moments: Iterable[Moment]) -> tuple[RoundOutcome, ...]:
    """Return how each finished round of a day's deal of *game* ended for the person (won, lost or neither), in order;
    empty if the game has no deal of the day.

    *moments* are all of the game's replay.
    """
    daily = game.daily
    if daily is None:
        return ()
    found = (daily.round_outcome(moment.events, PERSON_SEAT) for moment in moments)
    return tuple(it for it in found if it is not None)


def encode_round_outcomes(rounds: Iterable[RoundOutcome]) -> str:
    """Write *rounds* as text, one letter each: w (won), l (lost) or o (neither).

    >>> encode_round_outcomes([RoundOutcome.WON, RoundOutcome.OTHER, RoundOutcome.LOST])
    'wol'
    """
    return "".join(it.value[0] for it in rounds)


def decode_round_outcomes(text: str) -> tuple[RoundOutcome, ...]:
    """Read the rounds that ``encode_round_outcomes`` wrote as *text*; or raise ValueError if it holds another letter.

    Raises:
        ValueError: it holds another letter.
    """
    try:
        return tuple(_OUTCOMES[letter] for letter in text)
    except KeyError:
        raise ValueError("not the letter of a round") from None
