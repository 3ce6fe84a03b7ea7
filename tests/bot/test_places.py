"""Who has come in where, for the ratings (L6): leavers last, and nobody where it was not the players who ended it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bot.stats.places import MAX_OUTAGE_MS, rating_places
from bot.tables import leaving, lobby, start
from bot.tables.leaving import come_back, give_seat_to_computer, leave_game, replace_with_computer
from bot.tables.model import Ending, Phase, Player, Table
from bot.tables.preferences import Preferences
from engine.game import Json, Seat
from tests.bot.tables import NOW, dealt, on_turn, opened, pass_time
from tests.games import ANY, CASES

pytestmark = pytest.mark.about(ANY)
GAME = max(CASES, key=lambda game: CASES[game].rules.seats[-1])
"""A game in which all of these fit."""


class Game:
    """A game of people, all of whom want a rating, and its record so far; in the *order* of their scores, best first,
    if it is finished."""

    def __init__(
        self, people: int = 4, *, rated: tuple[int, ...] = (0, 1, 2, 3), computers: int = 0, names: Sequence[str] = ()
    ) -> None:
        seated = [Player(f"player {n}", 100 + n, active_at=NOW, rated=n in rated) for n in range(people)]
        seated += [Player(f"computer {n}") for n in range(computers)]
        seated += [Player(name) for name in names]
        self.table = dealt(opened(GAME)._replace(players=tuple(seated)))
        self.entries: list[Json] = []
        self._note()

    def _note(self) -> None:
        self.entries += self.table.entries
        self.table = self.table._replace(entries=())

    def do(self, change: Callable[..., Table], *args: Any, **how: Any) -> "Game":
        self.table = change(self.table, *args, **how)
        self._note()
        return self

    def leave(self, *people: int) -> "Game":
        for person in people:
            self.do(leave_game, 100 + person)
        return self

    def end(self, by: int = 0, *, moderator: bool = False) -> "Game":
        return self.do(leaving.end_game_early, 100 + by, "somebody", moderator)

    def over(self, ending: Ending, **fields: Any) -> "Game":
        self.table = leaving.close_table(self.table, ending)._replace(**fields)
        return self

    def finish(self) -> "Game":
        """The computers play it to its end."""
        away = [player._replace(away=player.user is None or player.away) for player in self.table.players]
        left = {n for n, player in enumerate(away) if player.user is not None and player.away}
        driven = self.table._replace(players=tuple(it._replace(away=True, timed_out=False) for it in away))
        while driven.live:
            before = driven
            driven = pass_time(driven, driven.turn_began + 3_600_000)
            assert driven != before
            self.entries += driven.entries
            driven = driven._replace(entries=())
        back = tuple(
            player._replace(away=n in left, timed_out=self.table.players[n].timed_out)
            for n, player in enumerate(driven.players)
        )
        self.table = driven._replace(players=back)
        assert self.table.ending is Ending.FINISHED
        return self

    @property
    def places(self) -> dict[int, int]:
        return {int(seat): place for seat, place in rating_places(self.table, self.entries).items()}

    @property
    def standings(self) -> dict[int, int]:
        return {int(it.seat): it.place for it in self.table.rules.standings(self.table.state)}


def test_a_finished_game_is_rated_as_it_was_won() -> None:
    game = Game().finish()
    assert game.places == game.standings


def test_the_seats_of_others_are_left_out_of_the_ranking() -> None:
    game = Game(4, rated=(1, 3), computers=2).finish()
    first, second = sorted((1, 3), key=lambda seat: game.standings[seat])
    tied = game.standings[1] == game.standings[3]
    assert game.places == ({1: 1, 3: 1} if tied else {first: 1, second: 2})


@pytest.mark.parametrize("rated", [(), (2,)])
def test_it_takes_two_who_want_a_rating(rated: tuple[int, ...]) -> None:
    assert Game(rated=rated).finish().places == {}


def test_who_leaves_is_behind_those_who_leave_later_and_all_who_stay() -> None:
    game = Game().leave(2, 0).finish()
    assert game.places[2] == 4
    assert game.places[0] == 3
    assert {game.places[1], game.places[3]} <= {1, 2}


def test_who_comes_back_has_stayed() -> None:
    game = Game().leave(2, 0).do(come_back, 102, NOW).finish()
    assert game.places[0] == 4
    game = Game().leave(2, 0).do(come_back, 102, NOW).leave(2).finish()
    assert (game.places[0], game.places[2]) == (4, 3)


def test_time_outs_that_cost_the_seat_count_as_leaving() -> None:
    game = Game().do(give_seat_to_computer, Seat(1), timed_out=True).leave(3).finish()
    assert (game.places[1], game.places[3]) == (4, 3)


def slow(table: Table) -> Table:
    """The time of the person in seat 2 has run out once."""
    return table.with_changed_player(Seat(2), timeouts=1)


def test_a_seat_that_was_given_to_a_computer_for_a_reason_is_not_rated_unless_its_person_is_back() -> None:
    assert set(Game().do(slow).do(replace_with_computer, 100, Seat(2), False).finish().places) == {0, 1, 3}
    assert set(Game().do(replace_with_computer, 50, Seat(2), True).finish().places) == {0, 1, 3}
    assert set(Game(rated=(1, 2, 3)).do(replace_with_computer, 100, Seat(2), False).finish().places) == {1, 3}
    game = Game().do(slow).do(replace_with_computer, 100, Seat(2), False).do(come_back, 102, NOW).finish()
    assert set(game.places) == {0, 1, 2, 3}


def test_a_rated_player_who_gives_the_seat_of_somebody_present_to_a_computer_has_left() -> None:
    game = Game().do(replace_with_computer, 100, Seat(2), False).leave(3).finish()
    assert set(game.places) == {0, 1, 2, 3}
    assert (game.places[0], game.places[3]) == (3, 4)
    assert Game(2).do(replace_with_computer, 100, Seat(1), False).finish().places == {0: 2, 1: 1}
    assert Game(2).do(replace_with_computer, 100, Seat(1), False).end().places == {0: 2, 1: 1}
    back = Game().do(replace_with_computer, 100, Seat(2), False).do(come_back, 102, NOW).leave(3).finish()
    assert back.places[3] == 4
    assert back.places[0] < 4


def test_who_gives_their_own_seat_to_a_computer_has_left() -> None:
    assert Game().do(replace_with_computer, 100, Seat(0), False).finish().places[0] == 4


def test_who_was_replaced_came_back_and_left_has_left() -> None:
    game = Game().do(replace_with_computer, 100, Seat(2), False).do(come_back, 102, NOW).leave(2).finish()
    assert game.places[2] == 4


def test_replacing_leaves_two_at_least() -> None:
    assert Game(2).do(replace_with_computer, 50, Seat(1), True).finish().places == {}


def test_who_sits_down_later_is_not_rated_and_the_others_are() -> None:
    game = Game(2, computers=1)
    late = Player("late", 200, rated=True)
    game.do(leaving.take_computer_seat, late, Seat(2), NOW).finish()
    assert set(game.places) == {0, 1}


def test_the_hosts_end_is_leaving() -> None:
    assert Game().leave(2).end().places == {0: 3, 1: 1, 2: 4, 3: 1}


def test_a_host_who_is_a_moderator_leaves_too_and_one_who_has_left_before_left_then() -> None:
    assert Game().end(moderator=True).places == {0: 4, 1: 1, 2: 1, 3: 1}
    assert Game().leave(0, 2).end().places == {0: 4, 1: 1, 2: 3, 3: 1}


def test_of_two_the_host_who_ends_it_loses_but_not_to_who_left_before() -> None:
    assert Game(2).end().places == {0: 2, 1: 1}
    assert Game(2, computers=1).leave(1).end().places == {0: 1, 1: 2}


def test_a_moderators_end_counts_for_nobody() -> None:
    assert Game().end(by=1, moderator=True).places == {0: 1, 1: 4, 2: 1, 3: 1}, "who plays leaves"
    assert Game().leave(2).end(by=50, moderator=True).places == {}


def test_an_end_by_a_host_who_wants_no_rating_counts_for_nobody_but_those_who_left_before() -> None:
    assert Game(rated=(1, 2, 3)).end().places == {}
    assert Game(rated=(1, 2, 3)).leave(2).end().places == {1: 1, 2: 3, 3: 1}


def test_abandoned_by_one_after_the_other() -> None:
    game = Game().leave(2, 0, 3, 1)
    assert game.table.ending is Ending.ABANDONED
    assert game.places == {1: 1, 3: 2, 0: 3, 2: 4}


def test_unattended_by_one_after_the_other() -> None:
    game = Game(2).do(give_seat_to_computer, Seat(1), timed_out=True).do(give_seat_to_computer, Seat(0), timed_out=True)
    assert game.table.paused
    assert game.over(Ending.UNATTENDED).places == {0: 1, 1: 2}


def test_who_lets_it_lie_on_their_turn_until_it_is_closed_has_left() -> None:
    game = Game()
    idle = on_turn(game.table)
    (other, *rest) = [seat for seat in range(4) if seat != idle]
    found = game.leave(other).over(Ending.IDLE).places
    assert found == {idle: 3, other: 4, **dict.fromkeys(rest, 1)}


@pytest.mark.parametrize(("credit", "rated"), [(MAX_OUTAGE_MS, True), (MAX_OUTAGE_MS + 1, False)])
def test_if_the_bot_was_away_it_is_nobodys_fault(credit: int, rated: bool) -> None:
    assert bool(Game().leave(2).over(Ending.IDLE, turn_credit=credit).places) is rated


@pytest.mark.parametrize("ending", [Ending.REMOVED, Ending.CANCELLED])
def test_what_is_no_players_doing_counts_for_nobody(ending: Ending) -> None:
    assert Game().leave(2).over(ending).places == {}


# Who wants it


def test_what_somebody_has_chosen_is_what_they_sit_down_with() -> None:
    assert [Preferences(rated=it).player_fields("en")["rated"] for it in (None, False, True)] == [False, False, True]


def test_it_is_settled_when_the_game_starts() -> None:
    table = opened(GAME)._replace(players=tuple(Player(f"player {n}", 100 + n) for n in range(2)))
    table = lobby.with_rating_choice(lobby.with_rating_choice(table, 100, True), 101, True)
    assert [player.rated for player in table.players] == [True, True]
    table = lobby.with_rating_choice(table, 100, False)
    started = start.start_game(table, 100, NOW)
    for late in (started, dealt(table)):
        assert [player.rated for player in lobby.with_rating_choice(late, 100, True).players] == [False, True]
        assert [player.rated for player in lobby.with_rating_choice(late, 101, False).players] == [False, False]
    over = dealt(table)._replace(phase=Phase.OVER)
    assert lobby.with_rating_choice(over, 101, False) is over
    assert lobby.with_rating_choice(table, 999, True) is table


def test_an_invitation_to_a_rematch_brings_no_rating_of_the_last_game() -> None:
    game = Game(2).finish()
    fresh = lobby.set_up_rematch_table(game.table, opened(GAME), Player("player 0", 100, rated=True), NOW)
    assert [player.rated for player in fresh.players] == [True, False]
