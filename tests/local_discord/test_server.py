"""The running server: its address, what it says of itself, and who it refuses."""

import asyncio
import socket
import struct
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.local_discord.client import Discord

ROOT = Path(__file__).parents[2]


async def test_the_session_says_what_one_needs(discord: Discord) -> None:
    assert {"api", "gateway", "application_id", "bot_token", "guilds", "users"} <= set(discord.session)
    assert discord.session["guilds"][0]["channels"][0]["name"]
    assert "127.0.0.1" in discord.session["api"]


def test_it_listens_on_loopback_only_and_says_when_a_port_is_taken() -> None:
    command = [sys.executable, "-m", "local_discord", "--port"]
    first = subprocess.Popen([*command, "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        address = first.stdout.readline().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        port = address.rstrip("/").rsplit(":", 1)[1]
        second = subprocess.run([*command, port], cwd=ROOT, capture_output=True, text=True, check=False, timeout=20)
        assert second.returncode == 2
        why = "cannot listen there (Address already in use); take another port"
        assert second.stderr == f"--port {port}: {why}\n"
    finally:
        first.terminate()
        first.communicate()


async def test_told_to_stop_it_stops_at_once_whatever_is_under_way() -> None:
    """Also while a fault holds a request up for a minute."""
    command = [sys.executable, "-m", "local_discord", "--port", "0"]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().split()[-1]
    async with aiohttp.ClientSession() as http:
        async with http.get(address + "local/session") as response:
            token = (await response.json())["bot_token"]
        fault = {"match": {"method": "GET", "path": "*"}, "delay_ms": 60_000}
        async with http.post(address + "local/faults", json=fault) as response:
            assert response.status == 204
        headers = {"Authorization": f"Bot {token}"}
        held_up = asyncio.ensure_future(http.get(address + "api/v10/users/@me", headers=headers))
        done, _ = await asyncio.wait([held_up], timeout=0.5)
        assert not done
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 10) == 0
        with pytest.raises(aiohttp.ClientError):
            await held_up


async def test_unknown_routes_and_strangers_get_discords_error_shape(discord: Discord) -> None:
    assert await discord.call("GET", "/stickers/1", discord.bot) == (404, {"message": "404: Not Found", "code": 0})
    assert (await discord.call("GET", "/users/@me", "nobody"))[0] == 401
    assert (await discord.call("GET", "/users/@me", "Bot " + discord.anna))[0] == 401


async def test_a_client_that_is_gone_before_its_answer_is_no_error(
    discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    """As a program is that is told to stop while it connects to the gateway."""
    host = discord.session["api"].split("/")[2]
    address, port = host.split(":")
    opening = (
        f"GET /gateway?v=10 HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for _ in range(5):
        client = socket.create_connection((address, int(port)))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not closed in order
        client.sendall(opening.encode())
        client.close()
        assert (await discord.call("GET", "/gateway"))[0] == 200  # so the server has met it
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
