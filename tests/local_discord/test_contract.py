"""The local Discord keeps what Discord documents, over real sockets."""

import asyncio
import base64
import json
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from local_discord import interactions
from local_discord.limits import Limits
from local_discord.model import MessageFlag
from local_discord.server import Server

ROOT = Path(__file__).parents[2]
V2 = int(MessageFlag.COMPONENTS_V2)
EPHEMERAL = int(MessageFlag.EPHEMERAL)


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def button(custom_id: str = "b", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id, **more}


class Socket:
    """A gateway connection."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.events: list[dict[str, Any]] = []
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        inflate = zlib.decompressobj()
        async for frame in self.ws:
            data = frame.data if frame.type is aiohttp.WSMsgType.TEXT else inflate.decompress(frame.data).decode()
            self.events.append(json.loads(data))

    async def event(self, name: str) -> dict[str, Any]:
        """The payload of the next event *name*; it is taken off the list."""
        for _ in range(500):
            for index, event in enumerate(self.events):
                if event["t"] == name:
                    payload: dict[str, Any] = self.events.pop(index)["d"]
                    return payload
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {name} in {[e['t'] for e in self.events]}")

    async def op(self, op: int) -> dict[str, Any]:
        for _ in range(500):
            for event in self.events:
                if event["op"] == op:
                    return event
            await asyncio.sleep(0.01)
        raise AssertionError(f"no op {op}")

    def named(self, name: str) -> list[dict[str, Any]]:
        return [event["d"] for event in self.events if event["t"] == name]


class Discord:
    """A running server and a client for anybody on it."""

    def __init__(self, server: Server, http: aiohttp.ClientSession, session: dict[str, Any]) -> None:
        self.server = server
        self.http = http
        self.session = session
        self.bot = "Bot " + session["bot_token"]
        self.anna, self.bruno = (user["token"] for user in session["users"][:2])
        self.anna_id, self.bruno_id = (user["id"] for user in session["users"][:2])
        self.channel = session["guilds"][0]["channels"][0]["id"]
        self.guild = session["guilds"][0]["id"]
        self.sockets: list[Socket] = []

    async def call(self, method: str, path: str, token: str | None = None, body: Any = None) -> tuple[int, Any]:
        url = (
            self.session["api"].removesuffix("/api/v10") if path.startswith("/local") else self.session["api"]
        ) + path
        headers = {"Authorization": token} if token else {}
        async with self.http.request(method, url, json=body, headers=headers) as response:
            raw = await response.text()
            if raw and not path.startswith("/local"):
                assert response.headers["Content-Type"] == "application/json"
            return response.status, json.loads(raw) if raw else None

    async def picture(self, path: str) -> tuple[int, bytes]:
        """What a client that shows a picture gets: (status, file)."""
        async with self.http.get(self.session["api"].removesuffix("/api/v10") + path) as response:
            return response.status, await response.read()

    async def upload(self, method: str, path: str, payload: dict[str, Any], name: str, file: bytes) -> tuple[int, Any]:
        """A request of the bot with a file."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(payload))
        form.add_field("files[0]", file, filename=name, content_type="image/png")
        url = self.session["api"] + path
        async with self.http.request(method, url, data=form, headers={"Authorization": self.bot}) as response:
            return response.status, await response.json()

    async def connect(self, token: str, intents: int = 1, query: str = "") -> Socket:
        ws = await self.http.ws_connect(f"{self.session['gateway']}?v=10&encoding=json{query}")
        socket = Socket(ws)
        self.sockets.append(socket)
        await ws.send_json({"op": 2, "d": {"token": token, "intents": intents, "properties": {}}})
        return socket

    async def refused(self, method: str, path: str, token: str, body: Any, code: int) -> dict[str, Any]:
        status, answer = await self.call(method, path, token, body)
        assert (answer["code"], status >= 400) == (code, True), answer
        refusal: dict[str, Any] = answer
        return refusal

    async def begin(self, person: str, body: dict[str, Any]) -> int:
        body = {"channel_id": self.channel, "guild_id": self.guild, "nonce": "n", "session_id": "s", **body}
        return (await self.call("POST", "/interactions", person, body))[0]

    async def ping_command(self) -> None:
        commands = [{"name": "ping", "description": "d", "type": 1}]
        application = self.session["application_id"]
        assert (await self.call("PUT", f"/applications/{application}/commands", self.bot, commands))[0] == 200


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    monkeypatch.setattr(interactions, "DEADLINE_SECONDS", 0.4)
    server = Server()
    await server.start(0)
    async with aiohttp.ClientSession() as http:
        async with http.get(f"http://127.0.0.1:{server.port}/local/session") as response:
            discord = Discord(server, http, await response.json())
        yield discord
        for socket in discord.sockets:
            await socket.ws.close()
            await socket.task
    await server.stop()


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
        assert len(second.stderr.splitlines()) == 1
    finally:
        first.terminate()
        first.communicate()


