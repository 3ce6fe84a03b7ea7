"""Discord's faults and people's, in games of every kind: the game goes on, or ends with a clear word."""

import logging
from pathlib import Path

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.clock import snowflake_time
from bot.commands import SYNC_RETRY_MS
from bot.delivery.messages import DELETE_DELAY_MS
from bot.delivery.plan import LONGEST_LAG_MS
from bot.delivery.slots import dm_hand_slot
from bot.tables.model import Ending, Phase, TableId
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from tests.discord.forged import act_old
from tests.discord.messages import components_json, expected_components_json, reply, text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import dms
from tests.process.waiting import eventually

CLOCK = Options(pace=Pace.OFF, turn_seconds=300, window_ms=0, hold_ms=0)
MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


async def up_to_date(club: Club) -> None:
    """The next move lands, and every message shows it; the table message perhaps a little later."""
    before = club.table().version
    await club.offered(club.on_turn())
    await club.act(club.on_turn())
    assert club.table().version > before
    assert "It is your turn" in text_of(club.hand(club.on_turn()))
    await club.table_catches_up()
    assert club.status() in text_of(club.table_message())


# Tokens and messages


@pytest.mark.parametrize(("status", "code"), [(401, 50027), (404, 10015), (404, 10062)])
async def test_an_expired_token_and_the_bots_own_takes_over(club: Club, status: int, code: int) -> None:
    await club.open(club.anna, club.bruno)
    await club.act(club.on_turn())
    club.env.inject_error("PATCH", "/webhooks/*", status=status, code=code, message="Invalid Webhook Token", times=None)
    await up_to_date(club)
    await up_to_date(club)


async def test_messages_older_than_an_hour_are_replaced_before_they_take_no_more_edits_30046(club: Club) -> None:
    """Discord answers HTTP 429 with code 30046 to more than about three edits in six seconds of messages older than an
    hour (aikaterna-cogs#302), and discord.py waits that out: so it must not come to that."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(2 * HOUR)  # no token is fresh any more
    edits: dict[int, int] = {}
    start = len(club.env.http_requests)
    for number in range(5):
        await club.act(club.on_turn())
        # For a new name the table message does not wait, as it may for a move.
        await club.bot.tables.update_player(club.table().id, club.anna.id, name=f"anna {number}")
        await club.env.settle()
        assert "It is your turn" in text_of(club.hand(club.on_turn()))
        assert club.table_is_right()
        await club.clock.advance(1_000)
    for request in club.env.http_requests[start:]:
        if request.method == "PATCH" and request.path.startswith("/channels/"):
            message = int(request.path.rpartition("/")[2])
            age = club.clock.now() - snowflake_time(message)
            edits[message] = edits.get(message, 0) + (age > HOUR)
    assert max(edits.values()) <= 1
    assert len([m for m in club.messages() if "Menu" in text_of(m)]) == 1
    assert not [m for person in (club.anna, club.bruno) for m in dms(person) if not text_of(m)]


async def test_a_thread_that_was_archived_gets_a_new_table_message(club: Club) -> None:
    """Edits are refused there; a new message unarchives it (https://docs.discord.com/developers/topics/threads)."""
    await club.open(club.anna, club.bruno)
    old = club.table_message().id
    await club.clock.advance(20 * MINUTE)
    path = f"/channels/{club.channel.id}/messages/{old}"
    club.env.inject_error("PATCH", path, status=400, code=50083, message="Thread is archived", times=None)
    await up_to_date(club)
    assert club.table_message().id != old
    await club.clock.advance(DELETE_DELAY_MS)
    assert old not in [message.id for message in club.messages()]


async def test_hands_lead_to_the_table_message_that_replaces_an_old_one(club: Club) -> None:
    """Nothing else of them has changed meanwhile."""
    await club.open(club.anna, club.bruno)
    old, channel = club.table_message().id, f"/channels/{club.channel.id}/messages"
    await club.clock.advance(20 * MINUTE)
    club.env.inject_error("PATCH", f"{channel}/{old}", status=400, code=30046, message="Too many edits", times=None)
    club.env.inject_error("POST", channel, status=503, code=0, message="Busy", times=1)
    with club.as_bot():
        await club.bot.tables.update_player(club.table().id, club.anna.id, name="anna again")
    await club.clock.advance(5_000)
    new = club.table_message().id
    assert new != old
    people = (club.anna, club.bruno)
    right = [expected_components_json(club.table(), dm_hand_slot(club.seat(person)), new) for person in people]
    await eventually(lambda: [components_json(club.hand(person)) for person in people] == right, "the new link", 5)


async def test_a_hand_is_not_stale_for_ever_when_an_old_click_on_it_is_not_answered_either(club: Club) -> None:
    """The refused click's notice was never seen: the hand must not wait for the next version."""
    await club.open(club.anna, club.bruno)
    first, (second,) = club.on_turn(), club.others()
    await club.play_until_on_turn(second)
    seen, _ = await club.offered(second)
    await club.play_until_on_turn(first)
    await club.clock.advance(20 * MINUTE)
    await act_old(club, second, seen)  # so they are here, and get no new message
    for path in ("/webhooks/*", "/channels/*"):
        club.env.inject_error("PATCH", path, status=503, code=0, message="Busy", times=40)
    await club.play_until_on_turn(second)
    club.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=1)
    await act_old(club, second, seen)
    assert "It is your turn" not in text_of(club.hand(second))
    club.env.backend.faults.clear()
    await club.clock.advance(MINUTE + 10_000)
    assert "It is your turn" in text_of(club.hand(second))


