"""What whoever starts the bot reads, and what it does while nobody answers yet."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.client import FIRST_PAUSE_SECONDS
from tests.bot import version_0_3_0
from tests.process.waiting import PATIENCE_SECONDS, eventually
from tests.process.world import World, local_world
from tests.program import environment, free_port, running
from tests.rows import execute

AT_ONCE = 10.0
"""Seconds in which a program that waits ends when it is told to, on a machine that is very busy."""


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
    async with running(tmp_path, cold=True, LOCAL_DISCORD_PORT=str(port)) as bot:
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
        async with running(tmp_path, cold=True, STORE_URL=f"sqlite+aiosqlite:///{store}", **settings) as bot:
            await eventually(lambda: bot.said.count("\n") >= 3, lambda: f"the lines: {bot.said} {bot.log}")
            assert "in 1 server." in bot.said
            assert "cards.sqlite3" in bot.said
            assert world.session["bot_token"] not in bot.said + bot.log
            assert bot.log == ""


async def test_as_json_all_that_it_says_is_json_with_the_link_that_invites_it(tmp_path: Path) -> None:
    async with local_world() as world:
        settings = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api, "LOG_FORMAT": "json"}
        async with running(tmp_path, cold=True, **settings) as bot:
            await eventually(lambda: '"message": "ready"' in bot.log, lambda: bot.log)
            assert "https://discord.com/oauth2/authorize?client_id=" in bot.log
            assert await bot.stop() == 0
            assert bot.said == ""
            assert all(line.startswith('{"ts": "') and line.endswith("}") for line in bot.log.splitlines())


async def test_an_older_database_is_brought_up_to_date_with_one_line(tmp_path: Path) -> None:
    version_0_3_0.database(path := tmp_path / "local.sqlite3")
    execute(path, *(f"DELETE FROM {table}" for table in ("messages", "moves", "record_people", "records", "tables")))
    async with running(tmp_path, cold=True, LOCAL_DISCORD_PORT=str(free_port())) as bot:
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

        async with running(tmp_path, cold=True, **settings) as bot:
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
            await asyncio.sleep(2.5 * FIRST_PAUSE_SECONDS)  # some more attempts: they are not said
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
    async with running(tmp_path, cold=True, DISCORD_TOKEN=token, **settings) as bot:
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
        async with running(tmp_path, cold=True, DISCORD_GATEWAY_URL="ws://127.0.0.1:9", **settings) as bot:
            await eventually(lambda: "gateway cannot be reached" in bot.log, lambda: bot.log)
            await asyncio.sleep(6)  # discord.py tries again after five seconds
            assert bot.log.count("\n") == 1, bot.log
            assert bot.said == ""
            assert await bot.stop() == 0


# Where what it says cannot be written

SOMEWHERE = [">/dev/full", ">&-", "<&- >&-"]
"""Where a shell sends what a program says."""
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


async def shell(folder: Path, arguments: str, where: str, **settings: str) -> asyncio.subprocess.Process:
    """``python -m bot`` with *arguments*, its output sent to *where*, its log in ``bot.log`` of *folder*."""
    store = f"sqlite+aiosqlite:///{folder}/t.sqlite3"
    with (folder / "bot.log").open("wb") as log:
        return await asyncio.create_subprocess_shell(
            f"exec {sys.executable} -m bot {arguments} {where}",
            env=environment(**{"STORE_URL": store, **settings}),
            cwd=folder,
            stderr=log,
        )


@full
@pytest.mark.parametrize("where", SOMEWHERE)
async def test_the_bot_plays_on_when_its_output_cannot_be_written(tmp_path: Path, where: str) -> None:
    log = tmp_path / "bot.log"
    process = await shell(tmp_path, "", where, LOCAL_DISCORD_PORT=str(free_port()), LOG_LEVEL="DEBUG")
    try:
        await eventually(lambda: "live_tables=0" in log.read_text(), "the bot", 20)
    finally:
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 0
    assert "Traceback" not in log.read_text()
    assert (tmp_path / "t.sqlite3.lock").read_text() == f"{process.pid}\n"


@full
@pytest.mark.parametrize("where", SOMEWHERE)
async def test_a_doctor_who_cannot_be_heard_says_so_in_one_line(tmp_path: Path, where: str) -> None:
    process = await shell(tmp_path, "doctor", where)
    code = await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)
    said = (tmp_path / "bot.log").read_text()
    expected = (2, "standard output: No space left on device\n") if "full" in where else (1, "")
    assert (code, said) == expected


@full
@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
async def test_the_exit_code_says_it_where_nothing_can_be_said(tmp_path: Path, where: str) -> None:
    wrong = await shell(tmp_path, "", where, STORE_URL="nonsense")
    assert await asyncio.wait_for(wrong.wait(), PATIENCE_SECONDS) == 2
