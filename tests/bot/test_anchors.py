"""Computer players as anchors of the ratings: how strong they are, what games against them tell, why farming them does
not pay."""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from bot.stats.places import MAX_OUTAGE_MS
from bot.stats.ratings import (
    HIGHEST_COMPUTER_ID,
    MIDDLE_SHARE,
    MIN_SIGMA,
    NOISE,
    START_RATING,
    EarlierMeeting,
    RatedPlayer,
    Rating,
    computer_opponents,
    computer_user_id,
    level_ratings,
    new_ratings,
    pooled_opponent_id,
)
from bot.tables import leaving, lobby, start
from bot.tables.contest import NO_CONTEST, RatedContest, determine_rated_contest
from bot.tables.leaving import give_seat_to_computer, leave_game, replace_with_computer
from bot.tables.model import Ending, Player, Table
from bot.tables.names import MIDDLE_LEVEL, computer_level
from bot.tables.preferences import Preferences
from bot.ui.registry import PRESENTERS
from engine.fair import Deal, DealtSeat
from engine.game import Seat, Standing
from engine.record import FINISHED, Record, SeatChangeEntry
from engine.registry import GAMES
from engine.tallies import PLAYED
from tests.bot.alone import FARMS, LEVELS, course, gained, nearest, strength_of
from tests.bot.processes import Process
from tests.bot.ring import DAY_MS
from tests.bot.tables import MESSAGE, NOW, on_turn, opened, pass_time
from tests.bot.test_archive import Evening
from tests.bot.test_counting import RATED, counted, totals
from tests.bot.test_places import Game
from tests.bot.upkeep import kept_of
from tests.games import CASES
from tests.rows import count, query

AT = 400 * DAY_MS
CERTAIN = Rating(25.0, 1.5, 100)
LADDERS = sorted(game for game in CASES if CASES[game].rules.ladder is not None)
"""The games that say how strong their computer players are."""
GAME = GAMES[LADDERS[0]]
every_ladder = pytest.mark.parametrize("game", LADDERS)


def after(
    mine: Rating,
    *results: tuple[int, int],
    known: Sequence[EarlierMeeting] = (),
    luck: float = 1.0,
    minutes: float = 20,
) -> Rating:
    """The rating of somebody after a game against computer players: (their level, by how many places they came in
    behind)."""
    levels = level_ratings(GAME)
    met = [RatedPlayer(1, mine, 10)]
    met += [RatedPlayer(computer_user_id(it, n), levels[it - 1], 10 + places) for n, (it, places) in enumerate(results)]
    began = AT - round(minutes * 60_000)
    new = new_ratings(met, lambda user: known, began=began, ended=AT, usual_minutes=20, luck=luck)
    assert set(new) == {1}
    return new[1]


def gain(
    *results: tuple[int, int], known: Sequence[EarlierMeeting] = (), luck: float = 1.0, minutes: float = 20
) -> float:
    """What the game changes in the strength of somebody certain."""
    return after(CERTAIN, *results, known=known, luck=luck, minutes=minutes).mu - CERTAIN.mu


def chance(one: Rating, other: Rating) -> float:
    """How often the certain *one* is ahead of the certain *other*."""
    return 1 / (1 + exp((other.mu - one.mu) / NOISE))


# How strong they are


def shares(game: str) -> tuple[float, ...]:
    """What was measured of the levels of *game*."""
    ladder = GAMES[game].ladder
    assert ladder is not None
    return tuple(ladder.SHARES)


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_game_says_of_all_its_levels_how_strong_they_are_or_of_none(game: str) -> None:
    rules = CASES[game].rules
    if rules.ladder is None:
        assert level_ratings(rules) == ()
        return
    assert len(rules.ladder.SHARES) == rules.computers.LEVELS - 1
    assert len(level_ratings(rules)) == rules.computers.LEVELS
    assert all(0.5 < share < 1 for share in rules.ladder.SHARES), "a level that is no stronger than the one below"
    for seats in rules.seats:
        for values in rules.options.values() or [("",)]:
            for value in values:
                options = rules.check_options({name: value for name, it in rules.options.items() if value in it})
                assert rules.ladder.luck(seats, options) >= 1


