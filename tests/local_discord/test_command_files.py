"""Options that take a file: the client sends it with the interaction, and the bot is told where to load it.

https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-type
https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure
"""

import io
import json
from typing import Any

import aiohttp
import pytest

from local_discord.attachments import MOST_BYTES
from tests.local_discord.client import Discord, at
from tests.local_discord.test_commands import option

TAKES = [option(11, "file", required=True), option(3, "note"), option(11, "other")]


def data(*options: tuple[int, str, Any], files: list[Any] | None = None, name: str = "x") -> dict[str, Any]:
    """What a client says of the use of a command: its *options* (type, name, value), and the *files* it sends."""
    given = [{"type": kind, "name": option_name, "value": value} for kind, option_name, value in options]
    told = [{"id": str(n), "filename": file} for n, file in enumerate(files or [])]
    return {"id": "1", "name": name, "type": 1, "options": given, "attachments": told}


async def uses(
    discord: Discord, said: dict[str, Any], *files: tuple[str, bytes], kind: str = "application/json"
) -> tuple[int, Any]:
    """The status and the answer when Bruno uses a command as Discord's own client does: *files* are (name, data)."""
    body = {"type": 2, "channel_id": discord.channel, "guild_id": discord.guild, "nonce": "n", "session_id": "s"}
    form = aiohttp.FormData(quote_fields=False, default_to_multipart=True)
    form.add_field("payload_json", json.dumps({**body, "data": said}))
    for number, (name, content) in enumerate(files):
        form.add_field(f"files[{number}]", io.BytesIO(content), filename=name, content_type=kind)
    return await discord.form("POST", "/interactions", form, discord.bruno)


async def loaded(discord: Discord, url: str) -> tuple[int, bytes]:
    """(status, content) of what is at *url*, for somebody without a token."""
    async with discord.http.get(url) as response:
        return response.status, await response.read()


async def test_the_bot_is_told_where_the_file_is_and_can_load_it(discord: Discord) -> None:
    assert (await discord.register({"name": "x", "options": TAKES}))[0] == 200
    bot = await discord.connect(discord.bot)
    said = data((11, "file", "0"), (3, "note", "n"), files=["my record.json"])
    assert (await uses(discord, said, ("my record.json", b'{"v":1}')))[0] == 204
    told = (await bot.event("INTERACTION_CREATE"))["data"]
    file, note = told["options"]
    assert note == {"type": 3, "name": "note", "value": "n"}
    assert (file["type"], file["name"]) == (11, "file")
    found = told["resolved"]["attachments"][file["value"]]
    assert set(told["resolved"]["attachments"]) == {file["value"]} == {found["id"]}
    assert (found["filename"], found["size"], found["content_type"]) == ("my_record.json", 7, "application/json")
    assert found["ephemeral"] is True
    assert await loaded(discord, found["url"]) == (200, b'{"v":1}')


@pytest.mark.parametrize(
    ("said", "where", "code"),
    [
        (data((11, "file", "1"), files=["a.txt"]), "data.options.0.value", "ATTACHMENT_NOT_FOUND"),
        (data((11, "file", "0")), "data.options.0.value", "ATTACHMENT_NOT_FOUND"),
        (data((11, "file", "x"), files=["a.txt"]), "data.options.0.value", "NUMBER_TYPE_COERCE"),
        (data((11, "file", "0"), files=["a.txt", "b.txt"]), "data.attachments.1", "ATTACHMENT_NOT_FOUND"),
        (data((11, "file", "0"), files=[5]), "data.attachments.0.filename", "STRING_TYPE_CONVERT"),
        (data((11, "file", "0"), files=["a"] * 11), "data.attachments", "BASE_TYPE_BAD_LENGTH"),
        (data((3, "file", "0"), files=["a.txt"]), "data.options.0.type", "BASE_TYPE_CHOICES"),
        (data(files=["a.txt"]), "data.options", "APPLICATION_COMMAND_OPTION_MISSING"),
        (data((11, "file", None), files=["a.txt"]), "data.options.0.value", "BASE_TYPE_REQUIRED"),
    ],
)
async def test_what_does_not_fit_is_refused(discord: Discord, said: dict[str, Any], where: str, code: str) -> None:
    await discord.register({"name": "x", "options": TAKES})
    status, refused = await uses(discord, said, ("a.txt", b"a"))
    assert (status, refused["code"], at(refused, where)) == (400, 50035, [code]), refused


@pytest.mark.parametrize(("size", "status"), [(MOST_BYTES, 204), (MOST_BYTES + 1, 413), (26 * 1024 * 1024, 413)])
async def test_a_file_that_is_too_large_is_refused(discord: Discord, size: int, status: int) -> None:
    """40005, "Request entity too large": 10 MiB for a file, 25 MiB for a request."""
    await discord.register({"name": "x", "options": TAKES})
    said = data((11, "file", "0"), files=["a.txt"])
    got, refused = await uses(discord, said, ("a.txt", bytes(size)))
    assert got == status
    assert refused is None or refused["code"] == 40005


async def test_what_a_client_says_of_a_file_does_not_reach_the_bot(discord: Discord) -> None:
    await discord.register({"name": "x", "options": TAKES})
    bot = await discord.connect(discord.bot)
    said = data((11, "file", "0"), files=["a.txt"])
    said |= {"resolved": {"attachments": {"0": {"url": "http://example.com"}}}}
    said["attachments"][0]["url"] = "http://example.com"
    assert (await uses(discord, said, ("a.txt", b"a")))[0] == 204
    told = (await bot.event("INTERACTION_CREATE"))["data"]
    assert "example.com" not in json.dumps(told)
    assert set(told) == {"id", "name", "type", "options", "resolved"}
