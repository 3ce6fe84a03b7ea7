"""The program in a process of its own: a command that ends by itself, or the bot, which goes on."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests import warm

ROOT: Final = Path(__file__).parents[1]
_OURS: Final = ("DISCORD", "STORE", "LOG", "PG")
"""So begin settings of this machine that no test should see."""


def environment(**settings: str) -> dict[str, str]:
    """The environment of a process with these *settings*. A local Discord has a port of its own: on the usual one
    somebody may play."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**clean, "PYTHONPATH": str(ROOT), "LOCAL_DISCORD_PORT": str(free_port()), **settings}


class Ended(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def python(*arguments: str, folder: Path = ROOT, before: Sequence[str] = (), **settings: str) -> Ended:
    """What Python does with *arguments* in *folder*; the command *before* starts it."""
    command = [*before, sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment(**settings), capture_output=True, text=True, check=False, timeout=60
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def bot(*arguments: str, folder: Path = ROOT, before: Sequence[str] = (), **settings: str) -> Ended:
    """What ``python -m bot`` does with *arguments* in *folder*."""
    if not before and warm.can_run("bot", given := environment(**settings)):
        return Ended(*warm.run("bot", *arguments, environment=given, folder=folder, seconds=60))
    return python("-m", "bot", *arguments, folder=folder, before=before, **settings)


class Running(NamedTuple):
    """``python -m bot`` and everything that it says."""

    process: asyncio.subprocess.Process | warm.Process
    folder: Path

    @property
    def said(self) -> str:
        """Standard output."""
        return (self.folder / "said.txt").read_text()

    @property
    def log(self) -> str:
        """Standard error."""
        return (self.folder / "bot.log").read_text()

    async def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """End it, as Ctrl-C does if nothing else is said; its exit code."""
        self.process.send_signal(number)
        return await self.ended()

    async def ended(self, seconds: float = 60) -> int:
        """Its exit code, once it has ended by itself."""
        return await asyncio.wait_for(self.process.wait(), seconds)


@asynccontextmanager
async def running(folder: Path, *, cold: bool = False, **settings: str) -> AsyncIterator[Running]:
    """The bot in *folder*, with these settings and no others, until the end of the block. *cold*: Python is started, as
    a host does."""
    given = environment(**settings)
    with (folder / "said.txt").open("wb") as said, (folder / "bot.log").open("ab") as log:
        if not cold and warm.can_run("bot", given):
            process = await warm.start("bot", environment=given, folder=folder, stdout=said, stderr=log)
        else:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", cwd=folder, stdout=said, stderr=log, env=given
            )
    try:
        yield Running(process, folder)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
