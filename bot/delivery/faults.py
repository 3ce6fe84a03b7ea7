"""The errors of Discord, sorted by what can be done about them.

Error codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
import discord

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MEMBER: Final = 10007
"""This person is not on that server."""
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_USER: Final = 10013
UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
EDITED_TOO_OFTEN: Final = 30046
"""A message older than an hour takes only so many edits."""
TOO_MANY_DMS: Final = 40003
"""Direct messages are being opened too fast."""
ALREADY_ANSWERED: Final = 40060
INVALID_TOKEN: Final = 50027
ARCHIVED: Final = 50083
LOCKED: Final = 160005
DMS_CLOSED: Final = 50007
"""The person takes no direct messages from us."""
NO_COMMON_SERVER: Final = 50278
"""The person has left every server that we are in."""


class Fault(Exception):
    """Discord has not done what was requested."""


class Gone(Fault):
    """The message has been deleted."""


class NoEntry(Fault):
    """We may not write in the channel, or the person takes no direct messages. ``code`` is Discord's error code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"error {code}")
        self.code = code


class NoChannel(NoEntry):
    """The channel has been deleted."""


class Archived(NoEntry):
    """The message is in an archived thread. A new message unarchives it, unless it is locked."""


class Refused(Fault):
    """Discord does not take the request as it is: it would refuse the same again. ``code`` is Discord's error code.

    One exception: a control with an emoji is refused now and then, and taken the next time
    (https://github.com/discord/discord-api-docs/issues/7128).
    """

    def __init__(self, code: int) -> None:
        super().__init__(f"error {code}")
        self.code = code


class TooManyDms(Fault):
    """The bot has opened too many direct messages lately, and must wait before it opens another one."""


class TooOld(Fault):
    """The message takes no more edits for now: a new one must replace it."""


class Expired(Fault):
    """The interaction's token or deadline has passed."""


class Answered(Expired):
    """The interaction has been answered already: what is left to do goes by its token."""


class Busy(Fault):
    """Discord does not answer, or has no time for us: try again later."""


class Dropped(Fault):
    """The request was not wanted any more when it was its turn, and was not made."""


@contextmanager
def as_faults() -> Iterator[None]:
    """In the block, turn what discord.py raises into the ``Fault`` that it means; other errors stay as they are."""
    try:
        yield
    except discord.NotFound as error:
        if error.code == UNKNOWN_MESSAGE:
            raise Gone from error
        if error.code in (UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION):
            raise Expired from error
        if error.code == UNKNOWN_CHANNEL:
            raise NoChannel(error.code) from error
        raise NoEntry(error.code) from error
    except discord.InteractionResponded as error:
        raise Answered from error
    except (TimeoutError, discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError) as error:
        raise Busy from error
    except discord.HTTPException as error:
        if error.code == EDITED_TOO_OFTEN:
            raise TooOld from error
        if error.code == INVALID_TOKEN:
            raise Expired from error
        if error.status in (401, 429) or error.status >= 500:  # 401: the bot's own token is no longer valid
            raise Busy from error
        if error.code == ALREADY_ANSWERED:
            raise Answered from error
        if error.code == TOO_MANY_DMS:
            raise TooManyDms from error
        if error.code == ARCHIVED:
            raise Archived(error.code) from error
        if error.status == 403 or error.code == LOCKED:
            raise NoEntry(error.code) from error
        raise Refused(error.code) from error
