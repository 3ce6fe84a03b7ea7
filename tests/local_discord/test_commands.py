"""Commands: what is refused when they are registered and when they are used.

https://discord.com/developers/docs/interactions/application-commands#application-command-object
"""

import io
import json
from typing import Any

import aiohttp
import pytest

from local_discord.attachments import MOST_BYTES
from tests.local_discord.client import Discord, at

NAMES = [f"n{number}" for number in range(26)]
LONG = "x" * 100


def option(kind: int = 3, name: str = "o", **more: Any) -> dict[str, Any]:
    """An option of a command."""
    return {"type": kind, "name": name, "description": "d", **more}


def choice(value: Any, name: str = "c") -> dict[str, Any]:
    """A choice of an option."""
    return {"name": name, "value": value}


BIG = [option(name=name, choices=[choice(f"{n}{LONG[:90]}", f"{n}") for n in range(4)]) for name in NAMES[:25]]


@pytest.mark.parametrize(
    ("options", "where", "code"),
    [
        ([option(name="a"), option(name="b", required=True)], "1", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"),
        ([option(), option()], "1", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"),
        ([option(name=name) for name in NAMES], "", "BASE_TYPE_BAD_LENGTH"),
        ([option(choices=[choice(name, name) for name in NAMES])], "0.choices", "BASE_TYPE_BAD_LENGTH"),
        ([option(choices=[choice("a"), choice("b")])], "0.choices.1", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS"),
        ([option(choices=[choice(5)])], "0.choices.0.value", "STRING_TYPE_CONVERT"),
        ([option(choices=[choice("x" * 101)])], "0.choices.0.value", "BASE_TYPE_MAX_LENGTH"),
        ([option(choices=[{"name": "c"}])], "0.choices.0.value", "BASE_TYPE_REQUIRED"),
        ([option(4, choices=[choice("5")])], "0.choices.0.value", "NUMBER_TYPE_COERCE"),
        ([option(4, choices=[choice(2**53)])], "0.choices.0.value", "NUMBER_TYPE_MAX"),
        ([option(10, choices=[choice(True)])], "0.choices.0.value", "NUMBER_TYPE_COERCE"),
        ([option(5, choices=[choice(True)])], "0.choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
        ([option(99)], "0.type", "BASE_TYPE_CHOICES"),
        ([{"name": "o", "description": "d"}], "0.type", "BASE_TYPE_REQUIRED"),
        ([option(name="Upper")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        ([option(name_localizations={"tlh": "a"})], "0.name_localizations.tlh", "BASE_TYPE_CHOICES"),
        ([option(name_localizations={"de": "A B"})], "0.name_localizations.de", "APPLICATION_COMMAND_INVALID_NAME"),
        ([option(description_localizations={"pt_BR": "a"})], "0.description_localizations.pt_BR", "BASE_TYPE_CHOICES"),
        (
            [option(description_localizations={"de": LONG + "x"})],
            "0.description_localizations.de",
            "BASE_TYPE_BAD_LENGTH",
        ),
        ([option(min_length=7, max_length=5)], "0.min_length", "NUMBER_TYPE_MAX"),
        ([option(max_length=6001)], "0.max_length", "NUMBER_TYPE_MAX"),
        ([option(4, min_value=2, max_value=1)], "0.min_value", "NUMBER_TYPE_MAX"),
        ([option(4, min_value=0.5)], "0.min_value", "NUMBER_TYPE_COERCE"),
        ([option(1, name="s"), option()], "1", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
        ([option(1, options=[option(1)])], "0.options.0.type", "BASE_TYPE_CHOICES"),
        ([option(2, options=[option(3)])], "0.options.0.type", "BASE_TYPE_CHOICES"),
        ([option(2, options=[])], "0.options", "BASE_TYPE_BAD_LENGTH"),
        ([option(required="yes")], "0.required", "BOOLEAN_TYPE_CONVERT"),
        ([option(autocomplete=True)], "0.autocomplete", "NOT_IMPLEMENTED"),
        ([1], "0", "MODEL_TYPE_CONVERT"),
        ({"a": 1}, "", "LIST_TYPE_CONVERT"),
        *[([option(kind)], "0.type", "BASE_TYPE_CHOICES") for kind in (6, 7, 8, 9)],
        ([option(11, choices=[choice("1")])], "0.choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    ],
)
async def test_options_are_refused(discord: Discord, options: Any, where: str, code: str) -> None:
    """Application Command Option Structure and "...Choice Structure". Options for users, channels, roles
    and mentionables need data about what was chosen, which is not here; nor is autocomplete."""
    status, refused = await discord.register({"name": "x", "options": options})
    assert (status, refused.get("code")) == (400, 50035)
    path = ".".join(part for part in ("0.options", where) if part)
    assert at(refused, path) == [code], refused


@pytest.mark.parametrize(
    ("command", "where", "code"),
    [
        ({"name": "x", "type": 2}, "0.type", "BASE_TYPE_CHOICES"),
        ({"name": "x", "type": 99}, "0.type", "BASE_TYPE_CHOICES"),
        ({"name": 5}, "0.name", "STRING_TYPE_CONVERT"),
        ({}, "0.name", "BASE_TYPE_REQUIRED"),
        ({"name": "x" * 33}, "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        ({"name": "x", "name_localizations": ["de"]}, "0.name_localizations", "DICT_TYPE_CONVERT"),
        ({"name": "x", "options": BIG}, "0", "APPLICATION_COMMAND_TOO_LARGE"),
        ({"name": "x", "options": None, "description": None}, "0.description", "BASE_TYPE_REQUIRED"),
    ],
)
async def test_commands_are_refused(discord: Discord, command: dict[str, Any], where: str, code: str) -> None:
    """Application Command Structure; "Slash Commands": at most 8,000 characters in all (the error is the example of
    "Error Messages" in the reference)."""
    status, refused = await discord.register(command)
    assert (status, at(refused, where)) == (400, [code]), refused


USED = [
    option(3, "text", min_length=2, max_length=4),
    option(4, "whole", min_value=1, max_value=9),
    option(5, "bool"),
    option(10, "number", min_value=0.5),
    option(3, "one", choices=[choice("a"), choice("b", "d")]),
]


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ([(3, "text", "abc"), (4, "whole", 5), (5, "bool", False), (10, "number", 1.5), (3, "one", "b")], True),
        ([(10, "number", 3)], True),
        ([(3, "text", 5)], False),
        ([(3, "text", "a")], False),
        ([(3, "text", "abcde")], False),
        ([(4, "whole", "5")], False),
        ([(4, "whole", 0)], False),
        ([(4, "whole", 10)], False),
        ([(4, "whole", True)], False),
        ([(5, "bool", 1)], False),
        ([(10, "number", 0.1)], False),
        ([(10, "number", "1")], False),
        ([(3, "one", "c")], False),
        ([(3, "whole", 5)], False),
        ([(3, "other", "x")], False),
        ([(3, "text", "abc"), (3, "text", "abc")], False),
        ([(3, "text", None)], False),
    ],
)
async def test_option_values_are_of_their_kind_and_range(
    discord: Discord, given: list[tuple[int, str, Any]], right: bool
) -> None:
    """Application Command Option Type and the limits of the option: Discord checks what a client sends."""
    assert (await discord.register({"name": "x", "options": USED}))[0] == 200
    bot = await discord.connect(discord.bot)
    options = [{"type": kind, "name": name, "value": value} for kind, name, value in given]
    status = await discord.begin(discord.bruno, {"type": 2, "data": {"name": "x", "options": options}})
    assert status == (204 if right else 400)
    if right:
        data = (await bot.event("INTERACTION_CREATE"))["data"]
        assert data["options"] == options
        assert set(data) == {"id", "name", "type", "options"}


async def test_what_a_client_makes_up_does_not_reach_the_bot(discord: Discord) -> None:
    """Application Command Data Structure: Discord writes it, from what was chosen."""
    await discord.register({"name": "x", "options": [option(1, "s", options=[option()])]})
    bot = await discord.connect(discord.bot)
    chosen = {"type": 3, "name": "o", "value": "v"}
    forged = {**chosen, "focused": True, "options": [1]}
    options = [{"type": 1, "name": "s", "options": [forged], "value": 5}]
    data = {"name": "x", "id": "5", "resolved": {"users": {}}, "guild_id": "1", "options": options}
    told = (await discord.used(bot, discord.bruno, {"type": 2, "data": data}))["data"]
    assert told["options"] == [{"type": 1, "name": "s", "options": [chosen]}]
    assert set(told) == {"id", "name", "type", "options"}


# Options that take a file: the client sends it with the interaction, and the bot is told where to load it.
#
# https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-type
# https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure

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
