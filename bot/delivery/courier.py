"""Single requests to Discord, its errors sorted by what can be done about them.

Error codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes
"""

import io
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import async_context

from bot.delivery.throttle import Throttle
from bot.pictures.picture import files
from bot.present.sheet import Sheet

T = TypeVar("T")

ORIGINAL: Final = "/messages/@original"
COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value
UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
EDITED_TOO_OFTEN: Final = 30046
"""A message older than an hour takes only so many edits."""
ALREADY_ANSWERED: Final = 40060
INVALID_TOKEN: Final = 50027
ARCHIVED: Final = 50083
NO_COMMON_SERVER: Final = 50278
"""The person has left every server that we are in."""


class Gone(Exception):
    """The message is no more."""


class NoEntry(Exception):
    """The channel is closed to us; or the person takes no direct messages."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(f"error {code}")
        self.code = code


class NoChannel(NoEntry):
    """The channel is gone."""


class TooOld(Exception):
    """The message takes no more edits for now: a new one must take its place."""


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
        if error.code == UNKNOWN_CHANNEL:
            raise NoChannel(error.code) from error
        raise NoEntry(error.code) from error
    except discord.InteractionResponded as error:
        raise Expired from error
    except (TimeoutError, discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError) as error:
        raise Busy from error
    except discord.HTTPException as error:
        if error.code == EDITED_TOO_OFTEN:
            raise TooOld from error
        if error.status == 429 or error.status >= 500:
            raise Busy from error
        if error.code == ALREADY_ANSWERED or error.code == INVALID_TOKEN or error.status == 401:
            raise Expired from error
        if error.status == 403 or error.code == ARCHIVED:
            raise NoEntry(error.code) from error
        raise


class Courier:
    """The requests the bot makes. Each method is one request. Where files may not be sent, what a picture shows is
    left to the text, which says all of it too."""

    def __init__(self, client: discord.Client, throttle: Throttle) -> None:
        self._client = client
        self._throttle = throttle

    # Answers: they do not count against the bot's global rate limit.

    async def update(self, interaction: discord.Interaction[Any], sheet: Sheet) -> None:
        """Answer a click by changing the message it was made on (callback type 7)."""

        async def request(sheet: Sheet) -> None:
            with _sorted_errors():
                await interaction.response.edit_message(view=sheet.view(), attachments=await attached(sheet))

        await _as_it_may_be(sheet, request)

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click by nothing visible (callback type 6)."""
        with _sorted_errors():
            await interaction.response.defer()

    async def reply(self, interaction: discord.Interaction[Any], sheet: Sheet, *, private: bool) -> int:
        """Answer with a new message (callback type 4); its id."""

        async def request(sheet: Sheet) -> int:
            with _sorted_errors():
                response = await interaction.response.send_message(
                    view=sheet.view(), files=await attached(sheet), ephemeral=private
                )
            assert response.message_id is not None
            return response.message_id

        return await _as_it_may_be(sheet, request)

    # With an interaction token: these do not count either. discord.py reaches "@original" only through the
    # interaction object, which does not survive a restart, so the routes are named here. They go through the adapter
    # that discord.py uses for them: the client's own looks through every token it has seen, for every request.

    async def edit_original(self, token: str, sheet: Sheet) -> None:
        """Change the message that *token*'s interaction was answered with, or made on."""
        await _as_it_may_be(sheet, lambda it: self._with_token("PATCH", token, ORIGINAL, _edited(it), it))

    async def delete_original(self, token: str) -> None:
        """Delete the private answer of *token*'s interaction."""
        await self._with_token("DELETE", token, ORIGINAL)

    async def follow_up(self, token: str, sheet: Sheet) -> int:
        """A new message where *token*'s interaction was; its id."""
        return int((await self._with_token("POST", token, "", _created(sheet), sheet, {"wait": "true"}))["id"])

    async def _with_token(
        self,
        method: str,
        token: str,
        path: str,
        payload: dict[str, Any] | None = None,
        sheet: Sheet | None = None,
        params: dict[str, str] | None = None,
    ) -> Any:
        http = self._client.http
        route = Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}" + path,
            webhook_id=self._client.application_id,
            webhook_token=token,
        )
        files = await attached(sheet) if sheet is not None else []
        multipart = _form(payload, files) if payload is not None and files else None
        session = discord.Webhook.partial(0, token, client=self._client).session
        with _sorted_errors():
            return await async_context.get().request(
                route,
                session,
                payload=payload if multipart is None else None,
                multipart=multipart,
                files=files,
                params=params,
                proxy=http.proxy,
                proxy_auth=http.proxy_auth,
            )

    # With the bot's token: these count.

    async def edit(self, channel: int, message: int, sheet: Sheet) -> None:
        """Change one of the bot's messages."""

        async def request(sheet: Sheet) -> None:
            await self._throttle.turn()
            await self._request(self._message("PATCH", channel, message), _edited(sheet), sheet)

        await _as_it_may_be(sheet, request)

    async def delete(self, channel: int, message: int) -> None:
        """Delete one of the bot's messages."""
        await self._throttle.turn()
        await self._request(self._message("DELETE", channel, message))

    async def send(self, channel: int, sheet: Sheet, nonce: str, mention: int | None = None) -> int:
        """A new message that may notify the person *mention*, and nobody else; its id. The same *nonce* within
        minutes makes no second one."""
        more: dict[str, Any] = {"nonce": nonce, "enforce_nonce": True}
        if mention is not None:
            more["allowed_mentions"] = {"users": [str(mention)]}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)

        async def request(sheet: Sheet) -> int:
            await self._throttle.turn()
            return int((await self._request(route, {**_created(sheet), **more}, sheet))["id"])

        return await _as_it_may_be(sheet, request)

    async def private_channel(self, user: int) -> int:
        """The id of the channel for direct messages with *user*."""
        route = Route("POST", "/users/@me/channels")
        await self._throttle.turn()
        return int((await self._request(route, {"recipient_id": str(user)}))["id"])

    @staticmethod
    def _message(method: str, channel: int, message: int) -> Route:
        return Route(method, "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)

    async def _request(self, route: Route, payload: dict[str, Any] | None = None, sheet: Sheet | None = None) -> Any:
        """One request through discord.py's client, which waits out rate limits."""
        options: dict[str, Any] = {}
        files = await attached(sheet) if sheet is not None else []
        if payload is not None and files:
            options = {"form": _form(payload, files), "files": files}
        elif payload is not None:
            options = {"json": payload}
        with _sorted_errors():
            return await self._client.http.request(route, **options)


async def _as_it_may_be(sheet: Sheet, request: Callable[[Sheet], Awaitable[T]]) -> T:
    """The result of *request* with *sheet*; without its pictures where it is not taken with them."""
    try:
        return await request(sheet)
    except NoChannel:
        raise
    except NoEntry:
        if not sheet.pictures:
            raise
        return await request(sheet.without_pictures())


def _created(sheet: Sheet) -> dict[str, Any]:
    return {"flags": COMPONENTS_V2, **_edited(sheet)}


def _edited(sheet: Sheet) -> dict[str, Any]:
    # The list of attachments is whole: one that an earlier version had goes.
    attachments = [{"id": str(n), "filename": it.name, "description": it.alt} for n, it in enumerate(sheet.pictures)]
    return {"components": sheet.payload, "allowed_mentions": {"parse": []}, "attachments": attachments}


async def attached(sheet: Sheet) -> list[discord.File]:
    """The pictures of *sheet* as files for one request."""
    return [
        discord.File(io.BytesIO(file), filename=it.name, description=it.alt) for it, file in await files(sheet.pictures)
    ]


def _form(payload: dict[str, Any], attachments: Sequence[discord.File]) -> list[dict[str, Any]]:
    """The parts of a request with files. https://discord.com/developers/docs/reference#uploading-files"""
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": json.dumps(payload)}]
    for number, file in enumerate(attachments):
        parts.append(
            {"name": f"files[{number}]", "value": file.fp, "filename": file.filename, "content_type": "image/png"}
        )
    return parts
