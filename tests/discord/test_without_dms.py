"""Whoever gets no direct messages keeps their seat, and plays from the channel: people who take none, and everybody
while Discord lets the bot open no conversation, or does not take its messages there."""

from pathlib import Path

import discord
import pytest
from simcord.actors import MemberActor

from bot.clock import least_snowflake_at
from bot.delivery.messages import NEW_DMS_PERIOD_MS, NEW_IN_PERIOD
from bot.delivery.slots import UNREACHED_MS
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.store.store import Dms
from bot.ui.custom_ids import Verb
from tests.bot.logs import captured_log
from tests.discord.messages import text_of
from tests.discord.play import QUICK, Club, every_game, open_club
from tests.discord.test_doctor import doctor
from tests.discord.test_follow_ups import hand_is_right
from tests.discord.test_me import prefer
from tests.discord.test_moderation import moderator
from tests.discord.world import dms
from tests.process.waiting import eventually

MINUTE = 60_000
HOUR = 60 * MINUTE
MORE = 40
"""More moves than any game's first two rounds."""


def refuse_dms(club: Club, code: int, *people: MemberActor, status: int = 403, times: int | None = None) -> None:
    """Discord refuses new direct messages to *people* with *code*."""
    for person in people:
        club.env.inject_error("POST", club.dm_path(person), status=status, code=code, message="No", times=times)


def refuse_opening(club: Club, code: int, status: int = 403, times: int | None = None) -> None:
    """Discord refuses to open conversations with *code*."""
    club.env.inject_error("POST", "/users/@me/channels", status=status, code=code, message="No", times=times)


def opened(club: Club) -> int:
    """How often a conversation was opened, or tried to be."""
    return len([r for r in club.env.http_requests if r.path == "/users/@me/channels"])


def private(club: Club, person: MemberActor) -> list[discord.Message]:
    """The messages in the channel that *person* alone sees, oldest first."""
    return [message for message in club.channel.history(viewer=person) if message.flags.ephemeral]


def mentions(club: Club, person: MemberActor) -> list[discord.Message]:
    """The messages in the channel that mention *person*."""
    return [message for message in club.messages() if f"<@{person.id}>" in text_of(message)]


async def play_in_channel(club: Club) -> None:
    """The game goes on to its end, everybody plays from the hand that they have in the channel."""
    for _ in range(1500):
        if not club.running:
            return
        person = club.on_turn()
        if club.case.calls_now(club.table().state) and club.callers():
            await club.call(club.callers()[0])
        else:
            await club.act(person, message=private(club, person)[-1])
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("code", [50278, 50007])
@every_game
async def test_members_who_take_no_direct_messages_play_a_whole_game_from_the_channel(
    tmp_path: Path, game: str, code: int
) -> None:
    async with open_club(tmp_path, game, QUICK) as club:
        refuse_dms(club, code, club.anna, club.bruno)
        await club.open(club.anna, club.bruno)
        for person in (club.anna, club.bruno):
            player = club.table().players[club.seat(person)]
            assert (player.away, player.by_dm, player.refuses_dms) == (False, False, True)
            assert len(private(club, person)) == 1, "the hand came by itself"
        table = club.table().id
        await play_in_channel(club)
        finished = await club.bot.store.load_table(table)
        assert finished is not None
        assert not any(player.away for player in finished.players)


async def test_who_has_left_the_server_loses_the_seat_once_discord_has_said_both(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla, start=False)
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    await (await guild.fetch_member(club.carla.id)).kick()
    refuse_dms(club, 50278, club.anna, club.carla)
    await club.press(club.anna, club.table_message(), Verb.START)
    assert [club.table().players[club.seat(it)].away for it in (club.anna, club.bruno, club.carla)] == [
        False,
        False,
        True,
    ]


async def test_nobody_loses_the_seat_while_discord_does_not_say_who_is_a_member(club: Club) -> None:
    refuse_dms(club, 50278, club.anna)
    club.env.inject_error("GET", "/guilds/*", status=403, code=50001, message="Missing Access", times=None)
    await club.open(club.anna, club.bruno)
    assert not club.table().players[club.seat(club.anna)].away


