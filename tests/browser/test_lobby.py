"""The lobby on a phone: who sits there and *Start* are in sight together; the form of options."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from bot.i18n import words
from bot.tables.options import Pace
from bot.ui.custom_ids import Verb
from bot.ui.registry import PRESENTERS
from tests.browser.tab import PICTURES, open_tab
from tests.games import ANY, CASES
from tests.process.waiting import eventually
from tests.process.watch import newest_table
from tests.process.world import World

WIDTH, HEIGHT = 380, 780


async def in_sight(found: Locator) -> bool:
    """Whether all of *found* is on the screen."""
    box = await found.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= HEIGHT and box["x"] + box["width"] <= WIDTH


@pytest.mark.parametrize(
    ("game", "locale"), [*((game, "de") for game in sorted(CASES)), *((ANY, it) for it in ("en-US", "it", "nl"))]
)
async def test_all_players_and_start_are_in_sight_together(
    world: World, store: Path, browser: Browser, game: str, locale: str
) -> None:
    """With as many players as the game takes: every game in German, and one of them in every language."""
    for person in world.people:
        await world.call("POST", f"/local/users/{person.id}", {"locale": locale})
    await world.call("POST", f"/local/guilds/{world.guild}", {"locale": locale})
    tab = await open_tab(browser, world, 0, WIDTH, HEIGHT, "light")
    await tab.command("play", game=game)
    most = CASES[game].rules.seats[-1]
    t = words(locale[:2])
    for number in range(1, most + 1):
        await tab.page.get_by_text(t("**Players** ({n} of {most})", n=number, most=most).replace("**", "")).wait_for()
        if number < most:
            await tab.button(Verb.ADD_COMPUTER).click()
    await tab.page.screenshot(path=PICTURES / f"lobby-{game}-{locale}.png")
    assert await in_sight(tab.page.get_by_text("Anna").last), "the first player"
    assert await in_sight(tab.button(Verb.START))
    assert await in_sight(tab.control(Verb.MENU).last)
    assert tab.errors == []


@pytest.mark.parametrize("game", sorted(CASES))
async def test_options_are_chosen_in_one_form(world: World, store: Path, browser: Browser, game: str) -> None:
    tab = await open_tab(browser, world, 0, WIDTH, HEIGHT, "dark")
    await tab.command("play", game=game)
    await tab.button(Verb.OPTIONS).click()
    form = tab.page.locator("dialog")
    await form.locator("input[name='pace'][value='fast']").check()
    for name, option in PRESENTERS[game].options.items():
        await form.locator(f"input[name='game-{name}'][value='{list(option.values)[-1]}']").check()
    await form.get_by_label(words("en")("Time per turn")).select_option("60")
    await form.locator("input[value='late']").uncheck()
    await tab.page.screenshot(path=PICTURES / f"options-{game}.png")
    await form.locator("button[type='submit']").click()
    await expect(tab.page.get_by_text(words("en")("Pace: {name}", name="Fast"))).to_be_visible()
    await eventually(lambda: newest_table(store).options.turn_seconds == 60, "what was chosen")
    chosen = newest_table(store).options
    assert (chosen.pace, chosen.late) == (Pace.FAST, False)
    assert dict(chosen.game) == {name: list(option.values)[-1] for name, option in PRESENTERS[game].options.items()}
    assert tab.errors == []
