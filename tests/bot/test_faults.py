"""Discord's errors, sorted by what can be done about them.

Codes and texts: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
"""

import json
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.delivery.errors import (
    Answered,
    Archived,
    Banned,
    Busy,
    Expired,
    Fault,
    Gone,
    NoChannel,
    NoEntry,
    NotAMember,
    Refused,
    TakesNoDms,
    TooManyDms,
    TooOld,
    converting_errors_to_faults,
)


def refusal(status: int, code: int) -> discord.HTTPException:
    """What discord.py raises for a response with this *status* and Discord's *code*."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 500: discord.DiscordServerError}
    kind = kinds.get(min(status, 500), discord.HTTPException)
    response = SimpleNamespace(status=status, reason="no", headers={})
    return kind(response, {"code": code, "message": "no"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "code", "fault", "what"),
    [
        (404, 10003, NoChannel, "Unknown channel"),
        (404, 10008, Gone, "Unknown message"),
        (404, 10015, Expired, "Unknown webhook: the token is of no interaction that there is"),
        (404, 10062, Expired, "Unknown interaction"),
        (404, 10013, TakesNoDms, "Unknown user"),
        (404, 10007, NotAMember, "Unknown member"),
        (404, 10004, NoEntry, "Unknown guild"),
        (401, 50027, Expired, "Invalid webhook token provided"),
        (400, 50027, Expired, "the same, whatever the status"),
        (401, 0, Busy, "Unauthorized"),
        (400, 40060, Answered, "Interaction has already been acknowledged"),
        (429, 30046, TooOld, "Maximum number of edits to messages older than 1 hour reached"),
        (429, 0, Busy, "rate limited"),
        (500, 0, Busy, "Internal server error"),
        (503, 0, Busy, "Service unavailable"),
        (403, 40003, TooManyDms, "You are opening direct messages too fast"),
        (400, 50083, Archived, "Thread is archived"),
        (403, 50083, Archived, "the same, whatever the status"),
        (403, 160005, NoEntry, "Thread is locked"),
        (400, 160005, NoEntry, "the same, whatever the status"),
        (403, 50007, TakesNoDms, "Cannot send messages to this user"),
        (400, 50007, TakesNoDms, "the same, whatever the status"),
        (403, 50278, TakesNoDms, "takes none from members of the server, or shares no server"),
        (400, 50033, TakesNoDms, "Invalid Recipient(s)"),
        (403, 50001, NoEntry, "Missing access"),
        (403, 20026, TooManyDms, "The app is flagged as spam"),
        (403, 40333, Busy, "Discord's own network"),
        (403, 40004, Busy, "Send messages has been temporarily disabled"),
        (403, 0, Busy, "no code: Cloudflare, or a proxy"),
        (404, 0, Busy, "no code: a proxy"),
        (400, 50008, NoEntry, "Cannot send messages in a channel of this kind"),
        (400, 50024, NoEntry, "Cannot execute action on this channel type"),
        (429, 20028, Busy, "too many writes in this channel"),
        (403, 20028, Busy, "the same, whatever the status"),
        (400, 0, Refused, "General error"),
        (403, 59999, Refused, "a code that is not known says nothing of people and places"),
        (403, 50013, NoEntry, "You lack permissions to perform that action"),
        (400, 50035, Refused, "Invalid form body"),
        (413, 40005, Refused, "Request entity too large"),
    ],
)
def test_each_error_of_discord_means_what_its_page_says(status: int, code: int, fault: type[Fault], what: str) -> None:
    with pytest.raises(Fault) as raised, converting_errors_to_faults():
        raise refusal(status, code)
    assert type(raised.value) is fault, what
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("status", "kind", "fault"),
    [(429, "text/plain; charset=UTF-8", Banned), (429, "application/json", Busy), (502, "text/html", Busy)],
)
def test_a_429_in_plain_text_and_nothing_else_is_a_ban_by_cloudflare(
    status: int, kind: str, fault: type[Fault]
) -> None:
    response = SimpleNamespace(status=status, reason="no", headers={"Content-Type": kind})
    with pytest.raises(Fault) as raised, converting_errors_to_faults():
        raise discord.HTTPException(response, "error code: 1015")  # type: ignore[arg-type]
    assert type(raised.value) is fault


def test_how_long_a_rate_limit_lasts_is_known() -> None:
    with pytest.raises(Busy) as raised, converting_errors_to_faults():
        raise discord.RateLimited(1800.0)
    assert raised.value.wait_ms == 1_800_000


@pytest.mark.parametrize("error", [KeyError("retry_after"), TypeError("indices"), json.JSONDecodeError("cut", "{", 1)])
def test_an_answer_that_discord_py_cannot_read_means_that_it_is_tried_again(error: Exception) -> None:
    """A 429 without ``retry_after``: https://github.com/Rapptz/discord.py/issues/2544"""
    with pytest.raises(Busy) as raised, converting_errors_to_faults():
        raise error
    assert (raised.value.code, raised.value.wait_ms) == (0, 0)


@pytest.mark.parametrize(
    ("error", "wait_ms"),
    [(TimeoutError(), 0), (discord.RateLimited(5.0), 5000), (aiohttp.ServerDisconnectedError(), 0)],
)
def test_no_answer_means_that_it_is_tried_again(error: Exception, wait_ms: int) -> None:
    with pytest.raises(Busy) as raised, converting_errors_to_faults():
        raise error
    assert (raised.value.code, raised.value.wait_ms) == (0, wait_ms)


def test_what_is_no_error_of_discord_stays_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError), converting_errors_to_faults():
        raise ZeroDivisionError
