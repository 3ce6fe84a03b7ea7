"""A table without a person who is erased, at every stage of every game."""

import json

import pytest

from bot.i18n import words
from bot.store.tables import table_to_json
from bot.tables import leaving, lobby, play, start
from bot.tables.errors import Refusal, Why
from bot.tables.leaving import without_person
from bot.tables.model import Ending, Phase, Player, SeatChange, Table, TableId, check_table_values
from bot.tables.names import MIDDLE_LEVEL
from bot.tables.record import people_in_record
from bot.tables.scene import make_scene
from bot.ui.components import replace_erased_names
from bot.ui.menu import takeable_computer_seat_select
from bot.ui.table_message import table_sheet
from engine.game import Seat
from tests.bot.calling import FOUR, table
from tests.bot.tables import NOW, dealt, opened, started
from tests.games import CASES

EN = words("en")
GAMES = pytest.mark.parametrize("game", sorted(CASES))
USER, NAME = 7_700_077, "Zacharias Quux"
OTHER = Player("player 1", 101)


def sat(t: Table) -> Table:
    """*t*, whose host is the one to be erased."""
    return t._replace(host=USER, opened_by=USER).with_changed_player(Seat(0), user=USER, name=NAME)


def running(game: str) -> Table:
    """A game that was just dealt, of which they are host; *player 1* plays too."""
    return sat(started(game, people=max(2, CASES[game].rules.seats[0])))


def says(t: Table) -> bool:
    """Whether *t* says anything of them."""
    text = json.dumps(table_to_json(t))
    return str(USER) in text or NAME in text


@GAMES
def test_a_game_that_runs_goes_on_with_a_computer_and_another_host(game: str) -> None:
    after = without_person(running(game), USER)
    assert not says(after)
    check_table_values(after)
    assert (after.phase, after.host) == (Phase.PLAYING, 101)
    assert after.players[0].automatic
    plays_at = min(MIDDLE_LEVEL, after.rules.computers.LEVELS)
    assert after.entries == ({"seat": 0, "sits": "computer", "level": str(plays_at)},)
    assert [(it.change, it.name) for it in after.handovers] == [(SeatChange.LEFT, "")]
    assert {it.user for it in people_in_record(after, {})} == {p.user for p in after.players[1:]}


@GAMES
def test_nobody_gets_that_seat(game: str) -> None:
    """The hand that was sent to its person could not be told from that of the next one in time."""
    after = without_person(running(game), USER)
    for person in (Player(NAME, USER), Player("late", 200)):
        with pytest.raises(Refusal) as no:
            leaving.take_computer_seat(after, person, Seat(0), NOW)
        assert no.value.why is Why.NO_FREE_SEAT
    assert takeable_computer_seat_select(make_scene(after, None, None), EN) == []
    with pytest.raises(Refusal):
        leaving.come_back(after, USER, NOW)
    still_open = after._replace(options=after.options._replace(late=True))
    with pytest.raises(Refusal, match=Why.NO_FREE_SEAT.value):
        leaving.take_computer_seat(still_open, Player("late", 200), Seat(0), NOW)


@GAMES
def test_nobody_sits_down_there_any_more(game: str) -> None:
    """Whoever was erased knows cards of the game, and nobody would know them again."""
    case = CASES[game]
    before = sat(started(game, people=case.rules.seats[-1])).with_changed_player(
        Seat(case.rules.seats[-1] - 1), user=None
    )
    assert leaving.take_computer_seat(before, Player("late", 200), Seat(case.rules.seats[-1] - 1), NOW)
    after = without_person(before, USER)
    assert takeable_computer_seat_select(make_scene(after, None, None), EN) == []
    with pytest.raises(Refusal) as no:
        leaving.take_computer_seat(after, Player(NAME, USER), Seat(case.rules.seats[-1] - 1), NOW)
    assert no.value.why is Why.NO_FREE_SEAT


@GAMES
def test_erasing_twice_changes_nothing_more(game: str) -> None:
    once = without_person(running(game), USER)
    assert without_person(once, USER) == once
    assert without_person(started(game), USER) == started(game)


@GAMES
def test_a_seat_that_was_left_already_gets_no_second_entry(game: str) -> None:
    before = leaving.leave_game(running(game), USER)._replace(entries=())
    after = without_person(before, USER)
    assert (says(after), after.entries, after.phase) == (False, (), Phase.PLAYING)


@GAMES
def test_without_anybody_else_the_game_is_abandoned(game: str) -> None:
    alone = running(game)
    for seat, player in enumerate(alone.players):
        if player.user != USER:
            alone = alone.with_changed_player(Seat(seat), away=True)
    after = without_person(alone, USER)
    assert (after.phase, after.ending, says(after)) == (Phase.OVER, Ending.ABANDONED, False)


@GAMES
def test_a_pause_ends_when_nobody_is_left_who_could_come_back(game: str) -> None:
    paused = running(game)
    for seat in range(len(paused.players)):
        paused = paused.with_changed_player(Seat(seat), away=True, timed_out=seat == 0)
    assert paused.paused
    assert (
        without_person(paused, USER).ending,
        without_person(paused.with_changed_player(Seat(1), timed_out=True), USER).ending,
    ) == (
        Ending.ABANDONED,
        None,
    )


