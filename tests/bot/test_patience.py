"""Waiting for what cannot be reached yet."""

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot import client
from bot.client import NotReached, retry_until_reached, run_unless_stopped, translate_discord_errors
from bot.config import BadSetting
from tests.bot.logs import captured_log


async def test_it_is_tried_until_it_is_reached_and_said_once_for_each_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_PAUSE_SECONDS", 0.001)
    left, noted = [NotReached("no network"), NotReached("no network"), NotReached("no time")], []

    async def attempt() -> str:
        if left:
            raise left.pop(0)
        return "there"

    with captured_log() as log:
        assert await retry_until_reached(attempt, asyncio.Event(), noted.append) == "there"
    assert log.getvalue().count("no network; waiting until it answers") == 1
    assert log.getvalue().count("no time; waiting until it answers") == 1
    assert noted == ["", "no network", "", "no network", "", "no time", ""]


async def test_it_is_said_again_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(client, "LOG_INTERVAL_SECONDS", 0.0)
    left = [NotReached("no network")] * 3

    async def attempt() -> None:
        if left:
            raise left.pop()

    with captured_log() as log:
        await retry_until_reached(attempt, asyncio.Event())
    assert log.getvalue().count("no network") == 3


async def test_told_to_stop_it_waits_no_longer() -> None:
    stop = asyncio.Event()

    async def attempt() -> None:
        stop.set()
        raise NotReached("no network")

    assert await retry_until_reached(attempt, stop) is None


async def test_any_other_error_is_raised_at_once() -> None:
    async def attempt() -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        await retry_until_reached(attempt, asyncio.Event())


async def test_work_that_hangs_is_given_up_when_told_to_stop() -> None:
    stop, ended = asyncio.Event(), []

    async def work() -> None:
        try:
            stop.set()
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    assert await run_unless_stopped(stop, work()) is None
    assert ended == [True]

    async def quick() -> str:
        return "done"

    assert await run_unless_stopped(asyncio.Event(), quick()) == "done"


API = "http://discord.test/api"


def response(status: int) -> Any:
    """Discord's response with *status*, as discord.py's errors take it."""
    return SimpleNamespace(status=status, reason="")


@pytest.mark.parametrize(
    ("error", "expected", "said"),
    [
        (aiohttp.ServerDisconnectedError(), NotReached, "cannot be reached at http://discord.test/api: Server disconn"),
        (TimeoutError(), NotReached, "cannot be reached at http://discord.test/api: TimeoutError"),
        (discord.GatewayNotFound(), NotReached, "does not name its gateway"),
        (
            discord.DiscordServerError(response(502), "x"),
            NotReached,
            "no time for us at http://discord.test/api: status 502",
        ),
        (discord.Forbidden(response(403), "x"), NotReached, "status 403"),
        (discord.HTTPException(response(429), "x"), NotReached, "status 429"),
        (discord.NotFound(response(404), "x"), BadSetting, "DISCORD_API_URL is 'http://discord.test/api': this is not"),
        (discord.LoginFailure("x"), discord.LoginFailure, "x"),
        (discord.ConnectionClosed(Any, shard_id=0, code=4004), BadSetting, "DISCORD_TOKEN: "),
        (discord.ConnectionClosed(Any, shard_id=0, code=4013), discord.ConnectionClosed, "4013"),
        (ValueError("a bug"), ValueError, "a bug"),
    ],
    ids=lambda it: type(it).__name__,
)
def test_only_what_may_pass_is_waited_for(error: Exception, expected: type[Exception], said: str) -> None:
    with pytest.raises(expected) as raised, translate_discord_errors(API):
        raise error
    assert said in str(raised.value)
