"""Two people and a computer play a whole game of every kind through the page, on a desktop and on a phone."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from bot.custom_ids import Verb
from tests.browser.tab import PRIVATE, open_tab, photographed, play
from tests.games import CASES
from tests.process.world import World

SECONDS = 300
"""No game takes longer."""
SHOWN = (3, 4, 11, 12)
"""After so many moves the pages are looked at."""


@pytest.mark.parametrize("game", sorted(CASES))
async def test_two_people_and_a_computer_play_a_whole_game_through_the_page(
    world: World, store: Path, browser: Browser, game: str
) -> None:
    anna = await open_tab(browser, world, 0, 1100, 900, "dark")
    bruno = await open_tab(browser, world, 1, 380, 780, "light")
    tabs = {world.people[0].id: anna, world.people[1].id: bruno}

    async def pictures(name: str) -> None:
        await photographed(anna, bruno, f"{game}-{{}}{name}")

    seats = CASES[game].rules.seats
    await anna.command("play", game=game)
    await bruno.button(Verb.JOIN).click()
    await anna.set_up(game, max(seats[0], min(3, seats[-1])))
    await pictures("lobby")
    await anna.button(Verb.START).click()
    for tab in tabs.values():
        await tab.button(Verb.HAND).click()
        await tab.page.locator(PRIVATE).wait_for()
    looked: set[int] = set()

    async def look(moves: int) -> None:
        if moves in SHOWN and moves not in looked:
            looked.add(moves)
            await pictures(str(moves))

    made = await play(store, tabs, look, seconds=SECONDS)
    assert all(made.values()), made
    assert looked
    for tab in tabs.values():
        await tab.button(Verb.REMATCH).wait_for()
        assert await tab.fits()
        assert tab.errors == []
    await pictures("end")
    if CASES[game].rules.has_coach:
        await anna.button(Verb.REVIEW).last.click()
        coach = anna.page.locator("[data-custom-id$='/coach.coach']")
        await coach.click()
        figures = anna.page.locator("[data-custom-id$='/figures.figures']")
        await figures.wait_for()
        await pictures("coach")
        assert await anna.fits()
        await figures.click()
        decided = anna.page.locator("[data-custom-id$='/all.decided0']")
        await decided.wait_for()
        await pictures("figures")
        assert await anna.fits()
        await decided.click()
        await anna.page.get_by_text("Chances to win, all cards open: ").wait_for()
        assert anna.errors == []
