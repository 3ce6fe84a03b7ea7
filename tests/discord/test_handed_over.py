"""Tables that another process takes over: this one says nothing about them any more, and nothing stays unsaid."""

import asyncio
import gc
from typing import Any

import discord
import pytest

from bot.delivery.discord_api import is_interaction_answered
from bot.delivery.limits import Throttle
from bot.delivery.reconciler import LEAVING_SECONDS, REDRAWN_AT_ONCE
from bot.delivery.slots import FIRST_RETRY_MS, TABLE, Slot, TableSlots, dm_hand_slot
from bot.tables.errors import Why
from bot.tables.model import Table
from bot.tables.preferences import DEFAULTS
from bot.tables.shards import AllShards
from bot.ui.custom_ids import Verb
from engine.game import Seat
from tests.discord.held import held_click
from tests.discord.messages import components_json, private_text, text_of
from tests.discord.play import Club
from tests.games import ANY
from tests.process.waiting import eventually

pytestmark = pytest.mark.about(ANY)  # all games are alike here


class Held(AllShards):
    """All shards: held, perhaps in doubt, or lost."""

    def __init__(self) -> None:
        self.valid = True
        self.lost = False

    def holds(self, guild: int) -> bool:
        return self.valid and not self.lost

    def has(self, guild: int) -> bool:
        return not self.lost


@pytest.fixture
def held(club: Club) -> Held:
    """The shards of the bot."""
    it = Held()
    club.bot.api._shards = club.bot.reconciler._registry._shards = it
    return it


def requests(club: Club) -> int:
    """How many requests the bot has made."""
    return len(club.env.http_requests)


def told(table: Table) -> Table:
    """*table*, changed so that its message looks different."""
    return table.with_changed_player(Seat(0), name="somebody else")


async def test_while_it_is_not_sure_who_holds_the_shard_nothing_is_sent_and_then_everything(
    club: Club, held: Held
) -> None:
    await club.open(club.anna, club.bruno)
    before, table = requests(club), club.table()
    held.valid = False
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await club.env.settle()
    await club.clock.advance(5_000)
    assert requests(club) == before
    held.valid = True
    await club.clock.advance(1_000)
    assert "somebody else" in text_of(club.table_message())


async def test_a_lost_table_is_left_alone_and_forgotten(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno)
    before, table = requests(club), club.table()
    held.lost = True
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await club.env.settle()
    await club.clock.advance(60_000)
    assert requests(club) == before
    assert club.bot.reconciler.tables_with_messages() == []


async def test_a_click_whose_table_is_lost_before_its_answer_is_acknowledged(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno, start=False)
    table, message = club.table(), club.table_message()
    change = club.bot.tables.change

    async def lose(*args: object) -> Table:
        changed = await change(*args)  # type: ignore[arg-type]
        held.lost = True
        return changed

    club.bot.tables.change = lose  # type: ignore[assignment,method-assign]
    answer = await club.press(club.carla, message, Verb.JOIN)
    assert answer.acknowledged or answer.deferred
    assert "carla" not in text_of(club.as_it_is(message))
    assert (await club.bot.store.load_table(table.id)) is not None


async def test_a_hand_or_a_moved_table_message_is_not_sent_of_a_table_that_is_lost(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno)
    message, before = club.table_message(), len(club.messages())
    held.lost = True
    start = requests(club)
    assert club.refusal(Why.TRY_AGAIN) in private_text(await club.press(club.anna, message, Verb.HAND))
    assert [it for it in club.env.http_requests[start:] if it.method == "DELETE"] == [], "no hand to be deleted again"
    assert club.refusal(Why.TRY_AGAIN) in private_text(await club.anna.slash(club.channel, "table show"))
    assert len(club.messages()) == before


async def test_what_is_handed_over_is_finished_and_shown_by_the_next_without_an_edit(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno)
    table = club.table()
    await club.bot.tables.release_shards({0}, 1)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: it.channel == club.channel.id)
    assert club.bot.reconciler.tables_with_messages() == [] and club.bot.tables.live_tables_in_memory() == []
    shown = await club.bot.store.load_shown_content(table.id)
    assert {TABLE, dm_hand_slot(Seat(0)), dm_hand_slot(Seat(1))} <= set(shown)
    before = requests(club)
    await club.bot.tables.take_over_shards({0}, 1)
    await club.bot.tables.wait_until_taken_over()
    await club.env.settle()
    assert club.table() == table
    since = club.env.http_requests[before:]
    assert [it.path for it in since if it.method in ("PATCH", "POST")] == []  # one look whether the message is there


