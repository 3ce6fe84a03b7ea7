"""The lobby of every game: who sits down, the options, the start; from there to the first card."""

from typing import Any

import pytest

from bot.i18n import words
from bot.tables import lobby, start
from bot.tables.errors import Refusal, Why
from bot.tables.model import NO_SERVER, Ending, Phase, Player, Table, check_table_values
from bot.tables.options import Pace
from bot.tables.scene import make_scene
from bot.tables.start import STARTING_MS
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import Timer, all_timers
from bot.ui.table_message import table_sheet
from engine.fair import SeededChance, commitment, cut_hash
from engine.game import Seat
from engine.record import parse_deal
from tests.bot.tables import MESSAGE, NOW, SECRET, dealt, opened, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))


@pytest.fixture(params=sorted(CASES))
def fresh(request: pytest.FixtureRequest) -> Table:
    """The lobby of every game, with its host (user 100) alone."""
    return opened(request.param)


def filled(t: Table) -> Table:
    """The same with everybody that it has room for: users 200, 201 ..."""
    for number in range(t.rules.seats[-1] - 1):
        t = lobby.join_lobby(t, Player(f"p{number}", 200 + number), NOW)
    return t


def test_a_new_table_is_at_its_place_in_its_first_version(fresh: Table) -> None:
    assert (fresh.version, fresh.guild, fresh.channel) == (1, 1, 2)
    assert (fresh.phase, fresh.host, fresh.opened_by) == (Phase.LOBBY, 100, 100)
    assert fresh.calls_decided not in range(1000), "computers have decided at no ply yet"


def test_a_table_is_found_at_its_message_or_in_its_channel_until_there_is_one(fresh: Table) -> None:
    solo = fresh._replace(guild=NO_SERVER)
    assert [make_scene(it, None, message).place.url for it in (fresh, solo) for message in (None, 3)] == [
        "https://discord.com/channels/1/2",
        "https://discord.com/channels/1/2/3",
        "https://discord.com/channels/@me/2",
        "https://discord.com/channels/@me/2/3",
    ]


def test_a_game_needs_as_many_as_its_rules_say(fresh: Table) -> None:
    seats = fresh.rules.seats
    with pytest.raises(Refusal) as no:
        start.start_game(fresh, 100, NOW)
    assert (no.value.why, no.value.facts) == (Why.TOO_FEW, {"least": seats[0], "now": 1})
    full = filled(fresh)
    with pytest.raises(Refusal) as no:
        lobby.join_lobby(full, Player("late", 300), NOW)
    assert (no.value.why, no.value.facts) == (Why.TABLE_FULL, {"most": seats[-1]})
    with pytest.raises(Refusal) as no:
        lobby.add_computer(full, 100, NOW)
    assert no.value.why is Why.TABLE_FULL


def test_a_full_table_is_dealt_with_its_seed_and_its_options(fresh: Table) -> None:
    full = dealt(filled(fresh), 200)
    step = fresh.rules.new(fresh.rules.seats[-1], {}, SeededChance(bytes.fromhex(full.seed)))
    assert (full.phase, full.state, full.recent) == (Phase.PLAYING, step.state, step.events)
    assert full.turn_began == NOW