@every_ladder
def test_each_level_beats_the_one_below_as_often_as_was_measured(game: str) -> None:
    known = level_ratings(GAMES[game])
    for (lower, upper), share in zip(pairwise(known), shares(game), strict=True):
        assert chance(upper, lower) == pytest.approx(share)
    assert {it.sigma for it in known} == {MIN_SIGMA}


@every_ladder
def test_the_middle_level_is_a_little_weaker_than_the_average_person(game: str) -> None:
    middle = level_ratings(GAMES[game])[MIDDLE_LEVEL - 1]
    assert chance(middle, START_RATING) == pytest.approx(MIDDLE_SHARE)
    assert MIDDLE_SHARE < 0.5


def test_the_ladders_are_those_of_the_guide() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "computer-players.md").read_text("utf-8")
    rows = re.findall(r"^\| [②-⑥] against [①-⑤].*?\| ([\d.]+) ± .*?\| ([\d.]+) ±", guide, re.MULTILINE)
    columns = {tuple(float(row[column]) / 100 for row in rows) for column in range(2)}
    assert {shares(game) for game in LADDERS} == {tuple(round(it, 3) for it in column) for column in columns}


def test_the_anchors_are_those_of_the_guide() -> None:
    """In points above the average person, as in the table of docs/ratings.md."""
    guide = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text("utf-8")
    _, _, below = guide.partition("| points above the average person |")
    rows = re.findall(r"^\| ([\w ]+) \| (-?\d.*) \|$", below.partition("\n\n")[0], re.MULTILINE)
    said = {title: [int(it) for it in cells.split(" | ")] for title, cells in rows}
    titles = {game: PRESENTERS[game].title.partition(" (")[0] for game in LADDERS}
    assert said == {titles[game]: [round(strength_of(it)) for it in level_ratings(GAMES[game])] for game in LADDERS}


def test_computer_players_of_one_level_are_one_opponent() -> None:
    ids = {computer_user_id(level, number): level for level in range(1, 10) for number in (0, 1, 7)}
    assert len(ids) == 27
    assert max(ids) <= HIGHEST_COMPUTER_ID
    assert all(pooled_opponent_id(user) == computer_user_id(level) for user, level in ids.items())


# One game


@pytest.mark.parametrize("level", LEVELS)
def test_a_win_gains_a_loss_costs_and_the_computer_stays_as_it_is(level: int) -> None:
    won, lost = after(START_RATING, (level, 1)), after(START_RATING, (level, -1))
    assert lost.mu < START_RATING.mu < won.mu
    assert won.sigma == lost.sigma < START_RATING.sigma
    assert won.games == lost.games == 1


def test_the_stronger_the_computer_the_more_a_win_gains_and_the_less_a_loss_costs() -> None:
    gains = [gain((level, 1)) for level in LEVELS]
    losses = [gain((level, -1)) for level in LEVELS]
    assert gains == sorted(gains)
    assert losses == sorted(losses)
    assert gains[-1] > 3 * gains[0]


def test_several_computers_tell_more_than_one_and_less_than_so_many_games() -> None:
    one, three = gain((3, 1)), gain((3, 1), (3, 1), (3, 1))
    assert one < three < 3 * one
    assert abs(gain((3, 1), (3, -1), (2, -1), (4, 1))) < one


def test_the_more_is_luck_the_less_a_game_tells() -> None:
    assert 0 < gain((3, 1), luck=3) < gain((3, 1), luck=1.5) < gain((3, 1))
    start = after(START_RATING, (3, 1)), after(START_RATING, (3, 1), luck=3)
    assert start[0].sigma < start[1].sigma < START_RATING.sigma


def test_a_short_game_counts_as_any_other_since_a_computer_loses_none_on_purpose() -> None:
    assert gain((3, 1), minutes=1) == gain((3, 1))
    assert gain((3, -1), minutes=1) == gain((3, -1))


# What counts less


def played(level: int, results: str, days_ago: float = 1) -> list[EarlierMeeting]:
    """Earlier games against *level*: a letter each, w: the person was ahead, l: the computer."""
    at = round(AT - days_ago * DAY_MS)
    return [EarlierMeeting(computer_user_id(level), at, 1 if it == "w" else -1) for it in results]