async def test_unknown_routes_and_strangers_get_discords_error_shape(discord: Discord) -> None:
    assert await discord.call("GET", "/stickers/1", discord.bot) == (404, {"message": "404: Not Found", "code": 0})
    assert (await discord.call("GET", "/users/@me", "nobody"))[0] == 401
    assert (await discord.call("GET", "/users/@me", "Bot " + discord.anna))[0] == 401


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"flags": V2, "content": "x", "components": [text("y")]}, "content"),
        ({"flags": V2, "components": [text("x" * 4001)]}, "components.0.content"),
        ({"flags": V2, "components": [text("x" * 2500), text("x" * 2500)]}, "components"),
        ({"flags": V2, "components": [text("x") for _ in range(41)]}, "components"),
        ({"flags": V2, "components": [row(*[button(f"{n}") for n in range(6)])]}, "components.0.components"),
        ({"flags": V2, "components": [row(button("x" * 101))]}, "components.0.components.0.custom_id"),
        ({"flags": V2, "components": [row(button(label="x" * 81))]}, "components.0.components.0.label"),
        ({"flags": V2, "components": [row(button("a")), row(button("a"))]}, "components"),
        ({"flags": V2, "components": [button()]}, "components.0.type"),
        ({"flags": V2, "components": [{"type": 17, "components": []}]}, "components.0.components"),
        ({"components": [text("no flag")]}, "components.0.type"),
        (
            {"flags": V2, "components": [row({"type": 3, "custom_id": "s", "options": []})]},
            "components.0.components.0.options",
        ),
    ],
)
async def test_limits_are_50035_with_the_path(discord: Discord, body: dict[str, Any], path: str) -> None:
    answer = await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bot, body, 50035)
    found = answer["errors"]
    for key in path.split("."):
        found = found[key]
    assert found["_errors"]


async def test_an_empty_message_is_50006(discord: Discord) -> None:
    await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bot, {}, 50006)


async def test_unknown_things_have_their_codes(discord: Discord) -> None:
    await discord.refused("GET", "/channels/1", discord.bot, None, 10003)
    await discord.refused("PATCH", f"/channels/{discord.channel}/messages/1", discord.bot, {"content": "x"}, 10008)
    await discord.refused("POST", "/interactions/1/t/callback", "", {"type": 6}, 10062)
    await discord.refused("POST", f"/webhooks/{discord.session['application_id']}/t", "", {"content": "x"}, 10015)


async def test_permissions_are_50013_and_50001(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": ["view_channel"]})
    await discord.refused("POST", path, discord.bot, {"content": "x"}, 50013)
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": []})
    await discord.refused("POST", path, discord.bot, {"content": "x"}, 50001)


async def test_closed_direct_messages_are_50007(discord: Discord) -> None:
    _, channel = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    path = f"/channels/{channel['id']}/messages"
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 200
    await discord.call("POST", f"/local/users/{discord.anna_id}", body={"dms_open": False})
    await discord.refused("POST", path, discord.bot, {"content": "x"}, 50007)


async def test_a_direct_message_reaches_its_two_ends_alone(discord: Discord) -> None:
    anna, bruno = await discord.connect(discord.anna), await discord.connect(discord.bruno)
    await anna.event("READY")
    await bruno.event("READY")
    _, channel = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    _, sent = await discord.call("POST", f"/channels/{channel['id']}/messages", discord.bot, {"content": "psst"})
    assert (await anna.event("MESSAGE_CREATE"))["content"] == "psst"
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.anna, {"content": "all"})
    assert (await bruno.event("MESSAGE_CREATE"))["content"] == "all"
    assert not bruno.named("CHANNEL_CREATE")
    await discord.refused("GET", f"/channels/{channel['id']}/messages/{sent['id']}", discord.bruno, None, 10003)


