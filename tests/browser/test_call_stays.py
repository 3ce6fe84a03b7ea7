"""17! never moves while the game runs: whatever a hand or the table shows, its call is where it was. When the game is
over it has gone, and a reflex meets nothing."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Locator, expect

from bot.ui.custom_ids import PREFIX, Verb
from bot.ui.hand_message import FOLLOW
from tests.browser.tab import PICTURES, open_tab
from tests.browser.test_phone import CALL, HAND, HEIGHT, WIDTH, direct_messages, resumed
from tests.process.person import Person, Seen
from tests.process.waiting import eventually
from tests.process.world import local_world

pytestmark = pytest.mark.about("diciassette")

PATIENCE_MS: Final = 15_000
WATCH: Final = """
([selector, passing]) => {
    window.places = [];
    window.passed = [];
    const look = () => {
        const said = document.querySelector('.messages').textContent;
        for (const text of passing) if (said.includes(text) && !window.passed.includes(text)) window.passed.push(text);
        const found = [...document.querySelectorAll(selector)].at(-1);
        const box = found && found.getBoundingClientRect();
        const place = box ? [box.x, box.y, box.width, box.height].map(Math.round).join(' ') : 'nowhere';
        if (window.places.at(-1) !== place) window.places.push(place);
        requestAnimationFrame(look);
    };
    look();
}
"""
"""From now on the page notes in every frame where the newest call is, if that has changed, and which of the texts that
soon pass have been shown."""
MEETS: Final = """
() => {
    const [x, y, width, height] = window.places.filter((place) => place !== 'nowhere').at(-1).split(' ').map(Number);
    for (const part of [0.1, 0.5, 0.9]) {
        const found = document.elementFromPoint(x + part * width, y + part * height);
        const button = found && found.closest('button, a, select');
        if (button) return button.textContent;
    }
    return 'nothing';
}
"""
"""What a finger meets where the call was last."""
LANDING, CALLED = "Gleich spielst du", "📣"
"""These texts pass soon."""


async def test_the_call_stays_where_it_is_through_every_kind_of_change(tmp_path: Path, browser: Browser) -> None:
    """Frame by frame: following, others' moves, on turn, a card about to land, called, turned over, left, back, over, a
    rematch."""
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", turn=1, seats=3)
        anna, bruno, carla = world.people[:3]
        tab = await open_tab(browser, world, 0, WIDTH, HEIGHT, "dark")
        await direct_messages(tab)
        await tab.page.evaluate(WATCH, [CALL, [LANDING, CALLED]])
        hand = tab.page.locator(HAND).last
        seen: list[str] = []

        async def shows(what: str, found: Locator) -> None:
            """The hand changes until it has *found*; the call has not moved."""
            await expect(found, what).to_be_visible(timeout=PATIENCE_MS)
            await tab.page.screenshot(path=PICTURES / f"call-{len(seen)}-{what}.png")
            seen.append(what)
            places: Any = await tab.page.evaluate("window.places")
            assert len(places) == 1, f"{what}: {places}"

        await hand.locator(f"[data-custom-id$='/{FOLLOW}']").click()
        await shows("follows", hand.get_by_text("Die Reihe ist leer"))
        await bruno.move()
        await shows("another’s move", hand.get_by_text("Reihe:"))
        await carla.move()
        await shows("on turn", _control(hand, Verb.MOVE))
        await _control(hand, Verb.MOVE).click()
        await shows("waiting", hand.get_by_text(re.compile(r"\bist am Zug")))
        await _click(bruno, Verb.CALL)
        await shows("turned over", hand.get_by_text("gerufen.").last)
        await _click(anna, Verb.MENU)
        await _click(anna, Verb.LEAVE)
        await _click(anna, Verb.LEAVE_FOR_SURE)
        await shows("left", _control(hand, Verb.COME_BACK))
        await _control(hand, Verb.COME_BACK).click()
        await shows("back", _control(hand, Verb.MOVE))
        await _click(anna, Verb.MENU)
        await _click(anna, Verb.END)
        await _click(anna, Verb.END_FOR_SURE)
        hand = tab.page.locator(".message").last
        for what, found, click in (
            ("over", hand.get_by_text("vorzeitig"), None),
            ("rematch", _control(hand, Verb.JOIN), Verb.REMATCH),
        ):
            if click is not None:
                await _click(bruno, click)
            await expect(found, what).to_be_visible(timeout=PATIENCE_MS)
            await tab.page.screenshot(path=PICTURES / f"call-{what}.png")
            assert await tab.page.evaluate(MEETS) == "nothing", what
        assert await tab.page.evaluate("window.passed") == [LANDING, CALLED]
        assert tab.errors == []


def _control(hand: Locator, verb: Verb) -> Locator:
    """The first enabled control of *hand* for *verb*."""
    return hand.locator(f"[data-custom-id^='{PREFIX}{verb.value}/']:not([disabled])").first


async def _click(person: Person, verb: Verb) -> None:
    """*person* presses the newest button for *verb*, once they have one."""
    message: Seen = await eventually(lambda: person.newest(verb), f"{verb} for {person.name}")
    await person.click(message, verb)
