"""The files behind emojis and attachments. As on Discord's content servers, anybody with the address gets them."""

from typing import Final

from aiohttp import web

from local_discord.snowflake import parse_id
from local_discord.world import World

_SHOWN: Final = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
"""A browser shows these and runs nothing in them. Everything else is a download."""
_FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


class Pictures:
    """Routes outside ``/api``: without tokens, rate limits, faults or the request list."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add_to(self, app: web.Application) -> None:
        """Register the routes of emojis and attachments in *app*."""
        app.router.add_get("/emojis/{emoji}", self._serve_emoji_image)
        app.router.add_get("/attachments/{channel}/{attachment}/{filename}", self._serve_attachment)

    async def _serve_emoji_image(self, request: web.Request) -> web.Response:
        """Answer with the picture of an emoji; 404 if there is none."""
        emoji = self._world.emojis.get(parse_id(request.match_info["emoji"].partition(".")[0]) or 0)
        if emoji is None:
            raise web.HTTPNotFound
        return web.Response(body=emoji.data, content_type=emoji.content_type, headers=_FOR_EVER)

    async def _serve_attachment(self, request: web.Request) -> web.Response:
        """Answer with the content of an attachment, 404 if there is none: browsers show pictures, everything else is a
        download."""
        attachment = self._world.files.get(parse_id(request.match_info["attachment"]) or 0)
        if attachment is None:
            raise web.HTTPNotFound
        if attachment.content_type in _SHOWN:
            return web.Response(body=attachment.data, content_type=attachment.content_type, headers=_FOR_EVER)
        headers = _FOR_EVER | {"Content-Disposition": "attachment"}
        return web.Response(body=attachment.data, content_type="application/octet-stream", headers=headers)
