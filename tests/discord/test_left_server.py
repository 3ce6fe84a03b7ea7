"""Whoever has left the server, or was made to, still has buttons in their direct messages: they open no table there,
and sit down at none."""

from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.present.answers import REFUSALS
from bot.refusals import Why
from bot.tables.limits import LOOKED_MS
from tests.discord.messages import reply, said
from tests.discord.play import Club

NO = REFUSALS[Why.NOT_A_MEMBER]


async def kick(club: Club, person: MemberActor) -> None:
    guild = club.bot.get_guild(club.channel.guild.id)
    assert guild is not None
    await (await guild.fetch_member(person.id)).kick()


async def test_they_open_no_rematch(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    await kick(club, club.bruno)
    assert NO in said(await club.press(club.bruno, club.hand(club.bruno), Verb.REMATCH))
    assert not club.running
    await club.press(club.anna, club.hand(club.anna), Verb.REMATCH)
    assert club.running


async def test_they_take_no_seat_at_the_rematch(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    await kick(club, club.bruno)
    before = club.table()
    assert NO in said(await club.press(club.bruno, club.hand(club.bruno), Verb.JOIN))
    assert club.table() == before


async def test_they_do_not_come_back_to_their_game(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    sure = await club.press(club.bruno, reply(menu), Verb.LEAVE)
    await club.press(club.bruno, reply(sure), Verb.LEAVE_FOR_SURE)
    hand = club.hand(club.bruno)
    await kick(club, club.bruno)
    assert NO in said(await club.press(club.bruno, hand, Verb.COME_BACK))
    assert club.table().players[club.seat(club.bruno)].automatic


async def test_a_lobby_that_only_somebody_who_has_left_holds_blocks_nobody(club: Club) -> None:
    await club.open(club.anna, start=False)
    before = club.table()
    refused = await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert "already" in said(refused)
    assert club.table() == before, "she is still there"
    await club.clock.advance(LOOKED_MS)
    await kick(club, club.anna)
    await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert club.table().id != before.id
    assert club.table().host == club.bruno.id


async def test_a_game_without_a_clock_that_only_somebody_who_has_left_plays_blocks_nobody(club: Club) -> None:
    await club.open(club.anna, computers=club.rules.seats[0] - 1)
    before = club.table()
    await kick(club, club.anna)
    await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert club.table().id != before.id


async def test_whoever_is_still_there_keeps_the_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await kick(club, club.anna)
    await club.carla.slash(club.channel, "play", game=club.case.game)
    assert club.table().host == club.bruno.id
    assert club.table().seat_of(club.anna.id) is None


async def test_no_rematch_is_opened_where_the_channel_is_deleted(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    hand = club.hand(club.anna)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    answer = await club.press(club.anna, hand, Verb.REMATCH)
    assert REFUSALS[Why.CHANNEL_GONE] in said(answer)
    assert not club.bot.tables.live_of()
