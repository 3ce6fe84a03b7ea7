"""What to do about one message: it follows from the table, and from what is known of the message."""

from typing import Any

import pytest

from bot.clock import DISCORD_EPOCH
from bot.delivery.plan import (
    INACTIVE_MS,
    LAST_EDIT_MS,
    MessageAction,
    MessageState,
    decide_action,
    due_notification,
    render_slot,
)
from bot.delivery.slots import (
    TABLE,
    dm_hand_slot,
    ephemeral_hand_slot,
    mention_slot,
    superseded_hand_slot,
    superseded_table_slot,
)
from bot.store.store import Handle
from bot.tables import leaving
from bot.tables.model import Ending, Table
from engine.game import Seat
from tests.bot.calling import FOUR, call, table
from tests.bot.tables import NOW, on_turn, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
NOWHERE = MessageState(None, None, 0, 0, "", None)


def shown(it: Table, slot: str, **changes: Any) -> MessageState:
    """The message of *slot*, showing *it* as it is now."""
    sheet = render_slot(it, slot, 7, live=slot != TABLE)
    known = MessageState(Handle(slot, 1, 2, "token", NOW), sheet.fingerprint(), 0, 0, "", 7)
    return known._replace(**changes)


@every_game
def test_what_is_wanted_and_nowhere_is_created(game: str) -> None:
    it = started(game)
    for slot in (TABLE, dm_hand_slot(Seat(0))):
        assert decide_action(it, slot, NOWHERE, NOW).do is MessageAction.CREATE
    assert decide_action(it, ephemeral_hand_slot(Seat(0)), NOWHERE, NOW).do is MessageAction.NOTHING, (
        "it opens behind a button alone"
    )


@every_game
def test_what_shows_it_already_is_left_alone_and_what_does_not_is_edited(game: str) -> None:
    it = started(game)
    for slot in (TABLE, dm_hand_slot(Seat(1)), ephemeral_hand_slot(Seat(0))):
        assert decide_action(it, slot, shown(it, slot), NOW).do is MessageAction.NOTHING
        edit = decide_action(it, slot, shown(it, slot, shown=None), NOW)
        assert edit.do is MessageAction.EDIT
        assert edit.sheet is not None
        assert edit.fingerprint == edit.sheet.fingerprint() == shown(it, slot).shown


@every_game
def test_a_notice_stands_until_the_next_version(game: str) -> None:
    it = started(game)
    slot = dm_hand_slot(on_turn(it))
    read = shown(it, slot, shown=b"with a notice", notice_at=it.version)
    assert decide_action(it, slot, read, NOW).do is MessageAction.NOTHING
    late = read._replace(shown=None)
    assert decide_action(it, slot, late, NOW).do is MessageAction.EDIT, (
        "an edit that began before may have come after the notice"
    )
    assert decide_action(it._replace(version=it.version + 1), slot, read, NOW).do is MessageAction.EDIT


@every_game
def test_who_is_on_turn_and_asleep_gets_a_new_message_once(game: str) -> None:
    it = started(game)
    seat, late = on_turn(it), NOW + INACTIVE_MS + 1
    slot = dm_hand_slot(seat)
    assert decide_action(it, slot, shown(it, slot), late - 1).do is MessageAction.NOTHING
    assert decide_action(it, slot, shown(it, slot), late).do is MessageAction.SEND_AGAIN
    told = Handle(slot, 1, 2, told=due_notification(it, seat))
    assert decide_action(it, slot, shown(it, slot, handle=told), late).do is MessageAction.NOTHING
    reminded = it._replace(reminded=it.turn_began)
    assert decide_action(reminded, slot, shown(reminded, slot, handle=told), NOW).do is MessageAction.SEND_AGAIN


@every_game
def test_mentions_and_replaced_messages_have_one_thing_to_do(game: str) -> None:
    it = started(game)
    assert decide_action(it, mention_slot(Seat(0)), NOWHERE, NOW).do is MessageAction.PING
    assert decide_action(it, superseded_table_slot(5), NOWHERE, NOW).do is MessageAction.DELETE


@every_game
def test_an_old_hand_goes(game: str) -> None:
    assert decide_action(started(game), superseded_hand_slot(5, Seat(0)), NOWHERE, NOW).do is MessageAction.DELETE


@every_game
def test_a_message_of_nearly_an_hour_is_replaced_while_it_changes_often_30046(game: str) -> None:
    """Discord takes about three edits in six seconds of messages older than an hour, and answers 429 to the others
    (https://docs.discord.com/developers/topics/opcodes-and-status-codes, error 30046)."""
    it = started(game)
    for slot in (TABLE, dm_hand_slot(Seat(1))):
        for age, ago, do in ((50, 2, MessageAction.EDIT), (56, 60, MessageAction.EDIT), (56, 2, MessageAction.RENEW)):
            message = NOW - DISCORD_EPOCH - age * 60_000 << 22
            known = shown(it, slot, shown=None, handle=Handle(slot, 1, message), edited_at=NOW - ago * 1000)
            assert decide_action(it, slot, known, NOW).do is do


@every_game
def test_an_ephemeral_hand_has_a_last_word_before_its_token_expires(game: str) -> None:
    it = started(game)
    slot = ephemeral_hand_slot(on_turn(it))
    for age, do in ((LAST_EDIT_MS - 1, MessageAction.NOTHING), (LAST_EDIT_MS, MessageAction.LAST_EDIT)):
        known = shown(it, slot, handle=Handle(slot, 1, 2, "token", NOW - age))
        assert decide_action(it, slot, known, NOW).do is do


@every_game
def test_a_table_that_is_over_is_shown_once_more_but_not_made_anew(game: str) -> None:
    before = started(game)
    over = leaving.close_table(before, Ending.IDLE)
    assert decide_action(over, TABLE, shown(before, TABLE), NOW).do is MessageAction.EDIT
    assert decide_action(over, TABLE, NOWHERE, NOW).do is MessageAction.NOTHING


@pytest.mark.about("diciassette")
def test_while_the_call_window_is_open_the_table_message_stays_d9() -> None:
    before = table(FOUR)
    called = call(before, 2, at=NOW).table
    assert decide_action(called, TABLE, shown(before, TABLE), NOW).do is MessageAction.NOTHING
    assert decide_action(called, TABLE, shown(before, TABLE, shown=None), NOW).do is MessageAction.EDIT, (
        "after a restart"
    )
