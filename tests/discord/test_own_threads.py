"""A thread for every table: made by /play, kept for rematches, archived some time after the end."""

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.delivery.channels import ARCHIVE_AFTER_MS, MAX_REOPENED, REOPEN_PERIOD_MS
from bot.delivery.slots import TABLE
from bot.permissions import NEEDS
from bot.ui.custom_ids import Verb
from cogs.play import MAY_NOT, NO_THREAD_MADE, NO_THREADS_HERE
from tests.discord.messages import components_json, expected_components_json, private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.test_languages import manager
from tests.discord.test_server_settings import choose, numbers
from tests.discord.world import EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here


def threads(club: Club) -> list[ChannelHandle]:
    """The threads under the channel, oldest first."""
    return list(club.channel.threads)


def archived(club: Club, thread: ChannelHandle) -> bool:
    """Whether *thread* is archived."""
    known = club.env.backend.get_thread(thread.id).thread_metadata
    assert known is not None
    return known.archived


def above(club: Club, channel: ChannelHandle) -> list[discord.Message]:
    """What the bot has written in *channel*, without what Discord itself says of threads."""
    return [message for message in club.messages(channel) if message.type is discord.MessageType.default]


async def begin(club: Club) -> ChannelHandle:
    """Anna opens a table in a thread of its own, which becomes the place of the club."""
    await choose(club, manager(club), threads="yes")
    await club.anna.slash(club.channel, "play", game=club.case.game)
    (thread,) = threads(club)
    return thread


async def test_the_table_lives_in_a_thread_below_the_answer(club: Club) -> None:
    home, before = club.channel, len(club.env.http_requests)
    thread = await begin(club)
    assert not club.running
    (message,) = [it for it in club.messages(home) if it.type is discord.MessageType.chat_input_command]
    assert message.id == thread.id, "Discord gives a thread the id of the message below which it begins"
    assert "**anna**" in text_of(message)
    made = [r for r in club.env.http_requests[before:] if r.path.startswith("/channels/")]
    assert [r.method for r in made] == ["POST", "POST"], "the thread and the table message"
    table = club.table(thread)
    assert table.own_thread
    assert club.table_message(thread).id != message.id
    assert components_json(club.table_message(thread)) == expected_components_json(
        table, TABLE, club.table_message(thread).id
    )


async def test_a_whole_game_is_played_there_and_the_rematch_too_and_then_it_is_archived(club: Club) -> None:
    thread = await begin(club)
    home, club.channel = club.channel, thread
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    await club.press(club.anna, club.table_message(), Verb.START)
    await club.finish()
    await club.clock.advance(ARCHIVE_AFTER_MS - 1000)
    assert not archived(club, thread)
    await club.press(club.bruno, club.table_message(), Verb.REMATCH)
    assert club.table().own_thread
    await club.clock.advance(ARCHIVE_AFTER_MS)
    assert not archived(club, thread), "the rematch is prepared there"
    await club.in_menu(club.bruno, Verb.CANCEL)
    await club.clock.advance(ARCHIVE_AFTER_MS)
    assert archived(club, thread)
    assert above(club, home) == []


async def over(club: Club) -> ChannelHandle:
    """A table in a thread of its own that was closed before the game."""
    thread = await begin(club)
    club.channel = thread
    await club.in_menu(club.anna, Verb.CANCEL)
    return thread


@pytest.mark.parametrize(("status", "code", "again"), [(503, 0, True), (403, 50013, False)])
async def test_archiving_is_tried_again_unless_discord_refuses_it(
    club: Club, status: int, code: int, again: bool
) -> None:
    thread = await over(club)
    club.env.inject_error("PATCH", f"/channels/{thread.id}", status=status, code=code, message="no", times=1)
    await club.clock.advance(ARCHIVE_AFTER_MS)
    assert not archived(club, thread)
    await club.clock.advance(ARCHIVE_AFTER_MS)
    assert archived(club, thread) == again


async def test_a_first_table_message_that_perhaps_was_sent_is_sent_again_as_the_same(club: Club) -> None:
    """Discord makes only one message for the same nonce."""
    club.env.inject_error("POST", "/channels/*/messages", status=503, code=0, message="Busy", times=1)
    thread = await begin(club)
    await club.clock.advance(2_000)
    path = f"/channels/{thread.id}/messages"
    sent = [r.json["nonce"] for r in club.env.http_requests if (r.method, r.path) == ("POST", path)]
    assert len(sent) == 2
    assert len(set(sent)) == 1
    assert club.table_message(thread)


async def test_a_limit_is_said_before_a_thread_is_made(club: Club) -> None:
    await numbers(club, manager(club), "1", "0")
    await begin(club)
    answer = await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert reply(answer).flags.ephemeral
    assert len(threads(club)) == 1


