"""The embedded local Discord, as a program of its own beside the bot (``python -m local_discord``)."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

import aiohttp

START_SECONDS: Final = 10.0


class DidNotStart(Exception):
    """The local Discord does not run; the text says what to do."""


class Local(NamedTuple):
    """Where the local Discord is, and how the bot gets in."""

    page: str
    api_url: str
    gateway_url: str
    token: str


@asynccontextmanager
async def local_discord(port: int) -> AsyncIterator[Local]:
    """A local Discord on loopback while the block runs.

    Raises:
        DidNotStart: it ended at once, as it does when the port is taken.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "local_discord", "--port", str(port), "--with-parent", start_new_session=True
    )
    try:
        page = f"http://127.0.0.1:{port}/"
        session = await _session(process, page)
        yield Local(page, session["api"], session["gateway"], session["bot_token"])
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def _session(process: asyncio.subprocess.Process, page: str) -> dict[str, Any]:
    """What the local Discord says of itself, once it answers."""
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=1)) as http:
        while process.returncode is None and asyncio.get_running_loop().time() < deadline:
            try:
                async with http.get(page + "local/session") as response:
                    text = await response.text()
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(0.05)
                continue
            session: dict[str, Any] = json.loads(text)
            if session["pid"] == process.pid:
                return session
            break  # somebody else answers at this port
    raise DidNotStart("the local Discord does not start there; is the port in use? Set another one")
