"""Two people and a computer play a whole game of every kind through the page, on a desktop and on a phone. What it
leaves is reviewed, downloaded and checked by another program than ours, counted, exported and erased."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from bot.i18n import words
from bot.ui.custom_ids import Verb
from tests.browser.tab import PRIVATE, Tab, open_tab, photographed, play
from tests.engine import by_the_page as page
from tests.games import CASES
from tests.process.world import World

SECONDS = 300
"""No game takes longer."""
SHOWN = (3, 4, 11, 12)
"""After so many moves the pages are looked at."""
CODES = re.compile(r"[0-9a-f]{32}")
PHRASE = "i gatti di Bruno"
ANNA, BRUNO = words("en"), words("it")
"""What they speak."""


async def downloaded(tab: Tab) -> Any:
    """What is in the newest file on the page of *tab*: JSON."""
    address = await tab.page.locator("a.file").last.get_attribute("href")
    assert address is not None
    return json.loads(await (await tab.page.request.get(address)).body())


async def codes(tab: Tab) -> list[str]:
    """The codes that the page of *tab* shows now, oldest first."""
    return CODES.findall(await tab.page.locator(".messages").inner_text())


async def said(tab: Tab, text: str) -> None:
    """Wait until a private message on the page of *tab* says *text*."""
    await tab.page.locator(PRIVATE, has_text=text).last.wait_for()


def traces(store: Path, name: str, user: int) -> list[str]:
    """The columns of the database in which the *name* or the id of *user* stands as it is. (``versions`` is kept by
    ``tests.kept``, not by the bot.)"""
    found = []
    with closing(sqlite3.connect(store)) as database:
        names = [
            row[0]
            for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'versions'")
        ]
        for table in names:
            rows = database.execute(f"SELECT * FROM {table}")
            columns = [it[0] for it in rows.description]
            for row in rows:
                held = zip(columns, map(str, row), strict=True)
                found += [f"{table}.{column}" for column, value in held if name in value or str(user) in value]
    return found


@pytest.mark.parametrize("game", sorted(CASES))
async def test_a_whole_game_through_the_page_and_what_it_leaves(
    world: World, store: Path, browser: Browser, game: str
) -> None:
    anna = await open_tab(browser, world, 0, 1100, 900, "dark")
    bruno = await open_tab(browser, world, 1, 380, 780, "light")
    tabs = {world.people[0].id: anna, world.people[1].id: bruno}

    async def pictures(name: str) -> None:
        await photographed(anna, bruno, f"{game}-{{}}{name}")

    for tab in tabs.values():
        await tab.command("profile")
        await tab.control(Verb.RATE).first.click()
    seats = CASES[game].rules.seats
    await anna.command("play", game=game)
    await bruno.button(Verb.JOIN).click()
    await anna.set_up(game, max(seats[0], min(3, seats[-1])))
    await pictures("lobby")
    (shuffle,) = set(await codes(bruno))
    await bruno.button(Verb.MENU).click()
    await bruno.button(Verb.CUT).click()
    await bruno.page.locator("dialog input").first.fill(PHRASE)
    await bruno.page.locator("dialog button").last.click()
    await anna.page.get_by_text("✂️").first.wait_for()
    await anna.button(Verb.START).click()
    for tab in tabs.values():
        await tab.button(Verb.HAND).click()
        await tab.page.locator(PRIVATE).last.wait_for()
    deal = next(code for code in await codes(bruno) if code != shuffle)
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
    await pictures("end")

    # The review, and the record of the game.
    for tab in tabs.values():
        await tab.button(Verb.REVIEW).click()
        await tab.page.locator("[data-custom-id$='.start']").last.wait_for()
        await tab.page.wait_for_function(
            """() => [...document.querySelectorAll("img.picture")].every((it) => it.complete)"""
        )
    await pictures("review")
    record = await downloaded(bruno)
    assert page.sha256(bytes.fromhex(record["secret"])) == record["commitment"]
    assert record["commitment"].startswith(shuffle)
    assert page.deal_code(record).startswith(deal)
    assert page.cut(PHRASE) in [seat.get("cut") for seat in record["seats"]]
    assert len(page.seed(record)) == 32
    for step, control in enumerate(("start", "next", "next")):
        await bruno.page.locator(f"[data-custom-id$='.{control}']").last.click()
        shown = BRUNO("Step {n} of {last} · {how}", n=step, last="#", how="")
        await said(bruno, shown.partition("#")[0])
    await pictures("step")
    if CASES[game].rules.coach is not None:
        await anna.page.locator("[data-custom-id$='/coach.coach']").click()
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

    # What is known of its people.
    for tab, t in ((anna, ANNA), (bruno, BRUNO)):
        await tab.command("profile")
        await said(tab, t.plural("{n} game", "{n} games", 1))
    await pictures("profile")
    await bruno.command("privacy")
    await bruno.button(Verb.EXPORT).click()
    await said(bruno, BRUNO("This file holds all that I keep about you. Programs can read it (JSON)."))
    exported = json.dumps(await downloaded(bruno))
    assert str(world.people[1].id) in exported
    assert str(world.people[0].id) not in exported
    await bruno.command("privacy")
    await bruno.button(Verb.ERASE).click()
    await bruno.button(Verb.ERASE_FOR_SURE).click()
    await said(bruno, BRUNO("I know nothing about you any more. If you play again, you start from scratch."))
    await pictures("erased")
    assert traces(store, world.people[1].name, world.people[1].id) == []
    for tab in tabs.values():
        assert tab.errors == []
