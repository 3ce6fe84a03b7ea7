"""Clicks while Discord is slow: every one is answered in time."""

from typing import Any

import pytest

from bot.custom_ids import Verb
from tests.games import ANY
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.world import World
from tests.simulation.scenes.scene import simulated


@pytest.mark.about(ANY)  # lobbies are alike
@pytest.mark.parametrize("fault", [{"delay_ms": 4000}, {"status": 502, "times": 3}, {"status": 403, "times": 4}])
@simulated
async def test_a_click_does_not_wait_behind_a_slow_edit_of_its_message(world: World, fault: dict[str, Any]) -> None:
    anna, bruno, carla = world.people[:3]
    await anna.slash(world.channel, "play", game=ANY)
    await bruno.click(await eventually(lambda: bruno.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
    for path in ("/channels/*/messages/*", "/webhooks/*/messages/*"):
        await world.fault(match={"method": "PATCH", "path": path}, **{"times": 1, **fault})
    await bruno.slash(world.channel, "table leave")
    await carla.click(await eventually(lambda: carla.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
    await eventually(lambda: "Carla" in anna.newest(Verb.OPTIONS).text, "the lobby to show it")
    assert "Bruno" not in anna.newest(Verb.OPTIONS).text


@simulated
async def test_brought_down_the_table_is_at_the_bottom_and_stays_there_for_a_while(
    world: World, people: list[Person]
) -> None:
    anna = people[0]
    before = anna.table()
    assert before is not None
    for _ in range(2):
        await anna.click(anna.table(), Verb.MENU)
        menu = await eventually(lambda: anna.newest(Verb.DOWN_HERE), "the menu")
        await anna.click(menu, Verb.DOWN_HERE)
        await eventually(lambda: anna.table() and anna.table().id > before.id, "the table further down")
        await eventually(lambda: "moved to the bottom" in anna.messages[before.id].text, "the link to it")
    await eventually(lambda: anna.newest_text("has only just been moved"), "the second one to be refused")
    assert len([m for m in anna.messages.values() if m.press(Verb.MENU)]) == 1


@simulated
async def test_brought_down_while_a_response_is_lost_there_is_one_table_message(
    world: World, people: list[Person]
) -> None:
    anna = people[0]
    before = anna.table()
    assert before is not None
    await anna.click(before, Verb.MENU)
    menu = await eventually(lambda: anna.newest(Verb.DOWN_HERE), "the menu")
    await world.fault(match={"method": "POST", "path": "/channels/*/messages"}, drop=True, times=1)
    await anna.click(menu, Verb.DOWN_HERE)
    await eventually(lambda: before.id not in anna.messages, "the old one to go")
    assert len([m for m in anna.messages.values() if m.press(Verb.MENU)]) == 1


@pytest.mark.about(ANY)
@simulated
async def test_an_edit_that_lands_after_an_answer_but_is_heard_of_first_is_put_right(world: World) -> None:
    anna, bruno, carla = world.people[:3]
    await anna.slash(world.channel, "play", game=ANY)
    await bruno.click(await eventually(lambda: bruno.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
    await eventually(lambda: "Bruno" in anna.newest(Verb.OPTIONS).text, "Bruno to have a seat")
    for path in ("/channels/*/messages/*", "/webhooks/*/messages/*"):
        await world.fault(match={"method": "PATCH", "path": path}, delay_ms=2500, times=1)
    told = len(bruno.messages)
    await bruno.slash(world.channel, "table leave")
    await eventually(lambda: len(bruno.messages) > told, "Bruno to be told")
    await world.fault(match={"method": "POST", "path": "/interactions/*/callback"}, late_ms=5000, times=1)
    lobby = anna.newest(Verb.OPTIONS)
    await carla.click(carla.messages[lobby.id], Verb.JOIN)
    await eventually(lambda: "Carla" in anna.newest(Verb.OPTIONS).text, "the answer to show her")
    await eventually(lambda: "Carla" not in anna.newest(Verb.OPTIONS).text, "the older edit to land")
    await eventually(lambda: "Carla" in anna.newest(Verb.OPTIONS).text, "the lobby to be right again")
    assert "Bruno" not in anna.newest(Verb.OPTIONS).text


@pytest.mark.about("diciassette")
@simulated
async def test_an_edit_whose_response_is_lost_may_have_had_its_effect(world: World) -> None:
    """What it has shown before is not known to be there any more, even if that is what it has to show again."""
    anna = world.people[0]
    await anna.slash(world.channel, "play", game="diciassette")
    await anna.click(await eventually(lambda: anna.newest(Verb.OPTIONS), "the lobby"), Verb.ADD_COMPUTER)
    await anna.click(anna.newest(Verb.MENU), Verb.MENU)
    menu = await eventually(lambda: anna.newest(Verb.REMOVE_COMPUTER), "the menu")
    for path in ("/channels/*/messages/*", "/webhooks/*/messages/*"):
        await world.fault(match={"method": "PATCH", "path": path}, drop=True, times=1)
    await anna.click(menu, Verb.REMOVE_COMPUTER)
    await eventually(lambda: "🤖" not in anna.newest(Verb.OPTIONS).text, "the lobby to say so")
    await anna.click(anna.newest(Verb.OPTIONS), Verb.ADD_COMPUTER)
    await eventually(lambda: "🤖" in anna.newest(Verb.OPTIONS).text, "the lobby to be right again")