async def test_only_authors_edit_and_only_moderators_delete_others(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    _, mine = await discord.call("POST", path, discord.bruno, {"content": "mine"})
    await discord.refused("PATCH", f"{path}/{mine['id']}", discord.bot, {"content": "x"}, 50005)
    await discord.refused("DELETE", f"{path}/{mine['id']}", discord.bot, None, 50013)
    assert (await discord.call("DELETE", f"{path}/{mine['id']}", discord.anna))[0] == 204


async def test_a_nonce_makes_one_message(discord: Discord) -> None:
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    path = f"/channels/{discord.channel}/messages"
    _, first = await discord.call("POST", path, discord.bot, body)
    _, second = await discord.call("POST", path, discord.bot, body)
    assert first["id"] == second["id"]


async def test_mentions_are_only_those_allowed(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    body = {"content": f"<@{discord.anna_id}>", "allowed_mentions": {"parse": []}}
    assert (await discord.call("POST", path, discord.bot, body))[1]["mentions"] == []
    body = {"content": f"<@{discord.anna_id}>", "allowed_mentions": {"users": [discord.anna_id]}}
    assert (await discord.call("POST", path, discord.bot, body))[1]["mentions"][0]["id"] == discord.anna_id


# Interactions


async def test_an_interaction_goes_to_the_bot_and_its_answer_to_the_person(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna, bruno = [await discord.connect(t) for t in (discord.bot, discord.anna, discord.bruno)]
    for socket in (bot, anna, bruno):
        await socket.event("READY")
    assert await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}}) == 204
    payload = await bot.event("INTERACTION_CREATE")
    assert (payload["locale"], payload["guild_locale"], payload["context"]) == ("en-US", "en-US", 0)
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    secret = {"type": 4, "data": {"flags": EPHEMERAL, "content": "only you"}}
    assert (await discord.call("POST", callback, body=secret))[0] == 204
    assert (await anna.event("INTERACTION_SUCCESS"))["nonce"] == "n"
    message = await anna.event("MESSAGE_CREATE")
    await discord.refused("POST", callback, "", secret, 40060)
    # Editable through the token alone, gone from the history, and never seen by anybody else.
    original = f"/webhooks/{discord.session['application_id']}/{payload['token']}/messages/@original"
    assert (await discord.call("PATCH", original, body={"content": "still"}))[0] == 200
    assert (await anna.event("MESSAGE_UPDATE"))["content"] == "still"
    path = f"/channels/{discord.channel}/messages"
    await discord.refused("PATCH", f"{path}/{message['id']}", discord.bot, {"content": "x"}, 10008)
    assert (await discord.call("GET", path, discord.anna))[1] == []
    await discord.refused("GET", f"{path}/{message['id']}", discord.bruno, None, 10008)
    await discord.call("POST", path, discord.anna, {"content": "end"})
    await bruno.event("MESSAGE_CREATE")
    assert not bruno.named("MESSAGE_CREATE")
    assert not bruno.named("INTERACTION_CREATE")


