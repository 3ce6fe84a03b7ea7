"""Calls of 17 that overlap, in virtual time: simultaneous ones, late arrivals, double clicks."""

from pathlib import Path

import pytest

from bot.ui.custom_ids import Verb
from engine.games.diciassette.cards import Face
from tests.controls import meant, moves
from tests.process.person import Person, Seen
from tests.process.waiting import eventually
from tests.process.watch import newest_table
from tests.process.world import World
from tests.simulation.scenes.scene import simulated

pytestmark = pytest.mark.about("diciassette")


async def first_card(world: World, store: Path, *people: Person) -> tuple[Person, list[Person]]:
    """The starter lays a card, face down: face up it might be an x2, and nobody may call in a double turn. (starter,
    the others in seat order after it)."""
    await world.open_game("diciassette", *people)
    starter = await world.on_turn(*people)
    at, hand, table = people.index(starter), starter.hand(), newest_table(store)
    assert hand is not None
    seat = table.seat_of(starter.id)
    assert seat is not None
    await starter.use(hand, next(offer for offer in moves(hand) if meant(table, seat, offer).face is Face.DOWN))
    others = [people[(at + offset) % len(people)] for offset in range(1, len(people))]
    await eventually(lambda: all(board(person).press(Verb.CALL) for person in others), "a card to call")
    return starter, others


def board(person: Person) -> Seen:
    """The table message as *person* has it."""
    found = person.table()
    assert found is not None
    return found


async def call(person: Person) -> str:
    """*person* slams the button under the table; the nonce. Nobody waits for an answer."""
    return await person.click(board(person), Verb.CALL, wait=False)


async def revealed(world: World) -> str:
    """How the round ended, as everybody reads it."""
    await eventually(lambda: "called 17!" in board(world.people[0]).text, "the reveal")
    return board(world.people[0]).text


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@simulated
async def test_two_simultaneous_calls_in_each_order_of_arrival_d9(
    world: World, store: Path, order: tuple[int, int]
) -> None:
    """The click that was made first reaches the bot last."""
    _, others = await first_card(world, store, *world.people[:3])
    early, late = (others[i] for i in order)
    await world.fault(match={"method": "POST", "path": "/interactions"}, delay_ms=300)
    nonces = [(early, await call(early)), (late, await call(late))]
    for person, nonce in nonces:
        await person.success(nonce)
    assert f"{others[0].name} called 17!" in await revealed(world)


@simulated
async def test_a_call_made_before_the_card_wins_although_it_arrives_later(world: World, store: Path) -> None:
    starter, others = await first_card(world, store, *world.people[:3])
    await eventually(others[0].hand, "the next hand")
    await world.fault(match={"method": "POST", "path": "/interactions"}, delay_ms=100)
    nonce = await call(others[1])
    card = await others[0].move(wait=False)
    await others[1].success(nonce)
    await others[0].success(card)
    assert f"{others[1].name} called 17! on {starter.name}" in await revealed(world)


@simulated
async def test_a_double_call_in_flight_calls_once(world: World, store: Path) -> None:
    _, others = await first_card(world, store, *world.people[:2])
    table = board(others[0])
    nonces = [await others[0].click(table, Verb.CALL, wait=False) for _ in range(2)]
    for nonce in nonces:
        await others[0].success(nonce)
    outcome = await revealed(world)
    assert "Round 2" in outcome
    assert "called at the same moment" not in outcome