@pytest.mark.parametrize(("status", "code"), [(400, 50007), (400, 50033), (403, 50278)])
async def test_who_cannot_be_written_to_when_the_conversation_is_opened_is_left_alone_for_a_day(
    club: Club, status: int, code: int
) -> None:
    refuse_opening(club, code, status, times=2)
    await club.open(club.anna, club.bruno)
    assert [player.by_dm for player in club.table().players] == [False, False]
    for person in (club.anna, club.bruno):
        assert (await club.bot.store.load_dm_channel_and_refusal(person.id)).closed_at == club.clock.now()


async def test_who_chooses_direct_messages_after_that_gets_the_hand_there_at_once(club: Club) -> None:
    refuse_opening(club, 50007, 400, times=2)
    await club.open(club.anna, club.bruno)
    assert dms(club.anna) == dms(club.bruno) == []
    await prefer(club, club.anna, by_dm="dm")
    await eventually(lambda: len(dms(club.anna)) == 1, "the hand comes", 5)


@pytest.mark.parametrize(("status", "code"), [(403, 0), (403, 40333), (403, 40004), (400, 0), (503, 0), (404, 0)])
async def test_trouble_of_discord_is_not_noted_of_a_person(club: Club, status: int, code: int) -> None:
    """Not when the conversation is opened, nor when the message is sent."""
    refuse_opening(club, code, status, times=1)
    await club.open(club.anna, club.bruno)
    await club.clock.advance(2 * MINUTE)
    for person in (club.anna, club.bruno):
        assert (await club.bot.store.load_dm_channel_and_refusal(person.id)).closed_at is None
        assert len(dms(person)) == 1
    assert all(player.by_dm and not player.refuses_dms for player in club.table().players)


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10003)])
async def test_a_conversation_of_an_earlier_application_is_opened_anew(club: Club, status: int, code: int) -> None:
    """The host has moved to a new application, with the old database."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    refuse_dms(club, code, club.anna, club.bruno, status=status, times=1)
    before = opened(club)
    await club.open(club.anna, club.bruno)
    assert opened(club) == before + 2
    for person in (club.anna, club.bruno):
        assert text_of(club.hand(person)).startswith("### ["), "it is the hand of the new game"
        assert (await club.bot.store.load_dm_channel_and_refusal(person.id)).closed_at is None


async def test_a_conversation_that_stays_closed_is_opened_anew_once(club: Club) -> None:
    """Discord gives 50001 at random, for hours: https://github.com/discord/discord-api-docs/issues/7666"""
    await club.open(club.anna, club.bruno)
    await club.finish()
    refuse_dms(club, 50001, club.anna)
    before = opened(club)
    await club.open(club.anna, club.bruno)
    await club.clock.advance(30 * MINUTE)
    assert opened(club) == before + 1
    assert club.table().players[club.seat(club.anna)].by_dm, "nothing is noted of the person"
    club.env.backend.faults.clear()
    count = club.dm_count(club.anna)
    await club.clock.advance(60 * MINUTE)
    assert club.dm_count(club.anna) > count, "it is tried again"


@every_game
async def test_whose_hand_is_not_taken_for_some_seconds_is_mentioned_when_it_is_their_turn(
    tmp_path: Path, game: str
) -> None:
    async with open_club(tmp_path, game, QUICK) as club:
        await club.open(club.anna, club.bruno, start=False)
        refuse_opening(club, 0, 503)
        await club.press(club.anna, club.table_message(), Verb.START)
        person = club.on_turn()
        await club.clock.advance(UNREACHED_MS - 1_000)
        assert not mentions(club, person)
        await club.clock.advance(2_000)
        assert len(mentions(club, person)) == 1
        shown = await club.press(person, club.table_message(), Verb.HAND)
        await club.act(person, message=club.opened(shown))
        assert club.ply == 1


