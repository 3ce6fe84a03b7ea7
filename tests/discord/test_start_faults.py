"""Between *Start* and the first card Discord, the store or the bot fails, or somebody deletes a message: the game
begins with one deal message and one table message, or the table is back in the lobby and can be started again."""

from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bot.custom_ids import Verb
from bot.delivery.slots import TABLE
from bot.tables.model import Phase
from engine.verify import Noted, verify
from tests.bot.logs import written
from tests.discord.messages import drawn, shown, text_of
from tests.discord.play import Club
from tests.discord.starting import Channel, begun, pressed, waits
from tests.discord.test_dealing import code, lobby, record_of
from tests.discord.world import DEAL_NOTE, EN

# Discord


@pytest.mark.parametrize("takes", [0, 1])
async def test_discord_is_busy_for_a_while(club: Club, channel: Channel, takes: int) -> None:
    """With the deal message, or after it."""
    channel.takes = takes
    await pressed(club)
    await club.clock.advance(20_000)
    assert waits(club)
    assert EN("🃏 The cards are being dealt…") in text_of(club.messages()[0])
    assert len(club.messages()) == 1 + takes
    channel.takes = None
    await club.clock.advance(20_000)
    await begun(club)


@pytest.mark.parametrize("takes", [0, 1])
async def test_what_discord_has_taken_without_a_word_is_not_sent_twice(
    club: Club, channel: Channel, takes: int
) -> None:
    channel.takes, channel.silent = takes, True
    await pressed(club)
    await club.clock.advance(5_000)
    assert waits(club)
    assert len(club.messages()) == 2 + takes
    channel.takes = None
    await club.clock.advance(20_000)
    await begun(club)


# The bot and the store


class Writes:
    """The store, which takes so many more changes of tables, and then no other ones."""

    def __init__(self, club: Club, takes: int) -> None:
        self.takes = takes
        self._engine = club.bot.store.sync_engine
        sa.event.listen(self._engine, "before_cursor_execute", self._check)

    def _check(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("UPDATE tables"):
            if self.takes == 0:
                raise OperationalError(statement, {}, Exception("database is locked"))
            self.takes -= 1

    def all(self) -> None:
        """From now on it takes all."""
        sa.event.remove(self._engine, "before_cursor_execute", self._check)


async def test_the_store_does_not_take_the_deal_for_a_while(club: Club) -> None:
    old = await lobby(club)
    writes = Writes(club, 1)
    with written():
        await club.press(club.anna, old, Verb.START)
        await club.clock.advance(3_000)
    assert waits(club)
    writes.all()
    await club.clock.advance(10_000)
    await begun(club)


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("takes", [0, 1])
async def test_the_bot_dies_before_a_message_is_sent_or_recorded(
    club: Club, channel: Channel, takes: int, silent: bool
) -> None:
    """Before the deal message, or between the two."""
    channel.takes, channel.silent = takes, silent
    await pressed(club)
    assert waits(club)
    channel.takes = None
    await club.restart()
    await begun(club)


async def test_the_bot_dies_after_both_messages_before_the_cards(club: Club) -> None:
    old = await lobby(club)
    Writes(club, 1)
    with written():
        await club.press(club.anna, old, Verb.START)
    assert waits(club)
    assert len(club.messages()) == 3
    await club.restart()
    await begun(club)


# Somebody deletes a message


@pytest.mark.parametrize("takes", [0, 1])
async def test_somebody_deletes_the_lobby_while_the_game_starts(club: Club, channel: Channel, takes: int) -> None:
    channel.takes = takes
    await pressed(club)
    gone = club.messages()[0]
    club.env.backend.delete_message(gone.channel.id, gone.id)
    channel.takes = None
    await club.clock.advance(10_000)
    await begun(club)


async def test_somebody_deletes_the_deal_message_while_the_game_starts(club: Club, channel: Channel) -> None:
    """The game begins; whoever deleted it has seen to it that nobody can read it."""
    channel.takes = 1
    await pressed(club)
    fixed = club.deal_message()
    club.env.backend.delete_message(fixed.channel.id, fixed.id)
    channel.takes = None
    await club.clock.advance(10_000)
    table, board = club.table(), club.table_message()
    assert table.phase is Phase.PLAYING
    assert [message.id for message in club.messages()] == [board.id]
    noted = Noted(code(await club.fair_page(club.anna)), code(fixed, "Deal"), board.id)
    await club.finish()
    verify(await record_of(club, table.id), noted)


@pytest.mark.parametrize("restart", [False, True])
async def test_somebody_deletes_the_table_message_before_the_cards_are_dealt(club: Club, restart: bool) -> None:
    """A new one takes its place; the cards follow from the first one."""
    old = await lobby(club)
    writes = Writes(club, 1)
    with written():
        await club.press(club.anna, old, Verb.START)
    fixed, board = club.messages()[1:]
    assert DEAL_NOTE in text_of(fixed)
    club.env.backend.delete_message(board.channel.id, board.id)
    writes.all()
    if restart:
        await club.restart()
    await club.clock.advance(10_000)
    table, new = club.table(), club.table_message()
    assert table.phase is Phase.PLAYING
    assert [message.id for message in club.messages()] == [fixed.id, new.id]
    assert shown(new) == drawn(table, TABLE, new.id)
    await club.finish()
    verify(await record_of(club, table.id), Noted(code(old), code(fixed, "Deal"), board.id))
