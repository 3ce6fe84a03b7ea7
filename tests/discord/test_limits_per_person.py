"""Nobody can spoil it for others: what one person and one server may take up."""

import asyncio

import pytest

from bot.tables.errors import Refusal, Why
from bot.tables.limits import OPENINGS_COUNT_MS, RESEND_PAUSE_MS, Limits
from bot.tables.model import Player
from bot.ui.custom_ids import Verb
from bot.ui.replies import REFUSALS
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.solo import Alone
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here

LIMITS = Limits()


def sentence(why: Why) -> str:
    """What the sentence for *why* begins with."""
    return REFUSALS[why].partition("{")[0]


async def test_one_person_hosts_only_so_many_tables(club: Club) -> None:
    await Alone(club, club.anna).open(start=False)
    channels = [club.guild.create_text_channel(f"table-{n}") for n in range(1, LIMITS.tables_per_person)]
    for channel in channels:
        await club.anna.slash(channel, "play", game=club.case.game)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    assert sentence(Why.TOO_MANY_TABLES) in private_text(answer)
    for place in (*(f"<#{it.id}>" for it in channels), "your direct messages with me"):
        assert place in private_text(answer), "where they are"
    assert not club.running
    await club.open(club.bruno, start=False)
    assert club.running


async def test_a_table_counts_for_who_opened_it_whoever_is_the_host_now(club: Club) -> None:
    """Otherwise leaving a lobby would use up somebody else's limit."""
    for number in range(LIMITS.tables_per_person):
        channel = club.guild.create_text_channel(f"table-{number}")
        await club.anna.slash(channel, "play", game=club.case.game)
        (board,) = club.messages(channel)
        await club.press(club.bruno, board, Verb.JOIN)
        await club.in_menu(club.anna, Verb.QUIT, message=club.as_it_is(board))
        assert club.table(channel).host == club.bruno.id
    assert sentence(Why.TOO_MANY_TABLES) in private_text(
        await club.anna.slash(club.channel, "play", game=club.case.game)
    )
    await club.open(club.bruno, start=False)
    assert club.running


async def test_one_person_opens_only_so_many_tables_in_ten_minutes(club: Club) -> None:
    for _ in range(LIMITS.opened_per_person):
        await club.anna.slash(club.channel, "play", game=club.case.game)
        await club.in_menu(club.anna, Verb.CANCEL)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    assert sentence(Why.TOO_OFTEN) in private_text(answer)
    await club.clock.advance(OPENINGS_COUNT_MS)
    await club.anna.slash(club.channel, "play", game=club.case.game)
    assert club.running


async def test_only_players_bring_the_table_message_down_and_not_again_and_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.lobby_goes()
    before = len(club.messages())
    menu = await club.press(club.carla, club.table_message(), Verb.MENU)
    refused = await club.press(club.carla, reply(menu), Verb.DOWN_HERE)
    assert club.refusal(Why.PLAYERS_ONLY) in private_text(refused)
    assert sentence(Why.PLAYERS_ONLY) in private_text(await club.carla.slash(club.channel, "table show"))
    assert len(club.messages()) == before
    await club.anna.slash(club.channel, "table show")
    assert sentence(Why.JUST_MOVED) in private_text(await club.bruno.slash(club.channel, "table show"))
    assert len(club.messages()) == before + 1
    await club.clock.advance(RESEND_PAUSE_MS)
    await club.bruno.slash(club.channel, "table show")
    assert len(club.messages()) == before + 2


async def test_nobody_is_drawn_into_a_rematch_l5(club: Club) -> None:
    """End, rematch, start, again and again: a person who clicked nothing got a direct message each time."""
    await club.open(club.anna, club.bruno, club.carla)
    before = club.dm_count(club.bruno)
    for _ in range(3):
        sure = await club.anna.slash(club.channel, "table end")
        over = club.table_message()
        await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
        await club.press(club.anna, club.as_it_is(over), Verb.REMATCH)
        assert "invited" in text_of(club.table_message())
        refused = await club.press(club.bruno, club.table_message(), Verb.ADD_COMPUTER)
        assert club.refusal(Why.PLAYERS_ONLY) in private_text(refused)
        await club.press(club.carla, club.table_message(), Verb.JOIN)
        await club.press(club.anna, club.table_message(), Verb.START)
        assert club.table().seat_of(club.bruno.id) is None
    assert club.dm_count(club.bruno) == before


async def test_tables_opened_at_the_same_moment_all_count_for_the_limit(club: Club) -> None:
    """Each of them is committed only after the others were checked."""
    host = Player("anna", club.anna.id)

    async def open_one(number: int) -> bool:
        try:
            await club.bot.tables.open_table(guild=1, channel=number, game=club.case.game, host=host, locale="en")
        except Refusal:
            return False
        return True

    opened = await asyncio.gather(*(open_one(number) for number in range(8)))
    assert sum(opened) == LIMITS.tables_per_person
