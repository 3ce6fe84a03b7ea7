"""The table message is brought down while something else happens."""

import asyncio

import pytest

from bot.custom_ids import Verb
from bot.delivery.throttle import Throttle
from bot.tables import leaving
from tests.discord.messages import reply
from tests.discord.play import Club
from tests.process.waiting import eventually

MINUTE = 60_000


async def test_a_table_that_ends_before_it_is_brought_down_stays_where_it_is(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """No apology: the old message says that the game is over."""
    await club.open(club.anna, club.bruno)
    await club.lobby_goes()
    before, table = club.table_message(), club.table()
    menu = await club.press(club.anna, before, Verb.MENU)
    slow = club.bot.courier._throttle = Throttle(0.01, 1)
    await slow.turn()
    pressed = asyncio.create_task(club.press(club.anna, reply(menu), Verb.DOWN_HERE))
    await eventually(lambda: slow.waiting, "the new message to wait for its turn")
    await club.bot.tables.change(
        table.id, "end", club.bruno.id, lambda it: leaving.end(it, club.bruno.id, "Bruno", True)
    )
    club.bot.courier._throttle = Throttle(None)
    slow._serve()
    await pressed
    assert not [line for line in caplog.records if line.exc_info]
    await club.clock.advance(5_000)
    assert not (await club.bot.tables.get(table.id)).live
    assert club.messages()[-1].id == before.id


@pytest.mark.parametrize(("status", "code"), [(503, 0), (400, 30046), (403, 50001)])
async def test_an_old_table_message_that_cannot_say_so_goes_r9(club: Club, status: int, code: int) -> None:
    """Else two messages look like the table, and one of them never changes again."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * MINUTE)
    old = club.table_message()
    path = f"/channels/{club.channel.id}/messages/{old.id}"
    club.env.inject_error("PATCH", path, status=status, code=code, message="No", times=None)
    await club.bruno.slash(club.channel, "table show")
    await club.clock.advance(MINUTE)
    club.env.backend.faults.clear()
    await club.clock.advance(10 * MINUTE)
    assert club.table_message().id != old.id
    assert old.id not in [message.id for message in club.messages()]
