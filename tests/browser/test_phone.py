"""On a phone, in German, with six players and a queue of twelve: everything a turn needs fits on the screen."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.async_api import Browser

from bot.custom_ids import PREFIX, Verb
from bot.present.hand_message import FOLLOW
from bot.store.store import Store
from bot.tables.fresh import fresh_id
from bot.tables.lobby import new_table
from bot.tables.model import Phase, Player
from bot.tables.options import Options
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.events import Event
from engine.games.diciassette.highlights import Claim, Highlights, Snap
from engine.games.diciassette.state import State
from tests.browser.alone import until
from tests.browser.tab import PICTURES, Tab, open_tab
from tests.games.diciassette import CASE, FAIR, state
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
    bluff=Claim(3, Seat(1), 8_300, 15, (Seat(2),)),
    snaps=(Snap(3, Seat(0), Seat(1)), Snap(4, Seat(5), Seat(1))),
)
"""What is worth telling of the game so far."""
HANDS = ("5= 2 T", "1= R 3=", "4 X P", "2= 3= 5=", "1 2 3", "4= 4= P")


async def resumed(
    world: World,
    store: Path,
    *,
    turn: int,
    seats: int = 6,
    lies: str = QUEUE,
    victory: Sequence[int] = (1, 2, 0, 1, 2, 0),
    ended: str = "",
    paused: bool = False,
) -> None:
    """The bot, started on a store with a running game of *seats* people in which person number *turn* is on turn.
    If it is *paused*, everybody's time has run out. With *ended*, the queue of the round before, its first player has
    called wrongly, and got a second penalty."""
    people = [
        Player(person.name, person.id, "de", active_at=0, away=paused, timed_out=paused)
        for person in world.people[:seats]
    ]
    for person in world.people[:seats]:
        await world.call("POST", f"/local/users/{person.id}", {"locale": "de"})
    now = time.time_ns() // 1_000_000
    table = new_table(
        fresh_id(), (int(world.guild), world.channel), "diciassette", people[0], "de", Options(), bytes(32), now
    )
    before = state(
        HANDS[:seats],
        turn=turn,
        last=(turn - 1) % seats,
        lies=lies if seats == len(HANDS) else "",
        victory=victory[:seats],
        penalty=(1, 0, 1, 0, 1, 1)[:seats],
    )
    table = table._replace(
        phase=Phase.PLAYING,
        players=tuple(people),
        seed="00" * 32,
        state=before,
        turn_began=now,
        beat_ends=now,
        outcome=_ended(before, ended) if ended else (),
        highlights=TOLD._replace(bravest=Claim(5, Seat(2), 450, 18, ())),
    )
    database = await Store.open(f"sqlite+aiosqlite:///{store}")
    await database.create(table, {"what": "test", "by": 1}, now)
    await database.close()
    await world.start_bot(store)


def _ended(now: State, lies: str) -> tuple[Event, ...]:
    """How a round with the queue *lies* ended before *now*."""
    before = state(HANDS, turn=0, last=5, lies=lies, victory=now.victory, penalty=(1, 0, 1, 0, 1, 1))
    return tuple(CASE.rules.apply(before, Call((Seat(0),)), FAIR).events)


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


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_what_a_turn_needs_fits_on_a_phone(
    tmp_path: Path, browser: Browser, scheme: Literal["dark", "light"]
) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=1)
        waiting = await open_tab(browser, world, 2, WIDTH, HEIGHT, scheme)
        await waiting.page.locator(".message img.emoji").first.wait_for()
        await waiting.page.screenshot(path=PICTURES / f"phone-{scheme}-table.png")
        assert await height(waiting, ".message") <= TABLE
        await direct_messages(waiting)
        await waiting.page.screenshot(path=PICTURES / f"phone-{scheme}-waiting.png")
        assert await height(waiting, HAND) <= WAITING
        before = await row_of_call(waiting)
        await waiting.page.locator(f"[data-custom-id$='/{FOLLOW}']").click()
        await waiting.control(Verb.CALL, inside=HAND).wait_for()
        await waiting.page.screenshot(path=PICTURES / f"phone-{scheme}-follows.png")
        assert await height(waiting, HAND) <= WAITING
        assert await row_of_call(waiting) == before
        on_turn = await open_tab(browser, world, 1, WIDTH, HEIGHT, scheme)
        await direct_messages(on_turn)
        await on_turn.page.screenshot(path=PICTURES / f"phone-{scheme}-turn.png")
        assert await height(on_turn, HAND) <= ON_TURN
        for tab in (waiting, on_turn):
            assert await tab.fits()


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_how_a_round_ended_fits_on_a_phone(
    tmp_path: Path, browser: Browser, scheme: Literal["dark", "light"]
) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=0, lies=TRAPS, victory=(1, 1, 0, 0, 1, 0))
        tab = await open_tab(browser, world, 3, WIDTH, HEIGHT, scheme)
        await tab.page.locator(".message img.emoji").first.wait_for()
        await tab.button(Verb.CALL).click()
        await tab.page.get_by_text("Schnapp!").first.wait_for()
        await tab.page.locator(PUBLIC).screenshot(path=PICTURES / f"phone-{scheme}-reveal.png")
        assert await height(tab, PUBLIC) <= SCREEN
        assert await tab.fits()


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_the_end_of_a_game_and_the_rematch_fit_on_a_phone(
    tmp_path: Path, browser: Browser, scheme: Literal["dark", "light"]
) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=0, lies=TRAPS, victory=(1, 2, 1, 2, 0, 1))
        tab = await open_tab(browser, world, 3, WIDTH, HEIGHT, scheme)
        await tab.page.locator(".message img.emoji").first.wait_for()
        await tab.button(Verb.CALL).click()
        await tab.button(Verb.REMATCH).wait_for()
        await until(tab.page, "[...document.images].every((image) => image.complete)")
        await tab.page.locator(PUBLIC).screenshot(path=PICTURES / f"phone-{scheme}-end.png")
        message, again = await tab.page.locator(PUBLIC).bounding_box(), await tab.button(Verb.REMATCH).bounding_box()
        assert message is not None
        assert again is not None
        assert again["y"] + again["height"] - message["y"] <= SCREEN
        assert await tab.fits()