def test_joining_twice_leaving_twice_and_late_are_refused(fresh: Table) -> None:
    two = lobby.join_lobby(fresh, Player("p", 200), NOW)
    running = started(fresh.game)
    for wrong, why in (
        (lambda: lobby.join_lobby(two, Player("p", 200), NOW), Why.ALREADY_JOINED),
        (lambda: lobby.leave_lobby(two, 300), Why.NOT_JOINED),
        (lambda: lobby.remove_computer(two, 100), Why.NO_COMPUTER),
        (lambda: lobby.remove_computer(two, 300), Why.PLAYERS_ONLY),
        (lambda: lobby.add_computer(two, 300, NOW), Why.PLAYERS_ONLY),
        (lambda: start.start_game(two, 300, NOW), Why.PLAYERS_ONLY),
        (lambda: lobby.set_options(two, 200, pace=Pace.SLOW), Why.HOST_ONLY),
        (lambda: lobby.set_options(two, 100, {"nonsense": "x"}), Why.BUTTON_DEAD),
        (lambda: lobby.cancel_table(two, 200, "p", moderator=False), Why.HOST_ONLY),
        (lambda: lobby.join_lobby(running, Player("p", 200), NOW), Why.ALREADY_STARTED),
        (lambda: lobby.leave_lobby(running, 100), Why.ALREADY_STARTED),
        (lambda: lobby.add_computer(running, 100, NOW), Why.ALREADY_STARTED),
        (lambda: lobby.remove_computer(running, 100), Why.ALREADY_STARTED),
        (lambda: lobby.set_options(running, 100, pace=Pace.SLOW), Why.ALREADY_STARTED),
        (lambda: lobby.cancel_table(running, 100, "p", moderator=True), Why.ALREADY_STARTED),
        (lambda: start.start_game(running, 100, NOW), Why.ALREADY_STARTED),
        (lambda: lobby.join_lobby(running._replace(phase=Phase.OVER), Player("p", 200), NOW), Why.GAME_FINISHED),
    ):
        with pytest.raises(Refusal) as no:
            wrong()
        assert no.value.why is why


@pytest.mark.parametrize("game", [game for game in sorted(CASES) if CASES[game].rules.options])
def test_the_host_chooses_the_options_of_the_game(game: str) -> None:
    for name, values in CASES[game].rules.options.items():
        for value in values:
            chosen = lobby.set_options(opened(game), 100, {name: value})
            assert chosen.rules.check_options(dict(chosen.options.game))[name] == value
        with pytest.raises(Refusal) as no:
            lobby.set_options(opened(game), 100, {name: "nonsense"})
        assert no.value.why is Why.BUTTON_DEAD


def test_at_a_table_for_one_person_computers_sit_nothing_runs_out_and_nobody_comes_later(fresh: Table) -> None:
    host, seats = Player("player 0", 100), fresh.rules.seats
    table = lobby.set_up_solo_table(fresh._replace(players=()), host, NOW)
    assert (table.players[0], len(table.players)) == (host, max(seats[0], min(4, seats[-1])))
    assert all(it.user is None for it in table.players[1:])
    assert (table.options.late, table.turn_ms, table.has_hints) == (False, 0, fresh.rules.coach is not None)


@pytest.mark.parametrize(("chosen", "pace"), [(Pace.OFF, Pace.OFF), (Pace.NORMAL, Pace.FAST), (Pace.SLOW, Pace.FAST)])
def test_the_deal_of_a_day_is_quick_unless_no_pace_at_all_was_chosen(fresh: Table, chosen: Pace, pace: Pace) -> None:
    before = fresh._replace(options=fresh.options._replace(pace=chosen))
    table = lobby.set_up_daily_deal_table(before, Player("player 0", 100))
    assert (table.options.pace, table.options.unhurried, table.options.late, table.turn_ms) == (pace, True, False, 0)


@pytest.mark.parametrize("usual", [True, False])
@pytest.mark.parametrize("practice", [True, False])
def test_at_the_deal_of_a_day_hints_are_offered_only_for_practice(fresh: Table, practice: bool, usual: bool) -> None:
    before = fresh._replace(practice=practice, options=fresh.options._replace(hints=usual))
    table = lobby.set_up_daily_deal_table(before, Player("player 0", 100))
    assert table.options.hints == (practice and fresh.rules.coach is not None)


@pytest.mark.parametrize(
    "chosen",
    [{"late": True}, {"turn_seconds": 60}, {"hints": False}, {"unhurried": True}, {"pace": Pace.SLOW, "late": True}],
)
def test_at_a_table_for_one_person_only_the_pace_and_the_level_can_be_chosen(
    fresh: Table, chosen: dict[str, Any]
) -> None:
    table = lobby.set_up_solo_table(fresh._replace(guild=NO_SERVER), fresh.players[0], NOW)
    with pytest.raises(Refusal) as no:
        lobby.set_options(table, 100, **chosen)
    assert no.value.why is Why.BUTTON_DEAD
    possible = lobby.set_options(table, 100, pace=Pace.SLOW, level=1)
    assert possible == table._replace(options=table.options._replace(pace=Pace.SLOW, level=1))
    assert lobby.set_options(fresh, 100, **chosen).options == fresh.options._replace(**chosen)


