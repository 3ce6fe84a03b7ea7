"""discord.py understands what the server says: the client that bots here use, unchanged."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import discord as library
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.local_discord.client import Discord
from tests.process.waiting import eventually


class Client(library.Client):
    """A bot that notes what happens."""

    def __init__(self) -> None:
        super().__init__(intents=library.Intents(guilds=True))
        self.seen: list[str] = []

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note the name of *event*."""
        self.seen.append(event)
        super().dispatch(event, *args, **kwargs)


@pytest.fixture
async def bot(
    discord: Discord, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Client]:
    """A connected bot; whatever it reports as an error or cannot make sense of fails the test."""
    monkeypatch.setattr(Route, "BASE", discord.session["api"])
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord.session["gateway"]))
    client = Client()
    async with client:
        running = asyncio.create_task(client.start(discord.session["bot_token"]))
        await eventually(client.is_ready, "the bot to connect")
        yield client
    await asyncio.wait({running})
    lost = ("error", "Traceback", "referencing an unknown")
    assert not [it for it in caplog.messages if any(word in it for word in lost)]
    assert not [it for it in caplog.records if it.levelno >= logging.ERROR]


async def test_threads_come_archive_and_wake(discord: Discord, bot: Client) -> None:
    (guild,) = bot.guilds
    (thread,) = guild.threads
    number = thread.id
    path = f"/local/channels/{number}"
    assert thread.parent is not None
    assert thread.me is None
    await discord.call("POST", path, body={"archived": True, "locked": True})
    await eventually(lambda: guild.get_thread(number) is None, "the thread to leave the cache")
    assert (thread.archived, thread.locked) == (True, True)
    with pytest.raises(library.Forbidden) as refused:
        await thread.send("x")
    assert refused.value.code == 50083
    await discord.call("POST", path, body={"archived": False, "locked": False})
    message = await thread.send("awake")
    await eventually(lambda: (it := guild.get_thread(number)) is not None and it.me is not None, "membership")
    await discord.call("POST", path, body={"archived": True})
    with pytest.raises(library.HTTPException) as archived:
        await message.edit(content="x")
    assert (archived.value.status, archived.value.code) == (400, 50083)
    await discord.call("PATCH", f"/channels/{number}", discord.bruno, {"archived": False})
    await eventually(lambda: guild.get_thread(number) is not None, "the thread to be there again")


async def test_a_private_thread_comes_with_membership_and_goes_with_it(discord: Discord, bot: Client) -> None:
    (guild,) = bot.guilds
    secret = {"name": "secrets", "type": 12}
    _, made = await discord.call("POST", f"/channels/{discord.channel}/threads", discord.anna, secret)
    number = int(made["id"])
    assert guild.get_thread(number) is None
    await discord.call("PUT", f"/channels/{number}/thread-members/{bot.application_id}", discord.anna)
    await eventually(lambda: (it := guild.get_thread(number)) is not None and it.me is not None, "membership")
    thread = guild.get_thread(number)
    assert thread is not None
    assert thread.is_private()
    await thread.leave()
    await eventually(lambda: "thread_remove" in bot.seen, "the news of it")


async def test_servers_change_go_and_come(discord: Discord, bot: Client) -> None:
    path = f"/local/guilds/{discord.guild}"
    (guild,) = bot.guilds
    await discord.call("POST", path, body={"locale": "de"})
    await eventually(lambda: guild.preferred_locale is library.Locale.german, "the news of it")
    assert len(guild.channels) == 3
    await discord.call("POST", path, body={"features": []})
    await eventually(lambda: guild.preferred_locale is library.Locale.american_english, "the news of it")
    await discord.call("POST", path, body={"bot": False})
    await eventually(lambda: not bot.guilds, "the news of it")
    assert "guild_remove" in bot.seen
    await discord.call("POST", path, body={"bot": True})
    await eventually(lambda: bot.guilds, "the news of it")


async def test_edits_of_an_old_message_are_waited_out(discord: Discord, bot: Client) -> None:
    """https://github.com/aikaterna/aikaterna-cogs/issues/302: discord.py waits, and tries again."""
    faster = {"old_edits": {"limit": 1, "seconds": 0.3}}
    await discord.call("POST", "/local/faults", body=faster)
    channel = bot.get_partial_messageable(int(discord.channel))
    message = await channel.send("x")
    await discord.call("POST", f"/local/messages/{message.id}", body={"age_seconds": 4000})
    await message.edit(content="1")
    await message.edit(content="2")
    _, listed = await discord.call("GET", "/local/requests?after=0")
    assert [it["status"] for it in listed if it["method"] == "PATCH"][:2] == [200, 429]
    assert listed[-1]["status"] == 200
    assert (await discord.call("GET", "/local/session"))[1]["invalid_requests"] >= 1
