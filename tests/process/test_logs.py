"""A whole run at DEBUG leaves no secret in the log, whatever fails."""

import json
from pathlib import Path

import pytest

from bot.log import FORMATS
from bot.ui.custom_ids import Verb
from engine.game import Seat
from tests.kept import history
from tests.process.waiting import eventually
from tests.process.watch import move, next_move
from tests.process.world import local_world

TELLING = 8
"""A text that is shorter may stand in a log by chance."""


def hands(store: Path) -> set[str]:
    """Every hand that anybody held, as the program might write it down."""
    found = set()
    for steps in history(store).values():
        for _, table in steps:
            for seat in range(len(table.players) if table.state is not None else 0):
                held = table.rules.views.view(table.state, Seat(seat)).hand
                found |= {repr(held), str(held), json.dumps([getattr(card, "value", card) for card in held])}
    return found


@pytest.mark.parametrize("form", FORMATS)
async def test_a_whole_run_at_debug_holds_no_hidden_card_no_token_and_no_seed(
    store: Path, game: str, form: str
) -> None:
    async with local_world() as world:
        await world.start_bot(store, LOG_LEVEL="DEBUG", LOG_FORMAT=form, PYTHONWARNINGS="ignore")
        people = world.players(game)
        await world.open_game(game, *people, pace="off")
        for _ in range(4):
            await move(world, store, people)
        await next_move(world, store, people)  # the game runs
        for person in people:
            table = await eventually(person.table, "the table")
            await person.click(table, Verb.HAND)
            await person.click(table, Verb.MENU)
        await world.fault(match={"method": "PATCH", "path": "*"}, status=503, times=3)
        await move(world, store, people)
        public = {line for message in people[0].messages.values() if not message.private and not message.direct(world)
                  for line in message.text.splitlines()}  # fmt: skip
        own = {
            line
            for person in people
            for message in person.messages.values()
            if message.ply is not None or message.direct(world)
            for line in message.text.splitlines()
        }
        tokens = {r["path"].split("/")[3] for r in await world.requests() if r["auth"] == "interaction"}
        await world.kill_bot()
    log = store.with_name("bot.log").read_text()
    assert "table changed" in log
    assert "logging in using static token" in log, "at DEBUG libraries say what they do"
    if form == "json":
        lines = [json.loads(line) for line in log.splitlines()]
        assert all({"ts", "level", "logger", "message"} <= line.keys() for line in lines)
        changes = [line["fields"]["what"] for line in lines if line["message"] == "table changed"]
        assert changes.count("move") + changes.count("timer") >= 4
    seeds = {it for steps in history(store).values() for _, t in steps for it in (t.seed, t.secret)} - {""}
    cards = {text for text in (own - public) | hands(store) if len(text) >= TELLING}
    for secrets in (cards, tokens, seeds, {world.session["bot_token"]}):
        assert secrets
        assert not [secret for secret in secrets if secret in log]
    assert '"hands"' not in log
    assert "snapshot" not in log