def test_the_same_level_again_and_again_counts_less_and_recovers_slowly() -> None:
    often, long_ago = gain((3, 1), known=played(3, "wl" * 30)), gain((3, 1), known=played(3, "wl" * 30, 365))
    assert 0 < often < gain((3, 1)) / 2
    assert often < long_ago < gain((3, 1))


@pytest.mark.parametrize("behind", [1, -1])
def test_a_level_that_is_always_beaten_counts_next_to_nothing_whoever_wins_now(behind: int) -> None:
    once, again = abs(gain((3, behind))), abs(gain((3, behind), known=played(3, "www")))
    assert 0 < again <= once / 8


def test_to_take_another_level_each_time_is_no_way_around_that() -> None:
    known = [it for level in (1, 2, 4, 5, 6) for it in played(level, "www")]
    assert gain((3, 1), known=known) < gain((3, 1)) / 50
    even = [it for level in (1, 2) for it in played(level, "www")]
    even += [it for level in (5, 6) for it in played(level, "lll")]
    assert gain((3, 1), known=even) == gain((3, 1))


def test_games_against_computers_make_nobody_a_witness_and_no_difference_to_games_with_people() -> None:
    one, other = RatedPlayer(1, CERTAIN, 1), RatedPlayer(2, CERTAIN, 2)
    many = [it for level in LEVELS for it in played(level, "w" * 20)]

    def new(*known: EarlierMeeting) -> Rating:
        return new_ratings((one, other), lambda user: known, began=0, ended=AT, usual_minutes=20)[1]

    assert new(*many) == new()


# Over many games


@pytest.mark.one_in(5)
@every_ladder
@pytest.mark.parametrize("true", [-200.0, 0.0, 200.0])
def test_who_plays_only_computers_comes_near_their_true_strength(game: str, true: float) -> None:
    """Against computers of about their strength; the mean of 8 people."""
    level = nearest(GAMES[game], true)
    runs = [list(course(GAMES[game], true, lambda *_: [level], 300, Random(f"{seed}"))) for seed in range(8)]
    after_100, after_300 = (fmean(strength_of(run[games - 1]) for run in runs) for games in (100, 300))
    assert abs(after_100 - true) <= 90
    assert abs(after_300 - true) <= 60
    assert abs(after_300 - true) <= max(30, abs(after_100 - true))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("before", [0, 30, 100])
@pytest.mark.parametrize("farm", ["level 1, honestly", "level 1, always won"])
def test_to_farm_the_weakest_computer_gains_at_most_20_points(farm: str, before: int) -> None:
    """After 10 to 300 games, over honest twins of the same strength who play with people meanwhile."""
    worlds, twins = (2, 4) if before else (4, 6)  # somebody new owes much to luck
    assert max(gained(FARMS[farm], GAME, before, 0.0, (10, 30), worlds, twins)) <= 20
    assert max(gained(FARMS[farm], GAME, before, 0.0, (100, 300), 2, 4)) <= 20


@pytest.mark.one_in(5)
@pytest.mark.parametrize("farm", sorted(FARMS))
def test_no_other_way_to_farm_computers_pays_for_300_games(farm: str) -> None:
    """Not either if a friend takes the computer's seat whenever the person is about to lose."""
    assert gained(FARMS[farm], GAME, 30, 0.0, (10, 30, 100, 300), 2, 4)[-1] <= 20


# One person who wants a rating plays alone against computer players: when that counts, and what for (L6).

LADDER = min(game for game in CASES if CASES[game].rules.ladder is not None)
"""A game that says how strong its computer players are."""


# Between whom a game counts, and places


def alone(*others: str, rated: bool = True) -> Game:
    """A game of one person, who is *rated* or not, against computer players of these names, which say their level."""
    return Game(1, rated=(0,) if rated else (), names=others)


def late(game: Game, seat: int) -> Game:
    """Somebody has taken a computer's seat while the game ran."""
    return game.do(leaving.take_computer_seat, Player("late", 200, rated=True), Seat(seat), NOW)


def test_one_person_who_wants_a_rating_is_compared_with_computers() -> None:
    game = alone("Ada", "Fibo", "Lotfi")
    assert determine_rated_contest(game.table) == RatedContest((Seat(0),), {Seat(1): 6, Seat(2): 1, Seat(3): 3})
    assert game.finish().places == game.standings
    assert alone("Ada", rated=False).finish().places == {}