@pytest.mark.parametrize("what", ["table", "hand"])
async def test_a_message_deleted_in_mid_game_is_made_anew(club: Club, what: str) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    first = club.on_turn()
    await club.act(first)
    # A hand is edited at the latest when its person is on turn again; the table with one of the next moves.
    gone = club.table_message() if what == "table" else club.hand(first)
    club.env.backend.delete_message(gone.channel.id, gone.id)
    if club.on_turn() is first:  # who took the trick, say
        await club.act(first)
    await club.play_until_on_turn(first)
    await club.clock.advance(LONGEST_LAG_MS)
    fresh = club.table_message() if what == "table" else club.hand(first)
    assert fresh.id != gone.id
    await up_to_date(club)


# People


@every_game
async def test_direct_messages_closed_in_mid_game_and_the_hand_opens_at_the_table(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno)
        (sleeper,) = club.others()
        await club.clock.advance(3 * MINUTE)
        club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007, message="Cannot send", times=1)
        await club.play_until_on_turn(sleeper)
        table = club.table()
        player = table.players[club.seat(sleeper)]
        assert not player.by_dm
        assert not player.away
        pings = [m for m in club.messages() if f"<@{sleeper.id}>" in text_of(m)]
        assert len(pings) == 1
        assert "Your hand is in the channel now" in text_of(club.hand(sleeper)), "the old one is not left as it was"
        shown = await club.press(sleeper, club.table_message(), Verb.HAND)
        await club.act(sleeper, message=reply(shown))
        assert club.table().version > table.version


@every_game
async def test_who_has_left_the_server_is_replaced_by_a_computer_l1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno, club.carla)
        gone = club.on_turn()
        await club.clock.advance(3 * MINUTE)
        guild = club.bot.get_guild(club.guild.id)
        assert guild is not None
        await (await guild.fetch_member(gone.id)).kick()
        club.env.inject_error("POST", "/channels/*/messages", status=403, code=50278, message="No mutual", times=1)
        seat = club.seat(gone)
        await club.clock.advance(50_000)  # the reminder is a new message, and finds out
        assert club.table().players[seat].away
        assert club.table().live


@pytest.mark.parametrize("started", [False, True])
async def test_a_table_where_nothing_happens_for_a_day_is_closed_with_a_word(club: Club, started: bool) -> None:
    """Whether the bot runs all day or not."""
    await club.open(club.anna, club.bruno, start=started)
    table = club.table()
    club.clock.forget()
    await club.clock.advance(DAY - MINUTE)
    await club.restart()
    assert club.running
    await club.clock.advance(MINUTE + 1_000)
    assert not club.running
    assert "Nothing has happened at the table for a day" in text_of(club.messages()[-1])
    kept = await club.bot.store.load_table(table.id)
    assert kept is not None
    assert (kept.ending, kept.state) == (Ending.IDLE, table.state)
    await club.open(club.bruno, club.anna)  # nobody is a ghost
    assert club.table().phase is Phase.PLAYING


# Channels, servers, permissions


@pytest.mark.parametrize("kind", ["channel", "thread"])
async def test_the_channel_is_deleted_and_the_game_ends_with_a_word(club: Club, kind: str) -> None:
    place = club.thread() if kind == "thread" else club.channel
    await club.anna.slash(place, "play", game=club.case.game)
    await club.press(club.bruno, club.table_message(place), Verb.JOIN)
    await club.press(club.anna, club.table_message(place), Verb.START)
    table = club.table(place)
    club.env.backend.delete_channel(place.id)
    await club.env.settle()
    kept = await club.bot.store.load_table(table.id)
    assert kept is not None
    assert kept.ending is Ending.REMOVED
    for person in (club.anna, club.bruno):
        assert "ended early" in text_of(club.hand(person))
    assert club.bot.reconciler.table_count == 0


def hide(club: Club, place: ChannelHandle) -> None:
    """Discord says from now on that it does not know *place*."""
    for path in (f"/channels/{place.id}", f"/channels/{place.id}/*"):
        club.env.inject_error("*", path, status=404, code=10003, message="Unknown Channel", times=None)
    club.env.inject_error("PATCH", "/webhooks/*", status=404, code=10015, message="Unknown Webhook", times=None)


