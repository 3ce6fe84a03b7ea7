"""The first response to an interaction, of which Discord takes only one: what is sent when it was lost, and after it.

https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import discord
import pytest
from simcord.backend.errors import BackendError
from simcord.http import router

from bot.delivery import limits
from bot.delivery.discord_api import FirstResponse, first_response_state
from bot.delivery.errors import Archived, Busy, Gone
from bot.delivery.messages import DELETE_DELAY_MS
from bot.delivery.slots import REPLY, TABLE
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.store.store import Handle
from bot.tables.model import TableId
from bot.ui import replies
from bot.ui.components import Sheet
from bot.ui.custom_ids import Verb, custom_id, parse_custom_id
from cogs.table import make_table_moved_sheet_builder
from tests.bot.logs import captured_log
from tests.controls import components
from tests.discord.forged import forge
from tests.discord.held import held_back
from tests.discord.messages import reply, text_of
from tests.discord.play import Club
from tests.discord.test_handed_over import Held
from tests.discord.world import dms

KIND = discord.InteractionResponseType


async def clicked(club: Club, message: discord.Message | None = None) -> discord.Interaction[Any]:
    """A click of anna's on *message*, or on the table message, that nobody has answered."""
    async with held_back(club) as waiting:
        await club.press(club.anna, message or club.table_message(), Verb.MENU)
    return discord.Interaction(data=waiting[0], state=club.bot._connection)


async def commanded(club: Club) -> discord.Interaction[Any]:
    """A command of anna's that nobody has answered."""
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, "help")
    return discord.Interaction(data=waiting[0], state=club.bot._connection)


def note(said: str) -> Sheet:
    return replies.private_note_sheet(said)


@contextmanager
def lost(monkeypatch: pytest.MonkeyPatch, times: int = 1) -> Iterator[None]:
    """In the block Discord carries out the first responses, or refuses them, but *times* nobody hears of it."""
    left, dispatch = [times], router.dispatch

    def carried_out(backend: Any, method: str, path: str, **how: Any) -> Any:
        if not (path.endswith("/callback") and left[0]):
            return dispatch(backend, method, path, **how)
        left[0] -= 1
        with suppress(BackendError):
            dispatch(backend, method, path, **how)
        raise BackendError(503, 0, "Service Unavailable")

    with monkeypatch.context() as patched:
        patched.setattr(router, "dispatch", carried_out)
        yield


def texts(club: Club) -> list[str]:
    """What anna reads in the channel below the table message."""
    table = club.table_message().id
    return [text_of(message) for message in club.channel.history(viewer=club.anna) if message.id > table]


def requests(club: Club, start: int) -> list[tuple[str, str]]:
    """(method, the last part of the path) of the requests since number *start*."""
    return [(r.method, r.path.rpartition("/")[2]) for r in club.env.http_requests[start:]]