def test_the_host_passes_on_and_an_empty_lobby_closes(fresh: Table) -> None:
    two = lobby.join_lobby(fresh, Player("p", 200), NOW)
    assert lobby.leave_lobby(two, 100).host == 200
    assert lobby.leave_lobby(two, 200).host == 100
    closed = lobby.leave_lobby(fresh, 100)
    assert (closed.phase, closed.ending) == (Phase.OVER, Ending.CANCELLED)
    alone = lobby.add_computer(fresh, 100, NOW)
    assert lobby.leave_lobby(alone, 100).ending is Ending.CANCELLED


def test_the_computer_that_came_last_goes_and_its_name_is_free_again(fresh: Table) -> None:
    one = lobby.add_computer(fresh, 100, NOW)
    assert lobby.remove_computer(one, 100) == fresh
    assert lobby.add_computer(lobby.remove_computer(one, 100), 100, NOW) == one


def test_only_who_is_taken_out_goes(fresh: Table) -> None:
    """Also at tables with more people than the game has seats, which does not matter here."""
    seats = (*fresh.players, Player("p", 200), Player("computer"), Player("q", 300))
    full = fresh._replace(players=seats)
    assert lobby.remove_person(full, 100, 200).players == (seats[0], *seats[2:])
    assert lobby.leave_lobby(full, 200).players == (seats[0], *seats[2:])
    assert lobby.remove_computer(full, 100).players == (*seats[:2], seats[3])


def test_whoever_has_a_seat_at_the_start_was_there_just_before_it(fresh: Table) -> None:
    seats = (*fresh.players, Player("p", 200, active_at=NOW + 70_000), Player("computer"))[: fresh.rules.seats[-1]]
    full = dealt(fresh._replace(players=seats), now=NOW + 60_000)
    assert [player.active_at for player in full.players] == [NOW + 59_999, NOW + 70_000, 0][: len(seats)]


@every_game
def test_the_table_names_only_people_whose_direct_messages_discord_has_refused(game: str) -> None:
    table = started(game)

    def said(t: Table) -> str:
        return str(table_sheet(make_scene(t, None, None), words("en")).payload)

    assert "direct messages" not in said(table)
    assert "**player 0**: you get no direct messages" in said(table.with_changed_player(Seat(0), refuses_dms=True))


def test_the_language_can_be_changed_until_the_table_is_over(fresh: Table) -> None:
    assert lobby.with_locale(fresh, "de").locale == "de"
    over = lobby.leave_lobby(fresh, 100)
    assert lobby.with_locale(over, "de") == over


# A rematch invites (L5)


def invited(game: str, people: int) -> Table:
    """The lobby of a rematch for so many people; the first one has asked for it."""
    players = tuple(Player(f"p{number}", 100 + number) for number in range(people))
    over = opened(game)._replace(phase=Phase.OVER, players=players)
    return lobby.set_up_rematch_table(over, opened(game)._replace(players=()), players[0], NOW)


@every_game
def test_a_rematch_is_for_computers_too_but_not_for_who_was_away_l5(game: str) -> None:
    players = (Player("p0", 100), Player("p1", 101, away=True), Player("p2", 102), Player("computer"))
    over = opened(game)._replace(phase=Phase.OVER, players=players)
    fresh = opened(game)._replace(players=())
    invited = lobby.set_up_rematch_table(over, fresh, players[0], NOW).players
    assert [player.name for player in invited] == ["p0", "p2", "computer"][: over.rules.seats[-1]]


