"""A form (a modal) that somebody has open while the bot is restarted."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import words
from bot.tables.errors import Why
from bot.tables.model import Phase
from bot.ui import replies
from bot.ui.custom_ids import Verb
from tests.games import ANY
from tests.process.person import Person, Seen
from tests.process.waiting import eventually
from tests.process.watch import newest_table
from tests.process.world import World


async def opened(world: World) -> tuple[Person, Seen, dict[str, Any]]:
    """Who opened a table, its lobby, and the open form in which they write how they cut the deck. Their client speaks
    English."""
    host = world.people[0]
    await host.slash(world.channel, "play", game=ANY)
    lobby: Seen = await eventually(lambda: host.newest(Verb.OPTIONS), "the lobby")
    return host, lobby, await form(host, lobby)


async def form(host: Person, lobby: Seen) -> dict[str, Any]:
    """The form that a click of *host* opens, with a phrase written in it: ready to be submitted."""
    await host.click(lobby, Verb.MENU)
    menu = await eventually(lambda: host.newest(Verb.CUT), "the menu")
    await host.click(menu, Verb.CUT)
    return host.sent(await eventually(lambda: host.form(Verb.CUT), "the form"), phrase="lost and found")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_form_that_was_open_at_a_restart_is_taken(world: World, store: Path, how: signal.Signals) -> None:
    host, lobby, filled = await opened(world)
    await world.kill_bot(how)
    await world.start_bot(store)
    await host.interact(filled)
    await eventually(lambda: host.newest_text("You have cut the deck."), "a word that it counts")
    assert newest_table(store).players[0].cut
    await eventually(lambda: "1. **" in (text := host.messages[lobby.id].text) and "✂️" in text, "the lobby to show it")


async def test_one_submitted_while_the_bot_is_away_fails_and_costs_nothing(world: World, store: Path) -> None:
    """Discord itself says that it failed. The table is as before, and the next one counts."""
    host, lobby, filled = await opened(world)
    before = newest_table(store)
    await world.kill_bot()
    nonce = await host.interact(filled, wait=False)
    assert await eventually(lambda: host.outcomes.get(nonce), "how it ends") == "INTERACTION_FAILURE"
    await world.start_bot(store)
    assert newest_table(store) == before
    await host.interact(await form(host, lobby))
    await eventually(lambda: newest_table(store).players[0].cut, "the cut")


async def test_one_that_comes_after_the_start_is_refused_with_a_sentence(world: World, store: Path) -> None:
    """Others have started the game meanwhile, and the bot was restarted."""
    host, lobby, filled = await opened(world)
    await host.click(lobby, Verb.ADD_COMPUTER)
    await host.click(await eventually(lambda: host.newest(Verb.START), "enough players"), Verb.START)
    await eventually(lambda: newest_table(store).phase is Phase.PLAYING, "the game")
    await world.kill_bot()
    await world.start_bot(store)
    await asyncio.wait_for(host.interact(filled), 10)
    said = replies.refusal_text(Why.ALREADY_STARTED, {}, None, words("en"))
    await eventually(lambda: host.newest_text(said), "why not")