async def test_a_reply_whose_response_was_lost_is_not_sent_twice(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.open(club.anna, club.bruno)
    click = await clicked(club)
    with lost(monkeypatch):
        message = await club.bot.api.reply(click, note("one"), private=True)
    assert texts(club) == ["one"]
    assert [m.id for m in club.channel.history(viewer=club.anna)][-1] == message


async def test_what_follows_a_reply_that_was_taken_at_last_does_not_take_its_place(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    click = await clicked(club)
    club.env.inject_error("POST", "/interactions/*/callback", status=503, code=0, times=1)
    await club.bot.api.reply(click, note("one"), private=True)
    await club.bot.api.reply(click, note("two"), private=True)
    assert texts(club) == ["one", "two"]


async def test_a_first_response_that_is_lost_twice_is_not_tried_a_third_time(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    click, start = await clicked(club), len(club.env.http_requests)
    club.env.inject_error("POST", "/interactions/*/callback", status=503, code=0, times=None)
    with pytest.raises(Busy):
        await club.bot.api.acknowledge(click)
    assert requests(club, start) == [("POST", "callback")] * 2


async def test_a_click_that_was_acknowledged_changes_its_message_by_the_token(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    hand, offers = await club.offered(club.on_turn())
    async with held_back(club) as waiting:
        await club.use(club.on_turn(), hand, offers[0])
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    assert click.message is not None
    await club.bot.api.acknowledge(click)
    await club.bot.api.edit_clicked_message(click, note("changed"))
    assert text_of(club.as_it_is(click.message)) == "changed"


async def test_a_click_that_was_acknowledged_is_answered_by_a_message_of_its_own(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    before = text_of(club.table_message())
    click = await clicked(club)
    await club.bot.api.acknowledge(click)
    await club.bot.api.reply(click, note("one"), private=True)
    assert texts(club) == ["one"]
    assert text_of(club.table_message()) == before


@pytest.mark.parametrize("private", [True, False])
async def test_the_answer_takes_the_place_of_the_bot_is_thinking(club: Club, private: bool) -> None:
    await club.open(club.anna, club.bruno)
    command = await commanded(club)
    await club.bot.api.acknowledge(command, private=private)
    await club.bot.api.reply(command, note("one"), private=private)
    await club.bot.api.reply(command, note("two"), private=private)
    assert texts(club) == ["one", "two"]
    below = [m for m in club.channel.history(viewer=club.anna) if m.id > club.table_message().id]
    assert {m.flags.ephemeral for m in below} == {private}


async def test_what_concerns_one_person_does_not_take_the_place_of_a_public_message(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    command = await commanded(club)
    await club.bot.api.acknowledge(command, private=False)
    start = len(club.env.http_requests)
    with suppress(Gone):  # SimCord knows of no follow-up after a first response that was deleted
        await club.bot.api.reply(command, note("no"), private=True)
    assert requests(club, start) == [("DELETE", "@original"), ("POST", command.token)]
    assert not first_response_state(command).waiting
    assert club.env.http_requests[-1].json["flags"] & discord.MessageFlags(ephemeral=True).value


async def test_a_click_in_an_archived_thread_does_not_fail(club: Club) -> None:
    """Messages there cannot be changed."""
    await club.open(club.anna, club.bruno)
    click, start = await clicked(club), len(club.env.http_requests)
    club.env.inject_error("POST", "/interactions/*/callback", status=400, code=50083, message="Thread is archived")
    with pytest.raises(Archived):
        await club.bot.api.edit_clicked_message(click, note("changed"))
    assert [r.json["type"] for r in club.env.http_requests[start:]] == [7, 6]


async def test_a_private_message_that_was_deleted_is_answered_by_another_one(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    async with held_back(club) as waiting:
        await club.press(club.anna, reply(menu), Verb.LEAVE)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    club.env.inject_error("POST", "/interactions/*/callback", status=404, code=10008, message="Unknown Message")
    await club.bot.api.edit_clicked_or_reply(click, note("instead"))
    assert texts(club)[-1] == "instead"


async def test_a_public_message_is_not_turned_into_a_private_one(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    before = text_of(club.table_message())
    click = await clicked(club)
    message = await club.bot.api.edit_clicked_or_reply(click, note("only for anna"))
    assert texts(club) == ["only for anna"]
    assert message != club.table_message().id
    assert text_of(club.table_message()) == before


async def test_a_direct_message_of_plain_words_is_not_turned_into_another_one(club: Club) -> None:
    """As one that notifies, before it becomes a hand; Discord lets no message made of components become plain again."""
    await club.bot.api.send_plain_text(club.anna.user.dm_channel.id, "Your turn!", "nonce")
    plain = dms(club.anna)[-1]
    async with held_back(club) as waiting:
        await forge(club, club.anna, custom_id(Verb.RULES, TableId("t1")), plain)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    assert await club.bot.api.edit_clicked_or_reply(click, note("something else")) != plain.id
    assert text_of(club.as_it_is(plain)) == "Your turn!"


@pytest.mark.parametrize("modal", [True, False])
async def test_what_is_not_sent_while_it_is_not_sure_who_holds_the_shard_counts_as_no_first_response(
    club: Club, modal: bool
) -> None:
    await club.open(club.anna, club.bruno)
    click, start = await clicked(club), len(club.env.http_requests)
    held = club.bot.api._shards = Held()
    held.valid = False
    limits.set_request_guild(club.guild.id)
    with pytest.raises(Busy):
        if modal:
            await club.bot.api.show_modal(click, discord.ui.Modal(title="Options"))
        else:
            await club.bot.api.reply(click, note("one"), private=True)
    assert requests(club, start) == []
    held.valid = True
    await club.bot.api.acknowledge(click)
    assert first_response_state(click).can_token_edit_clicked_message


@pytest.mark.parametrize(
    ("sent", "reaches"),
    [
        ([KIND.deferred_message_update], True),
        ([KIND.message_update], True),
        ([KIND.message_update, KIND.deferred_message_update], True),
        ([KIND.channel_message], False),
        ([KIND.deferred_message_update, KIND.channel_message], False),
        ([KIND.channel_message, KIND.deferred_message_update], False),
    ],
)
async def test_a_token_reaches_the_clicked_message_if_no_response_was_a_message_of_its_own(
    sent: list[discord.InteractionResponseType], reaches: bool
) -> None:
    """Also one that was lost: Discord may have taken it."""
    it = FirstResponse()
    it.sent = sent
    assert it.can_token_edit_clicked_message is reaches


async def test_a_table_message_that_is_taken_for_the_answer_to_a_click_on_it_stays_a_table(club: Club) -> None:
    """Another process has acknowledged the click, which this one cannot know if its own response is lost: then it takes
    the clicked message for the one that it has sent."""
    await club.open(club.anna, club.bruno)
    async with held_back(club) as waiting:
        await club.press(club.anna, club.table_message(), Verb.MENU)
    elsewhere, here = (discord.Interaction[Any](data=waiting[0], state=club.bot._connection) for _ in range(2))
    await club.bot.api.acknowledge(elsewhere)
    club.env.inject_error("POST", "/interactions/*/callback", status=503, code=0, times=1)
    table, message = club.table(), club.table_message()
    moved = make_table_moved_sheet_builder(table)
    await club.bot.reconciler.answers.resend_table_message_at_bottom(table, here, moved)
    await club.clock.advance(DELETE_DELAY_MS)
    assert club.table_message().id == message.id
    assert club.table_is_right()


# A process dies after it has answered with a new table message, and before it has recorded where that is.

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
    with captured_log():
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
        if (press := parse_custom_id(str(component.get("custom_id", ""))))
        and press.verb is Verb.MENU
        and press.table == table
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
    await club.bot.store.save_handle(table, Handle(REPLY, club.channel.id, before[0] + 1, "unanswered", at))
    start = len(club.env.http_requests)
    await club.restart()
    await club.clock.advance(5_000)
    assert any(r.path.endswith("/unanswered/messages/@original") for r in club.env.http_requests[start:]) is not late
    assert boards(club) == before
    assert REPLY not in {handle.slot for handle in await club.bot.store.load_handles(table)}


async def test_the_message_of_a_click_that_was_only_acknowledged_does_not_become_the_table(club: Club) -> None:
    """To Discord it is the answer. A process died when it was to send the lobby of a rematch."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    over = club.messages()[-1]
    async with held_back(club) as waiting:
        await club.press(club.anna, over, Verb.REMATCH)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    await club.bot.api.acknowledge(click)
    await club.anna.slash(club.channel, "play", game=club.case.game)
    table, store = club.table().id, club.bot.store
    await store.delete_handle(table, TABLE)
    await store.save_handle(table, Handle(REPLY, club.channel.id, click.id, click.token, club.clock.now()))
    before = len(boards(club))
    await club.restart()
    await club.clock.advance(5_000)
    assert text_of(club.as_it_is(over)) == text_of(over)
    assert len(boards(club)) == before + 1