@every_game
def test_who_is_invited_plays_only_after_taking_the_seat_l5(game: str) -> None:
    t = invited(game, 3)
    assert [player.invited for player in t.players] == [False, True, True]
    with pytest.raises(Refusal, match=Why.TOO_FEW.value):
        start.start_game(t, 100, NOW)
    t = lobby.join_lobby(t, Player("p2", 102), NOW)
    assert [player.user for player in t.seated_players] == [100, 102]
    assert [player.user for player in dealt(t).players] == [100, 102]


@every_game
def test_who_is_invited_decides_nothing_and_may_decline_l5(game: str) -> None:
    t = invited(game, 3)
    for decide in (lobby.add_computer, lambda t, user, now: start.start_game(t, user, now)):
        with pytest.raises(Refusal, match=Why.PLAYERS_ONLY.value):
            decide(t, 101, NOW)
    assert [player.user for player in lobby.leave_lobby(t, 101).players] == [100, 102]
    assert lobby.leave_lobby(t, 100).ending is Ending.CANCELLED, "nobody else has sat down"


@every_game
def test_a_seat_is_kept_for_two_minutes_l5(game: str) -> None:
    most = CASES[game].rules.seats[-1]
    t = invited(game, most)
    with pytest.raises(Refusal, match=Why.TABLE_FULL.value):
        lobby.join_lobby(t, Player("late", 300), NOW + 119_999)
    later = lobby.join_lobby(t, Player("late", 300), NOW + 120_000)
    assert len(later.players) == most
    assert later.seat_of(300) is not None
    assert later.seat_of(100 + most - 1) is None


@every_game
def test_nobody_else_loses_a_seat_when_a_reserved_one_is_taken_or_given_away_l5(game: str) -> None:
    most = CASES[game].rules.seats[-1]
    t = invited(game, most)
    seated = t._replace(players=(t.players[1], t.players[0], *t.players[2:-1], t.players[-1]._replace(invited=False)))
    taken = lobby.join_lobby(seated, Player("p1", 101), NOW)
    assert [player.user for player in taken.players] == [player.user for player in seated.players]
    if most > 2:
        later = lobby.join_lobby(seated, Player("late", 300), NOW + 120_000)
        gone = {player.user for player in seated.players} - {player.user for player in later.players}
        assert gone == {100 + most - 2}


def test_the_host_removes_a_person_who_cannot_sit_down_there_again_l5(fresh: Table) -> None:
    two = lobby.join_lobby(fresh, Player("p", 200), NOW)
    out = lobby.remove_person(two, 100, 200)
    assert out.seat_of(200) is None
    for refused, why in (
        (lambda: lobby.join_lobby(out, Player("p", 200), NOW), Why.REMOVED),
        (lambda: lobby.remove_person(two, 200, 100), Why.HOST_ONLY),
        (lambda: lobby.remove_person(two, 100, 100), Why.NOBODY_TO_REMOVE),
        (lambda: lobby.remove_person(two, 100, 999), Why.NOBODY_TO_REMOVE),
        (lambda: lobby.remove_person(started(fresh.game), 100, 101), Why.ALREADY_STARTED),
    ):
        with pytest.raises(Refusal) as no:
            refused()
        assert no.value.why is why


# From the cut to the first card, in every game: what is fixed when, and what becomes of a start that fails.


@pytest.fixture(params=sorted(CASES))
def seated(request: pytest.FixtureRequest) -> Table:
    """The lobby of every game with as few people as can play: users 100, 101 ..."""
    table = opened(request.param)
    for number in range(1, table.rules.seats[0]):
        table = lobby.join_lobby(table, Player(f"p{number}", 100 + number), NOW)
    return table


@pytest.fixture
def starting(seated: Table) -> Table:
    """The same after user 100 has cut and pressed *Start*."""
    return start.start_game(start.set_cut_phrase(seated, 100, "mine"), 100, NOW)


def starting_due(table: Table) -> list[int]:
    """When *table* goes back to the lobby."""
    return [due.at for due in all_timers(table) if due.timer is Timer.STARTING]


