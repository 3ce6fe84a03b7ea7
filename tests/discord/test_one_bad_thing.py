"""One bad thing stays one: it does not take the others down."""

import logging

import discord
import pytest

from bot.commands import SYNC_AGAIN_MS
from tests.discord.play import Club


async def test_an_event_that_cannot_be_read_is_left_out_f20(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """discord.py parses events outside of any boundary: what is raised there ends the connection and the process."""
    await club.open(club.anna, club.bruno)
    club.bot._connection.parsers["CHANNEL_UPDATE"]({"secret-token": "hm"})
    said = [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR]
    assert said == ["event not understood"]
    assert "secret-token" not in caplog.text.partition("Traceback")[0]
    await club.act(club.on_turn())


@pytest.mark.parametrize("status", [400, 500])
async def test_commands_that_are_not_taken_stop_no_game_and_are_registered_later_r7(club: Club, status: int) -> None:
    await club.open(club.anna, club.bruno)
    club.env.inject_error("PUT", "/applications/*/commands", status=status, code=0, message="no", times=1)
    await club.restart()
    await club.act(club.on_turn())
    start = len(club.env.http_requests)
    await club.clock.advance(SYNC_AGAIN_MS)
    assert [r.method for r in club.env.http_requests[start:] if r.path.endswith("/commands")] == ["PUT"]
    assert isinstance(club.bot, discord.Client)
