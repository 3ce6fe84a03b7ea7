"""A whole run at DEBUG leaves no secret in the log."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.custom_ids import Verb
from tests.process.test_faults import move
from tests.process.world import local_world


async def test_a_whole_run_at_debug_holds_no_hidden_card_no_token_and_no_seed(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    async with local_world() as world:
        await world.start_bot(store, LOG_LEVEL="DEBUG")
        people = tuple(world.people[:2])
        await world.open_game(*people, pace="off")
        for _ in range(5):
            await move(world, store, people)
        await world.fault(match={"method": "PATCH", "path": "*"}, status=503, times=3)
        await move(world, store, people)
        for person in people:
            table = person.table()
            assert table is not None
            await person.click(table, Verb.HAND)
            await person.click(table, Verb.MENU)
        hands = {
            line
            for person in people
            for m in person.messages.values()
            if m.press(Verb.MOVE) or m.direct(world)
            for line in m.text.splitlines()
            if "** · " in line
        }
        tokens = {r["path"].split("/")[3] for r in await world.requests() if r["auth"] == "interaction"}
        await world.kill_bot()
    log = (tmp_path / "bot.log").read_text()
    with closing(sqlite3.connect(store)) as database:
        snapshots = [json.loads(row[0]) for row in database.execute("SELECT snapshot FROM events")]
    seeds = {snapshot["seed"] for snapshot in snapshots} - {""}
    assert "table changed" in log
    assert hands
    assert tokens
    assert seeds
    assert not [secret for secret in (*hands, *tokens, *seeds, world.session["bot_token"]) if secret in log]
    assert '"hands"' not in log
    assert "snapshot" not in log
