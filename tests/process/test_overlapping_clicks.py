"""Clicks that overlap, with real processes and real time: simultaneous calls, late arrivals, double clicks."""

from collections.abc import AsyncIterator
from itertools import permutations
from pathlib import Path

import pytest

from bot.custom_ids import Verb
from tests.process.world import Person, World, eventually, local_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        yield world


async def lay(person: Person, slot: int = 0, face: str = "up", *, wait: bool = True) -> str:
    hand = await eventually(person.hand, "a hand")
    return await person.click(hand, Verb.MOVE, f"{slot}-{face}", wait=wait)


async def first_card(world: World, *people: Person) -> tuple[Person, list[Person]]:
    """The starter lays a card; (starter, the others in seat order after it)."""
    await world.open_game(*people)
    starter = await world.on_turn(*people)
    await lay(starter, face="down")
    at = people.index(starter)
    others = [people[(at + offset) % len(people)] for offset in range(1, len(people))]
    await eventually(lambda: others[0].table().press(Verb.CALL), "a card to call")
    return starter, others


def outcome(world: World) -> str:
    """How the round ended, as everybody reads it."""
    return world.people[0].table().text


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_three_simultaneous_calls_in_each_order_d9(world: World, order: tuple[int, ...]) -> None:
    """Whatever the order of the clicks, the one next in turn order counts, and everybody is answered."""
    _, others = await first_card(world, *world.people[:4])
    nonces = [(others[i], await others[i].click(others[i].table(), Verb.CALL, wait=False)) for i in order]
    for person, nonce in nonces:
        await person.success(nonce)
    await eventually(lambda: "called 17!" in outcome(world), "the reveal")
    assert f"{others[0].name} called 17!" in outcome(world)
    assert "At the same time" in outcome(world)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_two_simultaneous_calls_in_each_order_of_arrival_d9(world: World, order: tuple[int, int]) -> None:
    """The click that was made first reaches the bot last."""
    _, others = await first_card(world, *world.people[:3])
    early, late = (others[i] for i in order)
    await world.fault(match={"method": "POST", "path": "/interactions"}, delay_ms=300)
    nonces = [
        (early, await early.click(early.table(), Verb.CALL, wait=False)),
        (late, await late.click(late.table(), Verb.CALL, wait=False)),
    ]
    for person, nonce in nonces:
        await person.success(nonce)
    await eventually(lambda: "called 17!" in outcome(world), "the reveal")
    assert f"{others[0].name} called 17!" in outcome(world)


async def test_a_call_made_before_the_card_wins_although_it_arrives_later(world: World) -> None:
    starter, others = await first_card(world, *world.people[:3])
    await eventually(others[0].hand, "the next hand")
    await world.fault(match={"method": "POST", "path": "/interactions"}, delay_ms=100)
    call = await others[1].click(others[1].table(), Verb.CALL, wait=False)
    card = await lay(others[0], wait=False)
    await others[1].success(call)
    await others[0].success(card)
    await eventually(lambda: "called 17!" in outcome(world), "the reveal")
    assert f"{others[1].name} called 17! after {starter.name}" in outcome(world)


async def test_a_double_click_in_flight_plays_one_card(world: World) -> None:
    await world.open_game(*world.people[:2])
    starter = await world.on_turn(*world.people[:2])
    hand = starter.hand()
    nonces = [await starter.click(hand, Verb.MOVE, "0-up", wait=False) for _ in range(2)]
    for nonce in nonces:
        await starter.success(nonce)
    other = next(p for p in world.people[:2] if p is not starter)
    seen = await eventually(other.hand, "the other's turn")
    assert seen.press(Verb.MOVE)[1].ply == 1


async def test_a_double_call_in_flight_calls_once(world: World) -> None:
    _, others = await first_card(world, *world.people[:2])
    table = others[0].table()
    nonces = [await others[0].click(table, Verb.CALL, wait=False) for _ in range(2)]
    for nonce in nonces:
        await others[0].success(nonce)
    await eventually(lambda: "called 17!" in outcome(world), "the reveal")
    assert "Round 2" in outcome(world)
    assert "At the same time" not in outcome(world)


async def test_everybody_joins_at_once(world: World) -> None:
    host, *guests = world.people[:6]
    await host.slash(world.channel, "play", game="diciassette")
    for guest in guests:
        await eventually(lambda g=guest: g.newest(Verb.JOIN), "the lobby")
    nonces = [(g, await g.click(g.newest(Verb.JOIN), Verb.JOIN, wait=False)) for g in guests]
    for guest, nonce in nonces:
        await guest.success(nonce)
    await eventually(lambda: "(6 of 6)" in host.newest(Verb.START).text, "a full table")


async def test_with_closed_direct_messages_the_game_goes_on_behind_my_hand(world: World) -> None:
    anna, bruno = world.people[:2]
    await world.call("POST", f"/local/users/{bruno.id}", {"dms_open": False})
    await world.open_game(anna, bruno)
    await eventually(lambda: "No direct message to" in anna.table().text, "the word about it")
    await bruno.click(bruno.table(), Verb.HAND)
    await eventually(lambda: any(m.private for m in bruno.messages.values()), "the hand")
    assert not any(m.private for m in anna.messages.values())
    for _ in range(4):
        await lay(await world.on_turn(anna, bruno))


async def test_an_ephemeral_hand_reaches_its_owner_alone(world: World) -> None:
    anna, bruno, carla = world.people[:3]
    await world.open_game(anna, bruno)
    await anna.click(anna.table(), Verb.HAND)
    mine = await eventually(lambda: next((m for m in anna.messages.values() if m.private), None), "the hand")
    for other in (bruno, carla):
        assert mine.id not in other.messages
        assert str(mine.id) not in str(other.received)
    dms = {m.channel for m in anna.messages.values()} - {world.channel}
    for channel in dms:
        assert all(event["d"].get("channel_id") != str(channel) for event in carla.received)
        status, _ = await world.call("GET", f"/channels/{channel}/messages", token=carla.token)
        assert status == 404
