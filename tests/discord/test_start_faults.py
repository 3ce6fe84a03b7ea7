"""Between *Start* and the first card Discord, the store or the bot fails, or somebody deletes a message: the game
begins with one deal message and one table message, or the table is back in the lobby and can be started again."""

import re
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bot.delivery.slots import DEAL, TABLE
from bot.store.store import Handle
from bot.tables.model import Phase
from bot.tables.start import STARTING_MS
from bot.ui.custom_ids import Verb
from engine.verify import PlayerNotes, verify
from tests.bot.logs import captured_log
from tests.discord.messages import components_json, expected_components_json, text_of, verbs
from tests.discord.play import Club
from tests.discord.starting import Channel, begun, pressed, refuse, waits
from tests.discord.test_dealing import code, lobby, record_of
from tests.discord.world import DEAL_NOTE, EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here

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
    with captured_log():
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
    with captured_log():
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
    noted = PlayerNotes(code(await club.fair_page(club.anna)), code(fixed, "Deal"), board.id)
    await club.finish()
    verify(await record_of(club, table.id), noted)


@pytest.mark.parametrize("restart", [False, True])
async def test_somebody_deletes_the_table_message_before_the_cards_are_dealt(club: Club, restart: bool) -> None:
    """A new one takes its place; the cards follow from the first one."""
    old = await lobby(club)
    writes = Writes(club, 1)
    with captured_log():
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
    assert components_json(new) == expected_components_json(table, TABLE, new.id)
    await club.finish()
    verify(await record_of(club, table.id), PlayerNotes(code(old), code(fixed, "Deal"), board.id))


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
    await club.bot.store.save_handle(club.table().id, late)
    channel.takes = None
    await club.restart()
    assert club.table().phase is Phase.PLAYING
    assert code(await club.fair_page(club.anna)).startswith(code(old))
    await club.lobby_goes()
    assert earlier.id not in [message.id for message in club.messages()]
    await begun(club)


async def test_a_lobby_whose_place_is_not_recorded_is_replaced_while_the_game_starts(
    club: Club, channel: Channel
) -> None:
    channel.takes = 0
    await pressed(club)
    lost = club.messages()[0]
    club.env.backend.delete_message(lost.channel.id, lost.id)
    await club.bot.store.delete_handle(club.table().id, TABLE)
    channel.takes = None
    await club.restart()
    await begun(club)


async def test_a_lobby_waits_no_longer_because_a_message_of_the_start_was_refused(club: Club, channel: Channel) -> None:
    """The wait doubles with every refusal in a row, but it is another message."""
    old = await lobby(club)
    channel.takes = 1
    await club.press(club.anna, old, Verb.START)
    refuse(club, 403, 50013)
    club.env.inject_error("PATCH", "*", status=403, code=50013, message="No", times=None)
    channel.takes = None
    await club.clock.advance(STARTING_MS)
    assert not club.table().starting
    assert IN_VAIN not in text_of(club.as_it_is(old))
    club.env.backend.faults.clear()
    await club.clock.advance(MINUTE + 1_000)
    assert IN_VAIN in text_of(club.as_it_is(old))
