"""A *Start* for which no message could be sent: the table is a lobby again and says so, and its deal message goes."""

import re

import pytest

from bot.custom_ids import Verb
from bot.delivery.slots import DEAL
from bot.store.store import Handle
from bot.tables.dealing import STARTING_MS
from bot.tables.model import Phase
from tests.discord.messages import text_of, verbs
from tests.discord.play import Club
from tests.discord.starting import Channel, begun, pressed, refuse
from tests.discord.test_dealing import code, lobby

MINUTE = 60_000
IN_VAIN = "The game could not start"


@pytest.mark.parametrize("fault", [(503, 0), (403, 50013)])
@pytest.mark.parametrize("takes", [0, 1])
async def test_after_a_minute_the_table_is_back_in_the_lobby_with_a_new_secret(
    club: Club, channel: Channel, fault: tuple[int, int], takes: int
) -> None:
    old = await lobby(club)
    await club.cut(club.anna, "in vain")
    if takes:
        channel.takes = takes
    else:
        refuse(club, *fault)
    await club.press(club.anna, old, Verb.START)
    if takes:
        refuse(club, *fault)
        channel.takes = None
    await club.clock.advance(STARTING_MS)
    assert not club.table().starting
    assert club.table_message().id == old.id
    assert Verb.START in verbs(club.table_message())
    assert IN_VAIN in text_of(club.table_message())
    assert ("/doctor" in text_of(club.table_message())) is (fault[1] == 50013), "it says why"
    again = code(club.table_message())
    assert again != code(old)
    assert "✂️" not in text_of(club.table_message())
    club.env.backend.faults.clear()
    await club.clock.advance(3 * MINUTE)
    assert not club.table().starting, "nobody has pressed it again"
    assert [message.id for message in club.messages()] == [old.id], "no cards are dealt below"
    assert sent_in_vain(club) == takes
    await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    assert IN_VAIN not in text_of(club.table_message())
    await club.in_menu(club.anna, Verb.REMOVE_COMPUTER)
    await club.press(club.bruno, club.table_message(), Verb.START)
    assert code(await club.fair_page(club.anna)).startswith(again)
    await begun(club)


def sent_in_vain(club: Club) -> int:
    """How many messages of the bot were deleted in the channel."""
    path = rf"/channels/{club.channel.id}/messages/\d+"
    return sum(r.method == "DELETE" and bool(re.fullmatch(path, r.path)) for r in club.env.http_requests)


@pytest.mark.parametrize("restart", [False, True])
async def test_a_deal_message_in_vain_is_deleted_never_edited(club: Club, channel: Channel, restart: bool) -> None:
    """Also by a bot that starts again just then."""
    channel.takes = 1
    await pressed(club)
    fixed = club.deal_message()
    refuse(club, 403, 50013)
    channel.takes = None
    await club.clock.advance(STARTING_MS)
    if restart:
        await club.restart()
    await club.clock.advance(MINUTE)
    assert fixed.id not in [message.id for message in club.messages()]
    assert [r.method for r in club.env.http_requests if str(fixed.id) in r.path] == ["DELETE"]


async def test_a_deal_message_of_an_earlier_start_counts_for_nothing(club: Club, channel: Channel) -> None:
    """It was sent long after its Start: when Discord said so, the table had been started again."""
    old = await lobby(club)
    earlier = await club.carla.send(club.channel, "the deal of an earlier start")
    channel.takes = 0
    await club.press(club.anna, old, Verb.START)
    late = Handle(DEAL, club.channel.id, earlier.id, told=club.table().turn_began - 1)
    await club.bot.store.put_handle(club.table().id, late)
    channel.takes = None
    await club.restart()
    assert club.table().phase is Phase.PLAYING
    assert code(await club.fair_page(club.anna)).startswith(code(old))
    await club.lobby_goes()
    assert earlier.id not in [message.id for message in club.messages()]
    await begun(club)
