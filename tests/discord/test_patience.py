"""Discord's patience: refusals for good are not repeated, direct messages are opened sparingly, what nobody needs any
more is not sent."""

import asyncio
from collections.abc import Callable

import discord
import pytest
import simcord

from bot.delivery.limits import INVALID_PERIOD_MS, MAX_INVALID
from bot.delivery.messages import DMS_CLOSED_MS
from bot.delivery.reconciler import ACCESS_RETRY_MIN_MS
from bot.store.store import Dms
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.hand_message import FOLLOW
from tests.discord.forged import forge
from tests.discord.messages import reply, text_of
from tests.discord.play import Club
from tests.discord.test_me import prefer
from tests.discord.world import dms
from tests.games import ANY
from tests.process.waiting import eventually

pytestmark = pytest.mark.about(ANY)  # all games are alike here

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def in_channel(club: Club, start: int) -> list[simcord.HttpLogEntry]:
    """The requests in the channel since the request number *start*."""
    return [r for r in club.env.http_requests[start:] if r.path.startswith(f"/channels/{club.channel.id}/")]


def opened(club: Club, start: int = 0) -> int:
    """How often a channel for direct messages was asked for."""
    return len([r for r in club.env.http_requests[start:] if r.path == "/users/@me/channels"])


async def shut_out(club: Club) -> None:
    """The bot may not see the channel any more, and has no fresh token for it."""
    await club.clock.advance(20 * MINUTE)
    path = f"/channels/{club.channel.id}/messages*"
    for method in ("PATCH", "POST", "DELETE"):
        club.env.inject_error(method, path, status=403, code=50001, message="Missing Access", times=None)


