"""Frames of the gateway that nobody can read: the process goes on, with a new session."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from local_discord.server import Server
from local_discord.sessions import Session
from tests.process.waiting import eventually


@asynccontextmanager
async def bot_on(server: Server, folder: Path, *, named: bool = True) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bot as a process of its own on *server*, whose gateway is *named* to it or not; its log goes to ``bot.log``
    in *folder*."""
    base = f"127.0.0.1:{server.port}"
    environment = {
        **os.environ,
        "DISCORD_TOKEN": server.world.bot.token,
        "DISCORD_API_URL": f"http://{base}/api/v10",
        "DISCORD_GATEWAY_URL": f"ws://{base}/gateway" if named else "",
        "STORE_URL": f"sqlite+aiosqlite:///{folder}/t.sqlite3",
    }
    with (folder / "bot.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", env=environment, stderr=log)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), 20)


def connected(server: Server) -> Session | None:
    """The bot's session, while it has a connection."""
    return next((it for it in server.gateway._sessions.values() if it.person.bot and it.socket is not None), None)


FRAMES = ["null", "{", '{"op":0,"t":"READY","s":9,"d":{}}', '{"op":0,"t":"RESUMED","s":9,"d":[]}', '{"op":10,"d":null}']


async def test_a_frame_that_cannot_be_read_costs_the_session_and_not_the_process(tmp_path: Path) -> None:
    """A bot for each frame, all at the same time, since a new session is waited for."""
    folders = [tmp_path / str(number) for number in range(len(FRAMES))]
    for folder in folders:
        folder.mkdir()
    await asyncio.gather(*map(costs_the_session, folders, FRAMES))


async def costs_the_session(folder: Path, frame: str) -> None:
    """Send *frame* to a bot on a server of its own, which must begin a new session."""
    server = Server()
    await server.start(0)
    async with bot_on(server, folder) as process:
        await eventually(lambda: connected(server), f"the bot, before {frame}", 40)
        first = connected(server)
        assert first is not None
        assert first.socket is not None
        first.socket.send(frame)
        await eventually(lambda: (now := connected(server)) and now is not first, f"a new session after {frame}", 40)
        assert process.returncode is None, frame
    said = (folder / "bot.log").read_text()
    assert said.count("frame not understood") == 1, frame
    assert "Traceback" not in said, frame
    await server.stop()


async def test_with_the_apis_address_alone_a_new_session_begins_at_the_gateway_that_it_names(tmp_path: Path) -> None:
    server = Server()
    await server.start(0)
    async with bot_on(server, tmp_path, named=False):
        await eventually(lambda: connected(server), "the bot", 20)
        first = connected(server)
        assert first is not None
        assert first.socket is not None
        first.socket.send('{"op":9,"d":false}')
        await eventually(lambda: (now := connected(server)) and now is not first, "a new session", 20)
    await server.stop()
