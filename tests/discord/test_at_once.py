"""What happens at the same time: clicks on one message, a table that ends while it waits for something,
a stop."""

import asyncio
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.delivery.discord_api import first_response_state, is_interaction_answered
from bot.delivery.limits import Throttle
from bot.delivery.messages import DELETE_DELAY_MS, UNANSWERED_DELAY_MS
from bot.delivery.reconciler import REDRAWN_AT_ONCE
from bot.delivery.slots import TABLE, dm_hand_slot, ephemeral_hand_slot
from bot.tables import leaving
from bot.tables.model import Table, TableId
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.hand_message import FOLLOW
from engine.game import Seat
from tests.bot.logs import captured_log
from tests.discord.forged import forge
from tests.discord.held import held_back, held_click, replay
from tests.discord.messages import components_json, expected_components_json, reply, text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.test_follow_ups import hand_is_right
from tests.process.waiting import eventually

SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)


async def test_clicks_on_one_message_are_answered_one_after_the_other(club: Club) -> None:
    """Else an answer that is tried again could show what was true before the other one."""
    await club.open(club.anna, club.bruno)
    async with held_back(club) as waiting:
        for person in (club.anna, club.bruno):
            await club.press(person, club.table_message(), Verb.MENU)
    one, two = (discord.Interaction[Any](data=data, state=club.bot._connection) for data in waiting)
    async with first_response_state(one).lock:  # its answer is on its way
        for click in (one, two):
            club.bot.reconciler.answers.queue_answer(club.table(), TABLE, click)
        for _ in range(50):
            await asyncio.sleep(0)
        assert not is_interaction_answered(two)
    await eventually(lambda: is_interaction_answered(two), "the second answer")
    assert is_interaction_answered(one)


async def test_a_table_that_ends_while_all_are_drawn_anew_is_not_taken_up_again(club: Club) -> None:
    """The version of it that waits to be drawn is older than its end. What waits behind it is drawn."""
    await club.open(club.anna, start=False)
    before, message, reconciler = club.table(), club.table_message(), club.bot.reconciler
    others = [before._replace(id=TableId(f"other{number}")) for number in range(REDRAWN_AT_ONCE)]
    last, start, path = before._replace(id=TableId("last")), len(club.env.http_requests), f"{club.channel.id}/messages"

    def sent() -> int:
        return sum(r.method == "POST" and r.path.endswith(path) for r in club.env.http_requests[start:])

    locks = [reconciler._registry.get_or_add_slots(other).slot(TABLE).lock for other in others]
    for lock in locks:
        await lock.acquire()  # these are being sent
    reconciler.redraw([*others, *[before] * REDRAWN_AT_ONCE, last])
    await club.in_menu(club.anna, Verb.CANCEL, message=message)
    assert not club.running
    assert sent() == 0, "no more than these are drawn at a time"
    club.env.inject_error("POST", "/channels/*", status=403, code=50013, message="Missing Permissions", times=None)
    for lock in locks:
        lock.release()
    await eventually(lambda: not reconciler._redrawing, "all are drawn anew")
    assert reconciler._registry.find(before.id) is None
    assert sent() == len([*others, last])


