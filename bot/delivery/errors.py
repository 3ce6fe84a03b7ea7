"""The errors of Discord, as exceptions that say what can be done about them.

An error is about one of three things: a person, a place, or Discord at this moment. Only the first two say something
that holds for longer, and nothing that cannot be undone follows from one answer alone.

Discord's *code* decides, not the HTTP status: a 403 may come from Cloudflare, and a 404 from a server that has an
outage. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import aiohttp
import discord

from bot.log import fields

log = logging.getLogger(__name__)

JSON: Final = "application/json"
BAN_MS: Final = 30_000
"""How long no request is made after Cloudflare has refused one."""


class Fault(Exception):
    """Discord has not done what was requested. ``code`` is Discord's error code; 0: it gave none."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(f"error {code}")
        self.code = code


# About a message or an interaction


class Gone(Fault):
    """The message has been deleted."""


class TooOld(Fault):
    """The message takes no more edits for now: a new one must replace it."""


class Expired(Fault):
    """The interaction's token or deadline has passed."""


class AnsweredBefore(Expired):
    """Another process has answered the interaction already: there is nothing left to do."""


class Answered(Expired):
    """The interaction has been answered already: what is left to do goes by its token."""


class Refused(Fault):
    """Discord does not take the request as it is: it would refuse the same again.

    One exception: a control with an emoji is refused now and then, and taken the next time
    (https://github.com/discord/discord-api-docs/issues/7128).
    """


# About a person


class TakesNoDms(Fault):
    """The person takes no direct messages from the bot. This does not prove that they have left the server."""


class NotAMember(Fault):
    """The person is not a member of that server."""


# About a place


class NoEntry(Fault):
    """The bot may not do this in the channel."""


class NoChannel(NoEntry):
    """Discord does not know the channel. It may have been deleted; during an outage this is also said of others."""


class Archived(NoEntry):
    """The message is in an archived thread. A new message unarchives it, unless it is locked."""


# About Discord just now


class Busy(Fault):
    """Discord does not answer, or has no time for the bot: try again later. With *wait_ms* it has said how long to
    wait.

    If Discord has said how long to wait, *wait_ms* is that time. Then the request was certainly not taken. Otherwise it
    is 0, and nobody knows whether it was taken.
    """

    def __init__(self, code: int = 0, wait_ms: int = 0) -> None:
        super().__init__(code)
        self.wait_ms = wait_ms


class Banned(Busy):
    """Cloudflare, which stands before Discord, lets no requests from this address through."""


class TooManyDms(Fault):
    """No new channels for direct messages can be opened before *until* (ms since 1970; 0: unknown).

    ``code`` 0: it is the bot's own limit.
    """

    def __init__(self, code: int = 0, until: int = 0) -> None:
        super().__init__(code)
        self.until = until


class Dropped(Fault):
    """The request was not made, because it was not wanted any more when its turn came."""


UNKNOWN_USER: Final = 10013
TAKES_NONE: Final = 50007
"""The person has blocked the app, or takes direct messages from nobody."""
NONE_FROM_MEMBERS: Final = 50278
"""The person takes no direct messages from members of the server, or shares no server with the bot. Discord's page
names only the second (https://github.com/discord/discord-api-docs/issues/8238)."""
FLAGGED: Final = 20026
"""The app is flagged as spam. It stays so until a person at Discord lifts it."""

FAULT_CLASSES: Final[Mapping[int, type[Fault]]] = {
    # A message, or an interaction
    10008: Gone,
    30046: TooOld,  # a message older than an hour takes only so many edits
    10015: Expired,  # unknown webhook: the interaction's token
    10062: Expired,  # unknown interaction
    50027: Expired,  # invalid webhook token
    40060: Answered,
    # A person
    TAKES_NONE: TakesNoDms,
    NONE_FROM_MEMBERS: TakesNoDms,
    UNKNOWN_USER: TakesNoDms,
    50033: TakesNoDms,  # invalid recipients, when a conversation is opened
    10007: NotAMember,
    # A place
    10003: NoChannel,
    10004: NoEntry,  # unknown server
    50001: NoEntry,  # no access
    50013: NoEntry,  # a permission is missing
    50008: NoEntry,  # no messages in this kind of channel
    50024: NoEntry,  # not in this kind of channel
    160005: NoEntry,  # the thread is locked
    50083: Archived,
    # Discord just now
    20028: Busy,  # too many writes in this channel
    40004: Busy,  # sending messages is disabled for a while
    40333: Busy,  # Discord's own network (https://github.com/discord/discord-api-docs/issues/6473)
    40003: TooManyDms,  # conversations are opened too fast
    FLAGGED: TooManyDms,
}
"""The exception for each error code. A code that is not listed is about the request alone: ``Refused``."""


def fault_class(status: int, code: int) -> type[Fault]:
    """Return the ``Fault`` class for a failed request with HTTP *status* and Discord's error *code* (0: none);
    ``Refused`` for unknown codes.

    An answer without a code that refuses or does not find anything is not Discord's API speaking, but Cloudflare or a
    proxy. 401: the bot's own token is not valid at the moment.
    """
    if status in (401, 429) or status >= 500:
        return FAULT_CLASSES[code] if code in _CODES_AT_ANY_STATUS else Busy
    if code == 0 and status in (403, 404):
        return Busy
    return FAULT_CLASSES.get(code, Refused)


_CODES_AT_ANY_STATUS: Final = (30046, 50027)
"""Codes that count even with status 401 or 429, which otherwise mean that Discord has no time."""


@contextmanager
def converting_errors_to_faults() -> Iterator[None]:
    """Context manager: turn exceptions of discord.py and of the network into the ``Fault`` that fits; other exceptions
    stay as they are."""
    try:
        yield
    except discord.InteractionResponded as error:
        raise Answered from error
    except discord.RateLimited as error:
        raise Busy(wait_ms=round(error.retry_after * 1000)) from error
    except (TimeoutError, aiohttp.ClientError) as error:
        raise Busy from error
    except discord.HTTPException as error:
        if error.status == 429 and _is_from_cloudflare(error.response):
            raise Banned(wait_ms=BAN_MS) from error
        raise fault_class(error.status, error.code)(error.code) from error
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        # discord.py reads a 429 without ``retry_after``, and JSON that was cut, in good faith.
        log.warning("an answer of Discord was not understood", extra=fields(error=type(error).__name__))
        raise Busy from error


def _is_from_cloudflare(response: Any) -> bool:
    """Whether *response* comes from Cloudflare itself, not from Discord behind it: it is not JSON and has no ``Via``
    header.

    https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
    """
    kind = response.headers.get("Content-Type", JSON)
    return "Via" not in response.headers and not kind.startswith(JSON)