async def test_without_an_answer_in_time_the_interaction_fails_and_is_unknown(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    await bot.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    payload = await bot.event("INTERACTION_CREATE")
    assert (await anna.event("INTERACTION_FAILURE"))["nonce"] == "n"
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    await discord.refused("POST", callback, "", {"type": 4, "data": {"content": "late"}}, 10062)


async def test_a_click_needs_an_enabled_control_of_the_message(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    path = f"/channels/{discord.channel}/messages"
    body = {"flags": V2, "components": [row(button("yes"), button("no", disabled=True))]}
    _, sent = await discord.call("POST", path, discord.bot, body)
    for custom_id, status in (("yes", 204), ("no", 400), ("forged", 400)):
        data = {"component_type": 2, "custom_id": custom_id}
        assert await discord.begin(discord.anna, {"type": 3, "message_id": sent["id"], "data": data}) == status
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["message"]["id"] == sent["id"]
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    update = {"type": 7, "data": {"components": [text("done")]}}
    status, answer = await discord.call("POST", callback + "?with_response=true", body=update)
    assert status == 200
    assert answer["resource"]["message"]["id"] == sent["id"]
    assert (await discord.call("GET", f"{path}/{sent['id']}", discord.anna))[1]["components"][0]["content"] == "done"


async def test_select_values_must_be_on_offer(discord: Discord) -> None:
    menu = {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]}
    path = f"/channels/{discord.channel}/messages"
    _, sent = await discord.call("POST", path, discord.bot, {"flags": V2, "components": [row(menu)]})
    for values, status in ((["a"], 204), (["b"], 400), ([], 400), (["a", "a"], 400)):
        data = {"component_type": 3, "custom_id": "s", "values": values}
        assert await discord.begin(discord.anna, {"type": 3, "message_id": sent["id"], "data": data}) == status


async def test_a_modal_is_shown_and_submitted_once(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    await bot.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    payload = await bot.event("INTERACTION_CREATE")
    modal = {
        "custom_id": "m",
        "title": "T",
        "components": [row({"type": 4, "custom_id": "t", "style": 1, "label": "L"})],
    }
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    assert (await discord.call("POST", callback, body={"type": 9, "data": modal}))[0] == 204
    shown = await anna.event("INTERACTION_MODAL_CREATE")
    data = {"id": shown["id"], "custom_id": "m", "components": []}
    assert await discord.begin(discord.anna, {"type": 5, "data": data}) == 204
    assert (await bot.event("INTERACTION_CREATE"))["type"] == 5
    assert await discord.begin(discord.anna, {"type": 5, "data": data}) == 404


async def test_commands_are_checked_and_offered(discord: Discord) -> None:
    path = f"/applications/{discord.session['application_id']}/commands"
    for bad in ([{"name": "Upper", "description": "d"}], [{"name": "x", "description": ""}]):
        await discord.refused("PUT", path, discord.bot, bad, 50035)
    await discord.refused("PUT", path, discord.anna, [], 50001)
    guild_only = {"name": "here", "description": "d", "contexts": [0]}
    await discord.call("PUT", path, discord.bot, [{"name": "everywhere", "description": "d"}, guild_only])
    search = "/application-commands/search?type=1"
    _, found = await discord.call("GET", f"/channels/{discord.channel}{search}", discord.anna)
    assert [c["name"] for c in found["application_commands"]] == ["everywhere", "here"]
    _, dm = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    _, found = await discord.call("GET", f"/channels/{dm['id']}{search}", discord.anna)
    assert [c["name"] for c in found["application_commands"]] == ["everywhere"]


# Gateway


async def test_a_wrong_token_is_closed_with_4004(discord: Discord) -> None:
    socket = await discord.connect("nonsense")
    await socket.task
    assert socket.ws.close_code == 4004


async def test_a_compressed_session_heartbeats_and_resumes_with_replay(discord: Discord) -> None:
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9, query="&compress=zlib-stream")
    ready = await bot.event("READY")
    assert (await bot.event("GUILD_CREATE"))["id"] == discord.guild
    await bot.ws.send_json({"op": 1, "d": 2})
    await bot.op(11)
    await bot.ws.close(code=4000)
    await bot.task
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.anna, {"content": "missed"})
    ws = await discord.http.ws_connect(f"{discord.session['gateway']}?v=10&encoding=json")
    again = Socket(ws)
    discord.sockets.append(again)
    token = discord.session["bot_token"]
    await ws.send_json({"op": 6, "d": {"token": token, "session_id": ready["session_id"], "seq": 2}})
    assert (await again.event("MESSAGE_CREATE"))["content"] == "missed"
    await again.event("RESUMED")


async def test_a_session_that_ended_cannot_be_resumed(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    ready = await bot.event("READY")
    await bot.ws.close(code=1000)
    await bot.task
    ws = await discord.http.ws_connect(f"{discord.session['gateway']}?v=10&encoding=json")
    again = Socket(ws)
    discord.sockets.append(again)
    token = discord.session["bot_token"]
    await ws.send_json({"op": 6, "d": {"token": token, "session_id": ready["session_id"], "seq": 1}})
    assert (await again.op(9))["d"] is False


async def test_a_bot_is_told_what_its_intents_ask_for(discord: Discord) -> None:
    quiet = await discord.connect(discord.bot, intents=1)
    await quiet.event("GUILD_CREATE")
    await discord.ping_command()
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.anna, {"content": "x"})
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    await quiet.event("INTERACTION_CREATE")
    assert not quiet.named("MESSAGE_CREATE")


