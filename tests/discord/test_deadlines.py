"""Discord's deadline of three seconds: what its person saw fail has no effect."""

import asyncio
from typing import Any

import discord
import pytest

from bot.clock import SystemClock, snowflake_time
from bot.delivery.messages import ACKNOWLEDGE_AFTER_MS, Deadlines
from bot.delivery.slots import dm_hand_slot
from bot.ui.custom_ids import Verb
from cogs.router import on_interaction
from tests.discord.held import held_back, held_click, replay
from tests.discord.messages import components_json, expected_components_json
from tests.discord.play import Club
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here


@pytest.mark.parametrize("late", [1_500, 2_400, 2_950])
async def test_a_click_that_is_replayed_late_counts_if_discord_takes_its_acknowledgement(club: Club, late: int) -> None:
    """After RESUME Discord replays events (https://docs.discord.com/developers/events/gateway#resuming). Only Discord
    knows what is too late: our own clock may be wrong."""
    await club.open(club.anna, club.bruno)
    before = club.ply
    player, hand, waiting = await held_click(club)
    await club.clock.advance(late)
    start = len(club.env.http_requests)
    await replay(club, waiting)
    assert club.ply > before
    kinds = [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert kinds == ([7] if late < ACKNOWLEDGE_AFTER_MS else [6]), "one that is late is acknowledged first"
    slot = dm_hand_slot(club.seat(player))
    assert components_json(club.as_it_is(hand)) == expected_components_json(
        club.table(), slot, club.table_message().id, live=True
    )


@pytest.mark.parametrize(("late", "status", "code"), [(2_200, 404, 10062), (60_000, 404, 10062), (2_200, 400, 40060)])
async def test_a_late_click_that_can_no_longer_be_acknowledged_plays_nothing(
    club: Club, late: int, status: int, code: int
) -> None:
    """Discord shows it as failed, or another process of the bot has answered it and plays it (40060)."""
    await club.open(club.anna, club.bruno)
    before = club.ply
    _, _, waiting = await held_click(club)
    await club.clock.advance(late)
    club.env.inject_error("POST", "/interactions/*", status=status, code=code, message="No", times=1)
    await replay(club, waiting)
    assert club.ply == before


async def test_a_command_that_is_replayed_after_its_deadline_opens_no_table(club: Club) -> None:
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, "play", game=club.case.game)
    await club.clock.advance(4_000)
    club.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=1)
    await replay(club, waiting)
    assert not club.running


def counted(club: Club, what: str) -> dict[str, float]:
    """How often *what* was asked for, by what became of it."""
    outcomes = ("served", "refused", "late", "try_again", "bug")
    value, name = club.bot.metrics.registry.get_sample_value, "diciassette_interactions_total"
    return {it: times for it in outcomes if (times := value(name, {"what": what, "outcome": it}))}


async def test_an_answer_that_discord_takes_no_more_is_counted_as_late(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    click = await a_click(club)
    club.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=None)
    await on_interaction(click)
    assert counted(club, "menu") == {"late": 1}


async def test_what_is_served_and_what_is_refused_is_counted(club: Club) -> None:
    await club.open(club.anna, start=False)
    await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert counted(club, "/play") == {"served": 1, "refused": 1}
    for person in (club.anna, club.bruno, club.anna):
        await club.press(person, club.table_message(), Verb.MENU)
    assert counted(club, "menu") == {"served": 3}


async def a_click(club: Club) -> discord.Interaction[Any]:
    """A click on the table message that has not reached the bot."""
    async with held_back(club) as waiting:
        await club.press(club.anna, club.table_message(), Verb.MENU)
    return discord.Interaction(data=waiting[0], state=club.bot._connection)


async def test_a_click_is_waited_for_until_it_is_acknowledged(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.lobby_goes()
    deadlines, message = club.bot.reconciler.deadlines, club.table_message().id
    click, start = await a_click(club), len(club.env.http_requests)
    deadlines.acknowledge_when_due(click, private=True)
    assert deadlines.has_unanswered_click(message)
    assert not deadlines.has_unanswered_click(message + 1)
    await club.clock.advance(ACKNOWLEDGE_AFTER_MS - 1)
    assert deadlines.has_unanswered_click(message)
    assert len(club.env.http_requests) == start
    await club.clock.advance(1)
    assert [r.json["type"] for r in club.env.http_requests[start:]] == [6]
    assert not deadlines.has_unanswered_click(message)


async def test_a_click_that_was_never_answered_is_not_waited_for_after_three_seconds(club: Club) -> None:
    """Discord takes no answer then: "You must send an initial response within 3 seconds of receiving the event"
    (https://docs.discord.com/developers/interactions/receiving-and-responding)."""
    await club.open(club.anna, club.bruno)
    deadlines, message = club.bot.reconciler.deadlines, club.table_message().id
    club.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=None)
    for _ in range(2):
        deadlines.acknowledge_when_due(await a_click(club), private=True)
    await club.clock.advance(2_999)
    assert deadlines.has_unanswered_click(message)
    await club.clock.advance(1)
    assert not deadlines.has_unanswered_click(message)
    assert not deadlines._open


async def test_when_the_program_ends_no_click_is_left_without_an_answer(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    deadlines = club.bot.reconciler.deadlines
    unanswered = await a_click(club)
    deadlines.acknowledge_when_due(unanswered, private=True)
    start = len(club.env.http_requests)
    await club.bot.reconciler.stop()
    sent = [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert [(r.json["type"], str(unanswered.id) in r.path) for r in sent] == [(6, True)]


async def test_an_interaction_from_the_future_says_that_our_clock_is_slow(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    click = await a_click(club)
    slow = SystemClock(lambda: 5_000, lambda: club.clock.now() - 3_600_000)
    deadlines = Deadlines(slow, club.bot.api, asyncio.ensure_future)
    assert await deadlines.acknowledge_if_late(click, private=True)
    assert slow.now() >= snowflake_time(click.id)


async def test_a_command_that_waits_for_long_says_so_privately_or_not(club: Club) -> None:
    for private in (True, False):
        async with held_back(club) as waiting:
            await club.anna.slash(club.channel, "help")
        command = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
        start = len(club.env.http_requests)
        club.bot.reconciler.deadlines.acknowledge_when_due(command, private=private)
        await club.clock.advance(ACKNOWLEDGE_AFTER_MS)
        (sent,) = club.env.http_requests[start:]
        assert sent.json["type"] == 5
        assert bool(sent.json.get("data", {}).get("flags")) is private