async def test_a_hand_that_is_being_sent_is_recorded_before_its_table_is_handed_over(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno)
    messages = club.bot.reconciler._updates._messages
    put, sent, go_on = messages.record_message, asyncio.Event(), asyncio.Event()

    async def late(*args: Any) -> None:
        sent.set()
        await go_on.wait()
        await put(*args)

    messages.record_message = late  # type: ignore[method-assign]
    clicking = asyncio.ensure_future(club.press(club.anna, club.table_message(), Verb.HAND))
    await sent.wait()
    leaving = asyncio.ensure_future(
        club.bot.reconciler.hand_over_to_other_process(lambda it: it.channel == club.channel.id)
    )
    await asyncio.wait({leaving}, timeout=0.05)
    assert not leaving.done()
    go_on.set()
    await leaving
    recorded = {handle.message for handle in await club.bot.store.load_handles(club.table().id, lambda slot: True)}
    assert club.bot.reconciler.tables_with_messages() == []
    hand = club.opened(await clicking)
    assert hand.id in recorded


async def test_a_hand_whose_table_is_lost_before_it_is_recorded_is_deleted_again(club: Club, held: Held) -> None:
    """Whoever serves the table now knows nothing of it, and would leave it as it is for ever."""
    await club.open(club.anna, club.bruno)
    reply = club.bot.api.reply

    async def lose(*args: Any, **how: Any) -> int:
        message = await reply(*args, **how)
        held.lost = True
        return message

    club.bot.api.reply = lose  # type: ignore[method-assign]
    before = requests(club)
    await club.press(club.anna, club.table_message(), Verb.HAND)
    assert held.lost
    assert [it.path for it in club.env.http_requests[before:] if it.method == "DELETE"]


async def test_what_changes_while_it_is_not_sure_who_holds_the_shard_and_a_request_is_under_way_is_shown_afterwards(
    club: Club, held: Held
) -> None:
    await club.open(club.anna, club.bruno)
    table, messages = club.table(), club.bot.reconciler._updates._messages
    edit = messages.edit

    async def doubt(*args: object) -> object:
        done = await edit(*args)  # type: ignore[arg-type]
        if held.valid:
            held.valid = False
            club.bot.reconciler.update_table(told(table)._replace(version=table.version + 2))
        return done

    messages.edit = doubt  # type: ignore[assignment,method-assign]
    club.bot.reconciler.update_table(
        table.with_changed_player(Seat(0), name="anybody")._replace(version=table.version + 1)
    )
    await club.clock.advance(5_000)
    assert not held.valid
    held.valid = True
    await club.clock.advance(1_000)
    assert "somebody else" in text_of(club.table_message())


async def test_who_leaves_does_not_wait_for_the_turn_of_requests_that_have_not_begun(club: Club) -> None:
    """Clicks wait meanwhile. The next process makes those requests."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)  # no token is fresh
    slow = club.bot.api._throttle = Throttle(0.01, 1)
    await slow.wait_to_start()
    before, table = requests(club), club.table()
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await eventually(lambda: slow.waiting, "the edit to wait for its turn")
    async with asyncio.timeout(LEAVING_SECONDS / 2):
        await club.bot.reconciler.hand_over_to_other_process(lambda it: it.id == table.id)
    assert requests(club) == before
    assert club.bot.reconciler.tables_with_messages() == []


async def slowly_redrawn(club: Club, before: Table) -> None:
    """Every message of *before* waits to be drawn anew, some of them for the turn of their edits; the table has changed
    meanwhile."""
    slow = club.bot.api._throttle = Throttle(0.01, 1)
    await slow.wait_to_start()
    club.bot.reconciler.update_table(told(before)._replace(version=before.version + 1))
    await eventually(lambda: slow.waiting, "the edit to wait for its turn")
    club.bot.reconciler.redraw([before] * (REDRAWN_AT_ONCE + 1))


async def test_what_waits_to_be_drawn_anew_is_left_to_the_next_process(club: Club, held: Held) -> None:
    """It would be drawn as it was when it began to wait."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)  # no token is fresh
    await slowly_redrawn(club, club.table())
    before = requests(club)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    await eventually(lambda: not club.bot.reconciler._redrawing, "nothing waits any more")
    assert club.bot.reconciler.tables_with_messages() == []
    assert requests(club) == before


