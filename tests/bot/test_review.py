"""The review of a game that is over: its course, its pages, what can be seen there and what cannot."""

from random import Random

import pytest

from bot.i18n import LOCALES, words
from bot.review.coach import review_game
from bot.review.moments import OpenMoment, PlayerNames, game_summary, player_names, review_page
from bot.review.replay import GameCourse, is_replay_public, names_winners_first, people_ids, replay_packed_record
from bot.tables.errors import Refusal, Why
from bot.tables.model import Ending, Player, SeatChange, Table
from bot.tables.preferences import Preferences
from bot.tables.record import RecordedPerson
from bot.ui.components import Sheet
from bot.ui.pictures import drawings
from bot.ui.review import coach_figures_sheet, coach_summary_sheet, game_summary_sheet, review_page_sheet
from engine import record
from engine.game import Seat
from engine.record import SeatChangeEntry
from engine.replay import SeatOccupant
from local_discord import checks
from local_discord.model import MessageFlag
from tests.bot.reviews import BEGAN, TABLE, cast, person_id, recorded, said_of
from tests.bot.tables import started
from tests.games import ANY, CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_language = pytest.mark.parametrize("locale", LOCALES)
EN = words("en")
NOBODY: frozenset[str] = frozenset()


def least(game: str) -> int:
    """The fewest players of *game*, but three, if it takes that many: then somebody has no part in what happens."""
    return max(3, CASES[game].rules.seats[0]) if 3 in CASES[game].rules.seats else CASES[game].rules.seats[0]


def sheet_at(course: GameCourse, number: int, ids: frozenset[str], *, own: bool, locale: str = "en") -> Sheet:
    """The page of the moment *number*, with the people of ``reviews.cast``."""
    shown = review_page(TABLE, course, cast(course), number, ids, own=own, coaching=said_of(course))
    return review_page_sheet(shown, words(locale))


@every_game
def test_a_moment_leads_to_the_rounds_around_it(game: str) -> None:
    course = replay_packed_record(recorded(game, CASES[game].rules.seats[0]))
    ended = [moment.number for moment in course.moments[1:] if course.rules.ends_round(moment.events)]
    assert course.rounds == (0, *ended)
    for number in range(len(course.moments)):
        before = max((it for it in course.rounds if it < number), default=course.rounds[0])
        after = min((it for it in course.rounds if it > number), default=course.last)
        assert (course.round_start_before(number), course.round_start_after(number)) == (before, after)


# The list


# Pages