async def in_archived_thread(club: Club) -> ChannelHandle:
    """A game runs in a thread that is archived and locked, so that the bot's cache does not have it."""
    place = club.thread()
    await club.anna.slash(place, "play", game=club.case.game)
    await club.press(club.bruno, club.table_message(place), Verb.JOIN)
    await club.press(club.anna, club.table_message(place), Verb.START)
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    thread = guild.get_thread(place.id)
    assert thread is not None
    await thread.edit(archived=True, locked=True)  # else it would be reopened at once
    await club.env.settle()
    assert guild.get_thread(place.id) is None
    return place


async def move_in_thread(club: Club, place: ChannelHandle) -> TableId:
    """Whoever is on turn makes a move at the table in *place*; return its id."""
    table = club.table(place)
    seat = club.rules.on_turn(table.state)
    assert seat is not None
    await club.bot.tables.update_player(table.id, club.anna.id, name="anna b")
    await club.env.settle()
    return table.id


async def test_a_channel_that_discord_denies_twice_is_deleted_and_the_game_ends(club: Club) -> None:
    place = await in_archived_thread(club)
    hide(club, place)
    table = await move_in_thread(club, place)
    assert (await club.bot.tables.get(table)).live, "one answer is not enough"
    await club.clock.advance(MINUTE + 1)
    kept = await club.bot.store.load_table(table)
    assert kept is not None
    assert kept.ending is Ending.REMOVED


async def test_a_channel_that_discord_denies_once_is_not_deleted(club: Club) -> None:
    place = await in_archived_thread(club)
    hide(club, place)
    table = await move_in_thread(club, place)
    club.env.backend.faults.clear()
    await club.clock.advance(3 * MINUTE)
    assert (await club.bot.tables.get(table)).live
    assert "anna b" in text_of(club.table_message(place)), "it is brought up to date"


async def test_a_channel_that_the_cache_has_is_not_deleted_whatever_discord_answers(club: Club) -> None:
    """https://github.com/discord/discord-api-docs/issues/1304"""
    await club.open(club.anna, club.bruno)
    hide(club, club.channel)
    await club.act(club.on_turn())
    await club.clock.advance(10 * MINUTE)
    club.env.backend.faults.clear()
    await club.act(club.on_turn())
    await club.clock.advance(20 * MINUTE)
    assert club.status() in text_of(club.table_message())


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (403, 50001), (400, 160005)])
async def test_permissions_taken_or_the_thread_locked_and_given_back(club: Club, status: int, code: int) -> None:
    """Meanwhile the game goes on in the hands; Discord is not hammered; afterwards the table is up to date."""
    await club.open(club.anna, club.bruno)
    table_message, ply = club.table_message().id, club.ply
    await club.clock.advance(20 * MINUTE)  # no token is fresh any more: the table is edited with the bot's own
    channel = f"/channels/{club.channel.id}/messages*"
    club.env.inject_error("PATCH", channel, status=status, code=code, message="Missing Permissions", times=None)
    before = len(club.env.http_requests)
    for number in range(6):
        if number < 3:
            await club.act(club.on_turn())
        else:
            await club.bot.tables.update_player(club.table().id, club.anna.id, name=f"anna {number}")
        await club.clock.advance(5_000)
    assert club.ply == ply + 3
    refused = [r for r in club.env.http_requests[before:] if f"/channels/{club.channel.id}/" in r.path]
    assert 1 <= len(refused) <= 3
    club.env.backend.faults.clear()
    await club.clock.advance(2 * MINUTE)
    assert club.table_message().id == table_message
    assert club.status() in text_of(club.table_message())
    assert "anna 5" in text_of(club.table_message())


async def test_removed_from_the_server_and_invited_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    table = club.table()
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    await club.bot.events.on_guild_remove(guild)
    await club.env.settle()
    kept = await club.bot.store.load_table(table.id)
    assert kept is not None
    assert kept.ending is Ending.REMOVED
    assert "ended early" in text_of(club.hand(club.anna))
    await club.open(club.anna, club.bruno)
    await up_to_date(club)


# The store


# One bad thing stays one: it does not take the others down.


async def test_an_event_that_cannot_be_read_is_left_out(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """discord.py parses events outside of any boundary: what is raised there ends the connection and the process."""
    await club.open(club.anna, club.bruno)
    club.bot._connection.parsers["CHANNEL_UPDATE"]({"secret-token": "hm"})
    said = [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR]
    assert said == ["event not understood"]
    assert "secret-token" not in caplog.text.partition("Traceback")[0]
    await club.act(club.on_turn())


@pytest.mark.parametrize("status", [400, 500])
async def test_commands_that_discord_refuses_stop_no_game_and_are_registered_later(club: Club, status: int) -> None:
    await club.open(club.anna, club.bruno)
    club.env.inject_error("PUT", "/applications/*/commands", status=status, code=0, message="no", times=1)
    await club.restart()
    await club.act(club.on_turn())
    start = len(club.env.http_requests)
    await club.clock.advance(SYNC_RETRY_MS)
    assert [r.method for r in club.env.http_requests[start:] if r.path.endswith("/commands")] == ["PUT"]
    assert isinstance(club.bot, discord.Client)