@pytest.mark.one_in(3)
async def test_a_channel_that_stays_closed_is_tried_ever_more_rarely(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    start = len(club.env.http_requests)
    await club.act(club.on_turn())
    await club.clock.advance(8 * HOUR)
    assert 4 <= len(in_channel(club, start)) <= 12


async def test_after_many_invalid_requests_clicks_are_answered_and_all_else_waits(club: Club) -> None:
    """What the bot asks with its own token may be invalid too, and get its address banned."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * MINUTE)
    club.bot.traffic._invalid.extend([int(club.clock.uncorrected_now())] * MAX_INVALID)
    start = len(club.env.http_requests)
    player = club.on_turn()
    await club.act(player)
    await club.clock.advance(5 * MINUTE)
    asked = {request.path.split("/")[1] for request in club.env.http_requests[start:]}
    assert asked <= {"interactions", "webhooks"}
    assert "interactions" in asked
    assert club.status() not in text_of(club.table_message())
    await club.clock.advance(INVALID_PERIOD_MS)
    assert club.status() in text_of(club.table_message())


async def end_shut_out(club: Club) -> None:
    """A game is ended while the bot has no access to its channel."""
    await club.open(club.anna, club.bruno)
    sure = await club.anna.slash(club.channel, "table end")
    await shut_out(club)
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)


async def test_a_table_that_is_over_is_let_go_of_after_a_day(club: Club) -> None:
    await end_shut_out(club)
    await club.clock.advance(10 * MINUTE)
    await club.clock.stand_still(DAY)
    assert club.bot.reconciler.table_count == 0
    start = len(club.env.http_requests)
    await club.clock.stand_still(DAY)
    await club.restart()
    await club.clock.advance(10 * MINUTE)
    assert not in_channel(club, start)


async def test_the_end_of_a_game_is_tried_for_a_day_and_after_every_start(club: Club) -> None:
    await end_shut_out(club)
    await club.clock.stand_still(10 * HOUR)
    start = len(club.env.http_requests)
    await club.restart()
    await club.clock.advance(1)
    assert in_channel(club, start)
    await club.clock.stand_still(10 * HOUR)
    club.env.backend.faults.clear()
    await club.clock.stand_still(7 * HOUR)
    assert "ended" in text_of(club.messages()[-1])
    assert club.bot.reconciler.table_count == 0


@pytest.mark.parametrize(("status", "code"), [(403, 40333), (403, 0), (503, 0)])
async def test_trouble_of_discord_when_a_game_ends_never_lets_it_go(club: Club, status: int, code: int) -> None:
    await club.open(club.anna, club.bruno)
    sure = await club.anna.slash(club.channel, "table end")
    await club.clock.advance(20 * MINUTE)
    club.env.inject_error("PATCH", "/channels/*", status=status, code=code, message="Trouble", times=None)
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    await club.clock.advance(10 * MINUTE)
    await club.clock.stand_still(25 * HOUR)
    assert "ended" not in text_of(club.messages()[-1])
    club.env.backend.faults.clear()
    await club.clock.advance(2 * MINUTE)
    assert "ended" in text_of(club.messages()[-1])
    for person in (club.anna, club.bruno):
        assert "ended" in text_of(club.hand(person))


async def test_a_closed_channel_is_tried_again_when_something_changes_in_the_server(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    await club.act(club.on_turn())
    await club.clock.advance(3 * HOUR)
    club.env.backend.faults.clear()
    role = discord.utils.get(club.bot.guilds, id=club.guild.id).default_role
    club.bot.dispatch("guild_role_update", role, role)
    await eventually(lambda: club.status() in text_of(club.table_message()), "the table")


async def test_many_changes_in_a_server_try_a_closed_channel_once_in_five_seconds(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    role = discord.utils.get(club.bot.guilds, id=club.guild.id).default_role

    async def asked_after_a_change() -> int:
        start = len(club.env.http_requests)
        with club.as_bot():
            club.bot.dispatch("guild_role_update", role, role)
        await club.env.settle()
        return len(in_channel(club, start))

    await club.act(club.on_turn())
    assert await asked_after_a_change() == 0
    await club.clock.advance(ACCESS_RETRY_MIN_MS - 1)
    assert await asked_after_a_change() == 0
    await club.clock.advance(1)
    assert await asked_after_a_change() > 0
    assert await asked_after_a_change() == 0


async def test_a_click_wakes_a_hand_that_discord_had_refused(club: Club) -> None:
    """It was left alone for up to six hours, though the click's token reached it."""
    people = [club.anna, club.bruno, club.carla]
    for person in people:
        await prefer(club, person, telling="never")  # so no new message takes the place of a hand
    await club.open(*people)
    player = club.others()[0]
    hand = club.hand(player)
    await club.clock.advance(20 * MINUTE)
    club.env.inject_error("PATCH", f"/channels/{hand.channel.id}/*", status=403, code=50013, times=None)
    await club.play_until_on_turn(player)
    await club.clock.advance(3 * HOUR)
    assert "It is your turn" not in text_of(club.hand(player))
    await forge(club, player, custom_id(Verb.HAND, club.table().id, 0, FOLLOW), hand)
    assert "It is your turn" in text_of(club.hand(player))
    await club.act(player)
    before = text_of(club.hand(player))
    await club.act(club.on_turn())
    assert text_of(club.hand(player)) != before, "the token of the click edits it"


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_click_wakes_a_table_that_discord_had_refused(club: Club, where: str) -> None:
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    await club.act(club.on_turn())
    await club.clock.advance(3 * HOUR)
    club.env.backend.faults.clear()
    assert club.status() not in text_of(club.table_message())
    if where == "table":
        await club.press(club.anna, club.table_message(), Verb.RULES)
    else:
        await club.act(club.on_turn())
    assert club.status() in text_of(club.table_message())


async def test_clicks_cause_few_requests_to_a_channel_that_stays_closed(club: Club) -> None:
    """A refused request counts towards a ban: beside what was clicked one a minute is enough."""
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    await club.act(club.on_turn())
    await club.clock.advance(HOUR)
    start = len(club.env.http_requests)
    for _ in range(4):
        await club.act(club.on_turn())
    assert len([r for r in in_channel(club, start) if r.method == "PATCH"]) == 1


async def test_a_direct_message_channel_is_asked_for_once_and_kept(club: Club) -> None:
    for _ in range(2):
        await club.open(club.anna, club.bruno)
        await club.finish()
    await club.restart()
    await club.open(club.anna, club.bruno)
    assert opened(club) == 2


async def test_who_is_waited_for_at_two_tables_is_asked_for_one_channel(club: Club) -> None:
    """Somebody else has opened it when it is its turn: another table, or another process."""
    anna, bruno, store = club.anna.id, club.bruno.id, club.bot.store

    async def find(user: int) -> int:
        return await club.bot.reconciler.direct.get_or_open_channel(user, lambda: True)

    one, other = await asyncio.gather(find(anna), find(anna))
    assert one == other
    assert opened(club) == 1
    opening = club.bot.api.opening
    turn = opening.wait_to_start

    async def late(*wanted: Callable[[], bool]) -> None:
        await turn(*wanted)
        await store.save_dm_channel_and_refusal(bruno, Dms(one))  # as another process does

    opening.wait_to_start = late  # type: ignore[assignment,method-assign]
    assert await find(bruno) == one
    assert opened(club) == 1


async def test_who_takes_no_direct_messages_is_left_alone_for_a_day(club: Club) -> None:
    club.close_dms(club.anna, club.bruno)
    await club.open(club.anna, club.bruno)
    assert not club.env.backend.faults, "it was tried"
    await club.anna.slash(club.channel, "table end")
    await club.bot.tables.change(club.table().id, "test", None, lambda t: t._replace(phase=type(t.phase).OVER))
    await club.env.settle()
    start = len(club.env.http_requests)
    await club.open(club.anna, club.bruno)
    here = f"/channels/{club.channel.id}/messages"
    sent = [r for r in club.env.http_requests[start:] if r.path.endswith("/messages") and r.path != here]
    assert not sent
    assert not club.table().players[0].by_dm
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert club.table().players[0].refuses_dms
    await club.press(club.anna, reply(menu), Verb.HAND_BY_DM)
    assert len(dms(club.anna)) == 1
    assert not club.table().players[0].refuses_dms
    assert DMS_CLOSED_MS == 24 * HOUR