@every_game
async def test_a_click_that_waits_is_answered_when_the_bot_stops(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(club.anna, club.bruno)
        await club.rest(600)
        _, _, waiting = await held_click(club)
        start = len(club.env.http_requests)
        await replay(club, waiting)
        assert not [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")], "it lands soon"
        await club.bot.tables.stop()
        await club.bot.reconciler.stop()
        assert [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")] == [7]
        held = club.table().held
        assert held is not None
        start = len(club.env.http_requests)
        await club.clock.advance(60_000)
        assert not club.env.http_requests[start:], "it begins nothing any more"


async def test_a_direct_message_channel_that_is_gone_ends_no_game(club: Club) -> None:
    """Discord says the same of it as of the table's own channel, if that was deleted (10003)."""
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    old = club.hand(second)
    path = f"/channels/{old.channel.id}/messages/{old.id}"
    club.env.inject_error("PATCH", path, status=404, code=10003, message="Unknown Channel", times=None)
    await club.play_until_on_turn(second)
    assert club.running
    await club.bot.tables.update_player(club.table().id, club.anna.id, name="anna again")
    slot = dm_hand_slot(club.seat(second))
    right = expected_components_json(club.table(), slot, club.table_message().id)
    await eventually(lambda: components_json(club.hand(second)) == right, "a new hand")
    assert club.hand(second).id != old.id


async def test_a_thread_that_is_archived_again_soon_is_reopened_without_another_message(club: Club) -> None:
    club.channel = club.thread()
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)
    ids, opened = [club.table_message().id], f"/channels/{club.channel.id}"
    for _ in range(2):
        path = f"/channels/{club.channel.id}/messages/{ids[-1]}"
        club.env.inject_error("PATCH", path, status=400, code=50083, message="Thread is archived", times=1)
        start = len(club.env.http_requests)
        await club.act(club.on_turn())
        await club.table_catches_up()
        ids.append(club.table_message().id)
        assert club.status() in text_of(club.table_message())
    assert ids[0] != ids[1] == ids[2]
    sent: list[Any] = [r.json for r in club.env.http_requests[start:] if (r.method, r.path) == ("PATCH", opened)]
    assert sent == [{"archived": False}]


async def test_a_rematch_long_after_the_end_edits_no_hand_l5(club: Club) -> None:
    """Only a token edits for free, and none is fresh any more."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    await club.clock.advance(20 * 60_000)
    start = len(club.env.http_requests)
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    there = {club.hand(person).channel.id for person in (club.anna, club.bruno)}
    assert not [r for r in club.env.http_requests[start:] if any(f"/channels/{it}/" in r.path for it in there)]


async def test_a_hand_that_was_replaced_stays_until_a_click_on_it_is_answered(club: Club) -> None:
    """Discord takes no answer to a click on a message that was deleted."""
    await club.open(club.anna, club.bruno)
    old = club.opened(await club.press(club.anna, club.table_message(), Verb.HAND))
    async with held_back(club) as waiting:
        await forge(club, club.anna, custom_id(Verb.RULES, club.table().id, 0), old)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    await club.press(club.anna, club.table_message(), Verb.HAND)
    club.bot.reconciler.deadlines.acknowledge_when_due(click, private=True)

    def deleted() -> bool:
        return any(r.method == "DELETE" and r.path.endswith(f"/{old.id}") for r in club.env.http_requests)

    await club.clock.advance(DELETE_DELAY_MS + 500)
    assert not deleted()
    await club.bot.api.acknowledge(click)
    await club.clock.advance(UNANSWERED_DELAY_MS)
    assert deleted()


async def test_a_hand_is_not_edited_by_the_token_of_a_click_that_has_no_answer(club: Club) -> None:
    """Discord knows the token only once the click is answered."""
    await club.open(club.anna, club.bruno)
    (player,), reconciler = club.others(), club.bot.reconciler
    hand = club.opened(await club.press(player, club.table_message(), Verb.HAND))
    async with held_back(club) as waiting:
        await forge(club, player, custom_id(Verb.RULES, club.table().id, 0), hand)
    click, start = discord.Interaction[Any](data=waiting[0], state=club.bot._connection), len(club.env.http_requests)
    reconciler.deadlines.acknowledge_when_due(click, private=True)
    await reconciler.answers.adopt_clicked_message(club.table(), ephemeral_hand_slot(club.seat(player)), click)

    def edits() -> int:
        return sum(r.method == "PATCH" and click.token in r.path for r in club.env.http_requests[start:])

    await club.act(club.on_turn())
    assert edits() == 0
    await club.bot.api.acknowledge(click)
    await club.clock.advance(UNANSWERED_DELAY_MS)
    assert edits() == 1
    assert hand_is_right(club, player, hand)


async def test_a_click_waits_for_the_game_no_longer_than_it_should(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    player, _, waiting = await held_click(club)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    slot, after = dm_hand_slot(club.seat(player)), club.clock.now() + 100
    club.bot.reconciler.answers.queue_answer(club.table(), slot, click, after=after)
    await club.clock.advance(99)
    assert not is_interaction_answered(click)
    await club.clock.advance(1)
    await eventually(lambda: is_interaction_answered(click), "an answer, although nothing has happened")


async def test_a_table_that_cannot_be_drawn_anew_keeps_no_other_from_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.open(club.anna, club.bruno)
    table, reconciler = club.table(), club.bot.reconciler
    refresh, broken = reconciler._update_all, [table._replace(id=TableId(f"bad{n}")) for n in range(REDRAWN_AT_ONCE)]

    def fail(it: Table) -> None:
        if it in broken:
            raise ValueError
        refresh(it)

    monkeypatch.setattr(reconciler, "_update_all", fail)
    changed = table.with_changed_player(Seat(0), name="somebody else")._replace(version=table.version + 1)
    with captured_log() as log:
        reconciler.redraw([*broken, changed])
        await eventually(lambda: not reconciler._redrawing, "all to be drawn")
    assert log.getvalue().count("a table is not drawn anew") == REDRAWN_AT_ONCE
    assert "somebody else" in text_of(club.table_message())


MINUTE = 60_000


async def test_a_table_that_ends_before_it_is_brought_down_stays_where_it_is(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """No apology: the old message says that the game is over."""
    await club.open(club.anna, club.bruno)
    await club.lobby_goes()
    before, table = club.table_message(), club.table()
    menu = await club.press(club.anna, before, Verb.MENU)
    slow = club.bot.api._throttle = Throttle(0.01, 1)
    await slow.wait_to_start()
    pressed = asyncio.create_task(club.press(club.anna, reply(menu), Verb.DOWN_HERE))
    await eventually(lambda: slow.waiting, "the new message to wait for its turn")
    await club.bot.tables.change(
        table.id, "end", club.bruno.id, lambda it: leaving.end_game_early(it, club.bruno.id, "Bruno", True)
    )
    club.bot.api._throttle = Throttle(None)
    slow._start_next_requests()
    await pressed
    assert not [line for line in caplog.records if line.exc_info]
    await club.clock.advance(5_000)
    assert not (await club.bot.tables.get(table.id)).live
    assert club.messages()[-1].id == before.id


@pytest.mark.parametrize(("status", "code"), [(503, 0), (400, 30046), (403, 50001)])
async def test_a_replaced_table_message_that_cannot_be_edited_is_deleted(club: Club, status: int, code: int) -> None:
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


async def let_one_go(slow: Throttle) -> None:
    """Have *slow* let the next request go that is still wanted."""
    slow._free_at = 0.0
    slow._start_next_requests()
    await asyncio.sleep(0)


async def let_all_go(club: Club, slow: Throttle) -> None:
    """Have *slow* let all go that wait, and no later request wait."""
    club.bot.api._throttle = Throttle(None)
    while slow.waiting:
        await let_one_go(slow)


async def test_hands_of_a_game_that_is_over_are_not_sent_any_more(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """Those of games that go on would wait for them."""
    await club.open(club.anna, club.bruno, start=False)
    await club.lobby_goes()
    slow = club.bot.api._throttle = Throttle(0.01, 1)
    await slow.wait_to_start()
    pressed = asyncio.create_task(club.press(club.anna, club.table_message(), Verb.START))
    channels = "/users/@me/channels"
    while [request.path for request in club.env.http_requests].count(channels) < 2:
        await eventually(lambda: slow.waiting, "a request to wait for its turn")
        await let_one_go(slow)
    await eventually(lambda: slow.waiting, "the second hand to wait for its turn")
    table, anna = club.table().id, club.anna.id
    await club.bot.tables.change(table, "end", anna, lambda it: leaving.end_game_early(it, anna, "Anna", True))
    await let_all_go(club, slow)
    await pressed
    await club.clock.advance(60_000)
    assert not (await club.bot.tables.get(table)).live
    assert club.dm_count(club.bruno) == 0
    assert not [line for line in caplog.records if line.exc_info]


async def waits_for_its_edit(club: Club, person: MemberActor, **changes: Any) -> Throttle:
    """The hand of *person* is to be edited because of *changes* of theirs, but it is not the turn of that request."""
    await club.clock.advance(20 * MINUTE)  # no token is fresh
    slow = club.bot.api._throttle = Throttle(0.01, 1)
    await slow.wait_to_start()
    await club.bot.tables.update_player(club.table().id, person.id, **changes)
    await eventually(lambda: slow.waiting, "the edit to wait for its turn")
    return slow


async def test_a_slow_edit_takes_no_notice_away_that_a_click_has_shown_meanwhile(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    (player,) = club.others()
    hand = club.hand(player)
    slow = await waits_for_its_edit(club, player, locale="de")
    clicking = asyncio.create_task(forge(club, player, f"17/move/{club.table().id}/{club.ply}/0", hand))
    # While the forged click is made, the message has only its button.
    await eventually(lambda: text_of(club.as_it_is(hand)) not in ("?", text_of(hand)), "a notice")
    shown = components_json(club.as_it_is(hand))
    await let_all_go(club, slow)
    await clicking
    await eventually(lambda: components_json(club.as_it_is(hand)) == shown, "the notice again", 5)


async def test_a_click_on_a_hand_during_its_last_edit_makes_it_a_hand_once_more(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    (player,) = club.others()
    hand, slot = club.hand(player), dm_hand_slot(club.seat(player))
    slow = await waits_for_its_edit(club, player, by_dm=False)
    clicking = asyncio.create_task(forge(club, player, custom_id(Verb.HAND, club.table().id, 0, FOLLOW), hand))
    await eventually(lambda: any(r.path.endswith("/callback") for r in club.env.http_requests[-3:]), "an answer")
    await let_all_go(club, slow)
    await clicking
    right = expected_components_json(club.table(), slot, club.table_message().id, live=True)
    await eventually(lambda: components_json(club.as_it_is(hand)) == right, "the hand", 5)


async def test_while_a_click_on_a_hand_waits_for_the_game_no_other_edit_of_it_begins_and_no_turn_is_offered(
    club: Club,
) -> None:
    """The answer to the click is soon to show everything."""
    await club.open(club.anna, club.bruno)
    (player,), reconciler = club.others(), club.bot.reconciler
    hand, slot = club.hand(player), dm_hand_slot(club.seat(player))
    async with held_back(club) as waiting:
        await forge(club, player, custom_id(Verb.RULES, club.table().id, 0), hand)
    slow = await waits_for_its_edit(club, player, locale="de")
    click, start = discord.Interaction[Any](data=waiting[0], state=club.bot._connection), len(club.env.http_requests)
    playing = asyncio.create_task(club.play_until_on_turn(player))
    await eventually(lambda: club.on_turn() is player, "the next turn")
    reconciler.answers.queue_answer(club.table(), slot, click, after=club.clock.now() + 5_000)
    slots = reconciler._registry.find(club.table().id)
    assert slots is not None
    while not playing.done() or any(it.task for it in slots.all()):
        await let_one_go(slow)
    await playing
    assert [r.method for r in club.env.http_requests[start:] if r.path.endswith(f"/{hand.id}")] == ["PATCH"]
    assert not reconciler.is_turn_shown(club.table())
    club.bot.api._throttle = Throttle(None)
    await club.clock.advance(5_000)
    await eventually(lambda: reconciler.is_turn_shown(club.table()), "the answer", 5)


@pytest.mark.parametrize("changed", ["before", "afterwards"])
async def test_a_click_on_a_hand_that_is_replaced_while_it_waits_is_answered_with_the_hand_as_it_is_then(
    club: Club, changed: str
) -> None:
    await club.open(club.anna, club.bruno)
    slot = ephemeral_hand_slot(club.seat(club.anna))
    old = club.opened(await club.press(club.anna, club.table_message(), Verb.HAND))
    async with held_back(club) as waiting:
        await forge(club, club.anna, custom_id(Verb.RULES, club.table().id, 0), old)
    click, start = discord.Interaction[Any](data=waiting[0], state=club.bot._connection), len(club.env.http_requests)
    club.bot.reconciler.answers.queue_answer(club.table(), slot, click, after=club.clock.now() + 100)
    if changed == "before":
        await club.bot.tables.update_player(club.table().id, club.anna.id, locale="de")
    new = club.opened(await club.press(club.anna, club.table_message(), Verb.HAND))
    if changed == "afterwards":
        await club.bot.tables.update_player(club.table().id, club.anna.id, locale="de")
    await club.clock.advance(100)
    assert new.id != old.id
    await eventually(lambda: is_interaction_answered(click), "an answer", 5)
    answers = [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith(f"/{click.token}/callback")]
    assert answers == [7]
    await eventually(lambda: all(hand_is_right(club, club.anna, hand) for hand in (old, new)), "both to be right", 5)
