"""What waits for its turn while its table comes to an end."""

import asyncio

import pytest

from bot.custom_ids import Verb
from bot.delivery.throttle import Throttle
from bot.tables import leaving
from tests.discord.play import Club
from tests.process.waiting import eventually


async def let_one_go(slow: Throttle) -> None:
    """Have *slow* let the next request go that is still wanted."""
    slow._free_at = 0.0
    slow._serve()
    await asyncio.sleep(0)


async def test_hands_of_a_game_that_is_over_are_not_sent_any_more_f11(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """Those of games that go on would wait for them."""
    await club.open(club.anna, club.bruno, start=False)
    await club.lobby_goes()
    slow = club.bot.courier._throttle = Throttle(0.01, 1)
    await slow.turn()
    pressed = asyncio.create_task(club.press(club.anna, club.table_message(), Verb.START))
    channels = "/users/@me/channels"
    while [request.path for request in club.env.http_requests].count(channels) < 2:
        await eventually(lambda: slow.waiting, "a request to wait for its turn")
        await let_one_go(slow)
    await eventually(lambda: slow.waiting, "the second hand to wait for its turn")
    table, anna = club.table().id, club.anna.id
    await club.bot.tables.change(table, "end", anna, lambda it: leaving.end(it, anna, "Anna", True))
    club.bot.courier._throttle = Throttle(None)
    while slow.waiting:
        await let_one_go(slow)
    await pressed
    await club.clock.advance(60_000)
    assert not (await club.bot.tables.get(table)).live
    assert club.got(club.bruno) == 0
    assert not [line for line in caplog.records if line.exc_info]
