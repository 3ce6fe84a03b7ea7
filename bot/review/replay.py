"""A finished game, replayed from its record: its moments, its people, and who may look at it. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from bot.tables.errors import Refusal, Why
from bot.tables.preferences import Preferences
from bot.tables.record import RecordedPerson
from engine import record
from engine.coaching import Coaching, coach_game
from engine.fair import PlayerKind
from engine.game import Seat
from engine.record import Record, SeatChangeEntry
from engine.registry import GAMES, AnyGame
from engine.replay import Moment, replay

REMEMBERED_GAMES: Final = 8
"""How many replayed games are cached: a reader clicks quickly from moment to moment."""


class GameCourse(NamedTuple):
    """A finished game, replayed from its record: all its moments, and where rounds and seat changes are."""

    record: Record
    moments: tuple[Moment, ...]
    """The deal first."""
    rounds: tuple[int, ...]
    """The numbers of the moments with which a round or hand begins, and of the one that ends the last: first the deal,
    then every one that ends a round, which shows the next deal too."""
    seatings: tuple[Moment, ...]
    """The deal, and the moments at which a seat has changed hands."""

    @property
    def rules(self) -> AnyGame:
        """The rules of the game that was played, as they are now."""
        return GAMES[self.record.deal.game]

    @property
    def last(self) -> int:
        """The number of the last moment of the replay; 0 is the deal."""
        return len(self.moments) - 1

    def round_start_before(self, number: int) -> int:
        """Return the number of the moment with which the round of the moment *number* begins; if *number* begins a
        round, that of the round before."""
        return self.rounds[max(0, bisect_left(self.rounds, number) - 1)]

    def round_start_after(self, number: int) -> int:
        """Return the number of the moment with which the next round after the moment *number* begins; in the last round
        that of the last moment."""
        place = bisect_right(self.rounds, number)
        return self.rounds[place] if place < len(self.rounds) else self.last

    def seat_of_person_by_moment(self, number: int, ids: Collection[str]) -> Seat | None:
        """Return the seat that the person with one of *ids* had by the moment *number*, also if a computer plays it
        since; ``None`` if they had none by then.

        *ids* are ids in the record.
        """
        found = None
        for moment in self.seatings:
            for seat, sitting in enumerate(moment.seats):
                if moment.number <= number and sitting.kind == "person" and sitting.id in ids:
                    found = Seat(seat)
        return found


@lru_cache(REMEMBERED_GAMES)
def replay_packed_record(packed: bytes) -> GameCourse:
    """Replay the game of the compressed record *packed*; or raise Refusal if other rules were played, BadRecord if it
    is damaged. The last 8 are cached.

    Raises:
        Refusal: it was played by other rules.
        BadRecord: it is damaged.
    """
    found = record.decompress_record(packed)
    rules = GAMES[found.deal.game]
    if found.deal.rules != rules.rules_version:
        raise Refusal(Why.OTHER_RULES)
    moments = tuple(replay(found))
    acted = [moment for moment in moments if moment.action is not None]
    rounds = [0, *(moment.number for moment in acted if rules.ends_round(moment.events))]
    seatings = tuple(moment for moment in moments if moment.action is None)
    return GameCourse(found, moments, tuple(rounds), seatings)


@lru_cache(REMEMBERED_GAMES)
def judge_packed_record(packed: bytes) -> Coaching | None:
    """Let the coach judge every decision of the game of the compressed record *packed*; ``None`` if the game has no
    coach. The last 8 are cached.

    A long game takes about a second. Raises as ``replay_packed_record``.
    """
    course = replay_packed_record(packed)
    return coach_game(course.rules, course.moments) if course.rules.coach is not None else None


def people_ids(game_record: Record) -> set[str]:
    """Return the ids in *game_record* of all people who had a seat at the start or later."""
    sat_down = {it.id for it in game_record.entries if isinstance(it, SeatChangeEntry) and it.sits == "person"}
    return sat_down | {sheet.id for sheet in game_record.deal.seats if sheet.kind == "person"}


def is_replay_public(
    game_record: Record, people: Sequence[RecordedPerson], chosen: Callable[[int], Preferences]
) -> bool:
    """Whether everybody may see this game's replay: all its people are still stored, and all of them allow it at
    present."""
    known = {person.id for person in people}
    return people_ids(game_record) <= known and all(chosen(person.user).replays for person in people)


def names_winners_first(game_record: Record, names: Mapping[str, str], former: str) -> tuple[list[str], int]:
    """Return (names of the people who had a seat at the end of *game_record*, winners first; how many of them won).

    *names* are by the id in the record; whoever has none is called *former*.
    """
    seats: list[tuple[PlayerKind, str]] = [(sheet.kind, sheet.id) for sheet in game_record.deal.seats]
    for it in game_record.entries:
        if isinstance(it, SeatChangeEntry) and it.id:
            seats[it.seat] = (it.sits, it.id)
    place = {standing.seat: standing.place for standing in game_record.standings}
    people = [(place.get(Seat(seat), 0) != 1, id_) for seat, (kind, id_) in enumerate(seats) if kind == "person"]
    ranked = sorted(people, key=lambda it: it[0])
    return [names.get(id_, former) for _, id_ in ranked], sum(not behind for behind, _ in people)
