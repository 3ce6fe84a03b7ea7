"""What one of two bots does for tables that the other one serves."""

from pathlib import Path

import pytest

from bot.ui.custom_ids import Verb
from tests.controls import SELECT, Offer, controls
from tests.games import ANY
from tests.process.cluster import Cluster, cluster
from tests.process.person import Person, Seen
from tests.process.waiting import eventually


def one_each(it: Cluster) -> list[int]:
    """A channel for each bot, whose tables it serves."""
    return [next(channel for channel in it.world.channels if it.holder_of(channel) is bot) for bot in it.bots]


async def lobby(host: Person, channel: int, guest: Person) -> None:
    """*host* opens a table in *channel*, and *guest* joins."""
    await host.slash(channel, "play", game=ANY)
    seen: Seen = await eventually(lambda: guest.newest(Verb.JOIN, channel), "a lobby")
    await guest.click(seen, Verb.JOIN)
    await eventually(lambda: guest.name in host.messages[seen.id].text, "a seat")


@pytest.mark.about(ANY)  # lobbies are alike
async def test_people_are_erased_and_threads_made_for_tables_that_the_other_process_serves(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as it:
        anna, bruno, carla = it.world.people[:3]
        for channel in (channels := one_each(it)):
            await lobby(anna, channel, bruno)
        await bruno.slash(channels[0], "privacy")
        for verb in (Verb.ERASE, Verb.ERASE_FOR_SURE):
            await bruno.click(await eventually(lambda v=verb: bruno.newest(v), str(verb)), verb)
        for channel in channels:
            seen = anna.newest(Verb.JOIN, channel)
            await eventually(lambda m=seen: "Bruno" not in anna.messages[m.id].text, "Bruno to be gone")
        assert not [table for table in it.tables().values() if table.seat_of(bruno.id) is not None]

        # A server in which every table has a thread of its own.
        await it.world.call("POST", f"/local/users/{carla.id}", {"permissions": ["manage_guild"]})
        here = next(channel for channel in it.world.channels if channel not in channels)
        await carla.slash(here, "settings")
        form: Seen = await eventually(lambda: carla.newest(Verb.SETTING), "the settings")
        (switch,) = [c["custom_id"] for c, _ in controls(form) if c["custom_id"].endswith("/threads")]
        await carla.use(form, Offer(switch, SELECT, ["yes"]))
        before = set(it.tables())
        await carla.slash(here, "play", game=ANY)
        (table,) = await eventually(lambda: set(it.tables()) - before, "a table")
        thread = it.tables()[table].channel
        assert thread != here
        seen = await eventually(lambda: anna.newest(Verb.JOIN, thread), "the lobby in its thread")
        await anna.click(seen, Verb.JOIN)
        await eventually(lambda: "Anna" in carla.messages[seen.id].text, "a seat")
        assert it.told_to_try_again() == 0 and it.complaints() == []
