"""The table message may follow a few moves behind, as its edits count: for nothing but moves within a round, and never
where somebody needs it."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.delivery.plan import INACTIVE_MS, LAST_EDIT_MS, SHORTEST_LAG_MS
from bot.tables.errors import Why
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from bot.ui.hand_message import FOLLOW
from tests.discord.messages import presses, private_text, text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.test_follow_ups import counted

WITH_TURNS = Options(pace=Pace.OFF, turn_seconds=60, window_ms=0, hold_ms=0)


async def follow(club: Club, *people: MemberActor) -> None:
    """Each of *people* plays from a direct message that follows the game: they have clicked on it a moment ago."""
    for person in people:
        if any(press.verb is Verb.HAND and press.arg == FOLLOW for _, press in presses(club.hand(person))):
            await club.press(person, club.hand(person), Verb.HAND, FOLLOW)


async def play_by_dm(club: Club) -> None:
    """Two people play by direct message, and both hands follow the game. A round is not over for some moves."""
    await club.open(club.anna, club.bruno)
    await club.act(club.on_turn())
    await follow(club, club.anna, club.bruno)
    assert club.table_is_right()


def edits(club: Club, start: int) -> int:
    """How often the table message was edited since request number *start*, with any token."""
    path = f"/messages/{club.table_message().id}"
    return sum(r.method == "PATCH" and r.path.endswith(path) for r in club.env.http_requests[start:])


async def fall_behind(club: Club, moves: int = 1) -> None:
    """Ordinary moves are made by direct message."""
    for _ in range(moves):
        before = club.table()
        await club.act(club.on_turn())
        assert club.table().outcome is before.outcome, "no round has ended"
    assert not club.table_is_right()


async def test_several_moves_by_direct_message_are_one_edit(long_club: Club) -> None:
    club = long_club
    await play_by_dm(club)
    start = len(club.env.http_requests)
    await fall_behind(club, 2)
    await club.clock.advance(SHORTEST_LAG_MS - 1)
    assert edits(club, start) == 0
    await club.clock.advance(1)
    assert club.table_is_right()
    await club.clock.advance(10 * SHORTEST_LAG_MS)
    assert (edits(club, start), len(counted(club, start))) == (1, 1)


async def test_it_is_never_further_behind_than_it_may_be_while_people_go_on_playing(long_club: Club) -> None:
    club = long_club
    await play_by_dm(club)
    right_at = club.clock.now()
    for _ in range(12):
        if not club.running:
            break
        await club.go_on()
        await club.clock.advance(SHORTEST_LAG_MS // 4)
        right_at = club.clock.now() if club.table_is_right() else right_at
        assert club.clock.now() - right_at <= SHORTEST_LAG_MS + SHORTEST_LAG_MS // 4


async def test_the_end_of_a_round_and_of_the_game_is_there_at_once(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    rounds = 0
    while club.running:
        await follow(club, club.anna, club.bruno)
        before = club.table()
        await club.go_on()
        if club.running and club.table().outcome is not before.outcome:
            rounds += 1
            assert club.table_is_right()
    assert any(press.verb is Verb.REMATCH for _, press in presses(club.table_message()))


@pytest.mark.parametrize("verb", [Verb.RULES, Verb.MENU, Verb.HAND])
async def test_a_click_on_it_shows_everything_at_once_and_costs_nothing(long_club: Club, verb: Verb) -> None:
    club = long_club
    await play_by_dm(club)
    await fall_behind(club)
    start = len(club.env.http_requests)
    await club.press(club.stranger if verb is not Verb.HAND else club.bruno, club.table_message(), verb)
    assert club.table_is_right()
    await club.act(club.on_turn())
    assert club.table_is_right(), "with the token of that click it follows every move"
    assert counted(club, start) == []


async def test_whoever_asks_for_the_table_sees_it_as_it_is(long_club: Club) -> None:
    club = long_club
    await play_by_dm(club)
    await fall_behind(club)
    await club.clock.advance(31_000)
    await fall_behind(club)
    await club.bruno.slash(club.channel, "table show")
    assert club.table_is_right()


async def test_a_hand_that_does_not_follow_lets_it_wait_for_nobody(long_club: Club) -> None:
    """Its person has nothing else that shows the game."""
    club = long_club
    await club.open(club.anna, club.bruno)
    await club.act(club.on_turn())
    await club.act(club.on_turn())
    await follow(club, club.anna, club.bruno)
    await club.clock.advance(LAST_EDIT_MS)
    await club.act(club.on_turn())
    assert club.table_is_right()


async def test_it_tells_whoever_has_no_hand_of_their_turn_at_once(long_club: Club) -> None:
    club = long_club
    await play_by_dm(club)
    await fall_behind(club)
    person = club.others()[0]
    await club.bot.tables.update_player(club.table().id, person.id, by_dm=False)
    await club.env.settle()
    assert club.table_is_right(), "more has changed than a move"
    await club.clock.advance(LAST_EDIT_MS)
    await club.play_until_on_turn(person)
    assert club.table_is_right()


@every_game
async def test_a_seat_that_changes_hands_and_a_turn_that_runs_out_are_there_at_once(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, WITH_TURNS) as club:
        await club.open(*club.people[:3])
        for _ in range(2):
            await club.act(club.on_turn())
        if not club.running:
            return
        await follow(club, *club.people[:3])
        await club.clock.advance(61_000)
        assert club.table_is_right()
        if club.running:
            await club.in_menu(club.others()[0], Verb.LEAVE)
            assert club.table_is_right()


async def test_after_a_restart_it_is_right(long_club: Club) -> None:
    club = long_club
    await play_by_dm(club)
    await fall_behind(club)
    await club.clock.advance(5_000)  # what messages show is recorded
    await club.restart()
    assert club.table_is_right()


async def test_nothing_is_lost_when_the_bot_stops(long_club: Club) -> None:
    club = long_club
    await play_by_dm(club)
    await fall_behind(club)
    await club.bot.tables.stop()
    await club.bot.reconciler.stop()
    start = len(club.env.http_requests)
    await club.clock.advance(10 * SHORTEST_LAG_MS)
    assert not club.env.http_requests[start:], "it begins nothing any more"
    await club.restart()
    assert club.table_is_right()


async def test_nobody_calls_cards_that_they_have_not_seen(calling_club: Club) -> None:
    """The button of an old message is refused, and the click brings the message up to date: it works at once."""
    club = calling_club
    await play_by_dm(club)
    await fall_behind(club)
    caller = club.callers()[0]
    old = club.table_message()
    answer = await club.press(caller, old, Verb.CALL)
    assert club.refusal(Why.MOVED_ON) in private_text(answer)
    assert club.table_is_right()
    before = club.ply
    await club.call(caller)
    assert club.ply == before + 1


async def test_a_call_from_a_hand_that_follows_does_not_wait_for_it(calling_club: Club) -> None:
    club = calling_club
    await play_by_dm(club)
    await fall_behind(club)
    before = club.ply
    await club.press(club.callers()[0], club.hand(club.callers()[0]), Verb.CALL)
    assert club.ply == before + 1
    assert club.table_is_right()


async def test_whoever_is_asked_to_play_in_the_channel_finds_it_right(long_club: Club) -> None:
    club = long_club
    await club.open(club.anna, club.bruno)
    person = club.others()[0]
    await club.bot.tables.update_player(club.table().id, person.id, by_dm=False)
    await club.clock.advance(INACTIVE_MS + 1)
    await club.play_until_on_turn(person)
    assert any(f"<@{person.id}>" in text_of(message) for message in club.messages())
    assert club.table_is_right()
