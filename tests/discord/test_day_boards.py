"""The board of the deal of the day, in a server that wants one."""

import asyncio

import pytest
from simcord.builders import ChannelHandle

from bot.daily.days import day_end_ms, utc_day
from bot.delivery.day_boards import INTERVAL_MS, RETRY_MS
from bot.store.daily import BoardWish
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests.bot.logs import captured_log
from tests.discord.messages import text_of, verbs
from tests.discord.play import Club
from tests.discord.test_daily import Today
from tests.discord.test_handed_over import Held
from tests.discord.test_results import rate
from tests.discord.world import EN
from tests.process.waiting import eventually

WITH_DAYS = sorted(game for game, rules in GAMES.items() if rules.daily is not None)

pytestmark = pytest.mark.about(*WITH_DAYS)


async def a_board(club: Club) -> ChannelHandle:
    """The server has chosen a channel for the board."""
    channel = club.guild.create_text_channel("daily")
    await club.bot.servers.change_settings(club.guild.id, daily=channel.id)
    with club.as_bot():
        await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    await eventually(lambda: club.messages(channel), "there is no board")
    await club.clock.advance(INTERVAL_MS)
    return channel


def edits(club: Club, channel: ChannelHandle) -> int:
    """How often a message in *channel* was edited."""
    path = f"/channels/{channel.id}/messages/"
    return sum(request.method == "PATCH" and path in request.path for request in club.env.http_requests)


async def play_here(club: Club, *, at: int = 1) -> Today:
    """Person number *at* asks for the deal in the server, and plays it to the end."""
    person = club.people[at]
    await person.slash(club.channel, "daily", game=club.case.game)
    today = Today(club, person)
    await today.press(Verb.START_DAY)
    await today.finish()
    return today


async def test_one_message_a_day_that_follows_the_results(club: Club) -> None:
    channel = await a_board(club)
    (board,) = club.messages(channel)
    assert "Nobody has finished it here yet" in text_of(board)
    assert verbs(board) == {Verb.DAY}
    before = edits(club, channel)
    await play_here(club)
    await club.clock.advance(INTERVAL_MS)
    await club.clock.advance(10 * INTERVAL_MS)
    (board,) = club.messages(channel)
    await eventually(lambda: "1 more, not named" in text_of(club.messages(channel)[-1]), "nobody is counted")
    assert edits(club, channel) - before == 1, "it is edited for results alone"
    now = club.clock.now()
    day = EN.format_date(now).replace(" ", "\u00a0")
    await club.clock.stand_still(day_end_ms(utc_day(now)) - now + INTERVAL_MS)
    first, second = club.messages(channel)
    assert day in text_of(first) and day not in text_of(second)


async def test_who_has_agreed_to_leaderboards_is_named(club: Club) -> None:
    channel = await a_board(club)
    await rate(club, club.bruno)
    await play_here(club)
    await club.clock.advance(INTERVAL_MS)
    await eventually(lambda: "bruno" in text_of(club.messages(channel)[-1]), "he is not named")
    assert "more, not named" not in text_of(club.messages(channel)[-1])


async def test_a_server_whose_shard_is_lost_meanwhile_gets_its_board_from_another_process(club: Club) -> None:
    club.bot.api._shards = held = Held()
    held.lost = True
    channel = club.guild.create_text_channel("daily")
    await club.bot.servers.change_settings(club.guild.id, daily=channel.id)
    with club.as_bot():
        await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    await club.clock.advance(2 * INTERVAL_MS)
    assert club.messages(channel) == []
    held.lost = False  # nobody else has sent it
    await club.clock.advance(INTERVAL_MS)
    assert len(club.messages(channel)) == 1


async def test_who_asks_for_a_board_while_the_others_are_looked_at_gets_it_within_a_minute(club: Club) -> None:
    boards, store = club.bot.day_boards, club.bot.store
    await club.clock.advance(10 * INTERVAL_MS)  # just after midnight the day before is looked at as well
    looking, go_on = asyncio.Event(), asyncio.Event()
    wanting = store.servers_wanting_day_board

    async def slow(day: str) -> list[BoardWish]:
        found = await wanting(day)
        looking.set()
        await go_on.wait()
        return found

    store.servers_wanting_day_board = slow  # type: ignore[method-assign]
    with club.as_bot():
        boards.start_updates()
    await looking.wait()
    channel = club.guild.create_text_channel("daily")
    await club.bot.servers.change_settings(club.guild.id, daily=channel.id)
    await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    go_on.set()
    await club.env.settle()
    assert club.messages(channel) == []
    await club.clock.advance(INTERVAL_MS)
    assert len(club.messages(channel)) == 1


