"""A hand that follows up on a click on the table message: the click's token edits both, and each by its id, so that no
hand takes the place of the table message."""

import asyncio
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.delivery.discord_api import first_response_state, is_interaction_answered
from bot.delivery.plan import LAST_EDIT_MS
from bot.delivery.slots import TABLE, ephemeral_hand_slot
from bot.delivery.tokens import REFRESH_AFTER_MS, TOKEN_LIFE_MS
from bot.ui.custom_ids import Verb
from tests.discord.held import held_back, replay
from tests.discord.messages import components_json, expected_components_json, text_of
from tests.discord.play import Club
from tests.games import ANY
from tests.process.waiting import eventually

pytestmark = pytest.mark.about(ANY)  # all games are alike here

EPHEMERAL = 64


def counted(club: Club, start: int) -> list[str]:
    """What was requested in the channel with the bot's own token since *start*."""
    here = f"/channels/{club.channel.id}/"
    return [f"{r.method} {r.path}" for r in club.env.http_requests[start:] if r.path.startswith(here)]


def hand_is_right(club: Club, person: MemberActor, hand: discord.Message) -> bool:
    """Whether *hand*, a live one, shows the table as it is."""
    seen = components_json(club.as_it_is(hand))
    return seen == expected_components_json(
        club.table(), ephemeral_hand_slot(club.seat(person)), club.table_message().id, live=True
    )


async def from_the_table(club: Club, person: MemberActor) -> discord.Message:
    """*person* opens their hand at the table, whose token is old."""
    await club.clock.advance(REFRESH_AFTER_MS)
    start = len(club.env.http_requests)
    shown = await club.press(person, club.table_message(), Verb.HAND)
    sent = club.env.http_requests[start:]
    assert [r.json["type"] for r in sent if r.path.endswith("/callback")] == [6]
    (follow_up,) = [r for r in sent if r.method == "POST" and r.path.startswith("/webhooks/")]
    assert follow_up.json["flags"] & EPHEMERAL
    return club.opened(shown)


async def test_the_token_of_a_click_on_an_old_table_edits_table_and_hand(club: Club) -> None:
    await club.open(*club.people[:3])
    first = club.on_turn()
    hand = await from_the_table(club, first)
    start = len(club.env.http_requests)
    await club.act(first, message=hand)
    for _ in range(4):
        await club.act(club.on_turn(), message=club.as_it_is(hand) if club.on_turn() is first else None)
        assert club.table_is_right()
        assert hand_is_right(club, first, hand)
    assert counted(club, start) == []