async def test_whoever_serves_a_table_again_trusts_nothing_that_it_knew_before(club: Club, held: Held) -> None:
    """As when a click that takes long comes back to a table that has been handed over meanwhile."""
    await club.open(club.anna, club.bruno)
    old = club.table()
    await club.bot.tables.release_shards({0}, 1)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    await club.bot.reconciler.table_message_id(old)
    left = club.bot.reconciler._registry.find(old.id)
    assert left is not None
    await club.bot.tables.take_over_shards({0}, 1)
    await club.bot.tables.wait_until_taken_over()
    await club.env.settle()
    now = club.bot.reconciler._registry.find(old.id)
    assert left.left and now is not None and now is not left


async def test_what_comes_late_about_a_table_that_was_given_away_and_is_back_leaves_it_alone(
    club: Club, held: Held
) -> None:
    """As the answer to a click that Discord confirms only then."""
    await club.open(club.anna, club.bruno)
    api, registry, old = club.bot.api, club.bot.reconciler._registry, club.table()
    reply = api.reply
    sent, go_on = asyncio.Event(), asyncio.Event()

    async def slow(*args: Any, **how: Any) -> int:
        message = await reply(*args, **how)
        sent.set()
        await go_on.wait()
        return message

    api.reply = slow  # type: ignore[method-assign]
    clicking = asyncio.ensure_future(club.press(club.anna, club.table_message(), Verb.HAND))
    await sent.wait()
    await club.bot.tables.release_shards({0}, 1)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    await club.bot.tables.take_over_shards({0}, 1)
    await club.bot.tables.wait_until_taken_over()
    now = registry.find(old.id)
    go_on.set()
    await clicking
    await club.env.settle()
    assert now is not None and registry.find(old.id) is now
    club.bot.reconciler.update_table(told(club.table())._replace(version=old.version + 1))
    await club.clock.advance(60_000)
    assert "somebody else" in text_of(club.table_message())


