"""Who may have a hint, what it is made of, and that such a game is not rated (L6)."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.i18n import words
from bot.present.hints import ALIKE, MOST, hint_sheet
from bot.present.registry import PRESENTERS
from bot.present.sheet import capital
from bot.refusals import Refusal, Why
from bot.results.places import places
from bot.tables import hints, leaving, lobby, play
from bot.tables.encoding import decode, encode
from bot.tables.erasing import erased
from bot.tables.model import Ending, Phase, Player, Table, Window
from bot.tables.options import Options
from engine.game import Option, Seat
from engine.registry import GAMES
from tests.bot.tables import NOW, dealt, on_turn, opened, pass_time, started
from tests.games import CASES
from tests.games.tables import otherwise

COACHED = sorted(game for game in CASES if GAMES[game].has_coach)
WITH_CALLS = sorted(game for game in CASES if GAMES[game].has_calls)
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


def refused(t: Table, user: int = 100, ply: int = 0) -> Why:
    """Why *user* gets no hint."""
    with pytest.raises(Refusal) as no:
        play.asks_for_hint(t, user, ply)
    return no.value.why


@every_game_with_coach
def test_whoever_began_alone_gets_hints_on_their_turn(game: str) -> None:
    t = hinted(game)
    assert play.asks_for_hint(t, 100, t.rules.ply(t.state)) == PERSON
    found = hints.hint(t, PERSON)
    assert {it.action for it in found.options} <= {*t.rules.legal_actions(t.state, PERSON), None}
    chances = [it.chance for it in found.options]
    assert chances == sorted(chances, reverse=True)


@every_game_with_coach
def test_a_hint_names_nothing_that_cannot_bring_what_it_is_for(game: str) -> None:
    """Such as a call where 17 is impossible."""
    rng, t, futile = Random(3), started(game, HINTS, people=1, computers=2), 0
    for _ in range(40):
        if t.phase is not Phase.PLAYING:
            break
        if hints.decides(t, PERSON):
            futile += sum(it.futile for it in t.rules.advice(t.rules.view(t.state, PERSON), t.memories[PERSON]))
            told = hints.hint(t, PERSON).options
            assert told
            assert not any(it.futile for it in told)
        t = after_one_action(t, rng)
    assert futile or not t.rules.has_calls


@every_game_with_coach
def test_no_hints_unless_the_host_wants_them_and_never_for_two_l6(game: str) -> None:
    assert refused(hinted(game, HINTS._replace(hints=False))) is Why.NO_HINTS
    two = started(game, HINTS, people=2)
    assert (two.hinted, refused(two)) == (False, Why.NOT_ALONE)
    left = leaving.leave(started(game, HINTS, people=2, computers=1), 101)
    assert refused(left) is Why.NOT_ALONE
    assert refused(erased(left, 101)) is Why.NOT_ALONE, "they began it together"


@every_game_with_coach
def test_they_end_once_somebody_sits_down_and_stay_away_while_a_seat_is_kept_for_them_l6(game: str) -> None:
    t = leaving.sit_down(hinted(game), OTHER, Seat(1), NOW)
    assert t.hinted, "that game is not rated"
    assert refused(t) is Why.NOT_ALONE
    assert refused(t, 109) is Why.NOT_ALONE
    assert refused(leaving.leave(t, 109)) is Why.NOT_ALONE
    assert refused(leaving.leave(t, 100), 109) is Why.NOT_ALONE


@every_game_with_coach
def test_whoever_is_alone_since_the_other_was_erased_gets_hints_again(game: str) -> None:
    """Nobody can take that seat any more. Who began the game does not change by it."""
    t = leaving.sit_down(hinted(game), OTHER, Seat(1), NOW)
    assert play.asks_for_hint(erased(t, 109), 100, 0) == PERSON
    without_first = erased(t, 100)
    assert without_first.hinted
    assert hints.alone(without_first, Seat(1))


@every_game_with_coach
def test_who_may_not_play_gets_none(game: str) -> None:
    t = hinted(game)
    assert refused(opened(game, HINTS)) is Why.NOT_STARTED
    assert refused(t, 555) is Why.NOT_AT_TABLE
    assert refused(t._replace(phase=Phase.OVER, ending=Ending.ENDED)) is Why.GAME_FINISHED
    assert refused(leaving.take_over(t, PERSON, timed_out=True)) is Why.AWAY
    assert refused(t, ply=t.rules.ply(t.state) + 1) is Why.BUTTON_DEAD
    counted = t._replace(window=Window((), NOW, closed=True))
    assert refused(counted) is Why.NOTHING_TO_DECIDE


@pytest.mark.parametrize("game", sorted(set(CASES) - set(COACHED)))
def test_a_game_without_a_coach_has_none(game: str) -> None:
    t = started(game, HINTS, people=1, computers=max(1, CASES[game].rules.seats[0] - 1))
    assert (t.hinted, refused(t)) == (False, Why.BUTTON_DEAD)


@every_game_with_coach
def test_the_lobby_knows_whether_the_game_will_have_hints_l6(game: str) -> None:
    alone = opened(game, HINTS)
    two = lobby.join(alone, OTHER, NOW)
    assert (alone.hinted, two.hinted, lobby.leave(two, 109).hinted) == (True, False, True)
    invited = two._replace(players=(two.players[0], OTHER._replace(invited=True)))
    assert invited.hinted
    assert not opened(game).hinted


@every_game_with_coach
def test_a_hinted_game_is_rated_for_nobody_l6(game: str) -> None:
    people = [Player("player 0", 100, active_at=NOW, rated=True)]
    people += [Player(f"computer {seat}") for seat in range(max(1, CASES[game].rules.seats[0] - 1))]
    t = dealt(opened(game, HINTS)._replace(players=tuple(people)))
    assert t.hinted
    over = t._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_from=PERSON)
    assert places(over, []) == {}
    assert decode(encode(t)).hinted


# What a hint is made of


def after_one_action(t: Table, rng: Random) -> Table:
    """Whoever is on turn makes one of the moves that they may make."""
    view = t.rules.view(t.state, on_turn(t))
    return play.act(t, CASES[t.game].choose(t.rules.actions(view), rng), NOW)


@every_game_with_coach
def test_a_hint_remembers_what_its_person_has_witnessed_and_the_store_keeps_that(game: str) -> None:
    rules, rng = GAMES[game], Random(1)
    t = started(game, HINTS, people=1, computers=2)
    memory = rules.remember(None, t.recent, PERSON)
    for _ in range(8):
        t = after_one_action(t, rng)
        memory = rules.remember(memory, t.recent, PERSON)
        t = decode(encode(t._replace(entries=())))
    assert memory is not None
    assert t.memories[PERSON] == memory
    t = at_person(t)
    found = hints.hint(t, PERSON)
    advice = rules.advice(rules.view(t.state, PERSON), t.memories[PERSON])
    assert found.options == [it for it in advice if not it.futile]


@every_game_with_coach
def test_people_s_memories_are_kept_only_for_hints(game: str) -> None:
    for options in (HINTS, HINTS._replace(hints=False)):
        t = after_one_action(started(game, options, people=1, computers=2), Random(1))
        assert [it is not None for it in t.memories] == [options.hints, True, True]


@every_game_with_coach
def test_whoever_takes_a_seat_over_has_witnessed_nothing_there(game: str) -> None:
    t = after_one_action(started(game, HINTS, people=1, computers=2), Random(1))
    taken = leaving.take_over(t, PERSON, timed_out=True)
    assert [it is not None for it in taken.memories] == [False, True, True]
    later = after_one_action(taken, Random(2))
    assert later.memories[PERSON] is not None
    back = leaving.come_back(later, 100, NOW)
    assert [it is not None for it in back.memories] == [False, True, True]
    late = leaving.sit_down(t, OTHER, Seat(1), NOW)
    assert [it is not None for it in late.memories] == [True, False, True]


@every_game_with_coach
def test_a_hint_says_nothing_of_what_its_person_cannot_see(game: str) -> None:
    rng, t, dealt_anew = Random(3), started(game, HINTS, people=1, computers=2), 0
    for _ in range(40):
        if t.phase is not Phase.PLAYING:
            break
        if hints.decides(t, PERSON):
            said = hints.hint(t, PERSON)
            for _ in range(3):
                other = otherwise(t, PERSON, rng)
                assert hints.hint(other, PERSON) == said
                dealt_anew += other.state != t.state
        t = after_one_action(t, rng)
    assert dealt_anew > 10


# What people read


def told(game: str, options: Sequence[Option[Any]], locale: str = "en") -> list[str]:
    """The lines of a hint."""
    (component,) = hint_sheet(game, options, None, words(locale)).payload[0]["components"]
    return [str(line) for line in component["content"].splitlines()]


def choices(game: str) -> dict[str, Any]:
    """What somebody on turn may do, of several kinds, by how it is named."""
    rng, t, found = Random(5), started(game, HINTS, people=1, computers=2), dict[str, Any]()
    while len(found) < MOST + 2 or len({*map(type, found.values())}) < 2:
        t = after_one_action(t, rng)
        if on_turn(t) == PERSON:
            options = hints.hint(t, PERSON).options
            found = {PRESENTERS[game].board.done(it.action, words("en")): it.action for it in options}
    return found


@every_game_with_coach
def test_a_hint_names_the_best_of_every_kind_of_action(game: str) -> None:
    """Calling or passing stands beside plays even if it is the worst, or one of many that are alike."""
    named = choices(game)
    (usual, _), *_ = Counter(map(type, named.values())).most_common(1)
    plays = [Option(action, 0.9 - n / 100) for n, action in enumerate(named.values()) if type(action) is usual]
    (name, other), *_ = [(name, action) for name, action in named.items() if type(action) is not usual]
    lines = told(game, [*plays, Option(other, 0.1)])
    assert lines[MOST] == capital(f"{name}: 10%")
    assert len(lines) == MOST + 2
    others = len(plays) - ALIKE
    alike = told(game, [*(it._replace(chance=0.5) for it in plays), Option(other, 0.5)])
    assert alike[0].endswith(f", {name} or {others} others**: 50% to win the game")
    first = told(game, [Option(other, 0.95), *plays])
    assert len(first) == MOST + 1, "the best play is among the best three"


@every_game_with_coach
def test_a_hint_says_if_there_is_no_choice_or_no_hope(game: str) -> None:
    (name, action), *_ = choices(game).items()
    assert told(game, [Option(action, 0.4)]) == [f"🎓 Your only option: **{name}**."]
    assert told(game, [Option(action, 0.4), Option(action, 0.4)]) == [f"🎓 Your only option: **{name}**."]
    lost = "You can no longer win this game."
    assert told(game, [Option(it, 0.0) for it in choices(game).values()]) == [f"🎓 {lost}"]
    rare = "Whatever you choose, your chance to win the game is less than 1%."
    assert told(game, [Option(it, 0.001) for it in choices(game).values()]) == [f"🎓 {rare}"]
    assert told(game, [Option(action, 0.001)]) == [f"🎓 Your only option: **{name}**."]
    assert told(game, [Option(action, 0.0)]) == [f"🎓 Your only option: **{name}**.", lost]


@every_game_with_coach
def test_a_hint_says_that_there_are_others_that_leave_the_same_chance(game: str) -> None:
    """Whoever does not find their choice in the list would take it for worse."""
    actions = list(choices(game).values())
    assert len(actions) >= MOST + 2
    many = told(game, [Option(it, 0.5) for it in actions])[0]
    assert re.search(r" or \d+ others?\*\*: 50% to win the game$", many)
    for few in ([0.5, 0.5, 0.5], [0.9, 0.9, 0.5]):
        options = [Option(it, chance) for it, chance in zip(actions[:3], few, strict=True)]
        assert "others" not in "".join(told(game, options)), "all are named"


@pytest.mark.parametrize(
    ("locale", "joined"), [("en", "1 or 2"), ("de", "1 oder 2"), ("it", "1 o 2"), ("nl", "1 of 2")]
)
def test_what_may_be_chosen_is_joined_as_the_language_does(locale: str, joined: str) -> None:
    assert words(locale).one_of(["1", "2"]) == joined


@pytest.mark.parametrize("game", sorted(set(COACHED) & set(WITH_CALLS)))
def test_off_turn_a_hint_compares_a_call_with_none(game: str) -> None:
    rng, t = Random(4), started(game, HINTS, people=1, computers=2)
    while on_turn(t) == PERSON or PERSON not in t.rules.may_call(t.state):
        assert hints.decides(t, PERSON) is (on_turn(t) == PERSON)
        t = after_one_action(t, rng)
    assert play.asks_for_hint(t, 100, 0) == PERSON
    advice = t.rules.advice(t.rules.view(t.state, PERSON), t.memories[PERSON])
    assert {it.action for it in advice} == {None, t.rules.call((PERSON,))}
