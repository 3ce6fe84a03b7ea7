"""What to do about one message: it follows from the table, and from what is known of the message."""

from collections.abc import Iterator
from typing import Any

import pytest

from bot.clock import DISCORD_EPOCH, least_snowflake_at
from bot.delivery.plan import (
    INACTIVE_MS,
    LAST_EDIT_MS,
    LONGEST_LAG_MS,
    SHORTEST_LAG_MS,
    MessageAction,
    MessageState,
    decide_action,
    differs_only_by_ordinary_move,
    edit_may_wait_until,
    message_state,
    notification_occasion,
    render_slot,
    shows_turn_to_player,
    slot_change_predicate,
)
from bot.delivery.slots import (
    DEAL,
    TABLE,
    Slot,
    TableSlots,
    dm_hand_slot,
    ephemeral_hand_slot,
    mention_slot,
    superseded_hand_slot,
    superseded_table_slot,
)
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.store.store import Handle
from bot.tables import leaving, play, start
from bot.tables.model import NO_SERVER, Ending, Handover, HeldMove, Phase, SeatChange, Table
from engine.game import Seat
from tests.bot.calling import FOUR, call, table
from tests.bot.tables import NOW, on_turn, opened, running, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
MINE = Seat(0)
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
    told = Handle(slot, 1, 2, told=notification_occasion(it, seat))
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
def test_the_message_that_fixes_a_deal_goes_once_it_is_of_another_start(game: str) -> None:
    """It must not be edited. After the deal it stays for ever."""
    lobby = opened(game)._replace(players=started(game).players)
    starting, dealt = start.start_game(lobby, 100, NOW), started(game)
    for it, told, do in (
        (starting, NOW, MessageAction.NOTHING),
        (starting, NOW - 1, MessageAction.WITHDRAW),
        (lobby, lobby.turn_began, MessageAction.WITHDRAW),
        (dealt, dealt.turn_began, MessageAction.FORGET),
    ):
        assert decide_action(it, DEAL, NOWHERE._replace(handle=Handle(DEAL, 1, 2, told=told)), NOW).do is do


@every_game
def test_a_held_move_changes_the_hand_of_its_player_alone_or_the_table_message_of_a_solo_table(game: str) -> None:
    it = started(game)
    seat = on_turn(it)
    held = it._replace(held=HeldMove(seat, "a move", NOW, NOW))
    hands = [dm_hand_slot(Seat(index)) for index in range(len(it.players))]
    for old, new in ((it, held), (held, it)):
        differs = slot_change_predicate(old, new)
        assert [slot for slot in (TABLE, *hands) if differs(slot)] == [dm_hand_slot(seat)]
        assert slot_change_predicate(old._replace(guild=NO_SERVER), new._replace(guild=NO_SERVER))(TABLE)


def known(it: Table, *messages: Slot) -> TableSlots:
    """What a process knows of the *messages* of *it*."""
    found = TableSlots(it, inherited=False)
    found.slots = {slot.name: slot for slot in messages}
    return found


def message(name: str, **handle: Any) -> Slot:
    """A message that shows something."""
    return Slot(name, Handle(name, 1, 2, **handle), b"something")


@every_game
def test_a_click_on_a_hand_is_known_of_its_person_and_a_hand_that_is_gone_of_nobody(game: str) -> None:
    it = started(game)
    hand, empty = message(dm_hand_slot(MINE), token_at=NOW), Slot(ephemeral_hand_slot(MINE))
    table = message(TABLE)
    slots = known(it, table, hand, empty)
    state = message_state(slots, hand, NOW)
    assert (state.clicked_at, state.elsewhere) == (NOW, False)
    assert message_state(slots, table, NOW).clicked_at == 0
    table.behind_since = NOW
    assert message_state(slots, table, NOW).behind_since == NOW
    table.urgent = True
    assert message_state(slots, table, NOW).behind_since == 0, "more has changed than a move"