# /local


async def test_the_request_list_has_the_bots_requests_alone(discord: Discord) -> None:
    await discord.call("GET", "/users/@me", discord.anna)
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.bot, {"content": "x"})
    _, listed = await discord.call("GET", "/local/requests?after=0")
    assert [(r["method"], r["auth"], r["status"], r["body"]) for r in listed] == [
        ("POST", "bot", 200, {"content": "x"})
    ]
    assert (await discord.call("GET", f"/local/requests?after={listed[-1]['number']}"))[1] == []


async def test_faults_strike_as_often_as_said(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    fault = {"match": {"method": "POST", "path": "/channels/*/messages"}, "status": 503, "times": 1}
    await discord.call("POST", "/local/faults", body=fault)
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 503
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 200
    await discord.call("POST", "/local/faults", body={**fault, "times": 9})
    await discord.call("DELETE", "/local/faults")
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 200


async def test_a_lost_response_comes_after_its_effect(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    fault = {"match": {"method": "POST", "path": path}, "drop": True}
    await discord.call("POST", "/local/faults", body=fault)
    with pytest.raises(aiohttp.ClientError):
        await discord.call("POST", path, discord.bot, {"content": "sent"})
    assert (await discord.call("GET", path, discord.anna))[1][0]["content"] == "sent"


async def test_people_and_channels_change_from_outside(discord: Discord) -> None:
    assert (await discord.call("POST", f"/local/users/{discord.anna_id}", body={"locale": "de"}))[0] == 200
    assert (await discord.call("POST", f"/local/users/{discord.anna_id}", body={"wings": 2}))[0] == 400
    assert (await discord.call("POST", "/local/users/1", body={}))[0] == 404
    socket = await discord.connect(discord.bruno)
    await socket.event("READY")
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.bruno))[0] == 403
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.anna))[0] == 200
    assert (await socket.event("CHANNEL_DELETE"))["id"] == discord.channel


# Rate limits. https://discord.com/developers/docs/topics/rate-limits


async def raw(discord: Discord, method: str, path: str, body: Any = None) -> aiohttp.ClientResponse:
    url = discord.session["api"] + path
    async with discord.http.request(method, url, json=body, headers={"Authorization": discord.bot}) as response:
        await response.read()
        return response


