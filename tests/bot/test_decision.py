"""What to do about one message: it follows from the table, and from what is known of the message."""

from typing import Any

import pytest

from bot.clock import DISCORD_EPOCH
from bot.delivery.plan import INACTIVE_MS, LAST_WORD_MS, Do, Known, decide, due_notification, sheet_for
from bot.delivery.slots import TABLE, gone_slot, hand_slot, here_slot, old_slot, ping_slot
from bot.store.store import Handle
from bot.tables import leaving
from bot.tables.model import Ending, Table
from engine.game import Seat
from tests.bot.calling import FOUR, call, table
from tests.bot.tables import NOW, on_turn, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
NOWHERE = Known(None, None, 0, 0, "", None)


def shown(it: Table, slot: str, **changes: Any) -> Known:
    """The message of *slot*, showing *it* as it is now."""
    sheet = sheet_for(it, slot, 7, live=slot != TABLE)
    known = Known(Handle(slot, 1, 2, "token", NOW), sheet.fingerprint(), 0, 0, "", 7)
    return known._replace(**changes)


@every_game
def test_what_is_wanted_and_nowhere_is_created(game: str) -> None:
    it = started(game)
    for slot in (TABLE, hand_slot(Seat(0))):
        assert decide(it, slot, NOWHERE, NOW).do is Do.CREATE
    assert decide(it, here_slot(Seat(0)), NOWHERE, NOW).do is Do.NOTHING, "it opens behind a button alone"


@every_game
def test_what_shows_it_already_is_left_alone_and_what_does_not_is_edited(game: str) -> None:
    it = started(game)
    for slot in (TABLE, hand_slot(Seat(1)), here_slot(Seat(0))):
        assert decide(it, slot, shown(it, slot), NOW).do is Do.NOTHING
        edit = decide(it, slot, shown(it, slot, shown=None), NOW)
        assert edit.do is Do.EDIT
        assert edit.sheet is not None
        assert edit.fingerprint == edit.sheet.fingerprint() == shown(it, slot).shown


@every_game
def test_a_notice_stands_until_the_next_version(game: str) -> None:
    it = started(game)
    slot = hand_slot(on_turn(it))
    read = shown(it, slot, shown=b"with a notice", notice_at=it.version)
    assert decide(it, slot, read, NOW).do is Do.NOTHING
    late = read._replace(shown=None)
    assert decide(it, slot, late, NOW).do is Do.EDIT, "an edit that began before may have come after the notice"
    assert decide(it._replace(version=it.version + 1), slot, read, NOW).do is Do.EDIT


@every_game
def test_who_is_on_turn_and_asleep_gets_a_new_message_once(game: str) -> None:
    it = started(game)
    seat, late = on_turn(it), NOW + INACTIVE_MS + 1
    slot = hand_slot(seat)
    assert decide(it, slot, shown(it, slot), late - 1).do is Do.NOTHING
    assert decide(it, slot, shown(it, slot), late).do is Do.SEND_AGAIN
    told = Handle(slot, 1, 2, told=due_notification(it, seat))
    assert decide(it, slot, shown(it, slot, handle=told), late).do is Do.NOTHING
    reminded = it._replace(reminded=it.turn_began)
    assert decide(reminded, slot, shown(reminded, slot, handle=told), NOW).do is Do.SEND_AGAIN


@every_game
def test_mentions_and_replaced_messages_have_one_thing_to_do(game: str) -> None:
    it = started(game)
    assert decide(it, ping_slot(Seat(0)), NOWHERE, NOW).do is Do.PING
    assert decide(it, gone_slot(5), NOWHERE, NOW).do is Do.DELETE


@every_game
def test_an_old_hand_goes(game: str) -> None:
    assert decide(started(game), old_slot(5, Seat(0)), NOWHERE, NOW).do is Do.DELETE


@every_game
def test_a_message_of_nearly_an_hour_is_replaced_while_it_changes_often_30046(game: str) -> None:
    """Discord takes about three edits in six seconds of messages older than an hour, and answers 429 to the others
    (https://docs.discord.com/developers/topics/opcodes-and-status-codes, error 30046)."""
    it = started(game)
    for slot in (TABLE, hand_slot(Seat(1))):
        for age, ago, do in ((50, 2, Do.EDIT), (56, 60, Do.EDIT), (56, 2, Do.RENEW)):
            message = NOW - DISCORD_EPOCH - age * 60_000 << 22
            known = shown(it, slot, shown=None, handle=Handle(slot, 1, message), edited_at=NOW - ago * 1000)
            assert decide(it, slot, known, NOW).do is do


@every_game
def test_an_ephemeral_hand_has_a_last_word_before_its_token_expires(game: str) -> None:
    it = started(game)
    slot = here_slot(on_turn(it))
    for age, do in ((LAST_WORD_MS - 1, Do.NOTHING), (LAST_WORD_MS, Do.LAST_EDIT)):
        known = shown(it, slot, handle=Handle(slot, 1, 2, "token", NOW - age))
        assert decide(it, slot, known, NOW).do is do


@every_game
def test_a_table_that_is_over_is_shown_once_more_but_not_made_anew(game: str) -> None:
    before = started(game)
    over = leaving.close_table(before, Ending.IDLE)
    assert decide(over, TABLE, shown(before, TABLE), NOW).do is Do.EDIT
    assert decide(over, TABLE, NOWHERE, NOW).do is Do.NOTHING


@pytest.mark.about("diciassette")
def test_while_the_call_window_is_open_the_table_message_stays_d9() -> None:
    before = table(FOUR)
    called = call(before, 2, at=NOW).table
    assert decide(called, TABLE, shown(before, TABLE), NOW).do is Do.NOTHING
    assert decide(called, TABLE, shown(before, TABLE, shown=None), NOW).do is Do.EDIT, "after a restart"