@every_game
def test_a_hand_shows_its_person_the_turn_once_it_tells_of_it_or_is_up_to_date(game: str) -> None:
    it = started(game)
    seat = on_turn(it)
    for told in (it.turn_began, it.turn_began + 1):
        for name in (dm_hand_slot(seat), mention_slot(seat)):
            assert shows_turn(it, message(name, told=told), current=False)
    for name in (dm_hand_slot(seat), ephemeral_hand_slot(seat)):
        assert shows_turn(it, message(name), current=True)
        assert not shows_turn(it, message(name), current=False)
        assert not shows_turn(it, Slot(name, Handle(name, 1, 2)), current=True), "nobody knows what it shows"
    live = message(ephemeral_hand_slot(seat), token="token", token_at=NOW)
    assert not shows_turn(it, message(dm_hand_slot(seat)), live, current=True), "it rests"
    assert not shows_turn(it, message(mention_slot(seat), told=1), current=True), "it is of an earlier turn"
    assert not shows_turn(it, message(DEAL, told=it.turn_began), current=True), "it tells of no turn"


@every_game
def test_the_table_message_shows_the_turn_to_whoever_is_there_and_has_no_hand(game: str) -> None:
    it = started(game)
    seat = on_turn(it)
    table, direct = message(TABLE), Slot(dm_hand_slot(seat))
    for hands in ((), (direct,)):
        assert shows_turn(it, table, *hands, current=True)
        assert not shows_turn(it, table, *hands, current=False)
        assert not shows_turn(it, Slot(TABLE, table.handle), *hands, current=True)
        assert not shows_turn(it, table, *hands, current=True, now=NOW + INACTIVE_MS + 1), "they are away"
    assert not shows_turn(it, table, message(dm_hand_slot(seat)), current=True)
    direct.failing_since = NOW
    assert not shows_turn(it, table, direct, current=True)


def shows_turn(it: Table, slot: Slot, *others: Slot, current: bool, now: int = NOW) -> bool:
    """Whether *slot*, beside *others*, shows whoever is on turn that they are."""
    return shows_turn_to_player(known(it, slot, *others), slot, now, current=current)


@every_game
def test_a_message_of_nearly_an_hour_is_replaced_while_it_changes_often_30046(game: str) -> None:
    """Discord takes about three edits in six seconds of messages older than an hour, and answers 429 to the others
    (https://docs.discord.com/developers/topics/opcodes-and-status-codes, error 30046)."""
    it = started(game)
    for slot in (TABLE, dm_hand_slot(Seat(1))):
        for age, ago, do in (
            (50, 2, MessageAction.EDIT),
            (56, 10, MessageAction.EDIT),
            (56, 60, MessageAction.EDIT),
            (56, 2, MessageAction.RENEW),
        ):
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


MINUTE = 60_000


def behind(it: Table, alone_ms: int, **changes: Any) -> MessageState:
    """The table message of *it*, behind by a move since now, on which nobody has clicked for *alone_ms*."""
    handle = Handle(TABLE, 1, least_snowflake_at(NOW - alone_ms))
    return shown(it, TABLE, handle=handle, behind_since=NOW, followed=True, shown=b"before")._replace(**changes)


@every_game
@pytest.mark.parametrize(("minutes", "seconds"), [(0, 20), (6, 20), (10, 30), (20, 60), (600, 60)])
def test_the_longer_nobody_clicks_on_the_table_message_the_longer_it_may_be_behind(
    game: str, minutes: int, seconds: int
) -> None:
    it, state = started(game), behind(started(game), minutes * MINUTE)
    assert edit_may_wait_until(it, TABLE, state) == NOW + 1000 * seconds
    decision = decide_action(it, TABLE, state, NOW + 1000 * seconds - 1)
    assert (decision.do, decision.until) == (MessageAction.WAIT, NOW + 1000 * seconds)
    do = decide_action(it, TABLE, state, NOW + 1000 * seconds).do
    assert do in (MessageAction.EDIT, MessageAction.RENEW)


