"""The wheel holds everything, nothing else, and runs from any folder."""

import asyncio
import os
import re
import signal
import subprocess
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.version import VERSION
from engine.record import encode_record
from tests.engine.recorded import recorded
from tests.games import ANY
from tests.packaging.installed import PACKAGES, ROOT, built, copied, installed
from tests.program import free_port

PATIENCE_SECONDS = 30.0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    return built(copied(folder / "source"), folder / "dist")


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script of an installation."""
    return installed(wheel, tmp_path_factory.mktemp("installed") / "environment")


def names(wheel: Path) -> list[str]:
    """The files in *wheel* but those that describe it."""
    with zipfile.ZipFile(wheel) as archive:
        return sorted(name for name in archive.namelist() if ".dist-info/" not in name)


def test_everything_in_the_packages_is_in_it_and_nothing_else(wheel: Path) -> None:
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*") if file.is_file())
    assert names(wheel) == sorted(str(file.relative_to(ROOT)) for file in files if file.suffix != ".pyc")


def test_it_brings_the_licence_of_the_program_and_of_the_typeface(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        said = {
            name.partition("/licenses/")[2]: archive.read(name) for name in archive.namelist() if "/licenses/" in name
        }
    typeface = "bot/ui/pictures/roboto/LICENSE.txt"
    assert said == {name: (ROOT / name).read_bytes() for name in ("LICENSE", typeface)}


def test_the_same_source_makes_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = built(copied(tmp_path / "another place"), tmp_path / "dist")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_the_newest_version_of_the_changelog_is_this_one(wheel: Path) -> None:
    newest = re.search(r"^## ([0-9]\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest is not None
    assert newest[1] == VERSION
    assert wheel.name.split("-")[1] == VERSION


def environment(**settings: str) -> dict[str, str]:
    """This process's environment without what leads to the checkout or sets the bot."""
    strange = ("DISCORD", "STORE", "PYTHONPATH", "BACKUP")
    return {**{key: value for key, value in os.environ.items() if not key.startswith(strange)}, **settings}


def run(program: Path, *arguments: str, cwd: Path) -> tuple[int, str, str]:
    """(exit code, output, errors) of *program* with *arguments*."""
    command = [program, *arguments]
    done = subprocess.run(command, env=environment(), cwd=cwd, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_the_commands_that_need_no_database(program: Path, tmp_path: Path) -> None:
    assert run(program, "--version", cwd=tmp_path) == (0, f"diciassette {VERSION}\n", "")
    code, said, _ = run(program, "--help", cwd=tmp_path)
    assert (code, said.splitlines()[0]) == (0, "usage: diciassette [-h] [--version] COMMAND ...")
    code, said, _ = run(program, "unit", "--mine", cwd=tmp_path)
    assert code == 0
    assert f'ExecStart="{program}" run --discord\n' in said
    assert f"WorkingDirectory={tmp_path}\n" in said
    (tmp_path / "record.json").write_bytes(encode_record(recorded(ANY, 2)))
    code, said, _ = run(program, "verify", "record.json", cwd=tmp_path)
    assert code == 0, said
    assert os.listdir(tmp_path) == ["record.json"]  # noqa: PTH208


@asynccontextmanager
async def playing(program: Path, folder: Path, port: int) -> AsyncIterator[aiohttp.ClientSession]:
    """The bot of *program*, started in *folder*, playing on its local Discord; at the end it is told to stop."""
    with (folder / "bot.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program,
            cwd=folder,
            env=environment(LOCAL_DISCORD_PORT=str(port), DEFAULT_LOCALE="it"),
            stdout=log,
            stderr=log,
        )
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http:
            while not (await asked(http, "/local/session")).get("bot_connected"):
                assert process.returncode is None, (folder / "bot.log").read_text()
                assert asyncio.get_running_loop().time() < deadline, (folder / "bot.log").read_text()
                await asyncio.sleep(0.05)
            yield http
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 0


async def asked(http: aiohttp.ClientSession, path: str) -> dict[str, Any]:
    """What the local Discord answers; nothing if nobody answers yet."""
    try:
        async with http.get(path) as response:
            found: dict[str, Any] = await response.json()
    except aiohttp.ClientError:
        return {}
    return found


async def a_drawing_uploaded(http: aiohttp.ClientSession) -> None:
    """Wait until the bot has sent an emoji."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while True:
        async with http.get("/local/requests") as response:
            if any(it["method"] == "POST" and it["path"].endswith("/emojis") for it in await response.json()):
                return
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.05)


def contents(folder: Path) -> set[str]:
    """Every file below *folder*."""
    return {str(file.relative_to(folder)) for file in folder.rglob("*")}


async def test_it_plays_in_any_folder_and_writes_to_that_folder_alone(program: Path, tmp_path: Path) -> None:
    """A database and the local Discord's file are made where it is started, as is a file that only looks like a module
    of ours; the installation stays as it is."""
    before = contents(program.parents[1])
    for name in ("aiohttp", "bot", "local_discord"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('this is somebody else\\'s')\n")
    async with playing(program, tmp_path, free_port()) as http:
        async with http.get("/") as page:
            assert (page.status, page.content_type) == (200, "text/html")
            scripts = re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', await page.text())
        assert scripts
        for script in scripts:
            async with http.get("/" + script.lstrip("/")) as answer:
                assert answer.status == 200, script
        await a_drawing_uploaded(http)  # for which the typeface is needed
    assert "Traceback" not in (tmp_path / "bot.log").read_text()
    assert contents(program.parents[1]) == before
    made = {name for name in contents(tmp_path) if not name.endswith((".py", ".log"))}
    assert made == {"local.sqlite3", "local.sqlite3.lock", "local-discord.sqlite3"}
