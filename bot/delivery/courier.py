"""Single requests to Discord, its errors sorted by what can be done about them.

Error codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

from bot.present.sheet import Sheet

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
ALREADY_ANSWERED: Final = 40060
INVALID_TOKEN: Final = 50027


class Gone(Exception):
    """The message is no more."""


class NoEntry(Exception):
    """The channel is gone, or closed to us; or the person takes no direct messages."""


class Expired(Exception):
    """The interaction's token or deadline has passed, or it has been answered."""


class Busy(Exception):
    """Discord does not answer, or not now: try again later."""


@contextmanager
def _sorted_errors() -> Iterator[None]:
    try:
        yield
    except discord.NotFound as error:
        if error.code == UNKNOWN_MESSAGE:
            raise Gone from error
        if error.code in (UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION):
            raise Expired from error
        raise NoEntry from error
    except discord.InteractionResponded as error:
        raise Expired from error
    except (TimeoutError, discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError) as error:
        raise Busy from error
    except discord.HTTPException as error:
        if error.status == 429:
            raise Busy from error
        if error.code == ALREADY_ANSWERED or error.code == INVALID_TOKEN or error.status == 401:
            raise Expired from error
        if error.status == 403:
            raise NoEntry from error
        raise


class Courier:
    """The requests the bot makes. Each method is one request (``send_private``: two the first time)."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    # Answers: they do not count against the bot's global rate limit.

    async def update(self, interaction: discord.Interaction[Any], sheet: Sheet) -> None:
        """Answer a click by changing the message it was made on (callback type 7)."""
        with _sorted_errors():
            await interaction.response.edit_message(view=sheet)

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click by nothing visible (callback type 6)."""
        with _sorted_errors():
            await interaction.response.defer()

    async def reply(self, interaction: discord.Interaction[Any], sheet: Sheet, *, private: bool) -> int:
        """Answer with a new message (callback type 4); its id."""
        with _sorted_errors():
            response = await interaction.response.send_message(view=sheet, ephemeral=private)
        assert response.message_id is not None
        return response.message_id

    # With an interaction token: these do not count either.

    def _webhook(self, token: str) -> discord.Webhook:
        application = self._client.application_id
        assert application is not None
        return discord.Webhook.partial(application, token, client=self._client)

    def _original(self, method: str, token: str) -> Route:
        # discord.py reaches "@original" only through the interaction object, which does not survive a restart.
        return Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
            webhook_id=self._client.application_id,
            webhook_token=token,
        )

    async def edit_original(self, token: str, sheet: Sheet) -> None:
        """Change the message that *token*'s interaction was answered with, or made on."""
        payload = {"components": sheet.payload(), "allowed_mentions": {"parse": []}}
        with _sorted_errors():
            await self._client.http.request(self._original("PATCH", token), json=payload)

    async def delete_original(self, token: str) -> None:
        """Delete the private answer of *token*'s interaction."""
        with _sorted_errors():
            await self._client.http.request(self._original("DELETE", token))

    async def follow_up(self, token: str, sheet: Sheet) -> int:
        """A new message where *token*'s interaction was; its id."""
        with _sorted_errors():
            return (await self._webhook(token).send(view=sheet, wait=True)).id

    # With the bot's token: these count.

    async def edit(self, channel: int, message: int, sheet: Sheet) -> None:
        """Change one of the bot's messages."""
        with _sorted_errors():
            await self._channel(channel).get_partial_message(message).edit(view=sheet)

    async def delete(self, channel: int, message: int) -> None:
        """Delete one of the bot's messages."""
        with _sorted_errors():
            await self._channel(channel).get_partial_message(message).delete()

    async def send(self, channel: int, sheet: Sheet, nonce: str) -> int:
        """A new message; its id. The same *nonce* within minutes makes no second one."""
        with _sorted_errors():
            return (await self._channel(channel).send(view=sheet, nonce=nonce)).id

    async def ping(self, channel: int, user: int, sheet: Sheet, nonce: str) -> int:
        """A new message that may notify *user*, and nobody else; its id."""
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user)])
        with _sorted_errors():
            sent = await self._channel(channel).send(view=sheet, nonce=nonce, allowed_mentions=mentions)
            return sent.id

    async def private_channel(self, user: int) -> int:
        """The id of the channel for direct messages with *user*."""
        # Not create_dm: it sends the id as a number, which Discord's description of its API does not allow.
        with _sorted_errors():
            channel = await self._client.http.request(
                Route("POST", "/users/@me/channels"), json={"recipient_id": str(user)}
            )
        return int(channel["id"])

    def _channel(self, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel)
