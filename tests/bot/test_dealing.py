"""From the cut to the first card, in every game: what is fixed when, and what becomes of a start that fails."""

import pytest

from bot.refusals import Refusal, Why
from bot.tables import dealing, lobby
from bot.tables.dealing import STARTING_MS
from bot.tables.model import Phase, Player, Table
from bot.tables.possible import check_possible
from bot.tables.ticking import tick
from bot.tables.timers import Timer, timers
from engine.fair import commitment, cut_hash
from engine.record import deal_of
from tests.bot.tables import MESSAGE, NOW, SECRET, opened
from tests.games import CASES


@pytest.fixture(params=sorted(CASES))
def seated(request: pytest.FixtureRequest) -> Table:
    """The lobby of every game with as few people as can play: users 100, 101 ..."""
    table = opened(request.param)
    for number in range(1, table.rules.seats[0]):
        table = lobby.join(table, Player(f"p{number}", 100 + number), NOW)
    return table


@pytest.fixture
def starting(seated: Table) -> Table:
    """The same after user 100 has cut and pressed *Start*."""
    return dealing.start(dealing.cut(seated, 100, "mine"), 100, NOW)


def starting_due(table: Table) -> list[int]:
    """When *table* goes back to the lobby."""
    return [due.at for due in timers(table) if due.timer is Timer.STARTING]


def test_start_fixes_everything_but_the_message(starting: Table) -> None:
    assert (starting.phase, starting.starting, starting.state) == (Phase.LOBBY, True, None)
    fixed = deal_of(starting.deal)
    assert [seat.cut for seat in fixed.seats] == [player.cut for player in starting.players]
    assert fixed.seats[0].cut == cut_hash("mine")
    dealt = dealing.deal(starting, MESSAGE, NOW + 5)
    assert deal_of(dealt.deal) == fixed._replace(message=MESSAGE)
    assert dealt.seed == fixed._replace(message=MESSAGE).seed(SECRET).hex()
    assert (dealt.phase, dealt.turn_began, dealt.turn_credit) == (Phase.PLAYING, NOW + 5, 0)
    check_possible(starting)
    check_possible(dealt)


def test_another_message_makes_another_deal(starting: Table) -> None:
    assert dealing.deal(starting, MESSAGE, NOW).seed != dealing.deal(starting, MESSAGE + 1, NOW).seed


def test_the_cards_are_dealt_once(starting: Table) -> None:
    dealt = dealing.deal(starting, MESSAGE, NOW)
    assert dealing.deal(dealt, MESSAGE + 1, NOW) is dealt


def test_a_lobby_in_which_nobody_has_pressed_start_is_not_dealt(seated: Table) -> None:
    assert dealing.deal(seated, MESSAGE, NOW) is seated


def test_while_it_starts_nothing_can_be_changed(starting: Table) -> None:
    for change in (
        lambda: dealing.cut(starting, 100, "late"),
        lambda: dealing.start(starting, 100, NOW),
        lambda: lobby.join(starting, Player("late", 900), NOW),
        lambda: lobby.leave(starting, 100),
        lambda: lobby.add_computer(starting, 100, NOW),
        lambda: lobby.set_options(starting, 100, turn_seconds=60),
        lambda: lobby.cancel(starting, 100, "a", True),
    ):
        with pytest.raises(Refusal) as refused:
            change()
        assert refused.value.why is Why.ALREADY_STARTED


def test_after_a_minute_it_is_a_lobby_again_with_another_secret(starting: Table) -> None:
    assert starting_due(starting) == [NOW + STARTING_MS]
    assert tick(starting, NOW + STARTING_MS - 1).starting
    again = tick(starting, NOW + STARTING_MS)
    assert not again.starting
    assert (again.turn_began, again.turn_credit, starting_due(again)) == (0, 0, [])
    assert commitment(bytes.fromhex(again.secret)) != commitment(SECRET)
    assert not any(player.cut or player.record for player in again.players)
    check_possible(again)
    restarted = dealing.start(again, 100, NOW + STARTING_MS)
    assert restarted.secret == again.secret, "the one whose code everybody could see"


def test_time_in_which_the_bot_was_away_does_not_count(starting: Table) -> None:
    away = starting._replace(turn_credit=500_000)
    assert starting_due(away) == [NOW + 500_000 + STARTING_MS]
    assert dealing.deal(away, MESSAGE, NOW + 500_001).turn_credit == 0
    assert dealing.reopen(away).turn_credit == 0