def test_start_fixes_everything_but_the_message(starting: Table) -> None:
    assert (starting.phase, starting.starting, starting.state) == (Phase.LOBBY, True, None)
    fixed = parse_deal(starting.deal)
    assert [seat.cut for seat in fixed.seats] == [player.cut for player in starting.players]
    assert fixed.seats[0].cut == cut_hash("mine")
    dealt = start.deal_cards(starting, MESSAGE, NOW + 5)
    assert parse_deal(dealt.deal) == fixed._replace(message=MESSAGE)
    assert dealt.seed == fixed._replace(message=MESSAGE).seed(SECRET).hex()
    assert (dealt.phase, dealt.turn_began, dealt.turn_credit) == (Phase.PLAYING, NOW + 5, 0)
    check_table_values(starting)
    check_table_values(dealt)


def test_another_message_makes_another_deal(starting: Table) -> None:
    assert start.deal_cards(starting, MESSAGE, NOW).seed != start.deal_cards(starting, MESSAGE + 1, NOW).seed


def test_the_cards_are_dealt_once(starting: Table) -> None:
    dealt = start.deal_cards(starting, MESSAGE, NOW)
    assert start.deal_cards(dealt, MESSAGE + 1, NOW) is dealt


def test_a_lobby_in_which_nobody_has_pressed_start_is_not_dealt(seated: Table) -> None:
    assert start.deal_cards(seated, MESSAGE, NOW) is seated


def test_while_it_starts_nothing_can_be_changed(starting: Table) -> None:
    for change in (
        lambda: start.set_cut_phrase(starting, 100, "late"),
        lambda: start.start_game(starting, 100, NOW),
        lambda: lobby.join_lobby(starting, Player("late", 900), NOW),
        lambda: lobby.leave_lobby(starting, 100),
        lambda: lobby.add_computer(starting, 100, NOW),
        lambda: lobby.set_options(starting, 100, turn_seconds=60),
        lambda: lobby.cancel_table(starting, 100, "a", True),
    ):
        with pytest.raises(Refusal) as refused:
            change()
        assert refused.value.why is Why.ALREADY_STARTED


def test_that_discord_has_refused_one_start_says_nothing_of_the_next(starting: Table) -> None:
    refused = start.return_to_lobby_after_failed_start(start.with_start_blocked_by_permissions(starting))
    assert refused.start_refused
    again = start.start_game(refused, 100, NOW)
    assert not start.return_to_lobby_after_failed_start(again).start_refused


def test_after_a_minute_it_is_a_lobby_again_with_another_secret(starting: Table) -> None:
    assert starting_due(starting) == [NOW + STARTING_MS]
    assert serve_due_timer(starting, NOW + STARTING_MS - 1).starting
    again = serve_due_timer(starting, NOW + STARTING_MS)
    assert not again.starting
    assert (again.turn_began, again.turn_credit, starting_due(again)) == (0, 0, [])
    assert commitment(bytes.fromhex(again.secret)) != commitment(SECRET)
    assert not any(player.cut or player.record for player in again.players)
    check_table_values(again)
    restarted = start.start_game(again, 100, NOW + STARTING_MS)
    assert restarted.secret == again.secret, "the one whose code everybody could see"


def test_the_lobby_says_that_the_start_has_failed_until_it_changes_again(starting: Table) -> None:
    again = start.return_to_lobby_after_failed_start(starting)._replace(version=starting.version + 1)
    later = lobby.set_options(again, 100, turn_seconds=60)._replace(version=again.version + 1)
    said = [make_scene(it, None, None).start_failed for it in (opened(starting.game), starting, again, later)]
    assert said == [False, False, True, False]


def test_time_in_which_the_bot_was_away_does_not_count(starting: Table) -> None:
    away = starting._replace(turn_credit=500_000)
    assert starting_due(away) == [NOW + 500_000 + STARTING_MS]
    assert start.deal_cards(away, MESSAGE, NOW + 500_001).turn_credit == 0
    assert start.return_to_lobby_after_failed_start(away).turn_credit == 0
