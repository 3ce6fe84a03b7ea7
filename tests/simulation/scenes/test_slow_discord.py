"""Clicks while Discord is slow: every one is answered in time, and the message is right in the end, whether an edit
or an answer comes last."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.ui.custom_ids import Verb, custom_id
from engine.registry import GAMES
from tests.controls import BUTTON, Offer, controls
from tests.games import ANY
from tests.process.person import Person, Seen, clicked
from tests.process.waiting import eventually
from tests.process.watch import move, newest_table, next_move, plies, wait_until_shown
from tests.process.world import World
from tests.simulation.scenes.scene import simulated

DAY = next(game for game in sorted(GAMES) if GAMES[game].daily is not None)
"""A game with a deal of the day."""


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


@pytest.mark.about(DAY)  # tables of all games are sent again in the same way
@simulated
async def test_a_deal_that_is_started_while_it_is_sent_again_is_shown_once(world: World) -> None:
    anna = world.people[0]
    direct = await anna.open_direct_messages()
    await anna.slash(direct, "daily", game=DAY)
    lobby: Seen = await eventually(lambda: anna.newest(Verb.START_DAY), "the deal")
    await world.fault(match={"method": "POST", "path": "/interactions/*"}, times=1, delay_ms=1000)
    await anna.try_to(anna.command(direct, "daily", game=DAY))
    await asyncio.sleep(0.8)
    await world.fault(match={"method": "POST", "path": "/interactions/*"}, times=1, delay_ms=1000)
    await anna.click(lobby, Verb.START_DAY)
    await asyncio.sleep(5)
    (shown,) = [message for message in anna.messages.values() if message.press(Verb.MENU)]
    assert shown.id > lobby.id


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


@pytest.mark.about(ANY)  # lobbies are alike
@simulated
async def test_there_is_one_lobby_though_somebody_joins_before_its_place_is_known(world: World) -> None:
    anna, bruno, carla = world.people[:3]
    await world.fault(match={"method": "POST", "path": "/interactions/*/callback"}, late_ms=800, times=1)
    await anna.slash(world.channel, "play", game=ANY)
    for person in (bruno, carla):
        await person.click(await eventually(lambda it=person: it.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
    await eventually(lambda: "Carla" in anna.newest(Verb.START).text, "everybody's seat")
    sent = [Seen(event["d"]) for event in anna.received if event["t"] == "MESSAGE_CREATE"]
    assert len([it for it in sent if it.press(Verb.JOIN)]) == 1


LATE_MS = 1_500


async def on_turn_with_two_hands(world: World, store: Path, people: list[Person]) -> tuple[Person, Seen]:
    """(whoever is on turn, their hand in the direct messages). It follows the game, as they have played from it before,
    and so does another one that they have in the channel."""
    player, *_ = await next_move(world, store, people)
    await move(world, store, people)
    while (await next_move(world, store, people))[0] is not player:
        await move(world, store, people)
    direct = next(m for m in player.messages.values() if m.direct(world) and m.ply is not None)
    await player.click(player.table(), Verb.HAND)
    await eventually(lambda: any(message.private for message in player.messages.values()), "the hand")
    return player, player.messages[direct.id]


def offers(message: Seen, control: str) -> bool:
    """Whether *message* has that button."""
    return any(component["custom_id"] == control for component, _ in controls(message))


async def late(world: World, message: Seen) -> None:
    """The next edit of *message* takes long."""
    match = {"method": "PATCH", "path": f"/webhooks/*/*/messages/{message.id}"}
    await world.fault(match=match, delay_ms=LATE_MS, times=1)


async def move_elsewhere(store: Path, people: list[Person], not_here: Seen) -> None:
    """Whoever is on turn moves, in any hand but that one."""
    table = newest_table(store)
    ply, seat = table.state.ply, table.rules.on_turn(table.state)
    player = next(person for person in people if table.seat_of(person.id) == seat)

    def hand() -> Seen | None:
        found = (it for it in player.messages.values() if it.ply == ply and it.id != not_here.id)
        return max(found, key=lambda message: message.id, default=None)

    shows = await eventually(hand, f"the turn of {player.name}")
    nonce = await player.use(shows, await player.offer(shows), wait=False)
    await player.success(nonce)
    await eventually(lambda: plies(store) > ply, "the move")


@simulated
async def test_an_edit_that_comes_after_a_refusal_does_not_stay(
    world: World, people: list[Person], store: Path
) -> None:
    player, direct = await on_turn_with_two_hands(world, store, people)
    await late(world, direct)
    for _ in range(2):  # the hand in the direct messages follows late
        await move_elsewhere(store, people, direct)
    _, status, _ = await player.send(clicked(direct, (await player.offer(direct))))
    assert status == 204, "what is still to be seen there"
    await asyncio.sleep(LATE_MS / 1000 + 0.5)
    await wait_until_shown(world, store, people)


@simulated
async def test_a_hand_that_is_clicked_during_its_last_edit_is_kept_up_to_date(
    world: World, people: list[Person], store: Path
) -> None:
    """Its person has chosen the hand in the channel, and plays from this one all the same."""
    player, direct = await on_turn_with_two_hands(world, store, people)
    await player.click(player.table(), Verb.MENU)
    stay = custom_id(Verb.HAND, newest_table(store).id, arg="stay")
    menu = await eventually(lambda: next((m for m in player.messages.values() if offers(m, stay)), None), "the menu")
    await player.use(menu, Offer(stay, BUTTON, None))
    await late(world, direct)
    await move_elsewhere(store, people, direct)
    match = {"method": "POST", "path": "/interactions/*/callback"}
    await world.fault(match=match, delay_ms=2 * LATE_MS - 500, times=1)
    _, status, _ = await player.send(clicked(direct, (await player.offer(direct))))
    assert status == 204, "what is still to be seen there"
    await asyncio.sleep(3 * LATE_MS / 1000)
    answer = player.messages[direct.id].text
    for _ in range(2):
        await move(world, store, people)
    await eventually(lambda: player.messages[direct.id].text != answer, "the hand to follow the game")
