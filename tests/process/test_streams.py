"""Standard output that is full or closed: what cannot be written is lost, and nothing else."""

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.process.waiting import eventually
from tests.process.world import ROOT

SOMEWHERE = [">/dev/full", ">&-", "<&- >&-"]
"""Where a shell sends what a program says."""

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


async def program(folder: Path, arguments: str, where: str, **settings: str) -> asyncio.subprocess.Process:
    """``python -m bot`` with *arguments*, its output sent to *where*, its log in ``bot.log`` of *folder*."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD", "STORE"))}
    store = f"sqlite+aiosqlite:///{folder}/t.sqlite3"
    with (folder / "bot.log").open("wb") as log:
        return await asyncio.create_subprocess_shell(
            f"exec {sys.executable} -m bot {arguments} {where}",
            env={**clean, "PYTHONPATH": str(ROOT), "STORE_URL": store, **settings},
            cwd=folder,
            stderr=log,
        )


@pytest.mark.parametrize("where", SOMEWHERE)
async def test_the_bot_plays_on_when_its_output_cannot_be_written(tmp_path: Path, where: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path / "bot.log"
    process = await program(tmp_path, "", where, LOCAL_DISCORD_PORT=str(port), LOG_LEVEL="DEBUG")
    try:
        await eventually(lambda: "live_tables=0" in log.read_text(), "the bot", 20)
    finally:
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    assert "Traceback" not in log.read_text()
    assert (tmp_path / "t.sqlite3.lock").read_text() == f"{process.pid}\n"


@pytest.mark.parametrize("where", SOMEWHERE)
async def test_a_doctor_who_cannot_be_heard_says_so_in_one_line(tmp_path: Path, where: str) -> None:
    process = await program(tmp_path, "doctor", where)
    code = await asyncio.wait_for(process.wait(), 20)
    said = (tmp_path / "bot.log").read_text()
    expected = (2, "standard output: No space left on device\n") if "full" in where else (1, "")
    assert (code, said) == expected


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
async def test_the_exit_code_says_it_where_nothing_can_be_said(tmp_path: Path, where: str) -> None:
    wrong = await program(tmp_path, "", where, STORE_URL="nonsense")
    assert await asyncio.wait_for(wrong.wait(), 20) == 2
