"""A local Discord that keeps its state in a file: what is there after a restart, and which files it refuses."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from local_discord.server import Server
from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text
from tests.local_discord.test_refusals import made
from tests.local_discord.test_server import ROOT
from tests.local_discord.test_uploads import PICTURE
from tests.process.waiting import eventually


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the state is."""
    return tmp_path / "state.sqlite3"


def contents(file: Path) -> list[bytes]:
    """What is in *file*, and in those that SQLite puts beside it."""
    return [it.read_bytes() for it in sorted(file.parent.iterdir())]


def sql(file: Path, statement: str) -> list[tuple[Any, ...]]:
    """Carry out *statement* on *file*; the rows it gives."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        return db.execute(statement).fetchall()


def others_may_read(file: Path) -> bool:
    """Whether anybody but the owner may read *file*, or what is beside it."""
    return any(it.stat().st_mode & 0o077 for it in file.parent.iterdir())


def refuse(file: Path) -> None:
    """Check that a process does not start with *file*, and says so in one line."""
    command = [sys.executable, "-m", "local_discord", "--port", "0", "--state", str(file)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=20)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (3, 1), ended.stderr


@asynccontextmanager
async def running(file: Path | None) -> AsyncIterator[Discord]:
    """A server with its state in *file*, and its client."""
    server = Server(state=file)
    await server.start(0)
    address = f"http://127.0.0.1:{server.port}/local/session"
    async with aiohttp.ClientSession() as http:
        async with http.get(address) as response:
            discord = Discord(server, http, await response.json())
        discord.unhurried()
        yield discord
        for socket in discord.sockets:
            await socket.ws.close()
            await socket.task
    await server.stop()


async def messages(discord: Discord, channel: str, token: str) -> list[dict[str, Any]]:
    """The messages in *channel*, newest first."""
    status, found = await discord.call("GET", f"/channels/{channel}/messages", token)
    assert status == 200, found
    history: list[dict[str, Any]] = found
    return history


async def test_people_channels_and_messages_survive_a_restart(file: Path) -> None:
    async with running(file) as discord:
        dm = await discord.dm(discord.anna)
        await discord.sends({"content": "**hello**", "nonce": "n", "enforce_nonce": True})
        await discord.sends({"content": "from Bruno"}, discord.bruno)
        await discord.sends({"flags": V2, "components": [row(button("b"))]}, channel=dm)
        _, gone = await discord.sends({"content": "gone"})
        await discord.call("DELETE", f"/channels/{discord.channel}/messages/{gone['id']}", discord.bot)
        await discord.register({"name": "ping"})
        await discord.call(
            "POST", f"/local/users/{discord.bruno_id}", body={"locale": "de", "permissions": ["manage_guild"]}
        )
        _, thread = await discord.call(
            "POST", f"/channels/{discord.channel}/threads", discord.bruno, {"name": "ours", "type": 12}
        )
        before = [await messages(discord, channel, discord.anna) for channel in (discord.channel, dm)]
        session = discord.session
    async with running(file) as discord:
        assert [await messages(discord, channel, discord.anna) for channel in (discord.channel, dm)] == before
        assert discord.session["users"] == [
            user | ({"locale": "de"} if user["name"] == "Bruno" else {}) for user in session["users"]
        ]
        assert discord.session["bot_token"] == session["bot_token"]
        assert await discord.dm(discord.anna) == dm, "no second direct messages"
        _, again = await discord.sends({"content": "**hello**", "nonce": "n", "enforce_nonce": True})
        assert again["id"] == before[0][1]["id"]
        path = f"/channels/{discord.channel}/application-commands/search?type=1"
        _, found = await discord.call("GET", path, discord.anna)
        assert [command["name"] for command in found["application_commands"]] == ["ping"]
        assert (await discord.call("GET", f"/channels/{thread['id']}", discord.bruno))[1]["name"] == "ours"
        _, notified = await discord.call("GET", f"/local/notifications?user={discord.anna_id}")
        assert [it["channel_id"] for it in notified] == [dm]
        _, newer = await discord.sends({"content": "newer"})
        assert int(newer["id"]) > int(thread["id"])


async def test_pictures_survive_a_restart_at_another_port(file: Path) -> None:
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://p.png"}}]}
    async with running(file) as discord:
        emoji = await made(discord, "trap")
        path = f"/channels/{discord.channel}/messages"
        _, message = await discord.upload("POST", path, {"flags": V2, "components": [gallery]}, "p.png", PICTURE)
        _, message = await discord.upload(
            "PATCH", f"{path}/{message['id']}", {"components": [gallery]}, "p.png", PICTURE
        )
    assert sql(file, "SELECT count(*) FROM file") == [(2,)], "what was replaced is not kept"
    async with running(file) as discord:
        assert (await discord.picture(f"/emojis/{emoji['id']}.png"))[0] == 200
        (found,) = await messages(discord, discord.channel, discord.anna)
        shown = found["components"][0]["items"][0]["media"]["url"]
        base = f"http://127.0.0.1:{discord.server.port}"
        assert shown == found["attachments"][0]["url"]
        assert shown.startswith(f"{base}/attachments/")
        assert await discord.picture(shown.removeprefix(base)) == (200, PICTURE)


async def test_answers_to_interactions_go_on_after_a_restart(file: Path) -> None:
    """Also private ones: their tokens are valid for 15 minutes, whatever restarts."""
    async with running(file) as discord:
        bot = await discord.connect(discord.bot)
        await discord.ping_command()
        payload = await discord.pinged(bot, discord.anna)
        data = {"flags": V2 | EPHEMERAL, "components": [text("a hand"), row(button("b"))]}
        _, answered = await discord.answer(payload, {"type": 4, "data": data}, "?with_response=true")
        number = answered["resource"]["message"]["id"]
        _, follow_up = await discord.call("POST", discord.webhook(payload), body={"content": "more"})
    async with running(file) as discord:
        path = discord.webhook(payload, "@original")
        status, changed = await discord.call("PATCH", path, body={"components": [text("another hand")]})
        assert (status, changed["id"]) == (200, number)
        assert changed["interaction"]["name"] == "ping"
        status, changed = await discord.call("PATCH", discord.webhook(payload, follow_up["id"]), body={"content": "x"})
        assert (status, changed["interaction_metadata"]["original_response_message_id"]) == (200, number)
        assert [it["id"] for it in await messages(discord, discord.channel, discord.anna)] == [follow_up["id"]]


async def test_a_killed_process_loses_no_more_than_the_last_moment(file: Path) -> None:
    command = [sys.executable, "-m", "local_discord", "--port", "0", "--state", str(file)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().split()[-1]
    async with aiohttp.ClientSession() as http:
        async with http.get(address + "local/session") as response:
            session = await response.json()
        path = f"api/v10/channels/{session['guilds'][0]['channels'][0]['id']}/messages"
        headers = {"Authorization": f"Bot {session['bot_token']}"}
        async with http.post(address + path, json={"content": "hello"}, headers=headers) as response:
            assert response.status == 200
        await eventually(lambda: any(b"hello" in it for it in contents(file)), "the file to be written")
        process.kill()
        await process.wait()
    async with running(file) as discord:
        assert [it["content"] for it in await messages(discord, discord.channel, discord.anna)] == ["hello"]


async def test_its_owner_alone_can_read_it(file: Path) -> None:
    """Tokens are in it."""
    async with running(file) as discord:
        await discord.sends({"content": "hello"})
        await eventually(lambda: any(b"hello" in it for it in contents(file)), "the file to be written")
        assert not others_may_read(file)


@pytest.mark.parametrize("content", [b"this is no database, whatever it says" * 100, None])
def test_a_file_that_it_cannot_use_is_left_alone_with_one_line(file: Path, content: bytes | None) -> None:
    """Neither of another program nor damaged."""
    if content is None:
        sql(file, "CREATE TABLE mine (number INTEGER)")
    else:
        file.write_bytes(content)
    before = contents(file)
    refuse(file)
    assert contents(file) == before
