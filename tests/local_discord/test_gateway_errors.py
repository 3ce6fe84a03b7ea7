"""What the gateway does about frames that it cannot take, and about clients that fall silent.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
"""

import json

import pytest

from local_discord import connections
from tests.local_discord.client import Discord

IDENTIFY = {"token": "", "intents": 1, "properties": {}}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", 4002),
        ("[" * 4000, 4002),
        ("[]", 4002),
        ("null", 4002),
        ('"x"', 4002),
        (json.dumps({"op": 1, "d": None, "x": "x" * 4096}), 4002),
        (b"\xff\xfe", 4002),
        (json.dumps({"op": 2, "d": None}), 4002),
        (json.dumps({"op": 2, "d": [1]}), 4002),
        (json.dumps({"op": 6, "d": "x"}), 4002),
        (json.dumps({"op": 6, "d": {"token": "t", "session_id": "s", "seq": "1"}}), 4002),
        (json.dumps({"op": 2, "d": {**IDENTIFY, "token": 5}}), 4004),
        (json.dumps({"op": 2, "d": {**IDENTIFY, "token": ""}}), 4004),
        (json.dumps({"op": 99, "d": None}), 4001),
        (json.dumps({"op": "2", "d": None}), 4001),
        (json.dumps({"op": [2], "d": None}), 4001),
        (json.dumps({"d": None}), 4001),
        (json.dumps({"op": 3, "d": {}}), 4003),
        (json.dumps({"op": 8, "d": {}}), 4003),
    ],
)
async def test_a_bad_frame_closes_with_its_code(discord: Discord, frame: str | bytes, code: int) -> None:
    """4001 unknown opcode, 4002 what is no payload or more than 4,096 bytes ("Sending Events"), 4003 not identified
    yet, 4004 a wrong token."""
    socket = await discord.socket()
    await (socket.ws.send_str(frame) if isinstance(frame, str) else socket.ws.send_bytes(frame))
    await socket.task
    assert socket.ws.close_code == code


async def test_who_identified_cannot_do_so_again(discord: Discord) -> None:
    """4005 Already authenticated."""
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    await bot.ws.send_json({"op": 2, "d": {**IDENTIFY, "token": discord.bot}})
    await bot.task
    assert bot.ws.close_code == 4005


async def test_a_sequence_number_from_the_future_cannot_be_resumed(discord: Discord) -> None:
    """4007 Invalid ``seq``."""
    bot = await discord.connect(discord.bot)
    ready = await bot.event("READY")
    await bot.ws.close(code=4000)
    await bot.task
    again = await discord.resume(ready["session_id"], 1_000)
    await again.task
    assert again.ws.close_code == 4007


async def test_another_version_of_the_api_is_refused(discord: Discord) -> None:
    """4012 Invalid API version: this server speaks version 10."""
    socket = await discord.http.ws_connect(f"{discord.session['gateway']}?v=3&encoding=json")
    assert (await socket.receive()).data == 4012


async def test_a_client_without_heartbeats_is_disconnected_and_can_resume(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeat Interval: who fails to send a heartbeat in time is disconnected, and has to resume."""
    monkeypatch.setattr(connections, "HEARTBEAT_MS", 200)
    monkeypatch.setattr(connections, "GRACE_SECONDS", 0.2)
    alive, silent = await discord.connect(discord.bot), await discord.connect(discord.bot)
    ready = await silent.event("READY")
    for _ in range(400):
        if silent.task.done():
            break
        await alive.ws.send_json({"op": 1, "d": None})
        await alive.op(11)
        alive.events.clear()
    assert silent.task.done()
    assert silent.ws.close_code == 4000
    assert not alive.task.done()
    await (await discord.resume(ready["session_id"], 2)).event("RESUMED")


async def test_a_deaf_session_gets_no_interactions_until_a_new_one_begins(discord: Discord) -> None:
    """https://github.com/discord/discord-api-docs/issues/8162"""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    anna = await discord.connect(discord.anna)
    await bot.event("READY")
    assert (await discord.call("POST", "/local/faults", body={"gateway": "deaf"}))[0] == 204
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    await anna.event("INTERACTION_FAILURE")
    assert not bot.named("INTERACTION_CREATE")
    await bot.ws.send_json({"op": 1, "d": 1})
    await bot.op(11)
    again = await discord.connect(discord.bot)
    await again.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    await again.event("INTERACTION_CREATE")


async def test_an_interaction_can_be_sent_twice(discord: Discord) -> None:
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    assert (await discord.call("POST", "/local/faults", body={"gateway": "twice", "times": 2}))[0] == 204
    for _ in range(2):
        await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
        first, second = await bot.event("INTERACTION_CREATE"), await bot.event("INTERACTION_CREATE")
        assert first["id"] == second["id"]
        assert first["channel"]["permissions"] == first["member"]["permissions"]
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    anna = await discord.connect(discord.anna)
    await anna.event("INTERACTION_FAILURE")
    assert len(bot.named("INTERACTION_CREATE")) == 1


async def test_with_too_many_sessions_in_a_day_all_end_and_the_token_is_a_new_one(discord: Discord) -> None:
    """https://discord.com/developers/docs/events/gateway#session-start-limit-object"""
    assert (await discord.call("POST", "/local/faults", body={"starts": 1}))[0] == 204
    last = await discord.connect(discord.bot)
    await last.event("READY")
    assert (await discord.call("GET", "/gateway/bot", discord.bot))[1]["session_start_limit"]["remaining"] == 0
    one_more = await discord.connect(discord.bot)
    for socket in (last, one_more):
        await socket.task
        assert socket.ws.close_code == 4004
    assert (await discord.call("GET", "/users/@me", discord.bot))[0] == 401
    assert (await discord.call("POST", "/local/faults", body={"starts": -1}))[0] == 400
