"""On a phone, in German, with six players and a queue of twelve: everything a turn needs fits on the screen."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from bot.store.store import Store
from bot.tables.lobby import new_table
from bot.tables.model import Phase, Player, Table, new_table_id
from bot.tables.options import Options
from bot.ui.custom_ids import PREFIX, Verb
from bot.ui.hand_message import FOLLOW
from engine.game import Seat
from engine.games.diciassette.highlights import CallHighlight, FiredTrap, Highlights
from tests.browser.alone import until
from tests.browser.tab import PICTURES, Tab, open_tab
from tests.games.diciassette import state
from tests.process.world import World, local_world

pytestmark = pytest.mark.about("diciassette")

WIDTH, HEIGHT = 380, 780
CALL: Final = f"[data-custom-id^='{PREFIX}{Verb.CALL.value}/']"
PUBLIC: Final = ".message:not(.private)"
HAND: Final = f".message:has({CALL})"
WAITING, ON_TURN, TABLE = 330, 620, 560
"""How high a hand and the table message may be, in pixels."""
SCREEN = 645
"""How much of a chat a phone shows: that much of a message may lie above its last control that matters."""
QUEUE = "0:5=? 1:2 2:R? 3:4=? 4:1? 5:3=? 0:X? 1:T? 2:5=? 3:1=? 4:2 5:4?"
TRAPS = "0:5=? 1:2 2:P? 3:4=? 4:1? 5:3=? 0:X? 1:P? 2:5=? 3:1=? 4:2 5:4?"
"""The same with two traps, which fire."""
TOLD: Final = Highlights(
    bravest=CallHighlight(5, Seat(2), 450, 18, ()),
    bluff=CallHighlight(3, Seat(1), 8_300, 15, (Seat(2),)),
    snaps=(FiredTrap(3, Seat(0), Seat(1)), FiredTrap(4, Seat(5), Seat(1))),
)
"""What is worth telling of the game so far."""
HANDS = ("5= 2 T", "1= R 3=", "4 X P", "2= 3= 5=", "1 2 3", "4= 4= P")


async def at_the_phone(world: World, store: Path, table: Table) -> None:
    """The bot, started on a store with *table*; everybody there speaks German."""
    for person in world.people[: len(table.players)]:
        await world.call("POST", f"/local/users/{person.id}", {"locale": "de"})
    database = await Store.open(f"sqlite+aiosqlite:///{store}")
    await database.create_table(table, {"what": "test", "by": 1}, table.turn_began)
    await database.close()
    await world.start_bot(store)


def running(world: World, game: str, people: Sequence[Player], state: Any) -> Table:
    """A table of *game* in the first channel with these *people*, whose game is in *state*."""
    now = time.time_ns() // 1_000_000
    place = (int(world.guild), world.channel)
    lobby = new_table(new_table_id(), place, game, people[0], "de", Options(), bytes(32), now)
    return lobby._replace(
        phase=Phase.PLAYING, players=tuple(people), seed="00" * 32, state=state, turn_began=now, beat_ends=now
    )


async def resumed(
    world: World,
    store: Path,
    *,
    turn: int,
    seats: int = 6,
    lies: str = QUEUE,
    victory: Sequence[int] = (1, 2, 0, 1, 2, 0),
) -> None:
    """The bot, started on a store with a running game of *seats* people in which person number *turn* is on turn."""
    people = [Player(person.name, person.id, "de", active_at=0) for person in world.people[:seats]]
    before = state(
        HANDS[:seats],
        turn=turn,
        last=(turn - 1) % seats,
        lies=lies if seats == len(HANDS) else "",
        victory=victory[:seats],
        penalty=(1, 0, 1, 0, 1, 1)[:seats],
    )
    await at_the_phone(world, store, running(world, "diciassette", people, before)._replace(highlights=TOLD))


async def height(tab: Tab, inside: str) -> float:
    """How high the newest message is that *inside* selects, in pixels."""
    box = await tab.page.locator(inside).last.bounding_box()
    assert box is not None
    return box["height"]


async def direct_messages(tab: Tab) -> None:
    """Go to the direct messages with the bot, and wait for the hand and its drawings."""
    await tab.page.locator("button.menu").click()
    await tab.page.locator(".channel", has_text="Seventeen").click()
    await tab.control(Verb.CALL, inside=HAND).last.or_(tab.page.locator(f"{HAND} [disabled]").last).wait_for()
    await tab.page.locator(f"{HAND} img.emoji").first.wait_for()  # they are uploaded in their own time


async def row_of_call(tab: Tab) -> tuple[float, float]:
    """Where the call's button is: its left edge, and its lower one above the end of the chat, in pixels."""
    box, hand = await tab.page.locator(CALL).last.bounding_box(), await tab.page.locator(HAND).last.bounding_box()
    assert box is not None
    assert hand is not None
    return box["x"], hand["y"] + hand["height"] - box["y"] - box["height"]


async def test_what_a_turn_needs_fits_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=1)
        waiting = await open_tab(browser, world, 2, WIDTH, HEIGHT, "dark")
        await waiting.page.locator(".message img.emoji").first.wait_for()
        await waiting.page.screenshot(path=PICTURES / "phone-table.png")
        assert await height(waiting, ".message") <= TABLE
        await direct_messages(waiting)
        await waiting.page.screenshot(path=PICTURES / "phone-waiting.png")
        assert await height(waiting, HAND) <= WAITING
        before = await row_of_call(waiting)
        await waiting.page.locator(f"[data-custom-id$='/{FOLLOW}']").click()
        await waiting.control(Verb.CALL, inside=HAND).wait_for()
        await waiting.page.screenshot(path=PICTURES / "phone-follows.png")
        assert await height(waiting, HAND) <= WAITING
        assert await row_of_call(waiting) == before
        on_turn = await open_tab(browser, world, 1, WIDTH, HEIGHT, "dark")
        await direct_messages(on_turn)
        await on_turn.page.screenshot(path=PICTURES / "phone-turn.png")
        assert await height(on_turn, HAND) <= ON_TURN
        for tab in (waiting, on_turn):
            assert await tab.fits()


async def test_how_a_round_ended_fits_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=0, lies=TRAPS, victory=(1, 1, 0, 0, 1, 0))
        tab = await open_tab(browser, world, 3, WIDTH, HEIGHT, "dark")
        await tab.page.locator(".message img.emoji").first.wait_for()
        await tab.button(Verb.CALL).click()
        await tab.page.get_by_text("Schnapp!").first.wait_for()
        await tab.page.locator(PUBLIC).screenshot(path=PICTURES / "phone-reveal.png")
        assert await height(tab, PUBLIC) <= SCREEN
        assert await tab.fits()


async def test_the_end_of_a_game_and_the_rematch_fit_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=0, lies=TRAPS, victory=(1, 2, 1, 2, 0, 1))
        tab = await open_tab(browser, world, 3, WIDTH, HEIGHT, "dark")
        await tab.page.locator(".message img.emoji").first.wait_for()
        await tab.button(Verb.CALL).click()
        await tab.button(Verb.REMATCH).wait_for()
        await until(tab.page, "[...document.images].every((image) => image.complete)")
        await tab.page.locator(PUBLIC).screenshot(path=PICTURES / "phone-end.png")
        message, again = await tab.page.locator(PUBLIC).bounding_box(), await tab.button(Verb.REMATCH).bounding_box()
        assert message is not None
        assert again is not None
        assert again["y"] + again["height"] - message["y"] <= SCREEN
        assert await tab.fits()