@every_game
def test_nothing_else_waits(game: str) -> None:
    it = started(game)
    state, clicked = behind(it, MINUTE), Handle(TABLE, 1, 2, "token", NOW - TOKEN_LIFE_MS + 1)
    assert edit_may_wait_until(it, TABLE, state)
    assert not edit_may_wait_until(it, TABLE, state._replace(behind_since=0)), "more has changed than a move"
    assert not edit_may_wait_until(it, TABLE, state._replace(followed=False)), "somebody has no hand that follows"
    assert not edit_may_wait_until(it, TABLE, state._replace(shown=None)), "perhaps it shows nothing of it"
    assert not edit_may_wait_until(it, TABLE, state._replace(handle=None))
    assert not edit_may_wait_until(it, TABLE, state._replace(handle=clicked)), "by its token an edit is free"
    spent = clicked._replace(token=None)
    assert edit_may_wait_until(it, TABLE, state._replace(handle=spent)), "Discord did not take the token, so it counts"
    expired = clicked._replace(token_at=NOW - TOKEN_LIFE_MS)
    assert edit_may_wait_until(it, TABLE, state._replace(handle=expired)) == NOW + TOKEN_LIFE_MS // 20
    assert not edit_may_wait_until(it._replace(guild=0), TABLE, state), "a solo table"
    assert not edit_may_wait_until(it._replace(phase=Phase.OVER), TABLE, state)
    for slot in (DEAL, dm_hand_slot(Seat(0)), ephemeral_hand_slot(Seat(0))):
        assert not edit_may_wait_until(it, slot, state)
    assert SHORTEST_LAG_MS < LONGEST_LAG_MS


def played(game: str) -> Iterator[tuple[Table, Table]]:
    """A game of two, action by action: (the table before, the table after)."""
    last: Table | None = None
    for state, _, step in CASES[game].steps(2, seed=1, options=CASES[game].quick):
        before = last or running(game, state, started(game, people=2).players)
        after = play.apply_step(before, step, before.turn_began + MINUTE)._replace(version=before.version + 1)
        last = after
        yield before, after


@every_game
def test_only_moves_within_a_round_are_ordinary(game: str) -> None:
    """When a round ends, or a call becomes possible, more has happened."""
    rounds = ordinary = 0
    for old, new in played(game):
        over = new.phase is Phase.OVER
        ended = over or new.rules.ends_round(new.recent)
        callable_now = not over and bool(new.may_call) > bool(old.may_call)
        assert differs_only_by_ordinary_move(old, new) is not (ended or callable_now)
        rounds += ended
        ordinary += differs_only_by_ordinary_move(old, new)
    assert rounds
    assert ordinary


@every_game
def test_whatever_else_happens_is_no_ordinary_move(game: str) -> None:
    old, new = next((before, after) for before, after in played(game) if differs_only_by_ordinary_move(before, after))
    assert differs_only_by_ordinary_move(old, new._replace(outcome=old.outcome))
    away = new.with_changed_player(Seat(0), away=True)
    renamed = new.with_changed_player(Seat(0), name="somebody else")
    clock, paused = new._replace(overdue=Seat(0)), new._replace(turn_credit=5_000)
    left = new._replace(handovers=(Handover(SeatChange.LEFT, "player 0"),))
    rematch = new._replace(rematch_by=7)
    for changed in (away, renamed, clock, paused, left, rematch, new._replace(phase=Phase.OVER)):
        assert not differs_only_by_ordinary_move(old, changed)
    noticed = new.with_changed_player(Seat(0), active_at=NOW + 9, timeouts=1)._replace(
        reminded=new.turn_began, version=99
    )
    assert differs_only_by_ordinary_move(old, noticed), "nobody sees any of that"
    assert differs_only_by_ordinary_move(left, new._replace(handovers=())), (
        "a seat that changed hands a while ago is forgotten"
    )