async def test_while_the_tables_token_is_new_one_request_is_enough(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(REFRESH_AFTER_MS)
    await club.press(club.bruno, club.table_message(), Verb.MENU)
    await club.clock.advance(REFRESH_AFTER_MS - 1)
    start = len(club.env.http_requests)
    await club.press(club.anna, club.table_message(), Verb.HAND)
    sent = club.env.http_requests[start:]
    assert [r.json["type"] for r in sent if r.path.endswith("/callback")] == [4]
    assert not [r for r in sent if r.path.startswith("/webhooks/")], "it shows what it should"
    await club.clock.advance(1)
    start = len(club.env.http_requests)
    await club.press(club.stranger, club.table_message(), Verb.RULES)
    sent = club.env.http_requests[start:]
    assert [r.json["type"] for r in sent if r.path.endswith("/callback")] == [6]


@pytest.mark.parametrize("verb", [Verb.RULES, Verb.MENU])
async def test_every_click_on_the_table_makes_its_edits_free(club: Club, verb: Verb) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(TOKEN_LIFE_MS)
    answer = await club.press(club.stranger, club.table_message(), verb)
    assert club.opened(answer).flags.ephemeral
    start = len(club.env.http_requests)
    await club.act(club.on_turn())
    assert club.table_is_right()
    assert counted(club, start) == []


async def test_when_the_token_expires_the_bots_own_takes_over_and_the_hand_says_its_last_word(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    hand = await from_the_table(club, club.others()[0])
    await club.clock.advance(LAST_EDIT_MS)
    assert "not up to date any more" in text_of(club.as_it_is(hand))
    await club.clock.advance(TOKEN_LIFE_MS - LAST_EDIT_MS)
    start = len(club.env.http_requests)
    await club.act(club.on_turn())
    assert club.table_is_right()
    assert counted(club, start) == [f"PATCH /channels/{club.channel.id}/messages/{club.table_message().id}"]


async def test_a_follow_up_that_fails_leaves_a_word_and_the_table_right(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(REFRESH_AFTER_MS)
    player = club.on_turn()
    club.env.inject_error("POST", "/webhooks/*", status=503, code=0, message="Unavailable", times=1)
    answer = await club.press(player, club.table_message(), Verb.HAND)
    assert "Nothing is lost" in text_of(club.opened(answer))
    start = len(club.env.http_requests)
    await club.act(player)
    assert club.table_is_right()
    assert counted(club, start) == []


async def test_a_hand_whose_person_has_dismissed_it_is_forgotten(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    hand = await from_the_table(club, player)
    club.env.inject_error(
        "PATCH", f"/webhooks/*/messages/{hand.id}", status=404, code=10008, message="Unknown Message", times=None
    )
    for _ in range(2):
        await club.act(club.on_turn())
        assert club.table_is_right()
    club.env.backend.faults.clear()
    assert "###" in text_of(club.opened(await club.press(player, club.table_message(), Verb.HAND)))


async def test_a_table_message_that_the_token_does_not_reach_is_edited_with_the_bots_own(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await from_the_table(club, club.on_turn())
    table = club.table_message()
    club.env.inject_error(
        "PATCH", f"/webhooks/*/messages/{table.id}", status=404, code=10008, message="Unknown Message", times=None
    )
    start = len(club.env.http_requests)
    for _ in range(2):
        await club.act(club.on_turn())
        await club.table_catches_up()
        assert club.table_is_right()
    assert club.table_message().id == table.id
    tried = [r for r in club.env.http_requests[start:] if r.path.endswith(f"/messages/{table.id}")]
    assert sum("/webhooks/" in r.path for r in tried) == 1, "it is not tried again"


async def test_a_hand_opened_late_never_shows_on_the_table_message(club: Club) -> None:
    """The click is acknowledged first, so "@original" of its token is the table message."""
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    async with held_back(club) as waiting:
        await club.press(player, club.table_message(), Verb.HAND)
    await club.clock.advance(2_000)
    await replay(club, waiting)
    await club.env.settle()
    await club.act(player)
    assert club.table_is_right()


async def test_a_hand_that_is_recorded_where_the_table_message_is_is_forgotten(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await from_the_table(club, club.anna)
    handles = await club.bot.store.load_handles(club.table().id)
    table = next(handle for handle in handles if handle.slot == TABLE)
    assert table.token
    await club.bot.store.save_handle(club.table().id, table._replace(slot=ephemeral_hand_slot(club.seat(club.anna))))
    await club.restart()
    for _ in range(2):
        await club.act(club.on_turn())
        assert club.table_is_right()
    assert "###" in text_of(club.opened(await club.press(club.anna, club.table_message(), Verb.HAND)))
    assert club.table_message().id == table.message, "it was not deleted as the hand that the new one replaces"


async def test_a_click_on_the_table_makes_its_edits_free_again_after_its_token_was_not_taken(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await from_the_table(club, club.on_turn())
    path = f"/webhooks/*/messages/{club.table_message().id}"
    club.env.inject_error("PATCH", path, status=404, code=10015, message="Unknown Webhook", times=1)
    await club.act(club.on_turn())
    await club.table_catches_up()
    await club.press(club.stranger, club.table_message(), Verb.RULES)
    start = len(club.env.http_requests)
    await club.act(club.on_turn())
    assert club.table_is_right()
    assert counted(club, start) == []


async def test_while_a_click_makes_the_edits_of_an_old_table_free_the_next_one_takes_one_request(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(REFRESH_AFTER_MS)
    async with held_back(club) as waiting:
        for person in (club.anna, club.bruno):
            await club.press(person, club.table_message(), Verb.MENU)
    one, two = (discord.Interaction[Any](data=data, state=club.bot._connection) for data in waiting)
    answers, table = club.bot.reconciler.answers, club.table()
    async with first_response_state(one).lock:  # it is being acknowledged
        first = asyncio.create_task(answers.refresh_table_token(table, one))
        await asyncio.sleep(0)
        await answers.refresh_table_token(table, two)
        assert not is_interaction_answered(two), "its answer will be a message of its own"
    await first
    assert is_interaction_answered(one)
    await club.clock.advance(REFRESH_AFTER_MS)
    start = len(club.env.http_requests)
    await club.press(club.stranger, club.table_message(), Verb.RULES)
    sent = [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert sent == [6], "a later one makes them free once more"


@pytest.mark.parametrize(
    ("code", "message"),
    [pytest.param(10008, "Unknown Message", id="dismissed"), pytest.param(10015, "Unknown Webhook", id="expired")],
)
async def test_a_hand_that_is_opened_while_the_one_before_turns_out_to_be_out_of_reach_is_kept_up_to_date(
    club: Club, code: int, message: str
) -> None:
    await club.open(club.anna, club.bruno)
    first, (player,), table, reconciler = club.on_turn(), club.others(), club.table(), club.bot.reconciler
    gone = club.opened(await club.press(player, club.table_message(), Verb.HAND))
    path = f"/webhooks/*/messages/{gone.id}"
    club.env.inject_error("PATCH", path, status=404, code=code, message=message, times=None)
    async with held_back(club) as waiting:
        await club.press(player, club.table_message(), Verb.HAND)
    click, start = discord.Interaction[Any](data=waiting[0], state=club.bot._connection), len(club.env.http_requests)
    slot = ephemeral_hand_slot(club.seat(player))
    async with first_response_state(click).lock:  # it is being sent
        opened = asyncio.create_task(reconciler.answers.answer_with_new_message(table, slot, click, private=True))
        await asyncio.sleep(0)
        await club.bot.tables.update_player(table.id, first.id, name="somebody else")
        await eventually(lambda: any(str(gone.id) in r.path for r in club.env.http_requests[start:]), "the edit")
        await reconciler.wait_until_updated(table.id)
    await opened
    await club.env.settle()
    (hand,) = [it for it in club.channel.history(viewer=player) if it.flags.ephemeral and it.id != gone.id]
    assert hand_is_right(club, player, hand)
    await club.act(first)
    assert hand_is_right(club, player, hand)
