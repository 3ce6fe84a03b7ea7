"""Single requests to Discord. Nothing else in the program sends messages, edits or deletes them (a test checks it).

If Discord refuses a request, a ``Fault`` is raised.
"""

import io
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import discord
from discord.http import Route
from discord.webhook.async_ import async_context

from bot.delivery.faults import Gone, NoChannel, NoEntry, as_faults
from bot.delivery.throttle import Throttle
from bot.pictures.picture import files
from bot.pictures.symbols import Emoji
from bot.present.sheet import Sheet

T = TypeVar("T")

ORIGINAL: Final = "/messages/@original"
COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value


class Courier:
    """The requests that the bot makes, one per method.

    If Discord does not accept pictures in a channel, the same is sent without them: the text says everything too. Every
    method raises the ``Fault`` that fits if Discord refuses the request.
    """

    def __init__(self, client: discord.Client, throttle: Throttle) -> None:
        self._client = client
        self._throttle = throttle

    # Answers: they do not count against the bot's global rate limit.

    async def update(self, interaction: discord.Interaction[Any], sheet: Sheet) -> None:
        """Answer a click by changing the message on which it was made (callback type 7)."""

        async def request(sheet: Sheet) -> None:
            with as_faults():
                await interaction.response.edit_message(view=sheet.view(), attachments=await _attachments(sheet))

        await _with_or_without_pictures(sheet, request)

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click with nothing visible (callback type 6)."""
        with as_faults():
            await interaction.response.defer()

    async def reply(self, interaction: discord.Interaction[Any], sheet: Sheet, *, private: bool) -> int:
        """Answer with a new message (callback type 4), and return its id."""

        async def request(sheet: Sheet) -> int:
            with as_faults():
                response = await interaction.response.send_message(
                    view=sheet.view(), files=await _attachments(sheet), ephemeral=private
                )
            assert response.message_id is not None
            return response.message_id

        return await _with_or_without_pictures(sheet, request)

    async def tell(self, interaction: discord.Interaction[Any], sheet: Sheet) -> None:
        """Answer with a message that only this person sees; also possible after a first answer."""

        async def request(sheet: Sheet) -> None:
            send: Any = interaction.response.send_message
            if interaction.response.is_done():
                send = interaction.followup.send
            with as_faults():
                await send(view=sheet.view(), files=await _attachments(sheet), ephemeral=True)

        await _with_or_without_pictures(sheet, request)

    async def turn_into(self, interaction: discord.Interaction[Any], sheet: Sheet) -> None:
        """Answer a click on a private message by changing that message.

        If the message has been deleted, or everybody can see it (as after a forged click), send a private one instead.
        """
        message = interaction.message
        if interaction.guild_id is not None and (message is None or not message.flags.ephemeral):
            await self.tell(interaction, sheet)
            return
        try:
            await self.update(interaction, sheet)
        except Gone:
            await self.tell(interaction, sheet)

    # With an interaction token: these do not count either. discord.py reaches "@original" only through the
    # interaction object, which does not survive a restart, so the routes are named here. They use the adapter that
    # discord.py has for webhooks: its ordinary client searches all tokens it has seen, for every request.

    async def edit_original(self, token: str, sheet: Sheet) -> None:
        """Change the message that *token*'s interaction was answered with, or was made on."""
        await _with_or_without_pictures(
            sheet, lambda it: self._request_with_token("PATCH", token, ORIGINAL, _edit_payload(it), it)
        )

    async def delete_original(self, token: str) -> None:
        """Delete the message with which *token*'s interaction was answered."""
        await self._request_with_token("DELETE", token, ORIGINAL)

    async def follow_up(self, token: str, sheet: Sheet) -> int:
        """Send a new message in the channel of *token*'s interaction, and return its id."""
        return int(
            (await self._request_with_token("POST", token, "", _create_payload(sheet), sheet, {"wait": "true"}))["id"]
        )

    async def _request_with_token(
        self,
        method: str,
        token: str,
        path: str,
        payload: dict[str, Any] | None = None,
        sheet: Sheet | None = None,
        params: dict[str, str] | None = None,
    ) -> Any:
        """Make a request with an interaction's *token* and return the response's JSON; *path* is what follows the
        token."""
        http = self._client.http
        route = Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}" + path,
            webhook_id=self._client.application_id,
            webhook_token=token,
        )
        files = await _attachments(sheet) if sheet is not None else []
        multipart = _multipart_form(payload, files) if payload is not None and files else None
        session = discord.Webhook.partial(0, token, client=self._client).session
        with as_faults():
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
        """Change one of the bot's messages, with the bot's token."""

        async def request(sheet: Sheet) -> None:
            await self._throttle.turn()
            await self._request(self._message_route("PATCH", channel, message), _edit_payload(sheet), sheet)

        await _with_or_without_pictures(sheet, request)

    async def delete(self, channel: int, message: int) -> None:
        """Delete one of the bot's messages, with the bot's token."""
        await self._throttle.turn()
        await self._request(self._message_route("DELETE", channel, message))

    async def send(self, channel: int, sheet: Sheet, nonce: str, mention: int | None = None) -> int:
        """Send a new message that may notify the person *mention*, and nobody else; return its id.

        If the same *nonce* was sent in the last minutes, Discord makes no second message and returns the first one's
        id.
        """
        more: dict[str, Any] = {"nonce": nonce, "enforce_nonce": True}
        if mention is not None:
            more["allowed_mentions"] = {"users": [str(mention)]}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)

        async def request(sheet: Sheet) -> int:
            await self._throttle.turn()
            return int((await self._request(route, {**_create_payload(sheet), **more}, sheet))["id"])

        return await _with_or_without_pictures(sheet, request)

    async def private_channel(self, user: int) -> int:
        """The id of the channel for direct messages with *user*; it is made if need be."""
        route = Route("POST", "/users/@me/channels")
        await self._throttle.turn()
        return int((await self._request(route, {"recipient_id": str(user)}))["id"])

    # The application's own emojis: https://discord.com/developers/docs/resources/emoji#application-owned

    async def emojis(self) -> list[Emoji]:
        """All emojis of the application: ours, and those of the operator."""
        with as_faults():
            return [Emoji(emoji.name, emoji.id) for emoji in await self._client.fetch_application_emojis()]

    async def upload_emoji(self, name: str, file: bytes) -> Emoji:
        """Add an emoji with the image *file* (PNG) to the application, and return it."""
        await self._throttle.turn()
        with as_faults():
            made = await self._client.create_application_emoji(name=name, image=file)
        return Emoji(made.name, made.id)

    async def delete_emoji(self, emoji: Emoji) -> None:
        """Delete an emoji of the application."""
        await self._throttle.turn()
        path = "/applications/{application_id}/emojis/{emoji_id}"
        await self._request(Route("DELETE", path, application_id=self._client.application_id, emoji_id=emoji.id))

    @staticmethod
    def _message_route(method: str, channel: int, message: int) -> Route:
        """The route to one message."""
        return Route(method, "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)

    async def _request(self, route: Route, payload: dict[str, Any] | None = None, sheet: Sheet | None = None) -> Any:
        """Make a request with the bot's token, through discord.py, which waits out rate limits; return the response's
        JSON."""
        options: dict[str, Any] = {}
        files = await _attachments(sheet) if sheet is not None else []
        if payload is not None and files:
            options = {"form": _multipart_form(payload, files), "files": files}
        elif payload is not None:
            options = {"json": payload}
        with as_faults():
            return await self._client.http.request(route, **options)


async def _with_or_without_pictures(sheet: Sheet, request: Callable[[Sheet], Awaitable[T]]) -> T:
    """Make *request* with *sheet*; if Discord allows no files there, make it again without the pictures."""
    try:
        return await request(sheet)
    except NoChannel:
        raise
    except NoEntry:
        if not sheet.pictures:
            raise
        return await request(sheet.without_pictures())


def _create_payload(sheet: Sheet) -> dict[str, Any]:
    """The JSON for a new message that shows *sheet*."""
    return {"flags": COMPONENTS_V2, **_edit_payload(sheet)}


def _edit_payload(sheet: Sheet) -> dict[str, Any]:
    """The JSON for an edit that makes a message show *sheet*."""
    # The list of attachments is complete: Discord removes those that an earlier version had.
    attachments = [{"id": str(n), "filename": it.name, "description": it.alt} for n, it in enumerate(sheet.pictures)]
    return {"components": sheet.payload, "allowed_mentions": {"parse": []}, "attachments": attachments}


async def _attachments(sheet: Sheet) -> list[discord.File]:
    """The pictures of *sheet* as files for one request, drawn if need be."""
    return [
        discord.File(io.BytesIO(file), filename=it.name, description=it.alt) for it, file in await files(sheet.pictures)
    ]


def _multipart_form(payload: dict[str, Any], attachments: Sequence[discord.File]) -> list[dict[str, Any]]:
    """The form of a request with *payload* and files. https://discord.com/developers/docs/reference#uploading-files"""
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": json.dumps(payload)}]
    for number, file in enumerate(attachments):
        parts.append(
            {"name": f"files[{number}]", "value": file.fp, "filename": file.filename, "content_type": "image/png"}
        )
    return parts