@every_game
@every_language
def test_every_moment_of_whole_games_keeps_discords_limits(game: str, locale: str, emojis: None) -> None:
    for seats in {CASES[game].rules.seats[0], CASES[game].rules.seats[-1]}:
        course = replay_packed_record(recorded(game, seats, left=True))
        for number in range(0, len(course.moments), 1 + len(course.moments) // 80):
            for own in (False, True):
                sheet = sheet_at(course, number, frozenset({person_id(0)}), own=own, locale=locale)
                checks.parse_message_draft({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)
                assert not sheet.cut
        sheets = [game_summary_sheet(game_summary(TABLE, course, cast(course), BEGAN), course.record, words(locale))]
        said = said_of(course)
        if said is not None:
            whole = review_game(TABLE, course, said, cast(course), frozenset({person_id(0)}))
            sheets += [coach_summary_sheet(whole, words(locale)), coach_figures_sheet(whole, words(locale))]
        for sheet in sheets:
            checks.parse_message_draft({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)
            assert not sheet.cut
            assert all(len(it.alt) <= drawings.LONGEST_ALT for it in sheet.pictures)


@every_game
def test_as_i_saw_it_says_nothing_that_the_seat_could_not_see(game: str) -> None:
    """With everything else dealt anew, and what others did unseen done otherwise, every page is the same; with all
    cards open it is not."""
    case, rng = CASES[game], Random(5)
    course = replay_packed_record(recorded(game, least(game)))
    seat, ids = Seat(1), frozenset({person_id(1)})
    other_when_open = 0
    for moment in course.moments:
        after = case.redealt(moment.after, seat, rng)
        events = tuple(case.otherwise(event, seat, rng) for event in moment.events)
        moments = list(course.moments)
        moments[moment.number] = moment._replace(after=after, events=events)
        other = course._replace(moments=tuple(moments), seatings=(moments[0],))
        for own in (True, False):
            one, two = (sheet_at(it, moment.number, ids, own=own).payload for it in (course, other))
            if own:
                assert one == two, moment.number
            other_when_open += not own and one != two
    assert other_when_open


@every_game
def test_a_page_holds_the_views_of_others_only_if_all_cards_are_open(game: str) -> None:
    course = replay_packed_record(recorded(game, least(game)))
    people, mine = cast(course), {person_id(0)}
    own = review_page(TABLE, course, people, 3, mine, own=True).shown
    assert not isinstance(own, OpenMoment)
    assert own.seat == 0 == own.view.seat
    for ids in (mine, NOBODY):
        shown = review_page(TABLE, course, people, 3, ids, own=not ids).shown
        assert isinstance(shown, OpenMoment)
        assert [view.seat for view in shown.views] == list(range(least(game)))


@every_game
def test_the_turning_point_is_where_the_chances_changed_most(game: str) -> None:
    """How they did is told only with all cards open."""
    course = replay_packed_record(recorded(game, least(game)))
    said = said_of(course)
    if said is None:
        return
    turning = said.turning_point
    assert turning is not None
    sizes = {it.number: max(map(abs, it.points)) for it in said.decisive}
    assert sizes[turning] == max(sizes.values())
    told = [str(sheet_at(course, turning, frozenset({person_id(0)}), own=own).payload) for own in (True, False)]
    assert "**Turning point** · The button **All cards open** shows how the chances changed." in told[0]
    assert "**Turning point**" in told[1]
    assert "Chances to win, all cards open" in told[1]
    elsewhere = str(sheet_at(course, turning - 1, frozenset({person_id(0)}), own=False).payload)
    assert "**Turning point**" not in elsewhere


@every_game
def test_a_game_that_was_ended_early_is_shown_as_it_stood(game: str) -> None:
    found = record.decompress_record(recorded(game, least(game)))
    early = found._replace(entries=found.entries[:3], ending="ended", standings=())
    course = replay_packed_record(record.compress_record(early))
    whole = game_summary_sheet(game_summary(TABLE, course, cast(course), BEGAN), None, EN)
    assert "not played to its end" in str(whole.payload)
    assert "🥇" not in str(whole.payload)
    last = review_page(TABLE, course, cast(course), 3, frozenset({person_id(0)}), own=True)
    assert last.scene.on_turn is not None
    assert (last.number, last.round_after) == (3, 3)
    assert "Turning point" not in str(review_page_sheet(last, EN).payload)


@every_game
def test_the_game_as_a_whole_counts_its_moves_and_shows_how_it_ended(game: str) -> None:
    course = replay_packed_record(recorded(game, least(game), left=True))
    summary = game_summary(TABLE, course, cast(course), BEGAN)
    moves = sum(it.action is not None for it in course.moments)
    assert moves < course.last, "seats have changed hands too"
    assert f"{moves} moves" in str(game_summary_sheet(summary, None, EN).payload)
    assert (summary.moves, summary.scene.on_turn, summary.scene.ply) == (moves, None, moves)


@every_game
def test_only_the_last_page_of_a_game_that_was_played_out_shows_its_end(game: str) -> None:
    course = replay_packed_record(recorded(game, least(game)))
    pages = [
        review_page(TABLE, course, cast(course), number, frozenset(), own=True) for number in range(course.last + 1)
    ]
    assert [it.scene.ending for it in pages] == [*[None] * course.last, Ending.FINISHED]


# People


@every_game
def test_seats_that_change_hands_are_told_and_stay_their_persons(game: str) -> None:
    course = replay_packed_record(recorded(game, least(game), left=True))
    people, ids = cast(course), frozenset({person_id(0)})
    left, back = (it.number for it in course.moments if isinstance(it.entry, SeatChangeEntry))
    changes = [review_page(TABLE, course, people, number, ids, own=True).change for number in (left, back, left + 1)]
    assert [change and (change.change, change.name) for change in changes] == [
        (SeatChange.REPLACED, "player 0"),
        (SeatChange.BACK, "player 0"),
        None,
    ]
    shown = review_page(TABLE, course, people, left + 1, ids, own=True)
    assert shown.seat == 0
    assert shown.scene.people[0].automatic
    assert not review_page(TABLE, course, people, back, ids, own=True).scene.people[0].automatic
    (by_clock,) = (it.number for it in course.moments if getattr(it.entry, "by_clock", False))
    assert "time ran out" in str(sheet_at(course, by_clock, ids, own=True).payload)


@every_game
def test_who_sat_down_later_has_all_cards_open_until_then(game: str) -> None:
    found = record.decompress_record(recorded(game, least(game)))
    late = SeatChangeEntry(BEGAN, Seat(least(game) - 1), "person", "f" * 16)
    entries = found.entries
    course = replay_packed_record(record.compress_record(found._replace(entries=(*entries[:2], late, *entries[2:]))))
    people = cast(course)._replace(computers={least(game) - 1: "Ada"})
    people = people._replace(people={**people.people, "f" * 16: "Zoe"})
    before, at = (review_page(TABLE, course, people, number, {"f" * 16}, own=True) for number in (2, 3))
    assert (before.seat, at.seat) == (None, least(game) - 1)
    assert isinstance(before.shown, OpenMoment)
    assert (before.scene.people[-1].name, at.scene.people[-1].name) == ("Ada", "Zoe")
    assert at.change is not None
    assert at.change[:3] == (SeatChange.SAT_DOWN, "Zoe", "Ada")


@every_game
def test_who_was_erased_is_a_former_player(game: str) -> None:
    course = replay_packed_record(recorded(game, least(game)))
    people: PlayerNames = cast(course, erased=1)
    names = [it.name for it in review_page(TABLE, course, people, 0, NOBODY, own=False).scene.people]
    assert names[:2] == ["player 0", "Former player"]
    assert names[-1] == f"Computer {least(game)}" or least(game) == 2


@every_game
def test_a_game_is_public_if_all_its_people_are_known_and_want_that(game: str) -> None:
    found = record.decompress_record(recorded(game, least(game)))
    people = [RecordedPerson(id_, 100 + int(id_, 16), "x") for id_ in sorted(people_ids(found))]
    willing = Preferences(replays=True)
    assert is_replay_public(found, people, lambda user: willing)
    assert not is_replay_public(found, people[1:], lambda user: willing), "somebody was erased"
    for person in people:
        chosen = {it.user: willing for it in people} | {person.user: Preferences()}
        assert not is_replay_public(found, people, chosen.__getitem__)


# What cannot be replayed


@every_game
def test_by_other_rules_there_is_no_review(game: str) -> None:
    found = record.decompress_record(recorded(game, least(game)))
    other = found._replace(deal=found.deal._replace(rules=99))
    with pytest.raises(Refusal) as no:
        replay_packed_record(record.compress_record(other))
    assert no.value.why is Why.OTHER_RULES


# The game as a whole


# What everybody is called in the review of a game, and in the list of games.

COMPUTER = SeatOccupant("computer", "", "")


def seated(*players: Player) -> Table:
    """A table where these have played."""
    return started(ANY, people=2)._replace(players=players)


@pytest.mark.about(ANY)
def test_computers_keep_the_name_they_had_at_the_table() -> None:
    """So does one whose seat somebody took later, also if that one was erased since."""
    table = seated(
        Player("Enzo"),
        Player("Anna", 100, before="Maryam"),
        Player("", before="Thomas", former=True),
        Player("Bruno", 101),
    )
    cast = player_names([], table, "Former player", "Computer")
    assert [cast.name(seat, COMPUTER) for seat in range(4)] == ["Enzo", "Maryam", "Thomas", "Computer 4"]


@pytest.mark.about(ANY)
def test_where_the_table_is_gone_computers_are_counted() -> None:
    cast = player_names([], None, "Former player", "Computer")
    assert [cast.name(seat, COMPUTER) for seat in range(2)] == ["Computer 1", "Computer 2"]


@pytest.mark.about(ANY)
def test_people_have_the_names_of_the_record_or_are_former_players() -> None:
    cast = player_names([RecordedPerson("a", 1, "Anna")], None, "Former player", "Computer")
    assert cast.name(0, SeatOccupant("person", "a", "")) == "Anna"
    assert cast.name(0, SeatOccupant("person", "b", "")) == "Former player"


@pytest.mark.about(ANY)
def test_the_list_names_the_winners_first_and_those_who_had_a_seat_in_the_end() -> None:
    found = record.decompress_record(recorded(ANY, 3))
    winners = {person_id(it.seat) for it in found.standings if it.place == 1}
    names = {person_id(seat): f"player {seat}" for seat in range(3)}
    ranked, won = names_winners_first(found, names, "Former player")
    people = {person_id(seat) for seat in range(2)}  # the third is a computer
    assert won == len(winners & people)
    assert {*ranked[:won]} == {names[id_] for id_ in winners & people}
    assert {*ranked} == {"player 0", "player 1"}


@pytest.mark.about(ANY)
def test_the_list_knows_who_has_sat_down_later_and_who_is_not_known_any_more() -> None:
    found = record.decompress_record(recorded(ANY, 3))
    late = SeatChangeEntry(found.entries[0].at, Seat(2), "person", "f" * 16)
    gone = SeatChangeEntry(found.entries[0].at, Seat(1), "computer")
    ranked, _ = names_winners_first(
        found._replace(entries=(late, gone, *found.entries)), {"f" * 16: "late"}, "Former player"
    )
    assert sorted(ranked) == ["Former player", "Former player", "late"]
    unknown, _ = names_winners_first(found._replace(entries=()), {}, "Former player")
    assert unknown == ["Former player", "Former player"]
