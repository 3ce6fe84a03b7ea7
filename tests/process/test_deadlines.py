"""Discord's deadline of three seconds, with real time: whatever a click waits for, its person does not see it fail."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.ui.custom_ids import Verb
from tests.games import ANY, ONE_GAME
from tests.process.person import Person, Seen
from tests.process.waiting import eventually
from tests.process.watch import click, newest_table, next_move, plies, wait_until_shown
from tests.process.world import World

LOCKED_SECONDS = 5.0
"""Longer than Discord's deadline."""


@ONE_GAME
async def test_a_click_that_waits_for_the_database_is_acknowledged_and_answered(
    world: World, people: list[Person], store: Path
) -> None:
    """https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback"""
    player, hand, offer = await next_move(world, store, people)
    before = plies(store)
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = asyncio.get_running_loop().time()
        nonce = await click(player, hand, offer)
        await player.success(nonce)
        assert asyncio.get_running_loop().time() - began < 3.0
        await asyncio.sleep(began + LOCKED_SECONDS - asyncio.get_running_loop().time())  # that long it is locked
        assert plies(store) == before
        other.execute("ROLLBACK")
    await eventually(lambda: plies(store) == before + 1, "the move")
    await wait_until_shown(world, store, people)


@ONE_GAME
async def test_a_refusal_that_comes_late_is_private_also_after_a_public_command(
    world: World, people: list[Person], store: Path
) -> None:
    """The placeholder of /play is for everybody; a refusal is for one person."""
    anna = people[0]
    for channel in list(world.channels)[1:3]:
        await anna.slash(channel, "play", game=ANY)
    thread = await world.call("POST", f"/channels/{world.channel}/threads", {"name": "t", "type": 11}, anna.token)
    channel = int(thread[1]["id"])
    world.channels[channel] = world.guild
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await anna.slash(channel, "play", game=ANY)
        other.execute("ROLLBACK")
    refused = await eventually(lambda: anna.newest_text("as many tables open as you may"), "the refusal")
    assert refused.private
    assert anna.newest(Verb.OPTIONS, channel) is None


@ONE_GAME
async def test_of_several_clicks_at_once_on_a_table_without_a_token_one_gives_it_one(
    world: World, people: list[Person], store: Path
) -> None:
    """The others are answered by their hands, with one request."""
    player, _, _ = await next_move(world, store, people)
    table = player.table()
    assert table is not None
    before = len(await world.requests())
    callbacks = "/interactions/*/callback"
    await world.fault(match={"method": "POST", "path": callbacks}, delay_ms=500, times=len(people))
    await asyncio.gather(*(person.click(table, Verb.HAND) for person in people))
    sent = (await world.requests())[before:]
    kinds = [it["body"]["type"] for it in sent if it["path"].endswith("/callback")]
    assert sorted(kinds) == [4] * (len(people) - 1) + [6]


@ONE_GAME
async def test_whoever_is_erased_while_their_hand_is_on_its_way_does_not_get_it(
    world: World, people: list[Person], store: Path
) -> None:
    await next_move(world, store, people)
    person = people[-1]
    table = person.table()
    assert table is not None
    await world.fault(match={"method": "POST", "path": "/interactions/*/callback"}, delay_ms=2000, times=1)
    nonce = await person.click(table, Verb.HAND, wait=False)
    await person.slash(world.channel, "privacy")
    for verb in (Verb.ERASE, Verb.ERASE_FOR_SURE):
        await person.click(await eventually(lambda v=verb: person.newest(v), str(verb)), verb)
    await eventually(lambda: newest_table(store).seat_of(person.id) is None, "the seat to be nobody's")
    assert nonce not in person.outcomes, "the acknowledgement is still on its way"
    await person.success(nonce)

    def told() -> list[Seen]:
        """What only they were sent."""
        given = [Seen(it["d"]) for it in person.received if it["t"] == "MESSAGE_CREATE"]
        return [it for it in given if it.private]

    await eventually(lambda: len(told()) == 2, "the answer, after that to the command")
    assert not [it for it in told() if it.about(newest_table(store).id)], "it is no hand"
