"""What whoever starts the bot reads, and what it does while nobody answers yet."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.patience import FIRST_SECONDS
from tests.bot import version_0_3_0
from tests.process.test_restart import free_port
from tests.process.waiting import eventually
from tests.process.world import ROOT, World, local_world
from tests.rows import execute

AT_ONCE = 10.0
"""Seconds in which a program that waits ends when it is told to, on a machine that is very busy."""


class Program:
    """``python -m bot`` and everything that it says."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self.process = process
        self._folder = folder

    @property
    def said(self) -> str:
        """Standard output."""
        return (self._folder / "said.txt").read_text()

    @property
    def log(self) -> str:
        """Standard error."""
        return (self._folder / "bot.log").read_text()

    async def stop(self) -> int:
        """End it as Ctrl-C does; its exit code."""
        self.process.send_signal(signal.SIGINT)
        return await asyncio.wait_for(self.process.wait(), 20)


@asynccontextmanager
async def program(folder: Path, **settings: str) -> AsyncIterator[Program]:
    """The bot in *folder*, with these settings and no others."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD", "STORE", "LOG"))}
    with (folder / "said.txt").open("wb") as said, (folder / "bot.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=folder,
            stdout=said,
            stderr=log,
            env={**clean, "PYTHONPATH": str(ROOT), **settings},
        )
    try:
        yield Program(process, folder)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@asynccontextmanager
async def answering(port: int, how: str, world: World) -> AsyncIterator[None]:
    """In the block something listens at *port*: with *how* ``busy`` it refuses everything for now, with ``discord`` it
    is the Discord of *world*."""
    _, _, behind = world.base.rpartition(":")

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                # The local Discord answers only who calls it by its own name.
                writer.write(data.replace(f"Host: 127.0.0.1:{port}".encode(), f"Host: 127.0.0.1:{behind}".encode()))
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if how == "discord":
            other, back = await asyncio.open_connection("127.0.0.1", int(behind))
            await asyncio.gather(copy(reader, back), copy(other, writer))
        else:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", port)
    try:
        yield
    finally:
        server.close()


async def test_a_newcomer_reads_three_calm_lines_and_one_at_the_end(tmp_path: Path) -> None:
    port = free_port()
    async with program(tmp_path, LOCAL_DISCORD_PORT=str(port)) as bot:
        await eventually(lambda: bot.said.count("\n") >= 3, lambda: f"the lines: {bot.said} {bot.log}")
        what, where, how = bot.said.splitlines()
        assert "17" in what and "local Discord" in what and "DISCORD_TOKEN" in what
        assert f"Open http://127.0.0.1:{port}/ in a browser." == where
        assert "Ctrl-C" in how and "local.sqlite3" in how
        assert bot.log == ""
        assert await bot.stop() == 0
        assert bot.said.count("\n") == 3
        assert [line.split()[1:] for line in bot.log.splitlines()] == [["INFO", "bot:", "stopped"]]


async def test_on_discord_the_lines_name_the_bot_its_servers_and_the_database(tmp_path: Path) -> None:
    async with local_world() as world:
        store = tmp_path / "cards.sqlite3"
        settings = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api}
        async with program(tmp_path, STORE_URL=f"sqlite+aiosqlite:///{store}", **settings) as bot:
            await eventually(lambda: bot.said.count("\n") >= 3, lambda: f"the lines: {bot.said} {bot.log}")
            assert "in 1 server." in bot.said
            assert "cards.sqlite3" in bot.said
            assert world.session["bot_token"] not in bot.said + bot.log
            assert bot.log == ""


async def test_the_last_line_says_why_it_has_ended(tmp_path: Path) -> None:
    """``stopped`` is for a bot that was told to stop."""
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789ab"
    async with local_world() as world, program(tmp_path, DISCORD_TOKEN=token, DISCORD_API_URL=world.api) as bot:
        assert await asyncio.wait_for(bot.process.wait(), 30) == 2
        assert bot.log == "DISCORD_TOKEN: Discord does not accept this token; copy it once more, or make a new one\n"


async def test_as_json_all_that_it_says_is_json(tmp_path: Path) -> None:
    async with program(tmp_path, LOCAL_DISCORD_PORT=str(free_port()), LOG_FORMAT="json") as bot:
        await eventually(lambda: '"message": "ready"' in bot.log, lambda: bot.log)
        assert await bot.stop() == 0
        assert bot.said == ""
        assert all(line.startswith('{"ts": "') and line.endswith("}") for line in bot.log.splitlines())


async def test_an_older_database_is_brought_up_to_date_with_one_line(tmp_path: Path) -> None:
    version_0_3_0.database(path := tmp_path / "local.sqlite3")
    execute(path, *(f"DELETE FROM {table}" for table in ("messages", "moves", "record_people", "records", "tables")))
    async with program(tmp_path, LOCAL_DISCORD_PORT=str(free_port())) as bot:
        await eventually(lambda: bot.said.count("\n") >= 3, lambda: f"the lines: {bot.said} {bot.log}")
        assert "the database is brought up to date" in bot.log
        assert bot.log.count("\n") == 1


@pytest.mark.parametrize("how", ["nobody", "busy"])
async def test_it_waits_until_discord_answers(tmp_path: Path, how: str) -> None:
    """As after the start of a machine whose network comes up late. It says so once, and then it serves."""
    port, watched = free_port(), free_port()
    async with local_world() as world, aiohttp.ClientSession() as http:
        settings = {
            "DISCORD_TOKEN": world.session["bot_token"],
            "DISCORD_API_URL": f"http://127.0.0.1:{port}/api/v10",
            "METRICS_PORT": str(watched),
        }

        async def said_at(path: str) -> tuple[int, str]:
            async with http.get(f"http://127.0.0.1:{watched}{path}") as response:
                return response.status, await response.text()

        async with program(tmp_path, **settings) as bot:
            if how == "busy":
                async with answering(port, how, world):
                    await eventually(lambda: "waiting" in bot.log, lambda: bot.log)
                assert "status 503" in bot.log
            else:
                await eventually(lambda: "waiting" in bot.log, lambda: bot.log)
                assert "Connection refused" in bot.log
            status, reason = await said_at("/readyz")
            assert status == 503
            assert "Discord" in reason
            assert (await said_at("/healthz"))[0] == 200
            await asyncio.sleep(2.5 * FIRST_SECONDS)  # some more attempts: they are not said
            assert bot.log.count("waiting") == (
                1 if how == "nobody" else bot.log.count("503") + bot.log.count("refused")
            )
            assert bot.process.returncode is None
            async with answering(port, "discord", world):
                await eventually(lambda: bot.said.count("\n") >= 3, lambda: f"the lines: {bot.said} {bot.log}")
                assert (await said_at("/readyz"))[0] == 200
                assert await bot.stop() == 0
        assert "Traceback" not in bot.log
        assert "ERROR" not in bot.log


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"DISCORD_API_URL": "http://127.0.0.1:9/api"}, "Discord cannot be reached"),
        ({"DISCORD_API_URL": "http://no.such.host.invalid/api"}, "Discord cannot be reached"),
        (
            {"STORE_URL": "postgresql+asyncpg://me:secret@127.0.0.1:9/cards"},
            "the database cannot be reached at 127.0.0.1:9: ",
        ),
        (
            {"STORE_URL": "postgresql+asyncpg://me:secret@no.such.host.invalid/cards"},
            "the database cannot be reached at no.such.host.invalid:5432: ",
        ),
    ],
)
async def test_while_it_waits_it_can_be_stopped_at_once(tmp_path: Path, settings: dict[str, str], named: str) -> None:
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789ab"
    async with program(tmp_path, DISCORD_TOKEN=token, **settings) as bot:
        await eventually(lambda: "waiting" in bot.log, lambda: bot.log)
        assert named in bot.log
        assert "secret" not in bot.log
        began = asyncio.get_running_loop().time()
        assert await bot.stop() == 0
        assert asyncio.get_running_loop().time() - began < AT_ONCE
        assert bot.said == ""


async def test_a_gateway_that_does_not_answer_is_waited_for_in_one_line(tmp_path: Path) -> None:
    async with local_world() as world:
        settings = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api}
        async with program(tmp_path, DISCORD_GATEWAY_URL="ws://127.0.0.1:9", **settings) as bot:
            await eventually(lambda: "gateway cannot be reached" in bot.log, lambda: bot.log)
            await asyncio.sleep(6)  # discord.py tries again after five seconds
            assert bot.log.count("\n") == 1, bot.log
            assert bot.said == ""
            assert await bot.stop() == 0


async def test_as_json_the_link_that_invites_it_is_said_too(tmp_path: Path) -> None:
    async with local_world() as world:
        settings = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api, "LOG_FORMAT": "json"}
        async with program(tmp_path, **settings) as bot:
            await eventually(lambda: '"message": "ready"' in bot.log, lambda: bot.log)
            assert "https://discord.com/oauth2/authorize?client_id=" in bot.log