async def test_a_thread_that_is_deleted_takes_its_table_along(club: Club) -> None:
    thread = await begin(club)
    assert club.bot.tables.taken_over_table_in_channel(thread.id) is not None
    club.env.backend.delete_channel(thread.id)
    await club.env.settle()
    assert club.bot.tables.taken_over_table_in_channel(thread.id) is None


@pytest.mark.parametrize("lacks", ["create_public_threads", "send_messages_in_threads", "read_message_history"])
async def test_without_a_permission_it_is_in_the_channel_with_a_word(club: Club, lacks: str) -> None:
    await choose(club, manager(club), threads="yes")
    denied = discord.PermissionOverwrite(**{lacks: False})
    club.channel = club.guild.create_text_channel("closed", overwrites={club.guild.default_role: denied})
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    assert EN(MAY_NOT, permissions=f"**{NEEDS[lacks].name}**") in private_text(answer)
    assert not club.table().own_thread
    assert threads(club) == []
    await club.press(club.bruno, club.table_message(), Verb.JOIN)


async def test_in_a_thread_it_is_there_and_in_a_voice_channel_with_a_word(club: Club) -> None:
    await choose(club, manager(club), threads="yes")
    club.env.backend.create_thread(club.channel.id, "ours", club.anna.id)
    (ours,) = threads(club)
    answer = await club.anna.slash(ours, "play", game=club.case.game)
    assert answer.followups == []
    assert not club.table(ours).own_thread
    voice = club.guild.create_voice_channel("Talk")
    answer = await club.bruno.slash(voice, "play", game=club.case.game)
    assert EN(NO_THREADS_HERE) in private_text(answer)
    assert club.table(voice).live


async def test_if_discord_makes_none_it_is_in_the_channel_with_a_word(club: Club) -> None:
    await choose(club, manager(club), threads="yes")
    path = f"/channels/{club.channel.id}/messages/*/threads"
    club.env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions", times=1)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    assert EN(NO_THREAD_MADE) in private_text(answer)
    assert len(club.messages()) == 1, "the message above the thread is gone"
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    assert club.table().seat_of(club.bruno.id) is not None


async def test_the_thread_of_a_live_table_is_reopened_when_it_is_archived(club: Club) -> None:
    """People's clients do not send clicks in an archived thread:
    https://github.com/discord/discord-api-docs/issues/8474"""
    place = club.thread()
    await club.anna.slash(place, "play", game=club.case.game)
    for _ in range(MAX_REOPENED):
        await archive(club, place)
        assert not club.env.backend.get_channel(place.id).thread_metadata.archived
    await archive(club, place)
    assert club.env.backend.get_channel(place.id).thread_metadata.archived, "somebody wants it so"
    await club.clock.advance(REOPEN_PERIOD_MS - 1)
    await reopen(club, place)
    await archive(club, place)
    assert club.env.backend.get_channel(place.id).thread_metadata.archived
    await club.clock.advance(1)
    await reopen(club, place)
    await archive(club, place)
    assert not club.env.backend.get_channel(place.id).thread_metadata.archived, "that was an hour ago"


async def test_a_thread_that_was_archived_while_the_bot_was_away_is_reopened(club: Club) -> None:
    place = club.thread()
    await club.anna.slash(place, "play", game=club.case.game)
    club.env.backend.get_channel(place.id).thread_metadata.archived = True
    await club.restart()
    await club.env.settle()
    assert not club.env.backend.get_channel(place.id).thread_metadata.archived


async def test_a_locked_thread_and_one_without_a_table_stay_archived(club: Club) -> None:
    place = club.thread()
    await archive(club, place)
    assert club.env.backend.get_channel(place.id).thread_metadata.archived
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    other = club.guild.create_text_channel("other")
    club.env.backend.create_thread(other.id, "locked", club.anna.id)
    await club.anna.slash(other.threads[0], "play", game=club.case.game)
    await archive(club, other.threads[0], locked=True)
    assert club.env.backend.get_channel(other.threads[0].id).thread_metadata.archived


async def archive(club: Club, place: ChannelHandle, *, locked: bool = False) -> None:
    """Somebody archives the thread *place*."""
    guild = club.bot.get_guild(club.guild.id)
    thread = guild.get_thread(place.id) if guild is not None else None
    assert thread is not None
    await thread.edit(archived=True, locked=locked)
    await club.env.settle()


async def reopen(club: Club, place: ChannelHandle) -> None:
    """Somebody reopens the archived thread *place*."""
    thread = await club.bot.fetch_channel(place.id)
    assert isinstance(thread, discord.Thread)
    await thread.edit(archived=False)
    await club.env.settle()