def test_a_call_that_was_made_stands() -> None:
    t = table(FOUR)
    seat = next(Seat(s) for s, p in enumerate(t.players) if p.user is not None and s in t.rules.callers(t.state))
    t = t.with_changed_player(seat, user=USER, name=NAME)
    called = play.make_call(t, USER, t.state.ply, NOW, NOW).table
    assert called.window is not None
    after = without_person(called, USER)
    assert (after.window, says(after)) == (called.window, False)


@GAMES
def test_a_game_that_is_starting_becomes_a_lobby_with_another_secret(game: str) -> None:
    count = max(2, CASES[game].rules.seats[0])
    seated = tuple(Player(f"player {n}", 100 + n) for n in range(count))
    starting = start.start_game(sat(opened(game)._replace(players=seated)), 101, NOW)
    assert starting.starting
    after = without_person(starting, USER)
    assert (after.phase, after.starting, says(after), after.host) == (Phase.LOBBY, False, False, 101)
    assert after.secret != starting.secret
    assert len(after.players) == count - 1


@GAMES
def test_the_host_of_a_lobby_leaves_it_to_the_next(game: str) -> None:
    after = without_person(sat(opened(game)._replace(players=(*opened(game).players, OTHER))), USER)
    assert (after.phase, after.host, says(after)) == (Phase.LOBBY, 101, False)
    alone = without_person(sat(opened(game)), USER)
    assert (alone.ending, says(alone)) == (Ending.CANCELLED, False)


@GAMES
def test_an_invitation_to_a_lobby_goes(game: str) -> None:
    fresh = opened(game)._replace(players=(), rematch_of=TableId("abc"))
    over = running(game)._replace(phase=Phase.OVER, ending=Ending.FINISHED)
    rematch = lobby.set_up_rematch_table(over, fresh._replace(host=101, opened_by=101), over.players[1], NOW)
    assert any(player.invited for player in rematch.players if player.user == USER)
    assert not says(without_person(rematch, USER))


@GAMES
def test_whom_the_host_has_removed_cannot_sit_down_again_once_they_are_erased(game: str) -> None:
    """Nor does the table say who they are, and others may."""
    after = without_person(opened(game)._replace(removed=(USER, 5)), USER)
    assert not says(after)
    with pytest.raises(Refusal) as no:
        lobby.join_lobby(after, Player("anybody", USER), NOW)
    assert no.value.why is Why.REMOVED
    assert not after.has_removed(USER + 1)
    assert after.has_removed(5)
    assert not after._replace(id=TableId("another")).has_removed(USER)


@GAMES
def test_what_is_over_says_no_more_of_them_and_invites_nobody_for_them(game: str) -> None:
    over = running(game)._replace(
        phase=Phase.OVER,
        ending=Ending.ENDED,
        ended_by=NAME,
        rematch=TableId("abd"),
        rematch_by=USER,
        rematch_people=(USER, 101),
    )
    after = without_person(over, USER)
    assert (says(after), after.phase, after.rematch_people) == (False, Phase.OVER, (101,))
    assert (after.host, after.opened_by, after.rematch_by) == (0, 0, 0), "nobody"
    of_another = over._replace(host=101, opened_by=101, rematch_by=101, ended_by="player 1")
    after = without_person(of_another, USER)
    assert (after.host, after.opened_by, after.rematch_by, after.ended_by) == (101, 101, 101, "player 1")
    fresh = lobby.set_up_rematch_table(after, opened(game)._replace(players=()), after.players[1], NOW)
    assert len(fresh.players) == len(over.players) - 1
    assert fresh.options == over.options, "in the next game others may sit down again"
    assert not any(player.former for player in fresh.players)


@GAMES
def test_of_a_moderator_who_ended_it_the_name_alone_is_known(game: str) -> None:
    over = started(game)._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_by=NAME)
    assert without_person(over, USER) == over
    assert not says(without_person(over, USER, {NAME}))


@GAMES
@pytest.mark.parametrize("locale", ["en", "de", "it", "nl"])
def test_everybody_reads_of_a_former_player_in_their_language(game: str, locale: str) -> None:
    t = words(locale)
    after = without_person(running(game), USER)
    text = str(table_sheet(replace_erased_names(make_scene(after, None, None), t), t).payload)
    assert t("Former player") in text
    ended = without_person(running(game)._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_by=NAME), USER)
    line = t("It was ended by {name}. Nobody wins.", name=f"**{t('Former player')}**")
    assert line in str(table_sheet(replace_erased_names(make_scene(ended, None, None), t), t).payload)


@GAMES
def test_where_nobody_was_erased_nothing_is_renamed(game: str) -> None:
    known = make_scene(dealt(opened(game)._replace(players=started(game).players)), None, None)
    assert replace_erased_names(known, EN) is known
