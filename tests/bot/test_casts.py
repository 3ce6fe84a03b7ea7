"""What everybody is called in the review of a game, and in the list of games."""

import pytest

from bot.tables.course import winners_first
from bot.tables.model import Player, Table
from bot.tables.recording import Person
from bot.tables.reviewing import cast_of
from engine import record
from engine.game import Seat
from engine.record import SeatChanged
from engine.replay import Sitting
from tests.bot.reviews import person_id, recorded
from tests.bot.tables import started
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)

COMPUTER = Sitting("computer", "", "")


def seated(*players: Player) -> Table:
    """A table where these have played."""
    return started(ANY, people=2)._replace(players=players)


def test_computers_keep_the_name_they_had_at_the_table() -> None:
    """So does one whose seat somebody took later, also if that one was erased since."""
    table = seated(
        Player("Enzo"),
        Player("Anna", 100, before="Maryam"),
        Player("", before="Thomas", former=True),
        Player("Bruno", 101),
    )
    cast = cast_of([], table, "Former player", "Computer")
    assert [cast.name(seat, COMPUTER) for seat in range(4)] == ["Enzo", "Maryam", "Thomas", "Computer 4"]


def test_where_the_table_is_gone_computers_are_counted() -> None:
    cast = cast_of([], None, "Former player", "Computer")
    assert [cast.name(seat, COMPUTER) for seat in range(2)] == ["Computer 1", "Computer 2"]


def test_people_have_the_names_of_the_record_or_are_former_players() -> None:
    cast = cast_of([Person("a", 1, "Anna")], None, "Former player", "Computer")
    assert cast.name(0, Sitting("person", "a", "")) == "Anna"
    assert cast.name(0, Sitting("person", "b", "")) == "Former player"


def test_the_list_names_the_winners_first_and_those_who_had_a_seat_in_the_end() -> None:
    found = record.unpack(recorded(ANY, 3))
    winners = {person_id(it.seat) for it in found.standings if it.place == 1}
    names = {person_id(seat): f"player {seat}" for seat in range(3)}
    ranked, won = winners_first(found, names, "Former player")
    people = {person_id(seat) for seat in range(2)}  # the third is a computer
    assert won == len(winners & people)
    assert {*ranked[:won]} == {names[id_] for id_ in winners & people}
    assert {*ranked} == {"player 0", "player 1"}


def test_the_list_knows_who_has_sat_down_later_and_who_is_not_known_any_more() -> None:
    found = record.unpack(recorded(ANY, 3))
    late = SeatChanged(found.entries[0].at, Seat(2), "person", "f" * 16)
    gone = SeatChanged(found.entries[0].at, Seat(1), "computer")
    ranked, _ = winners_first(found._replace(entries=(late, gone, *found.entries)), {"f" * 16: "late"}, "Former player")
    assert sorted(ranked) == ["Former player", "Former player", "late"]
    unknown, _ = winners_first(found._replace(entries=()), {}, "Former player")
    assert unknown == ["Former player", "Former player"]
