"""Many tables are opened at one instant, in threads of their own."""

import asyncio
from pathlib import Path

import pytest

from tests.controls import SELECT, Offer, controls
from tests.games import ANY
from tests.process.waiting import eventually
from tests.process.watch import tables
from tests.process.world import local_world

COMMANDS = 20
MOST = 3
"""Live tables that one person may have here."""


@pytest.mark.about(ANY)
async def test_nobody_makes_more_threads_at_once_than_they_may_have_tables(tmp_path: Path) -> None:
    """A thread, and the message above it, is made before its table."""
    async with local_world() as world:
        await world.start_bot(tmp_path / "t.sqlite3", TABLES_PER_PERSON=str(MOST))
        moderator, person = world.people[0], world.people[1]
        await world.call("POST", f"/local/users/{moderator.id}", {"permissions": ["manage_guild"], "moderator": True})
        await moderator.slash(world.channel, "settings")
        form = await eventually(
            lambda: next((it for it in moderator.messages.values() if it.private), None), "the settings"
        )
        (switch,) = [c["custom_id"] for c, _ in controls(form) if c["custom_id"].endswith("/threads")]
        await moderator.use(form, Offer(switch, SELECT, ["yes"]))
        opens = person.command(world.channel, "play", game=ANY)
        await asyncio.gather(*(person.send(opens) for _ in range(COMMANDS)))
        refused = COMMANDS - MOST
        await eventually(lambda: sum(it.private for it in person.messages.values()) == refused, "every refusal")
        assert sum(it.live for it in tables(tmp_path / "t.sqlite3").values()) == MOST
        made = [it for it in await world.requests() if it["method"] == "POST" and it["path"].endswith("/threads")]
        assert len(made) == MOST
