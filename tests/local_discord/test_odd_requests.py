"""Every route with odd ids, queries and bodies: the answer is Discord's, an error with a code, and never a bare 500.

The routes are those that the server has, so a new one is tried as well.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

import pytest

from tests.local_discord.client import Discord, button, row

ODD_WORDS: Final = ("²", "x", "-1", "9" * 30, "\x00", "🂡")
ODD_BODIES: Final = ("", "null", "true", "1e999", '"²"', "[]", "[null]", "[[1]]", "{}", '{"": {}}', '{"type": null}')
QUERIES: Final = ("limit", "before", "around", "with_response", "user", "after")
OWN: Final = ("/api/v10/", "/local/", "/emojis/", "/attachments/")
"""What the addresses of all routes but the page's and the gateway's begin with."""


def routes(discord: Discord) -> Iterator[tuple[str, str]]:
    """(method, path with ``{names}``) of all that the server answers. What deletes comes last."""
    assert discord.server._runner is not None
    found = {
        (route.method, route.resource.canonical if route.resource else "")
        for route in discord.server._runner.app.router.routes()
    }
    for method, path in sorted(found, key=lambda it: (it[0] == "DELETE", it)):
        if path.startswith(OWN) and method not in ("HEAD", "*"):
            yield method, path


async def known(discord: Discord) -> dict[str, str]:
    """What stands for the names in a path, so that something is there."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    payload = await discord.pinged(bot, discord.anna)
    assert (await discord.answer(payload, {"type": 4, "data": {"components": [row(button("a"))]}}))[0] == 204
    _, sent = await discord.sends({"content": "x"})
    return {
        "application": discord.session["application_id"],
        "channel": discord.channel,
        "guild": discord.guild,
        "interaction": payload["id"],
        "message": sent["id"],
        "token": payload["token"],
        "user": discord.anna_id,
        "what": "guilds",
        "id": discord.guild,
        "which": "@original",
    }


def filled(path: str, values: dict[str, str]) -> str:
    """*path* with *values* in the place of its names."""
    return re.sub(r"\{(\w+)[^}]*\}", lambda name: quote(values.get(name[1], "1"), safe="@"), path)


async def check(discord: Discord, method: str, path: str, body: str = "{}") -> None:
    """Send a request as the bot; it is answered, or refused with a code."""
    url = discord.session["api"].removesuffix("/api/v10") + path
    headers = {"Authorization": discord.bot, "Content-Type": "application/json"}
    async with discord.http.request(method, url, data=body.encode(), headers=headers) as response:
        answer = await response.text()
        assert response.status < 500, (method, path, body, answer)
        if response.status >= 400 and path.startswith("/api/"):
            assert isinstance(json.loads(answer)["code"], int), (method, path, body, answer)


async def test_every_route_with_odd_bodies_ids_and_queries(discord: Discord) -> None:
    discord.server.limits.off = True
    good = await known(discord)
    tried = list(routes(discord))
    assert len(tried) > 40
    for method, path in tried:
        for body in ODD_BODIES:
            await check(discord, method, filled(path, good), body)
        for name in re.findall(r"\{(\w+)", path):
            for word in ODD_WORDS:
                await check(discord, method, filled(path, good | {name: word}))
        for name in QUERIES:
            for word in ODD_WORDS:
                await check(discord, method, f"{filled(path, good)}?{name}={quote(word)}")


async def test_of_a_request_that_breaks_off_nothing_remains(discord: Discord, caplog: pytest.LogCaptureFixture) -> None:
    """A client that is killed while it sends: what arrived of it is no request."""
    path = f"/api/v10/channels/{discord.channel}/messages"
    port = int(discord.session["api"].split(":")[2].split("/")[0])
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {discord.bot}\r\n"
    _, listed = await discord.call("GET", "/local/requests?after=0")
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: 15\r\n\r\n".encode() + b'{"content"')
    await discord.call("GET", "/local/session")  # so the other has been begun
    writer.close()
    await writer.wait_closed()
    for _ in range(3):
        await discord.call("GET", "/local/session")
    assert (await discord.call("GET", "/local/requests?after=0"))[1] == listed
    assert not caplog.records
