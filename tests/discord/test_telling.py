"""Being told, the clock, and how few requests it takes."""

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.delivery.messages import DELETE_DELAY_MS
from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from engine.game import Seat
from tests.discord.messages import reply, text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.test_me import prefer
from tests.discord.world import EN, dms
from tests.process.waiting import eventually

CLOCK = Options(pace=Pace.OFF, turn_seconds=300, window_ms=0, hold_ms=0)
NORMAL = Options(pace=Pace.NORMAL, turn_seconds=0)


async def test_who_is_active_just_sees_the_hand_light_up(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    await club.play_until_on_turn(second)
    assert club.dm_count(second) == 1
    assert "It is your turn" in text_of(club.hand(second))


async def test_who_was_away_for_two_minutes_gets_a_new_message_and_the_old_one_goes(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first, (second,) = club.on_turn(), club.others()
    old = club.hand(second).id
    await club.clock.advance(150_000)
    await club.play_until_on_turn(second)
    await club.clock.advance(DELETE_DELAY_MS)
    (again,) = dms(second)
    assert again.id != old
    assert "It is your turn" in text_of(again)
    await club.play_until_on_turn(first)
    await club.play_until_on_turn(second)
    assert [message.id for message in dms(second)] == [again.id]


async def test_the_token_of_the_last_click_deletes_the_old_hand_as_long_as_it_can(long_club: Club) -> None:
    """So that takes no counted request."""
    club = long_club
    await club.open(club.anna, club.bruno)
    first, (second,) = club.on_turn(), club.others()
    await club.play_until_on_turn(second)
    for minutes, counts in ((5, False), (20, True)):
        await club.play_until_on_turn(first)  # with a click by second
        await club.clock.advance(minutes * 60_000)
        old, start = club.hand(second), len(club.env.http_requests)
        await club.play_until_on_turn(second)
        assert club.hand(second).id != old.id
        await club.clock.advance(DELETE_DELAY_MS)
        (path,) = [r.path for r in club.env.http_requests[start:] if r.method == "DELETE"]
        assert path.endswith(str(old.id))
        assert path.startswith("/channels/") is counts
        assert len(dms(second)) == 1


async def test_who_takes_no_direct_messages_is_mentioned_once_and_the_mention_goes(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    second = await club.back_on_turn()
    pings = [m for m in club.messages() if f"<@{second.id}>" in text_of(m)]
    assert len(pings) == 1
    assert [user.id for user in pings[0].mentions] == [second.id]
    shown = await club.press(second, club.table_message(), Verb.HAND)
    while club.on_turn() is second:
        await club.act(second, message=reply(shown))
    assert not [m for m in club.messages() if f"<@{second.id}>" in text_of(m)]


@every_game
async def test_the_clock_warns_then_acts_then_takes_over_l1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno, club.carla)
        sleeper = club.on_turn()
        seat = club.seat(sleeper)
        first = club.hand(sleeper).id
        await club.clock.advance(225_000)
        await club.clock.advance(DELETE_DELAY_MS)
        assert [message.id == first for message in dms(sleeper)] == [False]
        await club.clock.advance(75_000 - DELETE_DELAY_MS)
        assert club.table().players[seat].timeouts == 1
        assert not club.table().players[seat].away
        await club.play_until_on_turn(sleeper)
        await club.clock.advance(300_000)
        assert club.table().players[seat].away
        assert "computer player has your seat" in text_of(club.hand(sleeper))
        await club.press(sleeper, club.hand(sleeper), Verb.COME_BACK)
        assert not club.table().players[seat].away


@every_game
async def test_a_process_that_stood_still_times_nobody_out(tmp_path: Path, game: str) -> None:
    """It was stopped, or the machine slept: nobody could play meanwhile."""
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno, club.carla)
        sleeper = club.on_turn()
        await club.clock.advance(100_000)
        await club.clock.stand_still(3_600_000)
        await club.clock.advance(120_000)
        assert club.on_turn() is sleeper
        assert club.table().players[club.seat(sleeper)].timeouts == 0
        await club.restart()
        await club.clock.advance(75_000)
        assert club.on_turn() is sleeper, "a restart knows of it too"
        await club.clock.advance(10_000)
        assert [player.timeouts for player in club.table().players if player.timeouts] == [1]


async def test_an_ephemeral_hand_says_when_it_is_no_longer_kept_up_to_date(club: Club) -> None:
    """Its token is valid for 15 minutes; it must not say for ever that it is not its owner's turn."""
    await club.open(club.anna, club.bruno)
    here = reply(await club.press(club.anna, club.table_message(), Verb.HAND))
    await club.clock.advance(13 * 60_000)
    assert "not up to date" not in text_of(club.as_it_is(here))
    await club.clock.advance(60_000)
    assert "not up to date" in text_of(club.as_it_is(here))
    again = reply(await club.press(club.anna, club.as_it_is(here), Verb.HAND))
    assert "not up to date" not in text_of(again)


async def test_a_move_takes_an_answer_and_an_edit_of_each_message_that_looks_different(club: Club) -> None:
    """All of them over fresh tokens, so that they do not count against the bot's own rate limit."""
    await club.open(club.anna, club.bruno, club.carla, club.people[3])
    await club.press(club.stranger, club.table_message(), Verb.MENU)
    waiting = set(club.people[:4])
    while waiting:  # whoever has clicked has a fresh token
        waiting.discard(club.on_turn())
        await club.act(club.on_turn())
    counted = 0
    for _ in range(24):
        player = club.on_turn()
        hand, offers = await club.offered(player)
        before, start = looks(club), len(club.env.http_requests)
        await club.use(player, hand, offers[-1])
        if not club.running:
            break
        others = {slot for slot, look in looks(club).items() if look != before[slot]} - {
            dm_hand_slot(club.seat(player))
        }
        sent = club.env.http_requests[start:]
        assert [r.json["type"] for r in sent if r.path.endswith("/callback")] == [7]
        edits = [r for r in sent if not r.path.endswith("/callback")]
        assert len(edits) == len(others)
        assert all(r.method == "PATCH" and "/webhooks/" in r.path for r in edits)
        counted += 1
    assert counted > 3


def looks(club: Club) -> dict[str, bytes]:
    """What every message of the table should look like."""
    table, message = club.table(), club.table_message().id
    slots = [TABLE, *(dm_hand_slot(Seat(seat)) for seat in range(len(table.players)))]
    return {slot: render_slot(table, slot, message, live=slot != TABLE).fingerprint() for slot in slots}


@every_game
async def test_a_click_in_the_beat_is_answered_at_once_and_edited_when_it_lands(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, NORMAL) as club:
        await club.open(club.anna, club.bruno)
        await club.rest(2_000)
        player = club.on_turn()
        answer = await club.act(player)
        assert answer.acknowledged
        held = club.table().held
        assert held is not None
        landing = club.presenter.hand.move_takes_effect_soon_line(club.rules.decode_action(held.action), EN)
        assert landing in text_of(club.hand(player))
        assert club.ply == 0
        await club.clock.advance(2_300)
        assert club.ply == 1
        assert landing not in text_of(club.hand(player))


@every_game
async def test_a_click_that_lands_soon_is_answered_once_when_it_has(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, NORMAL) as club:
        await club.open(club.anna, club.bruno)
        player = club.on_turn()
        hand, offers = await club.offered(player)
        await club.rest(250)
        before = len(club.env.http_requests)
        answer = await club.use(player, hand, offers[0])
        assert not answer.acknowledged
        await club.clock.advance(250)
        assert answer.acknowledged
        callbacks = [r for r in club.env.http_requests[before:] if r.path.endswith("/callback")]
        assert len(callbacks) == 1
        assert club.ply == 1


# What a phone's notification would say: an edit notifies nobody, and a message made of components has no words.


def created(club: Club, start: int = 0) -> list[dict[str, Any]]:
    """The bodies of new messages that may notify somebody, since the request number *start*."""
    sent = [r for r in club.env.http_requests[start:] if r.method == "POST" and r.path.endswith("/messages")]
    return [r.json for r in sent if not r.json.get("flags", 0) & 1 << 12]


async def test_the_message_of_a_hand_is_sent_with_a_sentence_and_edited_into_the_hand(club: Club) -> None:
    """https://github.com/discord/discord-api-docs/issues/7854"""
    await club.open(club.anna, club.bruno)
    title = EN(club.presenter.title)
    assert len(created(club)) == 2
    for body in created(club):
        assert body["content"].startswith(f"{title}: ")
        assert not body["components"]
    for person in club.seated():
        hand = dms(person)[-1]
        assert hand.content == ""
        assert hand.flags.components_v2
    await club.clock.advance(150_000)
    start = len(club.env.http_requests)
    (second,) = club.others()
    await club.play_until_on_turn(second)
    (body,) = created(club, start)
    assert body["content"] == f"{title}: it is your turn."
    assert "It is your turn" in text_of(club.hand(second))


async def test_when_that_edit_fails_the_sentence_stays_and_the_hand_comes_later(club: Club) -> None:
    club.env.inject_error("PATCH", "/channels/*", status=503, code=0, message="Busy", times=2)
    await club.open(club.anna, club.bruno)
    assert [club.dm_count(person) for person in club.seated()] == [1, 1]
    await club.clock.advance(5_000)
    assert "It is your turn" in text_of(club.hand(club.on_turn()))
    assert [club.dm_count(person) for person in club.seated()] == [1, 1]


async def test_a_mention_is_plain_has_a_link_and_says_when_it_is_done(club: Club) -> None:
    """A mention that is deleted would leave a notification of nothing."""
    await club.open(club.anna, club.bruno)
    second = await club.back_on_turn()
    (ping,) = [m for m in club.messages() if f"<@{second.id}>" in m.content]
    assert not ping.flags.components_v2
    assert "To the table" in text_of(ping)
    shown = await club.press(second, club.table_message(), Verb.HAND)
    while club.on_turn() is second:
        await club.act(second, message=reply(shown))
    done = club.as_it_is(ping)
    assert "Done" in done.content
    assert not [m for m in club.messages() if f"<@{second.id}>" in m.content]
    await club.clock.advance(150_000)
    await club.play_until_on_turn(second)
    assert ping.id not in [m.id for m in club.messages()], "at most one of them for each person"


async def mentioned(club: Club) -> tuple[MemberActor, discord.Message]:
    """(who is on turn and was mentioned, as they play in the channel; the mention)."""
    second = await club.back_on_turn()
    (ping,) = [m for m in club.messages() if f"<@{second.id}>" in m.content]
    return second, ping


async def plays_on(club: Club, person: MemberActor) -> None:
    """*person* opens their hand in the channel and plays until it is the turn of somebody else."""
    shown = await club.press(person, club.table_message(), Verb.HAND)
    while club.on_turn() is person:
        await club.act(person, message=club.opened(shown))


def edits_of(club: Club, message: discord.Message) -> int:
    """How often the bot has tried to edit *message*."""
    return sum(r.method == "PATCH" and r.path.endswith(f"/{message.id}") for r in club.env.http_requests)


async def test_a_mention_that_is_done_is_left_alone_while_its_person_plays_on(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    second, ping = await mentioned(club)
    await plays_on(club, second)
    assert edits_of(club, ping) == 1
    await club.play_until_on_turn(second)
    assert "Done" in club.as_it_is(ping).content
    assert edits_of(club, ping) == 1


@pytest.mark.about("diciassette", "twelve_days")  # there must be turns enough
@pytest.mark.parametrize(("status", "code"), [(404, 10008), (403, 50001)])
async def test_a_mention_that_cannot_be_marked_as_done_is_tried_once(club: Club, status: int, code: int) -> None:
    """Somebody has deleted it, or the bot may not see the channel any more."""
    await club.open(club.anna, club.bruno)
    second, ping = await mentioned(club)
    path = f"/channels/{club.channel.id}/messages/{ping.id}"
    club.env.inject_error("PATCH", path, status=status, code=code, message="No", times=None)
    await plays_on(club, second)
    await club.clock.advance(120_000)
    await club.play_until_on_turn(second)
    await plays_on(club, second)
    assert edits_of(club, ping) == 1


@every_game
async def test_a_mention_stands_as_long_as_it_is_their_turn_though_they_want_none(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno)
        second, ping = await mentioned(club)
        await prefer(club, second, telling="never")
        await club.clock.advance(226_000)
        assert club.table().reminded == club.table().turn_began
        assert club.on_turn() is second
        assert "Done" not in club.as_it_is(ping).content


async def test_a_mention_of_a_game_that_ended_early_is_done(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    _, ping = await mentioned(club)
    sure = await club.anna.slash(club.channel, "table end")
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    assert not club.running
    assert "Done" in club.as_it_is(ping).content


async def test_new_table_messages_notify_nobody(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.anna.slash(club.channel, "table show")
    start = len(club.env.http_requests)
    club.env.backend.delete_message(club.channel.id, club.table_message().id)
    await club.act(club.on_turn())
    assert club.table_message()
    assert not created(club, start)


async def test_a_hand_whose_response_was_lost_comes_once_though_the_turn_has_changed(club: Club) -> None:
    """When it is sent again it is for something else, but it is the same message."""
    for person in (club.anna, club.bruno):
        club.env.inject_error("POST", club.dm_path(person), status=503, code=0, message="Lost", times=1)
    await club.open(club.anna, club.bruno)
    first = nonces(club)
    opened = await club.press(club.on_turn(), club.table_message(), Verb.HAND)
    await club.act(club.on_turn(), message=reply(opened))
    await club.clock.advance(5_000)
    assert len(nonces(club)) > len(first), "it was sent again"
    assert set(nonces(club)) == set(first)


def nonces(club: Club) -> list[str]:
    """The nonces of all new messages so far."""
    return [r.json["nonce"] for r in club.env.http_requests if r.method == "POST" and r.path.endswith("/messages")]


async def test_who_has_left_the_game_gets_no_hand_in_place_of_a_deleted_one_until_they_are_back(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    gone = club.hand(club.bruno)
    club.env.backend.delete_message(gone.channel.id, gone.id)
    left = reply(await club.bruno.slash(club.channel, "table leave"))
    await club.press(club.bruno, left, Verb.LEAVE_FOR_SURE)
    assert dms(club.bruno) == []
    await club.bruno.slash(club.channel, "table return")
    await eventually(lambda: len(dms(club.bruno)) == 1, "a hand", 5)
