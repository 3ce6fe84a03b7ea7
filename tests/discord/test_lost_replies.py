"""A process dies after it has answered with a new table message, and before it has recorded where that is."""

from collections.abc import Awaitable, Callable

import pytest

from bot.custom_ids import Verb, parse
from bot.delivery.slots import REPLY
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.store.store import Handle
from tests.bot.logs import written
from tests.controls import components
from tests.discord.play import Club

DEAD = {
    "no_insert": "BEFORE INSERT ON messages WHEN NEW.slot = 'table'",
    "no_update": "BEFORE UPDATE ON messages WHEN NEW.slot = 'table'",
    "no_delete": "BEFORE DELETE ON messages WHEN OLD.slot = 'reply'",
}
"""What a dead process does not do any more."""


async def die_before_it_is_recorded(club: Club, asked: Callable[[], Awaitable[object]]) -> None:
    """The answer to what is *asked* is sent, but not recorded; then the bot starts again."""
    write = club.bot.store._database.write
    for name, when in DEAD.items():
        trigger = f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, 'dead'); END"
        await write(lambda it, trigger=trigger: it.exec_driver_sql(trigger))
    with written():
        await asked()
    for name in DEAD:
        await write(lambda it, name=name: it.exec_driver_sql(f"DROP TRIGGER {name}"))
    await club.restart()
    await club.clock.advance(5_000)


def boards(club: Club) -> list[int]:
    """The messages in the channel with a menu of the live table."""
    table = club.table().id
    return [
        message.id
        for message in club.messages()
        for component in components(message)
        if (press := parse(str(component.get("custom_id", "")))) and press.verb is Verb.MENU and press.table == table
    ]


async def test_a_lobby_whose_place_was_not_recorded_is_found_again(club: Club) -> None:
    await die_before_it_is_recorded(club, lambda: club.anna.slash(club.channel, "play", game=club.case.game))
    assert len(boards(club)) == 1
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    assert club.table().seat_of(club.bruno.user.id) == 1


async def test_a_rematch_whose_place_was_not_recorded_is_found_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()
    over = club.messages()[-1]
    await die_before_it_is_recorded(club, lambda: club.press(club.anna, over, Verb.REMATCH))
    assert len(boards(club)) == 1


async def test_a_table_that_was_brought_down_is_there_once(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await die_before_it_is_recorded(club, lambda: club.anna.slash(club.channel, "table show"))
    assert len(boards(club)) == 1


@pytest.mark.parametrize("late", [False, True])
async def test_if_there_was_no_answer_there_is_none_to_find(club: Club, late: bool) -> None:
    """Discord knows no answer to it, or it is too late to ask."""
    await club.open(club.anna, club.bruno)
    before, table = boards(club), club.table().id
    at = club.clock.now() - late * TOKEN_LIFE_MS
    await club.bot.store.put_handle(table, Handle(REPLY, club.channel.id, before[0] + 1, "unanswered", at))
    await club.restart()
    await club.clock.advance(5_000)
    assert boards(club) == before
    assert REPLY not in {handle.slot for handle in await club.bot.store.handles(table)}