async def test_a_route_has_its_limit_per_channel_with_discords_headers(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    answers = [await raw(discord, "POST", path, {"content": str(n)}) for n in range(6)]
    assert [answer.status for answer in answers] == [200] * 5 + [429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["4", "3", "2", "1", "0", "0"]
    assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {"5"}
    assert len({answer.headers["X-RateLimit-Bucket"] for answer in answers}) == 1
    assert 0 < float(answers[-1].headers["Retry-After"]) <= 5
    assert 0 < float(answers[0].headers["X-RateLimit-Reset-After"]) <= 5
    assert answers[-1].headers["X-RateLimit-Scope"] == "user"
    refusal = json.loads(await answers[-1].text())
    assert (refusal["global"], refusal["retry_after"] > 0) == (False, True)
    other = discord.session["guilds"][0]["channels"][1]["id"]
    assert (await raw(discord, "POST", f"/channels/{other}/messages", {"content": "x"})).status == 200
    assert (await discord.call("POST", path, discord.anna, {"content": "people are not limited here"}))[0] == 200


async def test_the_bot_has_fifty_requests_a_second_and_interaction_routes_do_not_count(discord: Discord) -> None:
    await discord.connect(discord.bot)
    await discord.ping_command()
    discord.server.limits._clock = lambda: 1e9  # all of it in the same second, however slow the machine is
    answers = [await raw(discord, "GET", f"/users/{discord.anna_id if n % 2 else discord.bruno_id}") for n in range(60)]
    assert [answer.status for answer in answers] == [200] * 50 + [429] * 10
    assert answers[-1].headers["X-RateLimit-Global"] == "true"
    assert answers[-1].headers["X-RateLimit-Scope"] == "global"
    assert json.loads(await answers[-1].text())["global"] is True
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    interaction = await discord.sockets[0].event("INTERACTION_CREATE")
    callback = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
    assert (await raw(discord, "POST", callback, {"type": 4, "data": {"content": "x"}})).status == 204


def test_limits_open_again() -> None:
    now = [100.0]
    limits = Limits(lambda: now[0])
    where = {"channel": "1"}

    def take(method: str = "POST") -> float | None:
        return limits.take(method, "/channels/{channel}/messages", where, counted=True).retry_after

    assert [take() for _ in range(6)] == [None] * 5 + [5.0]
    now[0] = 104.9
    assert take() == pytest.approx(0.1)
    now[0] = 105.0
    assert take() is None
    now[0] = 200.0
    verdicts = [limits.take("GET", "/users/{user}", {"user": n}, counted=True) for n in range(51)]
    assert [verdict.everywhere for verdict in verdicts] == [False] * 50 + [True]
    now[0] = 201.0
    assert limits.take("GET", "/users/{user}", {"user": 1}, counted=True).retry_after is None


async def test_a_429_can_be_ordered_with_and_without_headers(discord: Discord) -> None:
    path = "/users/@me"
    for body, headers in (({}, False), ({"retry_after": 1.5}, True), ({"retry_after": 1.5, "global": True}, True)):
        fault = {"match": {"method": "GET", "path": path}, "status": 429, **body}
        assert (await discord.call("POST", "/local/faults", body=fault))[0] == 204
        answer = await raw(discord, "GET", path)
        assert answer.status == 429
        assert ("Retry-After" in answer.headers, "Via" in answer.headers) == (headers, headers)
        assert (answer.headers.get("X-RateLimit-Global") == "true") is bool(body.get("global"))
    assert (await raw(discord, "GET", path)).status == 200


# Faults of the gateway


async def resumed(discord: Discord, session: str, sequence: int) -> Socket:
    ws = await discord.http.ws_connect(f"{discord.session['gateway']}?v=10&encoding=json")
    socket = Socket(ws)
    discord.sockets.append(socket)
    token = discord.session["bot_token"]
    await ws.send_json({"op": 6, "d": {"token": token, "session_id": session, "seq": sequence}})
    return socket


@pytest.mark.parametrize(("fault", "resumable"), [("reconnect", True), ("close", True), ("invalid_session", False)])
async def test_a_connection_is_told_to_go_and_comes_back(discord: Discord, fault: str, resumable: bool) -> None:
    bot = await discord.connect(discord.bot)
    ready = await bot.event("READY")
    assert (await discord.call("POST", "/local/faults", body={"gateway": fault}))[0] == 204
    if fault == "close":
        await bot.task
        assert bot.ws.close_code == 4000
    else:
        told = await bot.op(7 if fault == "reconnect" else 9)
        assert told["d"] in (None, False)
        await bot.ws.close(code=4000)
        await bot.task
    again = await resumed(discord, ready["session_id"], 2)
    if resumable:
        await again.event("RESUMED")
    else:
        assert (await again.op(9))["d"] is False


async def test_a_silent_connection_says_nothing_until_it_is_healed(discord: Discord) -> None:
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9)
    await bot.event("GUILD_CREATE")
    await discord.call("POST", "/local/faults", body={"gateway": "silence"})
    await bot.ws.send_json({"op": 1, "d": 2})
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.anna, {"content": "unheard"})
    anna = await discord.connect(discord.anna)
    await anna.event("READY")
    assert not bot.named("MESSAGE_CREATE")
    assert not [event for event in bot.events if event["op"] == 11]
    await discord.call("DELETE", "/local/faults")
    assert (await bot.event("MESSAGE_CREATE"))["content"] == "unheard"
    await bot.op(11)


async def test_an_unknown_fault_of_the_gateway_is_refused(discord: Discord) -> None:
    status, answer = await discord.call("POST", "/local/faults", body={"gateway": "fire"})
    assert (status, answer["code"]) == (400, 50035)


# Shards. https://discord.com/developers/docs/events/gateway#sharding


