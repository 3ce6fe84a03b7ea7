"""A game from an installed package: nothing of it is in this repository."""

import os
from pathlib import Path

import pytest

from engine.registry import ENTRY_POINT_GROUP
from tests.process.waiting import eventually
from tests.process.world import local_world
from tests.program import ROOT, python
from tools.new_game import files

NAME = "zebra"
RENAMED = {"cards": "labels", "rules": "pages"}
"""Modules of the toy game's messages that share a name with one of its rules."""


def install(site: Path, name: str = NAME) -> None:
    """Put the toy game, called *name*, into *site* as pip would: one folder, and the entry point."""
    package = site / name
    package.mkdir(parents=True)
    for path, content in files(name):
        folder = path.parent.parts[0]
        if folder not in ("engine", "bot") or path.suffix != ".py" or (folder == "bot" and path.stem == "__init__"):
            continue
        text = content
        for old, new in RENAMED.items() if folder == "bot" else ():
            text = text.replace(f"bot.ui.games.{name} import {old}", f"{name} import {new} as {old}")
            text = text.replace(f"bot.ui.games.{name}.{old}", f"{name}.{new}")
        text = text.replace(f"bot.ui.games.{name}", name).replace(f"engine.games.{name}", name)
        stem = RENAMED.get(path.stem, path.stem) if folder == "bot" else path.stem
        (package / f"{stem}.py").write_text(text)
    add_entry_point(site, name, name)


def add_entry_point(site: Path, name: str, package: str) -> None:
    """Declare in *site* that *package* is the game *name*."""
    about = site / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{name} = {package}\n")


def path_with(site: Path) -> str:
    """The search path of Python with *site* on it."""
    return os.pathsep.join((str(ROOT), str(site)))


async def test_people_play_a_game_that_pip_has_installed(tmp_path: Path) -> None:
    install(tmp_path / "site")
    async with local_world() as world:
        store = tmp_path / "tables.sqlite3"
        await world.start_bot(store, PYTHONPATH=path_with(tmp_path / "site"))
        person = world.people[0]
        await world.open_game(NAME, person, computers=1)
        await person.move()
        await eventually(lambda: (hand := person.hand()) is not None and (hand.ply or 0) >= 2, "the next turn")


@pytest.mark.parametrize(
    ("name", "package", "words"),
    [
        ("diciassette", "diciassette", "there is one already"),
        (NAME, "stripes", "its folder must be called like it"),
    ],
)
def test_a_game_that_cannot_be_added_is_named(tmp_path: Path, name: str, package: str, words: str) -> None:
    site = tmp_path / "site"
    site.mkdir()
    add_entry_point(site, name, package)
    done = python("-m", "engine", "simulate", "diciassette", "--games", "1", PYTHONPATH=path_with(site))
    assert done.code != 0
    assert words in done.err
