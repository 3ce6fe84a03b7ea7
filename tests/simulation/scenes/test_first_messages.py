"""The first message of a table, clicked before the bot has heard from Discord that it is there."""

import pytest

from bot.custom_ids import Verb
from tests.games import ANY
from tests.process.person import Seen
from tests.process.waiting import eventually
from tests.process.world import World
from tests.simulation.scenes.scene import simulated


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
