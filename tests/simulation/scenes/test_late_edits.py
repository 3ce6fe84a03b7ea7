"""An edit that is under way while a click on its message is answered: whichever comes last, the message is right in the
end."""

import asyncio
from pathlib import Path

from bot.custom_ids import Verb, custom_id
from tests.controls import BUTTON, Offer, controls
from tests.process.person import Person, Seen, clicked
from tests.process.waiting import eventually
from tests.process.watch import move, newest, plies, shown, turn
from tests.process.world import World
from tests.simulation.scenes.scene import simulated

LATE_MS = 1_500


async def on_turn_with_two_hands(world: World, store: Path, people: list[Person]) -> tuple[Person, Seen]:
    """(whoever is on turn, their hand in the direct messages). It follows the game, as they have played from it before,
    and so does another one that they have in the channel."""
    player, *_ = await turn(world, store, people)
    await move(world, store, people)
    while (await turn(world, store, people))[0] is not player:
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
    table = newest(store)
    ply, seat = table.rules.ply(table.state), table.rules.on_turn(table.state)
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
    await shown(world, store, people)


@simulated
async def test_a_hand_that_is_clicked_during_its_last_edit_is_kept_up_to_date(
    world: World, people: list[Person], store: Path
) -> None:
    """Its person has chosen the hand in the channel, and plays from this one all the same."""
    player, direct = await on_turn_with_two_hands(world, store, people)
    await player.click(player.table(), Verb.MENU)
    stay = custom_id(Verb.HAND, newest(store).id, arg="stay")
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
