"""Who may have a hint, what it is made of, and that such a game is not rated (L6)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.i18n import words
from bot.stats.places import rating_places
from bot.store.tables import table_from_json, table_to_json
from bot.tables import computers, leaving, lobby, play
from bot.tables.errors import Refusal, Why
from bot.tables.leaving import without_person
from bot.tables.model import CallWindow, Ending, Phase, Player, Table
from bot.tables.options import Options
from bot.ui.hints import hint_sheet
from engine.game import RatedAction, Seat
from engine.registry import GAMES
from tests.bot.tables import NOW, dealt, on_turn, opened, pass_time, started
from tests.games import CASES
from tests.games.tables import otherwise

COACHED = sorted(game for game in CASES if GAMES[game].coach is not None)
WITH_CALLS = sorted(game for game in CASES if GAMES[game].calls is not None)
HINTS = Options(turn_seconds=0, hints=True)
PERSON = Seat(0)
OTHER = Player("player 9", 109, active_at=NOW)

every_game_with_coach = pytest.mark.parametrize("game", COACHED)


def hinted(game: str, options: Options = HINTS, computers: int = 2) -> Table:
    """A game with hints, in which the person is on turn."""
    return at_person(started(game, options, people=1, computers=computers))


def at_person(t: Table) -> Table:
    """The computers play until the person is on turn."""
    now = NOW
    while on_turn(t) != PERSON:
        t = pass_time(t, now := now + 1000)
    return t


def advised(t: Table) -> Sequence[RatedAction[Any]]:
    """All that the coach says the person may do now."""
    coach = t.rules.coach
    assert coach is not None
    return coach.rated_actions(t.rules.views.view(t.state, PERSON), PERSON, t.memories[PERSON])


def refused(t: Table, user: int = 100, ply: int = 0) -> Why:
    """Why *user* gets no hint."""
    with pytest.raises(Refusal) as no:
        play.require_seat_for_hint(t, user, ply)
    return no.value.why


@every_game_with_coach
def test_whoever_began_alone_gets_hints_on_their_turn(game: str) -> None:
    t = hinted(game)
    assert play.require_seat_for_hint(t, 100, t.state.ply) == PERSON
    found = computers.make_hint(t, PERSON)
    assert {it.action for it in found.options} <= {*t.rules.legal_actions(t.state, PERSON), None}
    chances = [it.chance for it in found.options]
    assert chances == sorted(chances, reverse=True)


@every_game_with_coach
@pytest.mark.parametrize(
    ("options", "chance", "said"),
    [
        (1, 0.4, "Your only option: "),
        (9, 0.001, "Whatever you choose, your chance to win the game is less than 1%."),
        (9, 0.0, "You can no longer win this game."),
    ],
)
def test_a_hint_says_if_there_is_no_choice_or_no_hope(game: str, options: int, chance: float, said: str) -> None:
    hint = computers.make_hint(hinted(game), PERSON)
    some = [it._replace(chance=chance) for it in hint.options[:options]]
    assert said in str(hint_sheet(game, hint._replace(options=some, insight=None), words("en")).payload)


@every_game_with_coach
def test_a_hint_names_nothing_that_cannot_bring_what_it_is_for(game: str) -> None:
    """Such as a call where 17 is impossible."""
    rng, t, futile = Random(3), started(game, HINTS, people=1, computers=2), 0
    for _ in range(40):
        if t.phase is not Phase.PLAYING:
            break
        if computers.can_act(t, PERSON):
            futile += sum(it.futile for it in advised(t))
            told = computers.make_hint(t, PERSON).options
            assert told
            assert not any(it.futile for it in told)
        t = after_one_action(t, rng)
    assert futile or t.rules.calls is None


@every_game_with_coach
def test_no_hints_unless_the_host_wants_them_and_never_for_two_l6(game: str) -> None:
    assert refused(hinted(game, HINTS._replace(hints=False))) is Why.NO_HINTS
    two = started(game, HINTS, people=2)
    assert (two.has_hints, refused(two)) == (False, Why.NOT_ALONE)
    left = leaving.leave_game(started(game, HINTS, people=2, computers=1), 101)
    assert refused(left) is Why.NOT_ALONE
    assert refused(without_person(left, 101)) is Why.NOT_ALONE, "they began it together"


@every_game_with_coach
def test_they_end_once_somebody_sits_down_and_stay_away_while_a_seat_is_kept_for_them_l6(game: str) -> None:
    t = leaving.take_computer_seat(hinted(game), OTHER, Seat(1), NOW)
    assert t.has_hints, "that game is not rated"
    assert refused(t) is Why.NOT_ALONE
    assert refused(t, 109) is Why.NOT_ALONE
    assert refused(leaving.leave_game(t, 109)) is Why.NOT_ALONE
    assert refused(leaving.leave_game(t, 100), 109) is Why.NOT_ALONE


@every_game_with_coach
def test_whoever_is_alone_since_the_other_was_erased_gets_hints_again(game: str) -> None:
    """Nobody can take that seat any more. Who began the game does not change by it."""
    t = leaving.take_computer_seat(hinted(game), OTHER, Seat(1), NOW)
    assert play.require_seat_for_hint(without_person(t, 109), 100, 0) == PERSON
    without_first = without_person(t, 100)
    assert without_first.has_hints
    assert computers.may_ask_for_hints(without_first, Seat(1))


@every_game_with_coach
def test_who_may_not_play_gets_none(game: str) -> None:
    t = hinted(game)
    assert refused(opened(game, HINTS)) is Why.NOT_STARTED
    assert refused(t, 555) is Why.NOT_AT_TABLE
    assert refused(t._replace(phase=Phase.OVER, ending=Ending.ENDED)) is Why.GAME_FINISHED
    assert refused(leaving.give_seat_to_computer(t, PERSON, timed_out=True)) is Why.AWAY
    assert refused(t, ply=t.state.ply + 1) is Why.BUTTON_DEAD
    counted = t._replace(window=CallWindow((), NOW, closed=True))
    assert refused(counted) is Why.NOTHING_TO_DECIDE


@pytest.mark.parametrize("game", sorted(set(CASES) - set(COACHED)))
def test_a_game_without_a_coach_has_none(game: str) -> None:
    t = started(game, HINTS, people=1, computers=max(1, CASES[game].rules.seats[0] - 1))
    assert (t.has_hints, refused(t)) == (False, Why.BUTTON_DEAD)


@every_game_with_coach
def test_the_lobby_knows_whether_the_game_will_have_hints_l6(game: str) -> None:
    alone = opened(game, HINTS)
    two = lobby.join_lobby(alone, OTHER, NOW)
    assert (alone.has_hints, two.has_hints, lobby.leave_lobby(two, 109).has_hints) == (True, False, True)
    invited = two._replace(players=(two.players[0], OTHER._replace(invited=True)))
    assert invited.has_hints
    assert not opened(game).has_hints


@every_game_with_coach
def test_a_hinted_game_is_rated_for_nobody_l6(game: str) -> None:
    people = [Player("player 0", 100, active_at=NOW, rated=True)]
    people += [Player(f"computer {seat}") for seat in range(max(1, CASES[game].rules.seats[0] - 1))]
    t = dealt(opened(game, HINTS)._replace(players=tuple(people)))
    assert t.has_hints
    over = t._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_from=PERSON)
    assert rating_places(over, []) == {}
    assert table_from_json(table_to_json(t)).has_hints


# What a hint is made of


def after_one_action(t: Table, rng: Random) -> Table:
    """Whoever is on turn makes one of the moves that they may make."""
    view = t.rules.views.view(t.state, on_turn(t))
    return play.apply_action(t, CASES[t.game].choose(t.rules.actions(view), rng), NOW)


@every_game_with_coach
def test_a_hint_remembers_what_its_person_has_witnessed_and_the_store_keeps_that(game: str) -> None:
    rules, rng = GAMES[game], Random(1)
    t = started(game, HINTS, people=1, computers=2)
    memory = rules.remember(None, t.recent, PERSON)
    for _ in range(8):
        t = after_one_action(t, rng)
        memory = rules.remember(memory, t.recent, PERSON)
        t = table_from_json(table_to_json(t._replace(entries=())))
    assert memory is not None
    assert t.memories[PERSON] == memory
    t = at_person(t)
    found = computers.make_hint(t, PERSON)
    advice = advised(t)
    assert found.options == [it for it in advice if not it.futile]


@every_game_with_coach
def test_people_s_memories_are_kept_only_for_hints(game: str) -> None:
    for options in (HINTS, HINTS._replace(hints=False)):
        t = after_one_action(started(game, options, people=1, computers=2), Random(1))
        assert [it is not None for it in t.memories] == [options.hints, True, True]


@every_game_with_coach
def test_whoever_takes_a_seat_over_has_witnessed_nothing_there(game: str) -> None:
    t = after_one_action(started(game, HINTS, people=1, computers=2), Random(1))
    taken = leaving.give_seat_to_computer(t, PERSON, timed_out=True)
    assert [it is not None for it in taken.memories] == [False, True, True]
    later = after_one_action(taken, Random(2))
    assert later.memories[PERSON] is not None
    back = leaving.come_back(later, 100, NOW)
    assert [it is not None for it in back.memories] == [False, True, True]
    late = leaving.take_computer_seat(t, OTHER, Seat(1), NOW)
    assert [it is not None for it in late.memories] == [True, False, True]


@every_game_with_coach
def test_a_hint_says_nothing_of_what_its_person_cannot_see(game: str) -> None:
    rng, t, dealt_anew = Random(3), started(game, HINTS, people=1, computers=2), 0
    for _ in range(40):
        if t.phase is not Phase.PLAYING:
            break
        if computers.can_act(t, PERSON):
            said = computers.make_hint(t, PERSON)
            for _ in range(3):
                other = otherwise(t, PERSON, rng)
                assert computers.make_hint(other, PERSON) == said
                dealt_anew += other.state != t.state
        t = after_one_action(t, rng)
    assert dealt_anew > 10


@pytest.mark.parametrize("game", sorted(set(COACHED) & set(WITH_CALLS)))
def test_off_turn_a_hint_compares_a_call_with_none(game: str) -> None:
    rng, t = Random(4), started(game, HINTS, people=1, computers=2)
    while on_turn(t) == PERSON or PERSON not in t.rules.callers(t.state):
        assert computers.can_act(t, PERSON) is (on_turn(t) == PERSON)
        t = after_one_action(t, rng)
    assert play.require_seat_for_hint(t, 100, 0) == PERSON
    advice = advised(t)
    assert {it.action for it in advice} == {None, t.rules.call((PERSON,))}