async def test_every_shard_gets_its_guilds_and_the_first_the_direct_messages() -> None:
    server = Server(guilds=2, shards=2)
    await server.start(0)
    try:
        async with aiohttp.ClientSession() as http:
            async with http.get(f"http://127.0.0.1:{server.port}/local/session") as response:
                discord = Discord(server, http, await response.json())
            assert (await discord.call("GET", "/gateway/bot", discord.bot))[1]["shards"] == 2
            guilds = {(int(guild["id"]) >> 22) % 2: guild for guild in discord.session["guilds"]}
            shards = []
            for number in range(2):
                ws = await http.ws_connect(f"{discord.session['gateway']}?v=10&encoding=json")
                socket = Socket(ws)
                shards.append(socket)
                identify = {"token": discord.bot, "intents": 1 | 1 << 9 | 1 << 12, "shard": [number, 2]}
                await ws.send_json({"op": 2, "d": {**identify, "properties": {}}})
                assert (await socket.event("READY"))["shard"] == [number, 2]
                assert (await socket.event("GUILD_CREATE"))["id"] == guilds[number]["id"]
            for number, guild in guilds.items():
                channel = guild["channels"][0]["id"]
                await discord.call("POST", f"/channels/{channel}/messages", discord.anna, {"content": f"to {number}"})
                assert (await shards[number].event("MESSAGE_CREATE"))["content"] == f"to {number}"
            _, private = await discord.call(
                "POST", "/users/@me/channels", discord.anna, {"recipient_id": discord.session["application_id"]}
            )
            await discord.call("POST", f"/channels/{private['id']}/messages", discord.anna, {"content": "private"})
            assert (await shards[0].event("MESSAGE_CREATE"))["content"] == "private"
            assert not shards[1].named("MESSAGE_CREATE")
            for socket in shards:
                await socket.ws.close()
    finally:
        await server.stop()


# Emojis and attachments


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


async def test_the_applications_own_emojis(discord: Discord) -> None:
    path = "/applications/" + discord.session["application_id"] + "/emojis"
    image = f"data:image/png;base64,{PNG}"
    status, made = await discord.call("POST", path, discord.bot, {"name": "card_1", "image": image})
    assert (status, made["name"], made["animated"]) == (200, "card_1", False)
    assert (await discord.call("GET", path, discord.bot))[1]["items"] == [made]
    assert (await discord.call("GET", f"{path}/{made['id']}", discord.bot))[1] == made
    for wrong in ({"name": "x", "image": image}, {"name": "card_1", "image": image}, {"name": "ok", "image": "data:,"}):
        status, refused = await discord.call("POST", path, discord.bot, wrong)
        assert (status, refused["code"]) == (400, 50035)
    status, renamed = await discord.call("PATCH", f"{path}/{made['id']}", discord.bot, {"name": "other"})
    assert renamed["name"] == "other"
    assert (await discord.picture(f"/emojis/{made['id']}.png"))[0] == 200
    assert (await discord.call("DELETE", f"{path}/{made['id']}", discord.bot))[0] == 204
    assert (await discord.call("GET", f"{path}/{made['id']}", discord.bot))[1]["code"] == 10014
    assert (await discord.picture(f"/emojis/{made['id']}.png"))[0] == 404


async def test_attachments_are_shown_by_galleries_and_go_when_they_are_not_named(discord: Discord) -> None:
    def shows(url: str) -> dict[str, Any]:
        return {"type": 12, "items": [{"media": {"url": url}, "description": "a picture"}]}

    path = f"/channels/{discord.channel}/messages"
    payload = {
        "flags": V2,
        "components": [shows("attachment://a.png")],
        "attachments": [{"id": "0", "filename": "a.png", "description": "a picture"}],
    }
    status, message = await discord.upload("POST", path, payload, "a.png", base64.b64decode(PNG))
    assert status == 200, message
    (attachment,) = message["attachments"]
    assert (attachment["filename"], attachment["description"]) == ("a.png", "a picture")
    url = message["components"][0]["items"][0]["media"]["url"]
    assert url == attachment["url"]
    status, data = await discord.picture(url.removeprefix(discord.session["api"].removesuffix("/api/v10")))
    assert (status, data) == (200, base64.b64decode(PNG))
    status, refused = await discord.call(
        "POST", path, discord.bot, {"flags": V2, "components": [shows("attachment://b.png")]}
    )
    assert (status, refused["code"]) == (400, 50035)
    edit = {"components": [text("done")], "attachments": []}
    status, message = await discord.call("PATCH", f"{path}/{message['id']}", discord.bot, edit)
    assert message["attachments"] == []