async def test_a_turn_that_begins_while_direct_messages_fail_is_mentioned_at_once(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    refuse_opening(club, 0, 503)
    await club.press(club.anna, club.table_message(), Verb.START)
    await club.clock.advance(MINUTE)
    first = club.on_turn()
    await club.press(first, club.table_message(), Verb.HAND)
    for _ in range(MORE):
        if club.on_turn() is not first:
            break
        await club.act(first, message=private(club, first)[-1])
    assert mentions(club, club.on_turn())


@every_game
async def test_a_hand_comes_in_the_channel_when_too_many_conversations_were_opened(tmp_path: Path, game: str) -> None:
    """Discord says so: 40003. https://docs.discord.com/developers/topics/opcodes-and-status-codes#json"""
    async with open_club(tmp_path, game, QUICK) as club:
        refuse_opening(club, 40003, times=1)
        await club.open(club.anna, club.bruno)
        assert opened(club) == 1
        assert all(player.by_dm for player in club.table().players), "nothing is noted of the people"
        for person in (club.anna, club.bruno):
            assert len(private(club, person)) == 1
        await play_in_channel(club)
        assert opened(club) == 1, "who plays in the channel needs no conversation"


async def test_a_flagged_app_opens_no_conversation_for_hours_whichever_process_was_refused(club: Club) -> None:
    refuse_opening(club, 20026, times=1)
    with captured_log() as log:
        await club.open(club.anna, club.bruno)
    assert opened(club) == 1
    assert "ask Discord's support to lift it" in log.getvalue()
    assert "Discord has flagged me as spam" in await doctor(club, moderator(club))
    await club.restart()
    await club.clock.advance(6 * HOUR - MINUTE)
    assert opened(club) == 1
    await club.clock.advance(2 * MINUTE)
    assert opened(club) > 1
    assert len(dms(club.on_turn())) == 1


async def test_only_so_many_new_conversations_are_opened_in_ten_minutes(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()
    await club.clock.advance(NEW_DMS_PERIOD_MS)
    for number in range(NEW_IN_PERIOD - 1):  # with other people, at other tables, perhaps by another process
        await club.bot.store.save_dm_channel_and_refusal(number + 1, Dms(least_snowflake_at(club.clock.now()) + number))
    await club.open(club.anna, club.carla, club.stranger)
    assert opened(club) == 3  # those of the first game, and one
    late = next(person for person in (club.carla, club.stranger) if not dms(person))
    assert len(private(club, late)) == 1, "the hand came in the channel"
    assert len(dms(club.anna)) > 1, "who has a conversation needs no other"
    await club.clock.advance(NEW_DMS_PERIOD_MS + 15 * MINUTE)
    assert opened(club) == 4
    assert len(dms(late)) == 1


async def test_a_hand_that_discord_takes_for_a_new_conversation_comes_in_the_channel_and_a_minute_later(
    club: Club,
) -> None:
    """It does not say for how long there are too many."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    refuse_dms(club, 40003, club.bruno, times=1)
    await club.open(club.anna, club.bruno)
    assert len(private(club, club.bruno)) == 1
    count = club.dm_count(club.bruno)
    await club.clock.advance(MINUTE - 1)
    assert club.dm_count(club.bruno) == count
    await club.clock.advance(1)
    assert club.dm_count(club.bruno) == count + 1
    assert club.table().players[club.seat(club.bruno)].by_dm, "nothing is noted of the person"


async def test_whose_hand_can_come_neither_way_opens_it_at_the_table(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """The token of their last click there cannot send it any more."""
    await club.open(club.anna, club.bruno, start=False)
    await club.clock.advance(TOKEN_LIFE_MS)
    refuse_dms(club, 50278, club.bruno)
    await club.press(club.anna, club.table_message(), Verb.START)
    await club.bot.tables.update_player(club.table().id, club.anna.id, name="anna again")
    await club.env.settle()
    assert (dms(club.bruno), private(club, club.bruno)) == ([], [])
    hand = club.opened(await club.press(club.bruno, club.table_message(), Verb.HAND))
    assert hand_is_right(club, club.bruno, hand)
    assert not [line for line in caplog.records if line.exc_info]


async def test_a_hand_that_waits_until_more_conversations_may_be_opened_comes_at_that_moment(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await club.clock.advance(TOKEN_LIFE_MS)  # so none can be sent in the channel
    wait = 90_500
    opened_at = club.clock.now() + wait - NEW_DMS_PERIOD_MS
    for number in range(NEW_IN_PERIOD):
        await club.bot.store.save_dm_channel_and_refusal(number + 1, Dms(least_snowflake_at(opened_at) + number))
    await club.press(club.anna, club.table_message(), Verb.START)
    await club.clock.advance(wait - 1)
    assert (dms(club.bruno), private(club, club.bruno), opened(club)) == ([], [], 0)
    await club.clock.advance(1)
    assert len(dms(club.bruno)) == 1