async def test_once_the_program_stops_no_board_is_looked_at(club: Club) -> None:
    boards, before = club.bot.day_boards, len(asyncio.all_tasks())
    await boards.stop()
    boards.start_updates()
    assert len(asyncio.all_tasks()) <= before


async def test_a_deleted_board_comes_back_and_a_restart_sends_no_second_one(club: Club) -> None:
    channel = await a_board(club)
    await club.restart()
    await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    await club.clock.advance(INTERVAL_MS)
    (board,) = club.messages(channel)
    club.env.backend.delete_message(channel.id, board.id)
    await play_here(club)
    await club.clock.advance(INTERVAL_MS)
    (again,) = club.messages(channel)
    assert again.id != board.id


async def test_where_the_bot_may_not_write_it_is_left_alone_for_an_hour(club: Club) -> None:
    channel = club.guild.create_text_channel("daily")
    club.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50013, message="no", times=1)
    await club.bot.servers.change_settings(club.guild.id, daily=channel.id)
    with club.as_bot():
        await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    await club.env.settle()
    await club.clock.advance(30 * INTERVAL_MS)
    assert not club.messages(channel)
    await club.clock.advance(31 * INTERVAL_MS)
    assert len(club.messages(channel)) == 1


async def test_an_hour_after_a_refusal_it_is_tried_again(club: Club) -> None:
    channel = club.guild.create_text_channel("daily")
    club.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50013, message="no", times=1)
    await club.bot.servers.change_settings(club.guild.id, daily=channel.id)
    with captured_log() as log:
        await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
        await eventually(lambda: "board of the day refused" in log.getvalue(), "it was not tried")
    await club.clock.stand_still(RETRY_MS)
    await eventually(lambda: club.messages(channel), "there is no board")


async def test_without_a_channel_there_is_no_board(club: Club) -> None:
    channel = await a_board(club)
    await club.bot.servers.change_settings(club.guild.id, daily=0)
    await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    before = edits(club, channel)
    await play_here(club)
    await club.clock.advance(3 * INTERVAL_MS)
    assert edits(club, channel) == before


async def test_a_new_channel_is_tried_at_once_after_a_refusal(club: Club) -> None:
    bad, good = club.guild.create_text_channel("bad"), club.guild.create_text_channel("good")
    club.env.inject_error("POST", f"/channels/{bad.id}/messages", status=403, code=50013, message="Missing Permissions")
    for channel in (bad, good):
        await club.bot.servers.change_settings(club.guild.id, daily=channel.id)
        await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
        await club.clock.advance(2 * INTERVAL_MS)
    await eventually(lambda: club.messages(good), "there is no board")


async def test_the_last_results_of_a_day_are_shown_the_day_after(club: Club) -> None:
    channel = await a_board(club)
    day = utc_day(club.clock.now())
    await play_here(club)
    await club.clock.stand_still(day_end_ms(day) - club.clock.now() + INTERVAL_MS // 2)
    await club.clock.advance(INTERVAL_MS)
    await eventually(lambda: len(club.messages(channel)) == 2, "there is no new board")
    first, second = club.messages(channel)
    assert "1 more, not named" in text_of(first)
    assert "1 more, not named" not in text_of(second)


async def test_in_another_channel_it_is_another_message(club: Club) -> None:
    """With the same nonce Discord would give the message in the old channel."""
    await a_board(club)
    other = club.guild.create_text_channel("other")
    await club.bot.servers.change_settings(club.guild.id, daily=other.id)
    await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    await eventually(lambda: club.messages(other), "there is no board")
    sent = [r.json["nonce"] for r in club.env.http_requests if r.method == "POST" and "nonce" in (r.json or {})]
    assert len(set(sent)) == len(sent) == 2


async def test_a_channel_that_is_chosen_just_after_midnight_gets_the_new_day_alone(club: Club) -> None:
    await a_board(club)
    day = utc_day(club.clock.now())
    await club.clock.stand_still(day_end_ms(day) - club.clock.now() + INTERVAL_MS // 6)
    other = club.guild.create_text_channel("other")
    await club.bot.servers.change_settings(club.guild.id, daily=other.id)
    await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
    await eventually(lambda: club.messages(other), "there is no board")
    await club.clock.advance(INTERVAL_MS)
    (board,) = club.messages(other)
    assert day not in text_of(board)
