"""Runs the embedded local Discord (``python -m local_discord``) as a process of its own."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import sqlalchemy as sa

from bot.store.files import sqlite_file

START_SECONDS: Final = 10.0
STOP_SECONDS: Final = 5.0
"""How long it may take to end by itself after it was asked to."""
BAD_STATE: Final = 3
"""Its exit code if the file for its state cannot be used. It has then printed why."""


class DidNotStart(Exception):
    """The local Discord could not be started; the text says what to do."""


class BadState(Exception):
    """The local Discord cannot use the file for its state; the text is the name of the file."""


class LocalDiscord(NamedTuple):
    """The addresses of a running local Discord, and the bot's token for it. ``ended()`` waits until it has ended."""

    page: str
    api_url: str
    gateway_url: str
    token: str
    ended: Callable[[], Awaitable[int]]


def local_discord_state_path(store: str) -> Path | None:
    """Return the path of the state file of the local Discord: beside the SQLite file of *store*, or in the working
    directory with PostgreSQL; ``None`` if the tables are in memory.
    """
    url = sa.make_url(store)
    database = sqlite_file(url) if url.drivername.startswith("sqlite") else Path("local.sqlite3").absolute()
    return database and database.with_name(f"{database.stem}-discord{database.suffix}")


@asynccontextmanager
async def run_local_discord(port: int, state: Path | None) -> AsyncIterator[LocalDiscord]:
    """Context manager: run a local Discord as a process at *port* during the block, with its state in the file *state*
    (``None``: in memory); raise DidNotStart or BadState.

    Raises:
        DidNotStart: it ended at once, as it does when the port is taken, or it does not answer within ten
            seconds.
        BadState: the file for its state cannot be used.
    """
    options = ["--port", str(port), "--with-parent", *(["--state", str(state)] if state else [])]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "local_discord",
        *options,
        cwd=Path(__file__).parents[1],  # where we were started, a file may have the name of a module
        start_new_session=True,
        stdout=asyncio.subprocess.DEVNULL,  # its address is said by us, and ours may be full or closed
    )
    try:
        page = f"http://127.0.0.1:{port}/"
        try:
            session = await _wait_for_local_discord(process, page)
        except DidNotStart:
            if process.returncode == BAD_STATE and state is not None:
                raise BadState(state.name) from None
            raise
        yield LocalDiscord(page, session["api"], session["gateway"], session["bot_token"], process.wait)
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _wait_for_local_discord(process: asyncio.subprocess.Process, page: str) -> dict[str, Any]:
    """Wait until the new local Discord answers at *page*, and return its addresses, the bot's token and its process id;
    raise DidNotStart if it ends, or does not answer within ten seconds.

    It is raised too if another program answers at that port.
    """
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=1)) as http:
        while process.returncode is None and asyncio.get_running_loop().time() < deadline:
            try:
                async with http.get(page + "local/session") as response:
                    text = await response.text()
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(0.05)
                continue
            session = _parse_json(text)
            if isinstance(session, dict) and session.get("pid") == process.pid:
                return session
            break  # somebody else answers at this port
    raise DidNotStart("the local Discord does not start there; is the port in use? Set another one")


def _parse_json(text: str) -> Any:
    """Parse *text* as JSON; ``None`` if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