async def test_an_edit_that_waits_for_its_turn_is_not_made_after_its_table_was_away_though_it_is_back(
    club: Club, held: Held
) -> None:
    """It would show what was true before another process had the table."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)  # no token is fresh
    slow = club.bot.api._throttle = Throttle(20, 1)
    await slow.wait_to_start()
    table, before = club.table(), requests(club)
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await eventually(lambda: slow.waiting, "the edit to wait for its turn")
    club.bot.reconciler.take_over([table._replace(version=table.version + 2)])
    await eventually(lambda: not slow.waiting, "the turn of all edits")
    await club.env.settle()
    assert [it for it in club.env.http_requests[before:] if "somebody else" in str(it)] == []
    assert "somebody else" not in text_of(club.table_message())


async def test_what_was_changed_while_the_database_did_not_answer_is_read_anew(club: Club) -> None:
    bot = club.bot
    assert not (await bot.servers.settings(club.guild.id)).boards
    bot.people.preferences(club.anna.id)
    await bot.store.save_guild_settings(club.guild.id, boards=True)
    await bot.store.save_preferences(club.anna.id, DEFAULTS._replace(locale="it"))
    await bot.changes.reload_preferences_and_settings()
    assert (await bot.servers.settings(club.guild.id)).boards
    assert bot.people.preferences(club.anna.id).locale == "it"


async def test_what_another_process_has_changed_is_edited_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    messages = [club.table_message(), club.hand(club.anna), club.hand(club.bruno)]
    for message in messages:
        club.env.backend.get_message(message.channel.id, message.id).components = []
    club.bot.edit_messages_again({0})
    right = [components_json(message) for message in messages]
    await eventually(lambda: [components_json(club.as_it_is(it)) for it in messages] == right, "all to be edited", 5)


async def test_a_click_that_waits_for_the_game_is_answered_before_its_table_is_handed_over(
    club: Club, held: Held
) -> None:
    await club.open(club.anna, club.bruno)
    player, _, waiting = await held_click(club)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    slot = dm_hand_slot(club.seat(player))
    club.bot.reconciler.answers.queue_answer(club.table(), slot, click, after=club.clock.now() + 10_000)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    assert is_interaction_answered(click)


async def test_who_leaves_does_not_wait_for_a_request_that_discord_does_not_answer(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno)
    api, cancelled = club.bot.api, asyncio.Event()

    async def never(*args: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    api.edit = api.edit_by_token = never  # type: ignore[method-assign,assignment]
    table = club.table()
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await eventually(lambda: any(it.is_changing for it in messages_of(club)), "the edit to begin", 5)
    async with asyncio.timeout(10 * LEAVING_SECONDS):
        await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    assert cancelled.is_set()
    assert club.bot.reconciler.tables_with_messages() == []


async def test_what_was_known_of_a_table_that_was_away_while_discord_did_not_answer_is_not_kept(
    club: Club, held: Held
) -> None:
    """Else it would be looked at whenever Discord takes anything, for as long as the process runs."""
    await club.open(club.anna, club.bruno)
    table = club.table()
    club.env.inject_error("*", f"/*/messages/{club.table_message().id}", status=503, times=None)
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await club.env.settle()
    await club.bot.tables.release_shards({0}, 1)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    club.clock.forget()  # alarms that were cancelled keep what they were set for
    club.env.backend.faults.clear()
    await club.bot.tables.take_over_shards({0}, 1)
    await club.bot.tables.wait_until_taken_over()
    await club.clock.advance(FIRST_RETRY_MS)
    await club.act(club.on_turn())
    assert club.table_is_right()
    gc.collect()
    assert sum(isinstance(it, TableSlots) and it.table.id == table.id for it in gc.get_objects()) == 1


def messages_of(club: Club) -> list[Slot]:
    """What the bot knows of the messages of the table."""
    slots = club.bot.reconciler._registry.find(club.table().id)
    assert slots is not None
    return slots.all()


async def test_a_refused_message_waits_as_long_though_its_shard_was_in_doubt_for_a_moment(
    club: Club, held: Held
) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)  # no token is fresh
    table, messages, board = club.table(), club.bot.reconciler._updates._messages, club.table_message()
    edit, path = messages.edit, f"/channels/{club.channel.id}/messages/{board.id}"

    async def doubt(*args: Any) -> None:
        try:
            await edit(*args)
        finally:
            held.valid = False

    messages.edit = doubt  # type: ignore[method-assign]
    club.env.inject_error("PATCH", path, status=403, code=50013, message="Missing Permissions", times=None)
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await eventually(lambda: not held.valid and not any(it.task for it in messages_of(club)), "the refusal", 5)
    held.valid, messages.edit = True, edit  # type: ignore[method-assign]
    before = requests(club)
    await club.clock.advance(30_000)
    assert [it.path for it in club.env.http_requests[before:] if it.path == path] == []


async def test_what_messages_of_a_table_show_is_not_recorded_once_another_process_serves_it(
    club: Club, held: Held
) -> None:
    await club.open(club.anna, club.bruno)
    reconciler, store, table = club.bot.reconciler, club.bot.store, club.table().id
    slots = reconciler._registry.find(table)
    assert slots is not None
    await reconciler.hand_over_to_other_process(lambda it: True)
    await store.forget_shown_content(table)  # the other one is about to change a message
    reconciler._registry.fingerprints.schedule_recording_after_save(slots, changed=False)
    await club.clock.advance(5_000)
    assert await store.load_shown_content(table) == {}


async def test_whoever_leaves_during_an_edit_leaves_the_next_one_to_another_process(club: Club, held: Held) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)  # no token is fresh
    table, edit, board = club.table(), club.bot.api.edit, club.table_message().id
    edited: list[int] = []
    go_on = asyncio.Event()

    async def slow(channel: int, message: int, sheet: Any) -> None:
        edited.append(message)
        await go_on.wait()
        await edit(channel, message, sheet)

    club.bot.api.edit = slow  # type: ignore[method-assign]
    club.bot.reconciler.update_table(told(table)._replace(version=table.version + 1))
    await eventually(lambda: board in edited, "the edit to begin", 5)
    club.bot.reconciler.update_table(table._replace(version=table.version + 2))
    leaving = asyncio.ensure_future(club.bot.reconciler.hand_over_to_other_process(lambda it: True))
    await asyncio.sleep(0)
    go_on.set()
    await leaving
    assert edited.count(board) == 1
