"""One person who wants a rating plays alone against computer players: when that counts, and what for (L6)."""

from collections.abc import Sequence

import pytest

from bot.results.anchors import anchors, computers
from bot.results.places import AWAY_MS
from bot.results.ratings import COMPUTERS, START, opponent
from bot.tables import dealing, leaving, lobby
from bot.tables.characters import level
from bot.tables.contest import NOBODY, Contest, contest
from bot.tables.leaving import leave, replace, take_over
from bot.tables.model import Ending, Player, Table
from bot.tables.preferences import Preferences
from engine.fair import Deal, SeatSheet
from engine.game import Seat, Standing
from engine.record import FINISHED, Record, SeatChanged
from engine.registry import GAMES
from engine.tallies import PLAYED
from tests.bot.processes import Process
from tests.bot.tables import MESSAGE, NOW, on_turn, opened, pass_time
from tests.bot.test_archive import Evening
from tests.bot.test_counting import RATED, counted, totals
from tests.bot.test_places import Game
from tests.bot.upkeep import kept_of
from tests.games import CASES
from tests.rows import asked, count

LADDER = min(game for game in CASES if CASES[game].rules.ladder)
"""A game that says how strong its computer players are."""


# Between whom a game counts, and places


def alone(*others: str, rated: bool = True) -> Game:
    """A game of one person, who is *rated* or not, against computer players of these names, which say their level."""
    return Game(1, rated=(0,) if rated else (), names=others)


def late(game: Game, seat: int) -> Game:
    """Somebody has taken a computer's seat while the game ran."""
    return game.do(leaving.sit_down, Player("late", 200, rated=True), Seat(seat), NOW)


def test_one_person_who_wants_a_rating_is_compared_with_computers() -> None:
    game = alone("Ada", "Fibo", "Lotfi")
    assert contest(game.table) == Contest((Seat(0),), {Seat(1): 6, Seat(2): 1, Seat(3): 3})
    assert game.finish().places == game.standings
    assert alone("Ada", rated=False).finish().places == {}


def test_to_leave_computers_is_to_come_last() -> None:
    for game in (alone("Ada", "Fibo").leave(0), alone("Ada", "Fibo").end()):
        assert game.places == {0: 3, 1: 1, 2: 1}
    timed_out = alone("Ada").do(take_over, Seat(0), timed_out=True)
    assert timed_out.table.paused
    assert timed_out.over(Ending.UNATTENDED).places == {0: 2, 1: 1}
    given = alone("Ada").do(replace, 100, Seat(0), False)
    assert given.table.ending is Ending.ABANDONED
    assert given.places == {0: 2, 1: 1}


def test_to_let_a_game_with_computers_lie_until_it_is_closed_is_to_leave() -> None:
    game = alone("Ada")
    while on_turn(game.table) != 0:
        game.table = pass_time(game.table, game.table.turn_began + 60_000)
    assert game.over(Ending.IDLE).places == {0: 2, 1: 1}
    assert game.over(Ending.IDLE, turn_credit=AWAY_MS + 1).places == {}


def test_a_moderators_end_and_a_moderators_computer_count_for_nobody_there_either() -> None:
    assert alone("Ada").end(by=50, moderator=True).places == {}
    assert alone("Ada").do(replace, 50, Seat(0), True).over(Ending.UNATTENDED).places == {}
    assert alone("Ada").over(Ending.REMOVED).places == {}


def test_a_second_person_could_help_so_computers_are_left_out() -> None:
    assert contest(Game(2, rated=(0,), computers=2).table) == NOBODY
    assert contest(Game(2, rated=(0, 1), computers=2).table) == Contest((Seat(0), Seat(1)))


def test_a_seat_that_somebody_takes_later_is_no_computer_players_any_more() -> None:
    assert contest(late(alone("Ada", "Fibo"), 1).table) == Contest((Seat(0),), {Seat(2): 1})
    assert contest(late(alone("Ada"), 1).table) == NOBODY
    gone = late(alone("Ada", "Fibo"), 1).do(leave, 200)
    assert contest(gone.table).computers == {Seat(2): 1}
    erased = gone.table.with_player(Seat(1), user=None, name="", former=True)
    assert contest(erased).computers == {Seat(2): 1}


def test_a_computer_that_plays_for_somebody_is_no_anchor() -> None:
    game = Game(2, rated=(0,), computers=1).leave(1)
    assert contest(game.table) == NOBODY
    assert contest(game.table.with_player(Seat(1), user=None, name="", former=True)) == NOBODY


@pytest.mark.parametrize("game", sorted(CASES))
def test_where_the_strength_of_computers_is_not_known_nobody_is_rated_against_them(game: str) -> None:
    table = opened(game)._replace(players=(Player("player 0", 100, rated=True), Player("Ada")))
    assert bool(contest(table).people) is bool(CASES[game].rules.ladder)