def test_to_leave_computers_is_to_come_last() -> None:
    for game in (alone("Ada", "Fibo").leave(0), alone("Ada", "Fibo").end()):
        assert game.places == {0: 3, 1: 1, 2: 1}
    timed_out = alone("Ada").do(give_seat_to_computer, Seat(0), timed_out=True)
    assert timed_out.table.paused
    assert timed_out.over(Ending.UNATTENDED).places == {0: 2, 1: 1}
    given = alone("Ada").do(replace_with_computer, 100, Seat(0), False)
    assert given.table.ending is Ending.ABANDONED
    assert given.places == {0: 2, 1: 1}


def test_to_let_a_game_with_computers_lie_until_it_is_closed_is_to_leave() -> None:
    game = alone("Ada")
    while on_turn(game.table) != 0:
        game.table = pass_time(game.table, game.table.turn_began + 60_000)
    assert game.over(Ending.IDLE).places == {0: 2, 1: 1}
    assert game.over(Ending.IDLE, turn_credit=MAX_OUTAGE_MS + 1).places == {}


def test_a_moderators_end_and_a_moderators_computer_count_for_nobody_there_either() -> None:
    assert alone("Ada").end(by=50, moderator=True).places == {}
    assert alone("Ada").do(replace_with_computer, 50, Seat(0), True).over(Ending.UNATTENDED).places == {}
    assert alone("Ada").over(Ending.REMOVED).places == {}


def test_a_second_person_could_help_so_computers_are_left_out() -> None:
    assert determine_rated_contest(Game(2, rated=(0,), computers=2).table) == NO_CONTEST
    assert determine_rated_contest(Game(2, rated=(0, 1), computers=2).table) == RatedContest((Seat(0), Seat(1)))


def test_a_seat_that_somebody_takes_later_is_no_computer_players_any_more() -> None:
    assert determine_rated_contest(late(alone("Ada", "Fibo"), 1).table) == RatedContest((Seat(0),), {Seat(2): 1})
    assert determine_rated_contest(late(alone("Ada"), 1).table) == NO_CONTEST
    gone = late(alone("Ada", "Fibo"), 1).do(leave_game, 200)
    assert determine_rated_contest(gone.table).computers == {Seat(2): 1}
    erased = gone.table.with_changed_player(Seat(1), user=None, name="", former=True)
    assert determine_rated_contest(erased).computers == {Seat(2): 1}


def test_a_computer_that_plays_for_somebody_is_no_anchor() -> None:
    game = Game(2, rated=(0,), computers=1).leave(1)
    assert determine_rated_contest(game.table) == NO_CONTEST
    assert (
        determine_rated_contest(game.table.with_changed_player(Seat(1), user=None, name="", former=True)) == NO_CONTEST
    )


def test_who_is_invited_and_has_not_sat_down_makes_no_game_a_rated_one() -> None:
    players = tuple(Player(f"player {seat}", 100 + seat, rated=True) for seat in range(2))
    table = opened(sorted(CASES)[0])._replace(players=players)
    assert determine_rated_contest(table).people == (0, 1)
    invited = table.with_changed_player(Seat(1), invited=True, rated=False)
    invited = lobby.with_rating_choice(invited, 101, True)
    assert determine_rated_contest(invited) == NO_CONTEST


@pytest.mark.parametrize("game", sorted(CASES))
def test_where_the_strength_of_computers_is_not_known_nobody_is_rated_against_them(game: str) -> None:
    table = opened(game)._replace(players=(Player("player 0", 100, rated=True), Player("Ada")))
    assert bool(determine_rated_contest(table).people) is (CASES[game].rules.ladder is not None)


# What it makes of the rating


async def play_alone(
    process: Process, levels: Sequence[int], *, seed: int = 1, game: str = LADDER, leaves: bool = False
) -> Table:
    """A game of one person, who wants a rating, against computers of these *levels*, to its end."""
    await process.store.save_preferences(100, RATED)
    host = Player("player 0", 100, rated=True)
    table = await process.tables.open_table(guild=1, channel=2, game=game, host=host, locale="en")
    evening = Evening(process, table.id, seed)
    for chosen in levels:
        await evening.change(lambda t, at=chosen: lobby.set_options(t, 100, level=at))
        await evening.change(lambda t: lobby.add_computer(t, 100, evening.now))
    await evening.change(lambda t: start.start_game(t, 100, evening.now))
    await evening.change(lambda t: start.deal_cards(t, MESSAGE, evening.now))
    await evening.go_on()
    if leaves:
        await evening.change(lambda t: leaving.leave_game(t, 100))
    return await evening.play()


