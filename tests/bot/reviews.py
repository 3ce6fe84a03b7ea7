"""Games that are over, as their records tell of them, to be reviewed."""

from functools import cache
from random import Random

from bot.i18n import Words
from bot.review.coach import review_game
from bot.review.moments import PlayerNames, game_summary, player_names, review_page
from bot.review.replay import GameCourse, replay_packed_record
from bot.tables.model import Phase, Table, TableId
from bot.tables.record import RecordedPerson
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press, Verb, parse_custom_id
from bot.ui.review import (
    ListedGame,
    coach_figures_sheet,
    coach_summary_sheet,
    game_summary_sheet,
    review_page_sheet,
    reviewable_games_sheet,
)
from engine import record
from engine.coaching import Coaching, coach_game
from engine.fair import Deal, DealtSeat, PlayerKind, SeededChance
from engine.game import Seat
from engine.record import FINISHED, ActionEntry, Entry, SeatChangeEntry
from engine.replay import Moment, SeatOccupant
from local_discord.components import walk
from tests.games import CASES

TABLE = TableId("abcdefgh")
BEGAN = 1_700_000_000_000
SECRET = bytes(range(32))


def person_id(seat: int) -> str:
    """What the record calls the person who has *seat* from the deal on."""
    return f"{seat:016x}"


@cache
def recorded(game: str, seats: int, seed: int = 1, *, left: bool = False) -> bytes:
    """A random game of *seats*, the last of them a computer's, as its record, packed; with *left* a computer plays for
    seat 0 from the third action on, and its person is back after the sixth."""
    case, rng = CASES[game], Random(seed)
    rules, options = case.rules, case.rules.check_options(case.quick)
    kinds: list[PlayerKind] = ["person"] * (seats - 1) + ["computer"]
    sheets = tuple(DealtSeat(person_id(seat), kind) for seat, kind in enumerate(kinds))
    deal = Deal(game, rules.rules_version, options, sheets, (seed + 1) << 60)
    chance = SeededChance(deal.seed(SECRET))
    state, entries = rules.new(seats, options, chance).state, list[Entry]()
    while rules.on_turn(state) is not None:
        at = BEGAN + 1000 * len(entries)
        if left and len(entries) == 2:
            entries.append(SeatChangeEntry(at, Seat(0), "computer"))
        if left and len(entries) == 6:
            entries.append(SeatChangeEntry(at, Seat(0), "person", person_id(0)))
        actions = [action for seat in range(seats) for action in rules.legal_actions(state, Seat(seat))]
        action = case.choose(actions, rng)
        entries.append(ActionEntry(at, rules.encode_action(action), by_clock=left and len(entries) == 4))
        state = rules.apply(state, action, chance).state
    return record.compress_record(record.make_record(deal, SECRET, entries, FINISHED, rules.standings(state)))


_SAID = dict[int, tuple[GameCourse, Coaching | None]]()
"""By the identity of a course: to write a game's record takes as long as a page of its review."""


@cache
def _said(data: bytes) -> Coaching | None:
    course = replay_packed_record(data)
    return coach_game(course.rules, course.moments) if course.rules.coach is not None else None


def said_of(course: GameCourse) -> Coaching | None:
    """What the coach says of *course*; ``None``: its game has none."""
    if id(course) not in _SAID:
        _SAID[id(course)] = course, _said(record.compress_record(course.record))
    return _SAID[id(course)][1]


def cast(course: GameCourse, name: str = "", *, erased: int | None = None) -> PlayerNames:
    """Everybody in *course*, called "player 0" and so on, or all *name*; who had the seat *erased* is not known."""
    people = [
        RecordedPerson(sheet.id, 100 + seat, name or f"player {seat}")
        for seat, sheet in enumerate(course.record.deal.seats)
        if sheet.kind == "person" and seat != erased
    ]
    return player_names(people, None, "Former player", name or "Computer")


def buttons(sheet: Sheet, verb: Verb) -> dict[str, Press]:
    """What the buttons of *sheet* for *verb* lead to, by what tells them apart."""
    ids = [parse_custom_id(str(part["custom_id"])) for part in walk(sheet.payload) if "custom_id" in part]
    return {it.arg: it for it in ids if it is not None and it.verb is verb}


def sheets(game: str, tables: list[Table], words: Words, name: str) -> list[Sheet]:
    """Every message of the review at its longest: of a game in which everybody is called *name*, in the situations of
    *tables* too."""
    seats = CASES[game].rules.seats[-1]
    course = replay_packed_record(recorded(game, seats))
    people = cast(course, name)
    found = [
        reviewable_games_sheet(
            [ListedGame(TableId(f"{n:08}"), game, BEGAN, [name] * seats, seats) for n in range(25)], BEGAN, words
        ),
        reviewable_games_sheet([], BEGAN, words),
    ]
    found.append(game_summary_sheet(game_summary(TABLE, course, people, BEGAN), course.record, words))
    for table in tables:
        if table.state is None or len(table.players) != seats or table.phase is not Phase.PLAYING:
            continue
        sitting = tuple(SeatOccupant(sheet.kind, sheet.id, "") for sheet in course.record.deal.seats)
        moment = Moment(0, None, None, None, table.state, table.recent, sitting)
        there = course._replace(moments=(moment,), seatings=(moment,), rounds=(0,))
        for own in (False, True):
            shown = review_page(TABLE, there, people, 0, {person_id(0)}, own=own)
            found.append(review_page_sheet(shown._replace(number=999, last=999, turning_at=999), words))
    said = said_of(course)
    if said is not None:
        whole = review_game(TABLE, course, said, people, {person_id(0)})
        found += [coach_summary_sheet(whole, words), coach_figures_sheet(whole, words)]
        longest = max(said.decisions, key=lambda it: len(str(it.made)) + len(str(it.best)))
        for own in (False, True):
            shown = review_page(
                TABLE, course, people, longest.number, {person_id(longest.seat)}, own=own, coaching=said
            )
            found.append(review_page_sheet(shown, words))
    return found