# What it makes of the rating


async def play_alone(
    process: Process, levels: Sequence[int], *, seed: int = 1, game: str = LADDER, leaves: bool = False
) -> Table:
    """A game of one person, who wants a rating, against computers of these *levels*, to its end."""
    await process.store.put_preferences(100, RATED)
    host = Player("player 0", 100, rated=True)
    table = await process.tables.open(guild=1, channel=2, game=game, host=host, locale="en")
    evening = Evening(process, table.id, seed)
    for chosen in levels:
        await evening.change(lambda t, at=chosen: lobby.set_options(t, 100, level=at))
        await evening.change(lambda t: lobby.add_computer(t, 100, evening.now))
    await evening.change(lambda t: dealing.start(t, 100, evening.now))
    await evening.change(lambda t: dealing.deal(t, MESSAGE, evening.now))
    await evening.go_on()
    if leaves:
        await evening.change(lambda t: leaving.leave(t, 100))
    return await evening.play()


async def test_a_game_against_computers_changes_the_persons_rating_alone(process: Process, store_url: str) -> None:
    table = await play_alone(process, [1, 6, 6])
    await counted(process.store)
    ((user, mu),) = asked(store_url, "SELECT user_id, mu FROM ratings")
    assert (user, (await process.store.profiles(100))[LADDER].rating.games) == (100, 1)
    places = {it.seat: it.place for it in table.rules.standings(table.state)}
    known = anchors(table.rules)
    levels = {seat: level(player, table.rules) for seat, player in enumerate(table.players) if player.user is None}
    own = table.seat_of(100)
    wanted = {(at, (places[seat] > places[own]) - (places[seat] < places[own])) for seat, at in levels.items()}
    met = await process.store.meetings(100, LADDER)
    assert {(it.other // COMPUTERS, it.ahead) for it in met} == wanted
    assert len(met) == 3
    rows = asked(store_url, "SELECT user_id, mu, sigma FROM rating_steps WHERE user_id <> 100")
    assert sorted(known[opponent(it[0]) // COMPUTERS - 1][:2] for it in rows) == sorted(it[1:] for it in rows)
    ahead = sum(order for _, order in wanted)
    assert ahead == 0 or (mu > START.mu) is (ahead > 0)


async def test_who_leaves_computers_has_lost_to_all_of_them(process: Process, store_url: str) -> None:
    table = await play_alone(process, [1, 6], leaves=True)
    assert {it.user: it.place for it in (await kept_of(process.store, table.id)).people} == {100: 3}
    await counted(process.store)
    assert {it.ahead for it in await process.store.meetings(100, LADDER)} == {-1}
    assert asked(store_url, "SELECT mu FROM ratings")[0][0] < START.mu


async def test_who_wants_no_rating_is_rated_against_no_computer(process: Process, store_url: str) -> None:
    await play_alone(process, [3])
    await process.store.put_preferences(100, Preferences(rated=False))
    await counted(process.store)
    assert count(store_url, "ratings") == count(store_url, "rating_steps") == 0
    assert count(store_url, "records WHERE counted_at IS NULL") == 0
    assert totals(store_url)[100, LADDER, PLAYED] == 1


def test_only_computers_that_were_ahead_count_once_somebody_could_have_helped() -> None:
    """Somebody has taken the seat of the third player."""
    seats = (SeatSheet("a" * 16, "person"), *(SeatSheet("", "computer", level=it) for it in ("6", "2", "3", "")))
    deal = Deal(LADDER, 1, {}, seats)
    scores = [Standing(Seat(seat), place, (0, 0)) for place, seat in enumerate((1, 2, 0, 3, 4), start=1)]

    def found(*entries: SeatChanged, ending: str = FINISHED, place: int = 3) -> dict[int, int]:
        done = Record(deal, b"", "", entries, ending, tuple(scores) if ending == FINISHED else ())
        met = computers(done, GAMES[LADDER], "a" * 16, place)
        return {opponent(it.user) // COMPUTERS: (it.place > place) - (it.place < place) for it in met}

    taken = SeatChanged(0, Seat(2), "person", "b" * 16)
    assert found() == {6: -1, 2: -1, 3: 1}, "a level that is not said is not known"
    assert found(taken, place=2) == {6: -1}
    assert found(place=5) == {6: -1, 2: -1, 3: -1}, "they had left"
    assert found(ending="ended", place=5) == {6: -1, 2: -1, 3: -1}
    assert found(SeatChanged(0, Seat(0), "computer", level="3"), place=5) == {6: -1, 2: -1, 3: -1}
    assert computers(Record(deal, b"", "", (), FINISHED, tuple(scores)), GAMES[LADDER], "c" * 16, 3) == []