async def test_a_game_against_computers_changes_the_persons_rating_alone(process: Process, store_url: str) -> None:
    table = await play_alone(process, [1, 6, 6])
    await counted(process.store)
    ((user, mu),) = query(store_url, "SELECT user_id, mu FROM ratings")
    assert (user, (await process.store.load_profiles(100))[LADDER].rating.games) == (100, 1)
    places = {it.seat: it.place for it in table.rules.standings(table.state)}
    known = level_ratings(table.rules)
    levels = {
        seat: computer_level(player, table.rules) for seat, player in enumerate(table.players) if player.user is None
    }
    own = table.seat_of(100)
    wanted = {(at, (places[seat] > places[own]) - (places[seat] < places[own])) for seat, at in levels.items()}
    met = await process.store.earlier_meetings(100, LADDER)
    assert {(it.other // HIGHEST_COMPUTER_ID, it.ahead) for it in met} == wanted
    assert len(met) == 3
    rows = query(store_url, "SELECT user_id, mu, sigma FROM rating_steps WHERE user_id <> 100")
    assert sorted(known[pooled_opponent_id(it[0]) // HIGHEST_COMPUTER_ID - 1][:2] for it in rows) == sorted(
        it[1:] for it in rows
    )
    ahead = sum(order for _, order in wanted)
    assert ahead == 0 or (mu > START_RATING.mu) is (ahead > 0)


async def test_who_leaves_computers_has_lost_to_all_of_them(process: Process, store_url: str) -> None:
    table = await play_alone(process, [1, 6], leaves=True)
    assert {it.user: it.place for it in (await kept_of(process.store, table.id)).people} == {100: 3}
    await counted(process.store)
    assert {it.ahead for it in await process.store.earlier_meetings(100, LADDER)} == {-1}
    assert query(store_url, "SELECT mu FROM ratings")[0][0] < START_RATING.mu


async def test_who_wants_no_rating_is_rated_against_no_computer(process: Process, store_url: str) -> None:
    await play_alone(process, [3])
    await process.store.save_preferences(100, Preferences(rated=False))
    await counted(process.store)
    assert count(store_url, "ratings") == count(store_url, "rating_steps") == 0
    assert count(store_url, "records WHERE counted_at IS NULL") == 0
    assert totals(store_url)[100, LADDER, PLAYED] == 1


def test_only_computers_that_were_ahead_count_once_somebody_could_have_helped() -> None:
    """Somebody has taken the seat of the third player."""
    seats = (DealtSeat("a" * 16, "person"), *(DealtSeat("", "computer", level=it) for it in ("6", "2", "3", "")))
    deal = Deal(LADDER, 1, {}, seats)
    scores = [Standing(Seat(seat), place, (0, 0)) for place, seat in enumerate((1, 2, 0, 3, 4), start=1)]

    def found(*entries: SeatChangeEntry, ending: str = FINISHED, place: int = 3) -> dict[int, int]:
        done = Record(deal, b"", "", entries, ending, tuple(scores) if ending == FINISHED else ())
        met = computer_opponents(done, GAMES[LADDER], "a" * 16, place)
        return {
            pooled_opponent_id(it.user) // HIGHEST_COMPUTER_ID: (it.place > place) - (it.place < place) for it in met
        }

    taken = SeatChangeEntry(0, Seat(2), "person", "b" * 16)
    assert found() == {6: -1, 2: -1, 3: 1}, "a level that is not said is not known"
    assert found(taken, place=2) == {6: -1}
    assert found(place=5) == {6: -1, 2: -1, 3: -1}, "they had left"
    assert found(ending="ended", place=5) == {6: -1, 2: -1, 3: -1}
    assert found(SeatChangeEntry(0, Seat(0), "computer", level="3"), place=5) == {6: -1, 2: -1, 3: -1}
    assert computer_opponents(Record(deal, b"", "", (), FINISHED, tuple(scores)), GAMES[LADDER], "c" * 16, 3) == []
