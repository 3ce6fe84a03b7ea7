"""Discord's faults and our own crashes at chosen moments: the game goes on."""

from pathlib import Path
from typing import Any

from tests.process.faults import every_fault
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.watch import (
    click,
    move,
    move_again_and_again,
    newest_table,
    next_move,
    plies,
    stale,
    tables,
    wait_until_shown,
)
from tests.process.world import World
from tests.simulation.scenes.scene import simulated

# Our crash, at chosen moments


@simulated
async def test_killed_right_after_a_commit_before_anybody_was_told(
    world: World, people: list[Person], store: Path
) -> None:
    its_turn = await next_move(world, store, people)
    for method, path in (("PATCH", "*"), ("POST", "/interactions/*/callback")):
        await world.fault(match={"method": method, "path": path}, delay_ms=60_000, times=1000)
    await click(*its_turn)
    await eventually(lambda: plies(store) == 1, "the commit")
    await world.kill_bot()
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await move(world, store, people)


@simulated
async def test_killed_between_two_requests_the_second_is_made_up_for(
    world: World, people: list[Person], store: Path
) -> None:
    player, hand, offer = await next_move(world, store, people)
    await world.fault(match={"method": "PATCH", "path": "*"}, delay_ms=60_000, times=1000)
    await player.success(await click(player, hand, offer))
    assert plies(store) == 1
    assert stale(people, newest_table(store), world)
    await world.kill_bot()
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await move(world, store, people)


# Discord's limits and failures

RATE = [
    {"status": 429},
    {"status": 429, "retry_after": 0.3},
    {"status": 429, "retry_after": 0.3, "global": True},
    {"status": 500},
    {"status": 502},
    {"status": 503},
    {"delay_ms": 1_500},
    {"drop": True},
]


@every_fault(RATE)
@simulated
async def test_the_game_goes_on_through(world: World, people: list[Person], store: Path, fault: dict[str, Any]) -> None:
    """Every kind of request meets the fault once and again, in a running game."""
    await move(world, store, people)
    for method, path in (("PATCH", "/channels/*"), ("PATCH", "/webhooks/*"), ("POST", "/interactions/*/callback")):
        for _ in range(2):
            player, hand, offer = await next_move(
                world, store, people
            )  # where a short game is over, the next one starts
            await world.fault(match={"method": method, "path": path}, times=2, **fault)
            before = plies(store)
            await click(player, hand, offer)
            await eventually(lambda known=before: plies(store) == known + 1, "the move to be committed")
            await wait_until_shown(world, store, people)
            await world.call("DELETE", "/local/faults")
    direct = [m for person in people for m in person.messages.values() if m.direct(world)]
    assert len(direct) == len(people) * len(tables(store)), "no message came twice"
    refused = [r for r in await world.requests() if r["status"] in (401, 403, 429)]
    assert len(refused) <= 16, "no storm of refused requests"


@simulated
async def test_a_lost_response_to_a_new_message_makes_no_second_one(world: World, store: Path, game: str) -> None:
    seated = world.players(game)
    await world.fault(match={"method": "POST", "path": "/channels/*/messages"}, drop=True, times=2)
    await world.open_game(game, *seated, pace="off")
    await move(world, store, seated)
    for person in seated:
        assert len([m for m in person.messages.values() if m.direct(world)]) == 1


# The gateway


@every_fault(["reconnect", "close", "invalid_session"])
@simulated
async def test_the_game_goes_on_when_the_gateway_is_lost(
    world: World, people: list[Person], store: Path, fault: str
) -> None:
    await move(world, store, people)
    await next_move(world, store, people)
    await world.call("POST", "/local/faults", {"gateway": fault})
    await move_again_and_again(world, store, people)
    await move(world, store, people)


@simulated
async def test_a_click_on_a_silent_gateway_comes_through_when_it_speaks_again(
    world: World, people: list[Person], store: Path
) -> None:
    its_turn = await next_move(world, store, people)
    await world.call("POST", "/local/faults", {"gateway": "silence"})
    await click(*its_turn)
    await world.call("DELETE", "/local/faults")
    await eventually(lambda: plies(store) == 1, "the move")
    await wait_until_shown(world, store, people)
