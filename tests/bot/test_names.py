"""What people are called at a table: nobody like somebody else there, whatever they call themselves."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store.tables import table_from_json, table_to_json
from bot.tables import leaving, lobby, start
from bot.tables.model import Phase, Player, SeatChange, Table, TableId
from bot.tables.names import (
    MAX_NAME_LENGTH,
    NamedPerson,
    add_person_with_unique_names,
    lookalike_keys,
    shorten_name,
    unique_names,
    with_updated_person,
)
from bot.ui.components import ESCAPED_LENGTH, escaped_name, plain_name
from engine.game import Seat
from tests.bot.tables import NOW, dealt, opened, started
from tests.games import CASES

ANY = sorted(CASES)[0]
LONG = "Wilhelmina von und zu Hohenstein"


def person(display: str, username: str, user: int) -> Player:
    """Somebody whom Discord calls *display*, with the user name *username*."""
    return Player(display, user, display=display, username=username, active_at=NOW)


def at(*people: Player, game: str = ANY) -> Table:
    """A lobby at which *people* have sat down, one after the other."""
    first, *others = people
    table = lobby.join_lobby(opened(game)._replace(players=(), host=first.user or 0), first, NOW)
    for it in others:
        table = lobby.join_lobby(table, it, NOW)
    return table


def names(table: Table) -> list[str]:
    """What everybody there is called, by seat."""
    return [player.name for player in table.players]


SAM = person("Sam", "sam_1", 101)
OTHER = person("Sam", "sam_2", 102)


# Who comes


@pytest.mark.parametrize(
    "like",
    [
        *("Sam", "sam", "SAM", "Sаm", "Ѕам", "Ｓａｍ", "Sám", "S\u0332am"),
        *("S\u200bam", " Sam ", "𝓢𝓪𝓶", "🅢🅐🅜", "🆂🅰🅼", "ꜱᴀᴍ", "Sam ✨", "Sam."),
    ],
)  # fmt: skip
def test_whoever_comes_second_with_a_name_is_called_by_their_user_name_too(like: str) -> None:
    assert names(at(SAM, person(like, "evil", 102))) == ["Sam", f"{like} (evil)"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Anna", "Hanna"), ("Al", "Ali"), ("राम", "रमा"), ("が", "か"), ("김", "감"), ("Mia", "Maia")),
        *(("Sam", "Sam🅪"), ("✨", "🔥")),
    ],
)  # fmt: skip
def test_different_names_stay_as_they_are(one: str, other: str) -> None:
    assert names(at(person(one, "one", 101), person(other, "other", 102))) == [one, other]


@pytest.mark.parametrize("forged", ["Sam (sam_1)", "Sаm (ѕam_1)", "Sam(sam_1)", "Sam （sam_1）", "Sam (sam_1) (sam_1)"])
def test_nobody_gets_anywhere_by_writing_somebodys_user_name_behind_their_name(forged: str) -> None:
    evil = person(forged, "evil", 103)
    assert names(at(SAM, evil)) == ["Sam", "Sam (evil)" if "а" not in forged else "Sаm (evil)"]
    two = at(evil, OTHER, SAM)
    assert names(two)[1:] == ["Sam (sam_2)", "Sam (sam_1)"]
    assert names(two)[0] in ("Sam (evil)", "Sаm (evil)"), "though they came first"


@pytest.mark.parametrize(
    "people",
    [
        (SAM, person("Anna (she/her)", "anna", 102)),
        (person("Anna (sam_1)", "anna", 102), SAM),
        (person("Anna (sam_1)", "anna", 102), person("Sam", "", 103)),
    ],
)
def test_what_stands_in_brackets_stays_where_nobody_has_that_name(people: tuple[Player, ...]) -> None:
    assert names(at(*people)) == [it.name for it in people]


def test_a_long_name_is_cut_and_never_what_tells_it_from_others() -> None:
    assert names(at(person(LONG, "one", 101), person(LONG, "other", 102)))[1] == "Wilhelmina von und zu H… (other)"
    assert names(at(person(LONG, "one", 101), person(LONG, "x" * 32, 102)))[1] == "x" * 32
    for length, name in ((24, f"Wilh… ({'x' * 24})"), (25, "x" * 25)):
        assert names(at(person(LONG, "one", 101), person(LONG, "x" * length, 102)))[1] == name


@pytest.mark.parametrize(
    ("name", "most", "short"),
    [
        ("Wilhelmina (w_1)", 12, "Wilhe… (w_1)"),
        ("Wilhe… (w_1)", 11, "Wilh… (w_1)"),
        ("Wilhe…  (w_1)", 12, "Wilhe… (w_1)"),
        ("Sam   (she/her)", 14, "Sam (she/her)"),
        ("Wilhelmina (w_1)", 9, "w_1"),
    ],
)
def test_in_a_picture_too_a_name_is_cut_and_what_tells_it_from_others_stays(name: str, most: int, short: str) -> None:
    """Blanks go first, and what was cut before is still seen to have been."""
    assert shorten_name(name, most) == short


def test_whoever_is_called_like_anothers_user_name_is_told_from_them() -> None:
    long = "sam_the_magnificent_of_samarkand"
    assert names(at(SAM, person("Sam", long, 102), person(long, "evil", 103)))[2] == "sam_the_magnificent_of_s… (evil)"
    assert names(at(SAM, person(long, "evil", 103), person("Sam", long, 102)))[1:] == [
        "sam_the_magnificent_of_s… (evil)",
        long,
    ]


def test_from_before_user_names_were_kept_a_number_tells_namesakes_apart() -> None:
    assert names(at(Player("Sam", 101), Player("Sam", 102), Player("sam", 103))) == ["Sam", "Sam (2)", "sam (3)"]


def test_a_name_that_shows_as_nothing_is_told_from_another() -> None:
    assert [plain_name(it) for it in names(at(person("\u200b", "one", 101), person("\u3164", "other", 102)))] == [
        "?",
        "(other)",
    ]


# Who stays, changes, goes and comes again


def test_a_name_stays_when_its_first_owner_has_left() -> None:
    table = lobby.leave_lobby(at(person("Anna", "anna", 100), SAM, OTHER), 101)
    assert names(table) == ["Anna", "Sam (sam_2)"]
    assert with_updated_person(table, OTHER) == table, "and no click changes that"
    assert names(lobby.join_lobby(table, SAM, NOW)) == ["Anna", "Sam (sam_2)", "Sam (sam_1)"], "nobody is Sam any more"


def test_whoever_shows_by_the_user_name_alone_has_a_display_name_all_the_same() -> None:
    first, other = person(LONG, "one", 101), person(LONG, "x" * 32, 102)
    table = lobby.leave_lobby(at(person("Anna", "anna", 100), first, other), 101)
    assert names(lobby.join_lobby(table, first, NOW)) == ["Anna", "x" * 32, "Wilhelmina von und zu Hoh… (one)"]


def test_whoever_takes_anothers_name_later_is_told_from_them() -> None:
    table = with_updated_person(at(person("Tom", "tom", 101), OTHER), person("Sam", "tom", 101))
    assert names(table) == ["Sam (tom)", "Sam"]
    assert table.players[0].display == "Sam"
    assert names(with_updated_person(table, person("Tom", "tom", 101))) == ["Tom", "Sam"]


def test_a_click_brings_the_user_name_along_to_a_table_from_before() -> None:
    table = with_updated_person(at(Player("Tom", 101), Player("Anna", 102)), person("Tom", "tom", 101))
    assert (names(table), table.players[0].username) == (["Tom", "Anna"], "tom")


def test_somebody_who_does_not_sit_there_changes_nothing() -> None:
    table = at(SAM)
    assert with_updated_person(table, person("Sam", "sam_2", 999)) == table


@pytest.mark.parametrize("like", ["ada", "Аdа", "Ａda"])
def test_a_computer_gives_way_to_whoever_looks_like_it(like: str) -> None:
    table = (
        started(ANY, people=1, computers=2)
        .with_changed_player(Seat(1), name="Ada")
        .with_changed_player(Seat(2), name="Emmy")
    )
    late = leaving.take_computer_seat(table, person(like, "ada_1", 200), Seat(2), NOW)
    assert late.players[2].name == like
    assert late.players[1].name != "Ada"
    changed = with_updated_person(table, person(like, "player_0", 100))
    assert (changed.players[0].name, changed.players[1].name != "Ada") == (like, True)


def test_who_takes_a_computers_seat_is_told_from_the_others_l4() -> None:
    table = started(ANY, people=1, computers=2).with_changed_player(Seat(0), name="Sam")
    late = leaving.take_computer_seat(table, OTHER, Seat(2), NOW)
    assert late.players[2].name == "Sam (sam_2)"
    assert [(it.change, it.name) for it in late.handovers] == [(SeatChange.SAT_DOWN, "Sam (sam_2)")]


def test_seats_are_mixed_at_the_start_and_names_stay() -> None:
    table = at(SAM, OTHER, person("sam", "sam_3", 103))
    before = {it.user: it.name for it in table.players}
    playing = dealt(table, 101)
    assert {it.user: it.name for it in playing.players} == before
    assert {it.user: it.name for it in start.start_game(table, 101, NOW).players} == before


def test_at_a_rematch_everybody_is_called_as_before_l5() -> None:
    over = leaving.end_game_early(dealt(at(SAM, OTHER, person("Anna", "anna", 103)), 101), 101, "Sam", False)._replace()
    for opener, invited in ((SAM, OTHER), (OTHER, SAM)):
        again = lobby.set_up_rematch_table(over, opened(ANY)._replace(id=TableId("b")), opener, NOW)
        again = lobby.join_lobby(again, invited, NOW)
        assert {it.user: it.name for it in again.players} == {101: "Sam", 102: "Sam (sam_2)", 103: "Anna"}
    changed = lobby.set_up_rematch_table(over, opened(ANY), person("Anna", "sam_1", 101), NOW)
    assert changed.players[0].name == "Anna (sam_1)"


def test_a_moderator_who_ends_a_game_is_told_from_the_players() -> None:
    playing = dealt(at(SAM, person("Anna", "anna", 102)), 101)
    assert leaving.end_game_early(playing, 999, "Sam", True, "mod").ended_by == "Sam (mod)"
    assert leaving.end_game_early(playing, 101, "Samuel", False, "sam_1").ended_by == "Sam", "as at the table"
    assert lobby.cancel_table(at(SAM), 999, "SАM", True, "mod").ended_by == "SАM (mod)"


def test_tables_from_before_can_be_read() -> None:
    table = at(Player("Sam", 101))
    data = table_to_json(table)
    for player in data["players"]:
        del player["display"], player["username"]
    assert table_from_json(data) == table


# Lists


def test_in_a_list_the_first_of_a_name_keeps_it() -> None:
    assert unique_names([("Sam", "sam_1"), ("Anna", ""), ("sam", "sam_2"), ("SAM", "")]) == [
        "Sam",
        "Anna",
        "sam (sam_2)",
        "SAM (2)",
    ]


ODD = st.text(st.sampled_from("SsаaAmIl10(){}_*✨ \u200b\u0301ש"), max_size=32)
HANDLES = st.lists(
    st.text("amIsx", min_size=2, max_size=32).map(str.lower), min_size=8, max_size=8, unique_by=lookalike_keys
)


@given(st.lists(ODD, min_size=2, max_size=8), HANDLES)
def test_whatever_people_call_themselves_no_two_look_alike(displays: list[str], usernames: list[str]) -> None:
    there: list[NamedPerson] = []
    for display, username in zip(displays, usernames[: len(displays)], strict=True):
        there = add_person_with_unique_names(there, display, username)
    for place, one in enumerate(there):
        assert all(not lookalike_keys(one.name) & lookalike_keys(other.name) for other in there[:place]), there
        assert len(one.name) <= MAX_NAME_LENGTH
        assert len(escaped_name(one.name).strip("\u2068\u2069")) <= ESCAPED_LENGTH
    assert all(one != other for one, other in pairwise(sorted(it.name for it in there)))


@pytest.mark.parametrize("name", ["(Captain Samwise)", "(" + "x" * 30 + ")", "(a) (b) (c)"])
def test_a_name_that_is_all_in_brackets_is_told_from_another_too(name: str) -> None:
    """With the user name, or, where none is known, with a number: that is never what is cut off."""
    for known in ("sam_the_brave1", ""):
        there = add_person_with_unique_names([NamedPerson(name, name, "")], name, known)
        assert lookalike_keys(there[0].name).isdisjoint(lookalike_keys(there[1].name)), there
        assert all(len(it.name) <= MAX_NAME_LENGTH for it in there)


def test_who_has_left_is_called_the_same_wherever_the_table_names_them() -> None:
    table = leaving.leave_game(started(ANY), 100)
    assert [it.name for it in table.handovers] == [table.players[0].name]
    now = with_updated_person(table, person("Max", "max_1", 100))
    assert now.players[0].name == "Max"
    assert [it.name for it in now.handovers] == ["Max"]


def test_what_is_recorded_of_a_game_keeps_its_names() -> None:
    table = started(ANY)._replace(phase=Phase.OVER)
    assert with_updated_person(table, person("Max", "max_1", 100)) == table
