"""Discord's patience: refusals for good are not repeated, direct messages are opened sparingly, what nobody needs any
more is not sent."""

import asyncio

import discord
import pytest
import simcord

from bot.custom_ids import Verb, custom_id
from bot.delivery.direct import CLOSED_MS, PAUSE_MS
from bot.delivery.traffic import MOST_INVALID, PERIOD_MS
from bot.present.hand_message import FOLLOW
from bot.store.store import Dms
from tests.discord.forged import forge
from tests.discord.messages import reply, text_of
from tests.discord.play import Club
from tests.discord.test_me import prefer
from tests.discord.world import dms
from tests.process.waiting import eventually

MINUTE = 60_000
HOUR = 60 * MINUTE


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


async def test_a_channel_that_stays_closed_is_asked_ever_more_rarely_r2(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    start = len(club.env.http_requests)
    await club.act(club.on_turn())
    await club.clock.advance(8 * HOUR)
    assert 4 <= len(in_channel(club, start)) <= 12


async def test_after_many_invalid_requests_clicks_are_answered_and_all_else_waits_r2(club: Club) -> None:
    """What the bot asks with its own token may be invalid too, and get its address banned."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * MINUTE)
    club.bot.traffic._invalid.extend([int(club.clock.reading())] * MOST_INVALID)
    start = len(club.env.http_requests)
    player = club.on_turn()
    await club.act(player)
    await club.clock.advance(5 * MINUTE)
    asked = {request.path.split("/")[1] for request in club.env.http_requests[start:]}
    assert asked <= {"interactions", "webhooks"}
    assert "interactions" in asked
    assert club.status() not in text_of(club.table_message())
    await club.clock.advance(PERIOD_MS)
    assert club.status() in text_of(club.table_message())


async def test_a_table_that_is_over_is_let_go_of_r2(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    sure = await club.anna.slash(club.channel, "table end")
    await shut_out(club)
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    await club.clock.advance(HOUR)
    start = len(club.env.http_requests)
    await club.clock.advance(2 * HOUR)  # the tries double: whoever still tried would do so twice in this time
    assert not in_channel(club, start)
    assert club.bot.reconciler.tables == 0
    await club.restart()
    await club.clock.advance(HOUR)
    assert not in_channel(club, start)


async def test_when_something_changes_in_the_server_it_is_tried_again_r2(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    await club.act(club.on_turn())
    await club.clock.advance(3 * HOUR)
    club.env.backend.faults.clear()
    role = discord.utils.get(club.bot.guilds, id=club.guild.id).default_role
    club.bot.dispatch("guild_role_update", role, role)
    await eventually(lambda: club.status() in text_of(club.table_message()), "the table")


async def test_a_click_wakes_a_hand_that_discord_had_refused_r2(club: Club) -> None:
    """It was left alone for up to six hours, though the click's token reached it."""
    people = [club.anna, club.bruno, club.carla]
    for person in people:
        await prefer(club, person, telling="never")  # so no new message takes the place of a hand
    await club.open(*people)
    player = club.others()[0]
    hand = club.hand(player)
    await club.clock.advance(20 * MINUTE)
    club.env.inject_error("PATCH", f"/channels/{hand.channel.id}/*", status=403, code=50001, times=None)
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
async def test_a_click_wakes_a_table_that_discord_had_refused_r2(club: Club, where: str) -> None:
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


async def test_clicks_do_not_hammer_at_what_stays_closed_r2(club: Club) -> None:
    """A refused request counts towards a ban: beside what was clicked one a minute is enough."""
    await club.open(club.anna, club.bruno)
    await shut_out(club)
    await club.act(club.on_turn())
    await club.clock.advance(HOUR)
    start = len(club.env.http_requests)
    for _ in range(4):
        await club.act(club.on_turn())
    assert len([r for r in in_channel(club, start) if r.method == "PATCH"]) == 1


async def test_a_direct_message_channel_is_asked_for_once_and_kept_s1(club: Club) -> None:
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
        return await club.bot.reconciler.direct.channel_of(user, lambda: True)

    one, other = await asyncio.gather(find(anna), find(anna))
    assert one == other
    assert opened(club) == 1
    turn = club.bot.courier.turn_to_open

    async def late() -> None:
        await turn()
        await store.put_dms(bruno, Dms(one))  # as another process does

    club.bot.courier.turn_to_open = late
    assert await find(bruno) == one
    assert opened(club) == 1


async def test_who_takes_no_direct_messages_is_left_alone_for_a_day_s1(club: Club) -> None:
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
    await club.press(club.anna, reply(menu), Verb.HAND_BY_DM)
    assert len(dms(club.anna)) == 1
    assert CLOSED_MS == 24 * HOUR


async def test_when_discord_says_it_is_too_much_no_direct_message_is_opened_for_a_while_40003(club: Club) -> None:
    """https://docs.discord.com/developers/topics/opcodes-and-status-codes#json: 40003, opening them too fast."""
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=40003, message="Too fast", times=1)
    await club.open(club.anna, club.bruno)
    assert opened(club) == 1
    assert [player.by_dm for player in club.table().players] == [False, False]
    hand = await club.press(club.on_turn(), club.table_message(), Verb.HAND)
    await club.act(club.on_turn(), message=reply(hand))
    await club.clock.advance(PAUSE_MS)
    other = club.guild.create_text_channel("another")
    await club.anna.slash(other, "play", game=club.case.game)
    await club.press(club.bruno, club.table_message(other), Verb.JOIN)
    await club.press(club.anna, club.table_message(other), Verb.START)
    assert len(dms(club.anna)) == len(dms(club.bruno)) == 1


async def test_no_process_opens_a_direct_message_once_discord_says_it_is_too_much_40003(club: Club) -> None:
    """Discord counts those of all processes."""
    told: list[tuple[str, int]] = []

    async def tell(kind: str, until: int) -> None:
        told.append((kind, until))

    club.bot.everywhere.tell = tell
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=40003, message="Too fast", times=1)
    await club.open(club.anna, club.bruno)
    assert told == [("dms_paused", told[0][1])]
    assert club.clock.now() < told[0][1] <= club.clock.now() + PAUSE_MS


async def test_a_process_that_hears_that_it_is_too_much_opens_no_direct_message_for_a_while_40003(club: Club) -> None:
    await club.bot.everywhere.hear("dms_paused", {"until": club.clock.now() + PAUSE_MS})
    await club.open(club.anna, club.bruno)
    assert opened(club) == 0
    await club.clock.advance(PAUSE_MS)
    other = club.guild.create_text_channel("another")
    await club.anna.slash(other, "play", game=club.case.game)
    await club.press(club.bruno, club.table_message(other), Verb.JOIN)
    await club.press(club.anna, club.table_message(other), Verb.START)
    assert len(dms(club.anna)) == len(dms(club.bruno)) == 1
