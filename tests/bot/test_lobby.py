"""The lobby of every game: who sits down, the options, the start."""

import pytest

from bot.refusals import Refusal, Why
from bot.tables import lobby
from bot.tables.model import Ending, Pace, Phase, Player, Table
from engine.fair import Fair
from tests.bot.tables import NOW, opened, started
from tests.games import CASES


@pytest.fixture(params=sorted(CASES))
def fresh(request: pytest.FixtureRequest) -> Table:
    """The lobby of every game, with its host (user 100) alone."""
    return opened(request.param)


def filled(t: Table) -> Table:
    """The same with everybody that it has room for: users 200, 201 ..."""
    for number in range(t.rules.seats[-1] - 1):
        t = lobby.join(t, Player(f"p{number}", 200 + number))
    return t


def test_a_game_needs_as_many_as_its_rules_say(fresh: Table) -> None:
    seats = fresh.rules.seats
    with pytest.raises(Refusal) as no:
        lobby.start(fresh, 100, bytes(32), NOW)
    assert (no.value.why, no.value.facts) == (Why.TOO_FEW, {"least": seats[0], "now": 1})
    full = filled(fresh)
    with pytest.raises(Refusal) as no:
        lobby.join(full, Player("late", 300))
    assert (no.value.why, no.value.facts) == (Why.TABLE_FULL, {"most": seats[-1]})
    with pytest.raises(Refusal) as no:
        lobby.add_computer(full, 100)
    assert no.value.why is Why.TABLE_FULL


def test_a_full_table_is_dealt_with_its_seed_and_its_options(fresh: Table) -> None:
    seed = bytes(range(32))
    dealt = lobby.start(filled(fresh), 200, seed, NOW)
    step = fresh.rules.new(fresh.rules.seats[-1], {}, Fair(seed))
    assert (dealt.phase, dealt.state, dealt.recent) == (Phase.PLAYING, step.state, step.events)
    assert (dealt.seed, dealt.turn_began) == (seed.hex(), NOW)


def test_joining_twice_leaving_twice_and_late_are_refused(fresh: Table) -> None:
    two = lobby.join(fresh, Player("p", 200))
    running = started(fresh.game)
    for wrong, why in (
        (lambda: lobby.join(two, Player("p", 200)), Why.ALREADY_JOINED),
        (lambda: lobby.leave(two, 300), Why.NOT_JOINED),
        (lambda: lobby.remove_computer(two, 100), Why.NO_COMPUTER),
        (lambda: lobby.remove_computer(two, 300), Why.PLAYERS_ONLY),
        (lambda: lobby.add_computer(two, 300), Why.PLAYERS_ONLY),
        (lambda: lobby.start(two, 300, bytes(32), NOW), Why.PLAYERS_ONLY),
        (lambda: lobby.set_options(two, 200, pace=Pace.SLOW), Why.HOST_ONLY),
        (lambda: lobby.set_options(two, 100, game=("nonsense", "x")), Why.BUTTON_DEAD),
        (lambda: lobby.cancel(two, 200, "p", moderator=False), Why.HOST_ONLY),
        (lambda: lobby.join(running, Player("p", 200)), Why.ALREADY_STARTED),
        (lambda: lobby.join(running._replace(phase=Phase.OVER), Player("p", 200)), Why.GAME_FINISHED),
    ):
        with pytest.raises(Refusal) as no:
            wrong()
        assert no.value.why is why


@pytest.mark.parametrize("game", [game for game in sorted(CASES) if CASES[game].rules.options])
def test_the_host_chooses_the_options_of_the_game(game: str) -> None:
    for name, values in CASES[game].rules.options.items():
        for value in values:
            chosen = lobby.set_options(opened(game), 100, game=(name, value))
            assert chosen.rules.check_options(dict(chosen.options.game))[name] == value
        with pytest.raises(Refusal) as no:
            lobby.set_options(opened(game), 100, game=(name, "nonsense"))
        assert no.value.why is Why.BUTTON_DEAD


def test_the_host_passes_on_and_an_empty_lobby_closes(fresh: Table) -> None:
    two = lobby.join(fresh, Player("p", 200))
    assert lobby.leave(two, 100).host == 200
    assert lobby.leave(two, 200).host == 100
    closed = lobby.leave(fresh, 100)
    assert (closed.phase, closed.ending) == (Phase.OVER, Ending.CANCELLED)
    alone = lobby.add_computer(fresh, 100)
    assert lobby.leave(alone, 100).ending is Ending.CANCELLED


def test_the_computer_that_came_last_goes_and_its_name_is_free_again(fresh: Table) -> None:
    one = lobby.add_computer(fresh, 100)
    assert lobby.remove_computer(one, 100) == fresh
    assert lobby.add_computer(lobby.remove_computer(one, 100), 100) == one


def test_at_a_table_with_more_computers_than_names_they_are_numbered(
    fresh: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are eight names, and no game with nine computers yet: so here there is one."""
    monkeypatch.setattr(lobby, "COMPUTER_NAMES", ("Ada",))
    t = fresh._replace(players=(Player("Ada", 100),))  # a person of that name takes it from nobody
    while len(t.players) < t.rules.seats[-1]:
        t = lobby.add_computer(t, 100)
    names = [player.name for player in t.players[1:]]
    assert names == ["Ada", *(f"Ada {number}" for number in range(2, len(names) + 1))]
